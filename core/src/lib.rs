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
//! | memory use | [`Device::memory`], [`MemoryStatistics`], [`host_memory`] |
//! | device capabilities | [`Capabilities`], [`Determinism`] |
//! | errors | [`Error`], [`Fault`], [`Limit`] |
//! | adding a backend | [`Backend`], [`backend`] |
//! | random numbers, fixed-point functions | [`random`], [`fixed`] |
//! | messages between rows | [`mail`], [`MailTable`] |
//! | neighbours in grids | [`grid`] |
//!
//! # Layers
//! The modules of this crate are layers. Each may use those before it in this list, and does not know those after it.
//!
//! 1. `error`, [`fault`], `capability`, [`host_memory`]: failures and the properties of devices, as data, and the
//!    memory of the host.
//! 2. [`data`], [`reduce`], [`lang`]: rows and values as a kernel sees them, on no device.
//! 3. [`native`], `source`, [`pool`], [`backend`]: what the author of a backend implements, over opaque buffers. A
//!    buffer has no owner here, and a command has no history.
//! 4. [`dispatch`], [`replay`], [`c_primitives`], [`kernel_cache`]: machinery that backends share. Nothing below
//!    uses it.
//! 5. `memory`: a buffer with its size, its validity and its last users. It puts no work on a queue.
//! 6. `launch`: a kernel with the memory that it uses, and a cache of launches that repeat. It knows no type of a row.
//! 7. `queue`: the order of operations, and the memory that a failed one makes invalid. It knows operations by the
//!    memory that they use.
//! 8. `device`: [`Device`], [`Queue`], [`Event`], [`Submission`], and transfers of bytes. It knows no kernel's
//!    arguments.
//! 9. `tables`: [`Table`], [`Column`], [`Scalar`] and other typed data, which it creates, reads and writes. It knows no
//!    launch of them.
//! 10. [`bind`]: checks data against the parameters of a [`Kernel`], and launches it. It knows no sequence of launches.
//! 11. `program`: [`Program`], a recorded sequence, and steps that a queue executes at once. A primitive is a command
//!     here.
//! 12. [`primitives`], `probe`, `pipeline`, [`random`], [`mail`]: portable primitives, [`Device::open`] with its probe
//!     of floats, [`Pipeline`], and the device library, all as a user could write them.
//!
//! A method stands in the layer that it needs: [`Queue::launch`] in `bind`, [`Table::grow`] in `primitives`.
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
pub mod data;
mod device;
pub mod dispatch;
mod error;
#[cfg(test)]
mod error_texts;
pub mod fault;
mod floats;
mod holder;
pub mod host_memory;
pub mod kernel;
pub mod kernel_cache;
pub mod lang;
mod launch;
mod library;
mod limit;
mod mailing;
mod memory;
pub mod native;
mod nearest;
mod pipeline;
pub mod pool;
pub mod primitives;
mod probe;
mod program;
mod queue;
pub mod reduce;
pub mod replay;
mod source;
mod tables;

pub use backend::Backend;
pub use backend::{Outcome, Progress, Stop};
pub use capability::{Capabilities, Determinism, DeviceInfo, DeviceKind, Faults, FloatProbe, Int64, Limits};
pub use data::{
    Clock, Data, Each, Extent, Group, Histories, History, Lane, Lanes, Params, Reach, Row, Rows, RowsBuf, Tally,
    TallyScalar,
};
pub use device::{Device, Event, Queue, Submission};
pub use error::{Error, Fault, Result};
pub use holder::Holder;
pub use imminent_ir as ir;
pub use imminent_macros::{Bundle, Params, Row, kernels};
pub use kernel::{Bundle, Kernel, KernelSource, ModuleSource};
pub use library::{fixed, grid, mail, random};
pub use limit::Limit;
pub use mailing::MailTable;
pub use memory::{MemoryStatistics, Plain, Staging};
#[doc(hidden)]
pub use nearest::nearest;
pub use pipeline::{Batch, Pipeline, Stages};
pub use primitives::{Reproducible, Unordered};
pub use program::{Program, ProgramBuilder};
pub use reduce::{ArgMin, Reducible};
pub use tables::{ClockTable, Column, Condition, GAP, HistoryTable, Output, Scalar, Selection, Table, TallyTable};
