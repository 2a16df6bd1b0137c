//! Functions in the order in which they compress best.
//!
//! gzip finds again what it has seen in the last 32 KB, and a module is many times as long. wasm-bindgen leaves functions in the order
//! of their size, where neighbors have nothing in common; here each is followed by the one that shares most with those before it.
//! That is worth a fortieth of a download and changes nothing else. What two functions share is counted in pieces of a few bytes.
//!
//! The order is handed to wasm-opt as names that sort: it knows how to move functions and whatever refers to them.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

use wasmparser::{Parser, Payload, TypeRef};

use crate::process::{Failure, Result};

/// wasm-opt's words for functions in the order of their names, which it then forgets.
pub(crate) const BY_NAME: [&str; 2] = ["--reorder-functions-by-name", "--strip-debug"];

/// Bytes of a piece: an instruction or two with what they refer to.
const PIECE_BYTES: usize = 6;
/// Pieces in more functions than this say nothing about any of them.
const MAX_HOLDERS: usize = 200;
/// Code that a function is compared with: less than gzip looks back, since the function itself is in between.
const WINDOW_BYTES: usize = 24_000;
/// Added to the size that a function's score is divided by: the shortest share everything with everybody.
const SIZE_OFFSET: u64 = 30;

/// Names the functions of the module in `file` so that their names are in the best order.
pub(crate) fn run(file: &Path) -> Result {
    let failed = |error: &dyn std::fmt::Display| Failure::new(format!("cannot order functions: {error}"));
    let module = std::fs::read(file).map_err(|error| failed(&error))?;
    let named = named(module).map_err(|error| failed(&error))?;
    std::fs::write(file, named).map_err(|error| failed(&error))
}

/// The module with a section of names.
fn named(mut module: Vec<u8>) -> wasmparser::Result<Vec<u8>> {
    let (mut n_imported, mut bodies) = (0, Vec::new());
    for payload in Parser::new(0).parse_all(&module) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    n_imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(&module[body.range()]),
            _ => {}
        }
    }
    let mut places = vec![0; bodies.len()];
    for (place, function) in order(&bodies).into_iter().enumerate() {
        places[function] = place;
    }
    module.extend(name_section(n_imported, &places));
    Ok(module)
}

/// Numbers of the functions, one after the other.
fn order(bodies: &[&[u8]]) -> Vec<usize> {
    let shared = Shared::new(bodies);
    let mut window =
        Window { scores: vec![0; bodies.len()], present: vec![0; shared.holders.len()], held: VecDeque::new() };
    let mut left: Vec<usize> = (0..bodies.len()).collect();
    let mut done = Vec::with_capacity(bodies.len());
    while !left.is_empty() {
        // Scores below the smallest fraction are none, and then the longest begins anew.
        let rank = |function: usize| {
            let size = bodies[function].len() as u64;
            ((window.scores[function] << 20) / (size + SIZE_OFFSET), size, std::cmp::Reverse(function))
        };
        let best = (0..left.len()).max_by_key(|&at| rank(left[at])).unwrap_or_default();
        let function = left.swap_remove(best);
        window.push(&shared, function, bodies[function].len());
        done.push(function);
    }
    done
}

/// Which functions hold which pieces; only pieces that several hold are kept.
struct Shared {
    /// Pieces of each function.
    pieces: Vec<Vec<usize>>,
    /// Functions of each piece.
    holders: Vec<Vec<usize>>,
}

impl Shared {
    fn new(bodies: &[&[u8]]) -> Self {
        let mut holders: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
        for (function, body) in bodies.iter().enumerate() {
            for piece in body.windows(PIECE_BYTES) {
                let functions = holders.entry(piece).or_default();
                if functions.last() != Some(&function) {
                    functions.push(function);
                }
            }
        }
        let holders: Vec<Vec<usize>> =
            holders.into_values().filter(|functions| (2..=MAX_HOLDERS).contains(&functions.len())).collect();
        let mut pieces = vec![Vec::new(); bodies.len()];
        for (piece, functions) in holders.iter().enumerate() {
            functions.iter().for_each(|&function| pieces[function].push(piece));
        }
        Self { pieces, holders }
    }

    /// What a piece counts: less, the more functions hold it.
    fn weight(&self, piece: usize) -> u64 {
        (1024.0 / (1.0 + self.holders[piece].len() as f64).log2()) as u64
    }
}

/// The functions that the next one is compared with.
struct Window {
    /// Sum of the weights of a function's pieces that are in the window.
    scores: Vec<u64>,
    /// How many functions of the window hold a piece.
    present: Vec<u32>,
    /// The functions and their sizes.
    held: VecDeque<(usize, usize)>,
}

impl Window {
    fn push(&mut self, shared: &Shared, function: usize, size_bytes: usize) {
        self.held.push_back((function, size_bytes));
        for &piece in &shared.pieces[function] {
            self.present[piece] += 1;
            if self.present[piece] == 1 {
                let weight = shared.weight(piece);
                shared.holders[piece].iter().for_each(|&other| self.scores[other] += weight);
            }
        }
        // The last one stays whatever its size.
        while self.held.len() > 1 && self.held.iter().skip(1).map(|&(_, bytes)| bytes).sum::<usize>() > WINDOW_BYTES {
            self.pop(shared);
        }
    }

    fn pop(&mut self, shared: &Shared) {
        let Some((function, _)) = self.held.pop_front() else { return };
        for &piece in &shared.pieces[function] {
            self.present[piece] -= 1;
            if self.present[piece] == 0 {
                let weight = shared.weight(piece);
                shared.holders[piece].iter().for_each(|&other| self.scores[other] -= weight);
            }
        }
    }
}

/// The custom section "name" with a name for each function that is not imported: its place, in digits that sort.
fn name_section(n_imported: u32, places: &[usize]) -> Vec<u8> {
    let mut names = number(places.len());
    for (function, place) in places.iter().enumerate() {
        names.extend(number(n_imported as usize + function));
        names.extend(text(&format!("{place:07}")));
    }
    const FUNCTIONS: u8 = 1;
    let content = [text("name"), vec![FUNCTIONS], number(names.len()), names].concat();
    const CUSTOM: u8 = 0;
    [vec![CUSTOM], number(content.len()), content].concat()
}

fn text(text: &str) -> Vec<u8> {
    [number(text.len()), text.as_bytes().to_vec()].concat()
}

/// An unsigned number in the variable length of WebAssembly.
fn number(mut value: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = (value & 0x7f) as u8;
        value >>= 7;
        if value == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use walrus::{FunctionBuilder, Module, ModuleConfig};

    #[test]
    fn functions_that_are_alike_become_neighbors() {
        let text =
            |seed: u8| -> Vec<u8> { (0..200u32).map(|i| (i * i * 7 + u32::from(seed) * 31) as u8 ^ seed).collect() };
        let (a, b) = (text(3), text(90));
        let bodies = [&a[..], &b[..], &a[..150], &b[..150], &a[..100], &b[..100]];
        let families: Vec<usize> = order(&bodies).into_iter().map(|function| function % 2).collect();
        assert!(families == [0, 0, 0, 1, 1, 1] || families == [1, 1, 1, 0, 0, 0], "{families:?}");
    }

    #[test]
    fn every_function_has_a_place_of_its_own_in_its_name() {
        let mut module = Module::default();
        for value in 0..5 {
            let mut builder = FunctionBuilder::new(&mut module.types, &[], &[]);
            builder.func_body().i32_const(value).drop();
            let id = builder.finish(vec![], &mut module.funcs);
            module.exports.add(&format!("f{value}"), id);
        }
        let named = named(module.emit_wasm()).unwrap();
        let read = ModuleConfig::new().parse(&named).unwrap();
        let mut names: Vec<String> = read.funcs.iter().filter_map(|function| function.name.clone()).collect();
        names.sort();
        assert_eq!(names, ["0000000", "0000001", "0000002", "0000003", "0000004"]);
    }

    #[test]
    fn numbers_have_seven_bits_a_byte() {
        assert_eq!(
            (number(5), number(127), number(128), number(300)),
            (vec![5], vec![127], vec![128, 1], vec![172, 2])
        );
    }
}
