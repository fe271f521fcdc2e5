//! Processes of this program for its own use, which write lines of JSON: a driver that ends its process, or does not
//! return, does no more harm.

use imminent_console::{Failure, process};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread::JoinHandle;

/// End of a process.
#[derive(Debug)]
pub(crate) struct Ended {
    /// `true` if it was ended since its reader did not wait any longer.
    pub(crate) is_late: bool,
    pub(crate) status: ExitStatus,
    /// Last line on standard error.
    pub(crate) complaint: String,
}

/// Returns the command that runs this program.
pub(crate) fn program() -> Result<Command, String> {
    process::again().map_err(|error| format!("this program cannot be found: {error}"))
}

/// Writes a line on standard output, for the parent process.
pub(crate) fn say(line: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string(line).map_err(Failure::run)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).map_err(Failure::run)
}

/// Runs a process whose lines are listened to. If the listener returns `false`, the process is ended.
pub(crate) fn run<L: DeserializeOwned + Send + 'static>(
    mut command: Command,
    listen: impl FnOnce(&Receiver<L>) -> bool,
) -> Result<Ended, String> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().map_err(|error| format!("no process could be started for it: {error}"))?;
    // Both pipes are read at once: a process with a full pipe would block.
    let complaints = process.stderr.take().map(|error| start(move || last_line(BufReader::new(error))));
    let lines = process.stdout.take().map(lines_of).transpose();
    let is_late = match &lines {
        Ok(lines) => lines.as_ref().is_some_and(|lines| !listen(lines)),
        Err(_) => true,
    };
    if is_late {
        // A process that has just ended by itself is as good.
        let _ = process.kill();
    }
    let status = process.wait().map_err(|error| error.to_string())?;
    lines.map_err(|error| format!("no thread could be started to read its results: {error}"))?;
    // A process of a process that was ended may keep the pipe open.
    let complaints = complaints.filter(|_| !is_late);
    let complaint = complaints.and_then(|thread| thread.ok()?.join().ok()).unwrap_or_default();
    Ok(Ended { is_late, status, complaint })
}

/// Returns the lines that a process writes, read by a thread of their own.
fn lines_of<L: DeserializeOwned + Send + 'static>(out: impl Read + Send + 'static) -> io::Result<Receiver<L>> {
    let (sender, lines) = mpsc::channel();
    start(move || {
        let read = BufReader::new(out).lines().map_while(Result::ok);
        for line in read.filter_map(|line| serde_json::from_str(&line).ok()) {
            if sender.send(line).is_err() {
                break;
            }
        }
    })?;
    Ok(lines)
}

/// Starts a thread, where the system may refuse it.
fn start<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<JoinHandle<T>> {
    std::thread::Builder::new().spawn(work)
}

/// Returns the last line that is not blank.
fn last_line(lines: impl BufRead) -> String {
    lines.lines().map_while(Result::ok).filter(|line| !line.trim().is_empty()).last().unwrap_or_default()
}
