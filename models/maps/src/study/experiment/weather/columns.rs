//! Lines of a CSV file by the names of its columns.

use imminent_study::laboratory::Fault;
use std::path::Path;

/// A CSV file whose first line names its columns.
pub(super) struct Columns<'a> {
    file: &'a Path,
    text: &'a str,
    /// Names in lower case.
    names: Vec<String>,
}

/// A line of values.
pub(super) struct Line<'a> {
    of: &'a Columns<'a>,
    /// Number of the line in the file, from 1.
    pub(super) at: usize,
    words: Vec<&'a str>,
}

/// Returns the words of a line, without quotation marks around them.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(',').map(|word| word.trim().trim_matches('"'))
}

impl<'a> Columns<'a> {
    /// Reads the names of the columns, which the first line has that is not empty.
    pub(super) fn new(file: &'a Path, text: &'a str) -> Result<Self, Fault> {
        let header = text.lines().find(|line| !line.trim().is_empty());
        let names = header.into_iter().flat_map(words).map(str::to_lowercase);
        let columns = Self { file, text, names: names.collect() };
        if header.is_none() { Err(columns.fault(1, "is empty: begin with a line of names")) } else { Ok(columns) }
    }

    /// Returns the place of a column, whose name may have other letters in upper case.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| *known == name.to_lowercase())
    }

    /// Returns the lines of values.
    pub(super) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let lines = self.text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).skip(1);
        lines.map(|(index, line)| Line { of: self, at: index + 1, words: words(line).collect() })
    }

    /// Returns the fault of a column that is not there.
    pub(super) fn missing(&self, problem: &str) -> Fault {
        self.fault(1, &format!("has no column {problem}"))
    }

    /// Returns a fault at a line.
    pub(super) fn fault(&self, line: usize, problem: &str) -> Fault {
        format!("{}:{line}: {problem}", self.file.display()).into()
    }
}

impl Line<'_> {
    /// Returns the word in a column, which may be empty.
    pub(super) fn word(&self, place: usize) -> &str {
        self.words.get(place).copied().unwrap_or_default()
    }

    /// Returns the number in a column.
    pub(super) fn number(&self, place: usize) -> Result<f64, Fault> {
        let word = self.word(place);
        word.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| {
            let name = self.of.names.get(place).map_or("", String::as_str);
            self.fault(&format!("`{word}` in column `{name}` is no number: write one, with a point for decimals"))
        })
    }

    /// Returns a fault at this line.
    pub(super) fn fault(&self, problem: &str) -> Fault {
        self.of.fault(self.at, problem)
    }
}
