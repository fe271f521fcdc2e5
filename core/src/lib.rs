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
//! | adding a backend | [`Backend`], [`backend`]; `imminent-device` for devices |
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
//! 3. [`native`], `source`, [`backend`]: what the author of a backend implements, over opaque buffers. A buffer has no
//!    owner here, and a command has no history. What backends for devices share is a package of its own,
//!    `imminent-device`.
//! 4. `memory`: a buffer with its size, its validity and its last users. It puts no work on a queue.
//! 5. `launch`: a kernel with the memory that it uses, and a cache of launches that repeat. It knows no type of a row.
//! 6. `queue`: the order of operations, and the memory that a failed one makes invalid. It knows operations by the
//!    memory that they use.
//! 7. `device`: [`Device`], [`Queue`], [`Event`], [`Submission`], and transfers of bytes. It knows no kernel's
//!    arguments.
//! 8. `tables`: [`Table`], [`Column`], [`Scalar`] and other typed data, which it creates, reads and writes. It knows no
//!    launch of them.
//! 9. [`bind`]: checks data against the parameters of a [`Kernel`], and launches it. It knows no sequence of launches.
//! 10. `program`: [`Program`], a recorded sequence, and steps that a queue executes at once. A primitive is a command
//!     here.
//! 11. [`primitives`], `probe`, `pipeline`, [`random`], [`mail`]: portable primitives, [`Device::open`] with its probe
//!     of floats, [`Pipeline`], and the device library, all as a user could write them.
//!
//! A method stands in the layer that it needs: [`Queue::launch`] in `bind`, [`Table::grow`] in `primitives`.
//!
//! # Who may do what
//! | who | may | leaves to others |
//! | --- | --- | --- |
//! | a model | create tables, launch kernels, record programs, on any number of queues and threads | which backend runs them: a model names none |
//! | a program | open a [`Device`] of a backend, set limits, allow weaker classes of floats, cancel a [`Program`] | order of operations on one memory, which queues keep |
//! | this crate | call a [`Backend`], with arguments that it has checked | how a device stores, compiles and runs |
//! | a backend | rely on what each method of [`Backend`] says of its arguments | types of rows, borrowing, poisoning, order between queues |
//!
//! Implementations of [`Kernel`] are written by [`kernels`]. The native functions and the IR of a kernel must agree,
//! and nobody checks that those of one written by hand do.
//!
//! # Contracts
//! ## Results
//! * A kernel has the same meaning on every backend. Results of integers and fixed point are of the class
//!   [`Determinism::Exact`]: the same bits whatever the device, the number of threads, or the order of rows.
//! * Floats are of the class [`Determinism::Reproducible`] on a device whose [`FloatProbe`] finds no defect. Elsewhere
//!   a kernel with floats is refused by [`Error::Determinism`], until [`Device::allowing`] accepts less.
//! * A class is never weakened silently. An operation that may differ between devices has it in its name or arguments,
//!   such as [`Unordered`].
//!
//! | class | promise | results that have it |
//! | --- | --- | --- |
//! | [`Determinism::Exact`] | the same bits on every backend, device and run | integers, fixed point, and reductions of them |
//! | [`Determinism::Reproducible`] | the same bits wherever the device rounds correctly | `+ - * / sqrt`, reductions of floats over the fixed tree |
//! | [`Determinism::Bounded`] | an error of so many units in the last place | floats elsewhere, where [`Device::allowing`] accepts them |
//!
//! ```
//! use imminent_core::Determinism;
//!
//! // What is asked of a device, and what it offers.
//! assert!(Determinism::Exact.keeps(Determinism::Reproducible));
//! assert!(!Determinism::LOOSEST.keeps(Determinism::Reproducible));
//! ```
//!
//! ## Ownership
//! * A [`Table`] owns its rows. A launch borrows it for the call: by `&mut` if a kernel changes it, else by `&`. The
//!   compiler refuses a table that is changed and used twice in one launch.
//! * Whatever uses memory keeps it alive: a [`Scalar`], a [`Selection`] and a [`Program`] stay valid when the tables of
//!   their launches are dropped.
//! * A [`Staging`] moves into its transfer, and comes back with the outcome: nobody touches its bytes meanwhile.
//!
//! ## Order
//! * Work on a queue is done in the order of the calls. A call that returns data waits for the work before it; others
//!   return as soon as the work is on the queue.
//! * Operations of several queues on one memory take effect in the order in which they were put there. Operations on
//!   different memory may overlap.
//! * A program that was [started](Program::start) keeps its place until it ends. Calls that need its queue wait.
//!
//! ## Threads
//! * [`Device`], [`Queue`] and [`Event`] are handles: cloning is cheap, and all threads may use clones at once. Calls
//!   of several threads on one queue take turns. A call that waits for the queue keeps its turn.
//! * Rows are changed through `&mut` of their table, so the compiler orders threads that share one.
//! * A progress function runs on the thread that runs the program. It may use the program's queue.
//!
//! ## Ends
//! * Dropping a table, a result or a program needs no wait. Its memory gets a new owner only when no queue can use it
//!   any more.
//! * Dropping the last handle to a queue waits for its work. Errors of that work are not returned to anybody: wait for
//!   a queue whose outcome matters.
//! * Dropping a [`Submission`] does not cancel it. Its error is returned by the next call that waits for the queue.
//!
//! ## Errors
//! * No call panics, whatever its input. Every failure is an [`Error`]; a failure of work on a device is returned once.
//! * A call that fails its checks changes nothing. A launch that fails on the device poisons what it and the work
//!   behind it would have written: reading that is [`Error::Poisoned`], with the cause, never old data.
//! * A fault ([`Error::Fault`]) is the earliest launch's, at its lowest row: the same on every backend.
//! * After any error but [`Error::DeviceLost`] the queue works on, and memory that was poisoned can be written anew.

extern crate self as imminent_core;

pub mod backend;
pub mod bind;
mod capability;
pub mod clock;
pub mod data;
mod device;
mod error;
#[cfg(test)]
mod error_texts;
pub mod fault;
mod floats;
mod holder;
pub mod host_memory;
pub mod kernel;
pub mod lang;
mod launch;
mod library;
mod limit;
mod mailing;
mod memory;
pub mod native;
mod nearest;
mod pipeline;
pub mod primitives;
mod probe;
mod program;
mod queue;
pub mod reduce;
mod source;
mod tables;
mod work;

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
pub use imminent_macros::{Bundle, Params, Row};
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
pub use work::{Work, WorkUnit};

/// Makes an inline module a kernel module. With a list of types, `#[kernels(Real = [f32, f64])]`, makes one for each.
///
/// A kernel is a function that runs once for each row of a table. It stays an ordinary function of Rust, which tests
/// can call. Its name is also a type, by which queues and programs launch it on any device.
///
/// ```
/// #[imminent_core::kernels]
/// mod shop {
///     #[derive(Row)]
///     pub struct Desk { pub waiting: u32, pub served: u32 }
///
///     /// Serves a customer, and counts the desks that still have some.
///     #[kernel(reduce = count)]
///     pub fn serve(me: &mut Desk) -> bool {
///         if me.waiting > 0 {
///             me.waiting -= 1;
///             me.served += 1;
///         }
///         me.waiting > 0
///     }
/// }
///
/// use shop::Desk;
/// let mut desk = Desk { waiting: 2, served: 0 };
/// assert!(shop::serve(&mut desk)); // a plain call
/// assert_eq!(desk, Desk { waiting: 1, served: 1 });
///
/// # use imminent_core::{Device, Result, Table};
/// # fn example(device: &Device) -> Result<()> {
/// let mut desks = Table::<Desk>::zeroed(device, 1_000)?;
/// let busy = device.queue().launch::<shop::serve>((&mut desks,))?; // on a device
/// assert_eq!(busy.read()?, 0);
/// # Ok(()) }
/// ```
///
/// The language is described in `docs/kernel-language.md`.
pub use imminent_macros::kernels;
