//! What comes of asking for a buffer to be mapped.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How long an answer may take once the work before it is done.
const PATIENCE: Duration = Duration::from_secs(30);

type Outcome = Result<(), wgpu::BufferAsyncError>;

/// The answer. Whichever thread polls the device hears it, perhaps just after the thread that waits for it has seen the work done: so
/// that one waits for the answer itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Answer(Arc<(Mutex<Option<Outcome>>, Condvar)>);

impl Answer {
    /// Takes the answer in.
    pub(super) fn hear(&self, outcome: Outcome) {
        let (place, heard) = &*self.0;
        *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
        heard.notify_all();
    }

    /// The answer, once; `None` if there is none in time.
    pub(super) fn take(&self) -> Option<Outcome> {
        let (place, heard) = &*self.0;
        let place = place.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = heard.wait_timeout_while(place, PATIENCE, |outcome| outcome.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).0.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_may_come_after_it_is_asked_for() {
        let answer = Answer::default();
        let heard = answer.clone();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            heard.hear(Ok(()));
        });
        assert!(matches!(answer.take(), Some(Ok(()))));
        assert!(thread.join().is_ok());
    }
}
