//! Stubs of the extension module, `imminent/_native.pyi`, which PyO3 writes from what the module declares.

use pyo3_introspection::{introspect_cdylib, module_stub_files};
use std::path::Path;
use std::{env, fs};

/// Compares the stubs of the package with those of the module that cargo has built. `INSTA_UPDATE=always` writes them.
pub(crate) fn test(module: &Path, folder: &Path) -> Result<(), String> {
    let described = introspect_cdylib(module, "_native").map_err(|error| format!("{}: {error:#}", module.display()))?;
    let mut texts = module_stub_files(&described);
    let text = texts.remove(Path::new("__init__.pyi")).ok_or("PyO3 wrote no stubs")?;
    let file = folder.join("imminent/_native.pyi");
    let told = |error: std::io::Error| format!("{}: {error}", file.display());
    if env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        return fs::write(&file, text).map_err(told);
    }
    if fs::read_to_string(&file).map_err(told)? == text {
        return Ok(());
    }
    Err("the stubs `imminent/_native.pyi` are not those of the module: INSTA_UPDATE=always writes them".to_owned())
}
