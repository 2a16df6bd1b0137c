//! One file per model.

pub mod bert;
pub mod digit_cnn;
pub mod digit_mlp;

use crate::{Network, Weights};
use tilework::{Error, ErrorKind, Result};

/// Networks that read handwritten digits.
pub static DIGIT_NETWORKS: &[&dyn Network] = &[&digit_mlp::DigitMlp, &digit_cnn::DigitCnn];

/// The network of [`DIGIT_NETWORKS`] whose parameters are all in `weights`.
pub fn digit_network(weights: &Weights) -> Result<&'static dyn Network> {
    let has_all =
        |network: &&&dyn Network| network.parameters().iter().all(|parameter| weights.find(parameter.name).is_some());
    DIGIT_NETWORKS.iter().find(has_all).copied().ok_or_else(|| {
        let mlp = DIGIT_NETWORKS[0].parameters();
        let names: Vec<&str> = mlp.iter().map(|parameter| parameter.name).collect();
        let message =
            format!("these are no weights of a digit network, which would be called {}, ...", names.join(", "));
        Error::new(ErrorKind::Io, "weights", message)
    })
}
