//! Conversion of a kernel to a self-contained, monomorphic form, for lowerings.
//!
//! A function of the kernel language may take a row, a table, a lane array, a tally or a parameter block. None of these
//! is a value on a device: each is a buffer that the kernel names. [`flatten`](fn@flatten) follows every call from the
//! kernel's body and makes one copy of a function for each combination of buffers that it is given. Afterwards every
//! place names its binding, and only values remain to be passed: at most the number of the row.
//!
//! | In the module | In the flat kernel |
//! | --- | --- |
//! | a kernel's `&mut T` row | [`Base::Row`](crate::Base::Row) of its binding, at the local that holds the invocation's row number |
//! | a helper's row parameter, given a row of a table | [`Base::Row`](crate::Base::Row) of that table, at a `u32` parameter |
//! | a helper's row parameter, given a local struct | a value, or a value copied in and out |
//! | a helper's `Lanes` parameter | the lane field of such a row |
//! | `Rows`, `Tally` and parameter blocks | [`Base::Binding`](crate::Base::Binding), not passed at all |
//! | `Each` of a grouped kernel | nothing; a phase gets its rows at [`GroupQuery::Row`](crate::GroupQuery::Row) |
//! | a row of a grouped kernel | [`Base::Row`](crate::Base::Row) of its binding, at the local that holds the group's number |
//! | histories and clocks | tables; their operations become lanes and assertions (`history.rs` has the rule) |
//! | scratch | [`Base::Scratch`](crate::Base::Scratch), not passed at all |
//! | a local bound by [`StmtKind::BindRow`](crate::StmtKind::BindRow) | a `u32` local, and [`Base::Row`](crate::Base::Row) at it |
//!
//! In a grouped kernel a function that both phases and the code between them call has a copy for each ([`Scope`]).
//!
//! Operations on literals that a device's compiler might evaluate differently are evaluated here (`fold.rs`).
//!
//! The result has been checked: every identifier is in range, types agree, locals are declared once and before their
//! use, read-only data is never written. A lowering may rely on that.

mod access;
mod check;
mod declarations;
mod depth;
mod error;
mod facts;
mod flat;
mod fold;
mod history;
mod rewrite;
mod sizes;
mod specialise;
mod state;
#[cfg(test)]
mod tests;
mod typing;
pub mod visit;

pub use access::{Access, Facts, Spot, WordSet};
pub use error::FlattenError;
pub use flat::{
    Binding, BindingKind, FlatFunction, FlatKernel, FlatLocal, FlatParam, FlatSite, Scope, ScratchUse, StepSite,
};
pub use typing::PlaceType;

use crate::{Kernel, Module};

/// Specialises everything that a kernel reaches over its resources, and checks it.
///
/// # Errors
/// [`FlattenError`] if the module is not one that the macro writes: recursion, identifiers out of range, types that
/// disagree. It never panics, whatever the module contains.
pub fn flatten(module: &Module, kernel: &Kernel) -> Result<FlatKernel, FlattenError> {
    let module = &*history::with_rings(module, kernel);
    declarations::check(module, &kernel.name)?;
    let mut flat = specialise::specialise(module, kernel)?;
    check::check(&flat)?;
    fold::fold(&mut flat);
    facts::gather(&mut flat)?;
    Ok(flat)
}
