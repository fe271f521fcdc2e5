//! Errors that the device reports through callbacks: its loss, and errors outside every error scope.

use std::sync::{Mutex, PoisonError};

/// Store for the errors that the device's callbacks receive.
#[derive(Debug, Default)]
pub(crate) struct Sink {
    reported: Mutex<Reported>,
}

#[derive(Debug, Default)]
struct Reported {
    lost: Option<String>,
    stray: Option<String>,
}

impl Sink {
    fn with<T>(&self, f: impl FnOnce(&mut Reported) -> T) -> T {
        f(&mut self.reported.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes the loss of the device and its reason. The first reason is kept.
    pub(crate) fn note_loss(&self, reason: String) {
        self.with(|reported| reported.lost.get_or_insert(reason).len());
    }

    /// Notes an error outside every scope. The first one is kept.
    pub(crate) fn note_stray(&self, message: String) {
        self.with(|reported| reported.stray.get_or_insert(message).len());
    }

    /// Returns the reason for the loss of the device, if it is lost.
    pub(crate) fn lost(&self) -> Option<String> {
        self.with(|reported| reported.lost.clone())
    }

    /// Takes the error outside every scope.
    pub(crate) fn take_stray(&self) -> Option<String> {
        self.with(|reported| reported.stray.take())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_each_is_kept_and_a_stray_error_is_told_once() {
        let sink = Sink::default();
        sink.note_stray("first".to_owned());
        sink.note_stray("second".to_owned());
        assert_eq!(sink.take_stray().as_deref(), Some("first"));
        assert_eq!(sink.take_stray(), None);
        sink.note_loss("fire".to_owned());
        sink.note_loss("flood".to_owned());
        assert_eq!(sink.lost().as_deref(), Some("fire"));
        assert_eq!(sink.lost().as_deref(), Some("fire"));
    }
}
