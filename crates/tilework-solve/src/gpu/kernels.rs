//! Kernels of groups: what one instance computes, as WGSL that reads like the expression.

use super::number::{self, element};
use super::passes::{Passes, WORD};
use super::tables::{INSTANCES, Place};
use crate::evaluate::{Compiled, CompiledGroup, Wanted};
use crate::problem::{LeafRef, Problem};
use std::fmt::Write;
use tilework_core::emit::Precision;
use tilework_core::emit::{KernelBuilder, statements};
use tilework_core::plan::Caps;

const INSTANCES_WGSL: &str = tilework_core::wgsl!("wgsl/instances.wgsl");

/// The slots of all groups' buffers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupSlots {
    pub(crate) x: usize,
    pub(crate) offsets: usize,
    pub(crate) data: usize,
    pub(crate) out: usize,
}

/// Where a kernel's results go: those of the first `n_lead` roots from `first_lead` on, the others from `first` on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Target {
    pub(crate) n_lead: usize,
    pub(crate) first_lead: usize,
    pub(crate) first: usize,
}

/// What a kernel computes, in words.
fn title(wanted: Wanted) -> &'static str {
    match wanted {
        Wanted::Cost => "cost",
        Wanted::Residuals => "residuals",
        Wanted::Gradient => "cost and gradient",
        Wanted::Jacobian => "residuals and Jacobian",
        Wanted::Weighted => "Jacobian, weighted by the loss",
        Wanted::Normal => "cost, gradient and Gauss-Newton matrix",
        Wanted::Hessian => "cost, gradient and second derivatives",
    }
}

/// Adds the pass that evaluates `wanted`, which must have been prepared, for all instances of a group.
pub(crate) fn push_group(
    passes: &mut Passes<'_>,
    compiled: &CompiledGroup,
    wanted: Wanted,
    precision: Precision,
    place: Place,
    slots: GroupSlots,
    target: Target,
) {
    if place.n_instances == 0 || compiled.kernel(wanted).n_roots() == 0 {
        return;
    }
    let kernel = compiled.kernel(wanted);
    let name = &compiled.group.name;
    let mut builder = number::kernel(precision, format!("{name}: {}", title(wanted)))
        .param("n_instances", place.n_instances as u32)
        .param("first_offset", place.first_offset as u32)
        .param("first_datum", place.first_datum as u32)
        .param("first_lead", target.first_lead as u32)
        .param("first", target.first as u32);
    let numbers = element(precision);
    let reads = |wanted: fn(&LeafRef) -> bool| kernel.leaves.iter().any(wanted);
    if reads(|leaf| matches!(leaf, LeafRef::Param { .. })) {
        builder = builder.load("x", slots.x, numbers).load("offsets", slots.offsets, WORD);
    }
    if reads(|leaf| matches!(leaf, LeafRef::Datum { .. })) {
        builder = builder.load("data", slots.data, numbers);
    }
    builder = builder.store("out", slots.out, numbers).text(&text(compiled, wanted, precision, target.n_lead));
    passes.push(builder.file(INSTANCES_WGSL), place.n_instances.div_ceil(INSTANCES));
}

/// The generated function of an instance.
fn text(compiled: &CompiledGroup, wanted: Wanted, precision: Precision, n_lead: usize) -> String {
    let (group, kernel) = (&compiled.group, compiled.kernel(wanted));
    let mut text = String::new();
    _ = writeln!(text, "// {}: {} of one instance.", one_line(&group.name), title(wanted));
    text.push_str("// p0, p1 ... are its parameters, d0, d1 ... its own numbers; results lie [root][instance].\n");
    text.push_str("fn instance(i: u32) {\n    let n = params.n_instances;\n");
    let is_read =
        |arg: usize| kernel.leaves.iter().any(|leaf| matches!(leaf, LeafRef::Param { arg: a, .. } if *a == arg));
    for arg in (0..group.args.len()).filter(|&arg| is_read(arg)) {
        _ = writeln!(text, "    let at{arg} = offsets(params.first_offset + {arg}u * n + i);");
    }
    let (body, roots) =
        statements(&kernel.expr, precision.format(), |slot| leaf(compiled, kernel.leaves[slot as usize]));
    text.push_str(&body);
    for (root, name) in roots.iter().enumerate() {
        let (first, number) = if root < n_lead { ("first_lead", root) } else { ("first", root - n_lead) };
        _ = writeln!(text, "    out(params.{first} + {number}u * n + i, {name});");
    }
    text.push_str("}\n");
    text
}

/// What a leaf is called, and how it is read.
fn leaf(compiled: &CompiledGroup, leaf: LeafRef) -> (String, String) {
    match leaf {
        LeafRef::Param { arg, component } => {
            let name = match compiled.group.args[arg].dim {
                1 => format!("p{arg}"),
                2..=4 => format!("p{arg}_{}", ["x", "y", "z", "w"][component]),
                _ => format!("p{arg}_{component}"),
            };
            (name, format!("x(at{arg} + {component}u)"))
        }
        LeafRef::Datum { column } => (format!("d{column}"), format!("data(params.first_datum + {column}u * n + i)")),
    }
}

/// A name that cannot end a comment.
pub(crate) fn one_line(name: &str) -> String {
    name.chars().map(|c| if c.is_control() || c == '\u{2028}' || c == '\u{2029}' { ' ' } else { c }).collect()
}

/// What kernels of a problem can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KernelOf {
    /// The cost of every instance.
    Cost,
    /// Its residuals.
    Residuals,
    /// Its cost and gradient.
    Gradient,
    /// Its residuals and Jacobian.
    Jacobian,
}

impl KernelOf {
    /// All, with the names programs know them by.
    pub const ALL: &[(&str, KernelOf)] = &[
        ("cost", KernelOf::Cost),
        ("residuals", KernelOf::Residuals),
        ("gradient", KernelOf::Gradient),
        ("jacobian", KernelOf::Jacobian),
    ];

    fn wanted(self) -> Wanted {
        match self {
            KernelOf::Cost => Wanted::Cost,
            KernelOf::Residuals => Wanted::Residuals,
            KernelOf::Gradient => Wanted::Gradient,
            KernelOf::Jacobian => Wanted::Jacobian,
        }
    }
}

/// The kernels of all groups of `problem`: the name of each, and its text.
pub fn wgsl(problem: &Problem, what: KernelOf, precision: Precision) -> Vec<(String, String)> {
    let mut compiled = Compiled::new(problem);
    compiled.prepare(what.wanted());
    let mut passes = Passes::new(&Caps::default());
    let slots = GroupSlots { x: 0, offsets: 1, data: 2, out: 3 };
    for group in &compiled.groups {
        let place = Place { n_instances: group.group.n_instances, ..Place::default() };
        push_group(&mut passes, group, what.wanted(), precision, place, slots, Target::default());
    }
    passes.list().iter().map(|pass| (pass.kernel.label.clone(), pass.kernel.text())).collect()
}

/// A kernel's binding of the tables of all groups.
pub(crate) fn with_tables(builder: KernelBuilder, tables: usize) -> KernelBuilder {
    let line = format!("const GROUP_WORDS: u32 = {}u;", super::tables::GROUP_WORDS);
    builder.prelude(&line).prelude("const FIXED: u32 = 0xffffffffu;").load("tables", tables, WORD)
}
