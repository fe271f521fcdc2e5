//! Outcomes of experiments, for people, programs and files.

use imminent_common::answer::Answer;
use imminent_common::digits::or_dash;
use imminent_common::figure::{LinkMap, NodeMap, Plot, Point, Portion};
use imminent_common::sheet::{Kind, Of, Records, Sheet, Value, heading};
use serde_json::{Map, Value as Json};
use std::time::Duration;

/// Outcome of an experiment.
#[derive(Default)]
pub struct Outcome {
    /// Title of a report.
    pub title: String,
    /// Question, answer and how sure it is, if the model tells it: the first table of a report.
    pub answer: Option<Answer>,
    /// Names and values of what was simulated.
    pub facts: Vec<(String, String)>,
    /// Says which part has ended, if the experiment was interrupted.
    pub partial: Option<String>,
    /// Replications that failed, and files that could not be written, each with the reason; the other ones ended.
    pub failures: Vec<String>,
    /// Results for people, in the order of reading.
    pub sections: Vec<Section>,
    /// Remarks that readers of the results should know.
    pub notes: Vec<String>,
    /// Warnings that readers need before they trust the results.
    pub warnings: Vec<String>,
    /// Speed of the run, for people.
    pub speed: String,
    /// Wall times of the run, if the model measures them apart.
    pub phases: Option<Phases>,
    /// Digest of the results, which is equal wherever they are.
    pub digest: String,
    /// Measures with their values, one for each replication in order; empty unless the model
    /// [measures replications](super::experiment::Experiments::measures_replications).
    pub replications: Vec<(String, Vec<Option<f64>>)>,
    /// Tables for files.
    pub tables: Vec<Box<dyn Sheet>>,
    /// Other files of a folder of results.
    pub files: Vec<OutputFile>,
    /// Results for programs: the keys of the JSON object, in their order.
    pub values: Map<String, Json>,
}

/// Wall times of a run by its phases, over all replications. Preparation and opening of the device came before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Phases {
    /// Time of tables, and of compilation beyond the part that overlaps with other work.
    pub set_up: Duration,
    /// Time of the simulation alone.
    pub simulation: Duration,
    /// Time of reading results back, and of making statistics and digests from them.
    pub reading: Duration,
    /// Time of drawing pictures and of writing files, for a folder of results.
    pub files: Duration,
}

/// File of a folder of results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFile {
    /// Name, one of [`Experiments::files`](super::experiment::Experiments::files).
    pub name: String,
    /// Contents.
    pub bytes: Vec<u8>,
}

/// Part of the results, for people.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Heading. Sections that follow one another under equal headings stand together.
    pub heading: String,
    /// Content.
    pub content: Content,
}

/// Content of a section.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Content {
    /// Table, with a text for each column of each row.
    Table {
        /// Headings of the columns.
        columns: Vec<String>,
        /// Rows.
        rows: Vec<Vec<String>>,
    },
    /// First rows of a table, for terminals alone: a report has more of them in a [`Listing`].
    Excerpt {
        /// Headings of the columns.
        columns: Vec<String>,
        /// Rows.
        rows: Vec<Vec<String>>,
    },
    /// Names with counts.
    Counts(Vec<(String, u64)>),
    /// Drawing as SVG, for reports alone.
    Drawing(String),
    /// Picture as PNG, still or moving, which is one of the [files](Outcome::files); for reports alone.
    Picture {
        /// Name of the file. A report without the file leaves the picture out.
        file: String,
        /// Sentence below the picture.
        caption: String,
    },
    /// Values over a grid, which are written as a raster and drawn, where the program has maps.
    Grid(Grid),
    /// One of the [tables](Outcome::tables), by its name, for reports alone.
    Sheet(&'static str),
    /// Sentences.
    Text(String),
    /// Sentences for reports alone.
    Remark(String),
    /// Rows of which people read the first, and reports list more.
    Listing(Listing),
    /// Line with its intervals, for reports alone.
    Curve {
        /// Points from left to right.
        points: Vec<Point>,
        /// Labels of both axes.
        labels: [String; 2],
        /// Sentence below it.
        caption: String,
    },
    /// Several lines, for reports alone.
    Plot(Plot),
    /// Columns with names and heights, for reports alone.
    Columns {
        /// Name and height of each column.
        values: Vec<(String, f64)>,
        /// Label of the vertical axis.
        label: String,
        /// Sentence below them.
        caption: String,
    },
    /// Density of values, for reports alone.
    Density {
        /// Shares of the values, in ascending order.
        portions: Vec<Portion>,
        /// Unit of the values, in the singular.
        unit: String,
        /// Sentences below it; the share of the values beyond the axis follows.
        caption: String,
    },
    /// Map of nodes, for reports alone.
    Map {
        /// Nodes and their values.
        map: NodeMap,
        /// Name of the values.
        name: String,
    },
    /// Map of links, for reports alone.
    LinkMap(LinkMap),
}

/// Rows of values, for people.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Listing {
    /// Name and type of each column, and whether a terminal shows it.
    pub columns: Vec<(String, Kind, bool)>,
    /// Rows, the most important first.
    pub rows: Vec<Vec<Value>>,
    /// Number of rows that there are, of which these are the first.
    pub all: usize,
    /// Number of rows that a terminal shows.
    pub printed: usize,
    /// Heading of the first column in a terminal.
    pub head: String,
}

/// Largest number of rows that a report lists of a table.
const MAX_LISTED: usize = 2_000;

impl Listing {
    /// Returns the listing as a table of a name, for files.
    #[must_use]
    pub fn named(self, name: &'static str) -> Box<dyn Sheet> {
        Box::new(NamedListing { name, listing: self })
    }

    /// Creates the listing of the first rows of a table, as many as a report has, for reports alone.
    #[must_use]
    pub fn of_report(sheet: &dyn Sheet) -> Self {
        let (columns, all) = (sheet.columns(), sheet.rows());
        let row = |row: usize| (0..columns.len()).map(|column| sheet.value(row, column)).collect();
        let rows = (0..all.min(MAX_LISTED)).map(row).collect();
        let columns = columns.into_iter().map(|(name, kind)| (name, kind, false)).collect();
        Self { columns, rows, all, ..Self::default() }
    }

    /// Returns the headings of the columns that a terminal shows, and the texts of the rows. Whole numbers are written
    /// by `count`.
    #[must_use]
    pub fn shown(&self, count: impl Fn(u64) -> String) -> (Vec<String>, Vec<Vec<String>>) {
        let is_shown = |place: &usize| self.columns.get(*place).is_some_and(|(.., is_printed)| *is_printed);
        let places: Vec<usize> = (0..self.columns.len()).filter(is_shown).collect();
        let name = |place: &usize| self.columns.get(*place).map_or_else(String::new, |(name, ..)| heading(name));
        let headings = [self.head.clone()].into_iter().chain(places.iter().skip(1).map(name)).collect();
        let cell = |row: &[Value], place: usize| match row.get(place) {
            Some(Value::Count(number)) => count(*number),
            Some(Value::Number(number)) => or_dash(*number),
            Some(Value::Text(text)) => text.clone(),
            None => String::new(),
        };
        let row = |row: &Vec<Value>| places.iter().map(|place| cell(row, *place)).collect();
        (headings, self.rows.iter().take(self.printed).map(row).collect())
    }
}

/// Listing as a table for files.
struct NamedListing {
    name: &'static str,
    listing: Listing,
}

impl Sheet for NamedListing {
    fn name(&self) -> &'static str {
        self.name
    }

    fn columns(&self) -> Vec<(String, Kind)> {
        self.listing.columns()
    }

    fn rows(&self) -> usize {
        self.listing.rows()
    }

    fn value(&self, row: usize, column: usize) -> Value {
        self.listing.value(row, column)
    }
}

impl Sheet for Listing {
    fn name(&self) -> &'static str {
        "listing"
    }

    fn columns(&self) -> Vec<(String, Kind)> {
        self.columns.iter().map(|(name, kind, _)| (name.clone(), *kind)).collect()
    }

    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn value(&self, row: usize, column: usize) -> Value {
        self.rows.get(row).and_then(|row| row.get(column)).cloned().unwrap_or(Value::Number(None))
    }
}

impl Section {
    /// Creates a table.
    #[must_use]
    pub fn table<const N: usize>(heading: &str, columns: [&str; N], rows: Vec<[String; N]>) -> Self {
        let (columns, rows) = texts(columns, rows);
        Self::new(heading, Content::Table { columns, rows })
    }

    /// Creates an excerpt of a table.
    #[must_use]
    pub fn excerpt<const N: usize>(heading: &str, columns: [&str; N], rows: Vec<[String; N]>) -> Self {
        let (columns, rows) = texts(columns, rows);
        Self::new(heading, Content::Excerpt { columns, rows })
    }

    /// Creates a section.
    #[must_use]
    pub fn new(heading: &str, content: Content) -> Self {
        Self { heading: heading.to_owned(), content }
    }
}

/// Converts headings and rows of a table.
fn texts<const N: usize>(columns: [&str; N], rows: Vec<[String; N]>) -> (Vec<String>, Vec<Vec<String>>) {
    (columns.map(str::to_owned).to_vec(), rows.into_iter().map(|row| row.to_vec()).collect())
}

/// Values over a grid of square cells without a place in the world, row by row from the north.
///
/// A folder of results has them as the ESRI ASCII grid `NAME.asc` and the picture `NAME.png`.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    /// Name of the files, without their endings.
    pub name: &'static str,
    /// Number of rows.
    pub rows: u32,
    /// Number of columns.
    pub columns: u32,
    /// Side of a cell, in metres.
    pub side: f64,
    /// Values of the cells; NaN where there is none.
    pub values: Vec<f64>,
    /// Content of the picture.
    pub view: GridView,
    /// Sentence below the picture in a report.
    pub caption: String,
}

/// Content of the picture of a grid.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum GridView {
    /// Hours until something came, with lines of equal time. `NAME.apng` and `isochrones.geojson` belong to it.
    Arrival {
        /// Cells from which it came, as row and column.
        sources: Vec<(u32, u32)>,
    },
    /// Quantity, in colours from 0 to the greatest value.
    Quantity {
        /// Name in the legend.
        label: &'static str,
        /// Values up to this one have no colour.
        ground: f64,
        /// `true` for the colours of water, and not those of heat.
        is_water: bool,
    },
}

/// Table with a row for each of the records that it owns.
pub struct Rows<T: 'static> {
    /// Name of the table and of its files.
    pub name: &'static str,
    /// Name and accessor of each column.
    pub columns: &'static [(&'static str, Of<T>)],
    /// Records, in the order of rows.
    pub rows: Vec<T>,
}

impl<T> Rows<T> {
    fn records(&self) -> Records<'_, T> {
        Records { name: self.name, columns: self.columns, rows: &self.rows }
    }
}

impl<T> Sheet for Rows<T> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn columns(&self) -> Vec<(String, Kind)> {
        self.records().columns()
    }

    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn value(&self, row: usize, column: usize) -> Value {
        self.records().value(row, column)
    }
}
