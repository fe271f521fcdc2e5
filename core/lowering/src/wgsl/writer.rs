//! Indented text with references to the Rust source.

use super::LineMapping;

/// Writes lines of WGSL.
#[derive(Default)]
pub(super) struct Writer {
    text: String,
    indent: usize,
    lines: u32,
    map: Vec<LineMapping>,
}

impl Writer {
    /// One line, or an empty one.
    pub(super) fn line(&mut self, text: &str) {
        if !text.is_empty() {
            for _ in 0..self.indent {
                self.text.push_str("    ");
            }
            self.text.push_str(text);
        }
        self.text.push('\n');
        self.lines += 1;
    }

    /// A line that opens a block.
    pub(super) fn open(&mut self, text: &str) {
        self.line(text);
        self.indent += 1;
    }

    /// A line that closes a block.
    pub(super) fn close(&mut self, text: &str) {
        self.indent = self.indent.saturating_sub(1);
        self.line(text);
    }

    /// A line between two blocks, as `} else {`.
    pub(super) fn between(&mut self, text: &str) {
        self.indent = self.indent.saturating_sub(1);
        self.open(text);
    }

    /// The next line comes from this line of Rust. Whether that is news.
    pub(super) fn comes_from(&mut self, file: &str, line: u32) -> bool {
        if self.map.last().is_some_and(|last| last.file == file && last.line == line) {
            return false;
        }
        self.map.push(LineMapping { wgsl_line: self.lines + 1, file: file.to_owned(), line });
        true
    }

    /// Appends a comment to the line written last.
    pub(super) fn comment(&mut self, text: &str) {
        if self.text.ends_with('\n') {
            self.text.pop();
            self.text.push_str("  // ");
            self.text.push_str(&printable(text));
            self.text.push('\n');
        }
    }

    /// Text of several lines, indented as the writer is.
    pub(super) fn lines(&mut self, text: &str) {
        for line in text.lines() {
            self.line(line);
        }
    }

    /// Appends what another writer wrote.
    pub(super) fn append(&mut self, other: Writer) {
        let before = self.lines;
        self.map.extend(other.map.into_iter().map(|m| LineMapping { wgsl_line: m.wgsl_line + before, ..m }));
        self.text.push_str(&other.text);
        self.lines += other.lines;
    }

    pub(super) fn finish(self) -> (String, Vec<LineMapping>) {
        (self.text, self.map)
    }
}

/// Text that stays on the line of its comment: names of files may hold anything.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { '?' } else { c }).collect()
}
