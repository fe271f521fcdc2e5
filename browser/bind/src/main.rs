//! Writes the JavaScript by which a page calls a module of WebAssembly, as `wasm-bindgen --target web` does, and orders
//! the functions of the module.
//!
//! usage: imminent-bind MODULE FOLDER

mod order;

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let given: Vec<_> = std::env::args().skip(1).collect();
    let [module, folder] = &given[..] else { bail!("usage: imminent-bind MODULE FOLDER") };
    let (module, folder) = (Path::new(module), Path::new(folder));
    let mut bindgen = Bindgen::new();
    // Names order the functions, as the compiler wrote them.
    bindgen.input_path(module).web(true)?.typescript(false).demangle(false).generate(folder)?;
    let name = module.file_stem().context("the module has no name")?.to_string_lossy();
    let written = folder.join(format!("{name}_bg.wasm"));
    fs::write(&written, order::by_name(&fs::read(&written)?)?)?;
    Ok(())
}
