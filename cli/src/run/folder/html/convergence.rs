//! Convergence of estimates over time, or over the number of replications.

use super::table::unit;
use imminent::models::estimate::Estimate;
use imminent::models::queueing::analysis::Sample;
use imminent::models::queueing::experiment::Findings;
use imminent::models::queueing::measures::Measure;
use imminent_report::plot::{PlotError, Point, line};
use std::fmt::Write;

/// Number of batches for the interval of a single replication.
const BATCHES: usize = 10;

/// Draws the figure of one measure, or says what it would need.
pub(super) fn figure(findings: &Findings, measure: Measure) -> Result<String, PlotError> {
    let name = measure.name().replace('_', " ");
    let over_time = over_time(findings, measure);
    let (points, x_label, how) = if over_time.len() > 2 {
        (over_time, "time units", "from the end of the warm-up to each time")
    } else {
        (over_replications(findings, measure), "replications", "from the first replications")
    };
    if points.len() < 2 {
        return Ok(format!("<p>No series of {name}: give --observations, --batches or --replications.</p>\n"));
    }
    let mut text = String::new();
    let _ = writeln!(
        text,
        "<figure>{}<figcaption>Mean {name} {how}, with its 95 % interval.</figcaption></figure>",
        line(&points, x_label, &format!("{name} ({})", unit(measure.name())))?
    );
    Ok(text)
}

/// Returns the estimate at each look that all replications share. For a single replication, the estimate comes from
/// batches.
fn over_time(findings: &Findings, measure: Measure) -> Vec<Point> {
    let Some(first) = findings.replications.first() else { return vec![] };
    let looks = first.record.looks();
    let from = findings.replications.iter().filter_map(|r| r.cut.ends.first()).max().copied().unwrap_or(0);
    let shared = findings.replications.iter().all(|other| {
        let times = other.record.looks().iter().zip(looks);
        times.take_while(|(other, look)| other.time == look.time).count() == looks.len()
    });
    if !shared {
        return vec![];
    }
    let point = |(end, time): (usize, u64)| {
        let samples: Vec<Sample> = if findings.replications.len() == 1 {
            let length = (end - from) / BATCHES;
            match length {
                0 => vec![first.record.between(from, end)],
                _ => (0..BATCHES)
                    .rev()
                    .map(|back| (end - (back + 1) * length, end - back * length))
                    .map(|(a, b)| first.record.between(a, b))
                    .collect(),
            }
        } else {
            findings
                .replications
                .iter()
                .map(|r| r.record.between(r.cut.ends.first().copied().unwrap_or(0), end))
                .collect()
        };
        to_point(findings.tick.units(time), Sample::estimate(&samples, measure))
    };
    looks.iter().enumerate().skip(from + 1).map(|(end, look)| (end, look.time)).filter_map(point).collect()
}

/// Returns the estimate from the first replications, for each number of them.
fn over_replications(findings: &Findings, measure: Measure) -> Vec<Point> {
    let samples: Vec<_> = findings.replications.iter().map(|replication| replication.kept()).collect();
    (1..=samples.len())
        .filter_map(|count| to_point(count as f64, Sample::estimate(samples.get(..count)?, measure)))
        .collect()
}

fn to_point(x: f64, estimate: Estimate) -> Option<Point> {
    estimate.mean.map(|y| Point { x, y, half_width: estimate.ci95.filter(|half| half.is_finite()) })
}
