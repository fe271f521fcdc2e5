//! Indented text with references to the Rust source.

/// From this line of the text on, it comes from that line of Rust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMapping {
    /// Line of the text, from 1.
    pub text_line: u32,
    /// The Rust file, as the compiler names it.
    pub file: String,
    /// The line in it, from 1.
    pub line: u32,
}

/// Writes lines of a text.
#[derive(Default)]
pub(crate) struct Writer {
    text: String,
    indent: usize,
    lines: u32,
    map: Vec<LineMapping>,
    /// `true` if `#line` directives are written.
    directives: bool,
    /// The file and line that the compiler takes the next line for, and whether it is in the Rust source.
    counted: Option<(String, u32)>,
    /// The Rust file and line of what is written.
    source: Option<(String, u32)>,
}

impl Writer {
    /// A writer that also writes `#line` directives where text comes from Rust.
    pub(crate) fn with_directives(directives: bool) -> Writer {
        Writer { directives, ..Writer::default() }
    }

    /// A writer of lines that [`append`](Writer::append) puts after these.
    pub(crate) fn inner(&self) -> Writer {
        Writer { indent: self.indent, source: self.source.clone(), ..Writer::with_directives(self.directives) }
    }

    /// One line, or an empty one.
    pub(crate) fn line(&mut self, text: &str) {
        if self.directives
            && !matches!(text, "" | "}")
            && let Some(source) = &self.source
            && self.counted.as_ref() != Some(source)
        {
            let directive = format!("#line {} \"{}\"", source.1, escaped(&source.0));
            self.counted = Some(source.clone());
            self.raw(&directive);
        }
        if !text.is_empty() {
            for _ in 0..self.indent {
                self.text.push_str("    ");
            }
        }
        self.raw(text);
        if let Some((_, line)) = &mut self.counted {
            *line = line.saturating_add(1);
        }
    }

    fn raw(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
        self.lines += 1;
    }

    /// A line that opens a block.
    pub(crate) fn open(&mut self, text: &str) {
        self.line(text);
        self.indent += 1;
    }

    /// A line that closes a block.
    pub(crate) fn close(&mut self, text: &str) {
        self.indent = self.indent.saturating_sub(1);
        self.line(text);
    }

    /// A line between two blocks, as `} else {`.
    pub(crate) fn between(&mut self, text: &str) {
        self.indent = self.indent.saturating_sub(1);
        self.open(text);
    }

    /// The next lines come from this line of Rust. Whether that is news.
    pub(crate) fn comes_from(&mut self, file: &str, line: u32) -> bool {
        if self.source.as_ref().is_some_and(|(f, l)| f == file && *l == line) {
            return false;
        }
        self.source = Some((file.to_owned(), line));
        // A directive will be written before the line itself.
        let before = u32::from(self.directives && self.counted != self.source);
        self.map.push(LineMapping { text_line: self.lines + 1 + before, file: file.to_owned(), line });
        true
    }

    /// Appends a comment, which is [`printable`], to the line written last.
    pub(crate) fn comment(&mut self, text: &str) {
        if self.text.ends_with('\n') {
            self.text.pop();
            self.text.push_str("  // ");
            self.text.push_str(text);
            self.text.push('\n');
        }
    }

    /// Text of several lines, indented as the writer is.
    pub(crate) fn lines(&mut self, text: &str) {
        for line in text.lines() {
            self.line(line);
        }
    }

    /// Appends what another writer wrote.
    pub(crate) fn append(&mut self, other: Writer) {
        let before = self.lines;
        self.map.extend(other.map.into_iter().map(|m| LineMapping { text_line: m.text_line + before, ..m }));
        self.text.push_str(&other.text);
        self.lines += other.lines;
    }

    /// Marks that what follows was not written in Rust. Its lines are counted from one.
    pub(crate) fn mark_generated(&mut self) {
        self.raw("#line 1 \"generated\"");
    }

    pub(crate) fn finish(self) -> (String, Vec<LineMapping>) {
        (self.text, self.map)
    }
}

/// Text that stays on the line of its comment: names of files may hold anything.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { '?' } else { c }).collect()
}

/// A file's name within the quotes of a `#line` directive, where a backslash would begin an escape.
fn escaped(file: &str) -> String {
    printable(file).replace('\\', "/").replace('"', "'")
}
