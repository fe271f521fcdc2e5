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
        for (file, text) in FILES {
            write(&folder.join(file), &filled(text, name, sources)).map_err(Failure::run)?;
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
             cargo test --release --features gpu\n"
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

/// Returns the text of a file of the crate.
fn filled(text: &str, name: &str, sources: Option<&Path>) -> String {
    // A path in TOML takes slashes everywhere.
    let path = |path: &Path| format!("path = \"{}\"", path.display().to_string().replace('\\', "/"));
    let version = || format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
    let replaced = [
        ("{name}", name.to_owned()),
        ("{module}", name.replace('-', "_")),
        ("{imminent}", sources.map_or_else(version, path)),
        ("{cli}", sources.map_or_else(version, |sources| path(&sources.join("cli")))),
        ("{optimized}", OPTIMIZED.map(|name| format!("\n[profile.release.package.{name}]\nopt-level = 3\n")).concat()),
        ("{schemars}", "\"1.2\"".to_owned()),
        ("{serde}", "{ version = \"1.0\", features = [\"derive\"] }".to_owned()),
    ];
    let text = replaced
        .iter()
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
        for (file, text) in FILES {
            for sources in [None, Some(Path::new("/somewhere/imminent"))] {
                let text = filled(text, "my-shop", sources);
                assert!(text.contains("my-shop") && !text.contains("{name}") && !text.contains("{{"), "{file}: {text}");
            }
        }
        let manifest = filled(FILES[0].1, "my-shop", Some(Path::new("/somewhere/imminent")));
        assert!(
            manifest.contains("path = \"/somewhere/imminent\",") && manifest.contains("imminent/cli\""),
            "{manifest}"
        );
    }
}
