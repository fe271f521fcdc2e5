//! Simpler forms of a kernel, for the search for the simplest one on which a device differs.
//!
//! An edit changes one node of a function: a statement, an expression, or statements that follow one another. Nodes are
//! numbered in the order of the text, outer ones before those in them. An edit leaves the numbers of the nodes before
//! its own as they are, so several edits apply together, the last one first.

mod expressions;
mod statements;
mod step;

use imminent_core::ir::flatten::visit::{self, Visitor};
use imminent_core::ir::{
    Block, Expr, ExprKind, Function, Kernel, Module, Scalar, Stmt, StmtKind, Type, Value, flatten,
};
use std::collections::BTreeSet;
use step::{Step, Zeros, number};

/// Size of the edits of a search's pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grain {
    /// Statements that follow one another are removed together.
    Stretch,
    /// A statement is removed, or gives way to a part of it.
    Statement,
    /// An expression gives way to a constant, or to a part of it.
    Expression,
}

impl Grain {
    /// Every grain, the coarsest first.
    pub(super) const ALL: [Grain; 3] = [Grain::Stretch, Grain::Statement, Grain::Expression];
}

/// A change that makes a module simpler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    grain: Grain,
    function: usize,
    node: usize,
    /// Position among the edits of the node.
    choice: usize,
}

/// Returns the edits of the functions that a module's kernels reach. Applied in this order, each leaves those after it
/// valid.
pub(super) fn edits(module: &Module, grain: Grain) -> Vec<Edit> {
    let mut all = Vec::new();
    for function in reached(module).into_iter().rev() {
        let Some(of) = module.functions.get(function) else { continue };
        for node in (0..Size::of(of).nodes).rev() {
            let edit = |choice| Edit { grain, function, node, choice };
            all.extend((0..).map(edit).take_while(|edit| edit.applied(module, of).is_some()));
        }
    }
    all
}

/// Returns the module with an edit. `None` if it is then not simpler, or means nothing.
pub(super) fn apply(module: &Module, edit: Edit) -> Option<Module> {
    let before = module.functions.get(edit.function)?;
    let after = edit.applied(module, before)??;
    let is_simpler = Size::of(&after).weight < Size::of(before).weight;
    if !is_simpler || returns_last(before) != returns_last(&after) {
        return None;
    }
    let mut edited = module.clone();
    *edited.functions.get_mut(edit.function)? = after;
    let is_well_formed = edited.kernels.iter().all(|kernel| flatten(&edited, kernel).is_ok());
    is_well_formed.then_some(edited)
}

/// Without its last `return`, a function with a result would return none.
fn returns_last(function: &Function) -> bool {
    matches!(function.body.last(), Some(Stmt { kind: StmtKind::Return(Some(_)), .. }))
}

impl Edit {
    /// Returns the function with this edit. `None` if the node has no such choice, `Some(None)` if this choice leaves
    /// it as it is.
    fn applied(self, module: &Module, function: &Function) -> Option<Option<Function>> {
        let mut edited = function.clone();
        let mut walk = Walk { edit: self, left: self.node, zeros: Zeros { module, locals: &function.locals } };
        match walk.block(&mut edited.body)? {
            Step::NoSuchChoice => None,
            Step::Unchanged => Some(None),
            Step::Changed => Some(Some(edited)),
        }
    }
}

/// A walk to the node of an edit.
struct Walk<'m> {
    edit: Edit,
    /// Nodes before the edit's.
    left: usize,
    zeros: Zeros<'m>,
}

impl Walk<'_> {
    /// Edits a block, if the node is in it.
    fn block(&mut self, block: &mut Block) -> Option<Step> {
        for at in 0..block.len() {
            if self.left == 0 {
                return Some(match self.edit.grain {
                    Grain::Stretch => statements::without_stretch(block, at, self.edit.choice),
                    Grain::Statement => statements::replace(block, at, self.edit.choice, &self.zeros),
                    Grain::Expression => Step::NoSuchChoice,
                });
            }
            self.left -= 1;
            let kind = &mut block[at].kind;
            let found = statements::expressions(kind).into_iter().find_map(|expr| self.expression(expr));
            let inner = || statements::blocks(kind).into_iter().find_map(|block| self.block(block));
            if let Some(step) = found.or_else(inner) {
                return Some(step);
            }
        }
        None
    }

    /// Edits an expression, if the node is in it.
    fn expression(&mut self, expr: &mut Expr) -> Option<Step> {
        if self.left == 0 {
            return Some(match self.edit.grain {
                Grain::Expression => expressions::replace(expr, self.edit.choice, &self.zeros),
                Grain::Stretch | Grain::Statement => Step::NoSuchChoice,
            });
        }
        self.left -= 1;
        expressions::operands(expr).into_iter().find_map(|operand| self.expression(operand))
    }
}

/// Size of a function.
#[derive(Debug, Default)]
struct Size {
    /// Number of nodes that edits can name, or more.
    nodes: usize,
    /// Measure that every edit makes smaller. A plain constant counts less than other expressions.
    weight: usize,
}

impl Size {
    fn of(function: &Function) -> Size {
        let mut size = Size::default();
        visit::walk(&function.body, &mut size);
        size
    }
}

impl Visitor for Size {
    fn stmt(&mut self, _stmt: &Stmt) {
        self.nodes += 1;
        self.weight += 2;
    }

    fn expr(&mut self, expr: &Expr) {
        self.nodes += 1;
        let is_plain = |scalar: Scalar, value: &Value| [false, true].iter().any(|one| number(scalar, *one) == *value);
        self.weight += match (&expr.kind, &expr.ty) {
            (ExprKind::Literal(value), Type::Scalar(scalar)) if is_plain(*scalar, value) => 1,
            (ExprKind::Literal(Value::Enum(0)), _) => 1,
            _ => 2,
        };
    }
}

/// Returns the functions that a module's kernels reach, in the order of the module.
fn reached(module: &Module) -> BTreeSet<usize> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<usize> = module.kernels.iter().map(|kernel: &Kernel| kernel.function.index()).collect();
    while let Some(function) = open.pop() {
        if let (true, Some(of)) = (reached.insert(function), module.functions.get(function)) {
            let mut called = Called(Vec::new());
            visit::walk(&of.body, &mut called);
            open.append(&mut called.0);
        }
    }
    reached
}

struct Called(Vec<usize>);

impl Visitor for Called {
    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Call { function, .. } | StmtKind::Phase { function, .. } = &stmt.kind {
            self.0.push(function.index());
        }
    }
}

#[cfg(test)]
mod tests;
