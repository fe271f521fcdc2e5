//! The kernels that depend on the type of a cell's value: templates, which models of cells include.
//!
//! The including module declares what they use. Each uses the names of those above it.
//!
//! | template | contents | uses |
//! | --- | --- | --- |
//! | [`values`] | rows that contain values | types `Value`, `Facts` and `Model` |
//! | [`advance`] | kernel `step` | row `Feed`, constant `NO_INPUT`, functions `by_rows` and `same` |
//! | [`batch`] | kernel `rounds` | constant `UNDEFINED`, function `by_lanes` |
//! | [`change`] | kernels `enter` and `leave` | |
//! | [`ruled`] | `Feed`, `by_rows` and `by_lanes` of a user's rule | constants `MAX_NEIGHBOURS` and `LOOKS`, function `apply` |
//! | [`equality`], [`float_equality`] | `same` of scalars | |
//!
//! `UNDEFINED` is the value of a missing neighbour, and `NO_INPUT` the input of a cell to which none comes. `Feed` has
//! the fields `when` and `input`.
//!
//! | function | purpose |
//! | --- | --- |
//! | `by_rows(here, own, input, cells, scenario, random, kept) -> Next` | evaluates the rule with the values of neighbours in rows of cells, after the outputs of `here.time`; it may change the values that the cell keeps |
//! | `by_lanes(here, own, input, seen, first, scenario, random, kept, first_kept) -> Next` | evaluates the rule with the values of neighbours in the lanes of `seen`, from `first` on, and those that the cell keeps from `first_kept` on |
//! | `same(a, b, model) -> bool` | `true` if two values are equal |

mod advancing;
mod batches;
mod changes;
mod equalities;
mod rules;
mod valued;

pub use advancing::advance;
pub use batches::batch;
pub use changes::change;
pub use equalities::{equality, float_equality};
pub use rules::ruled;
pub use valued::values;
