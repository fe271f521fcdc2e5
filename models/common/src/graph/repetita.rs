//! REPETITA's `.graph` files: a table of nodes, and one of directed edges with weight, bandwidth and delay.
//!
//! A table begins with `NODES` or `EDGES`, its length, and a line of column names, and ends with an empty line. Edges
//! name their ends by the places of the nodes. Bandwidths are in kb/s, though the files do not say so: an OC-192 has
//! 9,953,280. Delays are bare numbers of a unit that differs from file to file.

use super::error::FileError;
use super::shape::{Assembly, Graph};
use super::source::Source;
use super::values::Value;
use std::borrow::Cow;

/// Returns `true` if a text begins with a table of nodes.
pub(super) fn begins(text: &str) -> bool {
    let mut words = text.trim_start_matches('\u{feff}').split_whitespace();
    words.next() == Some("NODES") && words.next().is_some_and(|count| count.parse::<u32>().is_ok())
}

/// Reads the graph of a text.
pub(super) fn graph(source: Source<'_>) -> Result<Graph<'_>, FileError> {
    let mut assembly = Assembly::new(source);
    let mut lines = Lines { source, at: 0 };
    let nodes = lines.table("NODES")?;
    let rows: Vec<_> = nodes.iter().map(|line| lines.row::<3>(line)).collect::<Result<_, _>>()?;
    // Files without places have zeros.
    let has_places = rows.iter().any(|[_, x, y]| [x, y].iter().any(|text| text.parse::<f64>() != Ok(0.0)));
    for (number, ([label, x, y], line)) in rows.into_iter().zip(&nodes).enumerate() {
        let mut values = vec![own("label", label, line.at)];
        if has_places {
            values.extend([own("Longitude", x, line.at), own("Latitude", y, line.at)]);
        }
        assembly.node(number.to_string().into(), line.at, values)?;
    }
    for line in lines.table("EDGES")? {
        let [_, from, to, weight, bandwidth, delay] = lines.row::<6>(&line)?;
        let in_kilobits =
            Value { text: Cow::Owned(format!("{bandwidth} kbps")), ..own("bandwidth", bandwidth, line.at) };
        let values = vec![in_kilobits, own("delay", delay, line.at), own("weight", weight, line.at)];
        assembly.edge([from, to], true, line.at, values)?;
    }
    assembly.build(0)
}

fn own<'t>(name: &'static str, text: &'t str, at: usize) -> Value<'t> {
    Value { name: Cow::Borrowed(name), text: Cow::Borrowed(text), at, own: true }
}

/// Line of a file that is not empty, and its place.
struct Line<'t> {
    text: &'t str,
    at: usize,
}

/// Rest of a file.
struct Lines<'t> {
    source: Source<'t>,
    at: usize,
}

impl<'t> Lines<'t> {
    /// Returns the next line, without the spaces around it.
    fn next(&mut self) -> Option<Line<'t>> {
        let rest = self.source.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let (text, at) = (rest.split('\n').next()?, self.at);
        self.at += text.len() + 1;
        Some(Line { text: text.trim_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}'), at })
    }

    /// Reads a table: its name with its length, column names, and rows.
    fn table(&mut self, name: &str) -> Result<Vec<Line<'t>>, FileError> {
        let problem = "a table is expected here: write `NODES` or `EDGES` and its length";
        let head = loop {
            match self.next() {
                Some(line) if line.text.is_empty() => {}
                Some(line) => break line,
                None => return Err(self.wrong(self.source.text.len(), problem)),
            }
        };
        let length = head.text.strip_prefix(name).and_then(|length| length.trim().parse::<usize>().ok());
        let length = length.ok_or_else(|| self.wrong(head.at, problem))?;
        self.next();
        let mut rows = vec![];
        while let Some(line) = self.next().filter(|line| !line.text.is_empty()) {
            rows.push(line);
        }
        if rows.len() == length {
            Ok(rows)
        } else {
            Err(self.wrong(head.at, "the table has another length than it says"))
        }
    }

    /// Returns the words of a row.
    fn row<const N: usize>(&self, line: &Line<'t>) -> Result<[&'t str; N], FileError> {
        let words: Vec<&str> = line.text.split_ascii_whitespace().collect();
        let problem = "a row has too few or too many words: a label has no spaces";
        words.try_into().map_err(|_| self.wrong(line.at, problem))
    }

    fn wrong(&self, at: usize, problem: &'static str) -> FileError {
        FileError::Repetita { file: self.source.file.to_owned(), line: self.source.line(at), problem }
    }
}
