//! Typed tree between checking and lowering. It has Rust's shape: nested expressions with effects, `match`, blocks.

use crate::ty::Ty;
use imminent_ir::{
    BinaryOp, Builtin, ConstId, FunctionId, GroupQuery, StructId, TallyOp, UnaryOp, Value, Vote, WordOp,
};
use proc_macro2::{Span, TokenStream};

/// A typed expression.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) ty: Ty,
    /// Position at which a fault is reported, and the line of the statement.
    pub(crate) span: Span,
    pub(crate) kind: Kind,
}

/// The kinds of expression.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// `()`, also the placeholder for an expression with an error.
    Unit,
    Integer(u128),
    /// The digits of a float literal.
    Float(String),
    /// A known value.
    Value(Value),
    /// Expression that rustc evaluates: the surrounding crate provides the value.
    Outside(TokenStream),
    /// Value of a place, or a reference to it if the type is one.
    Place(Place),
    Unary(UnaryOp, Box<Expr>),
    /// Integer `/` and `%` have [`BinaryOp::Div`] and [`BinaryOp::Rem`] here too.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Cast(Box<Expr>),
    /// An operation called by a method whose name says that it wraps.
    Wrapping(Box<Expr>),
    Builtin(Builtin, Vec<Expr>),
    /// `x.pow(n)`.
    Power(Box<Expr>, Box<Expr>),
    /// `x.clamp(low, high)`.
    Clamp(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Fields in source order by position, and the base.
    Struct(StructId, Vec<(u32, Expr)>, Option<Box<Expr>>),
    Array(Vec<Expr>),
    Repeat(Box<Expr>),
    Call(FunctionId, Vec<Arg>),
    /// A bundle, by its fields. It is used up by a field expression, a call or a `let`, and never lowered.
    Bundle(Vec<ScopeField>),
    RowsLen(Place),
    LanesCapacity(Place),
    TallyLen(Place),
    LaneGet(Place, Box<Expr>),
    LaneSet(Place, Box<Expr>, Box<Expr>),
    Tally(Place, TallyOp, Box<Expr>, Box<Expr>),
    /// `tally.load(slot)` and its like: the slot, and the new value, if there is one.
    Word(Place, WordOp, Box<Expr>, Option<Box<Expr>>),
    Assert(Box<Expr>),
    /// A phase of a group.
    Phase(Box<Phase>),
    /// `group.get(index)`, `lane.get(index)`.
    ScratchGet(Place, Box<Expr>),
    /// `lane.own()`.
    ScratchOwn(Place),
    /// `lane.set(value)`.
    ScratchSet(Place, Box<Expr>),
    Group(GroupQuery),
    /// `history.get(row, step)`; without a row `history.own(step)`.
    HistoryGet(Place, Option<Box<Expr>>, Box<Expr>),
    /// `history.set(step, value)`.
    HistorySet(Place, Box<Expr>, Box<Expr>),
    /// `clock.first()`.
    ClockFirst(Place),
    If(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
    Match(Box<Expr>, Vec<Arm>),
    Block(Block),
    Loop(Box<Expr>),
    While(Box<Expr>, Box<Expr>),
    For(For),
    Break(Option<Box<Expr>>),
    Continue,
    Return(Option<Box<Expr>>),
    Assign(Place, Box<Expr>),
    /// `place op= value`, with the type of the place.
    Update(Place, BinaryOp, Box<Expr>, Ty),
}

/// A place: a base and the path into it.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) base: Base,
    pub(crate) path: Vec<Step>,
    /// Position at which an index past the end is reported.
    pub(crate) site: Span,
}

/// Start of a place.
#[derive(Clone, Debug)]
pub(crate) enum Base {
    Param(u32),
    Local(u32),
    Const(ConstId),
    /// `rows.get(index)`; the fault is reported at the span.
    RowOf(Box<Place>, Box<Expr>, Span),
    /// The value of an expression that is not a place.
    Value(Box<Expr>),
}

/// One step into a place.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Field(u32),
    /// An index known to be in range.
    Known(u32),
    Index(Box<Expr>),
}

/// A field of a bundle in scope.
#[derive(Clone, Debug)]
pub(crate) struct ScopeField {
    /// Name of the bundle and of the field, as in `net.visits`.
    pub(crate) name: String,
    pub(crate) place: Place,
    /// A reference.
    pub(crate) ty: Ty,
    /// `true` if the place is of the code around the phase in which the bundle is named.
    pub(crate) is_around: bool,
}

/// An argument.
#[derive(Clone, Debug)]
pub(crate) enum Arg {
    Value(Expr),
    /// Copied in, and out again if it may be written through.
    InOut(Place, /** may be written through */ bool),
    /// A resource of the caller, named.
    Resource(Place, /** may be written through */ bool),
}

/// `for var in start..end`.
#[derive(Clone, Debug)]
pub(crate) struct For {
    pub(crate) var: u32,
    /// The user's variable, if it is `mut`.
    pub(crate) copy: Option<u32>,
    pub(crate) start: Box<Expr>,
    pub(crate) end: Box<Expr>,
    pub(crate) inclusive: bool,
    pub(crate) reverse: bool,
    pub(crate) body: Box<Expr>,
}

/// An arm of a `match`.
#[derive(Clone, Debug)]
pub(crate) struct Arm {
    pub(crate) pattern: Pattern,
    pub(crate) guard: Option<Expr>,
    pub(crate) body: Expr,
}

/// A pattern on a scalar or an enum.
#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    Any,
    Equals(Expr),
    /// From, to, and `true` if `to` is included.
    Range(Option<Expr>, Option<Expr>, bool),
    OneOf(Vec<Pattern>),
    Bind(u32, Box<Pattern>),
}

/// A block.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) stmts: Vec<Stmt>,
    pub(crate) tail: Option<Box<Expr>>,
}

/// A statement.
#[derive(Clone, Debug)]
pub(crate) enum Stmt {
    Let(u32, Option<Expr>, Span),
    Expr(Expr),
}

/// A local.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub(crate) name: String,
    pub(crate) ty: Ty,
    pub(crate) span: Span,
}

/// A checked function: every type is resolved.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) locals: Vec<Local>,
    /// Parameters declared `mut`, copied into a local first.
    pub(crate) copied: Vec<(u32, u32)>,
    pub(crate) root: Expr,
}

/// A phase: its closure as a separate function.
#[derive(Clone, Debug)]
pub(crate) struct Phase {
    pub(crate) function: FunctionId,
    pub(crate) vote: Option<Vote>,
    /// Parameters of the function: the scratch, own rows, the closure's captures.
    pub(crate) params: Vec<(String, Ty)>,
    pub(crate) args: Vec<Arg>,
    pub(crate) body: Body,
}

impl Expr {
    /// Creates a placeholder for an expression about which an error was reported.
    pub(crate) fn error(span: Span) -> Expr {
        Expr { ty: Ty::Error, span, kind: Kind::Unit }
    }

    pub(crate) fn new(ty: Ty, span: Span, kind: Kind) -> Expr {
        Expr { ty, span, kind }
    }
}
