//! Answer for readers who know the question alone.

use super::facts::replications;
use super::nodes::Nodes;
use crate::measures::Measure;
use crate::report::Report;
use imminent_common::answer::Answer;
use imminent_common::digits::{grouped, three, with_interval};
use imminent_common::estimate::Estimate;

/// Returns the question, the most important results, and how sure they are. `remarks` say what makes them doubtful.
pub(super) fn answer<C>(report: &Report<C>, nodes: &Nodes<'_>, remarks: &str) -> Answer {
    let of = |measure: Measure| report.system.all.get(measure.name_in_system()).map(with_interval);
    let mut results = vec![];
    results.extend(of(Measure::SystemNumber).map(|number| format!("{number} tokens are in the network on average.")));
    if let Some((throughput, response)) = of(Measure::SystemThroughput).zip(of(Measure::SystemResponse)) {
        results
            .push(format!("{throughput} tokens leave it in a time unit, each after {response} time units on average."));
    }
    let loss = report.system.all.get(Measure::SystemLoss.name_in_system());
    let loss = loss.filter(|loss| loss.mean.is_some_and(|mean| mean > 0.0));
    results.extend(loss.map(|loss| format!("{} % of those that come are lost.", with_interval(&percent(loss)))));
    let busiest = report.nodes.first().map(|node| node.node as usize);
    if let Some((label, busy)) = busiest.and_then(|row| Some((row, nodes.mean(row, Measure::Utilization)?))) {
        let label = nodes.network.label(label as u32);
        results.push(format!("The busiest station is {label}, {} % of the time.", three(100.0 * busy)));
    }
    let of_visits = |measure: Measure| report.stats.get(measure.name()).filter(|time| time.mean.is_some());
    if let Some((sojourn, waiting)) = of_visits(Measure::Sojourn).zip(of_visits(Measure::Waiting)) {
        results.push(format!(
            "A visit to a station takes {} time units on average, {} of them waiting.",
            with_interval(sojourn),
            with_interval(waiting)
        ));
    }
    Answer {
        question: format!(
            "How many tokens are in the network of {} stations and sources, how long do they stay, and where do they wait, within {} time units?",
            grouped(report.node_count as u64),
            report.simulated_time
        ),
        results,
        certainty: certainty(report) + remarks,
    }
}

fn certainty<C>(report: &Report<C>) -> String {
    let analysis = &report.analysis;
    if report.stats.values().any(|estimate| estimate.half_width().is_some()) {
        format!(
            "The intervals (±) cover the true means with a probability of {}; they come from {} samples in {}.",
            analysis.confidence,
            analysis.samples,
            replications(analysis.replications)
        )
    } else {
        "Not known: a single sample has no interval. --replications or --batches give one.".to_owned()
    }
}

fn percent(share: &Estimate) -> Estimate {
    share.times(100.0)
}
