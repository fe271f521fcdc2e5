//! Runs the tests of the Python package, `python/tests/*.py`, with the extension module that cargo has just built.
//!
//! They need Python 3.10 or later with `venv`, and fetch pytest, mypy, maturin, NumPy, NetworkX and PyArrow from PyPI
//! once, into the target folder. Tests of further packages are skipped where these are missing; `./test --full` fetches
//! them, too.

mod packed;
mod stubs;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs, io};

/// Packages that the tests need.
const PACKAGES: [&str; 7] = ["pytest", "mypy", "maturin", "numpy", "networkx", "pyarrow", "tqdm"];

/// Packages whose tests are part of `./test --full`.
const FURTHER: [&str; 6] = ["pandas", "polars", "duckdb", "matplotlib", "rasterio", "xarray"];

fn main() -> ExitCode {
    if let Some(answered) = packed::as_cargo(module()) {
        return answered;
    }
    if env::args().any(|argument| argument == "--list") {
        return ExitCode::SUCCESS;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = match python() {
        Ok(python) => python,
        Err(why) => {
            println!("test python ... ignored, {why}");
            return ExitCode::SUCCESS;
        }
    };
    let built = module().ok_or_else(|| "the extension module is not built".to_owned());
    let written = built.and_then(|module| stubs::test(&module, folder));
    println!("test python stubs of the module ... {}", if written.is_ok() { "ok" } else { "FAILED" });
    if let Err(why) = &written {
        eprintln!("{why}");
    }
    let package = match assembled(folder) {
        Ok(package) => package,
        Err(error) => {
            eprintln!("the package cannot be assembled: {error}");
            return ExitCode::FAILURE;
        }
    };
    let run = |name: &str, arguments: &[&str]| {
        let mut command = Command::new(&python);
        command.arg("-m").args(arguments).current_dir(folder.join("tests")).env("PYTHONPATH", &package);
        command.env("MYPYPATH", &package).env("PYTHONDONTWRITEBYTECODE", "1");
        // Where the program is built too, digests are compared with its own.
        if let Some(program) = beside("imminent").filter(|program| program.exists()) {
            command.env("IMMINENT", program);
        }
        let passed = command.status().is_ok_and(|status| status.success());
        println!("test {name} ... {}", if passed { "ok" } else { "FAILED" });
        passed
    };
    let checked = run("python types", &["mypy", "--config-file", "../pyproject.toml", "-p", "imminent"]);
    let stubs = ["mypy.stubtest", "imminent._native", "--ignore-disjoint-bases"];
    let agreed = run("python stubs", &stubs);
    let tested = run("python", &["pytest", "-q", "-p", "no:cacheprovider", "."]);
    let packed = packed::test(&python, folder);
    println!("test python wheel ... {}", if packed.is_ok() { "ok" } else { "FAILED" });
    if let Err(why) = &packed {
        eprintln!("{why}");
    }
    if written.is_ok() && checked && agreed && tested && packed.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Returns a path in the folder of the profile, which has the program.
fn beside(name: &str) -> Option<PathBuf> {
    Some(env::current_exe().ok()?.parent()?.parent()?.join(name))
}

/// Returns the extension module that cargo has built.
fn module() -> Option<PathBuf> {
    let module = env::current_exe().ok()?.parent()?.join("libimminent_python.so");
    module.exists().then_some(module)
}

/// Returns the interpreter of an environment with the packages, or the reason why there is none.
fn python() -> Result<PathBuf, String> {
    let environment = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
    let python = environment.join("bin/python");
    let is_full = env::var_os("IMMINENT_FULL").is_some();
    let packages: Vec<&str> = PACKAGES.into_iter().chain(FURTHER.into_iter().filter(|_| is_full)).collect();
    let does = |command: &mut Command| command.status().is_ok_and(|status| status.success());
    let is_ready = || {
        let imported = packages.iter().map(|package| format!("import {package}; ")).collect::<String>();
        does(Command::new(&python).args(["-c", &imported]).stderr(std::process::Stdio::null()))
    };
    if is_ready() {
        return Ok(python);
    }
    let check = "import sys, venv; sys.exit(sys.version_info < (3, 10))";
    if !does(Command::new("python3").args(["-c", check])) {
        return Err("python3 is not there, is older than 3.10, or has no venv".to_owned());
    }
    let made = does(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment))
        && does(Command::new(&python).args(["-m", "pip", "install", "-q"]).args(&packages));
    if made { Ok(python) } else { Err("its packages could not be fetched from PyPI".to_owned()) }
}

/// Puts the package together as a wheel has it, and returns the folder that holds it.
fn assembled(folder: &Path) -> io::Result<PathBuf> {
    let built = module().ok_or_else(|| io::Error::other("the extension module is not built"))?;
    let site = Path::new(env!("CARGO_TARGET_TMPDIR")).join("site");
    let package = site.join("imminent");
    if site.exists() {
        fs::remove_dir_all(&site)?;
    }
    fs::create_dir_all(&package)?;
    for entry in fs::read_dir(folder.join("imminent"))? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), package.join(entry.file_name()))?;
        }
    }
    fs::copy(built, package.join("_native.abi3.so"))?;
    Ok(site)
}
