//! Queries about a group whose results are passed to its functions.

use imminent_ir::flatten::visit::{self, Visitor};
use imminent_ir::flatten::{FlatKernel, Scope};
use imminent_ir::{Expr, ExprKind, GroupQuery, Stmt, StmtKind};

/// For each function of the group what it, or one that it calls, asks about the group.
pub(super) fn asked(flat: &FlatKernel) -> Vec<Vec<&'static str>> {
    let mut asked: Vec<Vec<&'static str>> = Vec::with_capacity(flat.functions.len());
    for function in &flat.functions {
        let mut found = Asked { earlier: &asked, found: Vec::new() };
        if function.scope == Scope::Group && flat.shape.is_grouped() {
            visit::walk(&function.body, &mut found);
        }
        let mut found = found.found;
        found.sort_unstable();
        found.dedup();
        asked.push(found);
    }
    asked
}

struct Asked<'a> {
    earlier: &'a [Vec<&'static str>],
    found: Vec<&'static str>,
}

impl Visitor for Asked<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Call { function, .. } = &stmt.kind {
            self.found.extend(self.earlier.get(function.index()).into_iter().flatten());
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Group(GroupQuery::Index) => self.found.push("group_index"),
            ExprKind::Group(GroupQuery::Len) => self.found.push("group_len"),
            _ => {}
        }
    }
}
