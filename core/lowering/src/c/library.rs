//! The helper functions written in C: which there are, and which a text needs.

use super::options::{COptions, Dialect};
use crate::library::{Library, split};
use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

const COMMON: &str = include_str!("helpers/common.c");
const UNSIGNED: &str = include_str!("helpers/unsigned.c");
const SIGNED: &str = include_str!("helpers/signed.c");
const FLOAT: &str = include_str!("helpers/float.c");
const OPAQUE: &str = include_str!("helpers/opaque.c");
const CUDA: &str = include_str!("helpers/cuda.c");
const OPENCL: &str = include_str!("helpers/opencl.c");
const OPENCL_DIVIDE: &str = include_str!("helpers/opencl_divide.c");
const OPENCL_DIVIDE_WIDE: &str = include_str!("helpers/opencl_divide_wide.c");

static CUDA_LIBRARY: LazyLock<Library> = LazyLock::new(|| library_of(&[CUDA]));
static OPENCL_LIBRARY: LazyLock<Library> = LazyLock::new(|| library_of(&[OPENCL, OPENCL_DIVIDE]));
static OPENCL_WIDE_LIBRARY: LazyLock<Library> = LazyLock::new(|| library_of(&[OPENCL, OPENCL_DIVIDE_WIDE]));

static ALL_NAMES: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| CUDA_LIBRARY.names().chain(OPENCL_LIBRARY.names()).collect());

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
    library(options).texts(wanted)
}

/// The helpers of one kind of device.
fn library_of(own: &[&str]) -> Library {
    let mut files: Vec<String> = std::iter::once(&COMMON).chain(own).map(|file| (*file).to_owned()).collect();
    for (t, bits) in [("u32", "31u"), ("u64", "63u")] {
        files.push(UNSIGNED.replace("$bits", bits).replace("$t", t));
    }
    for (t, u, bits) in [("i32", "u32", "31u"), ("i64", "u64", "63u")] {
        files.push(SIGNED.replace("$bits", bits).replace("$t", t).replace("$u", u));
    }
    for (t, u, infinity, fraction) in [("f32", "u32", "0xff", "23u"), ("f64", "u64", "0x7ff", "52u")] {
        let text = FLOAT.replace("$infinity", infinity).replace("$fraction", fraction);
        files.push(text.replace("$t", t).replace("$u", u));
    }
    // The letters are those of PTX's registers in statements of assembly.
    for (t, letter) in [("u32", "r"), ("u64", "l"), ("f32", "f"), ("f64", "d")] {
        files.push(OPAQUE.replace("$t", t).replace("$c", letter));
    }
    Library::new(files.iter().flat_map(|file| split(file, "DEVICE ")).collect()).ordered()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_function_of_the_files_is_found_once() {
        let count = |file: &str| file.lines().filter(|l| l.starts_with("DEVICE ")).count();
        let shared = count(COMMON) + 2 * (count(UNSIGNED) + count(SIGNED) + count(FLOAT)) + 4 * count(OPAQUE);
        for (library, own) in [
            (&*CUDA_LIBRARY, count(CUDA)),
            (&*OPENCL_LIBRARY, count(OPENCL) + count(OPENCL_DIVIDE)),
            (&*OPENCL_WIDE_LIBRARY, count(OPENCL) + count(OPENCL_DIVIDE_WIDE)),
        ] {
            assert_eq!(library.names().count(), shared + own);
            let names: BTreeSet<String> = library.names().map(str::to_owned).collect();
            assert_eq!(names.len(), shared + own);
            assert!(library.texts(&names).iter().all(|text| !text.contains('$')));
        }
    }

    /// Helpers of CUDA alone, and of OpenCL alone.
    const OWN: [&str; 7] = ["vote_any", "vote_all", "vote_count", "lend", "next_turn", "cast_vote", "counted_votes"];

    #[test]
    fn the_dialects_have_the_same_helpers() {
        let of =
            |library: &'static Library| library.names().filter(|name| !OWN.contains(name)).collect::<BTreeSet<_>>();
        let [cuda, opencl, wide] = [of(&CUDA_LIBRARY), of(&OPENCL_LIBRARY), of(&OPENCL_WIDE_LIBRARY)];
        assert!(cuda == opencl && cuda == wide);
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
