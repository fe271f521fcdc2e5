//! Shapes of groups, and the rows of their phases.

use super::FlattenError;
use crate::flatten::{FlatKernel, Scope};
use crate::{Expr, ExprKind, GroupQuery, Reduce, SCRATCH_BYTES, Scalar, Shape, Type};

/// Checks that a kernel's groups are neither empty nor too large, and that their scratch fits.
pub(super) fn check(flat: &FlatKernel) -> Result<(), FlattenError> {
    let ill = |what: &str| {
        Err(FlattenError::IllFormed {
            kernel: flat.name.clone(),
            place: format!("kernel `{}`", flat.name),
            what: what.to_owned(),
        })
    };
    if !flat.shape.is_grouped() {
        return Ok(());
    }
    let size = flat.shape.size();
    if size == 0 || size > Shape::MAX_SIZE {
        return ill("a group of no rows, or of more than 256");
    }
    if flat.reduce.contains(&Reduce::ArgMin) {
        return ill("an arg-min over groups, which have no row");
    }
    let bytes = flat.scratch.as_ref().map_or(0, |ty| flat.words(ty).saturating_mul(4)).saturating_mul(size);
    if bytes > SCRATCH_BYTES {
        return ill("more scratch than a group may have");
    }
    Ok(())
}

/// Returns `true` if an argument is the number of the row for which a phase runs, which only the phase itself knows.
pub(super) fn is_row_of_phase(caller: Scope, callee: Scope, value: &Expr) -> bool {
    caller == Scope::Group
        && callee == Scope::Row
        && value.ty == Type::Scalar(Scalar::U32)
        && matches!(value.kind, ExprKind::Group(GroupQuery::Row))
}
