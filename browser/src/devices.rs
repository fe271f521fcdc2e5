//! Devices of the browser.

use crate::thrown;
use imminent::{Backends, Device, DeviceSelection};
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Lists the backends as JSON, each with its devices or the reason why it has none.
#[wasm_bindgen(jspi)]
pub fn devices() -> String {
    let backends = Backends::standard();
    let compiled = backends.iter().filter(|backend| backend.is_compiled_in());
    let listed = compiled.map(|backend| match backend.devices() {
        Ok(devices) => json!({ "backend": backend.name(), "devices": devices }),
        Err(error) => json!({ "backend": backend.name(), "devices": [], "reason": error.to_string() }),
    });
    json!(listed.collect::<Vec<_>>()).to_string()
}

/// Opens the first device of a backend. `options` has lines of the form `key=value`.
pub(crate) fn open(backend: &str, options: &str) -> Result<Device, JsValue> {
    let pairs = options.split_whitespace().filter_map(|pair| pair.split_once('='));
    let selection = pairs.fold(DeviceSelection::backend(backend), |to, (key, value)| to.option(key, value));
    imminent::open(&selection).map_err(thrown)
}
