//! The helper functions written in WGSL: which there are, and which a shader needs.

use super::options::Int64;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

const COMMON: &str = include_str!("helpers/common.wgsl");
const FLOAT32: &str = include_str!("helpers/float32.wgsl");
const EMULATED: &str = include_str!("helpers/int64_emulated.wgsl");
const NATIVE: &str = include_str!("helpers/int64_native.wgsl");
const FLOAT64: &str = include_str!("helpers/float64.wgsl");

/// The helpers of one mode, in the order of their files.
struct Library {
    /// Name and text with its comment.
    functions: Vec<(&'static str, &'static str)>,
    /// For each function the functions that it calls.
    calls: HashMap<&'static str, Vec<&'static str>>,
}

static EMULATED_LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::new(&[COMMON, FLOAT32, EMULATED]));
static NATIVE_LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::new(&[COMMON, FLOAT32, NATIVE, FLOAT64]));

static ALL_NAMES: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let both = EMULATED_LIBRARY.functions.iter().chain(&NATIVE_LIBRARY.functions);
    both.map(|(name, _)| *name).collect()
});

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
    let mut needed: HashSet<&str> = HashSet::new();
    let mut open: Vec<&str> = wanted.iter().map(String::as_str).collect();
    while let Some(name) = open.pop() {
        if let Some((name, calls)) = library.calls.get_key_value(name)
            && needed.insert(name)
        {
            open.extend(calls);
        }
    }
    library.functions.iter().filter(|(name, _)| needed.contains(name)).map(|(_, text)| *text).collect()
}

impl Library {
    fn new(files: &[&'static str]) -> Library {
        let functions: Vec<(&str, &str)> = files.iter().flat_map(|file| split(file)).collect();
        let names: HashSet<&str> = functions.iter().map(|(name, _)| *name).collect();
        let calls = functions
            .iter()
            .map(|(name, text)| {
                (*name, identifiers(text).filter(|word| word != name && names.contains(word)).collect())
            })
            .collect();
        Library { functions, calls }
    }
}

/// Cuts a file into its functions: they are separated by empty lines, and none contains one.
fn split(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    file.split("\n\n").filter_map(|text| {
        let signature = text.lines().find_map(|line| line.strip_prefix("fn "))?;
        Some((signature.split('(').next()?, text.trim_end()))
    })
}

fn identifiers(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_function_of_the_files_is_found() {
        for (library, files) in [
            (&*EMULATED_LIBRARY, &[COMMON, FLOAT32, EMULATED][..]),
            (&*NATIVE_LIBRARY, &[COMMON, FLOAT32, NATIVE, FLOAT64]),
        ] {
            let written: usize = files.iter().map(|f| f.lines().filter(|l| l.starts_with("fn ")).count()).sum();
            assert_eq!(library.functions.len(), written);
        }
    }

    #[test]
    fn a_helper_brings_what_it_calls() {
        let texts = texts(Int64::Emulated, &BTreeSet::from(["mul_high_u32".to_owned()]));
        assert_eq!(texts.len(), 2);
        assert!(texts[0].contains("fn mul_wide_u32("));
    }
}
