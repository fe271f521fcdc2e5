//! The CUDA driver: the only calls into it beside those of `memory`, `module`, `launch` and `program`, which use these types.

mod codes;
mod context;
mod library;
mod primary;
mod stream;

pub(crate) use context::{Context, MOST_BLOCKS, MOST_POINTERS, MOST_ROWS, adapters, open};
pub(crate) use primary::Primary;
pub(crate) use stream::{Event, Stream};

pub use context::Adapter;
