//! Opaque, reference-counted handles.

use super::Shape;
use crate::error::{Error, Result};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// Memory that a backend keeps behind a [`Buffer`], as far as core looks at it.
pub trait DeviceMemory: Any + Send + Sync {
    /// Name of the backend, for error texts.
    const BACKEND: &'static str;

    /// Returns the shape of the memory.
    fn shape(&self) -> &Shape;

    /// Returns the word columns at which the pieces of the memory start; empty if it is in one piece.
    fn starts(&self) -> &[u32] {
        &[]
    }

    /// Returns the identifier of the buffer of each piece, if kernels find the memory by its place in shared buffers;
    /// otherwise empty. Tables and tallies share no buffer with each other.
    fn buffers(&self) -> &[u64] {
        &[]
    }

    /// Returns the memory behind a handle.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it belongs to another backend.
    fn of(buffer: &Buffer) -> Result<&Self>
    where
        Self: Sized,
    {
        let foreign = || Error::invalid("table", format!("it was allocated by another backend than {}", Self::BACKEND));
        buffer.get().ok_or_else(foreign)
    }
}

macro_rules! handle {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $name(Arc<dyn Any + Send + Sync>);

        impl $name {
            /// Wraps the backend's object.
            #[must_use]
            pub fn new<T: Any + Send + Sync>(inner: T) -> Self {
                Self(Arc::new(inner))
            }

            /// Returns the backend's object, or `None` if the handle belongs to another backend.
            #[must_use]
            pub fn get<T: Any + Send + Sync>(&self) -> Option<&T> {
                self.0.downcast_ref()
            }

            /// Returns `true` if two handles name the same thing.
            #[must_use]
            pub fn is(&self, other: &Self) -> bool {
                Arc::ptr_eq(&self.0, &other.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({:p})"), self.0)
            }
        }
    )*};
}

handle! {
    /// A table, tally or result in a device's memory.
    Buffer;
    /// A kernel module prepared by a backend.
    ModuleHandle;
    /// A queue of a device.
    QueueHandle;
    /// A program prepared by a backend.
    Recording;
}

/// A launch prepared by a backend for being put on a queue repeatedly.
pub struct Prepared(Box<dyn Any + Send + Sync>);

impl Prepared {
    /// Wraps the backend's object.
    #[must_use]
    pub fn new<T: Any + Send + Sync>(inner: T) -> Self {
        Prepared(Box::new(inner))
    }

    /// Returns the backend's object, or `None` if it belongs to another backend.
    #[must_use]
    pub fn get_mut<T: Any + Send + Sync>(&mut self) -> Option<&mut T> {
        self.0.downcast_mut()
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Prepared({:p})", self.0)
    }
}
