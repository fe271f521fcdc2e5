//! Platforms and devices: their search, opening and limits.

mod cache;
mod context;
mod facts;
mod find;
mod open;

pub(crate) use context::Context;
pub(crate) use facts::{Facts, MAX_ROWS, POINTER_BYTES};
pub use find::{Adapter, Platform};
pub(crate) use find::{adapters, platforms};
pub(crate) use open::open;

/// The backend's name.
pub(crate) const BACKEND: &str = "opencl";
