//! Figures of publications that models measure anew.

use super::key;
use super::laboratory::Fault;
use super::options::{Options, Read};
use imminent_core::{Device, Result};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};
use std::fmt;

/// Figures of a publication: settings that are measured in several places, and how the results are shown.
pub struct Figures {
    /// Names and texts.
    pub publication: Publication,
    options: Options,
    settings: Box<Settings>,
}

/// Names and texts of the figures of a publication.
#[derive(Debug, Clone, Copy)]
pub struct Publication {
    /// Name, as in `lab figures NAME`.
    pub name: &'static str,
    /// Sentence for the help of the command.
    pub about: &'static str,
    /// Heading of the page.
    pub title: &'static str,
    /// Sentence below the heading.
    pub introduction: &'static str,
    /// Names of the settings' columns in tables.
    pub columns: &'static [&'static str],
    /// Each figure.
    pub parts: &'static [Figure],
}

impl fmt::Debug for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Figures").field("publication", &self.publication).finish_non_exhaustive()
    }
}

type Settings = dyn Fn(Read) -> std::result::Result<Vec<Setting>, Fault>;

/// Names and values, in the order of their columns.
pub type Values = Map<String, Json>;

/// Simulation that is measured in each place.
pub struct Setting {
    /// Parameters.
    pub values: Values,
    /// Parameters for people, one for each of the [`columns`](Publication::columns).
    pub cells: Vec<String>,
    /// Name of the line on which its results are in plots.
    pub line: String,
    /// Number of the setting with which its speed is compared, if it is.
    pub beside: Option<usize>,
    /// Measures results on a device, or on one thread of the host.
    pub measure: Box<MeasureSetting>,
}

/// Function that measures a setting.
pub type MeasureSetting = dyn Fn(Option<&Device>) -> Result<Values>;

/// A figure.
#[derive(Debug)]
pub struct Figure {
    /// Name, as on the command line.
    pub name: &'static str,
    /// Name with what is shown.
    pub title: &'static str,
    /// Content of a table's cell.
    pub cell: Cell,
    /// Plots.
    pub plots: &'static [Plot],
}

/// Content of a table's cell, for a setting in a place.
#[derive(Debug, Clone, Copy)]
pub enum Cell {
    /// Means of these results, in units that are so many of the measured one, with the half-widths of their intervals,
    /// which have the suffix `_ci95`.
    Estimates(&'static [(&'static str, f64)]),
    /// Speed beside the first place, and the wall time, which is the result `seconds`.
    Speed,
}

/// Plot of a figure: a line for each [`line`](Setting::line) of the settings in the first place, or for each of the
/// other places.
#[derive(Debug, Clone, Copy)]
pub struct Plot {
    /// Parameter of the horizontal axis.
    pub x: &'static str,
    /// Shown quantity.
    pub y: Quantity,
    /// Labels of the axes.
    pub labels: [&'static str; 2],
    /// `true` for logarithmic axes.
    pub is_logarithmic: bool,
    /// Sentence below the plot.
    pub caption: &'static str,
}

/// Quantity of a plot.
#[derive(Debug, Clone, Copy)]
pub enum Quantity {
    /// Result in the first place, in a unit that is so many of the measured one. All places agree.
    Result(&'static str, f64),
    /// Speed of the settings that a function chooses, in the other places beside the first.
    Speed(fn(&Values) -> bool),
}

impl Figures {
    /// Creates figures. `settings` returns what is measured with given options.
    #[must_use]
    pub fn new<O>(publication: Publication, settings: fn(&O) -> Vec<Setting>) -> Self
    where
        O: JsonSchema + Serialize + DeserializeOwned + Default + 'static,
    {
        let settings = move |table| Ok(settings(&key::parse(table)?));
        Self { publication, options: Options::of::<O>(), settings: Box::new(settings) }
    }

    /// Returns the options.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the settings to be measured with options that were [read](Options::read).
    ///
    /// # Errors
    /// A fault of the options.
    pub fn settings(&self, options: Read) -> std::result::Result<Vec<Setting>, Fault> {
        (self.settings)(options)
    }
}
