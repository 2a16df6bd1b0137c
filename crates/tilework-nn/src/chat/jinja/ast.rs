//! The tree of a template.

/// Something that is done.
#[derive(Debug)]
pub(super) enum Statement {
    Text(String),
    Print(Expression),
    /// Conditions with what follows each; the last may have none.
    If(Vec<(Option<Expression>, Vec<Statement>)>),
    For(Box<For>),
    Set(Target, Expression),
    /// Names what the statements print.
    SetBlock(Target, Vec<Statement>, Vec<Call>),
    Macro(Macro),
    /// Prints what the statements print, filtered.
    Filter(Vec<Call>, Vec<Statement>),
    Break,
    Continue,
}

#[derive(Debug)]
pub(super) struct For {
    pub(super) target: Target,
    pub(super) items: Expression,
    pub(super) condition: Option<Expression>,
    pub(super) body: Vec<Statement>,
    /// What is done if there is no item.
    pub(super) otherwise: Vec<Statement>,
}

/// What is assigned to.
#[derive(Debug)]
pub(super) enum Target {
    Name(String),
    /// A name of a namespace.
    Member(String, String),
    Several(Vec<Target>),
}

#[derive(Debug)]
pub(super) struct Macro {
    pub(super) name: String,
    /// Names with what they are unless they are given.
    pub(super) parameters: Vec<(String, Option<Expression>)>,
    /// Shared with the values that stand for it while a template runs.
    pub(super) body: Vec<Statement>,
}

/// A filter, a test or a function with its arguments.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) arguments: Arguments,
}

#[derive(Debug, Default)]
pub(super) struct Arguments {
    pub(super) positional: Vec<Expression>,
    pub(super) named: Vec<(String, Expression)>,
}

/// Something that has a value.
#[derive(Debug)]
pub(super) enum Expression {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Expression>),
    Map(Vec<(Expression, Expression)>),
    Name(String),
    Member(Box<Expression>, String),
    Item(Box<Expression>, Box<Expression>),
    Slice(Box<Expression>, [Option<Box<Expression>>; 3]),
    Call(Box<Expression>, Arguments),
    Filter(Box<Expression>, Call),
    /// Whether it is so; the last says whether it is asked the other way around.
    Test(Box<Expression>, Call, IsNot),
    Negative(Box<Expression>),
    Not(Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    /// `a < b < c`: all of them.
    Compare(Box<Expression>, Vec<(&'static str, Expression)>),
    /// Value, condition, and what it is otherwise.
    Choice(Box<Expression>, Box<Expression>, Option<Box<Expression>>),
}

/// Whether a test is `is not`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IsNot {
    Yes,
    No,
}
