//! Waits for the device: of a thread, or in a browser of a suspended stack.

#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(not(target_arch = "wasm32"))]
mod native;

#[cfg(target_arch = "wasm32")]
pub(crate) use browser::{Answer, block_on, until_done};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use native::{Answer, block_on, until_done};
