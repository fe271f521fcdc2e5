//! Tells the tests whether real input data is at hand, so that those that need it show as ignored where it is not.

use std::path::Path;

fn main() {
    let zoo = Path::new("../shared/data/zoo");
    println!("cargo::rustc-check-cfg=cfg(topology_zoo)");
    println!("cargo::rerun-if-changed={}", zoo.display());
    println!("cargo::rerun-if-changed=build.rs");
    if zoo.is_dir() {
        println!("cargo::rustc-cfg=topology_zoo");
    }
}
