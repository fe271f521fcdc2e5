//! Imminent in a browser: models of the catalogue, the conformance suite and random kernels, called from JavaScript.
//!
//! The engines wait for a device where they stand. A browser's devices answer by promises, for which a thread must not
//! wait. JavaScript Promise Integration suspends the stack of WebAssembly instead: an export that is marked `jspi`
//! returns a promise, and every wait inside it is a suspension. Nothing blocks, and no engine knows.
#![cfg(target_arch = "wasm32")]
#![allow(deprecated, reason = "`wasm-bindgen` marks by a deprecation that its `jspi` is experimental")]

pub mod devices;
pub mod fuzz;
pub mod model;
pub mod panics;
pub mod suite;

use wasm_bindgen::JsValue;

/// Converts an error to the text that JavaScript throws.
fn thrown(error: impl ToString) -> JsValue {
    JsValue::from_str(&error.to_string())
}
