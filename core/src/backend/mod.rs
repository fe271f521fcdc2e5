//! Interface that the author of a backend implements.
//!
//! A backend is one object-safe trait, [`Backend`], over opaque handles. [`Device`](crate::Device) and the typed tables
//! above it check lengths, types, poisoning and aliasing, once, for all backends. This page says what core promises to
//! a backend, and what a backend promises to core. `docs/writing-a-backend.md` gives the order in which to implement
//! the methods, and the suite `conformance` tests the promises.
//!
//! | what | items |
//! | --- | --- |
//! | memory | [`Allocation`], [`Buffer`], [`Shape`], [`Span`], [`Read`], [`Write`] |
//! | kernels | [`ModuleHandle`], [`Launch`], [`Argument`], [`Subset`] |
//! | primitives | [`Primitive`], [`View`], [`Filter`], [`Operand`] |
//! | programs | [`Node`], [`LoopUntil`], [`Test`], [`Recording`], [`walk`] |
//! | work beside the host | [`QueueHandle`], [`HostMemory`], [`StagedColumn`], [`Pending`] |
//! | options | [`OptionTable`], [`DeviceOption`] |
//!
//! # What core promises
//! * Arguments fit: rows and spans lie inside their buffers, arguments are those of the kernel's parameters, and a
//!   table that a launch changes is bound nowhere else in it. Each method says what else holds of its arguments.
//! * Handles are of this device, unless a program of the user mixes two. A backend that gets another's handle returns
//!   [`Error::Invalid`]: [`Buffer::get`] and [`DeviceMemory::of`] tell.
//! * A buffer outlives the calls that name it, not the work: a handle may be dropped while its work is in progress.
//! * Calls that put work on one queue, or wait for it, do not overlap. [`Backend::allocate`], [`Backend::signal`],
//!   [`Pending`] and the methods without a queue may be called by other threads at the same time.
//! * Operations of different queues on one memory are ordered by [`Backend::signal`] and [`Backend::wait_for`]. A
//!   backend need not know which memory an operation of another queue uses.
//!
//! # What a backend promises
//! ## Order
//! * Work on one queue takes effect in the order of the calls. A call may return before its work is done, except where
//!   it says that it waits.
//! * [`Backend::write`] has copied its bytes when it returns. [`Backend::read`] returns what all work before it wrote.
//! * Within a launch the rows have no order, and no row sees what another writes. A group's phases follow each other.
//! * [`Backend::replay`] calls `progress` between steps, on the thread that called it. `progress` may call methods on
//!   the same queue, so no lock of the queue is held meanwhile.
//!
//! ## Threads
//! * All methods may be called by any thread, and on different queues at the same time.
//! * [`Pending::wait`] and [`Pending::is_done`] may be called by several threads, also while the queue works on.
//!
//! ## Memory
//! * New memory is zero, whatever a pool kept there: the rows, lanes, tallies and results of every [`Allocation`].
//! * Dropping the last handle of a buffer releases it. The memory gets a new owner only when no queue can use it any
//!   more, without a wait by the thread that drops.
//! * [`Backend::allocated_bytes`] counts what is allocated now, so that errors of full memory can name the holders.
//!
//! ## Results
//! * Integers, tallies and reductions in fixed order give the bits that the IR defines, whatever the number of threads:
//!   the class [`Determinism::Exact`](crate::Determinism::Exact). `imminent_ir::interpret` is the reference.
//! * Floats are computed by single operations that round to nearest even, neither fused nor rearranged, where the
//!   device can. Core probes it, and refuses kernels with floats elsewhere.
//! * No method chooses by time, addresses or load between forms with different results.
//!
//! ## Errors
//! * No method panics. A failure of the driver is an [`Error`]; a device that is lost gives [`Error::DeviceLost`] from
//!   then on.
//! * An error of work is returned once, by the next call that waits for its queue, the earliest first.
//! * A fault is that of the earliest launch, of its lowest row, and of that row's first fault in time. It names the
//!   launch ([`Launch::operation`]). The rows of that launch may be written or not: core poisons them.
//! * After a fault the queue works on. After any error its memory can be written anew.
//!
//! # Handles
//! A handle counts its references, and gives the backend's own object back:
//!
//! ```
//! use imminent_core::backend::Buffer;
//!
//! #[derive(Debug)]
//! struct Words(Vec<u32>);
//!
//! let buffer = Buffer::new(Words(vec![0; 4]));
//! assert_eq!(buffer.get::<Words>().map(|words| words.0.len()), Some(4));
//! assert!(buffer.get::<String>().is_none()); // a buffer of another backend
//! assert!(buffer.is(&buffer.clone()));
//! assert!(!buffer.is(&Buffer::new(Words(vec![0; 4]))));
//! ```

mod allocation;
mod command;
mod comparison;
mod compilation;
mod handle;
mod host;
mod options;
mod pool_statistics;
mod primitive;
mod progress;
mod shape;
mod span;
mod walk;

pub use crate::data::Ragged;
pub use allocation::{Allocation, Read, Write};
pub use command::{Argument, GROUP_ROWS, Launch, LoopUntil, Node, Step, Subset, Test};
pub use comparison::Comparison;
pub use compilation::{Compilation, compiling};
pub use handle::{Buffer, DeviceMemory, ModuleHandle, Prepared, QueueHandle, Recording};
pub use host::{Done, HostBlock, HostMemory, Pending, StagedColumn};
pub use options::{DeviceOption, OptionTable, variant};
pub use pool_statistics::PoolStatistics;
pub use primitive::{Census, Filter, Operand, Primitive, Reduction, ScanOp, View};
pub use progress::{Outcome, Progress, Stop};
pub use shape::Shape;
pub use span::Span;
pub use walk::{Commands, walk};

use crate::capability::{Capabilities, DeviceInfo};
use crate::error::{Error, Result};
use crate::native::ErasedTable;
use crate::source::ModuleSource;
use std::any::Any;
use std::fmt::Debug;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A device that runs kernels.
///
/// Work on one queue happens in order. A method that takes a queue may return before the work is done. Errors of the
/// device then appear at the next [`Backend::finish`] or [`Backend::read`] of that queue, the earliest error once.
pub trait Backend: Any + Debug + Send + Sync {
    /// Returns name, driver and kind of the device.
    fn info(&self) -> &DeviceInfo;

    /// Returns the capabilities of the device. The float probes are left `None`: [`Device::open`](crate::Device::open)
    /// fills them in.
    fn capabilities(&self) -> &Capabilities;

    /// Creates a queue.
    ///
    /// # Errors
    /// Errors of the driver.
    fn queue(&self) -> Result<QueueHandle>;

    /// Allocates zeroed memory.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Limit`].
    fn allocate(&self, queue: &QueueHandle, allocation: &Allocation) -> Result<Buffer>;

    /// Allocates a table with the rows of `buffer` and another lane capacity, at least as large. New lanes are zero.
    /// The old buffer stays as it is.
    ///
    /// # Errors
    /// As for [`Backend::allocate`].
    fn grow(&self, queue: &QueueHandle, buffer: &Buffer, capacity: u32) -> Result<Buffer>;

    /// Writes columns. The bytes may be reused as soon as the call returns.
    ///
    /// # Errors
    /// Errors of the driver.
    fn write(&self, queue: &QueueHandle, writes: &[Write<'_>]) -> Result<()>;

    /// Waits for the queue, then reads columns, in a single transfer where the device can.
    ///
    /// # Errors
    /// Errors of earlier work on the queue, and errors of the driver.
    fn read(&self, queue: &QueueHandle, reads: &mut [Read<'_>]) -> Result<()>;

    /// Allocates zeroed host memory of at least `bytes` bytes, from and to which this device's transfers are fast.
    /// Defaults to ordinary memory.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Limit`].
    fn host_memory(&self, bytes: usize) -> Result<HostMemory> {
        HostMemory::plain(self.info(), bytes)
    }

    /// Starts to write columns from host memory, after earlier work. The default implementation writes them and waits.
    ///
    /// # Errors
    /// Errors of the driver. The host memory is then released.
    fn upload(&self, queue: &QueueHandle, from: HostMemory, to: &[StagedColumn]) -> Result<Arc<dyn Pending>> {
        StagedColumn::check(to, from.bytes().len())?;
        let writes: Vec<Write<'_>> = to
            .iter()
            .map(|place| Write {
                buffer: &place.buffer,
                span: place.span.clone(),
                bytes: from.bytes().get(place.range()).unwrap_or_default(),
            })
            .collect();
        self.write(queue, &writes)?;
        let (earlier, done) = again_after_fault(|| self.finish(queue));
        Ok(Done::behind(earlier, done.map(|()| Some(from))))
    }

    /// Starts to read columns into host memory, after earlier work. The default implementation reads them and waits.
    ///
    /// # Errors
    /// Errors of the driver. The host memory is then released.
    fn download(&self, queue: &QueueHandle, from: &[StagedColumn], into: HostMemory) -> Result<Arc<dyn Pending>> {
        let mut into = into;
        StagedColumn::check(from, into.bytes().len())?;
        let (mut rest, mut at) = (into.bytes_mut(), 0);
        let mut reads = Vec::with_capacity(from.len());
        for place in from {
            let (_, tail) = std::mem::take(&mut rest).split_at_mut(place.at - at);
            let (bytes, tail) = tail.split_at_mut(place.span.bytes());
            reads.push(Read { buffer: &place.buffer, span: place.span.clone(), bytes });
            (rest, at) = (tail, place.range().end);
        }
        let (earlier, read) = again_after_fault(|| self.read(queue, &mut reads));
        Ok(Done::behind(earlier, read.map(|()| Some(into))))
    }

    /// Marks the end of the work now on the queue, and makes the device begin with it. The default implementation
    /// waits.
    ///
    /// # Errors
    /// Errors of the driver.
    fn signal(&self, queue: &QueueHandle) -> Result<Arc<dyn Pending>> {
        Ok(Done::with(self.finish(queue).map(|()| None)))
    }

    /// Makes later work on the queue wait for a mark, or a transfer, of another queue of the device. In the default
    /// implementation the host waits.
    ///
    /// # Errors
    /// Errors of the driver, but none of the other queue's work.
    fn wait_for(&self, _queue: &QueueHandle, other: &dyn Pending) -> Result<()> {
        other.wait();
        Ok(())
    }

    /// Copies a whole buffer to another of the same layout, rows and capacity.
    ///
    /// # Errors
    /// Errors of the driver.
    fn copy(&self, queue: &QueueHandle, from: &Buffer, to: &Buffer) -> Result<()>;

    /// Sets a whole buffer to zero.
    ///
    /// # Errors
    /// Errors of the driver.
    fn clear(&self, queue: &QueueHandle, buffer: &Buffer) -> Result<()>;

    /// Prepares a module: lowers and validates every kernel.
    ///
    /// # Errors
    /// [`Error::Compile`], [`Error::Module`].
    fn build(&self, source: &'static ModuleSource) -> Result<ModuleHandle>;

    /// Returns the code generated for a kernel, as text.
    ///
    /// # Errors
    /// As for [`Backend::build`], and for a kernel that the device cannot run.
    fn generated(&self, source: &'static ModuleSource, kernel: u32) -> Result<String>;

    /// Launches a kernel.
    ///
    /// # Errors
    /// Fails if the kernel cannot be compiled for these arguments, and with errors of the driver.
    fn launch(&self, queue: &QueueHandle, launch: &Launch) -> Result<()>;

    /// Prepares a launch, already put on the queue once, for cheaper repetition. Returns `None` where nothing is
    /// gained. The result is used with this queue only, and dropped before any of the launch's buffers.
    ///
    /// # Errors
    /// As for [`Backend::launch`].
    fn prepare(&self, _queue: &QueueHandle, _launch: &Launch) -> Result<Option<Prepared>> {
        Ok(None)
    }

    /// Launches a [prepared](Backend::prepare) launch again, as the given [operation](Launch::operation) of the queue.
    ///
    /// # Errors
    /// As for [`Backend::launch`].
    fn launch_prepared(&self, _queue: &QueueHandle, _prepared: &mut Prepared, _operation: Option<u64>) -> Result<()> {
        Err(Error::invalid("launch", "it was prepared by another backend"))
    }

    /// Returns `true` if the backend has its own form of a primitive for these types and sizes. Otherwise `core`
    /// launches the portable form, and does not use [`Backend::primitive`] and [`Node::Primitive`].
    fn overrides(&self, _primitive: &Primitive) -> bool {
        false
    }

    /// Runs a primitive that the backend [overrides](Backend::overrides).
    ///
    /// # Errors
    /// Errors of the driver.
    fn primitive(&self, _queue: &QueueHandle, primitive: &Primitive) -> Result<()> {
        Err(not_overridden(primitive))
    }

    /// Prepares a list of nodes for repeated execution. The default implementation keeps them as they are.
    ///
    /// # Errors
    /// As for [`Backend::launch`].
    fn record(&self, _queue: &QueueHandle, nodes: Vec<Node>) -> Result<Recording> {
        Ok(Recording::new(nodes))
    }

    /// Runs a recording and waits for it. `progress` is called from time to time between steps; breaking cancels at the
    /// end of a step. After a step in which a kernel raised a fault, no further step has an effect. The default
    /// implementation runs one node after the other by the methods above, and waits for each.
    ///
    /// # Errors
    /// Errors of earlier work on the queue, faults, and errors of the driver.
    fn replay(
        &self,
        queue: &QueueHandle,
        recording: &Recording,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Outcome> {
        self.finish(queue)?;
        let nodes: &Vec<Node> = recording.get().ok_or_else(|| Error::invalid("program", "a foreign recording"))?;
        walk(nodes, &mut OneByOne { backend: self, queue }, progress)
    }

    /// Puts a recording without loops on a queue as one unit. May return before it is done, as [`Backend::launch`]
    /// does. A recording may be in progress more than once. The caller keeps it, and gives it to the queue for which it
    /// was made. The default implementation replays it, which waits.
    ///
    /// # Errors
    /// As for [`Backend::launch`].
    fn hand_over(&self, queue: &QueueHandle, recording: &Recording) -> Result<()> {
        self.replay(queue, recording, &mut |_| ControlFlow::Continue(())).map(drop)
    }

    /// Waits until all work of the queue is done.
    ///
    /// # Errors
    /// The earliest error of that work.
    fn finish(&self, queue: &QueueHandle) -> Result<()>;

    /// Calls `f` with the native rows of a table, after waiting for the queue. Returns `false`, without a call, if the
    /// device's tables are not native rows.
    ///
    /// # Errors
    /// Errors of earlier work on the queue.
    fn with_native(
        &self,
        _queue: &QueueHandle,
        _buffer: &Buffer,
        _f: &mut dyn FnMut(&mut dyn ErasedTable),
    ) -> Result<bool> {
        Ok(false)
    }

    /// Returns what went wrong beside the work and costs time only, for instance a folder of compiled kernels that
    /// cannot be used.
    fn trouble(&self) -> Option<String> {
        None
    }

    /// Returns the bytes that this backend has now allocated on the device.
    fn allocated_bytes(&self) -> u64;

    /// Returns the bytes that tables, tallies and results may take together, if an option of the device limits them.
    fn memory_limit(&self) -> Option<u64> {
        None
    }

    /// Returns the unused bytes of the device's memory, if the driver reports them. Other processes may take them at
    /// any time.
    fn free_bytes(&self) -> Option<u64> {
        None
    }

    /// Returns statistics of the pool that serves tables, tallies and results, if the backend has one.
    fn pool(&self) -> Option<PoolStatistics> {
        None
    }

    /// Returns the bytes that this backend withholds from others: allocated memory, and memory released but not given
    /// back.
    fn reserved_bytes(&self) -> u64 {
        self.allocated_bytes()
    }
}

/// Calls `wait`, and once more after a fault of earlier work, which comes first.
fn again_after_fault(mut wait: impl FnMut() -> Result<()>) -> (Option<Error>, Result<()>) {
    match wait() {
        Err(fault @ Error::Fault(_)) => (Some(fault), wait()),
        other => (None, other),
    }
}

/// Returns the error for a primitive given to a backend that does not [override](Backend::overrides) it.
#[must_use]
pub fn not_overridden(primitive: &Primitive) -> Error {
    Error::invalid(
        format!("primitive `{}`", primitive.name()),
        "the backend has no form of its own: a queue or a program builder launches the portable one",
    )
}

/// The commands of a recording on a queue, each of which is waited for.
#[derive(Debug)]
struct OneByOne<'b, B: ?Sized> {
    backend: &'b B,
    queue: &'b QueueHandle,
}

impl<B: Backend + ?Sized> Commands for OneByOne<'_, B> {
    fn launch(&mut self, launch: &Launch) -> Result<()> {
        self.backend.launch(self.queue, launch)?;
        self.backend.finish(self.queue)
    }

    fn primitive(&mut self, primitive: &Primitive) -> Result<()> {
        self.backend.primitive(self.queue, primitive)?;
        self.backend.finish(self.queue)
    }

    fn copy(&mut self, from: &Buffer, to: &Buffer) -> Result<()> {
        self.backend.copy(self.queue, from, to)?;
        self.backend.finish(self.queue)
    }

    fn clear(&mut self, buffer: &Buffer) -> Result<()> {
        self.backend.clear(self.queue, buffer)?;
        self.backend.finish(self.queue)
    }

    fn tested(&mut self, test: &Test) -> Result<u64> {
        let span = Span::column(None, test.word, test.scalar, test.row..test.row + 1);
        let mut bytes = vec![0; span.bytes()];
        self.backend.read(self.queue, &mut [Read { buffer: &test.buffer, span, bytes: &mut bytes }])?;
        Ok(bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte)))
    }
}
