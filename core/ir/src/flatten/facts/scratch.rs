//! Use of the group's scratch by functions.

use crate::flatten::visit::{self, Visitor};
use crate::flatten::{FlatKernel, ScratchUse};
use crate::{Stmt, StmtKind};

/// Fills in [`ScratchUse`] of every function; callees come before their callers.
pub(super) fn gather(flat: &mut FlatKernel) {
    let mut uses: Vec<ScratchUse> = Vec::with_capacity(flat.functions.len());
    for function in &flat.functions {
        let mut gatherer = Gatherer { earlier: &uses, found: ScratchUse::default() };
        visit::walk(&function.body, &mut gatherer);
        let found = gatherer.found;
        uses.push(found);
    }
    for (function, found) in flat.functions.iter_mut().zip(uses) {
        function.scratch = found;
    }
}

struct Gatherer<'a> {
    earlier: &'a [ScratchUse],
    found: ScratchUse,
}

impl Visitor for Gatherer<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::ScratchGet { .. } => self.found.gets = true,
            StmtKind::ScratchOwn { .. } => self.found.owns = true,
            StmtKind::ScratchSet { .. } => self.found.sets = true,
            StmtKind::Call { function, .. } => {
                let callee = self.earlier.get(function.index()).copied().unwrap_or_default();
                self.found.gets |= callee.gets;
                self.found.owns |= callee.owns;
                self.found.sets |= callee.sets;
            }
            _ => {}
        }
    }
}
