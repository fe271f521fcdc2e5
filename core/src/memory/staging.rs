//! Staging: host memory for transfers, pooled, and pinned where the device has it.

use super::shared::Shared;
use crate::backend::HostMemory;
use crate::data::Data;
use crate::error::{Error, Result};
use crate::limit::Limit;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

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
    pub(crate) fn new(shared: &Arc<Shared>, length: usize) -> Result<Self> {
        let Some(bytes) = length.checked_mul(size_of::<T>()) else {
            let what = Limit::StagedValues { scalar: std::any::type_name::<T>() };
            return Err(Error::limit(what, length as u64, (usize::MAX / size_of::<T>()) as u64));
        };
        let memory = shared.staging.take(shared.backend.as_ref(), bytes)?;
        Ok(Self::again(Some(memory), length, shared))
    }

    /// Restores a staging buffer from memory that a transfer has given back.
    pub(crate) fn again(memory: Option<HostMemory>, length: usize, shared: &Arc<Shared>) -> Self {
        Staging { memory, length, shared: shared.clone(), of: PhantomData }
    }

    /// Gives the memory to a transfer.
    pub(crate) fn into_memory(mut self) -> Option<HostMemory> {
        self.memory.take()
    }

    /// Returns `true` if the memory belongs to the device with this state.
    pub(crate) fn is_of(&self, shared: &Arc<Shared>) -> bool {
        Arc::ptr_eq(&self.shared, shared)
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
