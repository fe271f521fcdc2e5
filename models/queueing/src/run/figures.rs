//! Figures for reports: maps of nodes, densities of times, convergence of estimates.

use super::finished::FinishedRun;
use super::nodes::Nodes;
use super::units::unit;
use crate::analysis::Sample;
use crate::experiment::Findings;
use crate::measures::Measure;
use crate::trace::{TimeReport, TimesReport};
use imminent_common::digits::with_interval;
use imminent_common::estimate::{Confidence, Estimate};
use imminent_common::figure::{NodeMap, Point, Portion};
use imminent_common::output::Sketch;
use imminent_study::outcome::Content;

/// Number of batches for the interval of a single replication.
const BATCHES: usize = 10;

/// Largest number of points of a curve of convergence. Each costs an estimate from all samples before it: with one for
/// every replication of 100,000, the curve would take longer than the simulation.
const MOST_POINTS: usize = 256;

/// Returns the map of one measure of every node.
pub(super) fn map(nodes: &Nodes<'_>, measure: Measure) -> Content {
    let network = nodes.network;
    let values = (0..nodes.len()).map(|node| nodes.mean(node, measure)).collect();
    let is_small = nodes.len() <= NodeMap::MAX_NODES;
    let all = || 0..if is_small { nodes.len() as u32 } else { 0 };
    let has_edges = network.grid().is_none() && network.edges() <= NodeMap::MAX_EDGES;
    let map = NodeMap {
        values,
        grid: network.grid(),
        names: all().map(|node| network.label(node)).collect(),
        positions: all().map(|node| network.position(node)).collect(),
        edges: all().filter(|_| has_edges).map(|node| targets(nodes, node)).collect(),
    };
    Content::Map { map, name: measure.name().replace('_', " ") }
}

/// Returns the nodes that `from` sends to, each once.
fn targets(nodes: &Nodes<'_>, from: u32) -> Vec<u32> {
    let classes = 0..nodes.network.classes() as u32;
    let mut targets: Vec<_> =
        classes.flat_map(|class| nodes.network.routes(from, class).iter()).filter_map(|route| route.to).collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}

/// Describes the accuracy of quantiles.
pub(super) fn accuracy(times: &TimesReport) -> String {
    let intervals = times.sojourn.quantiles.values().any(|quantile| quantile.half_width().is_some());
    let (percent, what) = (100.0 * times.relative_error, "replications or batches");
    let intervals = if intervals {
        let confidence =
            times.sojourn.quantiles.values().next().map_or(Confidence::DEFAULT, |of| of.interval.confidence);
        format!("{confidence} intervals are over {what}")
    } else {
        format!("intervals need several {what} (--replications, --batches)")
    };
    format!("quantiles are within {percent:.1} % of the values counted; {intervals}")
}

/// Returns the quantiles of a time by their percentages, with their intervals.
pub(super) fn quantiles(time: &TimeReport) -> impl Iterator<Item = (&str, String)> {
    time.quantiles.iter().map(|(name, quantile)| {
        let estimate = Estimate { mean: quantile.value, interval: quantile.interval };
        (name.trim_start_matches('p'), with_interval(&estimate))
    })
}

/// Returns the density of one time, with its quantiles.
pub(super) fn density(run: &FinishedRun, name: &str, sketch: &Sketch, time: &TimeReport) -> Content {
    let (total, tick) = (sketch.total(), run.findings.tick);
    let share = |count: u64| count as f64 / total.max(1) as f64;
    // Visits of length 0 have no density.
    let portion = |(least, greatest, count): (u64, u64, u64)| Portion {
        from: tick.units(least),
        to: tick.units(greatest + 1),
        share: share(count),
    };
    let portions = sketch.filled().filter(|(least, ..)| *least > 0).map(portion).collect();
    let none = 100.0 * share(sketch.zeros());
    let quantiles: Vec<String> = quantiles(time).map(|(percent, quantile)| format!("{percent} % {quantile}")).collect();
    let caption = format!(
        "Density of the {name} time of {total} visits; {none:.1} % took none. Quantiles: {}.",
        quantiles.join(", ")
    );
    Content::Density { portions, unit: "time unit".to_owned(), caption }
}

/// Returns the convergence of the estimate of one measure over time, or over the number of replications.
pub(super) fn convergence(findings: &Findings, measure: Measure) -> Content {
    let name = measure.name().replace('_', " ");
    let over_time = over_time(findings, measure);
    let (points, x, options) = if over_time.len() > 2 {
        (over_time, "time units", "from the end of the warm-up to each time")
    } else {
        (over_replications(findings, measure), "replications", "from the first replications")
    };
    if points.len() < 2 {
        let text = format!("No series of {name}: give --observations, --batches or --replications.");
        return Content::Text(text);
    }
    let labels = [x.to_owned(), format!("{name} ({})", unit(measure.name()))];
    Content::Curve {
        points,
        labels,
        caption: format!("Mean {name} {options}, with its {} interval.", findings.confidence),
    }
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
        to_point(findings.tick.units(time), Sample::estimate(&samples, measure, findings.confidence))
    };
    let ends = evenly(looks.len().saturating_sub(from + 1)).map(|place| from + place);
    ends.filter_map(|end| point((end, looks.get(end)?.time))).collect()
}

/// Returns the estimate from the first replications, for numbers of them up to all.
fn over_replications(findings: &Findings, measure: Measure) -> Vec<Point> {
    let samples: Vec<_> = findings.replications.iter().map(|replication| replication.kept()).collect();
    let ratios = Sample::ratios(&samples, measure);
    evenly(ratios.len())
        .filter_map(|count| to_point(count as f64, findings.confidence.of_ratios(ratios.get(..count)?)))
        .collect()
}

/// Returns numbers from 1 to `all`: each, or [`MOST_POINTS`] at nearly equal distances, of which the last is `all`.
fn evenly(all: usize) -> impl Iterator<Item = usize> {
    let points = all.min(MOST_POINTS);
    (1..=points).map(move |point| point * all / points)
}

fn to_point(x: f64, estimate: Estimate) -> Option<Point> {
    estimate.mean.map(|y| Point { x, y, half_width: estimate.half_width().filter(|half| half.is_finite()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_of_many_replications_has_few_points() {
        assert_eq!(evenly(3).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(evenly(0).count(), 0);
        let many: Vec<_> = evenly(100_000).collect();
        assert_eq!((many.len(), many.last()), (MOST_POINTS, Some(&100_000)));
        assert!(many.windows(2).all(|pair| (390..=391).contains(&(pair[1] - pair[0]))));
    }
}
