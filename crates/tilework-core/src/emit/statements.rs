//! Expressions whose leaves are not elements of arrays over one grid.
//!
//! An instance of a residual reads its parameters through lists of offsets. Its kernel is therefore written around [`statements`]: the
//! caller says what each leaf is called and how it is read, and gets one statement per node. Buffers are bound by
//! [`KernelBuilder::load`] and [`KernelBuilder::store`], as arrays of whatever the kernel keeps in them.

use super::{KernelBuilder, NumFormat, function};
use crate::expr::{Node, Signature};
use crate::plan::Access;
use std::fmt::Write;

/// How a number or a word lies in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// Type of an element of the buffer.
    pub stored: &'static str,
    /// Type a kernel computes with.
    pub value: &'static str,
    /// Function from the first to the second; none if they are the same.
    pub load: &'static str,
    /// Function from the second to the first.
    pub store: &'static str,
}

impl Element {
    /// Elements that are what they are stored as.
    pub const fn plain(wgsl_type: &'static str) -> Element {
        Element { stored: wgsl_type, value: wgsl_type, load: "", store: "" }
    }
}

impl KernelBuilder {
    /// Defines `fn <name>(i: u32) -> T`: element `i` of plan slot `slot`.
    #[must_use]
    pub fn load(mut self, name: &str, slot: usize, element: Element) -> Self {
        let buffer = self.bind_as(slot, Access::Read, element.stored.into());
        let Element { value, load, .. } = element;
        _ = writeln!(self.generated, "fn {name}(i: u32) -> {value} {{\n    return {load}({buffer}[i]);\n}}");
        self
    }

    /// Defines `fn <name>(i: u32, value: T)`: stores element `i` of plan slot `slot`.
    #[must_use]
    pub fn store(mut self, name: &str, slot: usize, element: Element) -> Self {
        let buffer = self.bind_as(slot, Access::Write, element.stored.into());
        let Element { value, store, .. } = element;
        _ = writeln!(self.generated, "fn {name}(i: u32, value: {value}) {{\n    {buffer}[i] = {store}(value);\n}}");
        self
    }

    /// Adds generated functions.
    #[must_use]
    pub fn text(mut self, text: &str) -> Self {
        self.generated.push_str(text);
        self
    }
}

/// One statement per node of `expr`, with constants for numbers of `format`, and what its roots are called. `leaf` gives the name of a leaf and the expression that reads it;
/// the expression must have no parameters other than leaves.
pub fn statements(
    expr: &Signature,
    format: NumFormat,
    leaf: impl Fn(u32) -> (String, String),
) -> (String, Vec<String>) {
    let mut text = String::new();
    let mut names: Vec<String> = Vec::with_capacity(expr.nodes.len());
    for (index, node) in expr.nodes.iter().enumerate() {
        let (name, value) = match *node {
            Node::Leaf { slot, .. } => leaf(slot),
            Node::Param { slot, .. } => (format!("v{index}"), format!("scalar{slot}()")),
            Node::Const(value) => (format!("v{index}"), function::literal(value, format)),
            Node::Op { op, args, operand } => {
                // Arguments that an operation does not have are any node.
                let named = args.map(|arg| names.get(arg.index()).cloned().unwrap_or_default());
                (format!("v{index}"), function::call(op, named, operand))
            }
        };
        _ = writeln!(text, "    let {name} = {value};");
        names.push(name);
    }
    let roots = expr.roots.iter().map(|&root| names[root as usize].clone()).collect();
    (text, roots)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::Scalar;
    use crate::expr::{Graph, signature};

    #[test]
    fn a_statement_for_every_node_and_leaves_by_their_names() {
        let graph = Graph::new();
        let (x, y) = (graph.leaf(0, Scalar::Num), graph.leaf(1, Scalar::Num));
        let (expr, _, _) = signature(&graph, &[(x * y + x).id(), y.id()]);
        let (text, roots) = statements(&expr, NumFormat::F32, |slot| (format!("p{slot}"), format!("x(at + {slot}u)")));
        let expected =
            ["let p0 = x(at + 0u);", "let p1 = x(at + 1u);", "let v2 = num_mul(p0, p1);", "let v3 = num_add("];
        for (line, expected) in text.lines().zip(expected) {
            assert!(line.trim().starts_with(expected), "{line} is not {expected}");
        }
        assert_eq!((text.lines().count(), roots), (4, vec!["v3".to_owned(), "p1".to_owned()]));
    }
}
