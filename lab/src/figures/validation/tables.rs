//! Figures of the validation network as tables: CSV with all samples, Markdown with means.

use super::case::{FLOWS, Sample};
use super::figure::Figure;
use imminent::models::sheet::Of;
use std::fmt::Write;

/// Columns of the CSV table, with a line for each sample.
pub(super) const COLUMNS: [(&str, Of<Sample>); 9] = [
    ("packet_sessions", Of::Count(|sample| u64::from(sample.case.packets))),
    ("batch", Of::Count(|sample| u64::from(sample.case.batch))),
    ("lookahead", Of::Count(|sample| sample.case.lookahead)),
    ("time_s", Of::Number(|sample| Some(sample.time))),
    ("queue_bytes", Of::Number(|sample| Some(sample.queue))),
    ("window_0", Of::Number(|sample| sample.windows.first().copied())),
    ("window_1", Of::Number(|sample| sample.windows.get(1).copied())),
    ("window_2", Of::Number(|sample| sample.windows.get(2).copied())),
    ("window_3", Of::Number(|sample| sample.windows.get(3).copied())),
];

/// Periods over which tables have means, in seconds: before flow 3, with it, and after it. The first ten seconds of
/// each are left out.
const PERIODS: [(f64, f64); 3] = [(10.0, 30.0), (40.0, 60.0), (70.0, 90.0)];

/// Returns a table for each figure, with a line for each simulation and period.
pub(super) fn markdown(parts: &[Figure], samples: &[Sample]) -> String {
    let mut text = String::new();
    for part in parts {
        let _ = writeln!(text, "{}\n", part.title());
        text.push_str("| packet sessions, batch | s | queue, kB | flow 0 | flow 1 | flow 2 | flow 3 |\n");
        let _ = writeln!(text, "|{}", " --- |".repeat(7));
        for case in part.cases() {
            for (from, to) in PERIODS {
                let own: Vec<_> = samples.iter().filter(|own| own.case == case && within(own.time, from, to)).collect();
                let Some([queue, windows @ ..]) = means(&own) else { continue };
                let windows = windows.map(|window| format!("{window:.1}")).join(" | ");
                let _ = writeln!(text, "| {} | {from} to {to} | {:.1} | {windows} |", case.name(), queue / 1000.0);
            }
        }
        text.push('\n');
    }
    text
}

fn within(time: f64, from: f64, to: f64) -> bool {
    time > from && time <= to
}

/// Returns the mean length of the queue, and the mean windows; `None` without samples.
fn means(samples: &[&Sample]) -> Option<[f64; 1 + FLOWS]> {
    let mut means = [0.0; 1 + FLOWS];
    for sample in samples {
        let values = std::iter::once(sample.queue).chain(sample.windows);
        means.iter_mut().zip(values).for_each(|(mean, value)| *mean += value / samples.len() as f64);
    }
    (!samples.is_empty()).then_some(means)
}
