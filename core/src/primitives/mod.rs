//! Primitives over columns: reductions, scans, selection, sorting, and moves of rows.
//!
//! They are methods of [`Queue`](crate::Queue), executed immediately, and of [`ProgramBuilder`](crate::ProgramBuilder),
//! executed at every replay. A column is a [`Column`](crate::Column) of a table, of which only its own bytes are read,
//! or a whole table of a bare scalar. Results stay on the device: as a [`Scalar`](crate::Scalar), a
//! [`Selection`](crate::Selection) or a table.
//!
//! | task | methods |
//! | --- | --- |
//! | least, greatest, sum | `min`, `max`, `sum`, `sum_as`, `arg_min`, `arg_max`, and `min_into`, `max_into`, `sum_into` |
//! | count of rows that pass a test | `count`, `any`, `all` |
//! | reductions by segment | `segmented_min`, `segmented_max`, `segmented_sum`, `segmented_sum_as` |
//! | a model's own associative operator | `fold` |
//! | running sum, least, greatest | `inclusive_scan`, `exclusive_scan` |
//! | rows that pass a test | `select`, `select_into` |
//! | sorting | `sort`, `sort_by_key` |
//! | grouping of rows by kind | `group_by` |
//! | distribution of values | `histogram` |
//! | moving rows and columns | `gather`, `scatter`, `fill`, `copy_column` |
//! | the event loop of cell models | `find_min_time` (a `min`), `find_imminents` (a `select` of equals) |
//!
//! # Determinism
//! All but sums of floats are [`Determinism::Exact`](crate::Determinism::Exact): the [`order`] of floats is total, so
//! no result depends on the division of the work. Sums of floats come in two classes, as types: [`Reproducible`] and
//! [`Unordered`].

mod element;
mod fold;
mod grow;
mod methods;
mod portable;
mod predicate;
mod record;

pub use crate::backend::ScanOp;
pub use crate::reduce::order;
pub use element::{AsColumn, Float, Integer, Number, Reproducible, SumClass, Unordered};
pub use predicate::{AsPredicate, Predicate, Threshold, ThresholdValue};
