//! Native execution: tables of Rust structs, and calls of the functions that `#[kernels]` compiled by rustc.
//!
//! A backend whose memory is the host's stores every table as a [`NativeTable`] and runs kernels through their
//! [`Entry`]. The macro's entries contain no `unsafe`: a [`Call`] hands each of them the rows of its range.

mod call;
pub(crate) mod clock;
mod erased;
mod groups;
mod history;
mod made;
mod natives;
mod run;
mod slot;
mod table;

pub use call::{Call, Entry, NativeError};
pub(crate) use clock::row::Now;
pub use erased::{ErasedTable, ErasedTally, RunTasks, Task};
pub use groups::{EachMut, EachRef, Groups, band};
pub use history::HistoryOf;
pub use made::Native;
pub use natives::natives;
pub use slot::Slot;
pub use table::NativeTable;
