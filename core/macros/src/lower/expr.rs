//! Values.

use super::{Dest, Lowerer, effects, line_of};
use crate::hir::{Arg, Base, Expr, Kind, Place};
use crate::ty::Ty;
use imminent_ir::{
    Arg as IrArg, BinaryOp, Builtin, Expr as IrExpr, ExprKind, FaultKind, FunctionId, LocalId, Place as IrPlace,
    Scalar, StmtKind, StructId, Type, UnaryOp, Value,
};

impl Lowerer<'_, '_> {
    /// Returns the value of an expression, after emitting the statements that it needs first.
    pub(super) fn value(&mut self, e: &Expr) -> IrExpr {
        self.line = line_of(e.span);
        let deep = self.infer.deep(&e.ty);
        if matches!(deep, Ty::Never | Ty::Unit) {
            self.put(e, Dest::Drop);
            return Lowerer::u32(0);
        }
        let ty = deep.to_ir().unwrap_or(Type::Unit);
        let kind = match &e.kind {
            Kind::Integer(n) => ExprKind::Literal(integer(&ty, *n, false)),
            Kind::Float(digits) => ExprKind::Literal(self.float(&ty, digits)),
            Kind::Value(value) => ExprKind::Literal(value.clone()),
            Kind::Outside(tokens) => {
                let id = self.program.outside_const(tokens, &ty);
                ExprKind::Load(IrPlace { base: imminent_ir::Base::Const(id), path: Vec::new() })
            }
            Kind::Place(place) if self.is_plain(place) => {
                let (place, _) = self.place(place);
                ExprKind::Load(place)
            }
            Kind::Unary(UnaryOp::Neg, operand) if matches!(operand.kind, Kind::Integer(_)) => {
                let Kind::Integer(n) = operand.kind else { return self.zero(&ty) };
                ExprKind::Literal(integer(&ty, n, true))
            }
            Kind::Unary(op, operand) => ExprKind::Unary(*op, Box::new(self.value(operand))),
            Kind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => return self.short_circuit(e, a, b),
            Kind::Binary(op, a, b) if !self.may_fault(*op, &a.ty) => {
                let mut operands = self.operands(&[a, b]).into_iter();
                match (operands.next(), operands.next()) {
                    (Some(a), Some(b)) => {
                        let b = if matches!(op, BinaryOp::Shl | BinaryOp::Shr) { shift_count(b) } else { b };
                        ExprKind::Binary(*op, Box::new(a), Box::new(b))
                    }
                    _ => return self.zero(&ty),
                }
            }
            Kind::Cast(operand) => return self.cast(operand, ty),
            Kind::Wrapping(inner) => return self.value(inner),
            Kind::Builtin(op, args) => ExprKind::Builtin(*op, self.operands(&args.iter().collect::<Vec<_>>())),
            Kind::Power(base, exponent) => return self.power(base, exponent, ty),
            Kind::Clamp(x, low, high) => return self.clamp(x, low, high, ty),
            Kind::Struct(id, fields, base) => self.struct_value(*id, fields, base.as_deref()),
            Kind::Array(elements) => ExprKind::Array(self.operands(&elements.iter().collect::<Vec<_>>())),
            Kind::Repeat(element) => ExprKind::Repeat(Box::new(self.value(element))),
            Kind::RowsLen(place) => ExprKind::RowsLen(self.place(place).0.base),
            Kind::TallyLen(place) => ExprKind::TallyLen(self.place(place).0.base),
            Kind::Group(query) => ExprKind::Group(*query),
            Kind::ClockFirst(place) => ExprKind::ClockFirst(self.place(place).0.base),
            Kind::LanesCapacity(place) => ExprKind::LanesCapacity(self.place(place).0),
            // Not reached: the checker takes every bundle apart.
            Kind::Bundle(_) => return self.zero(&ty),
            Kind::If(condition, then, Some(otherwise))
                if self.is_simple(then) && self.is_simple(otherwise) && ty.scalar().is_some() =>
            {
                let condition = self.value(condition);
                let (then, otherwise) = (self.value(then), self.value(otherwise));
                ExprKind::Select(Box::new(condition), Box::new(then), Box::new(otherwise))
            }
            Kind::Block(block) if block.stmts.is_empty() && block.tail.is_some() => {
                return match &block.tail {
                    Some(tail) => self.value(tail),
                    None => self.zero(&ty),
                };
            }
            Kind::Block(_) | Kind::If(..) | Kind::Match(..) | Kind::Loop(_) => {
                let local = self.joined(ty);
                self.push(StmtKind::Let(local, None));
                self.put(e, Dest::Into(local));
                return self.load(local);
            }
            _ => {
                let local = self.temporary(ty);
                self.declare(e, local);
                return self.load(local);
            }
        };
        IrExpr { ty, kind }
    }

    /// Declares a local with the value of an expression.
    pub(super) fn declare(&mut self, e: &Expr, local: LocalId) {
        self.line = line_of(e.span);
        match &e.kind {
            Kind::Binary(op @ (BinaryOp::Div | BinaryOp::Rem), a, b) if self.may_fault(*op, &a.ty) => {
                let mut operands = self.operands(&[a, b]).into_iter();
                if let (Some(a), Some(b)) = (operands.next(), operands.next()) {
                    self.divide(*op, local, a, b, e.span);
                }
            }
            Kind::Place(place) if !self.is_plain(place) => {
                let (lowered, checked) = self.place(place);
                self.line = line_of(e.span);
                if checked {
                    let site = self.site(FaultKind::IndexOutOfRange, place.site);
                    self.push(StmtKind::Load(local, lowered, site));
                } else {
                    let ty = self.ty(&e.ty);
                    self.push(StmtKind::Let(local, Some(IrExpr { ty, kind: ExprKind::Load(lowered) })));
                }
            }
            Kind::LaneGet(place, index) => {
                let (lanes, _) = self.place(place);
                let index = self.value(index);
                let site = self.site(FaultKind::LaneOutOfRange, e.span);
                self.push(StmtKind::LaneGet { into: local, lanes, index, site });
            }
            Kind::Word(place, op, slot, value) => {
                self.put_word(e, Some(local), (place, *op), slot, value.as_deref());
            }
            Kind::HistoryGet(place, row, step) => self.history_get(e, local, place, row.as_deref(), step),
            Kind::Call(function, args) => self.put_call(*function, args, Some(local)),
            Kind::Phase(phase) => self.put_phase(phase, Some(local)),
            Kind::ScratchGet(place, index) => {
                let scratch = self.place(place).0.base;
                let index = self.value(index);
                self.line = line_of(e.span);
                let site = self.site(FaultKind::ScratchOutOfRange, e.span);
                self.push(StmtKind::ScratchGet { into: local, scratch, index, site });
            }
            Kind::ScratchOwn(place) => {
                let scratch = self.place(place).0.base;
                self.push(StmtKind::ScratchOwn { into: local, scratch });
            }
            Kind::Block(_) | Kind::If(..) | Kind::Match(..) | Kind::Loop(_) if !self.is_simple(e) => {
                self.stable.remove(&local);
                self.push(StmtKind::Let(local, None));
                self.put(e, Dest::Into(local));
            }
            _ => {
                let line = self.line;
                let value = self.value(e);
                self.line = line;
                self.push(StmtKind::Let(local, Some(value)));
            }
        }
    }

    /// Returns `true` if an operator is an integer division.
    pub(super) fn may_fault(&self, op: BinaryOp, ty: &Ty) -> bool {
        matches!(op, BinaryOp::Div | BinaryOp::Rem) && self.is_integer(ty)
    }

    pub(super) fn divide(&mut self, op: BinaryOp, into: LocalId, a: IrExpr, b: IrExpr, span: proc_macro2::Span) {
        if op == BinaryOp::Div {
            let site = self.site(FaultKind::DivisionByZero, span);
            self.push(StmtKind::Divide(into, a, b, site));
        } else {
            let site = self.site(FaultKind::RemainderByZero, span);
            self.push(StmtKind::Remainder(into, a, b, site));
        }
    }

    /// Returns `true` if evaluating an expression needs no statement, whatever the types.
    pub(super) fn is_simple(&self, e: &Expr) -> bool {
        match &e.kind {
            Kind::Integer(_) | Kind::Float(_) | Kind::Value(_) | Kind::Outside(_) => true,
            Kind::Place(place) => self.is_plain(place),
            Kind::Unary(_, x) | Kind::Cast(x) | Kind::Wrapping(x) => self.is_simple(x),
            Kind::Binary(op, a, b) => !self.may_fault(*op, &a.ty) && self.is_simple(a) && self.is_simple(b),
            Kind::Builtin(_, args) => args.iter().all(|arg| self.is_simple(arg)),
            Kind::Block(block) => {
                block.stmts.is_empty() && block.tail.as_ref().is_some_and(|tail| self.is_simple(tail))
            }
            Kind::If(c, a, Some(b)) => {
                self.infer.deep(&e.ty).to_ir().is_some_and(|ty| ty.scalar().is_some())
                    && self.is_simple(c)
                    && self.is_simple(a)
                    && self.is_simple(b)
            }
            _ => false,
        }
    }

    fn short_circuit(&mut self, e: &Expr, a: &Expr, b: &Expr) -> IrExpr {
        let Kind::Binary(op, ..) = &e.kind else { return self.zero(&Type::Scalar(Scalar::Bool)) };
        let left = self.value(a);
        let (stmts, right) = self.nested(|this| this.value(b));
        if stmts.is_empty() {
            return IrExpr {
                ty: Type::Scalar(Scalar::Bool),
                kind: ExprKind::Binary(*op, Box::new(left), Box::new(right)),
            };
        }
        let local = self.joined(Type::Scalar(Scalar::Bool));
        self.push(StmtKind::Let(local, Some(left)));
        let mut evaluate = stmts;
        evaluate.push(imminent_ir::Stmt { line: self.line, kind: StmtKind::Assign(IrPlace::local(local), right) });
        let known = self.load(local);
        let stmt = if *op == BinaryOp::And {
            StmtKind::If(known, evaluate, Vec::new())
        } else {
            StmtKind::If(known, Vec::new(), evaluate)
        };
        self.push(stmt);
        self.load(local)
    }

    fn float(&self, ty: &Type, digits: &str) -> Value {
        let scalar = ty.scalar().unwrap_or(Scalar::F32);
        crate::values::float(scalar, digits).unwrap_or(Value::F32(0))
    }

    fn cast(&mut self, operand: &Expr, ty: Type) -> IrExpr {
        // A `usize` is a constant here: the checker has ensured it.
        if self.infer.deep(&operand.ty) == Ty::Usize {
            let wide = match crate::check::eval::evaluate(self.program, self.infer, operand) {
                Ok(Value::U64(n)) => n,
                _ => 0,
            };
            let literal = IrExpr::literal(Value::U64(wide), Scalar::U64);
            return narrow(literal, ty);
        }
        let operand = self.value(operand);
        narrow(operand, ty)
    }

    fn clamp(&mut self, x: &Expr, low: &Expr, high: &Expr, ty: Type) -> IrExpr {
        let operands: Vec<IrExpr> = self.operands(&[x, low, high]).into_iter().map(|x| self.keep(x)).collect();
        let [x, low, high] = operands.as_slice() else { return self.zero(&ty) };
        let compare = |op, a: &IrExpr, b: &IrExpr| IrExpr {
            ty: Type::Scalar(Scalar::Bool),
            kind: ExprKind::Binary(op, Box::new(a.clone()), Box::new(b.clone())),
        };
        let select = |c, a: IrExpr, b: IrExpr| IrExpr {
            ty: ty.clone(),
            kind: ExprKind::Select(Box::new(c), Box::new(a), Box::new(b)),
        };
        let upper = select(compare(BinaryOp::Gt, x, high), high.clone(), x.clone());
        let clamped = select(compare(BinaryOp::Lt, x, low), low.clone(), upper);
        if !ty.scalar().is_some_and(Scalar::is_float) {
            return clamped;
        }
        // Explicitly: a driver has been seen to turn the comparisons into a minimum and a maximum, which lose a NaN.
        let kind = ExprKind::Builtin(Builtin::IsNan, vec![x.clone()]);
        select(IrExpr { ty: Type::Scalar(Scalar::Bool), kind }, x.clone(), clamped)
    }

    fn struct_value(&mut self, id: StructId, fields: &[(u32, Expr)], base: Option<&Expr>) -> ExprKind {
        let count = self.program.module.structs[id.index()].fields.len();
        let mut operands: Vec<&Expr> = fields.iter().map(|(_, value)| value).collect();
        operands.extend(base);
        let mut lowered = self.operands(&operands).into_iter();
        let mut values: Vec<Option<IrExpr>> = vec![None; count];
        for (position, _) in fields {
            values[*position as usize] = lowered.next();
        }
        let base = lowered.next().map(|base| match base.kind {
            ExprKind::Load(place) => place,
            _ => match self.spill(base).kind {
                ExprKind::Load(place) => place,
                _ => IrPlace::local(LocalId(0)),
            },
        });
        let struct_fields = self.program.module.structs[id.index()].fields.clone();
        let filled = values.into_iter().enumerate().filter_map(|(position, value)| {
            value.or_else(|| {
                let mut place = base.clone()?;
                place.path.push(imminent_ir::Step::Field(position as u32));
                let imminent_ir::FieldType::Value(ty) = &struct_fields[position].ty else { return None };
                Some(IrExpr { ty: ty.clone(), kind: ExprKind::Load(place) })
            })
        });
        ExprKind::Struct(filled.collect())
    }

    /// Emits a call, and copies back the arguments given as `&mut array[i]`.
    pub(super) fn put_call(&mut self, function: FunctionId, args: &[Arg], into: Option<LocalId>) {
        let line = self.line;
        let mut lowered = Vec::new();
        let mut copied_back = Vec::new();
        for (position, arg) in args.iter().enumerate() {
            lowered.push(match arg {
                Arg::Value(value) => {
                    let value = self.value(value);
                    let later = args[position + 1..].iter().any(effects::arg_mutates);
                    IrArg::Value(if later { self.keep(value) } else { value })
                }
                Arg::Resource(place, _) => self.resource(place),
                Arg::InOut(place, mutable) => IrArg::InOut(self.in_out(place, *mutable, &mut copied_back)),
            });
        }
        self.line = line;
        self.push(StmtKind::Call { into, function, args: lowered });
        for (place, local, site) in copied_back {
            let value = self.load(local);
            self.push(StmtKind::Store(place, value, site));
        }
    }

    fn in_out(
        &mut self,
        place: &Place,
        mutable: bool,
        copied_back: &mut Vec<(IrPlace, LocalId, imminent_ir::SiteId)>,
    ) -> IrPlace {
        let ty = self.place_type(place);
        let (lowered, checked) = self.place(place);
        if !checked {
            if matches!(place.base, Base::Const(_)) {
                let local = self.joined(ty.clone());
                self.push(StmtKind::Let(local, Some(IrExpr { ty, kind: ExprKind::Load(lowered) })));
                return IrPlace::local(local);
            }
            return lowered;
        }
        let frozen = self.freeze(lowered);
        let site = self.site(FaultKind::IndexOutOfRange, place.site);
        let local = self.joined(ty);
        self.push(StmtKind::Load(local, frozen.clone(), site));
        if mutable {
            copied_back.push((frozen, local, site));
        }
        IrPlace::local(local)
    }

    /// Emits effects that are separate statements.
    pub(super) fn put_effect(&mut self, e: &Expr) {
        match &e.kind {
            Kind::LaneSet(place, index, value) => {
                let (lanes, _) = self.place(place);
                let mut operands = self.operands(&[index, value]).into_iter();
                if let (Some(index), Some(value)) = (operands.next(), operands.next()) {
                    self.line = line_of(e.span);
                    let site = self.site(FaultKind::LaneOutOfRange, e.span);
                    self.push(StmtKind::LaneSet { lanes, index, value, site });
                }
            }
            Kind::HistorySet(place, step, value) => self.history_set(e, place, step, value),
            Kind::ScratchSet(place, value) => {
                let scratch = self.place(place).0.base;
                let value = self.value(value);
                self.line = line_of(e.span);
                self.push(StmtKind::ScratchSet { scratch, value });
            }
            Kind::Tally(place, op, slot, value) => {
                let tally = self.place(place).0.base;
                let mut operands = self.operands(&[slot, value]).into_iter();
                if let (Some(slot), Some(value)) = (operands.next(), operands.next()) {
                    self.line = line_of(e.span);
                    let site = self.site(FaultKind::TallyOutOfRange, e.span);
                    self.push(StmtKind::Tally { tally, op: *op, slot, value, site });
                }
            }
            Kind::Assert(condition) => {
                let condition = self.value(condition);
                self.line = line_of(e.span);
                let site = self.site(FaultKind::Assertion, e.span);
                self.push(StmtKind::Assert(condition, site));
            }
            _ => {}
        }
    }
}

fn integer(ty: &Type, n: u128, negative: bool) -> Value {
    let n = if negative { (n as i128).wrapping_neg() } else { n as i128 };
    match ty.scalar() {
        Some(Scalar::I32) => Value::I32(n as i32),
        Some(Scalar::U64) => Value::U64(n as u64),
        Some(Scalar::I64) => Value::I64(n as i64),
        _ => Value::U32(n as u32),
    }
}

/// Returns a conversion, omitted if the type is already right.
fn narrow(operand: IrExpr, ty: Type) -> IrExpr {
    if operand.ty == ty {
        return operand;
    }
    IrExpr { ty, kind: ExprKind::Cast(Box::new(operand)) }
}

/// Returns the count of a shift as a `u32`: only its low bits matter.
pub(super) fn shift_count(count: IrExpr) -> IrExpr {
    narrow(count, Type::Scalar(Scalar::U32))
}
