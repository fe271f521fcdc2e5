//! Float types with which kernels compute.

use imminent_ir::flatten::visit::{self, Visitor};
use imminent_ir::{Builtin, Expr, ExprKind, FunctionId, Kernel, Module, Scalar, Stmt, StmtKind, Type};

/// Float types with which a kernel computes, or whose values it reduces. Copies of values do not count: they keep their
/// bits on every device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Floats {
    pub(crate) single: bool,
    pub(crate) double: bool,
}

impl Floats {
    /// Finds the float types of a kernel and of all functions that it calls.
    pub(crate) fn of(module: &Module, kernel: &Kernel) -> Floats {
        let mut search = Search { floats: Floats::default(), called: vec![kernel.function] };
        let mut next = 0;
        while let Some(function) = search.called.get(next).and_then(|id| module.functions.get(id.index())) {
            visit::walk(&function.body, &mut search);
            next += 1;
        }
        let results = module.results(kernel);
        results.iter().flat_map(|results| results.iter()).for_each(|one| search.floats.add(one.scalar));
        search.floats
    }

    fn add(&mut self, scalar: Scalar) {
        self.single |= scalar == Scalar::F32;
        self.double |= scalar == Scalar::F64;
    }
}

struct Search {
    floats: Floats,
    /// Functions that were found, those already walked first.
    called: Vec<FunctionId>,
}

impl Search {
    fn computed(&mut self, expr: &Expr) {
        if let Type::Scalar(scalar) = expr.ty {
            self.floats.add(scalar);
        }
    }
}

impl Visitor for Search {
    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Call { function, .. } | StmtKind::Phase { function, .. } = &stmt.kind
            && !self.called.contains(function)
        {
            self.called.push(*function);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        let operands: &[&Expr] = match &expr.kind {
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => &[&**a],
            ExprKind::Binary(_, a, b) => &[&**a, &**b],
            ExprKind::Builtin(Builtin::ToBits | Builtin::FromBits, _) => return,
            ExprKind::Builtin(_, operands) => {
                operands.iter().for_each(|operand| self.computed(operand));
                &[]
            }
            _ => return,
        };
        self.computed(expr);
        operands.iter().for_each(|operand| self.computed(operand));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[crate::kernels]
    mod kinds {
        #[derive(Row)]
        pub struct Point {
            pub x: f32,
            pub y: f64,
            pub bits: u32,
            pub near: bool,
        }

        fn half(x: f32) -> f32 {
            x * 0.5
        }

        #[kernel]
        pub fn moves(me: &mut Point, all: &Rows<Point>) {
            me.x = all.get(0).x;
            me.y = 1.5;
            me.bits = f32::from_bits(me.bits + 1).to_bits();
        }

        #[kernel]
        pub fn calls(me: &mut Point) {
            me.x = half(me.x);
        }

        #[kernel]
        pub fn compares(me: &mut Point) {
            me.near = me.y < 1.0;
        }

        #[kernel]
        pub fn casts(me: &mut Point) {
            me.x = me.bits as f32;
        }

        #[kernel(reduce = sum)]
        pub fn sums(me: &Point) -> f64 {
            me.y
        }
    }

    #[test]
    fn computing_and_reducing_count_and_moving_does_not() {
        let module = <kinds::moves as crate::Kernel>::SOURCE.module.ir().unwrap();
        let of = |name: &str| Floats::of(module, module.kernel(name).unwrap());
        let (single, double) = (Floats { single: true, double: false }, Floats { single: false, double: true });
        assert_eq!(
            ["moves", "calls", "compares", "casts", "sums"].map(of),
            [Floats::default(), single, double, single, double]
        );
    }
}
