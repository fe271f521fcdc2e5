//! Waits of a thread, which ask wgpu for the device's progress.

pub(crate) use pollster::block_on;

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Longest wait for an answer, should wgpu never report it. Outcomes are reported soon after their work is done.
const PATIENCE: Duration = Duration::from_secs(30);

/// Longest single wait for a submission.
const LONGEST_POLL: Duration = Duration::from_secs(2);

/// Answer of wgpu to a request, such as one to map a buffer. Any thread that polls the device may deliver it.
#[derive(Debug)]
pub(crate) struct Answer<T>(Arc<(Mutex<Option<T>>, Condvar)>);

impl<T> Default for Answer<T> {
    fn default() -> Self {
        Answer(Arc::default())
    }
}

impl<T> Clone for Answer<T> {
    fn clone(&self) -> Self {
        Answer(self.0.clone())
    }
}

impl<T> Answer<T> {
    /// Stores the answer.
    pub(crate) fn store(&self, answer: T) {
        let (place, arrived) = &*self.0;
        *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
        arrived.notify_all();
    }

    /// Returns the answer once it has come. Another thread may poll the device and deliver it a moment after the
    /// waiting thread saw that the submission was done.
    pub(crate) fn take(&self) -> Option<T> {
        let (place, arrived) = &*self.0;
        let place = place.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = arrived.wait_timeout_while(place, PATIENCE, |answer| answer.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).0.take()
    }
}

/// Waits for a submission, but no longer than two seconds at once.
pub(crate) fn until_done(
    device: &wgpu::Device,
    _queue: &wgpu::Queue,
    submission: &wgpu::SubmissionIndex,
) -> Result<wgpu::PollStatus, wgpu::PollError> {
    device.poll(wgpu::PollType::Wait { submission_index: Some(submission.clone()), timeout: Some(LONGEST_POLL) })
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
            sender.store(5);
        });
        assert_eq!(answer.take(), Some(5));
        assert!(thread.join().is_ok());
    }
}
