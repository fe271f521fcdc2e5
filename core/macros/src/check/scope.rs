//! Names of a function, and the code around a phase.

use crate::hir::{Arg, Base, Local, Place, ScopeField};
use crate::ty::Ty;
use imminent_ir::FunctionId;
use proc_macro2::Span;
use std::collections::HashMap;

/// Meaning of a name in a function.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    Param(u32),
    Local(u32),
    Bundle(Lent),
}

/// A bundle that a name stands for.
#[derive(Clone, Debug)]
pub(super) struct Lent {
    /// Type of the bundle, or of a reference to it.
    pub(super) ty: Ty,
    pub(super) parts: Vec<ScopeField>,
}

impl Lent {
    /// Returns the bundle of a parameter, whose fields are parameters of the IR from `first` on.
    pub(super) fn of_param(ty: Ty, first: u32, fields: Vec<(String, Ty)>, span: Span) -> Lent {
        let parts = (first..).zip(fields).map(|(param, (name, ty))| {
            let place = Place { base: Base::Param(param), path: Vec::new(), site: span };
            ScopeField { name, place, ty, is_around: false }
        });
        Lent { ty, parts: parts.collect() }
    }
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
