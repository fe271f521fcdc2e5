//! Adapters and devices: finding them, opening them, and what they allow.

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

/// The backend's name.
pub(crate) const BACKEND: &str = "wgpu";
