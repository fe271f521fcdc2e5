//! Operations of a queue that failed.

use crate::error::Error;
use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Largest number of failures kept apart.
const MAX_FAILURES: usize = 1024;

/// Ranges of operations that failed, in ascending order, each with its cause. Launches that return nothing have no
/// memory that could be invalid: their results are looked up here.
#[derive(Debug, Default)]
pub(super) struct Failures(VecDeque<(RangeInclusive<u64>, Arc<Error>)>);

impl Failures {
    /// Adds operations behind all others. The two oldest failures become one when there are too many.
    pub(super) fn add(&mut self, operations: RangeInclusive<u64>, cause: &Arc<Error>) {
        if operations.is_empty() {
            return;
        }
        if self.0.len() == MAX_FAILURES
            && let Some((oldest, cause)) = self.0.pop_front()
            && let Some((next, _)) = self.0.pop_front()
        {
            // The operations between them succeeded; to call them failed is the safe mistake.
            self.0.push_front((*oldest.start()..=*next.end(), cause));
        }
        self.0.push_back((operations, cause.clone()));
    }

    /// Returns the cause for which an operation failed, if it did.
    pub(super) fn of(&self, operation: u64) -> Option<Arc<Error>> {
        let at = self.0.partition_point(|(operations, _)| *operations.end() < operation);
        self.0.get(at).filter(|(operations, _)| operations.contains(&operation)).map(|(_, cause)| cause.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_has_the_cause_of_its_range() {
        let mut failures = Failures::default();
        let cause = |number: u64| Arc::new(Error::invalid(number.to_string(), "failed"));
        for number in 0..2 * MAX_FAILURES as u64 {
            failures.add(10 * number + 2..=10 * number + 4, &cause(number));
        }
        assert_eq!((failures.of(1), failures.0.len()), (None, MAX_FAILURES));
        let last = 10 * (2 * MAX_FAILURES as u64 - 1);
        let found: Vec<bool> = (1..=5).map(|at| failures.of(last + at).is_some()).collect();
        assert_eq!(found, [false, true, true, true, false]);
        assert_eq!(failures.of(last + 3), Some(cause(2 * MAX_FAILURES as u64 - 1)));
        assert_eq!(failures.of(3), Some(cause(0)), "the oldest are joined, and none is lost");
    }
}
