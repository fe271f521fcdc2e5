//! Staging: host memory for transfers, pooled, and pinned where the device has it.

use crate::backend::{Backend, HostMemory};
use crate::data::Data;
use crate::device::{Device, Shared};
use crate::error::{Error, Result};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A scalar whose representation in host memory equals that in a column: every type of the kernel language except
/// `bool`, which a column holds as a word.
pub trait Plain: Data {
    /// Views bytes that are aligned for the type as values.
    #[doc(hidden)]
    fn view(bytes: &[u8]) -> &[Self];

    /// Views bytes that are aligned for the type as mutable values.
    #[doc(hidden)]
    fn view_mut(bytes: &mut [u8]) -> &mut [Self];
}

macro_rules! plain {
    ($($ty:ty),*) => {$(
        impl Plain for $ty {
            fn view(bytes: &[u8]) -> &[Self] {
                bytemuck::try_cast_slice(bytes).unwrap_or_default()
            }

            fn view_mut(bytes: &mut [u8]) -> &mut [Self] {
                bytemuck::try_cast_slice_mut(bytes).unwrap_or_default()
            }
        }
    )*};
}

plain!(u32, i32, u64, i64, f32, f64);

/// Values in host memory from and to which a device's transfers are fast. [`Column::upload`](crate::Column::upload) and
/// [`Column::download`](crate::Column::download) take this slice by value and give it back when the transfer is done.
///
/// The memory comes from a pool of the device, and returns there when dropped. New memory is zeroed; used memory keeps
/// its old contents.
#[derive(Debug)]
pub struct Staging<T: Plain> {
    memory: Option<HostMemory>,
    length: usize,
    shared: Arc<Shared>,
    of: PhantomData<T>,
}

impl<T: Plain> Staging<T> {
    pub(crate) fn new(device: &Device, length: usize) -> Result<Self> {
        let shared = device.shared().clone();
        let Some(bytes) = length.checked_mul(size_of::<T>()) else {
            let what = format!("values of a staging of `{}`", std::any::type_name::<T>());
            return Err(Error::Limit { what, requested: length as u64, limit: (usize::MAX / size_of::<T>()) as u64 });
        };
        let memory = shared.staging.take(shared.backend.as_ref(), bytes)?;
        Ok(Staging { memory: Some(memory), length, shared, of: PhantomData })
    }

    /// Restores a staging buffer from memory that a transfer has given back.
    pub(crate) fn again(memory: Option<HostMemory>, length: usize, shared: &Arc<Shared>) -> Self {
        Staging { memory, length, shared: shared.clone(), of: PhantomData }
    }

    /// Gives the memory to a transfer.
    pub(crate) fn into_memory(mut self) -> Option<HostMemory> {
        self.memory.take()
    }

    pub(crate) fn of_device(&self, device: &Device) -> bool {
        Arc::ptr_eq(&self.shared, device.shared())
    }

    fn bytes(&self) -> usize {
        self.length * size_of::<T>()
    }
}

impl<T: Plain> Deref for Staging<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        let bytes = self.memory.as_ref().and_then(|memory| memory.bytes().get(..self.bytes())).unwrap_or_default();
        // Host memory is aligned for every scalar.
        T::view(bytes)
    }
}

impl<T: Plain> DerefMut for Staging<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        let length = self.bytes();
        let bytes = self.memory.as_mut().and_then(|memory| memory.bytes_mut().get_mut(..length)).unwrap_or_default();
        T::view_mut(bytes)
    }
}

impl<T: Plain> Drop for Staging<T> {
    fn drop(&mut self) {
        if let Some(memory) = self.memory.take() {
            self.shared.staging.give_back(memory);
        }
    }
}

/// Pool of host memory that is not in use.
#[derive(Debug, Default)]
pub(crate) struct StagingPool {
    idle: Mutex<Vec<HostMemory>>,
}

/// Bytes of the smallest piece.
const SMALLEST: usize = 64 << 10;
/// Size from which on pieces are multiples of it; smaller ones are powers of two.
const STEP: usize = 1 << 20;
/// Largest number of bytes of idle memory to keep. A program whose transfers have one size then allocates no more.
const MOST_IDLE: usize = 512 << 20;

impl StagingPool {
    fn idle(&self) -> MutexGuard<'_, Vec<HostMemory>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns memory of at least `bytes` bytes, with any contents.
    pub(crate) fn take(&self, backend: &dyn Backend, bytes: usize) -> Result<HostMemory> {
        let size = if bytes <= STEP { bytes.next_power_of_two().max(SMALLEST) } else { bytes.next_multiple_of(STEP) };
        let mut idle = self.idle();
        // A piece of more than twice the size is better kept for a larger transfer.
        let fits = |memory: &HostMemory| (size..=size.saturating_mul(2)).contains(&memory.bytes().len());
        let best = (0..idle.len()).filter(|at| fits(&idle[*at])).min_by_key(|at| idle[*at].bytes().len());
        if let Some(at) = best {
            return Ok(idle.swap_remove(at));
        }
        drop(idle);
        backend.host_memory(size).or_else(|_| {
            self.idle().clear();
            backend.host_memory(size)
        })
    }

    pub(crate) fn give_back(&self, memory: HostMemory) {
        let mut idle = self.idle();
        let kept: usize = idle.iter().map(|memory| memory.bytes().len()).sum();
        if kept + memory.bytes().len() <= MOST_IDLE {
            idle.push(memory);
        }
    }
}
