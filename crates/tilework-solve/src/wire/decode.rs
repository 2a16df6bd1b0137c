//! From words to graphs, with every word checked.

use super::reader::Reader;
use super::{FIRST_OP, LOSSES, MAGIC, fingerprint};
use crate::loss::Loss;
use crate::problem::Problem;
use tilework_core::expr::ScalarOp;
use tilework_core::{Error, Result};

/// A function larger than this might, with conversions between its operations, be refused as a group when others were added.
const MAX_NODES: usize = 5_000;

/// One function with its instances. Everything in it fits the problem it was decoded for.
pub(super) struct Decoded<'w> {
    /// `None` for an energy.
    pub(super) loss: Option<Loss>,
    /// The set of every argument, and the block of each instance.
    pub(super) args: Vec<(usize, &'w [u32])>,
    data: Vec<f64>,
    pub(super) n_instances: usize,
    pub(super) nodes: Vec<Node>,
    pub(super) roots: Vec<u32>,
}

impl Decoded<'_> {
    /// The numbers of all instances, column by column.
    pub(super) fn columns(&self) -> impl Iterator<Item = &[f64]> {
        self.data.chunks_exact(self.n_instances.max(1))
    }
}

/// A node of a recorded function.
pub(super) enum Node {
    Number(f64),
    Param { arg: usize, component: usize },
    Datum { column: usize },
    Op { op: ScalarOp, args: [u32; 3] },
}

/// The graphs of a recording for `problem`.
pub(super) fn graphs<'w>(problem: &Problem, op: &'w str, words: &'w [u32]) -> Result<Vec<Decoded<'w>>> {
    let mut reader = Reader::new(op, words);
    if reader.word("magic")? != MAGIC {
        return Err(Error::argument(op, "this is no recording of residual functions"));
    }
    if reader.word("fingerprint")? != fingerprint() {
        let message = "it was recorded with another list of operations; package and module must be of one version";
        return Err(Error::argument(op, message));
    }
    let n_graphs = reader.size("graphs")?;
    let n_numbers = reader.size("numbers")?;
    let halves = reader.take_product(n_numbers, 2, "numbers")?;
    let numbers = Numbers { halves };
    // Not `with_capacity`: the count is not to be trusted before the graphs are there.
    let mut graphs = Vec::new();
    for _ in 0..n_graphs {
        graphs.push(graph(problem, &mut reader, &numbers)?);
    }
    reader.end()?;
    Ok(graphs)
}

/// The numbers of a recording.
struct Numbers<'w> {
    halves: &'w [u32],
}

impl Numbers<'_> {
    fn get(&self, reader: &Reader<'_>, at: usize) -> Result<f64> {
        let pair = at.checked_mul(2).and_then(|low| self.halves.get(low..low.checked_add(2)?));
        let pair = pair.ok_or_else(|| reader.wrong(format!("there is no number {at}")))?;
        Ok(f64::from_bits(u64::from(pair[0]) | u64::from(pair[1]) << 32))
    }
}

fn graph<'w>(problem: &Problem, reader: &mut Reader<'w>, numbers: &Numbers<'_>) -> Result<Decoded<'w>> {
    let loss = term(reader, numbers)?;
    let n_args = reader.size("arguments")?;
    let n_columns = reader.size("columns")?;
    let n_instances = reader.size("instances")?;
    let n_nodes = reader.size("nodes")?;
    let n_roots = reader.size("roots")?;
    let first_datum = reader.size("first datum")?;
    if n_instances == 0 {
        return Err(reader.wrong("a function without instances"));
    }
    if n_nodes > MAX_NODES {
        return Err(reader.wrong(format!("a function of {n_nodes} operations is too large (at most {MAX_NODES})")));
    }
    if n_roots == 0 || (loss.is_none() && n_roots != 1) {
        return Err(reader.wrong(format!("{n_roots} results; residuals have at least one, an energy has one")));
    }
    let args = arguments(problem, reader, n_args, n_instances)?;
    let n_data =
        n_columns.checked_mul(n_instances).filter(|n| first_datum.saturating_add(*n) <= numbers.halves.len() / 2);
    let n_data = n_data.ok_or_else(|| reader.wrong("data beyond the numbers"))?;
    let data = (first_datum..first_datum + n_data).map(|at| numbers.get(reader, at)).collect::<Result<Vec<_>>>()?;
    if let Some(at) = data.iter().position(|number| !number.is_finite()) {
        return Err(reader.wrong(format!(
            "datum {} of instance {} is {}",
            at / n_instances,
            at % n_instances,
            data[at]
        )));
    }
    let nodes = nodes(problem, reader, numbers, (n_nodes, n_columns), &args)?;
    let roots = reader.take(n_roots, "roots")?.to_vec();
    if let Some(root) = roots.iter().find(|root| **root as usize >= n_nodes) {
        return Err(reader.wrong(format!("result {root} of {n_nodes} nodes")));
    }
    Ok(Decoded { loss, args, data, n_instances, nodes, roots })
}

fn term(reader: &mut Reader<'_>, numbers: &Numbers<'_>) -> Result<Option<Loss>> {
    let term = reader.word("term")?;
    let code = reader.size("loss")?;
    let first = reader.size("numbers of the loss")?;
    match term {
        0 => {}
        1 => return Ok(None),
        _ => return Err(reader.wrong(format!("{term} is neither residuals nor an energy"))),
    }
    let &(name, n_numbers) = LOSSES.get(code).ok_or_else(|| reader.wrong(format!("there is no loss {code}")))?;
    let delta = if n_numbers > 0 { numbers.get(reader, first)? } else { 1.0 };
    let loss = match name {
        "barron" => Loss::Barron { alpha: numbers.get(reader, first.saturating_add(1))?, delta },
        _ => Loss::by_name(name, delta)?,
    };
    loss.check()?;
    Ok(Some(loss))
}

fn arguments<'w>(
    problem: &Problem,
    reader: &mut Reader<'w>,
    n_args: usize,
    n_instances: usize,
) -> Result<Vec<(usize, &'w [u32])>> {
    let sets = reader.take(n_args, "sets")?;
    let blocks = reader.take_product(n_args, n_instances, "blocks")?;
    let args: Vec<(usize, &[u32])> =
        sets.iter().map(|&set| set as usize).zip(blocks.chunks_exact(n_instances)).collect();
    for &(number, blocks) in &args {
        let set = problem.sets.get(number).ok_or_else(|| reader.wrong(format!("there is no set {number}")))?;
        if let Some(block) = blocks.iter().find(|block| **block as usize >= set.n_blocks) {
            return Err(reader.wrong(format!("block {block} of set {number}, which has {}", set.n_blocks)));
        }
    }
    Ok(args)
}

fn nodes(
    problem: &Problem,
    reader: &mut Reader<'_>,
    numbers: &Numbers<'_>,
    (n_nodes, n_columns): (usize, usize),
    args: &[(usize, &[u32])],
) -> Result<Vec<Node>> {
    let mut nodes = Vec::new();
    for at in 0..n_nodes {
        let node = match reader.word("code")? {
            0 => {
                let number = reader.size("number")?;
                Node::Number(numbers.get(reader, number)?)
            }
            1 => param(problem, reader, args)?,
            2 => match reader.size("column")? {
                column if column < n_columns => Node::Datum { column },
                column => return Err(reader.wrong(format!("column {column} of {n_columns}"))),
            },
            code => operation(reader, code, at)?,
        };
        if matches!(node, Node::Number(number) if number.is_nan()) {
            return Err(reader.wrong("a number of the function is NaN"));
        }
        nodes.push(node);
    }
    Ok(nodes)
}

fn param(problem: &Problem, reader: &mut Reader<'_>, args: &[(usize, &[u32])]) -> Result<Node> {
    let (arg, component) = (reader.size("argument")?, reader.size("component")?);
    let set = args.get(arg).ok_or_else(|| reader.wrong(format!("argument {arg} of {}", args.len())))?.0;
    let dim = problem.sets[set].dim;
    if component >= dim {
        return Err(reader.wrong(format!("number {component} of argument {arg}, which has {dim}")));
    }
    Ok(Node::Param { arg, component })
}

fn operation(reader: &mut Reader<'_>, code: u32, at: usize) -> Result<Node> {
    let op = code.checked_sub(FIRST_OP).and_then(|code| ScalarOp::ALL.get(code as usize));
    let &op = op.ok_or_else(|| reader.wrong(format!("there is no operation {code}")))?;
    let given = reader.take(op.arity(), op.name())?;
    if let Some(arg) = given.iter().find(|arg| **arg as usize >= at) {
        return Err(reader.wrong(format!("`{}` is node {at} and reads node {arg}", op.name())));
    }
    let mut args = [0; 3];
    args[..given.len()].copy_from_slice(given);
    Ok(Node::Op { op, args })
}
