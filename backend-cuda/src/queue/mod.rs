//! Queues: a stream each, with its fault slots, its staging memory and its results.

mod handed;
mod pending_work;
mod slots;
mod transfer;

pub(crate) use handed::HandedOver;
pub(crate) use pending_work::{Direction, host_memory};
pub(crate) use slots::{FaultSlots, fault_slots};

use crate::device::Context;
use crate::driver::Stream;
use crate::launch::{self, Parameters, Planner, Scratch, Work};
use crate::memory::{Memory, Pinned, PinnedPool, ResultPool, memory};
use crate::primitives;
use crate::runtime::Runtime;
use imminent_core::backend::{Buffer, Launch, Primitive, QueueHandle};
use imminent_core::{Error, Fault, Result};
use imminent_device::fault_slots::{QUEUE_SLOTS, SlotWindow};
use imminent_ir::launch::{EVERY_TURN, TURN_WORD};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A queue of a device.
#[derive(Debug)]
pub(crate) struct CudaQueue {
    pub(crate) stream: Arc<Stream>,
    pub(crate) results: Arc<ResultPool>,
    state: Arc<Mutex<QueueState>>,
}

/// State of a queue, used by one call at a time.
#[derive(Debug)]
pub(crate) struct QueueState {
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) stream: Arc<Stream>,
    planner: Planner,
    faults: Faults,
    pub(crate) staging: PinnedPool,
}

/// Slots of the queue, the faults found in them, and their destination on the host.
#[derive(Debug)]
struct Faults {
    slots: FaultSlots,
    /// Room for all slots.
    host: Pinned,
    /// Slots being copied to `host`.
    window: Option<SlotWindow>,
    /// Programs in progress whose heads were not yet examined.
    handed: Vec<Arc<dyn HandedOver>>,
    failed: Option<Error>,
}

/// A launch that is put on the queue repeatedly.
#[derive(Debug)]
pub(crate) struct Again {
    work: Work,
    /// Memories that the launch names.
    memories: Vec<Buffer>,
}

impl CudaQueue {
    pub(crate) fn new(runtime: &Arc<Runtime>) -> Result<CudaQueue> {
        let primary = &runtime.context.primary;
        primary.enter()?;
        Self::with(runtime, Arc::new(Stream::new(primary)?))
    }

    /// Creates a queue whose work is put on a stream.
    pub(crate) fn with(runtime: &Arc<Runtime>, stream: Arc<Stream>) -> Result<CudaQueue> {
        let context = &runtime.context;
        let faults = Faults {
            slots: fault_slots(context, &stream, QUEUE_SLOTS)?,
            host: Pinned::new(&context.primary, QUEUE_SLOTS as usize * 4)?,
            window: None,
            handed: Vec::new(),
            failed: None,
        };
        let state = QueueState {
            runtime: runtime.clone(),
            stream: stream.clone(),
            planner: Planner::new(Scratch::passing(&stream)),
            faults,
            staging: PinnedPool::default(),
        };
        Ok(CudaQueue { results: ResultPool::new(&stream), stream, state: Arc::new(Mutex::new(state)) })
    }

    /// Returns the queue behind a handle, and makes its device current.
    pub(crate) fn of<'q>(context: &Context, handle: &'q QueueHandle) -> Result<&'q CudaQueue> {
        context.primary.enter()?;
        let queue: &CudaQueue =
            handle.get().ok_or_else(|| Error::invalid("queue", "it belongs to another backend than cuda"))?;
        if Arc::ptr_eq(&queue.stream.primary, &context.primary) {
            Ok(queue)
        } else {
            Err(Error::invalid("queue", "it belongs to another device"))
        }
    }

    /// Locks the queue's state for one call.
    pub(crate) fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for CudaQueue {
    fn drop(&mut self) {
        // Work in progress may use modules and memory that are dropped next.
        if self.stream.primary.enter().is_ok() {
            let _ = self.stream.wait("closing a queue");
        }
    }
}

impl Faults {
    /// Starts reading the slots that were not yet examined.
    fn fetch(&mut self, stream: &Stream) -> Result<()> {
        let Some(window) = self.slots.unseen() else { return Ok(()) };
        let bytes = window.bytes();
        let (from, length) = (self.slots.state().pointer() + bytes.start, (bytes.end - bytes.start) as usize);
        self.window = Some(window);
        // SAFETY: the stretch lies in the state buffer, which lives as long as this. The host's memory is read after
        // the stream was waited for (`look`), and this is not called again before that.
        unsafe { self.host.download(0, length, from, stream) }
    }

    /// Examines the slots that were read, and programs, after waiting for the stream. A fault is kept as the queue's
    /// failure.
    fn look(&mut self, stream: &Stream) -> Result<()> {
        if let Some(window) = self.window.take() {
            let length = window.slots().len() * 4;
            let fault = self.slots.look(stream, &window, self.host.bytes().get(..length).unwrap_or_default())?;
            self.fail(fault);
        }
        for handed in std::mem::take(&mut self.handed) {
            let fault = handed.look(stream)?;
            self.fail(fault);
        }
        Ok(())
    }

    fn fail(&mut self, fault: Option<Fault>) {
        if let Some(fault) = fault {
            self.failed.get_or_insert(Error::Fault(fault));
        }
    }

    /// Waits until all work is done and examines the slots in use.
    fn settle(&mut self, stream: &Stream, stage: &str) -> Result<()> {
        self.fetch(stream)?;
        stream.wait(stage)?;
        self.look(stream)
    }
}

impl QueueState {
    /// Puts a launch on the queue.
    pub(crate) fn launch(&mut self, launch: &Launch) -> Result<()> {
        launch::used_by(launch, &self.stream)?;
        let mut works = self.planner.plan(&self.runtime, launch)?;
        let started = works.iter_mut().try_for_each(|work| self.start(work, launch.operation));
        self.planner.take_back(works);
        started
    }

    /// Compiles the kernels of a launch and checks its arguments, without launching it.
    pub(crate) fn check(&mut self, launch: &Launch) -> Result<()> {
        self.planner.plan(&self.runtime, launch).map(|works| self.planner.take_back(works))
    }

    /// Prepares a launch for repetition, if it is a single call of its kernel whose parameters are passed by value.
    pub(crate) fn prepare(&mut self, launch: &Launch) -> Result<Option<Again>> {
        let alone = self.planner.plan_alone(&self.runtime, launch)?.filter(|work| !work.code.block_in_memory);
        Ok(alone.map(|work| Again { work, memories: launch.buffers().cloned().collect() }))
    }

    /// Puts a prepared launch on the queue.
    #[inline]
    pub(crate) fn launch_again(&mut self, again: &mut Again, operation: Option<u64>) -> Result<()> {
        for buffer in &again.memories {
            memory(buffer)?.used_by(&self.stream, false)?;
        }
        self.start(&mut again.work, operation)
    }

    /// Compiles the kernels of a primitive and checks its columns, without launching it.
    pub(crate) fn check_primitive(&mut self, primitive: &Primitive) -> Result<()> {
        primitives::works(&self.runtime, &self.stream, &mut self.planner.scratch, primitive).map(drop)
    }

    /// Puts a primitive on the queue.
    pub(crate) fn primitive(&mut self, primitive: &Primitive) -> Result<()> {
        let works = primitives::works(&self.runtime, &self.stream, &mut self.planner.scratch, primitive)?;
        works.into_iter().try_for_each(|mut work| self.start(&mut work, None))
    }

    fn start(&mut self, work: &mut Work, operation: Option<u64>) -> Result<()> {
        let context = &self.runtime.context;
        if !work.finds_slots(&self.faults.slots)? {
            self.faults.settle(&self.stream, "running kernels")?;
        }
        work.take_slots(&mut self.faults.slots, operation);
        if let Some(word) = work.block.get_mut(TURN_WORD as usize) {
            *word = EVERY_TURN;
        }
        let state = self.faults.slots.state().pointer();
        let address;
        let (block, _released_after_the_launch) = if work.code.block_in_memory {
            let buffer = launch::upload_block(context, &self.stream, &mut self.staging, &work.block)?;
            address = launch::address_words(buffer.pointer());
            (&address[..], Some(buffer))
        } else {
            (&*work.block, None)
        };
        let parameters = Parameters::new(&state, block, &work.places);
        // SAFETY: `launch` made block and places for this very code, from memories whose release comes after this
        // launch on the same stream, or on one that waits for it. So does that of a block in memory. The state buffer
        // has slots at the position in word 1.
        unsafe { launch::start(&context.primary, &work.code, work.groups, parameters, self.stream.raw()) }
    }

    /// Notes that a program was put on the queue as one unit.
    pub(crate) fn was_handed(&mut self, program: Arc<dyn HandedOver>) {
        if !self.faults.handed.iter().any(|other| Arc::ptr_eq(other, &program)) {
            self.faults.handed.push(program);
        }
    }

    /// Copies a whole memory to another of the same shape.
    pub(crate) fn copy(&mut self, from: &Memory, to: &Memory) -> Result<()> {
        from.shape.check_copy(&to.shape)?;
        from.used_by(&self.stream, false)?;
        to.used_by(&self.stream, true)?;
        from.copy_to(to, &self.stream)
    }

    /// Sets a whole memory to zero.
    pub(crate) fn clear(&mut self, memory: &Memory) -> Result<()> {
        memory.used_by(&self.stream, true)?;
        memory.clear(&self.stream)
    }

    /// Copies the rows of a table to a table with more lanes: columns keep their order, new ones follow.
    pub(crate) fn copy_prefix(&mut self, from: &Memory, to: &Memory) -> Result<()> {
        from.used_by(&self.stream, false)?;
        to.used_by(&self.stream, true)?;
        from.copy_to(to, &self.stream)
    }

    /// Waits until all work is done, and returns its earliest error.
    pub(crate) fn finish(&mut self) -> Result<()> {
        self.faults.settle(&self.stream, "running kernels")?;
        self.take_failure()
    }

    fn take_failure(&mut self) -> Result<()> {
        self.faults.failed.take().map_or(Ok(()), Err)
    }
}
