//! Random statements, including all that may fault.

use super::body::{Body, Scope, Spot, element, literal, load, parts};
use super::{FILE, Generator};
use imminent_core::ir::{
    BinaryOp, Block, Expr, FaultKind, LocalKind, Place, Scalar, Site, SiteId, Stmt, StmtKind, Type, Value,
};

/// Largest nesting depth of blocks.
const DEPTH: u32 = 3;

impl Generator<'_> {
    pub(super) fn site(&mut self, body: &Body, kind: FaultKind) -> SiteId {
        let id = self.module.sites.len() as u32;
        // The column distinguishes all sites.
        self.module.sites.push(Site {
            kind,
            file: FILE.to_owned(),
            line: body.line(),
            column: id + 1,
            text: String::new(),
        });
        SiteId(id)
    }

    /// Generates a few statements; their declarations end with the block.
    fn block(&mut self, body: &mut Body, depth: u32) -> Block {
        let before: Scope = body.scope.clone();
        let mut block = self.straight(body, depth, 5);
        // Only at the end: no unreachable code follows.
        if body.loops > 0 && self.choices.one_in(6) {
            let kind = if self.choices.below(2) == 0 { StmtKind::Break } else { StmtKind::Continue };
            block.push(body.stmt(kind));
        } else if self.choices.one_in(10) {
            let leave = self.leave(body);
            block.push(leave);
        }
        body.scope = before;
        block
    }

    /// Generates fewer than `most` statements that continue with the next.
    pub(super) fn straight(&mut self, body: &mut Body, depth: u32, most: usize) -> Block {
        let mut block = Block::new();
        for _ in 0..self.choices.below(most) {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            self.statement(body, depth, &mut block);
        }
        block
    }

    /// Generates the statements of a function, and the `return` at its end.
    pub(super) fn fill(&mut self, body: &mut Body) {
        let block = self.straight(body, DEPTH, 12);
        body.function.body.extend(block);
        if body.function.result != Type::Unit {
            let leave = self.leave(body);
            body.function.body.push(leave);
        }
    }

    fn leave(&mut self, body: &mut Body) -> Stmt {
        let result = body.function.result.clone();
        let value = (result != Type::Unit).then(|| self.expr(body, &result));
        body.stmt(StmtKind::Return(value))
    }

    fn statement(&mut self, body: &mut Body, depth: u32, block: &mut Block) {
        let kind = match self.choices.below(18) {
            0..=2 => self.assign(body),
            3 => Some(self.declare(body, block)),
            4 | 5 => self.indexed(body),
            6 => Some(self.division(body)),
            7 | 8 => self.bind_row(body),
            9 => self.lane(body),
            10 => self.tally(body),
            11 => Some(self.assertion(body)),
            12 | 13 => self.scratch(body),
            14 => self.call(body),
            15 if depth > 0 => Some(self.branch(body, depth)),
            16 if depth > 0 && body.loops < body.most_loops => Some(self.range(body, depth)),
            17 if depth > 0 && body.loops < body.most_loops => Some(self.counted(body, depth, block)),
            _ => self.assign(body),
        };
        if let Some(kind) = kind {
            block.push(body.stmt(kind));
        }
    }

    fn declare(&mut self, body: &mut Body, block: &mut Block) -> StmtKind {
        let ty = self.value_type();
        let value = self.expr(body, &ty);
        let local = body.local(&ty);
        if !self.choices.one_in(5) {
            return StmtKind::Let(local, Some(value));
        }
        // A local declared without a value is assigned before it is read.
        block.push(body.stmt(StmtKind::Let(local, None)));
        StmtKind::Assign(Place::local(local), value)
    }

    fn assign(&mut self, body: &mut Body) -> Option<StmtKind> {
        let mut all = Vec::new();
        body.scope.writable.iter().for_each(|spot| parts(&self.module, spot, &mut all));
        let spot = self.choices.pick(&all)?;
        Some(StmtKind::Assign(spot.place, self.expr(body, &spot.ty)))
    }

    /// Generates a read or a store of an element with a checked index.
    fn indexed(&mut self, body: &mut Body) -> Option<StmtKind> {
        let store = self.choices.below(2) == 1;
        let mut all = Vec::new();
        let spots = if store { &body.scope.writable } else { &body.scope.readable };
        spots.iter().for_each(|spot| parts(&self.module, spot, &mut all));
        all.retain(|spot| matches!(spot.ty, Type::Array(..)));
        let spot = self.choices.pick(&all)?;
        let (place, ty) = self.reach_array(body, spot);
        if store {
            let value = self.expr(body, &ty);
            let site = self.site(body, FaultKind::IndexOutOfRange);
            return Some(StmtKind::Store(place, value, site));
        }
        let site = self.site(body, FaultKind::IndexOutOfRange);
        Some(StmtKind::Load(body.fixed(&ty), place, site))
    }

    /// Generates indices into an array, and into arrays inside it.
    fn reach_array(&mut self, body: &Body, spot: Spot) -> (Place, Type) {
        let (mut place, mut ty) = (spot.place, spot.ty);
        while let Type::Array(inner, _) = &ty {
            let scalar = self.integer();
            place = element(&place, self.index(body, scalar));
            ty = (**inner).clone();
            if self.choices.below(2) == 0 {
                break;
            }
        }
        (place, ty)
    }

    /// Generates an index: mostly a small one.
    fn index(&mut self, body: &Body, scalar: Scalar) -> Expr {
        let any = self.scalar_expr(body, scalar);
        if self.choices.one_in(3) {
            return any;
        }
        let mask = match scalar {
            Scalar::U64 => Value::U64(3),
            Scalar::I32 => Value::I32(3),
            Scalar::I64 => Value::I64(3),
            _ => Value::U32(3),
        };
        let (ty, mask) = (any.ty.clone(), literal(mask, scalar));
        Expr { ty, kind: imminent_core::ir::ExprKind::Binary(BinaryOp::BitAnd, Box::new(any), Box::new(mask)) }
    }

    fn division(&mut self, body: &mut Body) -> StmtKind {
        let scalar = self.integer();
        let (a, b) = (self.scalar_expr(body, scalar), self.scalar_expr(body, scalar));
        if self.choices.below(2) == 0 {
            let site = self.site(body, FaultKind::DivisionByZero);
            StmtKind::Divide(body.fixed(&scalar.into()), a, b, site)
        } else {
            let site = self.site(body, FaultKind::RemainderByZero);
            StmtKind::Remainder(body.fixed(&scalar.into()), a, b, site)
        }
    }

    fn bind_row(&mut self, body: &mut Body) -> Option<StmtKind> {
        let (rows, id) = self.choices.pick(&body.tables)?;
        let index = self.index(body, Scalar::U32);
        let site = self.site(body, FaultKind::RowOutOfRange);
        let local = body.hidden(LocalKind::RowRef(id));
        body.row(&self.module, &Place::local(local), id, false);
        Some(StmtKind::BindRow { local, rows, index, site })
    }

    fn lane(&mut self, body: &mut Body) -> Option<StmtKind> {
        let lanes = self.choices.pick(&body.scope.lanes)?;
        let index = self.index(body, Scalar::U32);
        if lanes.mutable && self.choices.below(2) == 1 {
            let value = self.expr(body, &lanes.ty);
            let site = self.site(body, FaultKind::LaneOutOfRange);
            return Some(StmtKind::LaneSet { lanes: lanes.place, index, value, site });
        }
        let site = self.site(body, FaultKind::LaneOutOfRange);
        Some(StmtKind::LaneGet { into: body.fixed(&lanes.ty), lanes: lanes.place, index, site })
    }

    fn tally(&mut self, body: &mut Body) -> Option<StmtKind> {
        let (tally, scalar, op) = self.choices.pick(&body.tallies)?;
        let slot = self.index(body, Scalar::U32);
        let value = self.scalar_expr(body, scalar);
        let site = self.site(body, FaultKind::TallyOutOfRange);
        Some(StmtKind::Tally { tally, op, slot, value, site })
    }

    fn assertion(&mut self, body: &mut Body) -> StmtKind {
        let condition = self.scalar_expr(body, Scalar::Bool);
        StmtKind::Assert(condition, self.site(body, FaultKind::Assertion))
    }

    fn scratch(&mut self, body: &mut Body) -> Option<StmtKind> {
        let (scratch, ty) = body.scratch.clone()?;
        match self.choices.below(3) {
            1 if body.in_phase => Some(StmtKind::ScratchSet { scratch, value: self.expr(body, &ty) }),
            2 if body.in_phase => Some(StmtKind::ScratchOwn { into: body.fixed(&ty), scratch }),
            _ => {
                let index = self.index(body, Scalar::U32);
                let site = self.site(body, FaultKind::ScratchOutOfRange);
                Some(StmtKind::ScratchGet { into: body.fixed(&ty), scratch, index, site })
            }
        }
    }

    fn branch(&mut self, body: &mut Body, depth: u32) -> StmtKind {
        let condition = self.scalar_expr(body, Scalar::Bool);
        let then = self.block(body, depth - 1);
        let otherwise = if self.choices.below(2) == 0 { Block::new() } else { self.block(body, depth - 1) };
        StmtKind::If(condition, then, otherwise)
    }

    /// Generates a `for` of at most five rounds, sometimes at the end of its type's range, or empty.
    fn range(&mut self, body: &mut Body, depth: u32) -> StmtKind {
        let scalar = self.integer();
        let start = self.choices.literal(scalar);
        let rounds = self.choices.below(6) as i64 - 1;
        let end = match start {
            Value::U32(v) => Value::U32(v.saturating_add_signed(rounds as i32)),
            Value::I32(v) => Value::I32(v.saturating_add(rounds as i32)),
            Value::U64(v) => Value::U64(v.saturating_add_signed(rounds)),
            Value::I64(v) => Value::I64(v.saturating_add(rounds)),
            ref other => other.clone(),
        };
        let (inclusive, reverse) = (self.choices.below(2) == 1, self.choices.below(2) == 1);
        let before = body.scope.clone();
        let var = body.fixed(&scalar.into());
        let block = self.looped(body, depth);
        body.scope = before;
        let (start, end) = (literal(start, scalar), literal(end, scalar));
        StmtKind::For { var, start, end, inclusive, reverse, body: block }
    }

    fn looped(&mut self, body: &mut Body, depth: u32) -> Block {
        body.loops += 1;
        let block = self.block(body, depth - 1);
        body.loops -= 1;
        block
    }

    /// Generates a `while` or `loop` that a counter of its own ends.
    fn counted(&mut self, body: &mut Body, depth: u32, block: &mut Block) -> StmtKind {
        let counter = body.hidden(LocalKind::Value(Scalar::U32.into()));
        let word = |value| literal(Value::U32(value), Scalar::U32);
        let count = || load(Place::local(counter), Scalar::U32.into());
        let binary = |op, ty: Scalar, a: Expr, b: Expr| Expr {
            ty: ty.into(),
            kind: imminent_core::ir::ExprKind::Binary(op, Box::new(a), Box::new(b)),
        };
        block.push(body.stmt(StmtKind::Let(counter, Some(word(0)))));
        let limit = 1 + self.choices.below(4) as u32;
        let step = binary(BinaryOp::Add, Scalar::U32, count(), word(1));
        let step = body.stmt(StmtKind::Assign(Place::local(counter), step));
        if self.choices.below(2) == 0 {
            let below = binary(BinaryOp::Lt, Scalar::Bool, count(), word(limit));
            let also = self.scalar_expr(body, Scalar::Bool);
            let condition = binary(BinaryOp::And, Scalar::Bool, below, also);
            let mut rounds = vec![step];
            rounds.extend(self.looped(body, depth));
            return StmtKind::While(condition, rounds);
        }
        let over = binary(BinaryOp::Ge, Scalar::Bool, count(), word(limit));
        let leave = body.stmt(StmtKind::Break);
        let mut rounds = vec![body.stmt(StmtKind::If(over, vec![leave], vec![])), step];
        rounds.extend(self.looped(body, depth));
        StmtKind::Loop(rounds)
    }
}
