//! Threads of a queue: one runs programs that were started, one wakes futures when work is done.

use crate::error::{Error, Result};
use std::fmt;
use std::io;
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
        give(&self.programs, Role::Program, job)
    }

    /// Runs a job that waits for the device, after all earlier such jobs.
    pub(crate) fn watch(&self, job: Job) -> Result<()> {
        give(&self.watcher, Role::Watcher, job)
    }
}

#[derive(Clone, Copy, Debug)]
enum Role {
    Program,
    Watcher,
}

impl Role {
    /// Returns the error of a thread that the system does not start.
    fn refused(self, error: &io::Error) -> Error {
        if error.kind() != io::ErrorKind::Unsupported {
            return Error::invalid("thread", format!("the system starts no thread for a queue: {error}"));
        }
        let (what, remedy) = match self {
            Role::Program => ("a program that is started", "Run it with `Program::run`"),
            Role::Watcher => ("telling that work is done", "Wait for it with `Submission::wait`"),
        };
        Error::NoThreads { what: what.to_owned(), remedy: remedy.to_owned() }
    }
}

fn give(thread: &Mutex<Option<Sender<Job>>>, role: Role, job: Job) -> Result<()> {
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
    let name = match role {
        Role::Program => "imminent-program",
        Role::Watcher => "imminent-watcher",
    };
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || jobs.into_iter().for_each(|job| job()))
        .map_err(|error| role.refused(&error))?;
    let _ = sender.send(job);
    *thread = Some(sender);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page in a browser has `Unsupported`; a system with too many threads has another error, which is a failure.
    #[test]
    fn a_platform_without_threads_is_told_from_a_system_without_room() {
        let unsupported = Role::Program.refused(&io::ErrorKind::Unsupported.into());
        assert!(matches!(unsupported, Error::NoThreads { .. }), "{unsupported}");
        let full = Role::Watcher.refused(&io::ErrorKind::WouldBlock.into());
        assert!(matches!(full, Error::Invalid { .. }), "{full}");
    }
}
