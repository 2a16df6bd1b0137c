//! Which nodes become buffers.
//!
//! Everything element-wise is inlined into whoever uses it, except where that would cost more than it saves: work used by
//! several kernels, work repeated by a broadcast or seen through several views, expressions too large for one kernel, or
//! more buffers than one kernel may bind. Structured operations are always computed into a buffer, unless the one kernel
//! that uses the result element by element can take it over as its epilogue.

use super::walk::{Flat, FlatKind, FlatNode};
use tilework_core::dtype::DType;
use tilework_core::expr::{Kind, ScalarOp};
use tilework_ops::{InputForm, Meta, NodeKind};

/// Buffers an element-wise kernel may read: the WebGPU floor of eight, less one to write.
const MAX_LEAVES: usize = 7;
/// Buffers an input of a structured operation may read; it has other inputs and an output to bind.
const MAX_OP_LEAVES: usize = 3;
/// Nodes of a kernel; beyond it, compilers slow down more than fusion saves.
const MAX_WEIGHT: usize = 160;
/// Nodes that may be computed again for every element they are broadcast to.
const MAX_REPEATED: usize = 4;

/// The decision for every node.
pub(super) struct Marks {
    /// Computed into a buffer of its own.
    pub(super) is_root: Vec<bool>,
    /// For an element-wise root: the structured operation whose kernel it becomes the epilogue of.
    pub(super) absorbs: Vec<Option<usize>>,
    /// For a structured operation: it is computed by the root that absorbs it.
    pub(super) is_absorbed: Vec<bool>,
}

impl Marks {
    pub(super) fn new(flat: &Flat) -> Marks {
        let mut marker = Marker::new(flat);
        marker.mark_shared();
        marker.mark_limits();
        let kernels = marker.kernels();
        let mut marks = Marks {
            absorbs: vec![None; flat.nodes.len()],
            is_absorbed: vec![false; flat.nodes.len()],
            is_root: marker.is_root,
        };
        for root in 0..flat.nodes.len() {
            if let Some(op) = marks.absorbable(flat, &kernels, root) {
                marks.absorbs[root] = Some(op);
                marks.is_absorbed[op] = true;
            }
        }
        marks
    }

    /// The operation `root` can take over: used by no other kernel, and by this one only element by element.
    fn absorbable(&self, flat: &Flat, kernels: &[Vec<usize>], root: usize) -> Option<usize> {
        if !self.is_root[root] || !is_map(&flat.nodes[root]) {
            return None;
        }
        let mut stack = vec![(root, false)];
        let mut seen = vec![];
        let mut plain: Vec<usize> = Vec::new();
        let mut viewed: Vec<usize> = Vec::new();
        let mut buffers: Vec<usize> = Vec::new();
        while let Some((index, is_viewed)) = stack.pop() {
            if seen.contains(&(index, is_viewed)) {
                continue;
            }
            seen.push((index, is_viewed));
            let node = &flat.nodes[index];
            if index != root && is_buffer(flat, &self.is_root, index) {
                buffers.push(index);
                if is_op(node) && !is_viewed && node.meta.shape == flat.nodes[root].meta.shape {
                    plain.push(index);
                } else {
                    viewed.push(index);
                }
                continue;
            }
            let bends = matches!(node.kind, FlatKind::Node(NodeKind::View(_)))
                || node.meta.shape != flat.nodes[root].meta.shape;
            stack.extend(node.inputs.iter().map(|&input| (input, is_viewed || bends)));
        }
        unique(&mut buffers);
        let fits = |op: usize| {
            let own: usize = flat.nodes[op].inputs.len() * MAX_OP_LEAVES.min(2) + n_scratch_buffers(&flat.nodes[op]);
            buffers.len() - 1 + own < MAX_LEAVES
        };
        plain.retain(|op| {
            let is_output = flat.outputs.contains(op);
            let can = !is_output && !viewed.contains(op) && kernels[*op] == [root] && fits(*op);
            can && !updates(&flat.nodes[*op]) && same_precision(flat, *op, root)
        });
        plain.into_iter().max()
    }
}

/// An epilogue works in the precision of the operation's result. An operation stores element by element, which 16-bit floats,
/// two to a word, do not allow: they are stored by a kernel of their own.
fn same_precision(flat: &Flat, op: usize, root: usize) -> bool {
    let (from, to) = (flat.nodes[op].meta.dtype, flat.nodes[root].meta.dtype);
    (from == DType::F64) == (to == DType::F64) && !to.is_narrow()
}

fn is_map(node: &FlatNode) -> bool {
    matches!(node.kind, FlatKind::Node(NodeKind::Map(_)))
}

fn is_op(node: &FlatNode) -> bool {
    matches!(node.kind, FlatKind::Node(NodeKind::Op(_)))
}

/// Whether an operation writes only a part of its result, which then no expression can be applied to.
fn updates(node: &FlatNode) -> bool {
    matches!(&node.kind, FlatKind::Node(NodeKind::Op(op)) if op.updates().is_some())
}

fn n_scratch_buffers(node: &FlatNode) -> usize {
    if let FlatKind::Node(NodeKind::Op(op)) = &node.kind { op.n_scratch_buffers() } else { 0 }
}

/// Whether users read this node from memory.
fn is_buffer(flat: &Flat, is_root: &[bool], index: usize) -> bool {
    is_root[index] || matches!(flat.nodes[index].kind, FlatKind::Input(_))
}

struct Marker<'a> {
    flat: &'a Flat,
    is_root: Vec<bool>,
    users: Vec<Vec<usize>>,
}

impl<'a> Marker<'a> {
    fn new(flat: &'a Flat) -> Marker<'a> {
        let mut is_root: Vec<bool> = flat.nodes.iter().map(is_op).collect();
        for &output in &flat.outputs {
            is_root[output] = !matches!(flat.nodes[output].kind, FlatKind::Input(_));
        }
        let mut users = vec![Vec::new(); flat.nodes.len()];
        for (index, node) in flat.nodes.iter().enumerate() {
            for &input in &node.inputs {
                users[input].push(index);
            }
        }
        Marker { flat, is_root, users }
    }

    /// For every node, the roots whose kernels compute or read it.
    fn kernels(&self) -> Vec<Vec<usize>> {
        let mut kernels: Vec<Vec<usize>> = vec![Vec::new(); self.flat.nodes.len()];
        for index in (0..self.flat.nodes.len()).rev() {
            kernels[index] = self.kernels_of(index, &kernels);
        }
        kernels
    }

    fn kernels_of(&self, index: usize, kernels: &[Vec<usize>]) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        for &user in &self.users[index] {
            if self.is_root[user] {
                found.push(user);
            } else {
                found.extend(&kernels[user]);
            }
        }
        unique(&mut found);
        // Which kernels they are matters only up to two; a node used by hundreds must not carry them all along.
        found.truncate(3);
        found
    }

    /// Users first: a node needed by several kernels, or through several views, is computed once.
    fn mark_shared(&mut self) {
        let mut kernels: Vec<Vec<usize>> = vec![Vec::new(); self.flat.nodes.len()];
        for index in (0..self.flat.nodes.len()).rev() {
            kernels[index] = self.kernels_of(index, &kernels);
            if !is_map(&self.flat.nodes[index]) || self.is_cheap(index) {
                continue;
            }
            let through_view = |&user: &usize| {
                matches!(self.flat.nodes[user].kind, FlatKind::Node(NodeKind::View(_)))
                    || self.flat.nodes[user].meta.shape != self.flat.nodes[index].meta.shape
            };
            let bent = self.users[index].len() > 1 && self.users[index].iter().any(through_view);
            if kernels[index].len() > 1 || bent {
                self.is_root[index] = true;
            }
        }
    }

    /// A light operation directly on data: cheaper to repeat than to store and load.
    fn is_cheap(&self, index: usize) -> bool {
        let node = &self.flat.nodes[index];
        let FlatKind::Node(NodeKind::Map(op)) = node.kind else { return false };
        let is_light = match op.kind() {
            Kind::Float => matches!(op, ScalarOp::Floor | ScalarOp::Ceil | ScalarOp::Round | ScalarOp::Trunc),
            _ => !matches!(op, ScalarOp::Rem | ScalarOp::FloorDiv),
        };
        is_light && node.inputs.iter().all(|&input| self.is_data(input))
    }

    fn is_data(&self, index: usize) -> bool {
        match &self.flat.nodes[index].kind {
            FlatKind::Input(_) | FlatKind::Scalar(_) => true,
            FlatKind::Node(NodeKind::Constant(_) | NodeKind::Iota) => true,
            FlatKind::Node(NodeKind::View(_)) => self.is_data(self.flat.nodes[index].inputs[0]),
            _ => self.is_root[index],
        }
    }

    /// Inputs first: whatever would make a kernel too large, too wide or of mixed precision becomes a root.
    fn mark_limits(&mut self) {
        let mut regions: Vec<Region> = Vec::with_capacity(self.flat.nodes.len());
        for index in 0..self.flat.nodes.len() {
            let node = &self.flat.nodes[index];
            if let FlatKind::Node(NodeKind::Op(op)) = &node.kind {
                let metas: Vec<Meta> = node.inputs.iter().map(|&input| self.flat.nodes[input].meta.clone()).collect();
                for (position, &input) in node.inputs.iter().enumerate() {
                    let form = op.input_form_of(position, &metas);
                    if form != InputForm::Strided || !op.reads_halves(position) || !self.is_half_read(input) {
                        self.limit_op_input(&mut regions, input, form);
                    }
                }
            } else {
                self.limit_map_inputs(&mut regions, index);
            }
            let region = self.region(&regions, index);
            regions.push(region);
        }
    }

    fn limit_op_input(&mut self, regions: &mut [Region], input: usize, form: InputForm) {
        let region = &regions[input];
        let too_costly = match form {
            InputForm::Strided => !self.is_readable(input),
            InputForm::Elements { n_reads } => {
                region.leaves.len() > MAX_OP_LEAVES || (n_reads > 1 && region.weight > MAX_REPEATED)
            }
        };
        if too_costly {
            self.promote(regions, input);
        }
    }

    /// Whether a node is a buffer of 16-bit floats seen through views, widened.
    fn is_half_read(&self, mut index: usize) -> bool {
        while let FlatKind::Node(NodeKind::View(_)) = self.flat.nodes[index].kind
            && !self.is_root[index]
        {
            index = self.flat.nodes[index].inputs[0];
        }
        let node = &self.flat.nodes[index];
        let widens = matches!(node.kind, FlatKind::Node(NodeKind::Map(ScalarOp::ToNum))) && !self.is_root[index];
        let input = node.inputs.first().filter(|&&input| self.flat.nodes[input].meta.dtype == DType::F16);
        widens && input.is_some_and(|&input| self.is_readable(input))
    }

    /// Whether a node is a buffer seen through views.
    fn is_readable(&self, mut index: usize) -> bool {
        while let FlatKind::Node(NodeKind::View(_)) = self.flat.nodes[index].kind
            && !self.is_root[index]
        {
            index = self.flat.nodes[index].inputs[0];
        }
        is_buffer(self.flat, &self.is_root, index)
    }

    fn limit_map_inputs(&mut self, regions: &mut [Region], index: usize) {
        let node = &self.flat.nodes[index];
        let is_width_cast = matches!(node.kind, FlatKind::Node(NodeKind::Map(ScalarOp::ToNum)))
            && self.flat.nodes[node.inputs[0]].meta.dtype.is_float()
            && (self.flat.nodes[node.inputs[0]].meta.dtype == DType::F64) != (node.meta.dtype == DType::F64);
        for &input in &node.inputs {
            let repeated = self.flat.nodes[input].meta.shape.n_elements() < node.meta.shape.n_elements()
                && regions[input].weight > MAX_REPEATED;
            // Integers that become doubles are doubles only in a kernel that gives or reads doubles.
            let is_double_lost = node.meta.dtype != DType::F64
                && self.flat.nodes[input].meta.dtype == DType::F64
                && regions[input].weight > 0
                && regions[input].leaves.iter().all(|&leaf| self.flat.nodes[leaf].meta.dtype != DType::F64);
            if repeated || is_double_lost || (is_width_cast && regions[input].weight > 0) {
                self.promote(regions, input);
            }
        }
        loop {
            let region = self.inlined(regions, index);
            if region.leaves.len() <= MAX_LEAVES && region.weight <= MAX_WEIGHT && !region.is_mixed {
                return;
            }
            // Taking out the input that carries most helps most.
            let heaviest = node
                .inputs
                .iter()
                .copied()
                .filter(|&input| regions[input].weight > 0)
                .max_by_key(|&input| (regions[input].leaves.len(), regions[input].weight));
            match heaviest {
                Some(input) => self.promote(regions, input),
                None => return,
            }
        }
    }

    fn promote(&mut self, regions: &mut [Region], index: usize) {
        self.is_root[index] = true;
        regions[index] = Region::buffer(index, self.flat.nodes[index].meta.dtype);
    }

    /// What a kernel that uses node `index` contains of it.
    fn region(&self, regions: &[Region], index: usize) -> Region {
        let node = &self.flat.nodes[index];
        if is_buffer(self.flat, &self.is_root, index) {
            return Region::buffer(index, node.meta.dtype);
        }
        self.inlined(regions, index)
    }

    /// What the kernel that computes node `index` contains.
    fn inlined(&self, regions: &[Region], index: usize) -> Region {
        let node = &self.flat.nodes[index];
        let mut region = Region {
            leaves: Vec::new(),
            weight: usize::from(!node.inputs.is_empty()),
            precision: None,
            is_mixed: false,
        };
        let is_width_cast = matches!(node.kind, FlatKind::Node(NodeKind::Map(ScalarOp::ToNum)));
        for &input in &node.inputs {
            let below = &regions[input];
            region.leaves.extend(&below.leaves);
            region.weight += below.weight;
            // A conversion between float types reads one and computes in the other.
            let precision = if is_width_cast { None } else { below.precision };
            region.join(precision);
        }
        if node.meta.dtype.is_float() {
            region.join(Some(node.meta.dtype.computed()));
        }
        unique(&mut region.leaves);
        region
    }
}

/// Drops repeats from a short list.
fn unique(list: &mut Vec<usize>) {
    let mut kept = 0;
    for k in 0..list.len() {
        if !list[..kept].contains(&list[k]) {
            list[kept] = list[k];
            kept += 1;
        }
    }
    list.truncate(kept);
}

/// The part of a kernel that computes one node.
#[derive(Clone, Debug)]
struct Region {
    leaves: Vec<usize>,
    weight: usize,
    precision: Option<DType>,
    is_mixed: bool,
}

impl Region {
    fn buffer(index: usize, dtype: DType) -> Region {
        Region {
            leaves: vec![index],
            weight: 0,
            precision: dtype.is_float().then_some(dtype.computed()),
            is_mixed: false,
        }
    }

    fn join(&mut self, precision: Option<DType>) {
        match (self.precision, precision) {
            (Some(own), Some(other)) if own != other => self.is_mixed = true,
            (None, other) => self.precision = other,
            _ => {}
        }
    }
}
