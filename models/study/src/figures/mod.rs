//! Figures of publications that models measure anew.
//!
//! A [`Publication`] names settings of its figures, measures a setting in a place, and shows results as tables and
//! plots. The program `lab` opens the places, prints the tables, and draws the plots.

mod measure;
mod results;
#[cfg(test)]
mod tests;

pub use measure::Shown;
pub use results::{Point, Results, lines};

use super::key;
use super::laboratory::Fault;
use super::options::{Options, Read};
use super::outcome::Content;
use imminent_core::Device;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;

/// Figures of a publication, with options `O`, settings `S` and results `R`.
///
/// In tables a row has the fields of a setting and those of its results. Results that are a list have a row for each
/// element.
#[expect(missing_debug_implementations, reason = "functions have no text")]
pub struct Publication<O, S, R> {
    /// Name, as in `lab figures NAME`.
    pub name: &'static str,
    /// Sentence for the help of the command.
    pub about: &'static str,
    /// Heading of the page.
    pub title: &'static str,
    /// Sentence below the heading.
    pub introduction: &'static str,
    /// Places where settings are measured unless the user names others.
    pub places: &'static [Usual],
    /// Each figure.
    pub figures: Vec<Figure<O, S, R>>,
    /// Returns a function that measures a setting in a place.
    pub measure: fn(O) -> Box<MeasureSetting<S, R>>,
}

/// Function that measures a setting in a place.
pub type MeasureSetting<S, R> = dyn FnMut(&S, &Place) -> Result<R, Fault>;

/// A figure, with options `O`, settings `S` and results `R`.
#[expect(missing_debug_implementations, reason = "functions have no text")]
pub struct Figure<O, S, R> {
    /// Name, as on the command line.
    pub name: &'static str,
    /// Name with what is shown.
    pub title: &'static str,
    /// Further places with which those of the user are compared.
    pub beside: &'static [Usual],
    /// Returns the settings. Those that figures share are measured once.
    pub settings: fn(&O) -> Vec<S>,
    /// Returns `true` if a setting is measured in a place, one of those of the command.
    pub is_for: fn(&S, &Place, &[Place]) -> bool,
    /// Returns tables and plots.
    pub contents: fn(&Results<'_, S, R>) -> Vec<Content>,
}

impl<O, S, R> Figure<O, S, R> {
    /// Creates a figure whose settings are measured in each place that the user names.
    #[must_use]
    pub fn new(
        name: &'static str,
        title: &'static str,
        settings: fn(&O) -> Vec<S>,
        contents: fn(&Results<'_, S, R>) -> Vec<Content>,
    ) -> Self {
        Self { name, title, beside: &[], settings, is_for: |_, _, _| true, contents }
    }
}

/// Places that a publication asks for, as far as a machine has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Usual {
    /// Host, without a device.
    Host,
    /// Processor of the host, with this many threads.
    Threads(u32),
    /// Processor of the host, with all its threads.
    AllThreads,
    /// Every device that is not the host's processor.
    Devices,
    /// Device that the program chooses.
    Chosen,
}

/// Place where settings are measured.
#[derive(Debug, Clone)]
pub struct Place {
    /// Name, as on the command line.
    pub name: String,
    /// Device; `None` for the host.
    pub device: Option<Device>,
    /// Number of threads, if the device is the host's processor.
    pub threads: Option<u32>,
    /// `true` if only figures with [such places](Figure::beside) are measured here.
    pub is_beside: bool,
}

impl Place {
    /// Returns `true` if the place is a device that is not the host's processor.
    #[must_use]
    pub const fn is_apart(&self) -> bool {
        self.device.is_some() && self.threads.is_none()
    }

    /// Returns the name of the device.
    #[must_use]
    pub fn device_name(&self) -> String {
        self.device.as_ref().map_or_else(|| "one after the other".to_owned(), |device| device.info().name.clone())
    }
}

/// Figures of a publication, for programs.
pub struct Figures {
    /// Name, as in `lab figures NAME`.
    pub name: &'static str,
    /// Sentence for the help of the command.
    pub about: &'static str,
    /// Heading of the page.
    pub title: &'static str,
    /// Sentence below the heading.
    pub introduction: &'static str,
    /// Places where settings are measured unless the user names others.
    pub places: &'static [Usual],
    /// Name, title and further places of each figure.
    pub parts: Vec<(&'static str, &'static str, &'static [Usual])>,
    options: Options,
    measure: Box<Measure>,
}

type Measure = dyn Fn(Read, &[usize], &[Place], GoOn<'_>) -> Result<Shown, Fault>;

/// Function that hears how many of all points are measured, and returns `false` to end the measurement.
pub type GoOn<'g> = &'g mut dyn FnMut(u64, u64) -> bool;

impl fmt::Debug for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Figures").field("name", &self.name).field("parts", &self.parts).finish_non_exhaustive()
    }
}

impl<O, S, R> From<Publication<O, S, R>> for Figures
where
    O: JsonSchema + Serialize + DeserializeOwned + Default + 'static,
    S: Serialize + Clone + PartialEq + 'static,
    R: Serialize + 'static,
{
    fn from(publication: Publication<O, S, R>) -> Self {
        let Publication { name, about, title, introduction, places, .. } = publication;
        let parts = publication.figures.iter().map(|figure| (figure.name, figure.title, figure.beside)).collect();
        let measure = move |table: Read, asked: &[usize], places: &[Place], go_on: GoOn<'_>| {
            Ok(publication.measured(key::parse(&table)?, asked, places, go_on))
        };
        Self {
            name,
            about,
            title,
            introduction,
            places,
            parts,
            options: Options::of::<O>(),
            measure: Box::new(measure),
        }
    }
}

impl Figures {
    /// Returns the options.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Measures figures, by their numbers, with options that were [read](Options::read), until all is measured or
    /// `go_on` ends it.
    ///
    /// # Errors
    /// A fault of the options.
    pub fn measure(&self, options: Read, asked: &[usize], places: &[Place], go_on: GoOn<'_>) -> Result<Shown, Fault> {
        (self.measure)(options, asked, places, go_on)
    }
}
