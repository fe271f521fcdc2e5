//! Devices: their listing, opening and limits.

mod cache;
mod compiler;
mod context;
mod open;

pub(crate) use cache::Compilation;
pub(crate) use compiler::OLDEST;
pub(crate) use context::{Context, MAX_BLOCKS, MAX_POINTERS, MAX_ROWS};
pub use open::Adapter;
pub(crate) use open::{adapters, open};
