//! Tests that run themselves again in a process with another environment, where a library or a driver is missing or
//! broken.

use std::ffi::OsStr;
use std::process::{Command, Output};

const INSIDE: &str = "IMMINENT_TEST_INSIDE";

/// Returns `true` in the process that [`texts_inside`] started.
#[must_use]
pub fn inside() -> bool {
    std::env::var_os(INSIDE).is_some()
}

/// Sends a text to the outer test, on one line.
pub fn send_text(text: impl std::fmt::Display) {
    println!("\ntext: {}", text.to_string().replace('\n', " / "));
}

/// Runs a test of this program, by its full name, in a process with these variables, whether it passes or not.
pub fn run_inside<V: AsRef<OsStr>>(test: &str, environment: &[(&str, V)]) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).env(INSIDE, "1");
    command.envs(environment.iter().map(|(name, value)| (name, value.as_ref())));
    command.output().unwrap()
}

/// Runs a test of this program, by its full name, in a process with these variables; returns the texts that it sent.
pub fn texts_inside<V: AsRef<OsStr>>(test: &str, environment: &[(&str, V)]) -> Vec<String> {
    passed_inside(test, environment)
        .lines()
        .filter_map(|line| line.split_once("text: "))
        .map(|(_, texts)| texts.to_owned())
        .collect()
}

/// Runs a test's body in a process of its own, given the test's full name: some drivers allow only one use at a time
/// per process.
pub fn apart(test: &str, body: impl FnOnce()) {
    if inside() {
        return body();
    }
    println!("{}", passed_inside::<&str>(test, &[]));
}

/// Runs a test of this program, by its full name, in a process with these variables; the test must pass. Returns its
/// output.
///
/// # Panics
/// If the test did not pass, or does not exist.
fn passed_inside<V: AsRef<OsStr>>(test: &str, environment: &[(&str, V)]) -> String {
    let output = run_inside(test, environment);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}: {text}{}", output.status, String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("1 passed"), "no test is called `{test}`: {text}");
    text.into_owned()
}
