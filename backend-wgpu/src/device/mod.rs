//! Adapters and devices: finding them, opening them, and their limits.

mod adapter;
mod context;
#[cfg_attr(target_arch = "wasm32", path = "diagnose_browser.rs")]
mod diagnose;
mod errors;
mod limits;
mod probe;
mod shared;
mod waiting;

pub use adapter::Adapter;
pub(crate) use adapter::{adapters, adopt, open};
pub(crate) use context::Context;
pub(crate) use limits::grid;
pub(crate) use shared::Part;
pub(crate) use waiting::Answer;

/// Name of the backend.
pub(crate) const BACKEND: &str = "wgpu";
