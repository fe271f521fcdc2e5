//! The text of a file.

/// A text, and the name of its file for errors.
#[derive(Debug, Clone, Copy)]
pub struct Source<'t> {
    /// Name of the file, for errors.
    pub file: &'t str,
    pub(super) text: &'t str,
}

impl<'t> Source<'t> {
    pub(super) fn new(file: &'t str, text: &'t str) -> Self {
        Self { file, text }
    }

    /// Returns the line of a byte, from 1 on.
    pub(super) fn line(self, at: usize) -> u32 {
        let before = self.text.as_bytes().get(..at).unwrap_or_default();
        1 + before.iter().filter(|byte| **byte == b'\n').count() as u32
    }
}
