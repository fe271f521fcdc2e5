//! Sets `cfg(has_tint)` where the `tint` compiler is on the path, so that the tests that need it are visibly ignored elsewhere.

use std::process::{Command, Stdio};

fn main() {
    println!("cargo::rustc-check-cfg=cfg(has_tint)");
    println!("cargo::rerun-if-env-changed=PATH");
    println!("cargo::rerun-if-changed=build.rs");
    let found = Command::new("tint").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if found {
        println!("cargo::rustc-cfg=has_tint");
    }
}
