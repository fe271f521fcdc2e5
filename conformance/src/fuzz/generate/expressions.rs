//! Random expressions of a given type.

use super::Generator;
use super::body::{Body, Spot, literal, load, parts};
use imminent_core::ir::{
    BinaryOp, Builtin, Expr, ExprKind, FieldType, GroupQuery, Place, Scalar, Shape, Type, UnaryOp,
};

/// Largest nesting depth of expressions.
const DEPTH: u32 = 3;

impl Generator<'_> {
    /// Generates an expression of a type.
    pub(super) fn expr(&mut self, body: &Body, ty: &Type) -> Expr {
        self.at(body, ty, DEPTH)
    }

    pub(super) fn scalar_expr(&mut self, body: &Body, scalar: Scalar) -> Expr {
        self.at(body, &scalar.into(), DEPTH)
    }

    /// Returns every readable part of a type.
    fn found(&self, body: &Body, ty: &Type) -> Vec<Spot> {
        let mut all = Vec::new();
        body.scope.readable.iter().for_each(|spot| parts(&self.module, spot, &mut all));
        for (id, ty) in self.constants() {
            let place = Place { base: imminent_core::ir::Base::Const(id), path: vec![] };
            parts(&self.module, &Spot { place, ty: ty.clone() }, &mut all);
        }
        all.retain(|spot| spot.ty == *ty);
        all
    }

    fn at(&mut self, body: &Body, ty: &Type, depth: u32) -> Expr {
        let kind = self.choices.below(if depth == 0 { 3 } else { 9 });
        if kind > 0 {
            let found = self.found(body, ty);
            // Leaves are mostly loads.
            if (kind < 4 || depth == 0)
                && let Some(spot) = self.choices.pick(&found)
            {
                return load(spot.place, ty.clone());
            }
            if kind == 4 && depth > 0 {
                let condition = self.at(body, &Scalar::Bool.into(), depth - 1);
                let [a, b] = [0, 1].map(|_| Box::new(self.at(body, ty, depth - 1)));
                return Expr { ty: ty.clone(), kind: ExprKind::Select(Box::new(condition), a, b) };
            }
        }
        match ty {
            Type::Scalar(scalar) if kind > 0 && depth > 0 => self.computed(body, *scalar, depth - 1),
            Type::Scalar(_) | Type::Enum(_) | Type::Unit => {
                Expr { ty: ty.clone(), kind: ExprKind::Literal(self.constant(ty)) }
            }
            Type::Array(element, count) => {
                let depth = depth.saturating_sub(1);
                let kind = if kind.is_multiple_of(2) {
                    ExprKind::Repeat(Box::new(self.at(body, element, depth)))
                } else {
                    ExprKind::Array((0..*count).map(|_| self.at(body, element, depth)).collect())
                };
                Expr { ty: ty.clone(), kind }
            }
            Type::Struct(id) => {
                let fields = self.module.structs[id.index()].fields.clone();
                let depth = depth.saturating_sub(1);
                let fields = fields.iter().filter_map(|field| match &field.ty {
                    FieldType::Value(ty) => Some(self.at(body, ty, depth)),
                    FieldType::Lanes(_) => None,
                });
                Expr { ty: ty.clone(), kind: ExprKind::Struct(fields.collect()) }
            }
        }
    }

    fn of(&mut self, body: &Body, scalar: Scalar, depth: u32) -> Box<Expr> {
        Box::new(self.at(body, &scalar.into(), depth))
    }

    /// Generates an operation with a scalar result.
    fn computed(&mut self, body: &Body, to: Scalar, depth: u32) -> Expr {
        let kind = match self.choices.below(if to == Scalar::U32 { 6 } else { 5 }) {
            0 | 1 => self.binary(body, to, depth),
            2 => self.unary(body, to, depth),
            3 => self.builtin(body, to, depth),
            4 => self.cast(body, to, depth),
            _ => self.query(body),
        };
        Expr { ty: to.into(), kind }
    }

    fn binary(&mut self, body: &Body, to: Scalar, depth: u32) -> ExprKind {
        use BinaryOp as Op;
        let ops: &[Op] = match to {
            Scalar::Bool => match self.choices.below(3) {
                2 => &[Op::And, Op::Or, Op::BitAnd, Op::BitOr, Op::BitXor, Op::Eq, Op::Ne],
                _ => {
                    let op = self.choices.pick(&[Op::Lt, Op::Eq, Op::Ne, Op::Le, Op::Gt, Op::Ge]).unwrap_or(Op::Lt);
                    let of = self.scalar();
                    // Booleans have no order.
                    let op = if of == Scalar::Bool && op != Op::Eq { Op::Ne } else { op };
                    let [a, b] = [0, 1].map(|_| self.of(body, of, depth));
                    return ExprKind::Binary(op, a, b);
                }
            },
            Scalar::F32 | Scalar::F64 => &[Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Rem],
            _ => match self.choices.below(3) {
                2 => {
                    let op = self.choices.pick(&[Op::Shl, Op::Shr]).unwrap_or(Op::Shl);
                    let a = self.of(body, to, depth);
                    return ExprKind::Binary(op, a, self.of(body, Scalar::U32, depth));
                }
                _ => &[Op::Add, Op::Sub, Op::Mul, Op::BitAnd, Op::BitOr, Op::BitXor],
            },
        };
        let op = self.choices.pick(ops).unwrap_or(Op::Eq);
        let [a, b] = [0, 1].map(|_| self.of(body, to, depth));
        ExprKind::Binary(op, a, b)
    }

    fn unary(&mut self, body: &Body, to: Scalar, depth: u32) -> ExprKind {
        let op = match to {
            Scalar::Bool => UnaryOp::Not,
            to if to.is_float() || self.choices.below(2) == 0 => UnaryOp::Neg,
            _ => UnaryOp::Not,
        };
        ExprKind::Unary(op, self.of(body, to, depth))
    }

    /// Generates a built-in operation whose bits the language fixes. The sign and payload of a NaN are not, which
    /// excludes `copysign` and `to_bits`.
    fn builtin(&mut self, body: &Body, to: Scalar, depth: u32) -> ExprKind {
        use Builtin as B;
        let args = |this: &mut Self, scalars: &[Scalar]| -> Vec<Expr> {
            scalars.iter().map(|scalar| *this.of(body, *scalar, depth)).collect()
        };
        let wide = matches!(to, Scalar::U64 | Scalar::I64);
        if to.is_float() {
            let op =
                self.choices.pick(&[B::Abs, B::Sqrt, B::Floor, B::Ceil, B::Trunc, B::RoundTiesEven, B::Min, B::Max]);
            // The sign of a zero result of `min` and `max` is that of the first operand.
            return match op.unwrap_or(B::Abs) {
                op @ (B::Min | B::Max) => ExprKind::Builtin(op, args(self, &[to, to])),
                op => ExprKind::Builtin(op, args(self, &[to])),
            };
        }
        if to == Scalar::Bool {
            let floats: Vec<Scalar> = self.scalars().into_iter().filter(|scalar| scalar.is_float()).collect();
            return match self.choices.pick(&floats) {
                Some(of) => {
                    let op = self.choices.pick(&[B::IsNan, B::IsFinite]).unwrap_or(B::IsNan);
                    ExprKind::Builtin(op, args(self, &[of]))
                }
                None => self.unary(body, to, depth),
            };
        }
        let signed = match to {
            Scalar::U32 => Scalar::I32,
            Scalar::U64 => Scalar::I64,
            other => other,
        };
        match self.choices.below(14) {
            0 => ExprKind::Builtin(B::Min, args(self, &[to, to])),
            1 => ExprKind::Builtin(B::Max, args(self, &[to, to])),
            2 => ExprKind::Builtin(B::SaturatingAdd, args(self, &[to, to])),
            3 => ExprKind::Builtin(B::SaturatingSub, args(self, &[to, to])),
            4 => ExprKind::Builtin(B::RotateLeft, args(self, &[to, Scalar::U32])),
            5 => ExprKind::Builtin(B::RotateRight, args(self, &[to, Scalar::U32])),
            6 => ExprKind::Builtin(B::ReverseBits, args(self, &[to])),
            7 => ExprKind::Builtin(B::SwapBytes, args(self, &[to])),
            8 | 9 if to.is_signed() => {
                let op = self.choices.pick(&[B::Abs, B::Signum]).unwrap_or(B::Abs);
                ExprKind::Builtin(op, args(self, &[to]))
            }
            8 => ExprKind::Builtin(B::MulHigh, args(self, &[to, to])),
            9 => {
                let of = self.choices.pick(&[to, signed]).unwrap_or(to);
                ExprKind::Builtin(B::AbsDiff, args(self, &[of, of]))
            }
            _ if !wide && to == Scalar::U32 => {
                let op = self.choices.pick(&[B::CountOnes, B::LeadingZeros, B::TrailingZeros]).unwrap_or(B::CountOnes);
                let of = self.integer();
                ExprKind::Builtin(op, args(self, &[of]))
            }
            _ => ExprKind::Builtin(B::Min, args(self, &[to, to])),
        }
    }

    fn cast(&mut self, body: &Body, to: Scalar, depth: u32) -> ExprKind {
        let from: Vec<Type> = match to {
            Scalar::Bool => vec![Scalar::Bool.into()],
            Scalar::F32 | Scalar::F64 => {
                self.scalars().into_iter().filter(|from| *from != Scalar::Bool).map(Type::from).collect()
            }
            _ => {
                let enums = (0..self.module.enums.len() as u32).map(|id| Type::Enum(imminent_core::ir::EnumId(id)));
                self.scalars().into_iter().map(Type::from).chain(enums).collect()
            }
        };
        let from = self.choices.pick(&from).unwrap_or(to.into());
        ExprKind::Cast(Box::new(self.at(body, &from, depth)))
    }

    /// Generates a query of tables, tallies, lanes or the group: a `u32`.
    fn query(&mut self, body: &Body) -> ExprKind {
        let mut all: Vec<ExprKind> = body.tables.iter().map(|(base, _)| ExprKind::RowsLen(*base)).collect();
        all.extend(body.tallies.iter().map(|(base, ..)| ExprKind::TallyLen(*base)));
        all.extend(body.scope.lanes.iter().map(|lanes| ExprKind::LanesCapacity(lanes.place.clone())));
        if body.scratch.is_some() {
            use GroupQuery as Q;
            let mut queries = vec![Q::Index, Q::Len, Q::Size];
            if body.in_phase {
                queries.extend([Q::Lane, Q::Row]);
                if matches!(self.shape, Shape::Tile(..)) {
                    queries.extend([Q::X, Q::Y]);
                }
            }
            all.extend(queries.into_iter().map(ExprKind::Group));
        }
        let none = literal(imminent_core::ir::Value::U32(3), Scalar::U32).kind;
        self.choices.pick(&all).unwrap_or(none)
    }
}
