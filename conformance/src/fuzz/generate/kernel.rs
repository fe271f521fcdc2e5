//! The kernel itself: its bindings, its body, and its phases.

use super::Generator;
use super::body::Body;
use imminent_core::ir::{
    Arg, Field, FieldType, FunctionId, Kernel, MAX_RESULTS, ParamKind, Place, Reduce, SCRATCH_BYTES, Scalar, Shape,
    StmtKind, Struct, StructId, StructRole, TallyOp, Type, Vote, words,
};

/// Bindings of a kernel.
struct Bindings {
    cell: StructId,
    post: StructId,
    other: StructId,
    block: StructId,
}

impl Generator<'_> {
    pub(super) fn kernel(&mut self) {
        let shapes = [
            Shape::Group(4),
            Shape::Group(1),
            Shape::Group(32),
            Shape::Group(77),
            Shape::Tile(2, 2),
            Shape::Tile(3, 5),
        ];
        if self.choices.below(3) == 2 {
            self.shape = self.choices.pick(&shapes).unwrap_or_default();
        }
        self.declarations();
        self.choose_tally();
        let cell = self.structure("Cell", StructRole::Row, true);
        let post = self.structure("Post", StructRole::Row, false);
        let other = self.structure("Other", StructRole::Row, true);
        let block = self.structure("Block", StructRole::Params, false);
        self.helpers(cell, other);
        let bindings = Bindings { cell, post, other, block };
        let (reduce, result) = self.reduction();
        let mut body = Body::new("kernel", 1, result);
        if self.shape.is_grouped() {
            self.grouped(&mut body, &bindings)
        } else {
            self.rows(&mut body, &bindings)
        }
        self.module.functions.push(body.function);
        let function = FunctionId(self.module.functions.len() as u32 - 1);
        self.module.kernels.push(Kernel { name: "kernel".to_owned(), function, reduce, shape: self.shape });
    }

    fn choose_tally(&mut self) {
        let scalar = self.integer();
        let ops = [TallyOp::Add, TallyOp::Or, TallyOp::And, TallyOp::Min, TallyOp::Max];
        let narrow = scalar.words() == 1 || self.abilities.wide_tally_min_max;
        let op = self.choices.pick(if narrow { &ops[..] } else { &ops[..3] }).unwrap_or(TallyOp::Add);
        self.tally = (scalar, op);
    }

    /// Chooses reductions and the type that is returned. Minima and maxima of floats are left out, since the order of
    /// zeros is not defined.
    fn reduction(&mut self) -> (Vec<Reduce>, Type) {
        match self.choices.below(9) {
            0 | 1 => (Vec::new(), Type::Unit),
            2 => (vec![Reduce::Count], Scalar::Bool.into()),
            3 if !self.shape.is_grouped() => (vec![Reduce::ArgMin], self.integer().into()),
            4 | 5 => {
                let count = 2 + self.choices.below(MAX_RESULTS - 1);
                let (reduces, scalars): (Vec<Reduce>, Vec<Scalar>) = (0..count).map(|_| self.keeping()).unzip();
                (reduces, Type::Struct(self.returned(&scalars)))
            }
            _ => {
                let (reduce, scalar) = self.keeping();
                (vec![reduce], scalar.into())
            }
        }
    }

    /// Chooses a reduction whose result has the type of the values, and that type.
    fn keeping(&mut self) -> (Reduce, Scalar) {
        match self.choices.below(4) {
            0 => (Reduce::Any, Scalar::Bool),
            1 => {
                let numbers: Vec<Scalar> = self.scalars().into_iter().filter(|one| *one != Scalar::Bool).collect();
                (Reduce::Sum, self.choices.pick(&numbers).unwrap_or(Scalar::U32))
            }
            2 => (Reduce::Min, self.integer()),
            _ => (Reduce::Max, self.integer()),
        }
    }

    /// Generates the struct that a kernel with several results returns.
    fn returned(&mut self, scalars: &[Scalar]) -> StructId {
        let field = |(at, scalar): (usize, &Scalar)| Field {
            name: format!("r{at}"),
            ty: FieldType::Value(Type::Scalar(*scalar)),
        };
        let fields = scalars.iter().enumerate().map(field).collect();
        let (name, origin) = ("Returned".to_owned(), "fuzz".to_owned());
        self.module.structs.push(Struct { name, origin, role: StructRole::Value, packed: false, fields });
        StructId(self.module.structs.len() as u32 - 1)
    }

    /// Adds the bindings common to rows and groups: the other table, the parameters, the tally.
    fn shared(&self, body: &mut Body, bindings: &Bindings) {
        body.param(&self.module, "other", ParamKind::Rows(bindings.other));
        body.param(&self.module, "block", ParamKind::Params(bindings.block));
        let tally = body.param(&self.module, "tally", ParamKind::Tally(self.tally.0));
        body.tallies.push((tally.base, self.tally.0, self.tally.1));
    }

    fn rows(&mut self, body: &mut Body, bindings: &Bindings) {
        body.param(&self.module, "me", ParamKind::Row(bindings.cell, true));
        let changes = self.choices.below(2) == 1;
        body.param(&self.module, "post", ParamKind::Row(bindings.post, changes));
        self.shared(body, bindings);
        body.param(&self.module, "id", ParamKind::Value(Scalar::U32.into()));
        self.fill(body);
    }

    fn grouped(&mut self, body: &mut Body, bindings: &Bindings) {
        let mut element = self.value_type();
        if words(&self.module, &element) * 4 * self.shape.size() > SCRATCH_BYTES {
            element = Scalar::U64.into();
        }
        body.param(&self.module, "group", ParamKind::Scratch(element.clone(), true));
        let cells = body.param(&self.module, "cells", ParamKind::Each(bindings.cell, true));
        body.param(&self.module, "post", ParamKind::Row(bindings.post, true));
        self.shared(body, bindings);
        let phases: Vec<(FunctionId, Option<Vote>, Vec<ParamKind>)> =
            (0..1 + self.choices.below(3)).map(|at| self.phase(at, &element, bindings)).collect();
        self.left = 30;
        // The phases are between the statements, and inside a loop and a branch of the group.
        for (at, (function, vote, params)) in phases.iter().enumerate() {
            let mut pieces = self.straight(body, 1, 5);
            let mut args = Vec::new();
            for kind in params {
                let resource = |wanted: &ParamKind| {
                    let same = |kind: &ParamKind| std::mem::discriminant(kind) == std::mem::discriminant(wanted);
                    let position = body.function.params.iter().position(|param| same(&param.kind)).unwrap_or(0);
                    let base = imminent_core::ir::Base::Param(imminent_core::ir::ParamId(position as u32));
                    Arg::Resource(Place { base, path: vec![] })
                };
                args.push(match kind {
                    ParamKind::Value(ty) => Arg::Value(self.expr(body, ty)),
                    ParamKind::Row(..) => Arg::Resource(cells.clone()),
                    other => resource(other),
                });
            }
            let into = vote.map(|vote| match vote {
                Vote::Count => body.fixed(&Scalar::U32.into()),
                Vote::Any | Vote::All => body.fixed(&Scalar::Bool.into()),
            });
            let phase = body.stmt(StmtKind::Phase { into, vote: *vote, function: *function, args });
            body.function.body.append(&mut pieces);
            body.function.body.push(phase);
            if at > 0 && self.choices.one_in(3) {
                self.repeat_last(body);
            }
        }
        self.fill(body);
    }

    /// Puts the last statement, a phase, into a loop or a branch; its vote can then not be read.
    fn repeat_last(&mut self, body: &mut Body) {
        let Some(last) = body.function.body.pop() else { return };
        if let StmtKind::Phase { into: Some(into), .. } = &last.kind {
            let into = *into;
            body.scope.readable.retain(|spot| spot.place != Place::local(into));
        }
        let condition = self.scalar_expr(body, Scalar::Bool);
        let kind = if self.choices.below(2) == 0 {
            StmtKind::If(condition, vec![last], vec![])
        } else {
            let var = body.hidden(imminent_core::ir::LocalKind::Value(Scalar::U32.into()));
            let word = |value| super::body::literal(imminent_core::ir::Value::U32(value), Scalar::U32);
            let end = word(1 + self.choices.below(3) as u32);
            StmtKind::For { var, start: word(0), end, inclusive: false, reverse: false, body: vec![last] }
        };
        let stmt = body.stmt(kind);
        body.function.body.push(stmt);
    }

    fn phase(&mut self, at: usize, element: &Type, bindings: &Bindings) -> (FunctionId, Option<Vote>, Vec<ParamKind>) {
        let vote = self.choices.pick(&[None, Some(Vote::Any), Some(Vote::All), Some(Vote::Count)]).flatten();
        let result = if vote.is_some() { Scalar::Bool.into() } else { Type::Unit };
        let mut body = Body::new(&format!("kernel::phase{}", at + 1), 100 * (at as u32 + 1), result);
        body.in_phase = true;
        body.most_loops = 1;
        let mut kinds = vec![ParamKind::Scratch(element.clone(), true)];
        let optional = [
            ParamKind::Row(bindings.cell, true),
            ParamKind::Rows(bindings.other),
            ParamKind::Params(bindings.block),
            ParamKind::Tally(self.tally.0),
            ParamKind::Value(self.value_type()),
        ];
        kinds.extend(optional.into_iter().filter(|_| self.choices.below(4) != 3));
        for (at, kind) in kinds.iter().enumerate() {
            let place = body.param(&self.module, &format!("p{at}"), kind.clone());
            if matches!(kind, ParamKind::Tally(_)) {
                body.tallies.push((place.base, self.tally.0, self.tally.1));
            }
        }
        self.left = 20;
        self.fill(&mut body);
        self.module.functions.push(body.function);
        (FunctionId(self.module.functions.len() as u32 - 1), vote, kinds)
    }
}
