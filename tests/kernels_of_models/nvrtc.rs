//! NVRTC compiles the kernels: one version in every run, and many versions where their libraries are at hand.

use crate::{modules, on_two_cores};
use imminent::cuda::{OfflineCompiler, Options};
use imminent_lowering::c::COptions;
use imminent_testkit::c_texts::texts;
use imminent_testkit::{needs, process};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

/// Environment variable for a folder with a folder for each version of NVRTC, as `docs/measure/nvrtc` makes it.
const VERSIONS: &str = "IMMINENT_NVRTC_VERSIONS";

/// Oldest architecture that the tests compile for: that of CUDA's Maxwell devices.
const OLDEST: u32 = 52;

/// Requires NVRTC on disk.
pub(crate) fn of_some_version() -> Result<(), String> {
    let compiled = OfflineCompiler::new(90, &Options::default()).and_then(|nvrtc| nvrtc.compile_text("none", ""));
    compiled.map(drop).map_err(|error| format!("NVRTC was not found: pip install nvidia-cuda-nvrtc ({error})"))
}

/// Requires several versions of NVRTC.
pub(crate) fn of_many_versions() -> Result<(), String> {
    let missing = || format!("long: {VERSIONS} names no folder; docs/measure/nvrtc fetches the versions and runs it");
    std::env::var_os(VERSIONS).map(drop).ok_or_else(missing)
}

/// Returns a compiler for each architecture that NVRTC knows.
fn compilers() -> Vec<(u32, OfflineCompiler)> {
    let open = |capability| OfflineCompiler::new(capability, &Options::default()).unwrap();
    let known = open(90).architectures().to_vec();
    known.into_iter().filter(|one| *one >= OLDEST).map(|capability| (capability, open(capability))).collect()
}

/// Returns the compilers for a text: one, in rotation, or all in a full run.
fn turns(compilers: &[(u32, OfflineCompiler)], at: usize) -> impl Iterator<Item = &(u32, OfflineCompiler)> {
    let count = compilers.len();
    let wanted = move |number: usize| needs::everything() || number == at % count;
    compilers.iter().enumerate().filter(move |(number, _)| wanted(*number)).map(|(_, one)| one)
}

/// Each for one generation, in rotation: a full run takes all of them. Two threads share the modules.
pub(crate) fn the_kernels_of_all_models_compile() {
    let (modules, compilers) = (modules(), compilers());
    on_two_cores(modules.len(), |at| {
        let name = &modules[at].ir().unwrap().name;
        for (capability, compiler) in turns(&compilers, at) {
            let kernels =
                compiler.compile(modules[at]).unwrap_or_else(|error| panic!("{name}, sm_{capability}: {error}"));
            let are_whole =
                kernels.iter().all(|kernel| kernel.image.starts_with(b"\x7fELF") && !kernel.text.is_empty());
            assert!(are_whole && !kernels.is_empty(), "{name}");
        }
    });
}

/// Each version compiles in a process of its own, as one may end it. Prints a row of a table for each.
pub(crate) fn every_text_compiles_with_every_version_of_nvrtc() {
    if process::inside() {
        return compile_everything();
    }
    let folder = PathBuf::from(std::env::var_os(VERSIONS).unwrap());
    let mut versions: Vec<PathBuf> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    versions.retain(|path| path.is_dir());
    versions.sort();
    assert!(!versions.is_empty(), "{} is empty", folder.display());
    let (test, mut failures) = ("every_text_compiles_with_every_version_of_nvrtc", String::new());
    for version in versions {
        let output = process::run_inside(test, &[("IMMINENT_NVRTC", &version)]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("text: ")).collect();
        lines.iter().filter(|line| line.starts_with('|')).for_each(|row| println!("{row}"));
        if !output.status.success() {
            let (name, last) = (version.display(), lines.last().unwrap_or(&""));
            let _ =
                writeln!(failures, "{name}: {}; {last}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// Compiles the kernels of models, of tests and of the backend by one version, and prints what failed.
fn compile_everything() {
    let (compilers, modules, begun) = (compilers(), modules(), Instant::now());
    let version = compilers[0].1.compiler();
    let mut own = OfflineCompiler::runtime_kernels().unwrap();
    // These versions do not know the function that controls WHILE nodes, and a device refuses such loops with them.
    if ["NVRTC 11.", "NVRTC 12.0", "NVRTC 12.1", "NVRTC 12.2"].iter().any(|old| version.starts_with(old)) {
        own.retain(|(_, text)| !text.starts_with("#define IN_NODES 1"));
    }
    own.extend(texts(&COptions::cuda()).into_iter().map(|(name, source)| (name, source.code)));
    let (mut count, mut failures) = (0, Vec::new());
    for (at, source) in modules.iter().enumerate() {
        for (capability, compiler) in turns(&compilers, at) {
            process::send_text(format!("{} for sm_{capability}", source.name()));
            match compiler.compile(source) {
                Ok(kernels) => count += kernels.len(),
                Err(error) => failures.push(format!("{}, sm_{capability}: {error}", source.name())),
            }
        }
    }
    for (at, (name, text)) in own.iter().enumerate() {
        for (capability, compiler) in turns(&compilers, at) {
            process::send_text(format!("{name} for sm_{capability}"));
            match compiler.compile_text(name, text) {
                Ok(_) => count += 1,
                Err(error) => failures.push(format!("{name}, sm_{capability}: {error}")),
            }
        }
    }
    let known: Vec<String> = compilers.iter().map(|(capability, _)| capability.to_string()).collect();
    let (version, known) = (version.split(" (").next().unwrap_or_default(), known.join(", "));
    let (seconds, failed) = (begun.elapsed().as_secs(), failures.len());
    process::send_text(format!("| {version} | {known} | {} | {failed} | {seconds} |", count + failed));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
