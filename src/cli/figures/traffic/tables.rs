//! The figures as tables: CSV for programs, Markdown for documents.

use super::{Measured, Part, Point, Setting};
use crate::cli::sheet::Of;
use std::fmt::Write;

/// A line for each point: times in seconds, shares of the wall time from 0 to 1.
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

impl Part {
    pub(super) fn title(self) -> &'static str {
        match self {
            Part::Campuses => "Figure 8: wall time of a simulated second, in seconds",
            Part::Shares => "Figure 9: wall time of a simulated second by shares of packets, in seconds",
            Part::Batches => "Figure 10: wall time of a simulated second by launches of a batch, in seconds",
        }
    }
}

/// A table for each figure, with a column for each place.
pub(super) fn markdown(measured: &Measured) -> String {
    let mut text = String::new();
    for (part, settings) in &measured.parts {
        let _ = writeln!(text, "{}\n\n{}", part.title(), measured.table(settings));
    }
    for left_out in &measured.left_out {
        let _ = writeln!(text, "left out: {left_out}");
    }
    text
}

impl Measured {
    fn table(&self, settings: &[Setting]) -> String {
        let mut text = format!(
            "| campuses | packets | batch | {} |\n|{}\n",
            self.places.join(" | "),
            " --- |".repeat(self.places.len() + 3)
        );
        for setting in settings {
            let cell = |place: &String| {
                let Some(point) = self.of(place, *setting) else { return "–".to_owned() };
                match self.speed_up(point).filter(|_| Some(place) != self.places.first()) {
                    Some(times) => format!("{:.4} ({times:.1} x)", point.found.seconds_per_second),
                    None => format!("{:.4}", point.found.seconds_per_second),
                }
            };
            let cells: Vec<_> = self.places.iter().map(cell).collect();
            let batch = if setting.batch == 0 { "lock-step".to_owned() } else { setting.batch.to_string() };
            let _ = writeln!(
                text,
                "| {} | {} % | {batch} | {} |",
                setting.campuses,
                100.0 * setting.share,
                cells.join(" | ")
            );
        }
        text
    }
}
