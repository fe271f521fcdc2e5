//! Names and values of what was simulated, for people.

use super::finished::FinishedRun;
use crate::analysis::{Replication, WarmUp};
use crate::report::Report;
use imminent_common::digits::grouped;
use std::collections::BTreeSet;

/// Returns the facts of a run.
pub(super) fn facts<C>(report: &Report<C>, run: &FinishedRun) -> Vec<(String, String)> {
    let (network, analysis) = (&run.experiment.network, &report.analysis);
    let mut facts = vec![
        ("engine", report.engine.clone()),
        (
            "network",
            format!("{} nodes, {} tokens at time 0", grouped(network.len() as u64), grouped(network.total_tokens())),
        ),
        (
            "simulated",
            format!(
                "{} time units in each of {}, seed {}",
                report.simulated_time,
                replications(analysis.replications),
                report.seed
            ),
        ),
        (
            "counted",
            format!(
                "{} time units in {} sample{}; waiting and sojourn are means over the {}",
                analysis.observed,
                analysis.samples,
                if analysis.samples == 1 { "" } else { "s" },
                analysis.count.described()
            ),
        ),
    ];
    if analysis.warm_up > 0.0 {
        facts.push(("warm-up", warm_up(run)));
    }
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Counts replications in words.
pub(super) fn replications(number: usize) -> String {
    if number == 1 { "one replication".to_owned() } else { format!("{} replications", grouped(number as u64)) }
}

/// Describes the warm-up that was deleted from each replication: one time, two that MSER-5 found, or the mean of many.
fn warm_up(run: &FinishedRun) -> String {
    let findings = &run.findings;
    let rule = if run.experiment.plan.warm_up == WarmUp::Mser5 { " by MSER-5" } else { "" };
    let units = |ticks| findings.tick.units(ticks);
    let ends: Vec<f64> = findings.replications.iter().filter_map(end).map(units).collect();
    let mean = ends.iter().sum::<f64>() / ends.len().max(1) as f64;
    let different: BTreeSet<u64> = findings.replications.iter().filter_map(end).collect();
    let options = match different.into_iter().map(units).collect::<Vec<_>>().as_slice() {
        [of_each] => format!("{of_each}"),
        [some, others] => format!("{some} or {others} (mean {mean:.6})"),
        _ => format!("{mean:.6} (mean over replications)"),
    };
    format!("the first {options} time units of each replication are deleted{rule}")
}

/// Returns the end of a replication's warm-up, in ticks.
fn end(replication: &Replication) -> Option<u64> {
    Some(replication.record.looks().get(*replication.cut.ends.first()?)?.time)
}
