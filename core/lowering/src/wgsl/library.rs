//! The helper functions written in WGSL: which there are, and which a shader needs.

use super::options::Int64;
use crate::library::{Library, split};
use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

const COMMON: &str = include_str!("helpers/common.wgsl");
const FLOAT32: &str = include_str!("helpers/float32.wgsl");
const EMULATED: &str = include_str!("helpers/int64_emulated.wgsl");
const NATIVE: &str = include_str!("helpers/int64_native.wgsl");
const FLOAT64: &str = include_str!("helpers/float64.wgsl");

static EMULATED_LIBRARY: LazyLock<Library> = LazyLock::new(|| library_of(&[COMMON, FLOAT32, EMULATED]));
static NATIVE_LIBRARY: LazyLock<Library> = LazyLock::new(|| library_of(&[COMMON, FLOAT32, NATIVE, FLOAT64]));

static ALL_NAMES: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| EMULATED_LIBRARY.names().chain(NATIVE_LIBRARY.names()).collect());

/// Returns `true` if a helper of either mode has this name.
pub(super) fn is_helper(name: &str) -> bool {
    ALL_NAMES.contains(name)
}

/// The texts of these helpers and of all that they call, in a fixed order.
pub(super) fn texts(int64: Int64, wanted: &BTreeSet<String>) -> Vec<&'static str> {
    let library: &Library = match int64 {
        Int64::Emulated => &EMULATED_LIBRARY,
        Int64::Native => &NATIVE_LIBRARY,
    };
    library.texts(wanted)
}

/// The helpers of these files, in their order.
fn library_of(files: &[&str]) -> Library {
    Library::new(files.iter().flat_map(|file| split(file, "fn ")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_of_the_files_is_found() {
        for (library, files) in [
            (&*EMULATED_LIBRARY, &[COMMON, FLOAT32, EMULATED][..]),
            (&*NATIVE_LIBRARY, &[COMMON, FLOAT32, NATIVE, FLOAT64]),
        ] {
            let written: usize = files.iter().map(|f| f.lines().filter(|l| l.starts_with("fn ")).count()).sum();
            assert_eq!(library.names().count(), written);
        }
    }
}
