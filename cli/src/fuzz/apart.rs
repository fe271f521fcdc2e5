//! Random kernels in a process of their own: a driver that ends it leaves the kernel that it was given.

use imminent_console::{Failure, process};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs this command again in a new process, with the kernels written down.
///
/// A process that ends by itself has said all there is to say, so this one ends with its status.
pub(super) fn run(again: Option<&Path>, keep: Option<&Path>) -> Result<(), Failure> {
    let mut command = process::again().map_err(Failure::run)?;
    let trial = std::env::temp_dir().join(format!("imminent-fuzz-{}.json", std::process::id()));
    command.args(process::arguments()).arg("--write-down").arg(&trial);
    let code = watch(command, &trial, again, keep)?;
    if code == 0 {
        return Ok(());
    }
    Err(Failure::Told(code))
}

/// Runs a command to its end, and returns its exit status. If it was ended, the kernel that it tried stays in a file.
fn watch(mut command: Command, trial: &Path, again: Option<&Path>, keep: Option<&Path>) -> Result<u8, Failure> {
    let ended = command.status().map_err(|error| Failure::run(format!("no process could be started: {error}")))?;
    // Failures have statuses 1 and 2; whatever else there is comes from a driver.
    if let Some(code @ 0..=2) = ended.code() {
        // There is no file if no kernel was tried.
        let _ = std::fs::remove_file(trial);
        return Ok(code as u8);
    }
    let file = match (again, keep) {
        (Some(again), _) => again.to_owned(),
        (None, Some(keep)) => moved(trial, keep),
        (None, None) => trial.to_owned(),
    };
    Err(Failure::run(format!(
        "the driver ended its process ({ended}) at the kernel in {}: repeat it by `imminent fuzz --again {}`, with the \
         same --backend and --device, and report it to the driver's authors",
        file.display(),
        file.display()
    )))
}

/// Moves a file; returns where it is then.
fn moved(from: &Path, to: &Path) -> PathBuf {
    match std::fs::copy(from, to) {
        Ok(_) => {
            let _ = std::fs::remove_file(from);
            to.to_owned()
        }
        Err(_) => from.to_owned(),
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_kernel_that_ends_the_process_stays_in_a_file_and_no_other_does() {
        let folder = tempfile::tempdir().unwrap();
        let [trial, keep] = ["trial.json", "keep.json"].map(|name| folder.path().join(name));
        let ends_by = |end: &str| {
            std::fs::write(&trial, "{}").unwrap();
            let mut command = Command::new("sh");
            command.args(["-c", end]);
            watch(command, &trial, None, Some(&keep))
        };
        assert_eq!(ends_by("exit 1").unwrap(), 1);
        assert!(!trial.exists() && !keep.exists());
        let error = ends_by("kill -ABRT $$").unwrap_err().to_string();
        assert!(error.contains("signal: 6") && error.contains("--again") && error.contains("keep.json"), "{error}");
        assert!(!trial.exists() && std::fs::read(&keep).unwrap() == b"{}");
    }
}
