//! Primitives over columns, at many sizes.

mod column;
mod reductions;
mod rows;
mod runner;
mod size;

use super::timing::Timing;
use clap::Args;
use imminent::models::study::benchmark::{Line, Measurements};
use imminent::{Device, Error, Result};
use imminent_console::progress::Bar;
use runner::{Runner, Subject};
use serde::Serialize;
use std::collections::BTreeSet;
use std::time::Duration;

/// Primitives to measure, and their numbers of rows.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// Numbers of rows, as numbers or powers of two: 1000,2^20. The default is the even powers from 2^10 to 2^28.
    #[arg(long, value_delimiter = ',', value_name = "ROWS", value_parser = size::parse)]
    sizes: Vec<u32>,
    /// Only primitives whose name or type contains one of these: sum, `select 1 %`, u64.
    #[arg(long, value_delimiter = ',', value_name = "TEXT")]
    only: Vec<String>,
}

/// Cost of one primitive at one size.
#[derive(Debug, Serialize)]
pub(super) struct Cost {
    what: &'static str,
    scalar: &'static str,
    rows: u32,
    /// Time of a call, with reading a part of its result on the host.
    single: Timing,
    /// Time per call of many that were queued before the host waited.
    queued: Timing,
    /// Number of bytes that the primitive must read and write.
    bytes: u64,
    /// Bytes per second, by the median of the queued calls.
    bytes_per_s: f64,
    /// Rate of bytes relative to that of a copy of the column on the device, reads and writes included.
    share_of_copy: f64,
}

/// A primitive that was not measured at a size.
#[derive(Debug, Serialize)]
pub(super) struct LeftOut {
    what: &'static str,
    scalar: &'static str,
    rows: u32,
    reason: String,
}

impl Line for Cost {
    const HEAD: &'static [&'static str] = &[
        "what",
        "of",
        "rows",
        "us, one call with read-back",
        "us, queued",
        "half of the runs",
        "GB/s",
        "share of a copy",
    ];

    fn cells(&self) -> Vec<String> {
        vec![
            self.what.to_owned(),
            self.scalar.to_owned(),
            size::show(self.rows),
            self.single.median(),
            self.queued.median(),
            self.queued.spread(),
            format!("{:.2}", self.bytes_per_s / 1e9),
            format!("{:.3}", self.share_of_copy),
        ]
    }
}

impl std::fmt::Display for LeftOut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}, {} rows: {}", self.what, self.scalar, size::show(self.rows), self.reason)
    }
}

/// Longest time of a call for which larger sizes of a primitive are measured.
const PATIENCE: Duration = Duration::from_secs(1);

/// Measures every requested primitive at every size, the smallest first.
pub(super) fn measure(device: &Device, budget: Duration, options: &Options) -> Result<Measurements> {
    let runner = Runner { device, budget };
    let sizes: BTreeSet<u32> = match options.sizes.as_slice() {
        [] => (10..=28).step_by(2).map(|power| 1 << power).collect(),
        sizes => sizes.iter().copied().collect(),
    };
    let wanted = |subject: &Subject| {
        options.only.is_empty()
            || options
                .only
                .iter()
                .any(|text| subject.what.contains(text.as_str()) || subject.scalar.name().contains(text))
    };
    let mut subjects: Vec<(Subject, Option<String>)> =
        reductions::all().chain(rows::all()).filter(wanted).map(|subject| (subject, None)).collect();
    if subjects.is_empty() {
        return Err(Error::invalid("--only", "no primitive has such a name or type"));
    }
    let bar = Bar::new((subjects.len() * sizes.len()) as u64, "figures");
    let (mut figures, mut left_out) = (Vec::new(), Vec::new());
    let mut done = 0;
    for rows in sizes {
        for (subject, end) in &mut subjects {
            let (what, scalar) = (subject.what, subject.scalar.name());
            bar.done(done);
            bar.say(format!("{what} of {scalar}, {} rows", size::show(rows)));
            done += 1;
            if let Some(reason) = end {
                left_out.push(LeftOut { what, scalar, rows, reason: reason.clone() });
                continue;
            }
            match (subject.measure)(&runner, rows) {
                Ok([single, queued, copied]) => {
                    let bytes = (subject.bytes)(u64::from(rows));
                    let bytes_per_s = bytes as f64 / queued.median_s;
                    let copy = 2.0 * f64::from(rows) * f64::from(subject.scalar.words()) * 4.0 / copied.median_s;
                    if queued.median_s > PATIENCE.as_secs_f64() {
                        *end = Some(format!("a call of {} rows took {:.1} s", size::show(rows), queued.median_s));
                    }
                    let share_of_copy = bytes_per_s / copy;
                    figures.push(Cost { what, scalar, rows, single, queued, bytes, bytes_per_s, share_of_copy });
                }
                // A primitive that the device lacks, or has no memory for, does not stop the others.
                Err(error @ (Error::OutOfMemory { .. } | Error::Limit { .. } | Error::Determinism { .. })) => {
                    left_out.push(LeftOut { what, scalar, rows, reason: error.to_string() });
                    *end = Some(error.to_string());
                }
                Err(error) => return Err(error),
            }
        }
    }
    let told = |left: &LeftOut| (left.to_string(), serde_json::to_value(left).unwrap_or_default());
    Ok(Measurements { left_out: left_out.iter().map(told).collect(), ..Measurements::from(figures) })
}
