//! Figures as tables: CSV for programs, Markdown for documents.

use super::part::Part;
use super::setting::{Found, Setting};
use crate::figures::measured;
use imminent::models::estimate::Estimate;
use imminent::models::sheet::Of;

pub(super) type Point = measured::Point<Setting, Found>;
pub(super) type Measured = measured::Measured<Part, Setting, Found>;

/// Columns of the CSV table, with a line for each point; times are in seconds.
pub(super) const COLUMNS: [(&str, Of<Point>); 14] = [
    ("on", Of::Text(|point| point.place.clone())),
    ("device", Of::Text(|point| point.device.clone())),
    ("nodes", Of::Count(|point| u64::from(point.setting.nodes))),
    ("field", Of::Text(|point| point.setting.field().to_owned())),
    ("interval_ms", Of::Number(|point| Some(point.setting.interval_ms))),
    ("delay", Of::Number(|point| point.found.delay.mean)),
    ("delay_ci95", Of::Number(|point| point.found.delay.ci95)),
    ("hops", Of::Number(|point| point.found.hops.mean)),
    ("hops_ci95", Of::Number(|point| point.found.hops.ci95)),
    ("delivered", Of::Number(|point| point.found.delivered.mean)),
    ("delivered_ci95", Of::Number(|point| point.found.delivered.ci95)),
    ("transmissions", Of::Count(|point| point.found.transmissions)),
    ("seconds", Of::Number(|point| Some(point.found.seconds))),
    ("digest", Of::Text(|point| point.found.digest.clone())),
];

/// Returns a table for each figure with a column for each place.
pub(super) fn markdown(measured: &Measured) -> String {
    let describe = |setting: &Setting| {
        vec![setting.nodes.to_string(), setting.field().to_owned(), format!("{} ms", setting.interval_ms)]
    };
    measured.markdown(Part::title, |part, settings| {
        measured.table(&["nodes", "field", "interval"], settings, describe, |point| {
            let found = &point.found;
            match part {
                Part::Delay => with_interval(found.delay, 1e3),
                Part::Delivery => {
                    format!("{}; {}", with_interval(found.hops, 1.0), with_interval(found.delivered, 100.0))
                }
                Part::Speed => match measured.speed(point) {
                    Some(times) => format!("{times:.2} x ({:.3} s)", found.seconds),
                    None => format!("{:.3} s", found.seconds),
                },
            }
        })
    })
}

/// Returns a mean and the half-width of its interval, in a unit.
fn with_interval(Estimate { mean, ci95 }: Estimate, unit: f64) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{:.3}", value * unit));
    format!("{} ± {}", number(mean), number(ci95))
}

impl Measured {
    /// Returns the speed beside the exact times in the first place.
    pub(super) fn speed(&self, point: &Point) -> Option<f64> {
        let exact = Setting { interval_ms: 0.0, ..point.setting };
        let first = self.of(self.places.first()?, exact)?;
        Some(first.found.seconds / point.found.seconds)
    }
}
