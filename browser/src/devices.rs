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

/// Opens the first device of a backend.
pub(crate) fn open(backend: &str) -> Result<Device, JsValue> {
    imminent::open(&DeviceSelection::backend(backend)).map_err(thrown)
}
