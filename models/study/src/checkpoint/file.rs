//! A file of runs under way.
//!
//! The file begins with text: a line that names the format and what the runs depend on, a line for each run, and a
//! checksum of these lines. The states follow, each with a checksum. So a run is found without reading the others, and
//! damage to one state loses no other run.
//!
//! ```text
//! imminent study checkpoint 1: FINGERPRINT program=VERSION
//! RUN EVENTS BYTES
//! ...
//! CHECKSUM
//! ```

use super::error::CheckpointError;
use crate::plan::Fingerprint;
use imminent_common::file::NewFile;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Beginning of the first line.
const HEADER: &str = "imminent study checkpoint 1: ";

/// Version of this program, as the first line names it.
const PROGRAM: &str = concat!("program=", env!("CARGO_PKG_VERSION"));

/// The most bytes of a line: the first is the longest.
const LONGEST_LINE: u64 = 4096;

/// The state of a run.
#[derive(Debug)]
pub struct Saved {
    /// Number of the run.
    pub run: u64,
    /// Number of the run's events that have happened.
    pub events: u64,
    /// Bytes of the state.
    pub state: Vec<u8>,
}

/// Location of the state of a run in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) run: u64,
    pub(super) events: u64,
    pub(super) from: u64,
    pub(super) bytes: u64,
}

/// Writes a file, replacing an existing one when the new one is on the disk. A file that cannot be written leaves
/// nothing.
pub(super) fn write(path: &Path, fingerprint: &Fingerprint, saved: &[Saved]) -> io::Result<Vec<Entry>> {
    let mut head = format!("{HEADER}{fingerprint} {PROGRAM}\n");
    for Saved { run, events, state } in saved {
        // Writing to a text cannot fail.
        let _ = writeln!(head, "{run} {events} {}", state.len());
    }
    let _ = writeln!(head, "{}", blake3::hash(head.as_bytes()).to_hex());
    let mut file = NewFile::begin(path)?;
    file.write_all(head.as_bytes())?;
    let mut from = head.len() as u64;
    let mut entries = vec![];
    for Saved { run, events, state } in saved {
        file.write_all(state)?;
        let bytes = state.len() as u64;
        entries.push(Entry { run: *run, events: *events, from, bytes });
        from += bytes;
    }
    file.finish()?;
    Ok(entries)
}

/// Reads the locations of runs' states from the head of a file.
pub(super) fn read(path: &Path, fingerprint: &Fingerprint) -> Result<Vec<Entry>, CheckpointError> {
    let failed = |error| CheckpointError::System { path: path.to_owned(), doing: "cannot be read", error };
    let unreadable = || CheckpointError::Unreadable { path: path.to_owned() };
    let mut file = BufReader::new(File::open(path).map_err(failed)?);
    let mut head = blake3::Hasher::new();
    let mut line = |hash: bool| {
        let mut line = vec![];
        (&mut file).take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(failed)?;
        if hash {
            head.update(&line);
        }
        let text = line.strip_suffix(b"\n").and_then(|line| std::str::from_utf8(line).ok().map(str::to_owned));
        text.map(|text| (text, head.finalize())).ok_or_else(unreadable)
    };
    let (first, mut before) = line(true)?;
    let written = first.strip_prefix(HEADER).ok_or_else(unreadable)?;
    let mut from = first.len() as u64 + 1;
    let mut entries = vec![];
    loop {
        let (text, after) = line(true)?;
        from += text.len() as u64 + 1;
        if text == before.to_hex().as_str() {
            break;
        }
        let [run, events, bytes] = numbers(&text).ok_or_else(unreadable)?;
        entries.push(Entry { run, events, from: 0, bytes });
        before = after;
    }
    for entry in &mut entries {
        entry.from = from;
        from = from.checked_add(entry.bytes).ok_or_else(unreadable)?;
    }
    let mut differences = fingerprint.differences(written);
    if !written.split(' ').any(|part| part == PROGRAM) {
        differences.push("program");
    }
    match differences.is_empty() {
        true => Ok(entries),
        false => Err(CheckpointError::OtherStudy { path: path.to_owned(), differences }),
    }
}

fn numbers(line: &str) -> Option<[u64; 3]> {
    let numbers: Vec<u64> = line.split(' ').map(|word| word.parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

/// The state that a file holds; fewer bytes where it ends before.
pub(super) fn state(path: &Path, entry: &Entry) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(entry.from))?;
    let mut state = vec![];
    file.take(entry.bytes).read_to_end(&mut state)?;
    Ok(state)
}
