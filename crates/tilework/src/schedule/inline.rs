//! Building the fused expression of each step.
//!
//! A node is inlined together with the *path* of views between it and the kernel's grid. When the recursion meets a buffer,
//! the path tells which of its elements belongs to which grid point: each view is applied to the buffer's layout in turn. A
//! reshape that would need a copy is the only view that can fail there; then what stands before it is computed first.

use super::roots::Marks;
use super::walk::{Flat, FlatKind};
use super::{Compiled, Role, Schedule, Step, StepKind, ValueInfo, Work};
use tilework_core::dtype::DType;
use tilework_core::expr::{Graph, Id, ScalarOp};
use tilework_core::fused::{Fused, Leaf, LeafSource};
use tilework_core::layout::Layout;
use tilework_core::pictures::HAS_PICTURES;
use tilework_core::shape::Shape;
use tilework_core::words::WordMap;
use tilework_core::{Error, Result};
use tilework_ops::{InputForm, Meta, NodeKind, View};

/// Builds a schedule.
pub(super) struct Builder<'a> {
    flat: &'a Flat,
    marks: &'a Marks,
    values: Vec<ValueInfo>,
    steps: Vec<Step>,
    /// Value that holds each node, once there is one.
    value_of: Vec<Option<usize>>,
    work: Work,
}

impl<'a> Builder<'a> {
    pub(super) fn new(flat: &'a Flat, marks: &'a Marks) -> Builder<'a> {
        Builder {
            flat,
            marks,
            values: Vec::new(),
            steps: Vec::new(),
            value_of: vec![None; flat.nodes.len()],
            work: Work::default(),
        }
    }

    pub(super) fn run(mut self) -> Result<Schedule> {
        for (index, node) in self.flat.nodes.iter().enumerate() {
            if let FlatKind::Input(number) = node.kind {
                self.value_of[index] = Some(self.values.len());
                let role = Role::Input(number);
                self.values.push(ValueInfo { meta: node.meta.clone(), role, texels: node.texels });
            } else if self.marks.is_root[index] && !self.marks.is_absorbed[index] {
                self.emit(index)?;
            }
        }
        let mut outputs =
            self.flat.outputs.iter().enumerate().filter_map(|(number, &index)| Some((number, self.value_of[index]?)));
        let mut roles: Vec<(usize, usize)> = Vec::new();
        for (number, value) in &mut outputs {
            if self.values[value].role == Role::Temp && !roles.iter().any(|&(_, taken)| taken == value) {
                roles.push((number, value));
            }
        }
        for (number, value) in roles {
            self.values[value].role = Role::Output(number);
        }
        Ok(Schedule {
            last_reads: super::last_reads(&self.steps, self.values.len()),
            values: self.values,
            steps: self.steps,
            n_outputs: self.flat.outputs.len(),
            work: self.work,
        })
    }

    /// Adds the step that computes node `index` and returns the value that holds it.
    fn emit(&mut self, index: usize) -> Result<usize> {
        let node = &self.flat.nodes[index];
        let mut step_inputs = Vec::new();
        let kind = match (&node.kind, self.marks.absorbs[index]) {
            (_, Some(op_index)) => {
                let mut kind = self.op_step(op_index, &mut step_inputs)?;
                let fused = self.fused(index, Some(op_index), &mut step_inputs)?;
                if let StepKind::Op { epilogue, .. } = &mut kind {
                    *epilogue = Some(Compiled::new(fused));
                }
                kind
            }
            (FlatKind::Node(NodeKind::Op(_)), None) => self.op_step(index, &mut step_inputs)?,
            _ => StepKind::Map(Compiled::new(self.fused(index, None, &mut step_inputs)?)),
        };
        if let StepKind::Map(compiled) | StepKind::Op { epilogue: Some(compiled), .. } = &kind {
            let n_ops = compiled.fused.expr.nodes.iter().filter(|node| !node.args().is_empty()).count();
            self.work.element_ops += (n_ops * compiled.fused.grid.n_elements()) as f64;
        }
        let bytes = |(input, &value): (usize, &usize)| {
            let whole = self.values[value].meta.size_bytes();
            if HAS_PICTURES { kind.read_bytes(input).map_or(whole, |read| read.min(whole)) } else { whole }
        };
        self.work.bytes += (step_inputs.iter().enumerate().map(bytes).sum::<u64>() + node.meta.size_bytes()) as f64;
        self.work.n_steps += 1.0;
        let output = self.values.len();
        self.values.push(ValueInfo { meta: node.meta.clone(), role: Role::Temp, texels: None });
        self.steps.push(Step { kind, inputs: step_inputs, output });
        self.value_of[index] = Some(output);
        Ok(output)
    }

    fn op_step(&mut self, index: usize, step_inputs: &mut Vec<usize>) -> Result<StepKind> {
        let node = &self.flat.nodes[index];
        let FlatKind::Node(NodeKind::Op(op)) = &node.kind else {
            return Err(Error::argument("schedule", "only a structured operation has an op step"));
        };
        let metas: Vec<Meta> = node.inputs.iter().map(|&input| self.flat.nodes[input].meta.clone()).collect();
        let mut inputs = Vec::new();
        for (position, &input) in node.inputs.iter().enumerate() {
            let mut fused = self.fused(input, None, step_inputs)?;
            if op.input_form_of(position, &metas) == InputForm::Strided && fused.as_read().is_none() {
                self.emit(input)?;
                fused = self.fused(input, None, step_inputs)?;
            }
            inputs.push(Compiled::new(fused));
        }
        let flops = op.flops(&metas, &node.meta);
        *if op.is_dense() { &mut self.work.dense_flops } else { &mut self.work.element_ops } += flops;
        Ok(StepKind::Op { op: op.clone(), inputs, metas, result: node.meta.clone(), epilogue: None })
    }

    /// The expression of node `index` over its own grid; `result` names the operation whose result it is applied to.
    fn fused(&mut self, index: usize, result: Option<usize>, step_inputs: &mut Vec<usize>) -> Result<Fused> {
        let graph = Graph::new();
        let mut inliner = Inliner {
            builder: self,
            graph: &graph,
            result,
            leaves: Vec::new(),
            paths: Paths::default(),
            built: WordMap::default(),
            step_inputs,
        };
        let root = inliner.node(index, None)?;
        let leaves = inliner.leaves;
        Ok(Fused::new(&graph, &[root], self.flat.nodes[index].meta.shape.clone(), |slot| leaves[slot as usize].clone()))
    }
}

/// Views between a node and the grid, nearest to the node first; shared tails are stored once.
#[derive(Default)]
struct Paths {
    steps: Vec<(View, Shape, Option<usize>)>,
}

impl Paths {
    fn push(&mut self, view: View, shape: &Shape, next: Option<usize>) -> usize {
        let known = self.steps.iter().position(|(v, s, n)| *n == next && *v == view && s == shape);
        known.unwrap_or_else(|| {
            self.steps.push((view, shape.clone(), next));
            self.steps.len() - 1
        })
    }

    /// The layout of a contiguous array of `shape` seen along `path`; `None` if a reshape would need a copy.
    fn layout(&self, shape: &Shape, path: Option<usize>) -> Option<Layout> {
        let mut layout = Layout::contiguous(shape.clone());
        let mut next = path;
        while let Some(index) = next {
            let (view, shape, after) = &self.steps[index];
            layout = match view {
                View::Expand => layout.expanded(shape),
                View::Permute(order) => layout.permuted(order),
                &View::Slice { axis, start, step, len } => layout.sliced(axis, start, step, len),
                View::Reshape => layout.reshaped(shape)?,
            };
            next = *after;
        }
        Some(layout)
    }
}

/// A reshape that no layout can express; caught where the reshape stands.
struct NeedsCopy;

enum Stop {
    NeedsCopy(NeedsCopy),
    Error(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Error(error)
    }
}

struct Inliner<'b, 'a, 'g> {
    builder: &'b mut Builder<'a>,
    graph: &'g Graph,
    result: Option<usize>,
    leaves: Vec<Leaf>,
    paths: Paths,
    built: WordMap<(usize, Option<usize>), Id>,
    step_inputs: &'b mut Vec<usize>,
}

impl Inliner<'_, '_, '_> {
    fn node(&mut self, index: usize, path: Option<usize>) -> Result<Id> {
        match self.inline(index, path) {
            Ok(id) => Ok(id),
            Err(Stop::Error(error)) => Err(error),
            Err(Stop::NeedsCopy(NeedsCopy)) => Err(Error::shape("schedule", "a reshape was left without its copy")),
        }
    }

    fn inline(&mut self, index: usize, path: Option<usize>) -> Result<Id, Stop> {
        if let Some(&id) = self.built.get(&(index, path)) {
            return Ok(id);
        }
        let flat = self.builder.flat;
        let node = &flat.nodes[index];
        let id = match &node.kind {
            _ if self.result == Some(index) => {
                self.leaf(LeafSource::Result, node.meta.dtype, Layout::contiguous(node.meta.shape.clone()))
            }
            _ if self.is_buffer(index) => self.buffer(index, path)?,
            FlatKind::Input(_) => self.buffer(index, path)?,
            FlatKind::Scalar(number) => self.graph.param(*number as u32, node.meta.dtype.scalar()).id(),
            FlatKind::Node(NodeKind::Constant(value)) => self.graph.constant(*value).id(),
            FlatKind::Node(NodeKind::Iota) => {
                let layout = self.paths.layout(&node.meta.shape, path).ok_or(Stop::NeedsCopy(NeedsCopy))?;
                self.leaf(LeafSource::Offset, DType::U32, layout)
            }
            FlatKind::Node(NodeKind::Map(op)) => {
                let mut args = Vec::with_capacity(node.inputs.len());
                for &input in &node.inputs {
                    let shape = &flat.nodes[input].meta.shape;
                    let path = if *shape == node.meta.shape {
                        path
                    } else {
                        Some(self.paths.push(View::Expand, &node.meta.shape, path))
                    };
                    args.push(self.inline(input, path)?);
                }
                let args: Vec<_> = args.into_iter().map(|id| self.graph.expr(id)).collect();
                // Between float types the leaf itself converts: the expression has nothing to do.
                if *op == ScalarOp::ToNum && flat.nodes[node.inputs[0]].meta.dtype.is_float() {
                    args[0].id()
                } else {
                    self.graph.apply(*op, &args).id()
                }
            }
            FlatKind::Node(NodeKind::View(view)) => self.view(index, view, path)?,
            FlatKind::Node(NodeKind::Source | NodeKind::Scalar(_) | NodeKind::Op(_)) => {
                return Err(Error::argument("schedule", "a node without a value was read").into());
            }
        };
        self.built.insert((index, path), id);
        Ok(id)
    }

    fn view(&mut self, index: usize, view: &View, path: Option<usize>) -> Result<Id, Stop> {
        let node = &self.builder.flat.nodes[index];
        let input = node.inputs[0];
        let below = self.paths.push(view.clone(), &node.meta.shape, path);
        match self.inline(input, Some(below)) {
            Err(Stop::NeedsCopy(NeedsCopy)) if *view == View::Reshape && self.builder.value_of[input].is_none() => {
                self.builder.emit(input)?;
                self.inline(input, Some(below))
            }
            result => result,
        }
    }

    fn is_buffer(&self, index: usize) -> bool {
        self.builder.value_of[index].is_some()
    }

    fn buffer(&mut self, index: usize, path: Option<usize>) -> Result<Id, Stop> {
        let Some(value) = self.builder.value_of[index] else {
            return Err(Error::argument("schedule", "a buffer is read before it is computed").into());
        };
        let meta = self.builder.flat.nodes[index].meta.clone();
        let layout = self.paths.layout(&meta.shape, path).ok_or(Stop::NeedsCopy(NeedsCopy))?;
        let input = self.step_inputs.iter().position(|&known| known == value).unwrap_or_else(|| {
            self.step_inputs.push(value);
            self.step_inputs.len() - 1
        });
        Ok(self.leaf(LeafSource::Buffer { input, dtype: meta.dtype }, meta.dtype, layout))
    }

    fn leaf(&mut self, source: LeafSource, dtype: DType, layout: Layout) -> Id {
        let leaf = Leaf { source, layout };
        let slot = self.leaves.iter().position(|known| *known == leaf).unwrap_or_else(|| {
            self.leaves.push(leaf);
            self.leaves.len() - 1
        });
        self.graph.leaf(slot as u32, dtype.scalar()).id()
    }
}
