//! Clock of wall times.
//!
//! The standard library has no clock for `wasm32-unknown-unknown`. A browser has one, which `web-time` asks.

#[cfg(not(target_arch = "wasm32"))]
pub use std::time::Instant;
#[cfg(target_arch = "wasm32")]
pub use web_time::Instant;
