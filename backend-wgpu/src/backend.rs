//! The backend object of a device.

use crate::device::{self, Adapter, Context};
use crate::memory::memory;
use crate::module::KernelModule;
use crate::options::Options;
use crate::primitives;
use crate::program::Program;
use crate::queue::WgpuQueue;
use crate::runtime::Runtime;
use imminent_core::backend::PoolStatistics;
use imminent_core::backend::{
    Allocation, Backend, Buffer, HostMemory, Launch, ModuleHandle, Node, Pending, Prepared, Primitive, QueueHandle,
    Read, Recording, Shape, StagedColumn, Write,
};
use imminent_core::{Capabilities, DeviceInfo, Error, ModuleSource, Outcome, Progress, Result};
use imminent_device::dispatch::{self, generated};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A device reached through WebGPU.
///
/// Integer kernels give the same bits on every backend, with any options. Floats are as exact as the probes of the
/// device report, since the WebGPU standard promises little.
#[derive(Debug)]
pub struct WgpuBackend {
    runtime: Arc<Runtime>,
    capabilities: Capabilities,
    memory_limit: Option<u64>,
    portable_primitives: bool,
}

impl WgpuBackend {
    /// Opens the device with an index as in [`WgpuBackend::list`].
    ///
    /// # Errors
    /// [`Error::Unavailable`] when there is no loader, driver or device (it names what was tried and what to install),
    /// [`Error::NoDevice`], [`Error::Unsupported`] for an option that the device cannot fulfil, [`Error::Driver`].
    pub fn open(index: u32, options: &Options) -> Result<WgpuBackend> {
        device::open(index, options).map(|opened| Self::with(opened, options))
    }

    fn with((context, capabilities): (Context, Capabilities), options: &Options) -> WgpuBackend {
        let (memory_limit, portable_primitives) = (options.memory_limit, options.portable_primitives);
        WgpuBackend { runtime: Arc::new(Runtime::new(context)), capabilities, memory_limit, portable_primitives }
    }

    /// Adopts a device and its queue that another library of the process has opened. Both libraries can use the device
    /// at the same time and share buffers ([`AdoptWgpu`](crate::AdoptWgpu)). `queue` must be the one that came with
    /// `device`.
    ///
    /// Kernels may use the features and limits with which the device was opened: 64-bit integers, for instance, are
    /// native with `SHADER_INT64`. Imminent replaces the device's callback for device loss. Errors of Imminent's calls
    /// are caught in error scopes and returned, so they do not reach the other library's handler.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for limits with which no kernel can run, or an option that the device cannot fulfil.
    pub fn adopt(device: wgpu::Device, queue: wgpu::Queue, options: &Options) -> Result<WgpuBackend> {
        device::adopt((device, queue), options).map(|opened| Self::with(opened, options))
    }

    pub(crate) fn context(&self) -> &Context {
        &self.runtime.context
    }

    /// Lists every device that can compute, with its limits.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when there is none.
    pub fn list(options: &Options) -> Result<Vec<Adapter>> {
        device::adapters(options)
    }
}

fn recorded(recording: &Recording) -> Result<&Program> {
    recording.get().ok_or_else(|| Error::invalid("program", "it was recorded by another backend than wgpu"))
}

impl Backend for WgpuBackend {
    fn info(&self) -> &DeviceInfo {
        &self.context().info
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn queue(&self) -> Result<QueueHandle> {
        WgpuQueue::new(&self.runtime).map(QueueHandle::new)
    }

    fn allocate(&self, queue: &QueueHandle, allocation: &Allocation) -> Result<Buffer> {
        let queue = WgpuQueue::of(queue)?;
        let memory = queue.lock().allocate(Shape::of(allocation))?;
        // Unless a launch that sets it comes first, a result is cleared.
        if !matches!(memory.shape, Shape::Result { .. }) {
            queue.lock().make_fresh(&memory);
        }
        Ok(Buffer::new(memory))
    }

    fn grow(&self, queue: &QueueHandle, buffer: &Buffer, capacity: u32) -> Result<Buffer> {
        let old = memory(buffer)?;
        let mut queue = WgpuQueue::of(queue)?.lock();
        let grown = queue.allocate(old.shape.grown(capacity)?)?;
        queue.make_fresh(&grown);
        queue.copy_prefix(old, &grown)?;
        Ok(Buffer::new(grown))
    }

    fn write(&self, queue: &QueueHandle, writes: &[Write<'_>]) -> Result<()> {
        WgpuQueue::of(queue)?.lock().write(writes)
    }

    fn read(&self, queue: &QueueHandle, reads: &mut [Read<'_>]) -> Result<()> {
        WgpuQueue::of(queue)?.lock().read(reads)
    }

    fn upload(&self, queue: &QueueHandle, from: HostMemory, to: &[StagedColumn]) -> Result<Arc<dyn Pending>> {
        WgpuQueue::of(queue)?.upload(from, to)
    }

    fn download(&self, queue: &QueueHandle, from: &[StagedColumn], into: HostMemory) -> Result<Arc<dyn Pending>> {
        WgpuQueue::of(queue)?.download(from, into)
    }

    fn signal(&self, queue: &QueueHandle) -> Result<Arc<dyn Pending>> {
        WgpuQueue::of(queue)?.signal()
    }

    fn wait_for(&self, queue: &QueueHandle, other: &dyn Pending) -> Result<()> {
        WgpuQueue::of(queue)?.wait_for(other)
    }

    fn copy(&self, queue: &QueueHandle, from: &Buffer, to: &Buffer) -> Result<()> {
        WgpuQueue::of(queue)?.lock().copy(memory(from)?, memory(to)?)
    }

    fn clear(&self, queue: &QueueHandle, buffer: &Buffer) -> Result<()> {
        WgpuQueue::of(queue)?.lock().clear(memory(buffer)?);
        Ok(())
    }

    fn build(&self, source: &'static ModuleSource) -> Result<ModuleHandle> {
        KernelModule::build(&*self.runtime, source).map(ModuleHandle::new)
    }

    fn generated(&self, source: &'static ModuleSource, kernel: u32) -> Result<String> {
        generated(&*self.runtime, source, kernel).map(|source| source.code)
    }

    fn launch(&self, queue: &QueueHandle, launch: &Launch) -> Result<()> {
        WgpuQueue::of(queue)?.lock().launch(launch)
    }

    fn prepare(&self, queue: &QueueHandle, launch: &Launch) -> Result<Option<Prepared>> {
        Ok(WgpuQueue::of(queue)?.lock().prepare(launch)?.map(Prepared::new))
    }

    fn launch_prepared(&self, queue: &QueueHandle, prepared: &mut Prepared, operation: Option<u64>) -> Result<()> {
        let foreign = || Error::invalid("launch", "it was prepared by another backend than wgpu");
        WgpuQueue::of(queue)?.lock().launch_again(prepared.get_mut().ok_or_else(foreign)?, operation)
    }

    fn overrides(&self, primitive: &Primitive) -> bool {
        !self.portable_primitives && !self.context().limits.shared && primitives::supports(&self.runtime, primitive)
    }

    fn primitive(&self, queue: &QueueHandle, primitive: &Primitive) -> Result<()> {
        WgpuQueue::of(queue)?.lock().primitive(primitive)
    }

    fn record(&self, queue: &QueueHandle, nodes: Vec<Node>) -> Result<Recording> {
        dispatch::compile_ahead(&*self.runtime, &nodes);
        Program::new(&mut WgpuQueue::of(queue)?, nodes).map(Recording::new)
    }

    fn replay(
        &self,
        queue: &QueueHandle,
        recording: &Recording,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Outcome> {
        recorded(recording)?.replay((self, queue), &mut WgpuQueue::of(queue)?, progress)
    }

    fn hand_over(&self, queue: &QueueHandle, recording: &Recording) -> Result<()> {
        recorded(recording)?.hand_over((self, queue))
    }

    fn finish(&self, queue: &QueueHandle) -> Result<()> {
        WgpuQueue::of(queue)?.lock().finish()
    }

    fn memory_limit(&self) -> Option<u64> {
        self.memory_limit
    }

    fn allocated_bytes(&self) -> u64 {
        self.context().statistics().used
    }

    fn reserved_bytes(&self) -> u64 {
        self.context().statistics().held
    }

    fn pool(&self) -> Option<PoolStatistics> {
        Some(self.context().statistics())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use imminent_core::Table;
    use imminent_core::backend::{Read, Span};
    use imminent_core::ir::{Scalar, Scalars};

    #[test]
    fn a_lost_device_is_an_error_of_every_later_call() {
        let backend = WgpuBackend::open(0, &Options::default())
            .unwrap_or_else(|error| panic!("apt install mesa-vulkan-drivers libvulkan1: {error}"));
        let queue = backend.queue().unwrap();
        let allocation = Allocation::Result { scalars: Scalars::new(&[Scalar::U64]) };
        let buffer = backend.allocate(&queue, &allocation).unwrap();
        backend.context().device.destroy();
        let span = Span::column(None, 0, Scalar::U64, 0..1);
        let read = backend.read(&queue, &mut [Read { buffer: &buffer, span, bytes: &mut [0; 8] }]);
        assert!(matches!(read, Err(Error::DeviceLost { .. })), "{read:?}");
        let finished = backend.finish(&queue);
        assert!(matches!(finished, Err(Error::DeviceLost { .. })), "{finished:?}");
        let allocated = backend.allocate(&queue, &allocation).map(drop);
        assert!(matches!(allocated, Err(Error::DeviceLost { .. })), "{allocated:?}");
        let opened = imminent_core::Device::open(backend).map(|device| Table::<u32>::zeroed(&device, 3).map(drop));
        assert!(matches!(opened, Err(Error::DeviceLost { .. })));
    }
}
