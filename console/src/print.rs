//! Output of commands.

use crate::failure::Failure;
use imminent::models::printable::printable;
use imminent_report::json;
use std::io::{BufWriter, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// `true` if standard error gets errors alone. The flag guards no other data.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Keeps progress and warnings from standard error from now on.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Returns `true` if standard error gets errors alone.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Returns the columns of the terminal on standard output, or else those that the environment variable `COLUMNS` asks
/// for.
pub fn columns() -> Option<u16> {
    let asked = || std::env::var("COLUMNS").ok()?.parse().ok().filter(|columns| *columns > 0);
    comfy_table::Table::new().width().or_else(asked)
}

/// Prints a value as one JSON object.
pub fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    if std::io::stdout().is_terminal() {
        return print_text(&(json::text(value).map_err(Failure::run)? + "\n"));
    }
    // The output is streamed: the result of a study may not fit into memory.
    let mut out = BufWriter::new(std::io::stdout().lock());
    let written = json::write(&mut out, value);
    printed(written.and_then(|()| writeln!(out)).and_then(|()| out.flush()))
}

/// Prints text, with control characters of names made visible. A reader that has exited, such as `head`, causes no
/// failure.
pub fn print_text(text: &str) -> Result<(), Failure> {
    let mut output = std::io::stdout().lock();
    printed(output.write_all(printable(text).as_bytes()).and_then(|()| output.flush()))
}

/// Prints a warning or a line of progress to standard error, unless the program is to be quiet.
pub fn tell(line: &str) {
    if !is_quiet() {
        tell_error(line);
    }
}

/// Prints an error to standard error, with control characters of names made visible. A closed standard error is no
/// failure.
pub fn tell_error(line: &str) {
    let _ = writeln!(std::io::stderr(), "{}", printable(line));
}

fn printed(written: std::io::Result<()>) -> Result<(), Failure> {
    use std::io::ErrorKind;
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::run(format!("the output cannot be written: {error}; redirect it to a place with free space")))
        }
        _ => Ok(()),
    }
}
