//! `x.pow(n)`, wrapping: by squaring, unrolled for a known exponent.

use super::Lowerer;
use crate::check::eval::small_constant;
use crate::hir::Expr;
use imminent_ir::{BinaryOp, Expr as IrExpr, ExprKind, Place as IrPlace, Scalar, StmtKind, Type, Value};

impl Lowerer<'_, '_> {
    pub(super) fn power(&mut self, base: &Expr, exponent: &Expr, ty: Type) -> IrExpr {
        let known = small_constant(self.program, exponent).filter(|n| *n <= 64);
        let mut operands = self.operands(&[base, exponent]).into_iter();
        let (Some(base), Some(exponent)) = (operands.next(), operands.next()) else { return self.zero(&ty) };
        match known {
            Some(known) => self.known_power(base, known, &ty),
            None => self.power_loop(base, exponent, &ty),
        }
    }

    fn known_power(&mut self, base: IrExpr, mut exponent: u32, ty: &Type) -> IrExpr {
        let mut square = self.spill(base);
        let mut result: Option<IrExpr> = None;
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = Some(match result {
                    Some(result) => {
                        let product = binary(BinaryOp::Mul, result, square.clone(), ty);
                        self.spill(product)
                    }
                    None => square.clone(),
                });
            }
            exponent >>= 1;
            if exponent > 0 {
                let product = binary(BinaryOp::Mul, square.clone(), square, ty);
                square = self.spill(product);
            }
        }
        result.unwrap_or_else(|| one(ty))
    }

    fn power_loop(&mut self, base: IrExpr, exponent: IrExpr, ty: &Type) -> IrExpr {
        let count_type = Type::Scalar(Scalar::U32);
        let (square, left, result) =
            (self.joined(ty.clone()), self.joined(count_type.clone()), self.joined(ty.clone()));
        self.push(StmtKind::Let(square, Some(base)));
        self.push(StmtKind::Let(left, Some(exponent)));
        self.push(StmtKind::Let(result, Some(one(ty))));
        let (body, ()) = self.nested(|this| {
            let low = binary(BinaryOp::BitAnd, this.load(left), Lowerer::u32(1), &count_type);
            let odd = truth(BinaryOp::Ne, low);
            let product = binary(BinaryOp::Mul, this.load(result), this.load(square), ty);
            let (multiply, ()) = this.nested(|this| this.push(StmtKind::Assign(IrPlace::local(result), product)));
            this.push(StmtKind::If(odd, multiply, Vec::new()));
            let squared = binary(BinaryOp::Mul, this.load(square), this.load(square), ty);
            this.push(StmtKind::Assign(IrPlace::local(square), squared));
            let halved = binary(BinaryOp::Shr, this.load(left), Lowerer::u32(1), &count_type);
            this.push(StmtKind::Assign(IrPlace::local(left), halved));
        });
        let more = truth(BinaryOp::Ne, self.load(left));
        self.push(StmtKind::While(more, body));
        self.load(result)
    }
}

fn one(ty: &Type) -> IrExpr {
    let scalar = ty.scalar().unwrap_or(Scalar::U32);
    let value = match scalar {
        Scalar::I32 => Value::I32(1),
        Scalar::U64 => Value::U64(1),
        Scalar::I64 => Value::I64(1),
        _ => Value::U32(1),
    };
    IrExpr::literal(value, scalar)
}

fn binary(op: BinaryOp, a: IrExpr, b: IrExpr, ty: &Type) -> IrExpr {
    IrExpr { ty: ty.clone(), kind: ExprKind::Binary(op, Box::new(a), Box::new(b)) }
}

/// Compares a count with zero.
fn truth(op: BinaryOp, count: IrExpr) -> IrExpr {
    IrExpr { ty: Type::Scalar(Scalar::Bool), kind: ExprKind::Binary(op, Box::new(count), Box::new(Lowerer::u32(0))) }
}
