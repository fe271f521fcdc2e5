//! The CPU backend, which records every module that it is given.

use imminent_core::backend::{
    Allocation, Backend, Buffer, Launch, ModuleHandle, Node, Primitive, QueueHandle, Read, Recording, Write,
};
use imminent_core::{Capabilities, Device, DeviceInfo, ModuleSource, Outcome, Progress, Result};
use imminent_cpu::{CpuBackend, Options};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

/// The modules seen so far.
pub type Seen = Arc<Mutex<Vec<&'static ModuleSource>>>;

#[derive(Debug)]
struct Recorder {
    inner: CpuBackend,
    capabilities: Capabilities,
    seen: Seen,
}

/// Opens the device, and returns the list to which it adds.
pub fn open() -> (Device, Seen) {
    let seen = Seen::default();
    let inner = CpuBackend::open(&Options { threads: Some(1), ..Options::default() }).unwrap();
    // Tables are read and written through the backend, not in place.
    let mut capabilities = inner.capabilities().clone();
    capabilities.native_rows = false;
    let device = Device::open(Recorder { inner, capabilities, seen: seen.clone() }).unwrap();
    (device, seen)
}

impl Backend for Recorder {
    fn info(&self) -> &DeviceInfo {
        self.inner.info()
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn queue(&self) -> Result<QueueHandle> {
        self.inner.queue()
    }

    fn allocate(&self, queue: &QueueHandle, allocation: &Allocation) -> Result<Buffer> {
        self.inner.allocate(queue, allocation)
    }

    fn grow(&self, queue: &QueueHandle, buffer: &Buffer, capacity: u32) -> Result<Buffer> {
        self.inner.grow(queue, buffer, capacity)
    }

    fn write(&self, queue: &QueueHandle, writes: &[Write<'_>]) -> Result<()> {
        self.inner.write(queue, writes)
    }

    fn read(&self, queue: &QueueHandle, reads: &mut [Read<'_>]) -> Result<()> {
        self.inner.read(queue, reads)
    }

    fn copy(&self, queue: &QueueHandle, from: &Buffer, to: &Buffer) -> Result<()> {
        self.inner.copy(queue, from, to)
    }

    fn clear(&self, queue: &QueueHandle, buffer: &Buffer) -> Result<()> {
        self.inner.clear(queue, buffer)
    }

    fn build(&self, source: &'static ModuleSource) -> Result<ModuleHandle> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if !seen.iter().any(|one| std::ptr::eq(*one, source)) {
            seen.push(source);
        }
        drop(seen);
        self.inner.build(source)
    }

    fn generated(&self, source: &'static ModuleSource, kernel: u32) -> Result<String> {
        self.inner.generated(source, kernel)
    }

    fn launch(&self, queue: &QueueHandle, launch: &Launch) -> Result<()> {
        self.inner.launch(queue, launch)
    }

    fn overrides(&self, primitive: &Primitive) -> bool {
        self.inner.overrides(primitive)
    }

    fn primitive(&self, queue: &QueueHandle, primitive: &Primitive) -> Result<()> {
        self.inner.primitive(queue, primitive)
    }

    fn record(&self, queue: &QueueHandle, nodes: Vec<Node>) -> Result<Recording> {
        self.inner.record(queue, nodes)
    }

    fn replay(
        &self,
        queue: &QueueHandle,
        recording: &Recording,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Outcome> {
        self.inner.replay(queue, recording, progress)
    }

    fn finish(&self, queue: &QueueHandle) -> Result<()> {
        self.inner.finish(queue)
    }

    fn allocated_bytes(&self) -> u64 {
        self.inner.allocated_bytes()
    }
}
