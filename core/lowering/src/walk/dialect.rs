//! The points at which dialects differ.
//!
//! The walker asks a dialect by five traits, of which each is implemented in a file of its own: [`Types`],
//! [`Operations`], [`Memory`], [`Loops`] and [`Dialect`], which holds the rest, mostly the forms of statements.

use super::accesses::{Access, Direction, Storage, WordCode};
use super::body::{FunctionLowering, Mode};
use super::code::{Code, Level};
use super::shared::Shared;
use crate::LoweringError;
use imminent_ir::{
    BinaryOp, Block, Builtin, ConstId, Expr, GroupQuery, LocalId, Scalar, SiteId, TallyOp, Type, UnaryOp, Value, Vote,
    WordOp,
};
use std::ops::DerefMut;

/// Types and literals.
pub(crate) trait Types {
    /// A type's name.
    fn type_name(&mut self, ty: &Type) -> String;

    /// A literal of a type.
    fn literal(&mut self, value: &Value, ty: &Type) -> Result<Code, LoweringError>;

    /// A struct or an array of these parts.
    fn composite(&mut self, ty: &Type, parts: &[Code]) -> Code;
}

/// Operations on scalars, with the kernel language's total meaning.
pub(crate) trait Operations {
    fn unary(&mut self, op: UnaryOp, scalar: Scalar, x: Code) -> Code;

    fn binary(&mut self, op: BinaryOp, scalar: Scalar, a: Code, b: Code) -> Code;

    fn cast(&mut self, from: Scalar, to: Scalar, x: Code) -> Code;

    fn builtin(&mut self, builtin: Builtin, scalar: Scalar, args: Vec<Code>) -> Code;

    /// `a` where the condition holds, else `b`.
    fn select(&mut self, ty: &Type, condition: Code, a: Code, b: Code) -> Code;

    /// Returns `true` if an operator of the language divides these scalars, provided that the divisor is safe.
    fn has_division(&self, scalar: Scalar) -> bool;

    /// Hides from the compiler that something is a constant expression, so that operating on it wraps instead of
    /// failing.
    fn opaque(&mut self, scalar: Scalar, x: Code) -> Code;

    /// A call of a helper function of the library.
    fn call(&mut self, helper: &str, args: &[&Code]) -> Code;

    /// The lesser of an index and the last one of its array.
    fn clamp(&mut self, index: &Code, last: u32) -> String;
}

/// Tables and parameter blocks.
pub(crate) trait Memory {
    /// An access to a word column of the rows, or of a ragged table's pool. In a pool `row` is the place, and words are
    /// numbered as if the lane followed the fixed words.
    fn access(
        &mut self,
        direction: Direction,
        of: (u32, Storage),
        ty: &Type,
        word: WordCode,
        row: Option<&str>,
    ) -> Result<Access, LoweringError>;

    /// The variable for a word of a binding's header.
    fn header(&mut self, binding: u32, what: &str, word: u32) -> String;

    /// The variable for the number of rows of a table or slots of a tally.
    fn rows(&mut self, binding: u32) -> String {
        self.header(binding, "rows", 0)
    }

    /// The variable for the words between two word columns of a table.
    fn stride(&mut self, binding: u32) -> String {
        self.header(binding, "stride", 1)
    }

    /// The variable for the lanes of every row of a table.
    fn capacity(&mut self, binding: u32) -> String {
        self.header(binding, "capacity", 2)
    }

    /// The variable for the words between two word columns of a ragged table's pool.
    fn pool_stride(&mut self, binding: u32) -> String {
        self.header(binding, "pool_stride", 3)
    }

    /// A function that fills an array with one value.
    fn repeat_helper(&mut self, ty: &Type) -> String;

    /// The words of a scalar that is in a variable.
    fn pack(&mut self, scalar: Scalar, value: &str) -> Vec<String>;

    /// A scalar from its words.
    fn unpack(&mut self, scalar: Scalar, words: &[String]) -> String;
}

/// A contribution to a tally, evaluated.
pub(crate) struct Contribution {
    pub(crate) op: TallyOp,
    pub(crate) scalar: Scalar,
    /// Number of the binding that is the tally.
    pub(crate) binding: u32,
    /// The variable that holds the slot's number.
    pub(crate) slot: String,
    pub(crate) value: Code,
    /// `true` if one invocation contributes for its group.
    pub(crate) for_group: bool,
    /// The test that the slot is in range.
    pub(crate) in_range: String,
    pub(crate) site: SiteId,
}

/// The bounds of a loop over a range.
pub(crate) struct Range<'b> {
    pub(crate) var: LocalId,
    pub(crate) scalar: Scalar,
    /// The bound at which the loop begins: the end of a range that is walked backwards.
    pub(crate) from: &'b Expr,
    /// The other bound, which is evaluated before it.
    pub(crate) to: &'b Expr,
}

/// Loops. Ranges may end at the last number of their type, so none of the forms relies on a number past it.
pub(crate) trait Loops<'a>: Sized {
    /// A loop that is left by `break` or `return`, if `is_left`.
    fn endless_loop(f: &mut FunctionLowering<'_, 'a, Self>, body: &Block, is_left: bool) -> Result<(), LoweringError>;

    /// The opening of a loop over a variable of a type, of which a test and a step are given.
    fn counted(name: &str, ty: &str, start: &str, test: &str, step: &str) -> String;

    /// The step of a loop, up (`Add`) or down (`Sub`).
    fn step(&mut self, op: BinaryOp, scalar: Scalar, name: &str) -> String;

    /// The number before a variable that is above the least of its type.
    fn predecessor(&mut self, scalar: Scalar, name: &str) -> String;

    /// A range with both its ends: the loop is left after the last number instead of before the one past it. It is
    /// walked up where the test is `Le`, down where it is `Ge`.
    fn through(
        f: &mut FunctionLowering<'_, 'a, Self>,
        range: Range<'_>,
        test: BinaryOp,
        body: &Block,
    ) -> Result<(), LoweringError>;
}

/// A dialect of the texts. It is implemented by the dialect's state of one lowering, which also gives the state that
/// all share.
pub(crate) trait Dialect<'a>: DerefMut<Target = Shared<'a>> + Types + Operations + Memory + Loops<'a> {
    /// Before the name of a variable that functions share: the context, where the language has no such variables.
    const SHARED: &'static str;
    /// Before the other arguments of functions of the text: the context.
    const CONTEXT: &'static [&'static str];
    /// The helper function that raises a fault.
    const RAISE: &'static str;
    /// `true` if the compiler evaluates constant expressions, and refuses those that overflow or are out of range.
    const EVALUATES: bool;
    /// `true` if a pointer may point to a part of a variable, at constant indices.
    const POINTS_INTO_VARIABLES: bool;
    /// `true` if a vote leaves without a barrier. One must then follow its phase.
    const VOTES_NEED_BARRIER: bool;
    /// `true` if the first invocation reads groups' own rows for all, by barriers; `false` if each keeps a copy.
    const READS_FOR_ALL: bool;
    /// The level from which on an index stands without parentheses in a test whether it is past the end.
    const INDEX_TEST: Level;
    /// `true` if an array must be a variable to be indexed by a computed number.
    const INDEXES_VARIABLES: bool;

    /// An expression as an argument.
    fn argument(code: &Code) -> String;

    /// Text in a comment.
    fn comment(text: &str) -> String;

    /// The declaration of a local.
    fn declaration(mode: Mode, name: &str, ty: &str, value: &str) -> String;

    /// The declaration of the variable that says whether an invocation's phase agreed.
    fn agreement(name: &str, value: bool) -> String;

    /// The declaration of a variable that is zero.
    fn zero_declaration(&mut self, mode: Mode, name: &str, ty: &Type) -> String;

    /// Returns the queries about its group whose results a function is passed.
    fn asked(&self, function: usize) -> &[&'static str];

    /// Returns `true` if `#line` directives are written.
    fn line_directives(&self) -> bool;

    /// Writes the signature of a function and opens its body.
    fn signature(f: &mut FunctionLowering<'_, 'a, Self>, number: usize) -> Result<(), LoweringError>;

    /// Writes the statements of the kernel's body.
    fn body(f: &mut FunctionLowering<'_, 'a, Self>) -> Result<(), LoweringError> {
        f.whole()
    }

    /// Ends a function that the compiler does not see to return.
    fn return_zero(f: &mut FunctionLowering<'_, 'a, Self>);

    /// A constant, and whether it is a constant expression.
    fn constant(f: &mut FunctionLowering<'_, 'a, Self>, id: ConstId) -> Result<(String, bool), LoweringError>;

    /// The variable behind a pointer, as the base of a member or an element.
    fn pointee(pointer: &str) -> String;

    /// Appends a member to a path.
    fn member(path: &mut String, name: &str);

    /// Appends an element to a path, by a number or by a variable that is in range.
    fn element(path: &mut String, index: Result<u32, String>, count: u32);

    /// Contributes to a tally.
    fn tally(f: &mut FunctionLowering<'_, 'a, Self>, what: Contribution) -> Result<(), LoweringError>;

    /// An operation on a word of a tally, in one step.
    fn word(&mut self, op: WordOp, binding: u32, slot: &str, value: &str) -> String;

    /// Statement before a call that is passed a pointer to a variable, if any.
    fn lend(&mut self, _ty: &Type, _pointer: &str) -> Option<String> {
        None
    }

    /// Something about the group.
    fn query(f: &mut FunctionLowering<'_, 'a, Self>, query: GroupQuery) -> Code;

    /// Counts the invocations whose phase agreed.
    fn vote(
        f: &mut FunctionLowering<'_, 'a, Self>,
        into: LocalId,
        vote: Vote,
        agrees: &str,
    ) -> Result<(), LoweringError>;

    /// Waits for the group.
    fn barrier(&self) -> &'static str;

    /// Waits for the group between two statements of a body.
    fn wait(f: &mut FunctionLowering<'_, 'a, Self>) {
        let barrier = f.low.barrier();
        f.emit(barrier);
    }

    /// The statement that makes the invocation's own element one of the group's.
    fn share_element(&mut self) -> String;

    /// An element of the group's scratch.
    fn scratch_element(f: &mut FunctionLowering<'_, 'a, Self>, index: Result<u32, &str>) -> String;
}
