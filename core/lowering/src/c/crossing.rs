//! Locals of a body in stages that more than one stage uses.
//!
//! Only these have to outlive a stage. The others are declared within their stage, where they are assigned before they
//! are read, as everywhere. A struct that is declared before the stages costs every group its zeros.

use crate::walk::returns;
use imminent_ir::flatten::visit::{self, Use, Visitor};
use imminent_ir::flatten::{FlatFunction, FlatKernel};
use imminent_ir::{Arg, Base, Block, Expr, LocalId, Place, Stmt, StmtKind};

/// Returns for each local of a grouped kernel's body whether more than one stage may use it.
pub(super) fn crossing(flat: &FlatKernel, function: &FlatFunction) -> Vec<bool> {
    let mut finder = Finder { flat, stage: 0, homes: vec![Home::Nowhere; function.locals.len()] };
    finder.block(&function.body);
    finder.homes.iter().map(|home| *home == Home::Everywhere).collect()
}

/// Returns `true` if a statement takes more than one stage: there is a barrier in it, or a loop that `return` leaves,
/// which a stage could not leave for another one.
pub(super) fn waits(flat: &FlatKernel, stmt: &Stmt) -> bool {
    let mut waits = Waits { flat, found: false };
    visit::walk(std::slice::from_ref(stmt), &mut waits);
    waits.found
}

/// Stages that use a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Home {
    Nowhere,
    Stage(u32),
    Everywhere,
}

/// Follows the statements in the order in which they are written.
struct Finder<'a> {
    flat: &'a FlatKernel,
    stage: u32,
    homes: Vec<Home>,
}

impl Finder<'_> {
    fn block(&mut self, block: &Block) {
        for stmt in block {
            if waits(self.flat, stmt) {
                self.waiting(stmt);
            } else {
                visit::walk(std::slice::from_ref(stmt), self);
            }
        }
    }

    fn waiting(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Phase { into, args, .. } => {
                for arg in args {
                    match arg {
                        Arg::Value(value) => visit::walk_expr(value, self),
                        Arg::InOut(place) | Arg::Resource(place) => self.place(place, Use::InOut),
                    }
                }
                self.next();
                into.iter().for_each(|local| self.uses(*local));
                self.next();
            }
            StmtKind::If(condition, then, other) => {
                visit::walk_expr(condition, self);
                self.block(then);
                self.next();
                self.block(other);
                self.next();
            }
            StmtKind::Loop(body) => self.rounds(None, body),
            StmtKind::While(condition, body) => self.rounds(Some(condition), body),
            StmtKind::For { var, start, end, body, .. } => {
                visit::walk_expr(start, self);
                visit::walk_expr(end, self);
                self.uses(*var);
                self.rounds(None, body);
                self.uses(*var);
            }
            _ => visit::walk(std::slice::from_ref(stmt), self),
        }
    }

    fn rounds(&mut self, condition: Option<&Expr>, body: &Block) {
        self.next();
        if let Some(condition) = condition {
            visit::walk_expr(condition, self);
        }
        self.block(body);
        self.next();
    }

    fn next(&mut self) {
        self.stage += 1;
    }

    fn uses(&mut self, local: LocalId) {
        if let Some(home) = self.homes.get_mut(local.index()) {
            *home = match *home {
                Home::Nowhere => Home::Stage(self.stage),
                Home::Stage(stage) if stage == self.stage => *home,
                Home::Stage(_) | Home::Everywhere => Home::Everywhere,
            };
        }
    }
}

impl Visitor for Finder<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        if let Some(local) = stmt.kind.declared() {
            self.uses(local);
        }
    }

    fn place(&mut self, place: &Place, _: Use) {
        if let Base::Local(local) | Base::Row { index: local, .. } = place.base {
            self.uses(local);
        }
    }
}

struct Waits<'a> {
    flat: &'a FlatKernel,
    found: bool,
}

impl Visitor for Waits<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        self.found |= match &stmt.kind {
            StmtKind::Phase { vote, function, .. } => {
                vote.is_some() || self.flat.functions.get(function.index()).is_some_and(|called| called.scratch.sets)
            }
            StmtKind::Loop(body) | StmtKind::While(_, body) | StmtKind::For { body, .. } => returns(body),
            _ => false,
        };
    }
}
