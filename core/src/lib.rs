//! Portable compute for discrete-event simulation.
//!
//! A model is written once: its state as [`Table`]s of rows, its rules as kernels in a `#[kernels]` module. It then
//! runs on any [`Backend`]. [`Device::open`] takes a backend; everything above it is the same for all backends.
//!
//! | idea | item |
//! | --- | --- |
//! | a kernel module | [`kernels`], [`Kernel`], [`ir`] |
//! | data on a device | [`Table`], [`Column`], [`Scalar`], [`TallyTable`] |
//! | running kernels | [`Queue::launch`], [`Program`] |
//! | reductions, scans, selection, sorting | [`primitives`], [`Selection`] |
//! | concurrent work | [`Device::new_queue`], [`Event`], [`Submission`], [`Staging`], [`Program::start`], [`Pipeline`] |
//! | memory use | [`Device::memory`], [`MemoryStatistics`] |
//! | device capabilities | [`Capabilities`], [`Determinism`] |
//! | errors | [`Error`], [`Fault`] |
//! | adding a backend | [`Backend`], [`backend`] |
//! | random numbers | [`random`] |
//!
//! # Contracts
//! * A kernel has the same meaning on every backend; integer results are equal bit for bit.
//! * No call panics, whatever its input. A failed launch poisons the tables that it would have written: reading one is
//!   an error that names the cause, never stale data.
//! * Work on a queue is done in order. A call that returns data waits for the work before it.

extern crate self as imminent_core;

pub mod backend;
pub mod bind;
pub mod c_primitives;
mod capability;
mod clock_table;
mod column;
pub mod data;
mod device;
pub mod dispatch;
mod error;
pub mod fault;
mod history_table;
mod holder;
pub mod kernel;
pub mod kernel_cache;
pub mod lang;
mod launch;
mod library;
mod memory;
pub mod native;
mod pipeline;
pub mod pool;
pub mod primitives;
mod probe;
mod program;
mod queue;
pub mod reduce;
pub mod replay;
mod scalar;
mod selection;
mod submission;
mod table;
mod tally_table;

pub use backend::Backend;
pub use backend::{Outcome, Progress, Stop};
pub use capability::{Capabilities, Determinism, DeviceInfo, DeviceKind, Faults, FloatProbe, Int64, Limits};
pub use clock_table::ClockTable;
pub use column::Column;
pub use data::{
    Clock, Data, Each, Extent, Group, Histories, History, Lane, Lanes, Params, Row, Rows, RowsBuf, Tally, TallyScalar,
};
pub use device::Device;
pub use error::{Error, Fault, Result};
pub use history_table::{HistoryTable, Reach};
pub use holder::Holder;
pub use imminent_ir as ir;
pub use imminent_macros::{Params, Row, kernels};
pub use kernel::{Kernel, KernelSource, ModuleSource};
pub use library::random;
pub use memory::{MemoryStatistics, Plain, Staging};
pub use pipeline::{Batch, Pipeline, Stages};
pub use primitives::{Reproducible, Unordered};
pub use program::{Condition, Program, ProgramBuilder};
pub use queue::{Event, Queue};
pub use reduce::{ArgMin, Reducible};
pub use scalar::{Output, Scalar};
pub use selection::{GAP, Selection};
pub use submission::Submission;
pub use table::Table;
pub use tally_table::TallyTable;
