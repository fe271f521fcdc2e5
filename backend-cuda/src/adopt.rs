//! Memory and streams of other libraries.

use crate::CudaBackend;
use crate::driver::Stream;
use crate::memory::Memory;
use crate::queue::CudaQueue;
use imminent_core::backend::{Buffer, QueueHandle, Shape};
use imminent_core::{Device, Error, Limit, Queue, Result, Row, Table};
use std::any::Any;
use std::ffi::c_void;
use std::sync::Arc;

/// Tables in memory, and queues on streams, that another library of the process has made. Imminent works in the
/// device's primary context, as the CUDA runtime does, so addresses and streams of either are valid in the other.
pub trait AdoptCuda {
    /// Creates a table of `rows` rows with `capacity` lanes in memory of another library, which stays the owner.
    ///
    /// The rows lie in the canonical layout of [`imminent_core::ir::Layout`]: consecutive word columns of as many rows
    /// as the next multiple of 64 above `rows`. Row `rows` of each is zero and must stay so.
    ///
    /// # Safety
    /// The [`AdoptCuda::adopted_bytes`] bytes from `address` on are memory of this device, until the table, its
    /// programs and all work that uses it no longer exist. Work of the other library on the memory is done before
    /// Imminent is first given it. While Imminent works on it, no other code does.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a device of another backend or an address that is no multiple of 16, [`Error::Limit`],
    /// [`Error::Driver`].
    unsafe fn adopt_table<R: Row>(&self, address: u64, rows: usize, capacity: u32) -> Result<Table<R>>;

    /// Creates a queue that puts its work on a stream of another library, which stays the owner. The work of both takes
    /// place in the order of the calls.
    ///
    /// # Safety
    /// `stream` is a `CUstream` of the device's primary context. It is not being captured, and lives longer than the
    /// queue and all work on it.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a device of another backend, [`Error::Driver`].
    unsafe fn adopt_stream(&self, stream: *mut c_void) -> Result<Queue>;

    /// Returns the bytes of such a table.
    fn adopted_bytes<R: Row>(rows: u32, capacity: u32) -> u64 {
        Shape::Table { layout: R::layout(), rows, capacity }.bytes()
    }
}

fn backend(device: &Device) -> Result<&CudaBackend> {
    (device.backend() as &dyn Any)
        .downcast_ref()
        .ok_or_else(|| Error::invalid("device", format!("it is of backend {}, not of cuda", device.info().backend)))
}

impl AdoptCuda for Device {
    unsafe fn adopt_table<R: Row>(&self, address: u64, rows: usize, capacity: u32) -> Result<Table<R>> {
        let context = backend(self)?.context();
        let many = u32::try_from(rows).ok().filter(|rows| *rows <= crate::device::MAX_ROWS);
        let Some(many) = many else {
            let what = Limit::Rows { of: format!("a table of `{}`", R::layout().name) };
            return Err(Error::limit(what, rows as u64, crate::device::MAX_ROWS));
        };
        if address == 0 || !address.is_multiple_of(16) {
            return Err(Error::invalid("address of an adopted table", format!("{address:#x} is no multiple of 16")));
        }
        let shape = Shape::Table { layout: R::layout(), rows: many, capacity };
        // SAFETY: the caller's promise.
        let memory = unsafe { Memory::adopt(context, shape, address) }?;
        Table::adopt(self, rows, capacity, Buffer::new(memory))
    }

    unsafe fn adopt_stream(&self, stream: *mut c_void) -> Result<Queue> {
        let runtime = backend(self)?.runtime();
        // SAFETY: the caller's promise.
        let stream = unsafe { Stream::adopt(&runtime.context.primary, stream.cast()) }?;
        self.adopt_queue(QueueHandle::new(CudaQueue::with(runtime, Arc::new(stream))?))
    }
}
