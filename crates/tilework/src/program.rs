//! Programs: functions of arrays that are planned once and replayed.

use crate::array::Array;
use crate::device::{Device, Planned};
use crate::schedule::Walk;
use std::sync::Arc;
use tilework_core::{Error, Result};
use tilework_ops::{Meta, Node, NodeRef};

/// A captured function. [`Program::run`] takes new inputs of the same shapes and types and costs no planning at all.
#[derive(Debug)]
pub struct Program {
    device: Device,
    planned: Arc<Planned>,
    scalars: Vec<tilework_core::expr::Value>,
    /// For each input of the schedule: which argument it is, or the value it was captured with.
    sources: Vec<Source>,
    arguments: Vec<Meta>,
    outputs: Vec<Meta>,
}

#[derive(Debug)]
enum Source {
    Argument(usize),
    Captured(NodeRef),
}

impl Device {
    /// Captures `f`, called once with stand-ins for `inputs`. Arrays it uses besides its arguments (weights) are captured with
    /// the values they have; they must have been evaluated or have been made from data.
    pub async fn capture(&self, f: impl FnOnce(&[Array]) -> Vec<Array>, inputs: &[&Array]) -> Result<Program> {
        self.eval(inputs).await?;
        let mut arguments = Vec::new();
        let mut stand_ins = Vec::new();
        for input in inputs {
            let node = input.node()?;
            let value = node.value().cloned().ok_or_else(|| Error::argument("capture", "an input has no value"))?;
            // A node of its own per argument: two arguments may be the same array now and differ later.
            stand_ins.push(Node::source(node.meta.clone(), value));
            arguments.push(node.meta.clone());
        }
        let arrays: Vec<Array> = stand_ins.iter().map(|node| Array::new(self, Ok(node.clone()))).collect();
        let results = f(&arrays);
        let mut roots: Vec<NodeRef> = Vec::new();
        for result in &results {
            let node = result.node()?;
            let is_new = node.value().is_none() && !roots.iter().any(|known| Arc::ptr_eq(known, node));
            // Every output is computed by this program, even if it is an argument passed through.
            roots.push(if is_new { node.clone() } else { tilework_ops::graph::released(node) });
        }
        if roots.is_empty() {
            return Err(Error::argument("capture", "the function gives no array"));
        }
        let walk = Walk::new(&roots);
        let planned = self.planned(&walk)?;
        let source = |node: &NodeRef| match stand_ins.iter().position(|known| Arc::ptr_eq(known, node)) {
            Some(number) => Source::Argument(number),
            None => Source::Captured(node.clone()),
        };
        let sources = walk.inputs.iter().map(source).collect();
        let outputs = roots.iter().map(|node| node.meta.clone()).collect();
        Ok(Program { device: self.clone(), planned, scalars: walk.scalars, sources, arguments, outputs })
    }
}

impl Program {
    /// Runs the captured work on new inputs and returns its results, already computed.
    pub async fn run(&self, inputs: &[&Array]) -> Result<Vec<Array>> {
        self.run_owned(inputs.iter().map(|&input| input.clone()).collect()).await
    }

    /// The same on inputs that are given up. Operations that change a part of an array, such as [`Array::cache_append`], then do it
    /// in place, if nobody else holds the array; otherwise they change a copy.
    pub async fn run_owned(&self, inputs: Vec<Array>) -> Result<Vec<Array>> {
        if inputs.len() != self.arguments.len() {
            let message = format!("takes {} inputs, got {}", self.arguments.len(), inputs.len());
            return Err(Error::argument("program", message));
        }
        for (input, meta) in inputs.iter().zip(&self.arguments) {
            if input.node()?.meta != *meta {
                let node = input.node()?;
                let message =
                    format!("captured for {} of {}, got {} of {}", meta.shape, meta.dtype, node.shape(), node.dtype());
                return Err(Error::shape("program", message));
            }
        }
        self.device.eval(&inputs.iter().collect::<Vec<_>>()).await?;
        let mut nodes = Vec::with_capacity(self.sources.len());
        for source in &self.sources {
            nodes.push(match source {
                Source::Argument(number) => inputs[*number].node()?.clone(),
                Source::Captured(node) => node.clone(),
            });
        }
        drop(inputs);
        let values = self.device.execute_with(&self.planned, nodes, &self.scalars).await?;
        Ok(values
            .into_iter()
            .zip(&self.outputs)
            .map(|(value, meta)| Array::new(&self.device, Ok(Node::source(meta.clone(), value.shared()))))
            .collect())
    }
}
