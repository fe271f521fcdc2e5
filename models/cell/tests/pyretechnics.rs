//! Rates of spread beside those of pyretechnics, a Python package, where it is installed.

#![allow(clippy::expect_used, clippy::unwrap_used)]

use imminent_testkit::tests_that_need;
use std::io::Write;
use std::process::{Command, Output, Stdio};

#[allow(dead_code, reason = "the example has a main of its own")]
#[path = "../examples/rates.rs"]
mod rates;

tests_that_need! {
    pyretechnics: rates_are_those_of_pyretechnics;
}

/// Status of the script where pyretechnics is not installed.
const NOT_INSTALLED: i32 = 2;

/// Random cells that are compared.
const CELLS: u64 = 500;

/// Gives lines of rates to the script; `None` if it cannot be started.
fn compare(lines: &str) -> Option<Output> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/compare/rothermel");
    let mut started = Command::new("python3")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    // The script may end before it has read all; its status tells why.
    let _ = started.stdin.take().expect("its input is a pipe").write_all(lines.as_bytes());
    Some(started.wait_with_output().expect("its output can be read"))
}

/// pyretechnics, which the script imports before it reads.
fn pyretechnics() -> Result<(), String> {
    match compare("") {
        Some(output) if output.status.code() != Some(NOT_INSTALLED) => Ok(()),
        Some(_) => Err("pyretechnics is not installed: pip install pyretechnics".to_owned()),
        None => Err("pyretechnics is not at hand: there is no python3".to_owned()),
    }
}

fn rates_are_those_of_pyretechnics() {
    let lines: String = (0..CELLS).map(|cell| rates::line(1, cell).unwrap() + "\n").collect();
    let output = compare(&lines).unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    // Where pyretechnics is compiled, some cells are left out.
    let compared: u64 = text.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap();
    assert!(compared > CELLS / 2, "{text}");
}
