//! Names of a function, and the code around a phase.

use crate::hir::{Arg, Local};
use crate::ty::Ty;
use imminent_ir::FunctionId;
use std::collections::HashMap;

/// Meaning of a name in a function.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    Param(u32),
    Local(u32),
}

/// A loop being checked.
#[derive(Debug)]
pub(super) struct LoopFrame {
    /// Type of the values of `break`; `None` in `while` and `for`.
    pub(super) value: Option<Ty>,
    pub(super) has_break: bool,
}

/// The code between phases, while a phase is checked.
#[derive(Debug)]
pub(super) struct Around {
    pub(super) scopes: Vec<HashMap<String, Binding>>,
    pub(super) params: Vec<Ty>,
    pub(super) locals: Vec<Local>,
    pub(super) result: Option<Ty>,
    pub(super) loops: Vec<LoopFrame>,
    pub(super) function: Option<FunctionId>,
    /// Captures of the phase: names, types and arguments of its last parameters.
    pub(super) captured: Vec<(String, Ty, Arg)>,
    /// Position of the first of them.
    pub(super) first: u32,
}
