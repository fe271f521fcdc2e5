//! The backend object.

use crate::device::{self, Adapter, Context};
use crate::memory::{Memory, memory};
use crate::module::KernelModule;
use crate::options::Options;
use crate::program::Program;
use crate::queue::{CudaQueue, Direction, host_memory};
use crate::runtime::Runtime;
use imminent_core::backend::PoolStatistics;
use imminent_core::backend::{
    Allocation, Backend, Buffer, HostMemory, Launch, ModuleHandle, Node, Pending, Prepared, Primitive, QueueHandle,
    Read, Recording, StagedColumn, Write,
};
use imminent_core::{Capabilities, DeviceInfo, Error, ModuleSource, Outcome, Progress, Result};
use imminent_device::c_primitives;
use imminent_device::dispatch::generated;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A CUDA device.
///
/// Integer kernels give identical bits here and on every backend, whatever the options. So do floats, as far as the
/// device's probes find correct rounding: kernels are compiled without contraction or flushing.
#[derive(Debug)]
pub struct CudaBackend {
    runtime: Arc<Runtime>,
    capabilities: Capabilities,
    memory_limit: Option<u64>,
    portable_primitives: bool,
}

impl CudaBackend {
    /// Opens the device of this index, counted as by [`CudaBackend::list`].
    ///
    /// # Errors
    /// [`Error::Unavailable`] if there is no driver, no NVRTC or no device, or the driver is too old (it lists the
    /// paths tried and the packages to install), [`Error::NoDevice`], [`Error::Unsupported`], [`Error::Driver`].
    pub fn open(index: u32, options: &Options) -> Result<CudaBackend> {
        let (context, capabilities) = device::open(index, options)?;
        Ok(CudaBackend {
            runtime: Arc::new(Runtime::new(context)),
            capabilities,
            memory_limit: options.memory_limit,
            portable_primitives: options.portable_primitives,
        })
    }

    /// Lists every device, with its limits.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if there is none, or no driver.
    pub fn list(options: &Options) -> Result<Vec<Adapter>> {
        device::adapters(options)
    }

    /// Returns path and version of the compiler library NVRTC, or that it was not needed yet.
    #[must_use]
    pub fn compiler(&self) -> String {
        self.context().compiler.words()
    }

    pub(crate) fn runtime(&self) -> &Arc<Runtime> {
        &self.runtime
    }

    pub(crate) fn context(&self) -> &Context {
        &self.runtime.context
    }

    fn queue_of<'q>(&self, handle: &'q QueueHandle) -> Result<&'q CudaQueue> {
        CudaQueue::of(self.context(), handle)
    }
}

fn recorded(recording: &Recording) -> Result<&Program> {
    recording.get().ok_or_else(|| Error::invalid("program", "it was recorded by another backend than cuda"))
}

impl Backend for CudaBackend {
    fn info(&self) -> &DeviceInfo {
        &self.context().primary.info
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn queue(&self) -> Result<QueueHandle> {
        CudaQueue::new(&self.runtime).map(QueueHandle::new)
    }

    fn allocate(&self, queue: &QueueHandle, allocation: &Allocation) -> Result<Buffer> {
        let queue = self.queue_of(queue)?;
        Memory::allocate(self.context(), &queue.stream, &queue.results, allocation).map(Buffer::new)
    }

    fn grow(&self, queue: &QueueHandle, buffer: &Buffer, capacity: u32) -> Result<Buffer> {
        let queue = self.queue_of(queue)?;
        let old = memory(buffer)?;
        let grown = Memory::new(self.context(), &queue.stream, old.shape.grown(capacity)?)?;
        queue.lock().copy_prefix(old, &grown)?;
        Ok(Buffer::new(grown))
    }

    fn write(&self, queue: &QueueHandle, writes: &[Write<'_>]) -> Result<()> {
        self.queue_of(queue)?.lock().write(writes)
    }

    fn read(&self, queue: &QueueHandle, reads: &mut [Read<'_>]) -> Result<()> {
        self.queue_of(queue)?.lock().read(reads)
    }

    fn host_memory(&self, bytes: usize) -> Result<HostMemory> {
        host_memory(self.context(), bytes)
    }

    fn upload(&self, queue: &QueueHandle, from: HostMemory, to: &[StagedColumn]) -> Result<Arc<dyn Pending>> {
        self.queue_of(queue)?.transfer(Direction::Up, from, to)
    }

    fn download(&self, queue: &QueueHandle, from: &[StagedColumn], into: HostMemory) -> Result<Arc<dyn Pending>> {
        self.queue_of(queue)?.transfer(Direction::Down, into, from)
    }

    fn signal(&self, queue: &QueueHandle) -> Result<Arc<dyn Pending>> {
        self.queue_of(queue)?.signal()
    }

    fn wait_for(&self, queue: &QueueHandle, other: &dyn Pending) -> Result<()> {
        self.queue_of(queue)?.wait_for(other)
    }

    fn copy(&self, queue: &QueueHandle, from: &Buffer, to: &Buffer) -> Result<()> {
        self.queue_of(queue)?.lock().copy(memory(from)?, memory(to)?)
    }

    fn clear(&self, queue: &QueueHandle, buffer: &Buffer) -> Result<()> {
        self.queue_of(queue)?.lock().clear(memory(buffer)?)
    }

    fn build(&self, source: &'static ModuleSource) -> Result<ModuleHandle> {
        KernelModule::build(&*self.runtime, source).map(ModuleHandle::new)
    }

    fn generated(&self, source: &'static ModuleSource, kernel: u32) -> Result<String> {
        generated(&*self.runtime, source, kernel).map(|source| source.text.code)
    }

    fn launch(&self, queue: &QueueHandle, launch: &Launch) -> Result<()> {
        self.queue_of(queue)?.lock().launch(launch)
    }

    fn prepare(&self, queue: &QueueHandle, launch: &Launch) -> Result<Option<Prepared>> {
        Ok(self.queue_of(queue)?.lock().prepare(launch)?.map(Prepared::new))
    }

    fn launch_prepared(&self, queue: &QueueHandle, prepared: &mut Prepared, operation: Option<u64>) -> Result<()> {
        let foreign = || Error::invalid("launch", "it was prepared by another backend than cuda");
        self.queue_of(queue)?.lock().launch_again(prepared.get_mut().ok_or_else(foreign)?, operation)
    }

    fn trouble(&self) -> Option<String> {
        self.runtime.context.cache.kept.trouble()
    }

    fn overrides(&self, primitive: &Primitive) -> bool {
        !self.portable_primitives && c_primitives::supports::<Memory>(primitive, self.capabilities.float64)
    }

    fn primitive(&self, queue: &QueueHandle, primitive: &Primitive) -> Result<()> {
        self.queue_of(queue)?.lock().primitive(primitive)
    }

    fn record(&self, queue: &QueueHandle, nodes: Vec<Node>) -> Result<Recording> {
        Program::new(self.queue_of(queue)?, nodes).map(Recording::new)
    }

    fn replay(
        &self,
        queue: &QueueHandle,
        recording: &Recording,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Outcome> {
        recorded(recording)?.recorded.replay((self, queue), &mut self.queue_of(queue)?, progress)
    }

    fn hand_over(&self, queue: &QueueHandle, recording: &Recording) -> Result<()> {
        recorded(recording)?.hand_over(self.queue_of(queue)?)
    }

    fn finish(&self, queue: &QueueHandle) -> Result<()> {
        self.queue_of(queue)?.lock().finish()
    }

    fn memory_limit(&self) -> Option<u64> {
        self.memory_limit
    }

    fn allocated_bytes(&self) -> u64 {
        self.context().allocated.load(Ordering::Relaxed)
    }

    fn reserved_bytes(&self) -> u64 {
        self.pool().map_or_else(|| self.allocated_bytes(), |pool| pool.held)
    }

    fn free_bytes(&self) -> Option<u64> {
        self.context().primary.free_bytes()
    }

    fn pool(&self) -> Option<PoolStatistics> {
        self.context().pool_statistics().ok()
    }
}
