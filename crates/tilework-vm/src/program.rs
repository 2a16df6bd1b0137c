//! From an expression to instructions with few registers.

use tilework_core::dtype::Scalar;
use tilework_core::expr::{Kind, Node, ScalarOp, Signature, Value};

/// Where an instruction finds an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    /// A register of the file its type belongs to.
    Reg(u16),
    /// Leaf `k` of the expression.
    Leaf(u16),
}

/// One operation on a chunk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instr {
    pub(crate) op: ScalarOp,
    /// Type of the arguments (for `Select`, of the two values).
    pub(crate) operand: Scalar,
    pub(crate) args: [Operand; 3],
    pub(crate) out: u16,
    /// For a float `Mul`: what happens to the product before it is stored.
    pub(crate) then: Then,
    /// Which arguments are one number for all lanes, of those that the loops of the operation take as such.
    pub(crate) uniform: [bool; 3],
}

/// A sum fused into the product before it, so that the product need not be stored. Both are rounded, as if computed apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// Nothing.
    Nothing,
    /// The third argument is added.
    Add,
    /// The third argument is subtracted.
    Sub,
}

/// A flattened expression. Register numbers are reused as soon as a value is dead.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) code: Vec<Instr>,
    /// Registers of the float file.
    pub(crate) n_nums: usize,
    /// Registers of the word file.
    pub(crate) n_words: usize,
    /// Registers of the file of 64-bit integers.
    pub(crate) n_longs: usize,
    /// Registers of floats that are only read as one number: their first lane is enough.
    pub(crate) single_lane: Vec<u16>,
    /// Registers holding constants, filled once per run.
    pub(crate) constants: Vec<(u16, Value)>,
    /// Registers holding parameters: (register, parameter, type).
    pub(crate) params: Vec<(u16, usize, Scalar)>,
    /// The results.
    pub(crate) roots: Vec<(Operand, Scalar)>,
    /// Type of each leaf.
    pub(crate) leaves: Vec<Scalar>,
}

impl Program {
    /// Flattens an expression.
    pub fn new(expr: &Signature) -> Program {
        Compiler::new(expr).run()
    }

    /// Registers of floats it needs, apart from its leaves.
    pub fn n_registers(&self) -> usize {
        self.n_nums
    }

    /// Roughly how long an element takes, an addition being 1.
    pub fn cost(&self) -> usize {
        let cost_of = |instr: &Instr| match instr.op {
            ScalarOp::Div | ScalarOp::Sqrt => 4,
            ScalarOp::Pow => 24,
            op if op.kind() == Kind::Float => 8,
            _ => 1,
        };
        self.code.iter().map(cost_of).sum()
    }

    /// Leaves it reads.
    pub fn n_leaves(&self) -> usize {
        self.leaves.len()
    }

    /// Types of the results.
    pub fn result_types(&self) -> Vec<Scalar> {
        self.roots.iter().map(|&(_, scalar)| scalar).collect()
    }
}

impl Program {
    /// Finds out which arguments are one number for all lanes, and which registers are read as nothing else.
    fn find_uniform(&mut self) {
        let numbers =
            self.constants.iter().filter(|(_, value)| value.scalar() == Scalar::Num).map(|&(register, _)| register);
        let parameters =
            self.params.iter().filter(|(_, _, scalar)| *scalar == Scalar::Num).map(|&(register, _, _)| register);
        let candidates: Vec<u16> = numbers.chain(parameters).collect();
        let mut single_lane = candidates.clone();
        let is_candidate = |arg: Operand| matches!(arg, Operand::Reg(register) if candidates.contains(&register));
        for instr in &mut self.code {
            let commutes = matches!(instr.op, ScalarOp::Add | ScalarOp::Mul) && instr.operand == Scalar::Num;
            if commutes && is_candidate(instr.args[0]) && !is_candidate(instr.args[1]) {
                instr.args.swap(0, 1);
            }
            for (position, arg) in instr.args.into_iter().enumerate() {
                let Operand::Reg(register) = arg else { continue };
                let is_number = instr.reads_number(position) && candidates.contains(&register);
                instr.uniform[position] = is_number && instr.takes_uniform(position);
                if is_number && !instr.uniform[position] {
                    single_lane.retain(|&kept| kept != register);
                }
            }
        }
        let roots = self.roots.iter().filter(|(_, scalar)| *scalar == Scalar::Num).map(|&(operand, _)| operand);
        roots.for_each(|root| single_lane.retain(|&register| root != Operand::Reg(register)));
        self.single_lane = single_lane;
    }
}

impl Instr {
    /// Whether argument `position` is one, and a float.
    fn reads_number(&self, position: usize) -> bool {
        let n_args = if self.then == Then::Nothing { self.op.arity() } else { 3 };
        let is_float = match self.op {
            ScalarOp::Select => position > 0 && self.operand == Scalar::Num,
            _ => self.operand == Scalar::Num,
        };
        position < n_args && is_float
    }

    /// Whether the loops of the operation take argument `position` as one number.
    fn takes_uniform(&self, position: usize) -> bool {
        match self.op {
            ScalarOp::Select => position == 2,
            _ if self.then != Then::Nothing => position > 0,
            op => position == 1 && matches!(op.kind(), Kind::Arith | Kind::Compare),
        }
    }
}

struct Compiler<'a> {
    expr: &'a Signature,
    /// Index of the last instruction that reads each node; roots are never dead.
    last_use: Vec<usize>,
    place: Vec<Operand>,
    free_nums: Vec<u16>,
    free_words: Vec<u16>,
    free_longs: Vec<u16>,
    program: Program,
}

impl<'a> Compiler<'a> {
    fn new(expr: &'a Signature) -> Self {
        let mut last_use = vec![0; expr.nodes.len()];
        for (index, node) in expr.nodes.iter().enumerate() {
            for arg in node.args() {
                last_use[arg.index()] = index;
            }
        }
        for &root in &expr.roots {
            last_use[root as usize] = usize::MAX;
        }
        let program = Program {
            code: Vec::new(),
            n_nums: 0,
            n_words: 0,
            n_longs: 0,
            single_lane: Vec::new(),
            constants: Vec::new(),
            params: Vec::new(),
            roots: Vec::new(),
            leaves: Vec::new(),
        };
        Compiler {
            expr,
            last_use,
            place: Vec::new(),
            free_nums: Vec::new(),
            free_words: Vec::new(),
            free_longs: Vec::new(),
            program,
        }
    }

    fn run(mut self) -> Program {
        for (index, node) in self.expr.nodes.iter().enumerate() {
            let operand = match *node {
                Node::Leaf { slot, scalar } => {
                    let slot = slot as usize;
                    if self.program.leaves.len() <= slot {
                        self.program.leaves.resize(slot + 1, Scalar::Num);
                    }
                    self.program.leaves[slot] = scalar;
                    Operand::Leaf(slot as u16)
                }
                Node::Const(value) => {
                    let register = self.pinned(value.scalar());
                    self.program.constants.push((register, value));
                    Operand::Reg(register)
                }
                Node::Param { slot, scalar } => {
                    let register = self.pinned(scalar);
                    self.program.params.push((register, slot as usize, scalar));
                    Operand::Reg(register)
                }
                Node::Op { op, args, operand } => {
                    // The result gets its register before the arguments give theirs back: no kernel writes what it reads.
                    let out = self.allocate(node.scalar());
                    self.release(node, index);
                    let args = args.map(|arg| self.place[arg.index()]);
                    let instr = Instr { op, operand, args, out, then: Then::Nothing, uniform: [false; 3] };
                    let instr = self.joined(node, index, out).unwrap_or(instr);
                    self.program.code.push(Instr { out, ..instr });
                    Operand::Reg(out)
                }
            };
            self.place.push(operand);
        }
        self.program.roots = self
            .expr
            .roots
            .iter()
            .map(|&root| (self.place[root as usize], self.expr.nodes[root as usize].scalar()))
            .collect();
        if crate::kernels::TAKES_UNIFORM {
            self.program.find_uniform();
        }
        self.program
    }

    /// The product before a sum or difference joined with it, if this sum is its only user and it is the latest instruction:
    /// then its arguments are still where they were.
    fn joined(&mut self, node: &Node, index: usize, out: u16) -> Option<Instr> {
        let Node::Op { op, args: [left, right, _], operand: Scalar::Num } = *node else { return None };
        let then = match op {
            ScalarOp::Add => Then::Add,
            ScalarOp::Sub => Then::Sub,
            _ => return None,
        };
        let last = *self.program.code.last()?;
        let is_last = |arg: tilework_core::expr::Id| {
            let is_product =
                matches!(self.expr.nodes[arg.index()], Node::Op { op: ScalarOp::Mul, operand: Scalar::Num, .. });
            is_product && self.place[arg.index()] == Operand::Reg(last.out) && self.last_use[arg.index()] == index
        };
        let (product, other) = match op {
            _ if left == right => return None,
            _ if is_last(left) => (left, right),
            ScalarOp::Add if is_last(right) => (right, left),
            _ => return None,
        };
        // The product gave its arguments' registers back; if the sum got one of them, they cannot be one instruction.
        let overwrites = last.args.contains(&Operand::Reg(out));
        if last.op != ScalarOp::Mul || last.then != Then::Nothing || overwrites || self.is_reused(product, index) {
            return None;
        }
        self.program.code.pop();
        Some(Instr { args: [last.args[0], last.args[1], self.place[other.index()]], then, ..last })
    }

    /// Whether anything but node `index` uses `node`.
    fn is_reused(&self, node: tilework_core::expr::Id, index: usize) -> bool {
        let mut users = self.expr.nodes.iter().enumerate().filter(|(_, user)| user.args().contains(&node));
        users.any(|(user, _)| user != index)
    }

    /// Gives back the registers of arguments that `node`, the instruction for node `index`, is the last to read.
    fn release(&mut self, node: &Node, index: usize) {
        let mut done: Vec<usize> = Vec::new();
        for arg in node.args().iter().map(|arg| arg.index()) {
            let is_value = matches!(self.expr.nodes[arg], Node::Op { .. });
            if is_value && self.last_use[arg] == index && !done.contains(&arg) {
                done.push(arg);
                if let Operand::Reg(register) = self.place[arg] {
                    self.file(self.expr.nodes[arg].scalar()).push(register);
                }
            }
        }
    }

    fn file(&mut self, scalar: Scalar) -> &mut Vec<u16> {
        match scalar {
            Scalar::Num => &mut self.free_nums,
            Scalar::Long | Scalar::Ulong => &mut self.free_longs,
            _ => &mut self.free_words,
        }
    }

    fn allocate(&mut self, scalar: Scalar) -> u16 {
        match self.file(scalar).pop() {
            Some(register) => register,
            None => self.pinned(scalar),
        }
    }

    fn pinned(&mut self, scalar: Scalar) -> u16 {
        let count = match scalar {
            Scalar::Num => &mut self.program.n_nums,
            Scalar::Long | Scalar::Ulong => &mut self.program.n_longs,
            _ => &mut self.program.n_words,
        };
        *count += 1;
        (*count - 1) as u16
    }
}
