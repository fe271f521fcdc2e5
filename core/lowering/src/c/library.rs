//! The helper functions written in C: which there are, and which a text needs.

use super::options::{COptions, Dialect};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

const COMMON: &str = include_str!("helpers/common.c");
const UNSIGNED: &str = include_str!("helpers/unsigned.c");
const SIGNED: &str = include_str!("helpers/signed.c");
const FLOAT: &str = include_str!("helpers/float.c");
const CUDA: &str = include_str!("helpers/cuda.c");
const OPENCL: &str = include_str!("helpers/opencl.c");
const OPENCL_DIVIDE: &str = include_str!("helpers/opencl_divide.c");
const OPENCL_DIVIDE_WIDE: &str = include_str!("helpers/opencl_divide_wide.c");

/// The helpers of one kind of device, callees before callers.
struct Library {
    /// Name and text with its comment.
    functions: Vec<(String, String)>,
    /// For each function the functions that it calls.
    calls: HashMap<String, Vec<String>>,
}

static CUDA_LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::new(&[CUDA]));
static OPENCL_LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::new(&[OPENCL, OPENCL_DIVIDE]));
static OPENCL_WIDE_LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::new(&[OPENCL, OPENCL_DIVIDE_WIDE]));

static ALL_NAMES: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let all = CUDA_LIBRARY.functions.iter().chain(&OPENCL_LIBRARY.functions);
    all.map(|(name, _)| name.as_str()).collect()
});

/// Returns `true` if a helper of any library has this name.
pub(super) fn is_helper(name: &str) -> bool {
    ALL_NAMES.contains(name)
}

/// Returns `true` if `f32` is divided in `f64`.
pub(super) const fn divides_in_f64(options: &COptions) -> bool {
    matches!(options.dialect, Dialect::OpenCl) && !options.correctly_rounded_divide_sqrt && options.float64
}

fn library(options: &COptions) -> &'static Library {
    match options.dialect {
        Dialect::Cuda => &CUDA_LIBRARY,
        Dialect::OpenCl if divides_in_f64(options) => &OPENCL_WIDE_LIBRARY,
        Dialect::OpenCl => &OPENCL_LIBRARY,
    }
}

/// The texts of these helpers and of all that they call, in an order in which none is used before it is defined.
pub(super) fn texts(options: &COptions, wanted: &BTreeSet<String>) -> Vec<&'static str> {
    let library = library(options);
    let mut needed: HashSet<&str> = HashSet::new();
    let mut open: Vec<&str> = wanted.iter().map(String::as_str).collect();
    while let Some(name) = open.pop() {
        if let Some((name, calls)) = library.calls.get_key_value(name)
            && needed.insert(name)
        {
            open.extend(calls.iter().map(String::as_str));
        }
    }
    library.functions.iter().filter(|(name, _)| needed.contains(name.as_str())).map(|(_, text)| text.as_str()).collect()
}

impl Library {
    fn new(own: &[&str]) -> Library {
        let mut found: Vec<(String, String)> = Vec::new();
        for file in std::iter::once(&COMMON).chain(own) {
            found.extend(split(file));
        }
        for (t, bits) in [("u32", "31u"), ("u64", "63u")] {
            found.extend(split(&UNSIGNED.replace("$bits", bits).replace("$t", t)));
        }
        for (t, u, bits) in [("i32", "u32", "31u"), ("i64", "u64", "63u")] {
            found.extend(split(&SIGNED.replace("$bits", bits).replace("$t", t).replace("$u", u)));
        }
        for (t, u, infinity, fraction) in [("f32", "u32", "0xff", "23u"), ("f64", "u64", "0x7ff", "52u")] {
            let text = FLOAT.replace("$infinity", infinity).replace("$fraction", fraction);
            found.extend(split(&text.replace("$t", t).replace("$u", u)));
        }
        let names: HashSet<String> = found.iter().map(|(name, _)| name.clone()).collect();
        let calls: HashMap<String, Vec<String>> = found
            .iter()
            .map(|(name, text)| {
                let called = identifiers(text).filter(|word| word != name && names.contains(*word));
                (name.clone(), called.map(str::to_owned).collect())
            })
            .collect();
        Library { functions: ordered(found, &calls), calls }
    }
}

/// Callees before callers.
fn ordered(found: Vec<(String, String)>, calls: &HashMap<String, Vec<String>>) -> Vec<(String, String)> {
    let mut functions: Vec<(String, String)> = Vec::with_capacity(found.len());
    let mut placed: HashSet<String> = HashSet::new();
    let mut rest = found;
    while !rest.is_empty() {
        let (ready, later): (Vec<_>, Vec<_>) = rest
            .into_iter()
            .partition(|(name, _)| calls.get(name).is_none_or(|c| c.iter().all(|f| placed.contains(f))));
        if ready.is_empty() {
            break;
        }
        placed.extend(ready.iter().map(|(name, _)| name.clone()));
        functions.extend(ready);
        rest = later;
    }
    functions
}

/// Cuts a file into its functions: they are separated by empty lines, and none contains one.
fn split(file: &str) -> impl Iterator<Item = (String, String)> {
    file.split("\n\n").filter_map(|text| {
        let signature = text.lines().find_map(|line| line.strip_prefix("DEVICE "))?;
        let name = signature.split('(').next()?.rsplit([' ', '*']).next()?;
        Some((name.to_owned(), text.trim_end().to_owned()))
    })
}

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter(|line| !line.starts_with("//"))
        .flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_function_of_the_files_is_found_once() {
        let count = |file: &str| file.lines().filter(|l| l.starts_with("DEVICE ")).count();
        let shared = count(COMMON) + 2 * (count(UNSIGNED) + count(SIGNED) + count(FLOAT));
        for (library, own) in [
            (&*CUDA_LIBRARY, count(CUDA)),
            (&*OPENCL_LIBRARY, count(OPENCL) + count(OPENCL_DIVIDE)),
            (&*OPENCL_WIDE_LIBRARY, count(OPENCL) + count(OPENCL_DIVIDE_WIDE)),
        ] {
            assert_eq!(library.functions.len(), shared + own);
            let names: HashSet<&String> = library.functions.iter().map(|(name, _)| name).collect();
            assert_eq!(names.len(), shared + own);
            assert!(library.functions.iter().all(|(_, text)| !text.contains('$')));
        }
    }

    #[test]
    fn the_dialects_have_the_same_helpers() {
        let names = |library: &Library| library.functions.iter().map(|(n, _)| n.clone()).collect::<BTreeSet<_>>();
        assert_eq!(names(&CUDA_LIBRARY), names(&OPENCL_LIBRARY));
        assert_eq!(names(&CUDA_LIBRARY), names(&OPENCL_WIDE_LIBRARY));
    }

    #[test]
    fn a_helper_brings_what_it_calls_and_brings_it_first() {
        let texts = texts(&COptions::opencl(), &BTreeSet::from(["reverse_bits_i64".to_owned()]));
        let at = |name: &str| texts.iter().position(|t| t.contains(&format!(" {name}("))).unwrap();
        assert_eq!(texts.len(), 5);
        assert!(at("swap_bytes_u32") < at("reverse_bits_u32"));
        assert!(at("join_u64") < at("reverse_bits_u64"));
        assert!(at("reverse_bits_u64") < at("reverse_bits_i64"));
    }
}
