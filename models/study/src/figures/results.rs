//! Results of the settings of a figure.

use crate::outcome::Content;
use imminent_common::figure::{self, Line};

/// Results of a setting in a place.
#[derive(Debug, Clone)]
pub struct Point<S, R> {
    /// Name of the place.
    pub place: String,
    /// Number of threads, if the place is the host's processor.
    pub threads: Option<u32>,
    /// Setting.
    pub setting: S,
    /// Results.
    pub found: R,
}

/// Results of the settings of a figure.
#[derive(Debug)]
pub struct Results<'r, S, R> {
    /// Settings of the figure, in order.
    pub settings: &'r [S],
    /// Names of the places of the command; others are compared with the first.
    pub places: &'r [String],
    /// Results of all figures, in all places.
    pub points: &'r [Point<S, R>],
}

impl<'r, S: PartialEq, R> Results<'r, S, R> {
    /// Returns the name of the first place.
    #[must_use]
    pub fn first(&self) -> &'r str {
        self.places.first().map_or("", String::as_str)
    }

    /// Returns the results of a setting in a place.
    #[must_use]
    pub fn of(&self, place: &str, setting: &S) -> Option<&'r Point<S, R>> {
        self.points.iter().find(|point| point.place == place && point.setting == *setting)
    }

    /// Returns the results of the figure's settings in a place.
    pub fn at(&self, place: &str) -> impl Iterator<Item = &'r Point<S, R>> {
        self.settings.iter().filter_map(move |setting| self.of(place, setting))
    }

    /// Returns a table with a row for each of some settings, and a column for each place.
    pub fn table<'s>(
        &self,
        columns: &[&str],
        settings: impl IntoIterator<Item = &'s S>,
        describe: impl Fn(&S) -> Vec<String>,
        cell: impl Fn(&Point<S, R>) -> String,
    ) -> Content
    where
        S: 's,
    {
        let row = |setting: &S| {
            let cell = |place: &String| self.of(place, setting).map_or_else(|| "–".to_owned(), &cell);
            describe(setting).into_iter().chain(self.places.iter().map(cell)).collect()
        };
        let columns = columns.iter().map(|name| (*name).to_owned()).chain(self.places.iter().cloned()).collect();
        Content::Table { columns, rows: settings.into_iter().map(row).collect() }
    }
}

/// Returns a line for each name that results have, through the points at which they are.
pub fn lines<'p, S: 'p, R: 'p>(
    results: impl IntoIterator<Item = &'p Point<S, R>>,
    at: impl Fn(&Point<S, R>) -> Option<figure::Point>,
    name: impl Fn(&Point<S, R>) -> String,
) -> Vec<Line> {
    let mut lines: Vec<Line> = vec![];
    for result in results {
        let Some(point) = at(result) else { continue };
        let name = name(result);
        match lines.iter_mut().find(|line| line.name == name) {
            Some(line) => line.points.push(point),
            None => lines.push(Line { points: vec![point], ..Line::new(name, []) }),
        }
    }
    lines.iter_mut().for_each(|line| line.points.sort_by(|a, b| a.x.total_cmp(&b.x)));
    lines
}
