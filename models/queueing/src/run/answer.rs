//! Answer for readers who know the question alone.

use super::facts::replications;
use super::nodes::Nodes;
use crate::measures::Measure;
use crate::report::Report;
use imminent_common::answer::Answer;
use imminent_common::digits::{grouped, three, with_interval};
use imminent_common::estimate::Estimate;

/// Returns the question, the most important results, and options sure they are. `remarks` say what makes them doubtful.
pub(super) fn answer<C>(report: &Report<C>, nodes: &Nodes<'_>, remarks: &str) -> Answer {
    let of = |measure: Measure| report.stats.get(measure.name()).copied();
    let mut results = vec![];
    if let Some(busy) = of(Measure::Utilization).filter(|busy| busy.mean.is_some()) {
        results.push(format!("The average server is busy {} % of the time.", with_interval(&percent(&busy))));
    }
    let busiest = report.nodes.first().map(|node| node.node as usize);
    if let Some((label, busy)) = busiest.and_then(|row| Some((row, nodes.mean(row, Measure::Utilization)?))) {
        let label = nodes.network.label(label as u32);
        results.push(format!("The busiest is {label}, {} % of the time.", three(100.0 * busy)));
    }
    let times = [Measure::Sojourn, Measure::Waiting].map(|measure| of(measure).filter(|time| time.mean.is_some()));
    if let [Some(sojourn), Some(waiting)] = times {
        results.push(format!(
            "A visit to a station takes {} time units on average, {} of them waiting.",
            with_interval(&sojourn),
            with_interval(&waiting)
        ));
    }
    let loss = of(Measure::Loss).filter(|loss| loss.mean.is_some_and(|mean| mean > 0.0));
    results
        .extend(loss.map(|loss| format!("{} % of the arriving tokens find no room.", with_interval(&percent(&loss)))));
    Answer {
        question: format!(
            "How busy are the {} stations, and how long do tokens stay there, within {} time units?",
            grouped(report.node_count as u64),
            report.simulated_time
        ),
        results,
        certainty: certainty(report) + remarks,
    }
}

fn certainty<C>(report: &Report<C>) -> String {
    let analysis = &report.analysis;
    if report.stats.values().any(|estimate| estimate.ci95.is_some()) {
        format!(
            "The intervals (±) cover the true means with a probability of 95 %; they come from {} samples in {}.",
            analysis.samples,
            replications(analysis.replications)
        )
    } else {
        "Not known: a single sample has no interval. --replications or --batches give one.".to_owned()
    }
}

fn percent(share: &Estimate) -> Estimate {
    Estimate { mean: share.mean.map(|mean| 100.0 * mean), ci95: share.ci95.map(|half| 100.0 * half) }
}
