//! Backends of this process.

use imminent::Backends;
use std::sync::OnceLock;

/// Backends that `Program::backends` gave. A static, since parsers of option values have no context, and their errors
/// name the known backends.
static BACKENDS: OnceLock<Backends> = OnceLock::new();

/// Sets the backends, once and before they are used.
pub fn set(backends: Backends) {
    let _ = BACKENDS.set(backends);
}

/// Returns the backends that options can name: by default those of this package.
pub fn backends() -> &'static Backends {
    BACKENDS.get_or_init(Backends::standard)
}

/// Returns the help of the option `--backend`.
pub fn help() -> String {
    format!("Backend: auto, {}", backends().names().collect::<Vec<_>>().join(", "))
}
