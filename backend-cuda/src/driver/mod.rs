//! The CUDA driver. Only `memory`, `module`, `launch` and `program` call it too, and they use these types.

mod codes;
mod context;
mod library;
mod primary;
mod stream;

pub(crate) use context::{Context, MOST_BLOCKS, MOST_POINTERS, MOST_ROWS, adapters, open};
pub(crate) use primary::Primary;
pub(crate) use stream::{Event, Stream};

pub use context::Adapter;
