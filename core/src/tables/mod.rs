//! Typed data on a device: tables and their columns, scalars, tallies, clocks, histories, and lists of rows.
//!
//! Data is created, read and written here; kernels and programs that use it are unknown.

mod clock;
mod column;
mod condition;
mod history;
mod pieces;
mod ragged;
mod scalar;
mod selection;
mod table;
mod tally;
mod transfer;

pub use clock::ClockTable;
pub use column::Column;
pub use condition::Condition;
pub use history::HistoryTable;
pub use scalar::{Output, Scalar};
pub use selection::{GAP, Selection};
pub use table::Table;
pub(crate) use table::checked_places;
pub use tally::TallyTable;
