//! Vector constants out of loops.
//!
//! Browsers build a `v128.const` from several instructions each time it is met, and the polynomials of our loops have up to
//! twenty of them: more work than the arithmetic. Neither rustc nor wasm-opt moves constants, since a constant costs nothing to
//! them. Here each becomes a local that is set before the loop.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use walrus::ir::{Instr, InstrLocId, InstrSeqId, LocalGet, LocalSet, Value};
use walrus::{LocalFunction, LocalId, Module, ModuleConfig, ModuleLocals, ValType};

use crate::process::{Failure, Result};

/// Rewrites the module in `file`.
pub(crate) fn run(file: &Path) -> Result {
    let failed = |error: &dyn std::fmt::Display| Failure::new(format!("cannot hoist constants: {error:#}"));
    let mut config = ModuleConfig::new();
    config.generate_producers_section(false).generate_name_section(false);
    let mut module = config.parse_file(file).map_err(|error| failed(&error))?;
    hoist(&mut module);
    module.emit_wasm_file(file).map_err(|error| failed(&error))
}

fn hoist(module: &mut Module) {
    let locals = &mut module.locals;
    for (_, function) in module.funcs.iter_local_mut() {
        let entry = function.entry_block();
        hoist_in(function, locals, entry);
    }
}

/// Whether there was a loop in the sequence. Those without a loop inside are where the time goes; constants of outer ones stay.
fn hoist_in(function: &mut LocalFunction, locals: &mut ModuleLocals, sequence: InstrSeqId) -> bool {
    let mut has_loop = false;
    let mut at = 0;
    while at < function.block(sequence).instrs.len() {
        let instr = function.block(sequence).instrs[at].0.clone();
        for inner in children(&instr) {
            let has_inner_loop = hoist_in(function, locals, inner);
            has_loop |= has_inner_loop;
            if matches!(instr, Instr::Loop(_)) {
                has_loop = true;
                if !has_inner_loop {
                    at += hoist_before(function, locals, (sequence, at), inner);
                }
            }
        }
        at += 1;
    }
    has_loop
}

/// Fewest different constants worth a few bytes more: below, the arithmetic hides them.
const MIN_CONSTANTS: usize = 4;

/// Moves the constants of the loop `body`, which is instruction `at` of `sequence`, before it. Returns how many instructions
/// were put there.
fn hoist_before(
    function: &mut LocalFunction,
    locals: &mut ModuleLocals,
    (sequence, at): (InstrSeqId, usize),
    body: InstrSeqId,
) -> usize {
    let mut constants = BTreeSet::new();
    collect(function, body, &mut constants);
    if constants.len() < MIN_CONSTANTS {
        return 0;
    }
    let known: BTreeMap<u128, LocalId> =
        constants.into_iter().map(|value| (value, locals.add(ValType::V128))).collect();
    replace(function, body, &known);
    let set = known.into_iter().flat_map(|(value, local)| {
        [Instr::Const(walrus::ir::Const { value: Value::V128(value) }), Instr::LocalSet(LocalSet { local })]
    });
    let set: Vec<(Instr, InstrLocId)> = set.map(|instr| (instr, InstrLocId::default())).collect();
    let n_set = set.len();
    function.block_mut(sequence).instrs.splice(at..at, set);
    n_set
}

/// The vector constants below `sequence`.
fn collect(function: &LocalFunction, sequence: InstrSeqId, constants: &mut BTreeSet<u128>) {
    for (instr, _) in &function.block(sequence).instrs {
        constants.extend(vector_constant(instr));
        children(instr).into_iter().for_each(|inner| collect(function, inner, constants));
    }
}

/// Replaces the vector constants below `sequence` by locals.
fn replace(function: &mut LocalFunction, sequence: InstrSeqId, known: &BTreeMap<u128, LocalId>) {
    let mut inner = Vec::new();
    for (instr, _) in &mut function.block_mut(sequence).instrs {
        inner.extend(children(instr));
        if let Some(&local) = vector_constant(instr).and_then(|value| known.get(&value)) {
            *instr = Instr::LocalGet(LocalGet { local });
        }
    }
    inner.into_iter().for_each(|sequence| replace(function, sequence, known));
}

fn vector_constant(instr: &Instr) -> Option<u128> {
    let Instr::Const(constant) = instr else { return None };
    let Value::V128(value) = constant.value else { return None };
    Some(value)
}

/// The sequences inside an instruction.
fn children(instr: &Instr) -> Vec<InstrSeqId> {
    match instr {
        Instr::Block(block) => vec![block.seq],
        Instr::Loop(block) => vec![block.seq],
        Instr::IfElse(branches) => vec![branches.consequent, branches.alternative],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use walrus::FunctionBuilder;

    #[test]
    fn constants_leave_innermost_loops_and_only_those() {
        let mut module = Module::default();
        let mut builder = FunctionBuilder::new(&mut module.types, &[], &[]);
        let vector = |value| Value::V128(value);
        builder.func_body().loop_(None, |outer| {
            outer.const_(vector(1)).drop();
            outer.loop_(None, |inner| {
                for value in [2, 3, 4, 2, 5] {
                    inner.const_(vector(value)).drop();
                }
            });
            outer.loop_(None, |few| {
                few.const_(vector(6)).drop();
            });
        });
        let id = builder.finish(vec![], &mut module.funcs);
        hoist(&mut module);
        let function = module.funcs.get(id).kind.unwrap_local();
        let count = |sequence: InstrSeqId| {
            let instrs = &function.block(sequence).instrs;
            instrs.iter().filter(|(instr, _)| matches!(instr, Instr::Const(_))).count()
        };
        let child = |sequence: InstrSeqId| {
            function.block(sequence).instrs.iter().flat_map(|(instr, _)| children(instr)).next().unwrap()
        };
        let outer = child(function.entry_block());
        // One of its own and the four different ones of the first inner loop.
        assert_eq!((count(outer), count(child(outer))), (5, 0));
    }
}
