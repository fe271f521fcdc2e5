//! Figures of cell spaces as tables: CSV for programs, Markdown for documents.

use super::figure::Figure;
use super::paper::{self, Printed};
use super::setting::{FastestRun, Model, Setting};
use crate::figures::measured;
use imminent::models::sheet::Of;
use std::fmt::Write;

pub(super) type Point = measured::Point<Setting, FastestRun>;
pub(super) type Measured = measured::Measured<Figure, Setting, FastestRun>;

/// Columns of the CSV table, with a line for each point; times are in seconds.
pub(super) const COLUMNS: [(&str, Of<Point>); 11] = [
    ("on", Of::Text(|point| point.place.clone())),
    ("device", Of::Text(|point| point.device.clone())),
    ("model", Of::Text(|point| point.setting.model.name().to_owned())),
    ("engine", Of::Text(|point| point.setting.engine.to_string())),
    ("side", Of::Count(|point| u64::from(point.setting.side))),
    ("hours", Of::Number(|point| Some(point.setting.hours))),
    ("distinct_times", Of::Count(|point| point.found.distinct_times)),
    ("set_up_s", Of::Number(|point| Some(point.found.spent.set_up.as_secs_f64()))),
    ("simulation_s", Of::Number(|point| Some(point.found.spent.simulation.as_secs_f64()))),
    ("reading_s", Of::Number(|point| Some(point.found.spent.reading.as_secs_f64()))),
    ("digest", Of::Text(|point| point.found.digest.clone())),
];

/// Returns a table for each figure with a column for each place, and the printed times.
pub(super) fn markdown(measured: &Measured) -> String {
    let describe = |setting: &Setting| {
        let Setting { model, engine, side, hours } = setting;
        vec![format!("{} by {engine}", model.name()), side.to_string(), hours.to_string()]
    };
    let mut text = measured.markdown(Figure::title, |part, settings| {
        measured.table(&["run", "side", "hours"], settings, describe, |point| match part {
            Figure::SpeedUps => of_speed_up(measured.speed_up(point)),
            _ => format!("{:.5}", point.seconds_an_hour()),
        })
    });
    text.push_str("\nPrinted times of a simulated hour, in seconds:\n\n| model | run | s |\n| --- | --- | --- |\n");
    for model in [Model::Fire, Model::Flood] {
        for (name, seconds) in paper::RUNS.into_iter().zip(Printed::of(model).runs()) {
            let _ = writeln!(text, "| {} | {name} | {seconds:.1} |", model.name());
        }
        let speed_up = Printed::of(model).speed_up();
        let _ = writeln!(text, "| {} | {} SPEs beside optimized | {speed_up:.2} x |", model.name(), paper::SPES);
    }
    text
}

fn of_speed_up(times: Option<f64>) -> String {
    times.map_or_else(|| "–".to_owned(), |times| format!("{times:.2} x"))
}

impl Point {
    /// Returns the wall time of a simulated hour.
    pub(super) fn seconds_an_hour(&self) -> f64 {
        self.found.seconds() / self.setting.hours
    }
}

impl Measured {
    /// Returns the speed beside the same run on one thread.
    pub(super) fn speed_up(&self, point: &Point) -> Option<f64> {
        let alone = self.points.iter().find(|it| it.setting == point.setting && it.found.threads == Some(1))?;
        Some(alone.found.seconds() / point.found.seconds())
    }
}
