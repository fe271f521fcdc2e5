//! Puts an empty library `OpenCL` on the linker's path.
//!
//! `cl-sys` asks the linker for `OpenCL`. This crate's `loader` defines the functions that it declares, and looks for
//! the real library at run time. So nothing is needed from the linker's library, and a program with this backend builds
//! and starts where OpenCL is not installed. On macOS OpenCL is part of the system and is linked normally.

use std::path::PathBuf;
use std::{env, fs, process};

/// An archive without members.
const EMPTY_ARCHIVE: &[u8] = b"!<arch>\n";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    if target == "macos" {
        return;
    }
    let Some(out) = env::var_os("OUT_DIR").map(PathBuf::from) else {
        eprintln!("OUT_DIR is not set: run this through cargo");
        process::exit(1);
    };
    let folder = out.join("link");
    let name = match env::var("CARGO_CFG_TARGET_ENV").as_deref() {
        Ok("msvc") => "OpenCL.lib",
        _ => "libOpenCL.a",
    };
    let written = fs::create_dir_all(&folder).and_then(|()| fs::write(folder.join(name), EMPTY_ARCHIVE));
    if let Err(error) = written {
        eprintln!("cannot write {}: {error}", folder.join(name).display());
        process::exit(1);
    }
    println!("cargo::rustc-link-search=native={}", folder.display());
}
