//! Measurements of many settings in several places.

use super::out::draw;
use super::parts;
use super::target::Opened;
use imminent::models::sheet::{Of, Records, Sheet};
use imminent_console::progress::Bar;
use imminent_console::{Failure, interrupt, print::print_text};
use imminent_report::folder::{Folder, FolderError};
use imminent_report::plot::PlotError;
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

    /// Measures settings in places, one after the other, until all are done or the command is interrupted. A setting
    /// that cannot be measured in a place is left out, with its `name`; a [`Failure`] ends the command.
    pub(super) fn measure(
        (parts, places): (Vec<(P, Vec<S>)>, &[Opened]),
        wanted: Vec<(S, &Opened)>,
        name: impl Fn(&S) -> String,
        mut measure: impl FnMut(S, &Opened) -> Result<imminent::Result<F>, Failure>,
    ) -> Result<Self, Failure> {
        let all = wanted.len() as u64;
        let bar = Bar::new(all, "points");
        let (mut points, mut left_out, mut done) = (vec![], vec![], 0);
        interrupt::watch();
        for (setting, at) in wanted {
            if interrupt::requested() {
                break;
            }
            let (place, device) = (at.place.to_string(), at.device.clone());
            match measure(setting, at)? {
                Ok(found) => points.push(Point { place, device, setting, found }),
                Err(error) => left_out.push(format!("{} on {place}: {error}", name(&setting))),
            }
            done += 1;
            bar.done(done);
        }
        drop(bar);
        let places = places.iter().map(|place| place.place.to_string()).collect();
        Ok(Measured { parts, places, points, left_out, missing: parts::missing(done, all, "points")? })
    }

    /// Publishes results as [`publish_as`](Self::publish_as) does, in a table with these columns.
    pub(super) fn publish(
        self,
        folder: Option<&Folder>,
        columns: &[(&'static str, Of<Point<S, F>>)],
        page: impl Fn(&Self) -> Result<String, PlotError>,
        tables: impl Fn(&Self) -> String,
    ) -> Result<(), Failure> {
        let sheet = |measured: &Self, write: WriteSheet<'_>| {
            write(&Records { name: "figures", columns, rows: &measured.points })
        };
        self.publish_as(folder, sheet, page, tables)
    }

    /// Writes a line for each point and the page into a folder, if there is one, and prints the tables. `sheet` hands
    /// over the table with the lines. Fails if the command was interrupted.
    pub(super) fn publish_as(
        self,
        folder: Option<&Folder>,
        sheet: impl Fn(&Self, WriteSheet<'_>) -> Result<(), FolderError>,
        page: impl Fn(&Self) -> Result<String, PlotError>,
        tables: impl Fn(&Self) -> String,
    ) -> Result<(), Failure> {
        if let Some(folder) = folder {
            folder.replace(|folder| {
                sheet(&self, &|sheet| folder.csv(sheet))?;
                draw(folder, page(&self))
            })?;
        }
        print_text(&tables(&self))?;
        self.missing.map_or(Ok(()), |missing| Err(Failure::run(missing)))
    }
}

/// Function that writes a table.
pub(super) type WriteSheet<'w> = &'w dyn Fn(&dyn Sheet) -> Result<(), FolderError>;

/// Returns the settings of all figures, each with the places where it is to be measured, and each pair once.
pub(super) fn wanted<'p, P, S: Copy + PartialEq>(
    parts: &[(P, Vec<S>)],
    places: impl Fn(&S) -> Vec<&'p Opened>,
) -> Vec<(S, &'p Opened)> {
    let mut wanted: Vec<(S, &Opened)> = vec![];
    for setting in parts.iter().flat_map(|(_, settings)| settings) {
        for place in places(setting) {
            if !wanted.iter().any(|(other, at)| other == setting && at.place == place.place) {
                wanted.push((*setting, place));
            }
        }
    }
    wanted
}
