//! "digits": a trained network that reads digits.
//!
//! File: `weights`. Methods: `classify` (data: 784 numbers per image; answer: 10 probabilities per image), `prepare` (options
//! `width` and `height`, data: ink row after row; answer: the image a network takes).

use std::rc::Rc;

use serde_json::{Value, json};
use tilework::{Device, Result};

use super::{Answer, Answering, Files, Opening, Question, Served, count, no_method};
use crate::digits::{Gray, prepare};
use crate::models::digit_network;
use crate::{Classifier, Weights};

struct Digits {
    classifier: Classifier,
}

pub(super) fn open<'a>(device: &'a Device, files: &'a Files, _options: &'a Value) -> Opening<'a> {
    Box::pin(async move {
        let weights = Weights::from_bytes(device, files.get("weights")?)?;
        let classifier = Classifier::new(digit_network(&weights)?, &weights).await?;
        Ok(Rc::new(Digits { classifier }) as Rc<dyn Served>)
    })
}

impl Served for Digits {
    fn ask(&self, question: Question) -> Answering<'_> {
        Box::pin(async move {
            match question.method.as_str() {
                "classify" => classify(&self.classifier, question.data).await,
                "prepare" => prepared(question),
                method => Err(no_method(method, &["classify", "prepare"])),
            }
        })
    }
}

pub(super) async fn classify(classifier: &Classifier, inputs: Vec<f32>) -> Result<Answer> {
    let data = classifier.probabilities(inputs).await?;
    Ok(Answer { value: json!({ "network": classifier.network().name() }), data, ..Answer::default() })
}

pub(super) fn prepared(question: Question) -> Result<Answer> {
    let size = |name| Ok(count(&question.options, name, 0, 1)? as usize);
    let drawing = Gray { width: size("width")?, height: size("height")?, ink: question.data };
    Ok(Answer { data: prepare(&drawing)?, ..Answer::default() })
}
