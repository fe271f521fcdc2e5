//! Tests of the measuring program as users and scripts run it.

#![allow(clippy::panic, clippy::unwrap_used)]

mod measured;
mod of_models;

use serde_json::Value;
use std::process::{Child, Command, Output, Stdio};

fn spawn(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn lab(args: &[&str]) -> Output {
    spawn(args).wait_with_output().unwrap()
}

fn interrupt(child: Child) -> Output {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn json(args: &[&str]) -> Value {
    let output = lab(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Runs a command with an impossible request: exit status 2, nothing on standard output, and these words in the error.
fn refused(args: &[&str], words: &[&str]) {
    let output = lab(args);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert!(output.stdout.is_empty(), "{args:?}");
    for word in words {
        assert!(message.contains(word), "{args:?}: `{word}` is not in: {message}");
    }
    assert!(!message.contains("panicked"), "{message}");
}
