//! `tilework chat`: a conversation with a language model.

use std::io::Write;
use std::path::Path;

use clap::{Arg, ArgMatches, Command, value_parser};
use tilework_nn::generate::{Assistant, Delivery, GenerationOptions, Piece, Prepared, Prompt, Request, Room};
use tilework_nn::llm::Context;

use super::conversation::Conversation;
use super::interrupt::Interrupt;
use super::open;
use super::prompt_cache::{self, PromptCache};
use super::sampling;
use super::writing::{Then, Written, write};
use crate::failure::{Failure, Outcome, Verdict};
use crate::files;
use crate::terminal::{Out, Paint, Progress};

const COMMANDS: &str = "\
  /reset            forget what was said
  /system TEXT      other instructions; without a text, none
  /undo             take the last question and its answer back
  /regenerate       answer the last question again
  /save FILE        write the conversation to a file
  /load FILE        read one
  /stats            how fast the last answer was
  /exit             leave; Ctrl-C stops an answer, a second one leaves";

pub(crate) fn command() -> Command {
    Command::new("chat")
        .about("Talk to a language model")
        .args(open::arguments())
        .arg(
            Arg::new("system").long("system").value_name("TEXT").help("Instructions that the model has from the start"),
        )
        .arg(
            Arg::new("context")
                .long("context")
                .value_name("N")
                .value_parser(value_parser!(u64).range(16..=1 << 24))
                .help(
                    "Tokens of the whole conversation [default: 4096, or fewer if the model has seen no longer texts]",
                ),
        )
        .arg(prompt_cache::argument())
        .args(sampling::arguments())
        .after_help(format!("While talking:\n{COMMANDS}"))
}

pub(crate) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let options = sampling::options(matches, usize::MAX)?;
    let opened = open::open(matches, &Progress::new())?;
    let n_trained = opened.model.config().n_context.max(16);
    let n_context = matches.get_one::<u64>("context").map_or(n_trained.min(4096), |n| *n as usize);
    let cache = PromptCache::new(matches);
    let mut chat = Chat {
        context: cache.open(&opened.model, n_context)?,
        opened,
        options,
        conversation: Conversation::new(matches.get_one::<String>("system").map(String::as_str)),
        last: None,
        interrupt: Interrupt::listen(),
    };
    writeln!(out, "{}", out.paint(Paint::Faint, &format!("{}; /help lists commands", chat.opened.name)))?;
    if let Some(problem) = chat.opened.template.problem() {
        writeln!(out, "{}", out.paint(Paint::Warning, &format!("its chat template cannot be used: {problem}")))?;
    }
    chat.talk(out)?;
    cache.save(&chat.opened.model, &mut chat.context)?;
    Ok(Verdict::Fine)
}

/// What follows a line.
enum Next {
    Go,
    Leave,
}

struct Chat {
    opened: Assistant,
    context: Context,
    options: GenerationOptions,
    conversation: Conversation,
    last: Option<Written>,
    interrupt: Interrupt,
}

impl Chat {
    /// Reads lines until one says that it is over.
    fn talk(&mut self, out: &mut Out) -> Outcome<()> {
        loop {
            write!(out, "{}", out.paint(Paint::Code, "> "))?;
            out.flush()?;
            let mut line = String::new();
            match std::io::stdin().read_line(&mut line) {
                Ok(0) => return Ok(()),
                Ok(_) => {}
                Err(error) => return Err(Failure::file(format!("cannot read: {error}"), "type text, or pipe some in")),
            }
            match self.read(line.trim(), out) {
                Ok(Next::Go) => {}
                Ok(Next::Leave) => return Ok(()),
                Err(failure @ Failure::Output(_)) => return Err(failure),
                // A mistake ends no conversation.
                Err(failure) => writeln!(out, "{}", out.paint(Paint::Bad, &failure.to_string()))?,
            }
        }
    }

    fn read(&mut self, line: &str, out: &mut Out) -> Outcome<Next> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match command {
            "" => {}
            "/exit" | "/quit" => return Ok(Next::Leave),
            "/help" => writeln!(out, "{COMMANDS}")?,
            "/reset" => self.conversation.reset(),
            "/system" => self.conversation.set_system(rest),
            "/undo" => {
                let taken = self.conversation.undo();
                writeln!(
                    out,
                    "{}",
                    taken.map_or("nothing was said yet".to_owned(), |text| format!("taken back: {text}"))
                )?;
            }
            "/regenerate" => match self.conversation.undo() {
                Some(question) => {
                    // The same seed would give the same answer.
                    self.options.sample.seed = self.options.sample.seed.wrapping_add(1);
                    self.ask(&question, out)?;
                }
                None => writeln!(out, "nothing was said yet")?,
            },
            "/save" => files::write(named(rest)?, self.conversation.to_json().to_string().as_bytes())?,
            "/load" => {
                let bytes = files::read(named(rest)?, "name a file that `/save` wrote")?;
                let conversation = Conversation::from_json(&String::from_utf8_lossy(&bytes));
                self.conversation = conversation.ok_or_else(|| {
                    Failure::file(format!("{rest} is no conversation"), "name a file that `/save` wrote")
                })?;
            }
            "/stats" => self.show_stats(out)?,
            _ if command.starts_with('/') => writeln!(out, "there is no {command}; /help lists what there is")?,
            _ => self.ask(line, out)?,
        }
        Ok(Next::Go)
    }

    fn ask(&mut self, question: &str, out: &mut Out) -> Outcome<()> {
        self.conversation.say("user", question);
        let answer = self.answer(out);
        if answer.is_err() {
            // It may be said again once what was wrong is put right.
            self.conversation.undo();
        }
        self.conversation.say("assistant", &answer?);
        Ok(())
    }

    fn answer(&mut self, out: &mut Out) -> Outcome<String> {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_secs();
        let prompt = Prompt::Messages(self.conversation.messages.clone());
        let request = Request { prompt, options: self.options.clone(), delivery: Delivery::Whole };
        let n_context = self.context.n_max();
        let room = Room { n_context, n_most: usize::MAX, now_unix_s: i64::try_from(now).ok() };
        let Prepared { prompt, generation, .. } =
            self.opened.prepare(request, room).map_err(|error| match error.code {
                Some("context_length_exceeded") => {
                    Failure::usage(error.message, "/reset or /undo, or begin again with a larger --context")
                }
                _ => error.into_error().into(),
            })?;
        let mut answer = String::new();
        let interrupt = self.interrupt.clone();
        let mut on_piece = |piece: &Piece| {
            answer.push_str(&piece.text);
            let is_shown = write!(out, "{}", piece.text).is_ok() && out.flush().is_ok();
            if is_shown && !interrupt.is_asked() { Then::GoOn } else { Then::Stop }
        };
        self.interrupt.begin();
        let written =
            pollster::block_on(write(&self.opened.model, &mut self.context, (prompt, generation), &mut on_piece));
        self.interrupt.end();
        self.last = Some(written?);
        writeln!(out)?;
        Ok(answer)
    }

    fn show_stats(&self, out: &mut Out) -> Outcome<()> {
        let Some(last) = &self.last else {
            writeln!(out, "nothing was said yet")?;
            return Ok(());
        };
        let (reading, writing) = (last.prompt_tokens_per_s(), last.decode_tokens_per_s());
        writeln!(out, "read {} tokens at {reading:.1} per second", last.n_read)?;
        writeln!(out, "wrote {} tokens at {writing:.1} per second", last.tokens.len())?;
        writeln!(
            out,
            "the conversation has {} tokens; there is room for {}",
            self.context.len(),
            self.context.n_max()
        )?;
        Ok(())
    }
}

fn named(path: &str) -> Outcome<&Path> {
    if path.is_empty() {
        return Err(Failure::usage("which file?", "name it: `/save talk.json`"));
    }
    Ok(Path::new(path))
}
