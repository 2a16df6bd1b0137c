//! "digit_trainer": a network that is trained while somebody watches.
//!
//! Files: `images` and `labels`, and `test_images` and `test_labels` (IDX). Options: `network`, `epochs`, `batch`, `rate`,
//! `seed`, `shift`. Methods: `train` (option `steps`; answer: `losses`, `step`, `epoch`, `done`), `evaluate` (answer: `accuracy`),
//! `classify` (as of "digits", with the weights of now), `weights` (answer: a safetensors file).

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Value, json};
use tilework::{Device, Error, Result};

use super::digits::classify;
use super::{Answer, Answering, Files, Opening, Question, Served, count, no_method};
use crate::digits::{Batches, Digits, Shift};
use crate::models::DIGIT_NETWORKS;
use crate::{Classifier, Network, TrainOptions, Trainer, cosine_rate, most_likely};

/// What stays the same from step to step.
struct Plan {
    network: &'static dyn Network,
    train: Digits,
    test: Digits,
    n_epochs: u64,
    batch: usize,
    rate: f64,
    seed: u64,
    shift: Shift,
}

struct DigitTrainer {
    plan: Plan,
    /// Taken out while a step is on its way, so that two questions at once are told instead of mixed.
    trainer: RefCell<Option<Trainer>>,
}

pub(super) fn open<'a>(device: &'a Device, files: &'a Files, options: &'a Value) -> Opening<'a> {
    Box::pin(async move {
        let plan = Plan::new(files, options)?;
        let trainer = Trainer::new(device, plan.network, TrainOptions { seed: plan.seed, ..TrainOptions::default() })?;
        Ok(Rc::new(DigitTrainer { plan, trainer: RefCell::new(Some(trainer)) }) as Rc<dyn Served>)
    })
}

impl Plan {
    fn new(files: &Files, options: &Value) -> Result<Plan> {
        let name = options.get("network").and_then(Value::as_str).unwrap_or("mlp");
        let network = DIGIT_NETWORKS.iter().find(|network| network.name() == name).copied();
        let rate = options.get("rate").and_then(Value::as_f64).unwrap_or(0.002);
        if !(rate > 0.0 && rate.is_finite()) {
            return Err(Error::argument("model", format!("a learning rate of {rate} teaches nothing")));
        }
        let train = Digits::from_idx(files.get("images")?, files.get("labels")?)?;
        if train.is_empty() {
            return Err(Error::argument("model", "there are no images to learn from"));
        }
        Ok(Plan {
            network: network.ok_or_else(|| Error::argument("model", format!("there is no network `{name}`")))?,
            train,
            test: Digits::from_idx(files.get("test_images")?, files.get("test_labels")?)?,
            n_epochs: count(options, "epochs", 5, 1)?,
            batch: count(options, "batch", 128, 1)? as usize,
            rate,
            seed: count(options, "seed", 0, 0)?,
            shift: match count(options, "shift", 0, 0)? {
                0 => Shift::None,
                most => Shift::UpTo(most.min(8) as u8),
            },
        })
    }

    fn n_batches(&self) -> u64 {
        self.train.len().div_ceil(self.batch) as u64
    }

    /// Up to `n_steps` steps, fewer at the end of an epoch.
    async fn train(&self, trainer: &mut Trainer, n_steps: u64) -> Result<Value> {
        let (n_batches, total) = (self.n_batches(), self.n_batches() * self.n_epochs);
        let (epoch, first) = (trainer.n_steps() / n_batches, trainer.n_steps() % n_batches);
        let mut losses = Vec::new();
        if epoch < self.n_epochs {
            let batches = Batches::new(&self.train, self.batch, self.shift, self.seed, epoch);
            for batch in batches.from(first as usize).take(n_steps as usize) {
                let done = trainer.n_steps() as f64 / total as f64;
                let rate = cosine_rate(self.rate, done);
                losses.push(trainer.step(batch.inputs, &batch.classes, rate).await?);
            }
        }
        let mut values = Vec::with_capacity(losses.len());
        for loss in losses {
            values.push(loss.item().await?);
        }
        let step = trainer.n_steps();
        Ok(json!({ "losses": values, "step": step, "epoch": step / n_batches, "steps": total, "done": step >= total }))
    }

    async fn accuracy(&self, trainer: &Trainer) -> Result<Value> {
        let classifier = Classifier::new(self.network, &trainer.weights()).await?;
        let probabilities = classifier.probabilities(self.test.inputs()).await?;
        let rows = probabilities.chunks_exact(self.network.n_classes());
        let n_right =
            rows.zip(self.test.classes()).filter(|(row, class)| most_likely(row) == usize::from(**class)).count();
        Ok(json!({ "accuracy": n_right as f64 / self.test.len().max(1) as f64, "images": self.test.len() }))
    }
}

impl DigitTrainer {
    async fn answer(&self, trainer: &mut Trainer, question: Question) -> Result<Answer> {
        match question.method.as_str() {
            "train" => {
                let n_steps = count(&question.options, "steps", 10, 1)?;
                Ok(Answer { value: self.plan.train(trainer, n_steps).await?, ..Answer::default() })
            }
            "evaluate" => Ok(Answer { value: self.plan.accuracy(trainer).await?, ..Answer::default() }),
            "classify" => classify(&Classifier::new(self.plan.network, &trainer.weights()).await?, question.data).await,
            "weights" => Ok(Answer { file: trainer.weights().to_safetensors().await?, ..Answer::default() }),
            method => Err(no_method(method, &["train", "evaluate", "classify", "weights"])),
        }
    }
}

impl Served for DigitTrainer {
    fn ask(&self, question: Question) -> Answering<'_> {
        Box::pin(async move {
            let busy = || Error::argument("model", "it is still training; wait for the answer before");
            let mut trainer = self.trainer.borrow_mut().take().ok_or_else(busy)?;
            let answer = self.answer(&mut trainer, question).await;
            *self.trainer.borrow_mut() = Some(trainer);
            answer
        })
    }
}
