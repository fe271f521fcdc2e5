//! State that everything on one opened device shares.

use super::errors::Sink;
use super::limits::DeviceLimits;
use super::shared::SharedBuffers;
use super::waiting;
use imminent_core::backend::{PoolStatistics, Shape};
use imminent_core::{DeviceInfo, Error, Limit, Result};
use imminent_device::pool::{Pool, PoolLimits};
use imminent_lowering::wgsl::WgslOptions;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A wgpu device with its limits and its errors.
pub(crate) struct Context {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    pub(crate) info: DeviceInfo,
    pub(crate) limits: DeviceLimits,
    /// Options for lowering kernels, except for the segments of their tables.
    pub(crate) lowering: WgslOptions,
    /// `true` if loops of any length run to their end.
    pub(crate) long_loops: bool,
    pub(crate) sink: Arc<Sink>,
    /// Pool of buffers with one owner each: of results, and of tables and tallies where these do not share buffers.
    apart: Arc<Pool<Context>>,
    /// Pools of parts of shared buffers.
    parts: [Arc<Pool<Context>>; SHARERS],
    /// Buffers that tables share, and those that tallies share. A kernel binds each for words of one type.
    pub(crate) shared_buffers: [SharedBuffers; SHARERS],
    next_id: AtomicU64,
    /// Failures of [`noted`](Context::noted) calls that are not known yet, with the stage.
    noted: Mutex<Vec<(String, Failure)>>,
}

/// Failure of calls into wgpu, which a browser tells later.
type Failure = Pin<Box<dyn Future<Output = Option<wgpu::Error>> + Send>>;

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("info", &self.info).field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// Kinds of memory that share buffers: tables, and tallies.
const SHARERS: usize = 2;
/// Bytes of the first shared buffer of tables: the largest binding that every WebGPU device has.
const FIRST_TABLES: u64 = 128 << 20;
/// Bytes of the first shared buffer of tallies.
const FIRST_TALLIES: u64 = 16 << 20;
/// Alignment of the sizes of buffers, in bytes.
const PLACE_ALIGNMENT: u64 = 16;

impl Context {
    pub(crate) fn new(
        (device, queue): (wgpu::Device, wgpu::Queue),
        info: DeviceInfo,
        limits: DeviceLimits,
        lowering: WgslOptions,
        long_loops: bool,
        sink: Arc<Sink>,
    ) -> Context {
        let largest = limits.segment_bytes;
        let own = PoolLimits { alignment: PLACE_ALIGNMENT, shared: false, largest, store: None };
        let part = |store| Pool::new(PoolLimits { alignment: limits.launch_alignment, store: Some(store), ..own });
        let (apart, parts) = (Pool::new(own), std::array::from_fn(part));
        Context {
            device,
            queue,
            info,
            limits,
            lowering,
            long_loops,
            sink,
            apart,
            parts,
            shared_buffers: [FIRST_TABLES, FIRST_TALLIES].map(SharedBuffers::new),
            next_id: AtomicU64::new(1),
            noted: Mutex::default(),
        }
    }

    /// Returns an identifier that no other buffer or pipeline of the device has.
    pub(crate) fn fresh_id(&self) -> u64 {
        self.next_id.fetch_add(1, Ordering::Relaxed)
    }

    /// Returns the pool for memory of a shape, and `true` if kernels bind that memory by shared buffers.
    pub(crate) fn pool(&self, shape: &Shape) -> (&Arc<Pool<Context>>, bool) {
        let [tables, tallies] = &self.parts;
        match shape {
            Shape::Table { .. } | Shape::Ragged { .. } if self.limits.shared => (tables, true),
            Shape::Tally { .. } if self.limits.shared => (tallies, true),
            _ => (&self.apart, false),
        }
    }

    fn pools(&self) -> impl Iterator<Item = &Arc<Pool<Context>>> {
        self.parts.iter().chain([&self.apart])
    }

    /// Gives back all memory without owners.
    pub(crate) fn trim(&self) {
        self.pools().for_each(|pool| pool.trim());
    }

    /// Returns statistics of the pools.
    pub(crate) fn statistics(&self) -> PoolStatistics {
        self.pools().map(|pool| pool.statistics()).fold(PoolStatistics::default(), |sum, of| PoolStatistics {
            used: sum.used + of.used,
            used_peak: sum.used_peak + of.used_peak,
            held: sum.held + of.held,
            held_peak: sum.held_peak + of.held_peak,
        })
    }

    /// Runs calls into wgpu and converts any failure in them to an error.
    pub(crate) fn scoped<T>(&self, stage: &str, calls: impl FnOnce() -> T) -> Result<T> {
        let (value, failure) = self.in_scopes(calls);
        self.checked(stage, waiting::block_on(failure))?;
        Ok(value)
    }

    /// Runs calls into wgpu that need no answer at once. A browser answers after a while, and the next
    /// [`stray_error`](Self::stray_error) returns the failure; elsewhere the calls are [`scoped`](Self::scoped).
    pub(crate) fn noted<T>(&self, stage: &str, calls: impl FnOnce() -> T) -> Result<T> {
        if !cfg!(target_arch = "wasm32") {
            return self.scoped(stage, calls);
        }
        let (value, failure) = self.in_scopes(calls);
        self.noted.lock().unwrap_or_else(PoisonError::into_inner).push((stage.to_owned(), failure));
        self.checked(stage, None)?;
        Ok(value)
    }

    /// Runs calls into wgpu, and returns the failure in them, which is known later.
    fn in_scopes<T>(&self, calls: impl FnOnce() -> T) -> (T, Failure) {
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let internal = self.device.push_error_scope(wgpu::ErrorFilter::Internal);
        let validation = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let value = calls();
        // The order matters: scopes form a stack.
        let [validation, internal, memory] = [validation, internal, memory].map(wgpu::ErrorScopeGuard::pop);
        let failure = async { validation.await.or(internal.await).or(memory.await) };
        (value, Box::pin(failure))
    }

    /// Converts a failure, or the loss of the device, to an error.
    fn checked(&self, stage: &str, failure: Option<wgpu::Error>) -> Result<()> {
        if failure.is_some() {
            // The loss of a device shows as errors of all kinds; polling tells the cause.
            let _ = self.poll(wgpu::PollType::Poll);
        }
        match (self.sink.lost(), failure) {
            (Some(reason), _) => Err(self.lost(stage, reason)),
            (None, Some(failure)) => Err(self.error(stage, &failure)),
            (None, None) => Ok(()),
        }
    }

    /// Polls the device. `None` if wgpu panicked, as it does when the device is lost inside the call.
    pub(crate) fn poll(&self, kind: wgpu::PollType) -> Option<std::result::Result<wgpu::PollStatus, wgpu::PollError>> {
        // The call leaves no state of Imminent half changed; after a loss, wgpu's own state is only dropped.
        catch_unwind(AssertUnwindSafe(|| self.device.poll(kind))).ok()
    }

    /// Makes a buffer, after checking its size.
    pub(crate) fn create_buffer(&self, descriptor: &wgpu::BufferDescriptor<'_>) -> Result<wgpu::Buffer> {
        let (what, requested) = (descriptor.label.unwrap_or("a buffer"), descriptor.size);
        if requested > self.limits.buffer_bytes {
            return Err(Error::limit(Limit::Bytes { of: what.to_owned() }, requested, self.limits.buffer_bytes));
        }
        self.scoped("allocating memory", || self.device.create_buffer(descriptor)).map_err(|error| match error {
            Error::OutOfMemory { .. } => self.out_of_memory(what, requested),
            other => other,
        })
    }

    /// Returns the device error that arrived outside every scope, if there is one.
    pub(crate) fn stray_error(&self, stage: &str) -> Result<()> {
        let noted = std::mem::take(&mut *self.noted.lock().unwrap_or_else(PoisonError::into_inner));
        // All are waited for, and the first is told.
        let answered: Vec<_> = noted.into_iter().map(|(stage, failure)| (stage, waiting::block_on(failure))).collect();
        answered.into_iter().try_for_each(|(stage, failure)| self.checked(&stage, failure))?;
        if let Some(reason) = self.sink.lost() {
            return Err(self.lost(stage, reason));
        }
        match self.sink.take_stray() {
            Some(message) => Err(self.driver(stage, message)),
            None => Ok(()),
        }
    }

    fn error(&self, stage: &str, error: &wgpu::Error) -> Error {
        match error {
            wgpu::Error::OutOfMemory { .. } => self.out_of_memory(stage, 0),
            wgpu::Error::Validation { description, .. } | wgpu::Error::Internal { description, .. } => {
                self.driver(stage, description.clone())
            }
        }
    }

    /// Makes an [`Error::Driver`].
    pub(crate) fn driver(&self, stage: &str, message: String) -> Error {
        let info = &self.info;
        Error::Driver { backend: info.backend.clone(), device: info.name.clone(), stage: stage.to_owned(), message }
    }

    /// Makes an [`Error::OutOfMemory`].
    pub(crate) fn out_of_memory(&self, what: &str, requested: u64) -> Error {
        Error::OutOfMemory {
            backend: self.info.backend.clone(),
            device: self.info.name.clone(),
            what: what.to_owned(),
            requested,
            limit: None,
            holders: Vec::new(),
        }
    }

    /// Makes an [`Error::DeviceLost`].
    pub(crate) fn lost(&self, stage: &str, reason: String) -> Error {
        let info = &self.info;
        Error::DeviceLost { backend: info.backend.clone(), device: info.name.clone(), stage: stage.to_owned(), reason }
    }

    /// Makes an [`Error::Unsupported`].
    pub(crate) fn unsupported(&self, what: String, reason: String, remedy: &str) -> Error {
        let info = &self.info;
        let (backend, device) = (info.backend.clone(), info.name.clone());
        Error::Unsupported { backend, device, what, reason, remedy: remedy.to_owned() }
    }

    /// Waits for a submission once. `None` if wgpu panicked, as it does when the device is lost inside the call.
    fn until_done(
        &self,
        submission: &wgpu::SubmissionIndex,
    ) -> Option<std::result::Result<wgpu::PollStatus, wgpu::PollError>> {
        // As for polls.
        catch_unwind(AssertUnwindSafe(|| waiting::until_done(&self.device, &self.queue, submission))).ok()
    }

    /// Waits until a submission is done. Every wait is bounded: the loss of the device ends it.
    pub(crate) fn wait(&self, stage: &str, submission: &wgpu::SubmissionIndex) -> Result<()> {
        loop {
            let polled = self.until_done(submission);
            if let Some(reason) = self.sink.lost() {
                return Err(self.lost(stage, reason));
            }
            match polled {
                Some(Ok(_)) => return Ok(()),
                Some(Err(wgpu::PollError::Timeout)) => {}
                Some(Err(error)) => return Err(self.driver(stage, error.to_string())),
                None => {
                    let reason = "the driver reported it while work was waited for".to_owned();
                    self.sink.note_loss(reason.clone());
                    return Err(self.lost(stage, reason));
                }
            }
        }
    }
}
