//! Memory and queues of other libraries.

use crate::OpenClBackend;
use crate::cl::CommandQueue;
use crate::device::MAX_ROWS;
use crate::memory::{Memory, WordBuffer};
use crate::queue::OpenClQueue;
use imminent_core::backend::{Buffer, QueueHandle, Shape};
use imminent_core::{Device, Error, Limit, Queue, Result, Row, Table};
use std::any::Any;
use std::ffi::c_void;

/// Tables in memory, and queues on command queues, that another library of the process has made in the device's
/// context.
pub trait AdoptOpenCl {
    /// Returns the device's `cl_context`, in which the other library creates its memory and its queues. Imminent owns
    /// it, and it is valid as long as the device.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a device of another backend.
    fn cl_context(&self) -> Result<*mut c_void>;

    /// Returns the device's `cl_device_id`.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a device of another backend.
    fn cl_device(&self) -> Result<*mut c_void>;

    /// Creates a table of `rows` rows with `capacity` lanes in memory of another library; the table holds a reference
    /// to the memory.
    ///
    /// The rows lie in the canonical layout of [`imminent_core::ir::Layout`]: consecutive word columns of as many rows
    /// as the next multiple of 64 above `rows`. Row `rows` of each is zero and must stay so.
    ///
    /// # Safety
    /// `memory` is a `cl_mem` of the device's context with room for [`AdoptOpenCl::adopted_bytes`] bytes. Work of the
    /// other library on it is done before Imminent is first given it. While Imminent works on it, no other code does.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a device of another backend, [`Error::Limit`], [`Error::Driver`].
    unsafe fn adopt_table<R: Row>(&self, memory: *mut c_void, rows: usize, capacity: u32) -> Result<Table<R>>;

    /// Creates a queue that enqueues its work to a command queue of another library, and holds a reference to it. The
    /// work of both takes place in the order of the calls.
    ///
    /// # Safety
    /// `queue` is a `cl_command_queue` of the device's context and device, and executes its commands in order.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a device of another backend, [`Error::Driver`].
    unsafe fn adopt_command_queue(&self, queue: *mut c_void) -> Result<Queue>;

    /// Returns the bytes of such a table.
    fn adopted_bytes<R: Row>(rows: u32, capacity: u32) -> u64 {
        Shape::Table { layout: R::layout(), rows, capacity }.words() * 4
    }
}

fn backend(device: &Device) -> Result<&OpenClBackend> {
    (device.backend() as &dyn Any)
        .downcast_ref()
        .ok_or_else(|| Error::invalid("device", format!("it is of backend {}, not of opencl", device.info().backend)))
}

impl AdoptOpenCl for Device {
    fn cl_context(&self) -> Result<*mut c_void> {
        Ok(backend(self)?.context().cl.raw().cast())
    }

    fn cl_device(&self) -> Result<*mut c_void> {
        Ok(backend(self)?.context().device.raw().cast())
    }

    unsafe fn adopt_table<R: Row>(&self, memory: *mut c_void, rows: usize, capacity: u32) -> Result<Table<R>> {
        let context = backend(self)?.context();
        let of = || format!("a table of `{}`", R::layout().name);
        let too_many = |_| Error::limit(Limit::Rows { of: of() }, rows as u64, MAX_ROWS);
        let shape = Shape::Table { layout: R::layout(), rows: u32::try_from(rows).map_err(too_many)?, capacity };
        if memory.is_null() {
            return Err(Error::invalid("memory of an adopted table", "the handle is null"));
        }
        // SAFETY: the caller's promise.
        let buffer = unsafe { WordBuffer::share(context, memory, shape.words()) }?;
        Table::adopt(self, rows, capacity, Buffer::new(Memory::adopt(context, shape, buffer)?))
    }

    unsafe fn adopt_command_queue(&self, queue: *mut c_void) -> Result<Queue> {
        let runtime = backend(self)?.runtime();
        if queue.is_null() {
            return Err(Error::invalid("adopted queue", "the handle is null"));
        }
        // SAFETY: the caller's promise.
        let queue = unsafe { CommandQueue::share(queue) }
            .map_err(|failure| runtime.context.failed("adopting a queue", failure))?;
        self.adopt_queue(QueueHandle::new(OpenClQueue::with(runtime, queue)?))
    }
}
