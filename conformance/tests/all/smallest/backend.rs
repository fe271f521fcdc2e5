//! The backend object.

use super::launch;
use super::memory::Memory;
use imminent_core::backend::{
    Allocation, Backend, Buffer, DeviceMemory, Launch, ModuleHandle, QueueHandle, Read, Write,
};
use imminent_core::{Capabilities, DeviceInfo, DeviceKind, Error, Limit, Limits, ModuleSource, Result};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

#[derive(Debug)]
pub(super) struct Interpreter {
    info: DeviceInfo,
    capabilities: Capabilities,
    allocated: Arc<AtomicU64>,
}

/// First error of the work on a queue, which is reported once.
#[derive(Default)]
struct Queue(Mutex<Option<Error>>);

impl Queue {
    fn of(queue: &QueueHandle) -> Result<&Queue> {
        queue.get().ok_or_else(|| Error::invalid("queue", "it is one of another backend"))
    }

    /// Does work, unless earlier work has failed.
    fn run(&self, work: impl FnOnce() -> Result<()>) {
        let mut failed = self.0.lock().unwrap();
        if failed.is_none() {
            *failed = work().err();
        }
    }

    fn settle(&self) -> Result<()> {
        self.0.lock().unwrap().take().map_or(Ok(()), Err)
    }
}

impl Interpreter {
    pub(super) fn new() -> Interpreter {
        let info = DeviceInfo {
            backend: "interpreter".to_owned(),
            name: "interpreter of the IR".to_owned(),
            driver: "none".to_owned(),
            kind: DeviceKind::CpuDevice,
            index: 0,
        };
        let mut capabilities = Capabilities::new(Limits::new(1 << 32, u32::MAX - 1024, 64));
        (capabilities.tally_min_max_64, capabilities.float64) = (true, true);
        Interpreter { info, capabilities, allocated: Arc::default() }
    }
}

impl Backend for Interpreter {
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

    fn grow(&self, _queue: &QueueHandle, buffer: &Buffer, capacity: u32) -> Result<Buffer> {
        Memory::of(buffer)?.grown(capacity)
    }

    fn write(&self, _queue: &QueueHandle, writes: &[Write<'_>]) -> Result<()> {
        writes.iter().try_for_each(|write| Memory::of(write.buffer)?.write(&write.span, write.bytes))
    }

    fn read(&self, queue: &QueueHandle, reads: &mut [Read<'_>]) -> Result<()> {
        Queue::of(queue)?.settle()?;
        reads.iter_mut().try_for_each(|read| Memory::of(read.buffer)?.read(&read.span, read.bytes))
    }

    fn copy(&self, _queue: &QueueHandle, from: &Buffer, to: &Buffer) -> Result<()> {
        Memory::of(to)?.copy_from(Memory::of(from)?)
    }

    fn clear(&self, _queue: &QueueHandle, buffer: &Buffer) -> Result<()> {
        Memory::of(buffer)?.words().fill(0);
        Ok(())
    }

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
        Queue::of(queue)?.settle()
    }

    fn allocated_bytes(&self) -> u64 {
        self.allocated.load(Ordering::Relaxed)
    }
}
