//! `tilework mnist`: a network that reads handwritten digits, from the data to the answer.

use clap::builder::PossibleValue;
use clap::{Arg, ArgMatches, Command};
use tilework::Device;
use tilework_nn::models::{DIGIT_NETWORKS, digit_network};
use tilework_nn::{Network, Weights};

use crate::failure::{Failure, Outcome};
use crate::files;
use crate::terminal::Out;

mod curve;
pub(crate) mod data;
pub(crate) mod eval;
mod fetch;
pub(crate) mod picture;
pub(crate) mod predict;
mod train;

const EXAMPLES: &str = "\
Examples:
  tilework mnist fetch                      get the 70 000 images, once
  tilework mnist train --out mine.safetensors
  tilework mnist eval --weights mine.safetensors
  tilework mnist predict drawing.png        with the weights that come with the program";

/// Weights that come with the program, by the name of their network; models/README.md says how they were made.
const SHIPPED: &[(&str, &[u8])] = &[
    ("mlp", include_bytes!("../../../../models/digits_mlp.safetensors")),
    ("cnn", include_bytes!("../../../../models/digits_cnn.safetensors")),
];

pub(crate) fn command() -> Command {
    Command::new("mnist")
        .about("Handwritten digits: get the data, train, measure, predict")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([fetch::command(), train::command(), eval::command(), predict::command()])
        .after_help(EXAMPLES)
}

pub(crate) fn run(matches: &ArgMatches, out: &mut Out) -> Outcome {
    match matches.subcommand() {
        Some(("fetch", matches)) => fetch::run(matches, out),
        Some(("train", matches)) => train::run(matches, out),
        Some(("eval", matches)) => eval::run(matches, out),
        Some((_, matches)) => predict::run(matches, out),
        None => Err(Failure::usage("mnist needs a command", "`tilework mnist --help` lists them")),
    }
}

/// `--model`.
fn model_argument() -> Arg {
    Arg::new("model").long("model").value_name("MODEL").default_value("mlp").help("Which network").value_parser([
        PossibleValue::new("mlp").help("784 → 128 → 10, two dense layers"),
        PossibleValue::new("cnn").help("two convolutions and a dense layer"),
    ])
}

/// `--weights`.
fn weights_argument() -> Arg {
    Arg::new("weights")
        .long("weights")
        .value_name("FILE")
        .help("A safetensors or .npz file with the weights, as PyTorch names them, instead of those of the program")
}

fn network_named(name: &str) -> Outcome<&'static dyn Network> {
    let found = DIGIT_NETWORKS.iter().find(|network| network.name() == name).copied();
    found.ok_or_else(|| Failure::usage(format!("there is no network `{name}`"), "mlp, cnn"))
}

/// The network and weights that `--model` and `--weights` name.
fn chosen(matches: &ArgMatches, device: &Device) -> Outcome<(&'static dyn Network, Weights)> {
    if let Some(path) = matches.get_one::<String>("weights") {
        let weights = Weights::from_bytes(device, &files::read(path.as_ref(), data::WEIGHTS_ADVICE)?)?;
        return Ok((digit_network(&weights)?, weights));
    }
    let name = matches.get_one::<String>("model").map_or("mlp", String::as_str);
    let bytes = SHIPPED.iter().find(|(shipped, _)| *shipped == name).map_or(&[][..], |(_, bytes)| bytes);
    Ok((network_named(name)?, Weights::from_bytes(device, bytes)?))
}
