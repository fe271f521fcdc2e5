//! The conformance suite, case by case.

use crate::{devices, thrown};
use imminent::conformance::{Group, Suite};
use js_sys::Function;
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Lists the names of the groups as JSON.
#[wasm_bindgen]
pub fn groups() -> String {
    json!(Group::ALL.map(Group::name)).to_string()
}

/// Runs the cases of a group on a device of a backend, and returns the report as JSON. Skips the first `after` cases.
/// `on_case` gets each case when it has ended: the number done, the number of all, and the case as JSON.
///
/// # Errors
/// Texts for people: an unknown group, and faults of the device.
#[wasm_bindgen(jspi)]
pub fn conform(group: &str, backend: &str, after: usize, on_case: Function) -> Result<String, JsValue> {
    let known = Group::ALL.into_iter().find(|known| known.name() == group);
    let group = known.ok_or_else(|| thrown(format!("there is no group `{group}`")))?;
    let device = devices::open(backend)?;
    let suite = Suite::new(&device).group(group).after(after).on_update(|update| {
        let case = json!(update.case).to_string();
        let (done, total) = (update.done as f64, update.total as f64);
        let _ = on_case.call3(&JsValue::NULL, &done.into(), &total.into(), &case.into());
    });
    suite.run().to_json().map_err(thrown)
}
