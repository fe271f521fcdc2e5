//! The clustered engine gives the papers' Table 5-2, after correction by theory, within one per cent.

use imminent_common::time::{Tick, mean_service_ticks, ticks_from_units};
use imminent_queueing::interval::{interval_ticks, published, reference};
use imminent_queueing::measures::Measures;
use imminent_queueing::{Network, Scenario, Start};
use published::{Published, SIDE, TABLE_5_2};

/// Number of mean services simulated for an entry: the standard deviation is then 0.3 % of the utilization.
const SERVICES: f64 = 400.0;

fn measured(entry: Published) -> Measures {
    let mean = mean_service_ticks(entry.mean_service).unwrap();
    let torus = Network::torus(SIDE, SIDE, mean, 1).unwrap();
    let horizon = ticks_from_units(SERVICES * entry.mean_service).unwrap();
    let scenario = Scenario::new(&torus, Start::Stationary, horizon, 1, 0).unwrap();
    Measures::of_network(
        &reference::simulate(&scenario, interval_ticks(entry.interval, Tick::DEFAULT).unwrap()).unwrap().outcome,
    )
}

#[test]
fn table_5_2_is_reproduced_within_one_per_cent_of_its_corrected_values() {
    for entry in TABLE_5_2 {
        let (found, expected) = (measured(entry), entry.corrected());
        let apart = |found: f64, expected: f64| (found / expected - 1.0).abs();
        assert!(apart(found.utilization, expected.utilization) < 0.01, "{expected:?} {found:?}");
        assert!(apart(found.sojourn_by_little.unwrap(), expected.sojourn) < 0.01, "{expected:?} {found:?}");
    }
}
