//! Operators and assignments.

use super::Checker;
use super::requirement::Need;
use crate::hir::{Expr, Kind};
use crate::ty::Ty;
use imminent_ir::{BinaryOp, UnaryOp};
use syn::spanned::Spanned;

/// Returns the operator of the IR, its name, and `true` if it assigns.
fn operator(op: &syn::BinOp) -> Option<(BinaryOp, &'static str, bool)> {
    use syn::BinOp;
    Some(match op {
        BinOp::Add(_) => (BinaryOp::Add, "+", false),
        BinOp::Sub(_) => (BinaryOp::Sub, "-", false),
        BinOp::Mul(_) => (BinaryOp::Mul, "*", false),
        BinOp::Div(_) => (BinaryOp::Div, "/", false),
        BinOp::Rem(_) => (BinaryOp::Rem, "%", false),
        BinOp::And(_) => (BinaryOp::And, "&&", false),
        BinOp::Or(_) => (BinaryOp::Or, "||", false),
        BinOp::BitXor(_) => (BinaryOp::BitXor, "^", false),
        BinOp::BitAnd(_) => (BinaryOp::BitAnd, "&", false),
        BinOp::BitOr(_) => (BinaryOp::BitOr, "|", false),
        BinOp::Shl(_) => (BinaryOp::Shl, "<<", false),
        BinOp::Shr(_) => (BinaryOp::Shr, ">>", false),
        BinOp::Eq(_) => (BinaryOp::Eq, "==", false),
        BinOp::Lt(_) => (BinaryOp::Lt, "<", false),
        BinOp::Le(_) => (BinaryOp::Le, "<=", false),
        BinOp::Ne(_) => (BinaryOp::Ne, "!=", false),
        BinOp::Ge(_) => (BinaryOp::Ge, ">=", false),
        BinOp::Gt(_) => (BinaryOp::Gt, ">", false),
        BinOp::AddAssign(_) => (BinaryOp::Add, "+=", true),
        BinOp::SubAssign(_) => (BinaryOp::Sub, "-=", true),
        BinOp::MulAssign(_) => (BinaryOp::Mul, "*=", true),
        BinOp::DivAssign(_) => (BinaryOp::Div, "/=", true),
        BinOp::RemAssign(_) => (BinaryOp::Rem, "%=", true),
        BinOp::BitXorAssign(_) => (BinaryOp::BitXor, "^=", true),
        BinOp::BitAndAssign(_) => (BinaryOp::BitAnd, "&=", true),
        BinOp::BitOrAssign(_) => (BinaryOp::BitOr, "|=", true),
        BinOp::ShlAssign(_) => (BinaryOp::Shl, "<<=", true),
        BinOp::ShrAssign(_) => (BinaryOp::Shr, ">>=", true),
        _ => return None,
    })
}

impl<'a> Checker<'_, 'a> {
    pub(super) fn unary(&mut self, unary: &'a syn::ExprUnary) -> Expr {
        let span = unary.op.span();
        match unary.op {
            syn::UnOp::Deref(_) => {
                let inner = self.expr(&unary.expr);
                match (inner.ty, inner.kind) {
                    (Ty::Ref(ty, _), kind @ (Kind::Place(_) | Kind::Bundle(_))) => Expr::new(*ty, span, kind),
                    (Ty::Error, _) => Expr::error(span),
                    (ty, _) => {
                        let shown = self.show(&ty);
                        self.over(unary, format!("`*` wants a reference, this is `{shown}`: leave it out"));
                        Expr::error(span)
                    }
                }
            }
            syn::UnOp::Not(_) => {
                let operand = self.value(&unary.expr);
                self.need(&operand.ty.clone(), span, Need::Bits("!"));
                Expr::new(operand.ty.clone(), span, Kind::Unary(UnaryOp::Not, Box::new(operand)))
            }
            syn::UnOp::Neg(_) => {
                let operand = match &*unary.expr {
                    syn::Expr::Lit(lit) => self.literal(&lit.lit, true),
                    other => self.value(other),
                };
                self.need(&operand.ty.clone(), span, Need::Signed("`-`"));
                Expr::new(operand.ty.clone(), span, Kind::Unary(UnaryOp::Neg, Box::new(operand)))
            }
            _ => {
                self.over(unary, "this operator is outside the kernel language");
                Expr::error(span)
            }
        }
    }

    pub(super) fn binary(&mut self, binary: &'a syn::ExprBinary) -> Expr {
        let span = binary.op.span();
        let Some((op, name, assigns)) = operator(&binary.op) else {
            self.over(binary, "this operator is outside the kernel language");
            return Expr::error(span);
        };
        if assigns {
            let (place, ty) = self.place(&binary.left);
            self.require_writable(&place, binary.left.span());
            let value = self.operand(op, &binary.right);
            let ok = self.operands(op, name, &ty, &value.ty.clone(), span);
            return if ok {
                Expr::new(Ty::Unit, span, Kind::Update(place, op, Box::new(value), ty))
            } else {
                Expr::error(span)
            };
        }
        let left = self.value(&binary.left);
        let right = self.operand(op, &binary.right);
        if !self.operands(op, name, &left.ty.clone(), &right.ty.clone(), span) {
            return Expr::error(span);
        }
        let ty =
            if op.is_comparison() || matches!(op, BinaryOp::And | BinaryOp::Or) { Ty::BOOL } else { left.ty.clone() };
        Expr::new(ty, span, Kind::Binary(op, Box::new(left), Box::new(right)))
    }

    /// Checks the right operand. That of a shift may have any integer type, so a constant of otherwise unknown type is
    /// cast.
    fn operand(&mut self, op: BinaryOp, e: &'a syn::Expr) -> Expr {
        let value = self.value(e);
        match &value.kind {
            Kind::Outside(tokens)
                if matches!(op, BinaryOp::Shl | BinaryOp::Shr)
                    && matches!(self.infer.shallow(&value.ty), Ty::Var(_) | Ty::Usize) =>
            {
                self.infer.unify(&value.ty, &Ty::U32);
                Expr::new(Ty::U32, value.span, Kind::Outside(quote::quote!(#tokens as u32)))
            }
            _ => value,
        }
    }

    /// Records the requirements of an operator on its operands.
    fn operands(&mut self, op: BinaryOp, name: &'static str, left: &Ty, right: &Ty, span: proc_macro2::Span) -> bool {
        match op {
            BinaryOp::And | BinaryOp::Or => self.expect(left, &Ty::BOOL, span) && self.expect(right, &Ty::BOOL, span),
            BinaryOp::Shl | BinaryOp::Shr => {
                self.need(left, span, Need::Integer(format!("`{name}`")));
                self.need(right, span, Need::Integer("a shift count".to_owned()));
                true
            }
            _ => {
                if !self.infer.unify(left, right) {
                    let (l, r) = (self.show(left), self.show(right));
                    let hint = match (self.infer.shallow(left), self.infer.shallow(right)) {
                        (Ty::Ref(..), _) | (_, Ty::Ref(..)) => "write `*` before the reference".to_owned(),
                        (Ty::Scalar(a), Ty::Scalar(b)) => {
                            format!("convert one with `as {}`", if a.words() >= b.words() { a } else { b })
                        }
                        _ => "both sides must have the same type".to_owned(),
                    };
                    self.error(span, format!("`{name}` between `{l}` and `{r}`: {hint}"));
                    return false;
                }
                let need = match op {
                    BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => Need::Bits(name),
                    BinaryOp::Eq | BinaryOp::Ne => Need::Equality,
                    _ if op.is_comparison() => Need::Order,
                    _ => Need::Number(name),
                };
                self.need(left, span, need);
                true
            }
        }
    }

    pub(super) fn assign(&mut self, assign: &'a syn::ExprAssign) -> Expr {
        let span = assign.eq_token.span;
        if matches!(&*assign.left, syn::Expr::Infer(_)) {
            self.over(assign, "write `let _ = ..;`");
            return Expr::error(span);
        }
        let (place, ty) = self.place(&assign.left);
        if let Ty::Ref(inner, _) = &ty {
            let shown = self.show(inner);
            self.over(
                &assign.left,
                format!("this is a reference to `{shown}`: write `*` before it to assign what it refers to"),
            );
            return Expr::error(span);
        }
        if let Ty::Lanes(_) = &ty {
            self.over(&assign.left, "a lane array is assigned lane by lane: `me.lanes.set(i, value)`");
            return Expr::error(span);
        }
        self.require_writable(&place, assign.left.span());
        let value = self.value_of(&assign.right, &ty);
        Expr::new(Ty::Unit, span, Kind::Assign(place, Box::new(value)))
    }
}
