//! Compilations in progress in this process, for programs that show them.

use std::sync::{Mutex, PoisonError};

static RUNNING: Mutex<Running> = Mutex::new(Running { begun: 0, kernels: Vec::new() });

/// Compilations in progress.
#[derive(Debug)]
struct Running {
    /// Number of compilations since the process began.
    begun: u64,
    /// Number and kernel of each one in progress.
    kernels: Vec<(u64, String)>,
}

/// A compilation in progress. It ends when this value is dropped.
#[derive(Debug)]
pub struct Compilation(u64);

impl Compilation {
    /// Begins to report that a kernel is being compiled.
    #[must_use]
    pub fn begin(kernel: &str) -> Self {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        running.begun += 1;
        let number = running.begun;
        running.kernels.push((number, kernel.to_owned()));
        Self(number)
    }
}

impl Drop for Compilation {
    fn drop(&mut self) {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        running.kernels.retain(|(number, _)| *number != self.0);
    }
}

/// Returns the number, from 1, and the name of the kernel that is being compiled in this process; of several, the one
/// that began first. Kernels are compiled when they are first launched, so their final number is not known before.
#[must_use]
pub fn compiling() -> Option<(u64, String)> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner).kernels.first().cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compilation_is_seen_until_it_ends() {
        let name = |number: u64| {
            let running = RUNNING.lock().unwrap();
            running.kernels.iter().find(|(known, _)| *known == number).map(|(_, kernel)| kernel.clone())
        };
        let (first, second) = (Compilation::begin("relax"), Compilation::begin("serve"));
        let (one, two) = (first.0, second.0);
        assert!(one < two && compiling().is_some());
        assert_eq!((name(one).as_deref(), name(two).as_deref()), (Some("relax"), Some("serve")));
        drop(first);
        assert_eq!((name(one), name(two).as_deref()), (None, Some("serve")));
    }
}
