//! The wheel, which maturin packs of the module that cargo has built for the tests, in an environment without Rust.
//!
//! To build the module a second time, with the features of the package alone, would take minutes. So maturin is given
//! this program in place of cargo: asked for the module, it tells where it is. All else is what `python/wheel` does.

use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

/// Runs M/M/1 with a load of 0.5, which has one customer on average.
const PROGRAM: &str = "
import shutil
import imminent

assert shutil.which('cargo') is None and shutil.which('rustc') is None
desk = imminent.Network().source('door', rate=0.5, to='desk').node('desk', mean=1.0, to='out')
number = desk.run(horizon=20_000, warm_up=500, replications=4)['system']['number']['mean']
assert 0.9 < number < 1.1, number
assert imminent.describe('wildfire') and imminent.Network.from_toml(desk.to_toml()).to_dict() == desk.to_dict()
";

/// Does what maturin asks of cargo: tells the module, or the packages of the workspace. `None` if this is no such call.
pub(crate) fn as_cargo(module: Option<PathBuf>) -> Option<ExitCode> {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    match arguments.first()?.to_str()? {
        "rustc" => {
            let module = module?;
            let (folder, version) = (env!("CARGO_MANIFEST_DIR"), env!("CARGO_PKG_VERSION"));
            let kinds = ["cdylib", "rlib"];
            let artifact = json!({
                "reason": "compiler-artifact",
                "package_id": format!("path+file://{folder}#imminent-python@{version}"),
                "manifest_path": format!("{folder}/Cargo.toml"),
                "target": {
                    "name": "imminent_python", "kind": kinds, "crate_types": kinds, "edition": "2024",
                    "src_path": format!("{folder}/src/lib.rs"), "doc": true, "doctest": false, "test": false,
                },
                "profile": {
                    "opt_level": "0", "debuginfo": 0, "debug_assertions": true, "overflow_checks": true, "test": false,
                },
                "features": ["full"],
                "filenames": [module],
                "executable": null,
                "fresh": true,
            });
            println!("{artifact}\n{}", json!({ "reason": "build-finished", "success": true }));
            Some(ExitCode::SUCCESS)
        }
        "metadata" => {
            let status = Command::new("cargo").args(&arguments).env_remove("CARGO").status();
            Some(if status.is_ok_and(|status| status.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        _ => None,
    }
}

/// Packs a wheel, installs it, and runs models and the program by it. `python` has maturin and pip.
///
/// # Errors
/// The command that failed, with what it said.
pub(crate) fn test(python: &Path, package: &Path) -> Result<(), String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wheel");
    let (wheels, fresh) = (folder.join("wheels"), folder.join("fresh"));
    // What is not there need not be removed.
    let _ = fs::remove_dir_all(&folder);
    let this = env::current_exe().map_err(|error| error.to_string())?;
    let of_wheel = ["--profile", "dev", "--auditwheel", "skip", "--compression-method", "stored"];
    let mut pack = Command::new(python.with_file_name("maturin"));
    pack.args(["build", "--manifest-path"]).arg(package.join("Cargo.toml")).args(of_wheel);
    done(pack.arg("--out").arg(&wheels).env("CARGO", this))?;
    done(Command::new(python).args(["-m", "venv", "--without-pip"]).arg(&fresh))?;
    let wheel = fs::read_dir(&wheels).ok().and_then(|mut found| Some(found.next()?.ok()?.path()));
    let wheel = wheel.ok_or_else(|| format!("{} has no wheel", wheels.display()))?;
    let bin = fresh.join("bin");
    let mut install = Command::new(python);
    install.args(["-m", "pip", "--python"]).arg(bin.join("python"));
    done(install.args(["install", "-q", "--no-index", "--no-deps"]).arg(wheel))?;
    let bare = |name: &str| {
        let mut command = Command::new(bin.join(name));
        command.env_clear().env("PATH", &bin).env("LANG", "C.UTF-8").current_dir(&folder);
        command
    };
    done(bare("python").args(["-c", PROGRAM]))?;
    done(bare("imminent").args(["run", "torus", "--horizon", "10"]))?;
    // A wheel of an unoptimized module is large.
    fs::remove_dir_all(&folder).map_err(|error| error.to_string())
}

/// Runs a command to its end.
fn done(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    Err(format!("{command:?}: {}\n{out}{err}", output.status))
}
