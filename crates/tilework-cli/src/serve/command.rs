//! The command line of the server.

use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use axum::http::HeaderValue;
use clap::{Arg, ArgMatches, Command, value_parser};

use super::http::{Hosts, Service, serve};
use super::scheduler::{self, Limits};
use crate::failure::{Failure, Outcome, Verdict};
use crate::llm::open::{self, ModelEngine};
use crate::terminal::{Out, Paint, Progress};

const KEY_VARIABLE: &str = "TILEWORK_API_KEY";

const EXAMPLES: &str = "\
Examples:
  tilework serve -m smollm2
  curl http://127.0.0.1:8080/v1/chat/completions -H 'Content-Type: application/json' \\
       -d '{\"messages\": [{\"role\": \"user\", \"content\": \"Hello\"}]}'

The key may also be in the environment variable TILEWORK_API_KEY, where other users of the machine do not see it.";

pub(crate) fn command() -> Command {
    let count = |name: &'static str, usual: &'static str, help: &'static str| {
        let range = value_parser!(u64).range(1..=1 << 24);
        Arg::new(name).long(name).value_name("N").value_parser(range).default_value(usual).help(help)
    };
    Command::new("serve")
        .about("Serve a language model by HTTP, in the shape of OpenAI's interface")
        .args(open::arguments())
        .arg(
            Arg::new("host")
                .long("host")
                .value_name("ADDRESS")
                .value_parser(value_parser!(IpAddr))
                .default_value("127.0.0.1")
                .help("Where to listen; 0.0.0.0 lets the network in"),
        )
        .arg(
            Arg::new("port")
                .long("port")
                .value_name("N")
                .value_parser(value_parser!(u16))
                .default_value("8080")
                .help("The port; 0 takes a free one"),
        )
        .arg(count("context", "4096", "Tokens of a prompt and its answer together"))
        .arg(count("max-tokens", "4096", "Tokens of an answer, whatever a request asks for"))
        .arg(count("parallel", "4", "Answers written at once"))
        .arg(count("queue", "64", "Requests that may wait"))
        .arg(count("max-body-mb", "4", "Megabytes of a request"))
        .arg(Arg::new("api-key").long("api-key").value_name("KEY").help("Requests must bring this key"))
        .arg(Arg::new("cors").long("cors").value_name("ORIGIN").help("Pages of this origin may ask; `*` for all"))
        .arg(Arg::new("name").long("name").value_name("NAME").help("What the model is called to clients"))
        .after_help(EXAMPLES)
}

pub(crate) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    let count = |name: &str| matches.get_one::<u64>(name).map_or(1, |n| *n as usize);
    let host = matches.get_one::<IpAddr>("host").copied().unwrap_or(IpAddr::from([127, 0, 0, 1]));
    let port = matches.get_one::<u16>("port").copied().unwrap_or(8080);
    let api_key = matches.get_one::<String>("api-key").cloned().or_else(|| std::env::var(KEY_VARIABLE).ok());
    let api_key = api_key.filter(|key| !key.is_empty());
    let cors = matches.get_one::<String>("cors").map(|origin| origin.parse::<HeaderValue>()).transpose();
    let cors = cors.map_err(|_| Failure::usage("`--cors` is no origin", "such as `--cors https://example.org`"))?;
    let opened = open::open(matches, &Progress::new())?;
    let n_context = count("context").min(opened.model.config().n_context.max(2)).max(2);
    let limits = Limits { n_active: count("parallel"), n_waiting: count("queue"), n_context, ..Limits::default() };
    let vocabulary = Arc::new(opened.model.clone());
    let started = scheduler::start(ModelEngine(opened.model.clone()), vocabulary.clone(), limits);
    let (queue, thread) = started.map_err(|error| Failure::file(format!("cannot start a thread: {error}"), ADVICE))?;
    let name = matches.get_one::<String>("name").cloned().unwrap_or_else(|| stem(matches));
    let service = Service {
        model: name,
        vocabulary,
        template: opened.template,
        queue,
        n_context,
        n_most: count("max-tokens"),
        body_bytes: count("max-body-mb").saturating_mul(1 << 20),
        api_key,
        hosts: if host.is_loopback() { Hosts::Loopback } else { Hosts::Any },
        cors,
        n_requests: AtomicU64::new(0),
    };
    listen(service, SocketAddr::new(host, port), out)?;
    if thread.join().is_err() {
        return Err(Failure::file("the scheduler failed", "this is a mistake of Tilework; please report it"));
    }
    Ok(Verdict::Fine)
}

const ADVICE: &str = "is the port taken? `--port` takes another";

/// The model as the user named it, without folder and `.gguf`.
fn stem(matches: &ArgMatches) -> String {
    let name = matches.get_one::<String>("model").map_or("", String::as_str);
    std::path::Path::new(name).file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned())
}

fn listen(service: Service, address: SocketAddr, out: &mut Out) -> Outcome<()> {
    let failed = |error: std::io::Error| Failure::file(format!("cannot serve at {address}: {error}"), ADVICE);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(address).await.map_err(failed)?;
        let bound = listener.local_addr().map_err(failed)?;
        writeln!(out, "{} at http://{bound}; Ctrl-C stops", service.model)?;
        if !address.ip().is_loopback() {
            let key = if service.api_key.is_some() { "" } else { " without a key" };
            let warning =
                format!("warning: anyone who can reach this machine may use it{key}, and nothing is encrypted");
            writeln!(out, "{}", out.paint(Paint::Warning, &warning))?;
        }
        out.flush()?;
        serve(service, listener, asked_to_stop()).await.map_err(failed)
    })
}

/// Ready at Ctrl-C, and where there are such signals when the system ends the program (SIGTERM). Without signals it never is.
async fn asked_to_stop() {
    let interrupted = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let ended = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => _ = signal.recv().await,
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let ended = std::future::pending::<()>();
    tokio::select! {
        () = interrupted => {}
        () = ended => {}
    }
}
