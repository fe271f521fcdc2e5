//! Tests that need a driver, a compiler or data that not every machine has.
//!
//! Rust's test harness decides at build time which tests are ignored. A build script would then have to look for the
//! driver. It would run, and cause rebuilds, in the builds of every user. The tests of this module look when they run.
//! If a requirement is missing they are reported as ignored, with the reason.
//!
//! A test target with `harness = false` in its `Cargo.toml` calls [`tests_that_need!`](crate::tests_that_need).

use libtest_mimic::{Arguments, Completion, Trial};
use std::path::PathBuf;
use std::process::ExitCode;

/// Function that checks a requirement of a test. The error names the missing item.
pub type Needs = fn() -> Result<(), String>;

/// Returns a test that runs if `needs` succeeds and is ignored otherwise.
pub fn test(name: &'static str, needs: Needs, run: fn()) -> Trial {
    Trial::ignorable_test(name, move || match needs() {
        Ok(()) => {
            run();
            Ok(Completion::Completed)
        }
        Err(missing) => Ok(Completion::ignored_with(missing)),
    })
}

/// Runs the tests that the command line selects, as Rust's harness does.
#[must_use]
pub fn run(tests: Vec<Trial>) -> ExitCode {
    libtest_mimic::run(&Arguments::from_args(), tests).exit_code()
}

/// Defines `main` of a test target: functions without arguments, grouped by what they need.
///
/// ```text
/// tests_that_need! {
///     nvrtc: every_text_compiles, every_reduction_compiles;
///     driver: the_suite_passes;
/// }
/// ```
#[macro_export]
macro_rules! tests_that_need {
    ($($needs:path: $($test:ident),+ $(,)?;)+) => {
        fn main() -> std::process::ExitCode {
            $crate::needs::run(vec![$($($crate::needs::test(stringify!($test), $needs, $test)),+),+])
        }
    };
}

/// Returns `true` if long tests must run, as requested by `./test --full`.
#[must_use]
pub fn everything() -> bool {
    std::env::var_os("IMMINENT_FULL").is_some()
}

/// A driver that compiles kernels for this machine's processor, which takes most of the suite's time.
#[derive(Clone, Copy, Debug)]
pub enum SoftwareDriver {
    /// Mesa's, by the WebGPU backend.
    Llvmpipe,
    /// The emulation of CUDA.
    EmulatedCuda,
    /// PoCL, by the OpenCL backend.
    Pocl,
}

impl SoftwareDriver {
    /// Returns which part of the suite's kernels and primitives a driver runs, and of how many: each of the three
    /// runs a third of its own, and the CPU all. Kernels with `f64`, which not all of them have, need more than a part.
    #[must_use]
    pub fn part(self) -> (usize, usize) {
        if leaves_out() { (self as usize, 3) } else { (0, 1) }
    }
}

/// Returns `true` if tests of a group of the suite may leave out cases where a software driver compiles: unless
/// `./test --full` or the choice of [cases](patterns) asks for all.
#[must_use]
pub fn leaves_out() -> bool {
    !everything() && patterns().is_empty()
}

/// Checks that long tests must run.
pub fn full_run() -> Result<(), String> {
    if everything() { Ok(()) } else { Err("long: run ./test --full".to_owned()) }
}

/// Returns the patterns in `IMMINENT_CASES`, separated by semicolons. Tests of a whole group of the suite run only the
/// cases that match one of them; all cases if there is none.
#[must_use]
pub fn patterns() -> Vec<String> {
    let given = std::env::var("IMMINENT_CASES").unwrap_or_default();
    given.split(';').filter(|pattern| !pattern.is_empty()).map(str::to_owned).collect()
}

/// Name of the environment variable for a folder with GraphML files of the Internet Topology Zoo.
const TOPOLOGY_ZOO: &str = "IMMINENT_TOPOLOGY_ZOO";

/// Checks that the folder of the Internet Topology Zoo is available, which `IMMINENT_TOPOLOGY_ZOO` names.
pub fn topology_zoo() -> Result<(), String> {
    match zoo_folder() {
        Some(folder) if folder.is_dir() => Ok(()),
        _ => Err(format!("the Internet Topology Zoo is not at hand: {TOPOLOGY_ZOO} names no folder")),
    }
}

/// Returns the file of a network of the Internet Topology Zoo.
#[must_use]
pub fn zoo_file(network: &str) -> PathBuf {
    zoo_folder().expect("the tests look for it first").join(network).with_extension("graphml")
}

/// Name of the environment variable for a folder with maps: `landfire/` with GeoTIFFs of LANDFIRE, `dem/` with ESRI
/// ASCII grids.
const MAPS: &str = "IMMINENT_MAPS";

/// Checks that real maps are available in the folder that `IMMINENT_MAPS` names.
pub fn maps() -> Result<(), String> {
    match std::env::var_os(MAPS).map(PathBuf::from) {
        Some(folder) if folder.is_dir() => Ok(()),
        _ => Err(format!("real maps are not at hand: {MAPS} names no folder")),
    }
}

/// Returns a file of the real maps, by its path within their folder.
#[must_use]
pub fn map_file(path: &str) -> PathBuf {
    std::env::var_os(MAPS).map(PathBuf::from).expect("the tests look for it first").join(path)
}

fn zoo_folder() -> Option<PathBuf> {
    std::env::var_os(TOPOLOGY_ZOO).map(PathBuf::from)
}
