//! Memory and streams of other libraries.

use crate::CudaBackend;
use crate::driver::Stream;
use crate::memory::Memory;
use crate::queue::CudaQueue;
use imminent_core::backend::{Buffer, QueueHandle, Shape};
use imminent_core::{Device, Error, Queue, Result, Row, Table};
use std::any::Any;
use std::ffi::c_void;
use std::sync::Arc;

/// Tables in memory, and queues on streams, that another library of the process has made. Imminent works in the device's
/// primary context, as the CUDA runtime does, so addresses and streams of either are good in the other.
pub trait AdoptCuda {
    /// A table of `rows` rows with `capacity` lanes in memory of another library's, which stays the owner.
    ///
    /// The rows lie in the canonical layout of [`imminent_core::ir::Layout`]: word columns of as many rows as the next multiple
    /// of 64 above `rows`, one after another; row `rows` of each is zero and must stay so.
    ///
    /// # Safety
    /// From `address` on lies memory of this device for [`AdoptCuda::adopted_bytes`] bytes, until the table, its programs and all
    /// work that uses it are gone. Work of the other library on it is done before Imminent is first given it, and
    /// while Imminent works on it nobody else does.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a device of another backend or an address that is no multiple of 16, [`Error::Limit`],
    /// [`Error::Driver`].
    unsafe fn adopt_table<R: Row>(&self, address: u64, rows: usize, capacity: u32) -> Result<Table<R>>;

    /// A queue that puts its work on a stream of another library's, which stays the owner: so its work and Imminent's
    /// come one after another, in the order of the calls.
    ///
    /// # Safety
    /// `stream` is a `CUstream` of the device's primary context that lives until the queue and everything that was put on it
    /// are gone, and is not being captured.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a device of another backend, [`Error::Driver`].
    unsafe fn adopt_stream(&self, stream: *mut c_void) -> Result<Queue>;

    /// Bytes of such a table.
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
        let many = u32::try_from(rows).ok().filter(|rows| *rows <= crate::driver::MOST_ROWS);
        let Some(many) = many else {
            let (requested, limit) = (rows as u64, u64::from(crate::driver::MOST_ROWS));
            return Err(Error::Limit { what: "rows of an adopted table".to_owned(), requested, limit });
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
        let context = backend(self)?.context();
        // SAFETY: the caller's promise.
        let stream = unsafe { Stream::adopt(&context.primary, stream.cast()) }?;
        self.adopt_queue(QueueHandle::new(CudaQueue::with(context, Arc::new(stream))?))
    }
}
