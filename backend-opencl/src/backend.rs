//! The backend object.

use crate::device::{self, Adapter, Context, Platform};
use crate::memory::{Memory, memory};
use crate::module::KernelModule;
use crate::options::Options;
use crate::primitives;
use crate::program::Program;
use crate::queue::{Direction, OpenClQueue, host_memory};
use crate::runtime::Runtime;
use imminent_core::backend::PoolStatistics;
use imminent_core::backend::{
    Allocation, Backend, Buffer, HostMemory, Launch, ModuleHandle, Node, Pending, Prepared, Primitive, QueueHandle,
    Read, Recording, StagedColumn, Write,
};
use imminent_core::{Capabilities, DeviceInfo, Error, ModuleSource, Outcome, Progress, Result};
use imminent_device::c_primitives;
use imminent_device::dispatch::{self, generated};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A device accessible through OpenCL.
///
/// Integer kernels give identical bits here and on every backend, whatever the options. Floats are as exact as the
/// device's probes show.
#[derive(Debug)]
pub struct OpenClBackend {
    runtime: Arc<Runtime>,
    capabilities: Capabilities,
    memory_limit: Option<u64>,
    portable_primitives: bool,
}

impl OpenClBackend {
    /// Opens the device of this index, counted as by [`OpenClBackend::list`].
    ///
    /// # Errors
    /// [`Error::Unavailable`] if there is no loader, driver or device (it lists the paths tried and the packages to
    /// install), [`Error::NoDevice`], [`Error::Unsupported`] and [`Error::Limit`] for an option that the device cannot
    /// fulfil, [`Error::Driver`].
    pub fn open(index: u32, options: &Options) -> Result<OpenClBackend> {
        let (context, capabilities) = device::open(index, options)?;
        let (memory_limit, portable_primitives) = (options.memory_limit, options.portable_primitives);
        Ok(OpenClBackend { runtime: Arc::new(Runtime::new(context)), capabilities, memory_limit, portable_primitives })
    }

    /// Lists every device that can run kernels, with its limits. Drivers and devices that fail when queried are left
    /// out: [`OpenClBackend::platforms`] reports them.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if there is none; it names the failures.
    pub fn list(options: &Options) -> Result<Vec<Adapter>> {
        device::adapters(options)
    }

    /// Lists every driver that the loader knows, with its devices, and with the reasons for those left out.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the loader itself is missing or fails.
    pub fn platforms(options: &Options) -> Result<Vec<Platform>> {
        device::platforms(options)
    }

    /// Compiles every kernel of a module that the device can run, and returns their number. Later launches need no
    /// compilation.
    ///
    /// # Errors
    /// [`Error::Compile`] with the compiler's whole output and the line of the Rust kernel, [`Error::Module`],
    /// [`Error::Driver`].
    pub fn compile(&self, source: &'static ModuleSource) -> Result<u32> {
        KernelModule::build(&*self.runtime, source)?.compile(&*self.runtime)
    }

    pub(crate) fn runtime(&self) -> &Arc<Runtime> {
        &self.runtime
    }

    pub(crate) fn context(&self) -> &Context {
        &self.runtime.context
    }

    /// Returns the first failure of the cache of compiled programs, if there was one. It only costs time.
    #[must_use]
    pub fn cache_trouble(&self) -> Option<String> {
        self.context().cache.trouble()
    }
}

fn recorded(recording: &Recording) -> Result<&Program> {
    recording.get().ok_or_else(|| Error::invalid("program", "it was recorded by another backend than opencl"))
}

impl Backend for OpenClBackend {
    fn info(&self) -> &DeviceInfo {
        &self.context().info
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn queue(&self) -> Result<QueueHandle> {
        OpenClQueue::new(&self.runtime).map(QueueHandle::new)
    }

    fn allocate(&self, queue: &QueueHandle, allocation: &Allocation) -> Result<Buffer> {
        OpenClQueue::of(queue)?.allocate(allocation).map(Buffer::new)
    }

    fn grow(&self, queue: &QueueHandle, buffer: &Buffer, capacity: u32) -> Result<Buffer> {
        let old = memory(buffer)?;
        OpenClQueue::of(queue)?.grow(old, old.shape.grown(capacity)?).map(Buffer::new)
    }

    fn write(&self, queue: &QueueHandle, writes: &[Write<'_>]) -> Result<()> {
        OpenClQueue::of(queue)?.lock().write(writes)
    }

    fn read(&self, queue: &QueueHandle, reads: &mut [Read<'_>]) -> Result<()> {
        OpenClQueue::of(queue)?.lock().read(reads)
    }

    fn host_memory(&self, bytes: usize) -> Result<HostMemory> {
        host_memory(self.context(), bytes)
    }

    fn upload(&self, queue: &QueueHandle, from: HostMemory, to: &[StagedColumn]) -> Result<Arc<dyn Pending>> {
        OpenClQueue::of(queue)?.transfer(Direction::Up, from, to)
    }

    fn download(&self, queue: &QueueHandle, from: &[StagedColumn], into: HostMemory) -> Result<Arc<dyn Pending>> {
        OpenClQueue::of(queue)?.transfer(Direction::Down, into, from)
    }

    fn signal(&self, queue: &QueueHandle) -> Result<Arc<dyn Pending>> {
        OpenClQueue::of(queue)?.signal()
    }

    fn wait_for(&self, queue: &QueueHandle, other: &dyn Pending) -> Result<()> {
        OpenClQueue::of(queue)?.wait_for(other)
    }

    fn copy(&self, queue: &QueueHandle, from: &Buffer, to: &Buffer) -> Result<()> {
        OpenClQueue::of(queue)?.lock().copy(memory(from)?, memory(to)?)
    }

    fn clear(&self, queue: &QueueHandle, buffer: &Buffer) -> Result<()> {
        OpenClQueue::of(queue)?.lock().clear(memory(buffer)?)
    }

    fn build(&self, source: &'static ModuleSource) -> Result<ModuleHandle> {
        KernelModule::build(&*self.runtime, source).map(ModuleHandle::new)
    }

    fn generated(&self, source: &'static ModuleSource, kernel: u32) -> Result<String> {
        generated(&*self.runtime, source, kernel).map(|source| source.text.code)
    }

    fn launch(&self, queue: &QueueHandle, launch: &Launch) -> Result<()> {
        OpenClQueue::of(queue)?.lock().launch(launch)
    }

    fn prepare(&self, queue: &QueueHandle, launch: &Launch) -> Result<Option<Prepared>> {
        Ok(OpenClQueue::of(queue)?.lock().prepare(launch)?.map(Prepared::new))
    }

    fn launch_prepared(&self, queue: &QueueHandle, prepared: &mut Prepared, operation: Option<u64>) -> Result<()> {
        let foreign = || Error::invalid("launch", "it was prepared by another backend than opencl");
        OpenClQueue::of(queue)?.lock().launch_again(prepared.get_mut().ok_or_else(foreign)?, operation)
    }

    fn trouble(&self) -> Option<String> {
        self.cache_trouble()
    }

    fn overrides(&self, primitive: &Primitive) -> bool {
        !self.portable_primitives
            && primitives::fit(&self.context().facts)
            && c_primitives::supports::<Memory>(primitive, self.capabilities.float64)
    }

    fn primitive(&self, queue: &QueueHandle, primitive: &Primitive) -> Result<()> {
        OpenClQueue::of(queue)?.lock().primitive(primitive)
    }

    fn record(&self, queue: &QueueHandle, nodes: Vec<Node>) -> Result<Recording> {
        dispatch::compile_ahead(&*self.runtime, &nodes);
        Program::new(&mut OpenClQueue::of(queue)?, nodes).map(Recording::new)
    }

    fn replay(
        &self,
        queue: &QueueHandle,
        recording: &Recording,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Outcome> {
        recorded(recording)?.replay((self, queue), &mut OpenClQueue::of(queue)?, progress)
    }

    fn hand_over(&self, queue: &QueueHandle, recording: &Recording) -> Result<()> {
        recorded(recording)?.hand_over((self, queue))
    }

    fn finish(&self, queue: &QueueHandle) -> Result<()> {
        OpenClQueue::of(queue)?.lock().finish()
    }

    fn memory_limit(&self) -> Option<u64> {
        self.memory_limit
    }

    fn allocated_bytes(&self) -> u64 {
        self.context().pool.statistics().used
    }

    fn reserved_bytes(&self) -> u64 {
        self.context().held.load(Ordering::Relaxed)
    }

    fn pool(&self) -> Option<PoolStatistics> {
        Some(self.context().pool.statistics())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use imminent_core::ir::Scalar;

    #[test]
    fn memory_beyond_the_devices_is_refused_before_the_driver_promises_it() {
        let backend = OpenClBackend::open(0, &Options::default())
            .unwrap_or_else(|error| panic!("apt install ocl-icd-libopencl1 pocl-opencl-icd: {error}"));
        let queue = backend.queue().unwrap();
        let allocation = Allocation::Tally { scalar: Scalar::U64, slots: 1000, native: |_| unreachable!() };
        let memory = backend.context().facts.memory_bytes;
        // Simulates other buffers that have taken all but 7,999 bytes.
        backend.context().held.store(memory - 7_999, Ordering::Relaxed);
        let error = backend.allocate(&queue, &allocation).unwrap_err();
        assert!(matches!(error, Error::OutOfMemory { requested: 8_000, limit: Some(7_999), .. }), "{error}");
        backend.context().held.store(memory - 8_192, Ordering::Relaxed);
        let tally = backend.allocate(&queue, &allocation).unwrap();
        assert_eq!((backend.allocated_bytes(), backend.reserved_bytes()), (8_000, memory));
        drop(tally);
        assert_eq!(backend.allocated_bytes(), 0);
    }
}
