//! Text of a panic, which ends all use of an instance.

use std::sync::{Mutex, PoisonError};
use wasm_bindgen::prelude::wasm_bindgen;

static LAST: Mutex<String> = Mutex::new(String::new());

/// Keeps the text of a panic for [`panic_text`].
#[wasm_bindgen(start)]
pub fn keep_panics() {
    std::panic::set_hook(Box::new(|panic| {
        *LAST.lock().unwrap_or_else(PoisonError::into_inner) = panic.to_string();
    }));
}

/// Returns the text of the panic that ended this instance, or an empty text.
#[wasm_bindgen]
pub fn panic_text() -> String {
    LAST.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
