//! Host memory that transfers go through, and transfers in progress.

use super::{Buffer, Span};
use crate::capability::DeviceInfo;
use crate::error::{Error, Result};
use std::any::Any;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Memory that a backend keeps behind a [`HostMemory`], for instance memory that its driver has pinned.
///
/// The bytes are initialised, and aligned to 8.
pub trait HostBlock: Any + fmt::Debug + Send + Sync {
    /// Returns the bytes.
    fn bytes(&self) -> &[u8];

    /// Returns the bytes for writing.
    fn bytes_mut(&mut self) -> &mut [u8];

    /// Returns the block as its concrete type, for the backend that made it.
    fn into_any(self: Box<Self>) -> Box<dyn Any + Send + Sync>;
}

/// Host memory from and to which a device's transfers are fast.
///
/// A transfer takes it by value and gives it back when it is done, so it cannot be touched meanwhile.
#[derive(Debug)]
pub struct HostMemory(Box<dyn HostBlock>);

impl HostMemory {
    /// Wraps a backend's block.
    #[must_use]
    pub fn new(block: impl HostBlock) -> HostMemory {
        HostMemory(Box::new(block))
    }

    /// Allocates ordinary zeroed memory of at least `bytes` bytes, for transfers of a device.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] if the host has too little memory.
    pub fn plain(device: &DeviceInfo, bytes: usize) -> Result<HostMemory> {
        let mut words = Vec::new();
        let length = bytes.div_ceil(8);
        if words.try_reserve_exact(length).is_err() {
            return Err(Error::OutOfMemory {
                backend: device.backend.clone(),
                device: device.name.clone(),
                what: "host memory for a transfer".to_owned(),
                requested: bytes as u64,
                limit: None,
                holders: Vec::new(),
            });
        }
        words.resize(length, 0);
        Ok(HostMemory::new(Plain { words }))
    }

    /// Returns the bytes: at least as many as were asked for.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }

    /// Returns the bytes for writing.
    #[must_use]
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.0.bytes_mut()
    }

    /// Returns the backend's block.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it belongs to another backend.
    pub fn into_block<B: HostBlock>(self) -> Result<B> {
        match self.0.into_any().downcast() {
            Ok(block) => Ok(*block),
            Err(_) => Err(Error::invalid("host memory", "it was allocated by another backend")),
        }
    }
}

/// Ordinary memory.
#[derive(Debug)]
struct Plain {
    words: Vec<u64>,
}

impl HostBlock for Plain {
    fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(&self.words)
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(&mut self.words)
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any + Send + Sync> {
        self
    }
}

/// A column, and the position of its values in host memory.
#[derive(Clone, Debug)]
pub struct StagedColumn {
    /// The table, tally or result.
    pub buffer: Buffer,
    /// Part of the buffer.
    pub span: Span,
    /// First byte in the host memory; a multiple of 8. The places of one transfer are in ascending order and do not
    /// overlap.
    pub at: usize,
}

impl StagedColumn {
    /// Returns the range of bytes in host memory.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.at..self.at.saturating_add(self.span.bytes())
    }

    /// Checks that every place lies in host memory of that length, behind the place before it.
    ///
    /// # Errors
    /// [`Error::Invalid`] for the first place that does not.
    pub fn check(places: &[StagedColumn], length: usize) -> Result<()> {
        let mut end = 0;
        for place in places {
            let range = place.range();
            if range.start < end || range.end > length {
                let reason = format!("the column at bytes {range:?} is not inside {end}..{length}");
                return Err(Error::invalid("host memory", reason));
            }
            end = range.end;
        }
        Ok(())
    }
}

/// Work of a queue in progress: a transfer, or everything up to a signal.
pub trait Pending: Any + fmt::Debug + Send + Sync {
    /// Returns `true` if the work is done, successfully or not. Does not wait.
    fn is_done(&self) -> bool;

    /// Waits until the work is done. Leaves its error to [`Pending::complete`].
    fn wait(&self);

    /// Waits, then returns the earliest error of the queue's work up to there that was not yet reported. After a fault
    /// of earlier work it is called again, for the outcome of the transfer.
    ///
    /// # Errors
    /// Errors of the work, of the driver, and of earlier work on the queue.
    fn complete(&self) -> Result<()>;

    /// Returns a transfer's host memory, once, after [`Pending::complete`] succeeded.
    fn take_memory(&self) -> Option<HostMemory>;
}

/// Work that was done when it was asked for, as on devices without asynchronous queues.
#[derive(Debug)]
pub struct Done {
    /// Errors to return, the latest first.
    errors: Mutex<Vec<Error>>,
    memory: Mutex<Option<HostMemory>>,
}

impl Done {
    /// Creates finished work with this outcome; a transfer has host memory to give back.
    #[must_use]
    pub fn with(outcome: Result<Option<HostMemory>>) -> Arc<dyn Pending> {
        Self::behind(None, outcome)
    }

    /// Creates finished work with this outcome, behind work that may have failed.
    #[must_use]
    pub fn behind(earlier: Option<Error>, outcome: Result<Option<HostMemory>>) -> Arc<dyn Pending> {
        let (memory, error) = match outcome {
            Ok(memory) => (memory, None),
            Err(error) => (None, Some(error)),
        };
        Arc::new(Done { errors: Mutex::new(error.into_iter().chain(earlier).collect()), memory: Mutex::new(memory) })
    }
}

impl Pending for Done {
    fn is_done(&self) -> bool {
        true
    }

    fn wait(&self) {}

    fn complete(&self) -> Result<()> {
        self.errors.lock().unwrap_or_else(PoisonError::into_inner).pop().map_or(Ok(()), Err)
    }

    fn take_memory(&self) -> Option<HostMemory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capability::DeviceKind;

    fn plain(bytes: usize) -> Result<HostMemory> {
        let [backend, name, driver] = ["cpu", "CPU", "native"].map(String::from);
        HostMemory::plain(&DeviceInfo { backend, name, driver, kind: DeviceKind::Host, index: 0 }, bytes)
    }

    #[test]
    fn plain_memory_is_zeroed_and_long_enough() {
        for bytes in [0, 1, 8, 1001] {
            let memory = plain(bytes).unwrap();
            assert!(memory.bytes().len() >= bytes && memory.bytes().iter().all(|byte| *byte == 0));
        }
        assert!(matches!(plain(usize::MAX), Err(Error::OutOfMemory { .. })));
    }

    #[test]
    fn done_work_tells_of_its_error_once() {
        let done = Done::with(Err(Error::invalid("it", "failed")));
        assert!(done.is_done() && done.complete().is_err() && done.complete().is_ok());
        assert!(done.take_memory().is_none());
        let done = Done::with(plain(3).map(Some));
        assert!(done.complete().is_ok() && done.take_memory().is_some() && done.take_memory().is_none());
    }
}
