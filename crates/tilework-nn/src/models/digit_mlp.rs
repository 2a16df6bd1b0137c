//! 784 → 128 → 10: two dense layers with a ReLU between them.

use tilework::Array;

use crate::{Network, Parameter};

/// Units of the hidden layer.
const HIDDEN: usize = 128;

/// The network of the lessons. Its files have PyTorch's names for a module with the layers `fc1` and `fc2`.
#[derive(Clone, Copy, Debug)]
pub struct DigitMlp;

impl Network for DigitMlp {
    fn name(&self) -> &'static str {
        "mlp"
    }

    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter { name: "fc1.weight", shape: vec![HIDDEN, self.n_inputs()], fan_in: self.n_inputs() },
            Parameter { name: "fc1.bias", shape: vec![HIDDEN], fan_in: self.n_inputs() },
            Parameter { name: "fc2.weight", shape: vec![self.n_classes(), HIDDEN], fan_in: HIDDEN },
            Parameter { name: "fc2.bias", shape: vec![self.n_classes()], fan_in: HIDDEN },
        ]
    }

    fn n_inputs(&self) -> usize {
        784
    }

    fn n_classes(&self) -> usize {
        10
    }

    fn logits(&self, parameters: &[Array], x: &Array) -> Array {
        let [weight1, bias1, weight2, bias2] = parameters else { unreachable!("as many as `parameters` lists") };
        let hidden = (x.matmul(&weight1.t()) + bias1).relu();
        hidden.matmul(&weight2.t()) + bias2
    }
}
