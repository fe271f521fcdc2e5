//! Benchmarks of models: costs of their engines that a run does not tell.

use super::key;
use super::laboratory::Fault;
use super::options::{Options, Read};
use imminent_core::{Device, Error};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::fmt;
use std::time::Duration;

/// Benchmark, with options as its type describes them.
pub struct Benchmark {
    /// Name, as in `lab bench NAME`.
    pub name: &'static str,
    /// Sentence.
    pub about: &'static str,
    options: Options,
    measure: Box<Measure>,
}

impl fmt::Debug for Benchmark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Benchmark").field("name", &self.name).finish_non_exhaustive()
    }
}

type Measure = dyn Fn(&Device, Duration, Read) -> Result<Measurements, Fault>;

/// Line of a table of measurements.
pub trait Line: Serialize {
    /// Names of the columns.
    const HEAD: &'static [&'static str];

    /// Returns the cells of the line.
    fn cells(&self) -> Vec<String>;
}

/// Measurements: a table for people, and an object for each of its lines for programs.
#[derive(Debug)]
pub struct Measurements {
    /// Names of the columns.
    pub head: &'static [&'static str],
    /// Cells of each line.
    pub lines: Vec<Vec<String>>,
    /// Object of each line.
    pub figures: Vec<Json>,
    /// Reason and object of each case that was not measured.
    pub left_out: Vec<(String, Json)>,
}

impl<L: Line> From<Vec<L>> for Measurements {
    fn from(lines: Vec<L>) -> Self {
        let figures = lines.iter().map(|line| serde_json::to_value(line).unwrap_or_default()).collect();
        Self { head: L::HEAD, lines: lines.iter().map(L::cells).collect(), figures, left_out: vec![] }
    }
}

impl Benchmark {
    /// Creates a benchmark. `measure` gets the device, the time for each line, and the options.
    #[must_use]
    pub fn new<O, L>(
        name: &'static str,
        about: &'static str,
        measure: fn(&Device, Duration, &O) -> Result<Vec<L>, Fault>,
    ) -> Self
    where
        O: JsonSchema + Serialize + DeserializeOwned + Default + 'static,
        L: Line + 'static,
    {
        let measure = move |device: &Device, budget: Duration, table: Read| {
            let options: O = key::parse(&table).map_err(|fault| Error::invalid(name, fault.to_string()))?;
            measure(device, budget, &options).map(Measurements::from)
        };
        Self { name, about, options: Options::of::<O>(), measure: Box::new(measure) }
    }

    /// Returns the options.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Measures with options that were [read](Options::read).
    ///
    /// # Errors
    /// [`Error::Invalid`] for options that do not go together, faults of measuring.
    pub fn measure(&self, device: &Device, budget: Duration, options: Read) -> Result<Measurements, Fault> {
        (self.measure)(device, budget, options)
    }
}
