//! Threads of a queue: one runs programs that were started, one wakes futures when work is done.

use crate::error::{Error, Result};
use std::fmt;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

pub(crate) type Job = Box<dyn FnOnce() + Send>;

/// Threads of a queue. Each begins with its first job and ends after the queue.
#[derive(Default)]
pub(crate) struct Workers {
    programs: Mutex<Option<Sender<Job>>>,
    watcher: Mutex<Option<Sender<Job>>>,
}

impl fmt::Debug for Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Workers")
    }
}

impl Workers {
    /// Runs a job after all earlier ones.
    pub(crate) fn run(&self, job: Job) -> Result<()> {
        give(&self.programs, "imminent-program", job)
    }

    /// Runs a job that waits for the device, after all earlier such jobs.
    pub(crate) fn watch(&self, job: Job) -> Result<()> {
        give(&self.watcher, "imminent-watcher", job)
    }
}

fn give(thread: &Mutex<Option<Sender<Job>>>, name: &str, job: Job) -> Result<()> {
    let mut thread = thread.lock().unwrap_or_else(PoisonError::into_inner);
    let job = match &*thread {
        // A thread ends when its job panics; another replaces it.
        Some(sender) => match sender.send(job) {
            Ok(()) => return Ok(()),
            Err(unsent) => unsent.0,
        },
        None => job,
    };
    let (sender, jobs) = channel::<Job>();
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || jobs.into_iter().for_each(|job| job()))
        .map_err(|error| Error::invalid("thread", format!("the system starts no thread for a queue: {error}")))?;
    let _ = sender.send(job);
    *thread = Some(sender);
    Ok(())
}
