//! Measurements of many settings in several places.

use imminent_cli::folder::{Draft, FolderError};
use imminent_cli::sheet::{Of, Records};
use std::fmt::Write;

/// Measurement of a setting in a place.
#[derive(Debug, Clone)]
pub(super) struct Point<S, F> {
    /// Name of the place, as in the option.
    pub(super) place: String,
    pub(super) device: String,
    pub(super) setting: S,
    pub(super) found: F,
}

/// All measurements of a command.
#[derive(Debug)]
pub(super) struct Measured<P, S, F> {
    /// Settings of each figure.
    pub(super) parts: Vec<(P, Vec<S>)>,
    /// Names of the places; others are compared with the first.
    pub(super) places: Vec<String>,
    pub(super) points: Vec<Point<S, F>>,
    /// Settings that could not be measured, with reasons.
    pub(super) left_out: Vec<String>,
    /// Description of the part that an interrupted command did not measure.
    pub(super) missing: Option<String>,
}

impl<P: Copy, S: Copy + PartialEq, F> Measured<P, S, F> {
    /// Returns the measurement of a setting in one place.
    pub(super) fn of(&self, place: &str, setting: S) -> Option<&Point<S, F>> {
        self.points.iter().find(|point| point.place == place && point.setting == setting)
    }

    /// Returns the measurement of the same setting in the first place.
    pub(super) fn in_first(&self, point: &Point<S, F>) -> Option<&Point<S, F>> {
        self.of(self.places.first()?, point.setting)
    }

    /// Returns a table for each figure, under its title.
    pub(super) fn markdown(&self, title: impl Fn(P) -> &'static str, table: impl Fn(P, &[S]) -> String) -> String {
        let mut text = String::new();
        for (part, settings) in &self.parts {
            let _ = writeln!(text, "{}\n\n{}", title(*part), table(*part, settings));
        }
        for left_out in &self.left_out {
            let _ = writeln!(text, "left out: {left_out}");
        }
        if let Some(missing) = &self.missing {
            let _ = writeln!(text, "partial: {missing}");
        }
        text
    }

    /// Returns a table with a line for each setting and a column for each place.
    pub(super) fn table(
        &self,
        names: &[&str],
        settings: &[S],
        describe: impl Fn(&S) -> Vec<String>,
        describe_point: impl Fn(&Point<S, F>) -> String,
    ) -> String {
        let mut text = format!(
            "| {} | {} |\n|{}\n",
            names.join(" | "),
            self.places.join(" | "),
            " --- |".repeat(self.places.len() + names.len())
        );
        for setting in settings {
            let cell = |place: &String| self.of(place, *setting).map_or_else(|| "–".to_owned(), &describe_point);
            let cells: Vec<_> = self.places.iter().map(cell).collect();
            let _ = writeln!(text, "| {} | {} |", describe(setting).join(" | "), cells.join(" | "));
        }
        text
    }

    /// Writes a line for each point into `figures.csv`.
    pub(super) fn save(&self, folder: &Draft, columns: &[(&'static str, Of<Point<S, F>>)]) -> Result<(), FolderError> {
        folder.csv(&Records { name: "figures", columns, rows: &self.points })
    }
}
