//! `imminent new`: a crate with a model of one's own.

use clap::Args;
use imminent_console::{Failure, print::print_text};
use std::fs;
use std::path::{Path, PathBuf};

/// Files of the new crate, with their texts. `{{` and `}}` stand for braces.
const FILES: [(&str, &str); 7] = [
    ("Cargo.toml", include_str!("crate/Cargo.toml.in")),
    ("src/lib.rs", include_str!("crate/src/lib.rs.in")),
    ("src/main.rs", include_str!("crate/src/main.rs.in")),
    ("study.toml", include_str!("crate/study.toml.in")),
    ("README.md", include_str!("crate/README.md.in")),
    ("rustfmt.toml", "# The style of {name} and of Imminent.\nmax_width = 120\nuse_small_heuristics = \"Max\"\n"),
    (".gitignore", "# Builds and results of {name}.\n/target\n/results\n"),
];

/// Further files of a crate that is a module of Python, too.
const PYTHON_FILES: [(&str, &str); 3] = [
    ("pyproject.toml", include_str!("crate/pyproject.toml.in")),
    ("src/python.rs", include_str!("crate/src/python.rs.in")),
    ("python/{module}/__init__.py", include_str!("crate/python/__init__.py.in")),
];

/// Packages that are optimized fully: the engines, the backend of the CPU, and what these run most.
const OPTIMIZED: [&str; 11] = [
    "imminent-core",
    "imminent-cpu",
    "imminent-common",
    "imminent-queueing",
    "imminent-traffic",
    "imminent-events",
    "imminent-cell",
    "imminent-manet",
    "rayon-core",
    "rand_pcg",
    "libm",
];

/// Options of `imminent new`.
#[derive(Debug, Args)]
pub(crate) struct New {
    /// Name of the crate and of its model, which is also its folder: small letters, digits and hyphens, a letter first.
    name: String,
    /// Folder of Imminent's sources. The default is the folder from which this program was built, if it is there, or
    /// else the published package.
    #[arg(long, value_name = "DIR")]
    imminent: Option<PathBuf>,
    /// Let the crate be an importable module of Python, too, which `maturin develop` builds.
    #[arg(long)]
    python: bool,
}

impl New {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let name = checked(&self.name).map_err(|problem| Failure::usage(format!("{}: {problem}", self.name)))?;
        let folder = Path::new(name);
        if folder.exists() {
            return Err(Failure::usage(format!("{name}: is there already; give another name")));
        }
        let built = Path::new(env!("CARGO_MANIFEST_DIR")).parent().filter(|sources| sources.join("cli").is_dir());
        let sources = self.imminent.as_deref().or(built);
        if let Some(missing) = sources.filter(|sources| !sources.join("cli/Cargo.toml").is_file()) {
            return Err(Failure::usage(format!("--imminent {}: has no cli/Cargo.toml", missing.display())));
        }
        if self.python && sources.is_none() {
            return Err(Failure::usage("--python: needs Imminent's sources: give their folder by --imminent DIR"));
        }
        let python = sources.filter(|_| self.python);
        let files = FILES.iter().chain(PYTHON_FILES.iter().filter(|_| self.python));
        for (file, text) in files {
            let path = folder.join(filled(file, name, sources, python));
            write(&path, &filled(text, name, sources, python)).map_err(Failure::run)?;
        }
        // Packages in the versions with which Imminent is tested.
        if let Some(locked) = sources.map(|sources| sources.join("Cargo.lock")).filter(|file| file.is_file()) {
            let copied = fs::copy(&locked, folder.join("Cargo.lock"));
            copied.map_err(|error| Failure::run(format!("{}: cannot be copied: {error}", locked.display())))?;
        }
        let from = sources.map_or_else(|| "the published package".to_owned(), |folder| folder.display().to_string());
        print_text(&format!(
            "{name}/ has a model, its tests and a study. Imminent's sources: {from} (`--imminent` names others).\n\
             Begin the longest build now, and write the model meanwhile:\n  \
             cd {name}\n  \
             cargo build --release --features gpu    # all backends; without the feature the CPU alone\n\
             Then, with the same features, or all is built anew:\n  \
             cargo run --release --features gpu -- run {name}\n  \
             cargo run --release --features gpu -- study study.toml --out results\n  \
             cargo test --release --features gpu\n{}",
            if self.python {
                format!("  maturin develop --release           # then `import {}`\n", module(name))
            } else {
                String::new()
            }
        ))
    }
}

/// Checks that a name is one of a crate and of a model.
fn checked(name: &str) -> Result<&str, &'static str> {
    let is_fit = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    let begins = name.starts_with(|letter: char| letter.is_ascii_lowercase());
    match begins && name.chars().all(is_fit) {
        true => Ok(name),
        false => Err("is no name of a crate: give small letters, digits and hyphens, a letter first"),
    }
}

/// Returns the name of the crate in code.
fn module(name: &str) -> String {
    name.replace('-', "_")
}

/// Returns what a crate that is a module of Python has in the place of a mark, with the sources of Imminent. Other
/// crates have nothing there.
fn of_python(python: Option<&Path>) -> [(&'static str, String); 6] {
    let text = |text: &str| if python.is_some() { text.to_owned() } else { String::new() };
    let path = python.map(|sources| sources.join("python").display().to_string().replace('\\', "/"));
    let dependencies = path.map_or_else(String::new, |path| {
        format!(
            "imminent-python = {{ path = \"{path}\", optional = true }}\n\
             pyo3 = {{ version = \"0.30\", features = [\"abi3-py310\", \"extension-module\"], optional = true }}\n"
        )
    });
    [
        (
            "{python_library}",
            text(
                "# A library for the program, and an extension module.\n[lib]\ncrate-type = [\"rlib\", \"cdylib\"]\n\n",
            ),
        ),
        (
            "{python_feature}",
            text(
                "# The extension module for Python, which `maturin develop` builds.\npython = [\"dep:imminent-python\", \"dep:pyo3\"]\n",
            ),
        ),
        ("{python_dependencies}", dependencies),
        ("{python_module}", text("#[cfg(feature = \"python\")]\nmod python;\n\n")),
        (
            "{python_files}",
            text("| `src/python.rs`, `pyproject.toml` | the extension module for Python, and how it is built |\n"),
        ),
        (
            "{python_command}",
            text(
                "| `maturin develop --release` | builds the module and installs it into the environment of Python that is active, which has the package `imminent` |\n",
            ),
        ),
    ]
}

/// Returns the text of a file of the crate. `python` is the folder of Imminent's sources for a module of Python.
fn filled(text: &str, name: &str, sources: Option<&Path>, python: Option<&Path>) -> String {
    // A path in TOML takes slashes everywhere.
    let path = |path: &Path| format!("path = \"{}\"", path.display().to_string().replace('\\', "/"));
    let version = || format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
    let replaced = [
        ("{name}", name.to_owned()),
        ("{module}", module(name)),
        ("{imminent}", sources.map_or_else(version, path)),
        ("{cli}", sources.map_or_else(version, |sources| path(&sources.join("cli")))),
        ("{optimized}", OPTIMIZED.map(|name| format!("\n[profile.release.package.{name}]\nopt-level = 3\n")).concat()),
        ("{schemars}", "\"1.2\"".to_owned()),
        ("{serde}", "{ version = \"1.0\", features = [\"derive\"] }".to_owned()),
    ];
    let text = of_python(python)
        .iter()
        .chain(&replaced)
        .fold(text.replace("{{", "\u{1}").replace("}}", "\u{2}"), |text, (mark, by)| text.replace(mark, by));
    text.replace('\u{1}', "{").replace('\u{2}', "}")
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, text));
    written.map_err(|error| format!("{}: cannot be written: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_crates() {
        assert_eq!(checked("my-shop2"), Ok("my-shop2"));
        for wrong in ["", "2shop", "my shop", "../shop", "Shop", "-"] {
            assert!(checked(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn texts_are_filled() {
        let folder = Some(Path::new("/somewhere/imminent"));
        for (file, text) in FILES {
            for (sources, python) in [(None, None), (folder, None), (folder, folder)] {
                let text = filled(text, "my-shop", sources, python);
                assert!(text.contains("my-shop") && !text.contains("{name}") && !text.contains("{{"), "{file}: {text}");
                assert!(!text.contains("{python") && (python.is_some() || !text.contains("pyo3")), "{file}: {text}");
            }
        }
        for (file, text) in PYTHON_FILES {
            let text = filled(text, "my-shop", folder, folder);
            assert!(!text.contains("{name}") && !text.contains("{module}") && !text.contains("{{"), "{file}: {text}");
        }
        let manifest = filled(FILES[0].1, "my-shop", folder, folder);
        assert!(
            manifest.contains("path = \"/somewhere/imminent/python\"") && manifest.contains("cdylib"),
            "{manifest}"
        );
        assert!(
            manifest.contains("path = \"/somewhere/imminent\",") && manifest.contains("imminent/cli\""),
            "{manifest}"
        );
    }
}
