//! Description of the deleted warm-up of a run.

use imminent::models::queueing::analysis::{Findings, Plan, Replication, WarmUp};
use std::collections::BTreeSet;

/// Describes the warm-up that was deleted from each replication: one time, two that MSER-5 found, or the mean of many.
pub(super) fn warm_up(plan: &Plan, findings: &Findings) -> String {
    let rule = if plan.warm_up == WarmUp::Mser5 { " by MSER-5" } else { "" };
    let units = |ticks| findings.tick.units(ticks);
    let ends: Vec<f64> = findings.replications.iter().filter_map(end).map(units).collect();
    let mean = ends.iter().sum::<f64>() / ends.len().max(1) as f64;
    let different: BTreeSet<u64> = findings.replications.iter().filter_map(end).collect();
    let how = match different.into_iter().map(units).collect::<Vec<_>>().as_slice() {
        [of_each] => format!("{of_each}"),
        [some, others] => format!("{some} or {others} (mean {mean:.6})"),
        _ => format!("{mean:.6} (mean over replications)"),
    };
    format!("warm-up{rule}: the first {how} time units of each replication are deleted")
}

/// Returns the end of a replication's warm-up, in ticks.
fn end(replication: &Replication) -> Option<u64> {
    Some(replication.record.looks().get(*replication.cut.ends.first()?)?.time)
}
