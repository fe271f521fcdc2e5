//! Tables in buffers of other libraries.

use crate::WgpuBackend;
use crate::memory::{Memory, USAGE};
use imminent_core::backend::{Buffer, Shape};
use imminent_core::{Device, Error, Limit, Result, Row, Table};
use std::any::Any;

/// Tables in buffers that another library of the process has made, with access to the device and queue for making them.
///
/// Nothing here is unsafe: wgpu itself orders all work that is submitted to the queue, refuses buffers of other
/// devices, and keeps buffers alive while they are in use.
pub trait AdoptWgpu {
    /// Returns the device's `wgpu::Device`, with which the other library makes its buffers.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a device of another backend.
    fn wgpu_device(&self) -> Result<wgpu::Device>;

    /// Returns the device's `wgpu::Queue`. Imminent gathers its work before it submits it. Work of the other library
    /// comes after Imminent's work once that was submitted. This is the case at the latest after a wait for a queue of
    /// Imminent, or after an event was recorded there.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a device of another backend.
    fn wgpu_queue(&self) -> Result<wgpu::Queue>;

    /// Makes a table of `rows` rows with `capacity` lanes in a buffer of another library; the table holds a handle of
    /// the buffer.
    ///
    /// The rows lie in the canonical layout of [`imminent_core::ir::Layout`]: word columns one after another, from the
    /// start of the buffer. Each column has as many rows as the next multiple of 64 above `rows`. Row `rows` of each
    /// column is zero and must stay so, since reads past the end return it. Bytes after the columns are not touched.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a device of another backend, and for a buffer that is too short
    /// ([`AdoptWgpu::adopted_bytes`]) or was made for other uses ([`AdoptWgpu::adopted_usage`]); [`Error::Limit`] for
    /// one that is longer than the device binds. A buffer of another device is refused when it is first used, with
    /// [`Error::Driver`].
    fn adopt_table<R: Row>(&self, buffer: wgpu::Buffer, rows: usize, capacity: u32) -> Result<Table<R>>;

    /// Returns the bytes of such a table.
    fn adopted_bytes<R: Row>(rows: u32, capacity: u32) -> u64 {
        Shape::Table { layout: R::layout(), rows, capacity }.bytes()
    }

    /// Returns the usages that such a buffer must have at least.
    #[must_use]
    fn adopted_usage() -> wgpu::BufferUsages {
        USAGE
    }
}

fn backend(device: &Device) -> Result<&WgpuBackend> {
    (device.backend() as &dyn Any)
        .downcast_ref()
        .ok_or_else(|| Error::invalid("device", format!("it is of backend {}, not of wgpu", device.info().backend)))
}

impl AdoptWgpu for Device {
    fn wgpu_device(&self) -> Result<wgpu::Device> {
        Ok(backend(self)?.context().device.clone())
    }

    fn wgpu_queue(&self) -> Result<wgpu::Queue> {
        Ok(backend(self)?.context().queue.clone())
    }

    fn adopt_table<R: Row>(&self, buffer: wgpu::Buffer, rows: usize, capacity: u32) -> Result<Table<R>> {
        let limits = &backend(self)?.context().limits;
        let table = || format!("a table of `{}`", R::layout().name);
        let too_many = |_| Error::limit(Limit::Rows { of: table() }, rows as u64, limits.rows());
        let shape = Shape::Table { layout: R::layout(), rows: u32::try_from(rows).map_err(too_many)?, capacity };
        if !buffer.usage().contains(USAGE) {
            let reason = format!("it was made for {:?}, a table needs {USAGE:?}", buffer.usage());
            return Err(Error::invalid("buffer of an adopted table", reason));
        }
        if buffer.size() < shape.bytes() {
            let reason = format!("it has {} bytes, a {} takes {}", buffer.size(), shape.name(), shape.bytes());
            return Err(Error::invalid("buffer of an adopted table", reason));
        }
        if buffer.size() > limits.segment_bytes {
            return Err(Error::limit(Limit::Bytes { of: table() }, buffer.size(), limits.segment_bytes));
        }
        Table::adopt(self, rows, capacity, Buffer::new(Memory::adopt(backend(self)?.context(), shape, buffer)))
    }
}
