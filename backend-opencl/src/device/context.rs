//! State shared by everything on one opened device.

use super::cache::DiskCache;
use super::facts::Facts;
use super::find::Candidate;
use crate::cl::{self, CommandQueue, DeviceId, Failure, code};
use imminent_core::{DeviceInfo, Error, Limit, Result};
use imminent_device::pool::{Pool, PoolLimits};
use imminent_lowering::c::COptions;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// An OpenCL context with the properties of its device.
pub(crate) struct Context {
    pub(crate) cl: cl::Context,
    pub(crate) device: DeviceId,
    pub(crate) info: DeviceInfo,
    pub(crate) facts: Facts,
    /// Bytes of the largest table.
    pub(crate) table_bytes: u64,
    /// Options of the lowering of kernels.
    pub(crate) lowering: COptions,
    /// `true` if the driver compiles kernels without optimization.
    pub(crate) unoptimized: bool,
    pub(crate) cache: DiskCache,
    /// Pool of tables, tallies and results.
    pub(crate) pool: Arc<Pool<Context>>,
    /// Bytes of buffers that the driver keeps for this device.
    pub(crate) held: Arc<AtomicU64>,
    /// Queue for mapping host memory.
    mapper: Mutex<Option<Arc<CommandQueue>>>,
    next_id: AtomicU64,
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("info", &self.info).field("facts", &self.facts).finish_non_exhaustive()
    }
}

impl Context {
    pub(super) fn new(
        cl: cl::Context,
        found: Candidate,
        table_bytes: u64,
        lowering: COptions,
        unoptimized: bool,
        cache: DiskCache,
    ) -> Context {
        let Candidate { device, facts, info } = found;
        let alignment = facts.alignment.max(16);
        let limits = PoolLimits { alignment, shared: true, largest: table_bytes, store: None };
        Context {
            pool: Pool::new(limits),
            held: Arc::default(),
            cl,
            device,
            info,
            facts,
            table_bytes,
            lowering,
            unoptimized,
            cache,
            mapper: Mutex::default(),
            next_id: AtomicU64::new(1),
        }
    }

    /// Returns a number that no other buffer, queue or pipeline of the device has.
    pub(crate) fn fresh_id(&self) -> u64 {
        self.next_id.fetch_add(1, Ordering::Relaxed)
    }

    /// Returns the queue for mapping host memory: it has no other work.
    pub(crate) fn mapper(&self) -> Result<Arc<CommandQueue>> {
        let mut mapper = self.mapper.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(queue) = &*mapper {
            return Ok(queue.clone());
        }
        let made = CommandQueue::new(&self.cl, self.device);
        let queue = Arc::new(made.map_err(|failure| self.failed("making a queue", failure))?);
        *mapper = Some(queue.clone());
        Ok(queue)
    }

    /// Returns the error of a call that failed during `stage`.
    pub(crate) fn failed(&self, stage: &str, failure: Failure) -> Error {
        match failure.status {
            code::MEM_OBJECT_ALLOCATION_FAILURE | code::OUT_OF_HOST_MEMORY => self.out_of_memory(stage, 0),
            code::DEVICE_NOT_AVAILABLE | code::INVALID_CONTEXT | code::INVALID_COMMAND_QUEUE | code::ILLEGAL_ACCESS => {
                Error::DeviceLost {
                    backend: self.info.backend.clone(),
                    device: self.info.name.clone(),
                    stage: stage.to_owned(),
                    reason: failure.to_string(),
                }
            }
            _ => self.driver(stage, failure.to_string()),
        }
    }

    /// Returns the error of a call that failed while `requested` bytes were allocated.
    pub(crate) fn allocation_failed(&self, what: &str, requested: u64, failure: Failure) -> Error {
        match failure.status {
            code::INVALID_BUFFER_SIZE => {
                Error::limit(Limit::Bytes { of: what.to_owned() }, requested, self.table_bytes)
            }
            code::MEM_OBJECT_ALLOCATION_FAILURE | code::OUT_OF_RESOURCES | code::OUT_OF_HOST_MEMORY => {
                self.out_of_memory(what, requested)
            }
            _ => self.failed("allocating memory", failure),
        }
    }

    /// Creates an [`Error::Driver`].
    pub(crate) fn driver(&self, stage: &str, message: String) -> Error {
        let info = &self.info;
        Error::Driver { backend: info.backend.clone(), device: info.name.clone(), stage: stage.to_owned(), message }
    }

    /// Creates an [`Error::OutOfMemory`].
    pub(crate) fn out_of_memory(&self, what: &str, requested: u64) -> Error {
        let left = self.facts.memory_bytes.saturating_sub(self.held.load(Ordering::Relaxed));
        Error::OutOfMemory {
            backend: self.info.backend.clone(),
            device: self.info.name.clone(),
            what: what.to_owned(),
            requested,
            limit: Some(left),
            holders: Vec::new(),
        }
    }

    /// Creates an [`Error::Unsupported`].
    pub(crate) fn unsupported(&self, what: String, reason: String, remedy: &str) -> Error {
        let info = &self.info;
        let (backend, device) = (info.backend.clone(), info.name.clone());
        Error::Unsupported { backend, device, what, reason, remedy: remedy.to_owned() }
    }
}
