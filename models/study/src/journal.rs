//! Finished runs on disk, which outlive the process.
//!
//! The file is text. Its first line names the form and what the runs depend on ([`Fingerprint`]); then there is a
//! line for each finished run, in the order in which they were finished:
//!
//! ```text
//! RUN EVENTS VALUE VALUE ... CHECKSUM
//! ```
//!
//! Values are decimal, to the last bit; `-` stands for none. The checksum is the first 16 digits of BLAKE3 over what
//! stands before it on the line. A line that was not written to its end, or was changed, does not have it: it is passed
//! over, and the run is carried out again. Each line is handed to the system before anything else happens, so it
//! outlives the process; it is on the disk, which outlives the machine, a second later at most, while runs finish.

use super::laboratory::Finished;
use super::plan::{Fingerprint, Study};
use super::results::{ResultError, Results};
use imminent_core::clock::Instant;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// Beginning of the first line.
const HEADER: &str = "imminent study journal 1: ";

/// Largest number of bytes of a line; a longer one cannot belong to a journal.
const LONGEST_LINE: u64 = 1 << 16;

/// Longest time until lines are written to the disk.
const AT_LEAST_EVERY: Duration = Duration::from_secs(1);

/// Journal of a study under execution. Only one process can have it open at a time.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    synced: Instant,
}

/// Content of a journal when it was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Recovered {
    /// Runs that need not be executed again.
    pub runs: u64,
    /// Number of lines that were skipped.
    pub damaged: u64,
}

/// A journal that cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The journal belongs to another study.
    #[error(
        "{}: has runs of another study, which differs in its {}: name another folder, undo the change, or remove the file if its {runs} runs are not needed", path.display(), aspects(differences)
    )]
    OtherStudy {
        /// The journal.
        path: PathBuf,
        /// Aspects of the study that differ.
        differences: Vec<&'static str>,
        /// Number of lines of runs in the journal.
        runs: usize,
    },
    /// The file is not a journal.
    #[error("{}: is no journal of a study: name another folder, or remove the file", path.display())]
    NoJournal {
        /// The file.
        path: PathBuf,
    },
    /// Another process is writing it.
    #[error("{}: another process is executing this study: wait for its end, or name another folder", path.display())]
    InUse {
        /// The journal.
        path: PathBuf,
    },
    /// The journal has two results of one run, or a result that the study cannot have.
    #[error("{}: {error}; remove the file to start the study again", path.display())]
    Contradiction {
        /// The journal.
        path: PathBuf,
        /// Error of the result.
        error: ResultError,
    },
    /// The operating system reported an error.
    #[error("{}: {doing}: {error}; check the folder's permissions and free space, or name another folder", path.display())]
    System {
        /// The journal.
        path: PathBuf,
        /// Phrase for the action that failed.
        doing: &'static str,
        /// Error of the operating system.
        error: std::io::Error,
    },
}

fn aspects(differences: &[&str]) -> String {
    let names: Vec<_> = differences.iter().map(|name| name.replace('_', " ")).collect();
    names.join(", ")
}

impl Journal {
    /// Opens the journal of a study, or begins it, and takes over the results that it holds.
    ///
    /// # Errors
    /// [`JournalError`] for the journal of another study, one that another process has, and what the system refuses.
    pub fn open(path: &Path, study: &Study, results: &mut Results) -> Result<(Self, Recovered), JournalError> {
        let failed = |doing| move |error| JournalError::System { path: path.to_owned(), doing, error };
        let file =
            OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed("cannot be opened"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse { path: path.to_owned() }),
            // Some file systems have no locks; there, people have to see to it.
            Err(TryLockError::Error(_)) => {}
        }
        let fingerprint = study.fingerprint();
        let found = recover(&file, path, &fingerprint, results)?;
        let mut journal = Self { file, path: path.to_owned(), synced: Instant::now() };
        let Some((recovered, is_whole)) = found else {
            journal.file.set_len(0).map_err(failed("cannot be begun"))?;
            journal.write(&format!("{HEADER}{fingerprint}\n"))?;
            journal.sync()?;
            return Ok((journal, Recovered::default()));
        };
        if !is_whole {
            journal.write("\n")?;
        }
        Ok((journal, recovered))
    }

    /// Writes the values of a finished run.
    ///
    /// # Errors
    /// [`JournalError::System`].
    pub fn append(&mut self, finished: &Finished) -> Result<(), JournalError> {
        let mut line = format!("{} {}", finished.run, finished.events);
        for value in &finished.values {
            match value.filter(|value| value.is_finite()) {
                Some(value) => line += &format!(" {value:?}"),
                None => line += " -",
            }
        }
        let checksum = checksum(&line);
        self.write(&format!("{line} {checksum}\n"))?;
        if self.synced.elapsed() >= AT_LEAST_EVERY { self.sync() } else { Ok(()) }
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// [`JournalError::System`].
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.synced = Instant::now();
        self.file.sync_data().map_err(|error| self.failed(error))
    }

    fn write(&mut self, text: &str) -> Result<(), JournalError> {
        self.file.write_all(text.as_bytes()).map_err(|error| self.failed(error))
    }

    fn failed(&self, error: std::io::Error) -> JournalError {
        JournalError::System { path: self.path.clone(), doing: "cannot be written", error }
    }
}

/// Reads the content of a journal, and whether its last line has its end. A journal is empty if it is new, or if the
/// process ended while beginning it. Lines are read one after the other: they may need more memory than there is.
fn recover(
    file: &File,
    path: &Path,
    fingerprint: &Fingerprint,
    results: &mut Results,
) -> Result<Option<(Recovered, bool)>, JournalError> {
    let (mut reader, mut line) = (BufReader::new(file), vec![]);
    let mut next = |line: &mut Vec<u8>| {
        line.clear();
        let length = (&mut reader).take(LONGEST_LINE).read_until(b'\n', line);
        let failed = |error| JournalError::System { path: path.to_owned(), doing: "cannot be read", error };
        length.map(|length| length > 0).map_err(failed)
    };
    let first = format!("{HEADER}{fingerprint}\n");
    next(&mut line)?;
    if first.as_bytes().starts_with(&line) && first.as_bytes() != line {
        return Ok(None);
    }
    let header = String::from_utf8_lossy(&line);
    let Some(written) = header.trim_end().strip_prefix(HEADER) else {
        return Err(JournalError::NoJournal { path: path.to_owned() });
    };
    let differences = if written == fingerprint.to_string() { None } else { Some(fingerprint.differences(written)) };
    let (mut recovered, mut is_whole, mut runs) = (Recovered::default(), line.ends_with(b"\n"), 0);
    while next(&mut line)? {
        runs += 1;
        is_whole = line.ends_with(b"\n");
        if differences.is_some() {
            continue;
        }
        let text = String::from_utf8_lossy(&line);
        match parse(text.trim_end_matches(['\n', '\r'])) {
            Some(finished) => {
                let contradiction = |error| JournalError::Contradiction { path: path.to_owned(), error };
                results.insert(&finished).map_err(contradiction)?;
                recovered.runs += 1;
            }
            None => recovered.damaged += u64::from(!text.trim_end().is_empty()),
        }
    }
    match differences {
        None => Ok(Some((recovered, is_whole))),
        Some(differences) => Err(JournalError::OtherStudy { path: path.to_owned(), differences, runs }),
    }
}

/// Parses the line of a run; `None` if it is incomplete.
fn parse(line: &str) -> Option<Finished> {
    let (content, written) = line.rsplit_once(' ')?;
    if checksum(content) != written {
        return None;
    }
    let mut words = content.split(' ');
    let (run, events) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let value = |word: &str| if word == "-" { Some(None) } else { word.parse().ok().map(Some) };
    Some(Finished { run, events, values: words.map(value).collect::<Option<_>>()? })
}

fn checksum(content: &str) -> String {
    blake3::hash(content.as_bytes()).to_hex().chars().take(16).collect()
}
