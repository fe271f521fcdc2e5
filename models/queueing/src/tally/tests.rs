#![allow(clippy::unwrap_used)]

mod model;
mod numbers;
mod passages;
mod pools;
mod waits;

use super::*;
use crate::analysis::Findings;
use crate::config::NetworkConfig;
use crate::experiment::Experiment;
use crate::trace::replay;
use crate::{host, sequential};
use model::Model;

/// Reads the experiment of a text, in which something is wanted.
fn experiment(toml: &str, wanted: impl FnOnce(&Experiment) -> Wanted) -> Experiment {
    let mut experiment = NetworkConfig::from_toml(toml, "t").unwrap().experiment().unwrap();
    experiment.plan.wanted = wanted(&experiment);
    experiment
}

/// Runs a network in the engine of the host, which gathers what is wanted. The sequential engine and the replay must
/// gather the same.
fn gathered(toml: &str, wanted: impl FnOnce(&Experiment) -> Wanted) -> (Experiment, Findings) {
    let experiment = experiment(toml, wanted);
    let findings = experiment.run_watched(host::watched, drop).unwrap();
    let oracle = experiment.run_watched(sequential::watched, drop).unwrap();
    assert!(findings.tally.is_some() && findings.tally == oracle.tally);
    let replayed = replay(&experiment, &findings, &experiment.plan.wanted, |_, _| ()).unwrap();
    assert_eq!(findings.tally.as_ref(), Some(&replayed));
    (experiment, findings)
}

/// Visits at several looks add up to the completions that the statistics count, where tokens block one another too.
#[test]
fn every_completed_visit_is_counted_once() {
    for overflow in ["lose", "block"] {
        let second =
            format!("capacity = 2; overflow = '{overflow}'; service = {{ law = 'uniform', low = 0.5, high = 2.0 }}");
        let text = Model::along("door a b out")
            .keys("service = { law = 'deterministic', value = 1.0 }")
            .source("door", "interarrival = { law = 'deterministic', value = 0.5 }")
            .node("b", &second)
            .run("horizon = 200.0; batches = 100");
        let experiment = experiment(&text, |_| Wanted { times: true, numbers: true, ..Wanted::default() });
        for engine in [host::watched, sequential::watched] {
            let findings = experiment.run_watched(engine, drop).unwrap();
            let mut totals = crate::outcome::NodeStatistics::default();
            let stations = findings.nodes.read().unwrap();
            let is_station = |node: &usize| experiment.network.station(*node as u32).is_some();
            let nodes = (0..experiment.network.len()).filter(is_station);
            nodes.for_each(|node| totals += crate::outcome::Statistics::of(stations, node).unwrap());
            let tally = findings.tally.as_ref().unwrap();
            assert_eq!(tally.times().unwrap().sojourn.all().total(), totals.completed, "{overflow}");
            // The integral of the number is the sum over its distribution, to the tick.
            let found = tally.distributions(&experiment.network, findings.tick, findings.confidence).unwrap();
            let in_service = totals.busy + totals.delayed + totals.blocked_time;
            for (tokens, integral) in
                [(Tokens::Present, totals.number_integral), (Tokens::Waiting, totals.number_integral - in_service)]
            {
                let of: Vec<_> = found.iter().filter(|of| of.tokens == tokens).collect();
                let area = |of: &[&Distribution]| {
                    of.iter().flat_map(|of| &of.shares).map(|of| of.number as f64 * of.time).sum::<f64>()
                };
                assert_eq!(area(&of[..1]), findings.tick.units(integral), "{overflow} {tokens:?}");
                assert_eq!(area(&of[1..]), findings.tick.units(integral), "{overflow} {tokens:?}");
            }
        }
    }
}
