//! Figures as tables: CSV for programs, Markdown for documents.

use super::setting::{Figure, Measured, Point, Setting};
use imminent::models::sheet::Of;

/// Columns of the CSV table, with a line for each point; times are in seconds, shares of the wall time from 0 to 1.
pub(super) const COLUMNS: [(&str, Of<Point>); 16] = [
    ("on", Of::Text(|point| point.place.clone())),
    ("device", Of::Text(|point| point.device.clone())),
    ("campuses", Of::Count(|point| u64::from(point.setting.campuses))),
    ("packet_share", Of::Number(|point| Some(point.setting.share))),
    ("batch", Of::Count(|point| u64::from(point.setting.batch))),
    ("packet_sessions", Of::Count(|point| point.found.packet_sessions)),
    ("shared_queues", Of::Count(|point| point.found.shared_queues as u64)),
    ("seconds_per_simulated_second", Of::Number(|point| Some(point.found.seconds_per_second))),
    ("simulated_s", Of::Number(|point| Some(point.found.simulated_s))),
    ("warm_up_s", Of::Number(|point| Some(point.found.warm_up_s))),
    ("packets", Of::Number(|point| Some(point.found.packets))),
    ("waiting", Of::Number(|point| Some(point.found.waiting))),
    ("launches", Of::Number(|point| Some(point.found.launches))),
    ("transfers", Of::Number(|point| Some(point.found.transfers))),
    ("packets_per_s", Of::Number(|point| Some(point.found.packets_per_s))),
    ("events_per_s", Of::Number(|point| Some(point.found.events_per_s))),
];

impl Figure {
    pub(super) fn title(self) -> &'static str {
        match self {
            Figure::Campuses => "Figure 8: wall time of a simulated second, in seconds",
            Figure::Shares => "Figure 9: wall time of a simulated second by shares of packets, in seconds",
            Figure::Batches => "Figure 10: wall time of a simulated second by launches of a batch, in seconds",
        }
    }
}

/// Returns a table for each figure, with a column for each place.
pub(super) fn markdown(measured: &Measured) -> String {
    let names = ["campuses", "packets", "batch"];
    let describe_point =
        |point: &Point| match measured.speed_up(point).filter(|_| measured.places.first() != Some(&point.place)) {
            Some(times) => format!("{:.4} ({times:.1} x)", point.found.seconds_per_second),
            None => format!("{:.4}", point.found.seconds_per_second),
        };
    measured.markdown(Figure::title, |_, settings| measured.table(&names, settings, Setting::describe, describe_point))
}

impl Setting {
    fn describe(&self) -> Vec<String> {
        let batch = if self.batch == 0 { "lock-step".to_owned() } else { self.batch.to_string() };
        vec![self.campuses.to_string(), format!("{} %", 100.0 * self.share), batch]
    }
}
