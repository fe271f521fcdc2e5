//! Adapters and devices: finding them, opening them, and their limits.

mod adapter;
mod context;
mod diagnose;
mod errors;
mod limits;
mod probe;

pub use adapter::Adapter;
pub(crate) use adapter::{adapters, adopt, open};
pub(crate) use context::Context;
pub(crate) use limits::grid;

/// Name of the backend.
pub(crate) const BACKEND: &str = "wgpu";
