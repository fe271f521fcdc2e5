//! The program itself: version, help, quiet, scripts for shells, pages of the manual.

use super::{ROOT, imminent, refused, small, text};
use std::process::Command;

fn printed(args: &[&str]) -> String {
    let output = imminent(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn the_version_tells_the_commit_and_what_is_compiled_in() {
    let told = printed(&["--version"]);
    let (first, rest) = told.split_once('\n').unwrap();
    let number = format!("imminent {}", env!("CARGO_PKG_VERSION"));
    assert!(first.starts_with(&number), "{told}");
    assert!(rest.starts_with("backends: ") && rest.contains("cpu") && rest.contains("\nfeatures: "), "{told}");
    assert_eq!(rest.contains("opencl"), cfg!(feature = "opencl"), "{told}");
    assert_eq!(printed(&["-V"]).trim(), first.trim_end_matches(", a debug build"));
    // Sources without a checkout of their own have no commit.
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).current_dir(ROOT).output().ok()?;
        output.status.success().then(|| text(&output.stdout).trim().to_owned())
    };
    let commit = if git(&["rev-parse", "--show-prefix"]).is_some_and(|prefix| prefix.is_empty()) {
        git(&["rev-parse", "HEAD"])
    } else {
        None
    };
    let told = first[number.len()..].strip_prefix(" (").and_then(|told| told.split(", ").next());
    assert_eq!(told.is_some(), commit.is_some(), "{first}");
    assert!(told.is_none_or(|told| told.len() > 6 && commit.unwrap().starts_with(told)), "{first}");
}

#[test]
fn help_wraps_at_the_width_of_the_terminal() {
    let help = |columns: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_imminent"));
        text(&command.arg("--help").env("COLUMNS", columns).output().unwrap().stdout)
    };
    let longest = |help: &str| help.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(longest(&help("60")) <= 60, "{}", help("60"));
    assert!(longest(&help("100")) > 60 && help("60").contains("130 after"), "{}", help("100"));
}

#[test]
fn quiet_leaves_errors_alone_on_standard_error() {
    let unused = small(&["--engine", "sequential", "--backend", "cpu"]);
    assert!(text(&imminent(&unused).stderr).contains("warning: --backend"));
    for quiet in ["--quiet", "-q"] {
        let output = imminent(&[&unused[..], &[quiet]].concat());
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
        assert!(!output.stdout.is_empty());
        refused(&[quiet, "run", "torus", "--width", "0"], &["imminent: ", "--width"]);
    }
}

/// Bash itself completes words by the script.
#[cfg(all(feature = "shell", unix))]
#[test]
fn bash_completes_commands_and_options() {
    let script = printed(&["completions", "bash"]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("words.sh");
    let complete = |words: &str, last: usize, word: &str| {
        let ask = format!(
            "{script}\nCOMP_WORDS=(imminent {words}); COMP_CWORD={last}; _imminent imminent '{word}' x; echo \"${{COMPREPLY[*]}}\""
        );
        std::fs::write(&file, ask).unwrap();
        text(&Command::new("bash").arg("--norc").arg(&file).output().unwrap().stdout)
    };
    assert_eq!(complete("dev", 1, "dev").trim(), "devices");
    assert_eq!(complete("run torus --wid", 3, "--wid").trim(), "--width");
    refused(&["completions", "abacus"], &["abacus", "bash", "zsh", "fish"]);
}

#[cfg(feature = "shell")]
#[test]
fn the_manual_has_a_page_for_each_command() {
    let page = printed(&["manual", "run", "torus"]);
    assert!(page.contains(".TH imminent-run-torus 1") && page.contains("\\-\\-width"), "{page}");
    assert!(printed(&["manual"]).contains("130 after Ctrl\\-C"));
    refused(&["manual", "run", "walk"], &["`walk`", "torus"]);
    let folder = tempfile::tempdir().unwrap();
    printed(&["manual", "--out", folder.path().to_str().unwrap()]);
    let pages = ["imminent.1", "imminent-devices.1", "imminent-run-torus.1"];
    assert!(pages.iter().all(|page| folder.path().join(page).is_file()));
}
