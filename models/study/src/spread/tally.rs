//! Work of the workers of a study.

use super::Identity;

/// Work that a worker did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// Identity of the worker.
    pub identity: Identity,
    /// Number of runs that it has reported.
    pub runs: u64,
    /// Reason why the worker could not continue, if it could not.
    pub lost: Option<String>,
}

impl Tally {
    /// Returns the tally of a device that has executed no run yet.
    pub(super) fn of(identity: &Identity) -> Self {
        Self { identity: identity.clone(), runs: 0, lost: None }
    }
}
