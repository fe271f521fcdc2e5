//! The backend object.

use crate::Options;
use crate::execute::{self, Execution, PROGRESS_EVERY};
use crate::memory::{Contents, CpuBuffer, cpu_buffer, wrong_kind};
use crate::module::CpuModule;
use crate::primitives::{self, Workers};
use crate::team::Team;
use imminent_core::backend::{
    Allocation, Backend, Buffer, Launch, ModuleHandle, Node, Primitive, QueueHandle, Read, Recording, Write, walk,
};
use imminent_core::host_memory;

use imminent_core::native::ErasedTable;
use imminent_core::{
    Capabilities, DeviceInfo, DeviceKind, Error, Faults, Limits, ModuleSource, Outcome, Progress, Result,
};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

/// The host as a device.
#[derive(Debug)]
pub struct CpuBackend {
    info: DeviceInfo,
    capabilities: Capabilities,
    team: Team,
    portable_primitives: bool,
    memory_limit: Option<u64>,
    progress_every: Duration,
    allocated: Arc<AtomicU64>,
}

/// A queue: work is done as it is put there, so the queue only keeps the earliest error.
#[derive(Debug, Default)]
struct CpuQueue {
    failed: Mutex<Option<Error>>,
}

impl CpuQueue {
    fn failed(&self) -> MutexGuard<'_, Option<Error>> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn settle(&self) -> Result<()> {
        self.failed().take().map_or(Ok(()), Err)
    }
}

impl CpuBackend {
    /// Opens the host as a device.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the threads cannot be started.
    pub fn open(options: &Options) -> Result<CpuBackend> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = options.threads.unwrap_or(cores);
        let team = Team::new(threads).map_err(|e| Error::Unavailable {
            backend: "cpu".to_owned(),
            reason: e.to_string(),
            tried: format!("{threads} threads"),
            remedy: "Ask for fewer with the device option threads=N".to_owned(),
        })?;
        let memory = host_memory::total();
        let info = DeviceInfo {
            backend: "cpu".to_owned(),
            name: format!("host, {threads} thread{}", if threads == 1 { "" } else { "s" }),
            driver: format!("native code, {}", std::env::consts::ARCH),
            kind: DeviceKind::Host,
            index: 0,
        };
        let mut capabilities = Capabilities::new(Limits::new(memory.unwrap_or(u64::MAX), u32::MAX - 1024, 64));
        capabilities.limits.memory_bytes = memory;
        capabilities.faults = Faults::Operands;
        capabilities.threads = u32::try_from(threads).unwrap_or(u32::MAX);
        (capabilities.tally_min_max_64, capabilities.float64, capabilities.native_rows) = (true, true, true);
        Ok(CpuBackend {
            info,
            capabilities,
            team,
            portable_primitives: options.portable_primitives,
            memory_limit: options.memory_limit,
            progress_every: options.progress_every.unwrap_or(PROGRESS_EVERY),
            allocated: Arc::default(),
        })
    }

    fn queue_of<'q>(&self, queue: &'q QueueHandle) -> Result<&'q CpuQueue> {
        queue.get().ok_or_else(|| wrong_kind("a queue of the cpu backend"))
    }
}

fn recorded(recording: &Recording) -> Result<&Vec<Node>> {
    recording.get().ok_or_else(|| wrong_kind("a recording of the cpu backend"))
}

impl Backend for CpuBackend {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn queue(&self) -> Result<QueueHandle> {
        Ok(QueueHandle::new(CpuQueue::default()))
    }

    fn allocate(&self, _queue: &QueueHandle, allocation: &Allocation) -> Result<Buffer> {
        CpuBuffer::allocate(allocation, self.capabilities.limits.table_bytes, &self.allocated).map(Buffer::new)
    }

    fn grow(&self, _queue: &QueueHandle, buffer: &Buffer, capacity: u32) -> Result<Buffer> {
        let old = cpu_buffer(buffer)?.table()?;
        let mut grown = old.duplicate();
        grown.set_capacity(capacity);
        let bytes = (u64::from(grown.rows()) + 1).saturating_mul(grown.row_bytes());
        Ok(Buffer::new(CpuBuffer::new(Contents::Table(RwLock::new(grown)), bytes, &self.allocated)))
    }

    fn write(&self, _queue: &QueueHandle, writes: &[Write<'_>]) -> Result<()> {
        for write in writes {
            cpu_buffer(write.buffer)?.write(&write.span, write.bytes);
        }
        Ok(())
    }

    fn read(&self, queue: &QueueHandle, reads: &mut [Read<'_>]) -> Result<()> {
        self.queue_of(queue)?.settle()?;
        for read in reads {
            cpu_buffer(read.buffer)?.read(&read.span, read.bytes);
        }
        Ok(())
    }

    fn copy(&self, _queue: &QueueHandle, from: &Buffer, to: &Buffer) -> Result<()> {
        execute::copy(from, to)
    }

    fn clear(&self, _queue: &QueueHandle, buffer: &Buffer) -> Result<()> {
        cpu_buffer(buffer)?.clear();
        Ok(())
    }

    fn build(&self, source: &'static ModuleSource) -> Result<ModuleHandle> {
        Ok(ModuleHandle::new(CpuModule::new(source)))
    }

    fn generated(&self, source: &'static ModuleSource, kernel: u32) -> Result<String> {
        let missing = |reason: String| Error::Module { module: source.name().to_owned(), reason };
        let module = source.ir().map_err(|e| missing(e.to_string()))?;
        let kernel = module.kernels.get(kernel as usize).ok_or_else(|| missing("it has no such kernel".to_owned()))?;
        let function =
            module.functions.get(kernel.function.index()).ok_or_else(|| missing("it is incomplete".to_owned()))?;
        Ok(format!(
            "// `{}` runs as the native function at {}:{}, compiled by rustc.\n",
            kernel.name, function.file, function.line
        ))
    }

    fn launch(&self, queue: &QueueHandle, launch: &Launch) -> Result<()> {
        let mut failed = self.queue_of(queue)?.failed();
        if failed.is_none() {
            *failed = crate::launch::launch(&self.team, launch).err();
        }
        Ok(())
    }

    fn overrides(&self, primitive: &Primitive) -> bool {
        // A kernel made at run time cannot move rows whose type only rustc knows.
        let moves = matches!(
            primitive,
            Primitive::Gather { .. }
                | Primitive::Scatter { .. }
                | Primitive::CopyColumn { .. }
                | Primitive::Fill { .. }
        );
        moves || !self.portable_primitives
    }

    fn primitive(&self, queue: &QueueHandle, primitive: &Primitive) -> Result<()> {
        let mut failed = self.queue_of(queue)?.failed();
        if failed.is_none() {
            *failed = primitives::run(Workers::new(&self.team), primitive).err();
        }
        Ok(())
    }

    fn record(&self, _queue: &QueueHandle, nodes: Vec<Node>) -> Result<Recording> {
        Ok(Recording::new(nodes))
    }

    fn replay(
        &self,
        queue: &QueueHandle,
        recording: &Recording,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Outcome> {
        self.queue_of(queue)?.settle()?;
        walk(recorded(recording)?, &mut Execution::new(&self.team, self.progress_every), progress)
    }

    fn hand_over(&self, queue: &QueueHandle, recording: &Recording) -> Result<()> {
        let nodes = recorded(recording)?;
        let mut failed = self.queue_of(queue)?.failed();
        if failed.is_none() {
            let mut execution = Execution::new(&self.team, self.progress_every);
            *failed = walk(nodes, &mut execution, &mut |_| ControlFlow::Continue(())).err();
        }
        Ok(())
    }

    fn finish(&self, queue: &QueueHandle) -> Result<()> {
        self.queue_of(queue)?.settle()
    }

    fn with_native(
        &self,
        queue: &QueueHandle,
        buffer: &Buffer,
        f: &mut dyn FnMut(&mut dyn ErasedTable),
    ) -> Result<bool> {
        self.queue_of(queue)?.settle()?;
        f(cpu_buffer(buffer)?.table_mut()?.as_mut());
        Ok(true)
    }

    fn memory_limit(&self) -> Option<u64> {
        self.memory_limit
    }

    fn free_bytes(&self) -> Option<u64> {
        host_memory::available()
    }

    fn allocated_bytes(&self) -> u64 {
        self.allocated.load(Ordering::Relaxed)
    }
}
