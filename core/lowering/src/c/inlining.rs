//! Which functions are copied into their callers.

use imminent_ir::flatten::FlatKernel;
use imminent_ir::flatten::visit::{self, Visitor};
use imminent_ir::{Stmt, StmtKind};

/// Statements from which on a function, with all that it calls, stays by itself.
const LARGE: u64 = 4000;

/// For each function whether it stays by itself.
///
/// Functions take pointers to the resources of the kernel in one struct, which costs nothing once they are copied into
/// the kernel. But copies multiply along a chain of calls, so the ones that would become large are not copied.
pub(super) fn separate(flat: &FlatKernel) -> Vec<bool> {
    let mut sizes: Vec<u64> = Vec::with_capacity(flat.functions.len());
    let mut separate = Vec::with_capacity(flat.functions.len());
    for function in &flat.functions {
        let mut size = Size { of: &sizes, statements: 1 };
        visit::walk(&function.body, &mut size);
        let large = size.statements > LARGE;
        let statements = if large { 1 } else { size.statements };
        sizes.push(statements);
        separate.push(large);
    }
    separate
}

struct Size<'a> {
    of: &'a [u64],
    statements: u64,
}

impl Visitor for Size<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        let called = match &stmt.kind {
            StmtKind::Call { function, .. } | StmtKind::Phase { function, .. } => {
                self.of.get(function.index()).copied().unwrap_or(0)
            }
            _ => 0,
        };
        self.statements = self.statements.saturating_add(1).saturating_add(called);
    }
}
