//! The backend object: what core asks of a device.

use crate::memory::Memory;
use crate::queue::Queue;
use crate::{NAME, launch};
use imminent_core::backend::{
    Allocation, Backend, Buffer, DeviceMemory, Launch, ModuleHandle, QueueHandle, Read, Write,
};
use imminent_core::{Capabilities, DeviceInfo, DeviceKind, Error, Limit, Limits, ModuleSource, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The device.
#[derive(Debug)]
pub struct Skeleton {
    info: DeviceInfo,
    capabilities: Capabilities,
    allocated: Arc<AtomicU64>,
}

impl Skeleton {
    /// Opens the device.
    #[must_use]
    pub fn open() -> Skeleton {
        let [backend, name, driver] = [NAME, "interpreter of the IR", "none"].map(str::to_owned);
        let info = DeviceInfo { backend, name, driver, kind: DeviceKind::CpuDevice, index: 0 };
        // Bytes of a table, rows of a table, tables and tallies of a kernel.
        let mut capabilities = Capabilities::new(Limits::new(1 << 32, u32::MAX - 1024, 64));
        (capabilities.tally_min_max_64, capabilities.float64) = (true, true);
        Skeleton { info, capabilities, allocated: Arc::default() }
    }
}

impl Backend for Skeleton {
    // Step 1: memory.

    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn queue(&self) -> Result<QueueHandle> {
        Ok(QueueHandle::new(Queue::default()))
    }

    fn allocate(&self, _queue: &QueueHandle, allocation: &Allocation) -> Result<Buffer> {
        let limit = self.capabilities.limits.table_bytes;
        if allocation.bytes() > limit {
            return Err(Error::limit(Limit::Bytes { of: "a table".to_owned() }, allocation.bytes(), limit));
        }
        Ok(Memory::allocate(allocation, &self.allocated))
    }

    fn write(&self, _queue: &QueueHandle, writes: &[Write<'_>]) -> Result<()> {
        writes.iter().try_for_each(|write| Memory::of(write.buffer)?.write(&write.span, write.bytes))
    }

    fn read(&self, queue: &QueueHandle, reads: &mut [Read<'_>]) -> Result<()> {
        Queue::of(queue)?.finish()?;
        reads.iter_mut().try_for_each(|read| Memory::of(read.buffer)?.read(&read.span, read.bytes))
    }

    fn allocated_bytes(&self) -> u64 {
        self.allocated.load(Ordering::Relaxed)
    }

    // Step 2: copies.

    fn copy(&self, _queue: &QueueHandle, from: &Buffer, to: &Buffer) -> Result<()> {
        Memory::of(to)?.copy_from(Memory::of(from)?)
    }

    fn clear(&self, _queue: &QueueHandle, buffer: &Buffer) -> Result<()> {
        Memory::of(buffer)?.words().fill(0);
        Ok(())
    }

    fn grow(&self, _queue: &QueueHandle, buffer: &Buffer, capacity: u32) -> Result<Buffer> {
        Memory::of(buffer)?.grown(capacity)
    }

    // Steps 3 to 5: kernels, their results and faults.

    fn build(&self, source: &'static ModuleSource) -> Result<ModuleHandle> {
        let module = ModuleHandle::new(source);
        launch::module(&module)?;
        Ok(module)
    }

    fn generated(&self, source: &'static ModuleSource, kernel: u32) -> Result<String> {
        let module = launch::module(&ModuleHandle::new(source))?;
        Ok(format!("{:#?}", module.functions[module.kernels[kernel as usize].function.index()]))
    }

    fn launch(&self, queue: &QueueHandle, launch: &Launch) -> Result<()> {
        Queue::of(queue)?.run(|| launch::run(launch));
        Ok(())
    }

    fn finish(&self, queue: &QueueHandle) -> Result<()> {
        Queue::of(queue)?.finish()
    }
}
