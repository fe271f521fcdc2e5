//! The CUDA driver: its library, a device's primary context, streams and events.

mod codes;
pub(crate) mod library;
pub(crate) mod primary;
mod stream;

pub(crate) use primary::Primary;
pub(crate) use stream::{Event, Stream};
