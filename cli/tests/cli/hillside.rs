//! A landscape of small files, and fires on it.

use super::{json, refused};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A hillside of 24 rows and 30 columns of 30 m with grass, a river in column 20 and a ford at row 12.
pub(super) struct Hillside {
    pub(super) folder: tempfile::TempDir,
}

pub(super) const HEADER: &str =
    "ncols 30\nnrows 24\nxllcorner 500000\nyllcorner 4400000\ncellsize 30\nNODATA_value -9999\n";

pub(super) fn grid(header: &str, value: impl Fn(u32, u32) -> i32) -> String {
    let row = |row| (0..30).map(|column| value(row, column).to_string()).collect::<Vec<_>>().join(" ") + "\n";
    header.to_owned() + &(0..24).map(row).collect::<String>()
}

impl Hillside {
    pub(super) fn new() -> Self {
        let side = Self { folder: tempfile::tempdir().unwrap() };
        side.put("elevation.asc", &grid(HEADER, |row, column| 100 + 4 * column as i32 + (row / 3) as i32));
        side.put("fuel.asc", &grid(HEADER, |row, column| if column == 20 && row != 12 { 98 } else { 1 }));
        for (name, value) in [("cover", 40), ("height", 150), ("base", 20), ("density", 12)] {
            side.put(&format!("{name}.asc"), &grid(HEADER, |_, _| value));
        }
        side
    }

    pub(super) fn put(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn name(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// Arguments of a run on it.
    pub(super) fn run(&self, more: &[&str]) -> Vec<String> {
        let fixed = ["run", "wildfire", "--json", "--elevation", &self.name("elevation.asc")];
        let fuel = ["--fuel".to_owned(), self.name("fuel.asc")];
        fixed.iter().chain(more).map(|word| (*word).to_owned()).chain(fuel).collect()
    }

    /// Arguments of a fire on it.
    pub(super) fn fire(&self, more: &[&str]) -> Vec<String> {
        self.run(&[&["--horizon", "6", "--backend", "cpu"], more].concat())
    }
}

pub(super) fn run(arguments: &[String]) -> Value {
    json(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Checks that a fire is refused with these words, and that the folder of results is not there.
pub(super) fn no_fire(side: &Hillside, more: &[&str], words: &[&str]) {
    let out = side.name("out");
    let arguments = side.fire(&[more, &["--out", &out]].concat());
    refused(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), words);
    assert!(!Path::new(&out).exists(), "{more:?}");
}

/// Numbers of a column of a table without texts that hold commas.
pub(super) fn column(path: &Path, name: &str) -> Vec<f64> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let place = lines.next().unwrap().iter().position(|word| *word == name).unwrap();
    lines.map(|words| words[place].parse().unwrap()).collect()
}
