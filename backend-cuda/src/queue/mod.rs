//! Queues: a stream each, with its fault slots, its staging memory and its results.

mod beside;
mod slots;
mod transfer;

pub(crate) use beside::{Direction, host_memory};
pub(crate) use slots::FaultSlots;

use crate::driver::{Context, Stream};
use crate::launch::{self, Again, Alone, Parameters, Planner, Scratch, Sink, Work};
use crate::memory::{Memory, Pinned, PinnedPool, ResultPool};
use crate::program::Handed;
use imminent_core::backend::{Launch, Primitive, QueueHandle, SlotWindow};
use imminent_core::{Error, Fault, Result};
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
    pub(crate) context: Arc<Context>,
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
    handed: Vec<Arc<Handed>>,
    failed: Option<Error>,
}

impl CudaQueue {
    pub(crate) fn new(context: &Arc<Context>) -> Result<CudaQueue> {
        context.primary.enter()?;
        Self::with(context, Arc::new(Stream::new(&context.primary)?))
    }

    /// Creates a queue whose work is put on a stream.
    pub(crate) fn with(context: &Arc<Context>, stream: Arc<Stream>) -> Result<CudaQueue> {
        let faults = Faults {
            slots: FaultSlots::new(context, &stream, slots::SLOTS)?,
            host: Pinned::new(&context.primary, slots::SLOTS as usize * 4)?,
            window: None,
            handed: Vec::new(),
            failed: None,
        };
        let state = QueueState {
            context: context.clone(),
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

/// Puts work on a stream immediately.
struct ToStream<'q> {
    context: &'q Context,
    stream: &'q Arc<Stream>,
    faults: &'q mut Faults,
    staging: &'q mut PinnedPool,
}

impl Sink for ToStream<'_> {
    #[inline]
    fn take(&mut self, work: Work<'_>) -> Result<()> {
        if let Some(kernel) = work.faulting {
            if !self.faults.slots.has_room(kernel)? {
                self.faults.settle(self.stream, "running kernels")?;
            }
            if let Some(word) = work.block.get_mut(1) {
                *word = self.faults.slots.claim(kernel);
            }
        }
        if let Some(word) = work.block.get_mut(TURN_WORD as usize) {
            *word = EVERY_TURN;
        }
        let state = self.faults.slots.state().pointer();
        let address;
        let (block, _released_after_the_launch) = if work.block_in_memory {
            let buffer = launch::upload_block(self.context, self.stream, self.staging, work.block)?;
            address = launch::address_words(buffer.pointer());
            (&address[..], Some(buffer))
        } else {
            (&*work.block, None)
        };
        let parameters = Parameters::new(&state, block, work.pointers);
        // SAFETY: `launch` made block and pointers for this very function, from memories whose release comes after this
        // launch on the same stream, or on one that waits for it. So does that of a block in memory. The state buffer
        // has slots at the position in word 1.
        unsafe {
            launch::start(
                &self.context.primary,
                work.function,
                (work.blocks, work.threads),
                parameters,
                self.stream.raw(),
            )
        }
    }
}

impl Faults {
    /// Starts reading the slots that were not yet examined.
    fn fetch(&mut self, stream: &Stream) -> Result<()> {
        let Some((window, bytes)) = self.slots.unseen() else { return Ok(()) };
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
    /// Returns the planner and the destination of its work.
    fn parts(&mut self) -> (&Context, &Arc<Stream>, &mut Planner, ToStream<'_>) {
        let QueueState { context, stream, planner, faults, staging } = self;
        (context, stream, planner, ToStream { context, stream, faults, staging })
    }

    /// Puts a launch on the queue.
    #[inline]
    pub(crate) fn launch(&mut self, launch: &Launch) -> Result<()> {
        let (context, stream, planner, mut sink) = self.parts();
        planner.launch(context, stream, launch, &mut sink)
    }

    /// Prepares a launch for repetition, if it is a single call of its kernel.
    pub(crate) fn prepare(&mut self, launch: &Launch) -> Result<Option<Again>> {
        let mut alone = Alone::new(launch);
        self.planner.launch(&self.context, &self.stream, launch, &mut alone)?;
        Ok(alone.into_kept())
    }

    /// Puts a prepared launch on the queue.
    #[inline]
    pub(crate) fn launch_again(&mut self, again: &mut Again) -> Result<()> {
        let (_, stream, _, mut sink) = self.parts();
        again.start(stream, &mut sink)
    }

    /// Puts a program on the queue as one unit.
    pub(crate) fn hand_over(&mut self, handed: &Arc<Handed>) -> Result<()> {
        handed.start(&self.context, &self.stream)?;
        if !self.faults.handed.iter().any(|other| Arc::ptr_eq(other, handed)) {
            self.faults.handed.push(handed.clone());
        }
        Ok(())
    }

    /// Puts a primitive on the queue.
    pub(crate) fn primitive(&mut self, primitive: &Primitive) -> Result<()> {
        let (context, stream, planner, mut sink) = self.parts();
        planner.primitive(context, stream, primitive, &mut sink)
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
