//! Random kernels.

use crate::{devices, thrown};
use imminent::conformance::Fuzz;
use js_sys::Function;
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Tries random kernels of a seed on a device of a backend until one fails, and returns the report as JSON. `on_kernel`
/// gets the number tried and the number of all.
///
/// # Errors
/// Texts for people: a backend that runs no generated kernels, and faults of the device.
#[wasm_bindgen(jspi)]
pub fn fuzz(backend: &str, seed: u32, kernels: u32, on_kernel: Function) -> Result<String, JsValue> {
    let device = devices::open(backend)?;
    let fuzz = Fuzz::new(&device).cases(kernels).seed(u64::from(seed)).on_update(|tried| {
        let _ = on_kernel.call2(&JsValue::NULL, &tried.into(), &kernels.into());
    });
    let report = fuzz.run().map_err(thrown)?;
    Ok(json!(report).to_string())
}
