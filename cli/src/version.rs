//! Version of the program, its commit, and the parts that are compiled in.

use std::sync::LazyLock;

/// Version with the commit, if the program is built from a checkout.
pub(crate) const SHORT: &str = match option_env!("IMMINENT_VERSION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};

const BACKENDS: [(&str, bool); 4] = [
    ("cpu", cfg!(feature = "cpu")),
    ("wgpu", cfg!(feature = "wgpu")),
    ("opencl", cfg!(feature = "opencl")),
    ("cuda", cfg!(feature = "cuda")),
];

const FEATURES: [(&str, bool); 7] = [
    ("models", cfg!(feature = "models")),
    ("maps", cfg!(feature = "maps")),
    ("conformance", cfg!(feature = "conformance")),
    ("report", cfg!(feature = "report")),
    ("parquet", cfg!(feature = "parquet")),
    ("shell", cfg!(feature = "shell")),
    ("mpi", cfg!(feature = "mpi")),
];

/// Returns version, commit, backends and features.
pub(crate) fn long() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let profile = if cfg!(debug_assertions) { ", a debug build" } else { "" };
        format!("{SHORT}{profile}\nbackends: {}\nfeatures: {}", names(&BACKENDS), names(&FEATURES))
    });
    &TEXT
}

fn names(parts: &[(&str, bool)]) -> String {
    let names: Vec<_> = parts.iter().filter(|(_, is_there)| *is_there).map(|(name, _)| *name).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
