//! Ctrl-C by real signals. The test starts this program again, with the kind of a run as its argument.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use imminent_console::interrupt::{requested, watched};
use imminent_testkit::needs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, ExitCode, Stdio};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

/// Environment variable that tells the process of a run whether it answers.
const KIND: &str = "INTERRUPT_TEST";

/// Exit status of a run that came to its end.
const ENDED: i32 = 7;

fn main() -> ExitCode {
    match std::env::var(KIND) {
        Ok(kind) => run(&kind),
        Err(_) => needs::run(vec![needs::test(
            "a_run_that_does_not_answer_is_ended",
            signals,
            a_run_that_does_not_answer_is_ended,
        )]),
    }
}

/// Requires a system with signals.
fn signals() -> Result<(), String> {
    if cfg!(unix) { Ok(()) } else { Err("takes a system with signals".to_owned()) }
}

/// Executes a run that answers, or one that is silent.
fn run(kind: &str) -> ExitCode {
    watched(|| {
        println!("under way");
        while kind.starts_with("silent") || !requested() {
            sleep(Duration::from_millis(5));
        }
        sleep(Duration::from_millis(1200));
    });
    ExitCode::from(ENDED as u8)
}

/// Interrupts a run in a process of its own. Returns its exit status, the time from the signal to its end, and what it
/// printed on standard error.
fn interrupted(kind: &str) -> (i32, Duration, String) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .env(KIND, kind)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("under way")));
    let began = Instant::now();
    for _ in 0..if kind == "silent twice" { 2 } else { 1 } {
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        sleep(Duration::from_millis(20));
    }
    let (status, mut message) = (child.wait().unwrap(), String::new());
    child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
    (status.code().unwrap(), began.elapsed(), message)
}

/// After a signal a run that does not answer is ended, and one that does is waited for. After two it ends at once.
fn a_run_that_does_not_answer_is_ended() {
    let answering = spawn(|| interrupted("answering"));
    let (status, took, message) = interrupted("silent twice");
    assert_eq!(status, 130, "{message}");
    assert!(
        took.as_secs_f64() < 1.0
            && message.contains("\ninterrupt-")
            && message.ends_with(": interrupted twice, and ended at once\n"),
        "{message}"
    );
    let (status, took, message) = interrupted("silent");
    assert_eq!(status, 130, "{message}");
    assert!((1.0..10.0).contains(&took.as_secs_f64()), "{took:?}");
    assert!(message.contains("interrupted before the first result: the run did not end within 1 s"), "{message}");
    let (status, took, message) = answering.join().unwrap();
    assert_eq!(status, ENDED, "{message}");
    assert!(took.as_secs_f64() > 1.1 && message.contains("once more to end at once"), "{took:?} {message}");
}
