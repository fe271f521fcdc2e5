//! Determinism class of a model.

use imminent_core::ir::flatten::{flatten, visit};
use imminent_core::ir::{Expr, Scalar, Type};
use imminent_core::{Determinism, Kernel};

/// Looks for values of a float type.
#[derive(Default)]
struct Floats(bool);

impl visit::Visitor for Floats {
    fn expr(&mut self, expr: &Expr) {
        self.0 |= matches!(expr.ty, Type::Scalar(Scalar::F32 | Scalar::F64));
    }
}

/// Returns the class of the results of a kernel: exact unless it computes with floats.
///
/// A module that cannot be read is of no class: its launch then reports the reason.
pub(super) fn class<K: Kernel>() -> Determinism {
    let source = K::SOURCE;
    let Ok(module) = source.module.ir() else { return Determinism::Exact };
    let Some(flat) = module.kernels.get(source.index as usize).and_then(|kernel| flatten(module, kernel).ok()) else {
        return Determinism::Exact;
    };
    let mut floats = Floats::default();
    flat.functions.iter().for_each(|function| visit::walk(&function.body, &mut floats));
    if floats.0 { Determinism::Reproducible } else { Determinism::Exact }
}
