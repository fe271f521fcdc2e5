//! Rewrites the body of one specialisation: parameters become locals and bindings.
//!
//! No device language has references into tables. So a reference is taken apart: its table becomes part of the function
//! (a binding, known when the kernel is lowered), its row a number that is passed. A function that gets rows of two
//! tables is therefore specialised twice ([`Mode`](super::state::Mode)).
//!
//! A module may come from anywhere: it is data that was decoded. Nothing here trusts it. Every number is looked up,
//! every place has to denote what its statement needs, and a defect is an error. Types of values are left to `check`,
//! which sees the flat kernel.
//!
//! Statements and their parts are visited in the order of the source. Fault sites get their numbers when they are first
//! reached, so this order decides about the text of the kernel, and with it about the keys of kernel caches.
//!
//! | file | what it rewrites |
//! | --- | --- |
//! | `statements` | blocks and statements |
//! | `places` | places, and expressions with the places inside |
//! | `calls` | calls and phases with their arguments |

mod calls;
mod places;
mod statements;

use super::declarations::MAX_DEPTH;
use super::history::Prelude;
use super::state::{Copies, place_of};
use super::{FlatLocal, FlattenError, Scope, StepSite, depth};
use crate::{Block, Function, LocalId};
use std::collections::HashMap;

/// Meaning of a parameter of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// A value in a local.
    Local(LocalId),
    /// A row of a table.
    Row { binding: u32, index: LocalId },
    /// A lane field of a row.
    Lanes { binding: u32, index: LocalId, field: u32 },
    /// A history, and the number of the own row.
    History { binding: u32, index: LocalId },
    /// The own rows of a group's invocations.
    Each(u32),
    /// A whole binding.
    Whole(u32),
    /// The scratch.
    Scratch,
}

/// Rewrites one function.
pub(super) struct Rewriter<'s, 'm, C> {
    state: &'s mut C,
    function: &'m Function,
    scope: Scope,
    params: Vec<Bound>,
    /// Table of every row local bound so far.
    rows: HashMap<LocalId, u32>,
    /// Statements about histories before the first statement.
    prelude: Prelude,
    line: u32,
}

impl<'s, 'm, C: Copies<'m>> Rewriter<'s, 'm, C> {
    pub(super) fn new(
        state: &'s mut C,
        function: &'m Function,
        scope: Scope,
        params: Vec<Bound>,
        passed: usize,
    ) -> Self {
        let (rows, prelude) = (HashMap::new(), Prelude::of(function, passed));
        Rewriter { state, function, scope, params, rows, prelude, line: function.line }
    }

    fn ill<T>(&self, what: impl Into<String>) -> Result<T, FlattenError> {
        self.state.ill(place_of(self.function, self.line), what)
    }

    /// Returns the body of the function, rewritten. A copy is changed in place, which keeps the frames of the recursion
    /// small. Also returns the added locals, and the sites at which a step can be out of range.
    pub(super) fn body(mut self) -> Result<(Block, Vec<FlatLocal>, Vec<StepSite>), FlattenError> {
        // Later passes recurse over blocks and expressions, here and in programs that lower the kernel: the bound is on
        // their stack. Callers' blocks count, since a call is rewritten inside its statement.
        if self.state.depth.saturating_add(depth::of(&self.function.body)) > MAX_DEPTH {
            return self.state.too_deep(place_of(self.function, self.line));
        }
        let mut body = self.function.body.clone();
        self.block(&mut body)?;
        Ok((self.prelude.and(body), self.prelude.locals, self.prelude.steps))
    }
}
