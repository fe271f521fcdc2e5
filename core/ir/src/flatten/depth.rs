//! Nesting depth of blocks and expressions, found without recursion: later passes recurse over them.

use crate::{Arg, Block, Expr, ExprKind, Place, Step, StmtKind};

/// Returns the deepest nesting within a block.
pub(super) fn of(block: &Block) -> u32 {
    let mut walk = Walk { open: vec![Item::Block(block, 1)] };
    let mut deepest = 0;
    while let Some(item) = walk.open.pop() {
        match item {
            Item::Block(block, depth) => {
                deepest = deepest.max(depth);
                for stmt in block {
                    walk.stmt(&stmt.kind, depth + 1);
                }
            }
            Item::Expr(expr, depth) => {
                deepest = deepest.max(depth);
                walk.expr(expr, depth + 1);
            }
        }
    }
    deepest
}

enum Item<'a> {
    Block(&'a Block, u32),
    Expr(&'a Expr, u32),
}

/// Work list of the walk.
struct Walk<'a> {
    open: Vec<Item<'a>>,
}

impl<'a> Walk<'a> {
    fn add(&mut self, exprs: impl IntoIterator<Item = &'a Expr>, depth: u32) {
        self.open.extend(exprs.into_iter().map(|expr| Item::Expr(expr, depth)));
    }

    fn place(&mut self, place: &'a Place, depth: u32) {
        for step in &place.path {
            if let Step::Index(index) = step {
                self.add([&**index], depth);
            }
        }
    }

    fn stmt(&mut self, kind: &'a StmtKind, depth: u32) {
        match kind {
            StmtKind::Let(_, value) | StmtKind::Return(value) => self.add(value, depth),
            StmtKind::Assign(place, value) | StmtKind::Store(place, value, _) => {
                self.place(place, depth);
                self.add([value], depth);
            }
            StmtKind::Load(_, place, _) => self.place(place, depth),
            StmtKind::Divide(_, a, b, _) | StmtKind::Remainder(_, a, b, _) => self.add([a, b], depth),
            StmtKind::BindRow { index, .. } | StmtKind::ScratchGet { index, .. } => self.add([index], depth),
            StmtKind::ScratchSet { value, .. } => self.add([value], depth),
            StmtKind::LaneGet { lanes, index, .. } => {
                self.place(lanes, depth);
                self.add([index], depth);
            }
            StmtKind::LaneSet { lanes, index, value, .. } => {
                self.place(lanes, depth);
                self.add([index, value], depth);
            }
            // Their translation adds expressions around these.
            StmtKind::HistoryGet { row, step, .. } => self.add(row.iter().chain([step]), depth + 8),
            StmtKind::HistorySet { step, value, .. } => self.add([step, value], depth + 8),
            StmtKind::Tally { slot, value, .. } => self.add([slot, value], depth),
            StmtKind::Word { slot, value, .. } => self.add([slot].into_iter().chain(value), depth),
            StmtKind::Assert(condition, _) => self.add([condition], depth),
            StmtKind::Call { args, .. } | StmtKind::Phase { args, .. } => {
                for arg in args {
                    match arg {
                        Arg::Value(value) => self.add([value], depth),
                        Arg::InOut(place) | Arg::Resource(place) => self.place(place, depth),
                    }
                }
            }
            StmtKind::If(condition, then, other) => {
                self.add([condition], depth);
                self.open.extend([Item::Block(then, depth), Item::Block(other, depth)]);
            }
            StmtKind::Loop(body) => self.open.push(Item::Block(body, depth)),
            StmtKind::While(condition, body) => {
                self.add([condition], depth);
                self.open.push(Item::Block(body, depth));
            }
            StmtKind::For { start, end, body, .. } => {
                self.add([start, end], depth);
                self.open.push(Item::Block(body, depth));
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::ScratchOwn { .. } => {}
        }
    }

    fn expr(&mut self, expr: &'a Expr, depth: u32) {
        match &expr.kind {
            ExprKind::Literal(_)
            | ExprKind::RowsLen(_)
            | ExprKind::TallyLen(_)
            | ExprKind::Group(_)
            | ExprKind::ClockFirst(_) => {}
            ExprKind::Load(place) | ExprKind::LanesCapacity(place) => self.place(place, depth),
            ExprKind::Unary(_, x) | ExprKind::Cast(x) | ExprKind::Repeat(x) => self.add([&**x], depth),
            ExprKind::Binary(_, a, b) => self.add([&**a, &**b], depth),
            ExprKind::Builtin(_, args) | ExprKind::Struct(args) | ExprKind::Array(args) => self.add(args, depth),
            ExprKind::Select(c, a, b) => self.add([&**c, &**a, &**b], depth),
        }
    }
}
