//! Result of a request to map a buffer.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Longest time until the result arrives, once the work before it is done.
const PATIENCE: Duration = Duration::from_secs(30);

type Outcome = Result<(), wgpu::BufferAsyncError>;

/// The result of a mapping. The thread that polls the device receives it. Another thread may see the work done just
/// before, so it has to wait for the result itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Answer(Arc<(Mutex<Option<Outcome>>, Condvar)>);

impl Answer {
    /// Stores the result.
    pub(super) fn store(&self, outcome: Outcome) {
        let (place, arrived) = &*self.0;
        *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
        arrived.notify_all();
    }

    /// Takes the result; returns `None` if it does not arrive in time.
    pub(super) fn take(&self) -> Option<Outcome> {
        let (place, arrived) = &*self.0;
        let place = place.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = arrived.wait_timeout_while(place, PATIENCE, |outcome| outcome.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).0.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_may_come_after_it_is_asked_for() {
        let answer = Answer::default();
        let sender = answer.clone();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            sender.store(Ok(()));
        });
        assert!(matches!(answer.take(), Some(Ok(()))));
        assert!(thread.join().is_ok());
    }
}
