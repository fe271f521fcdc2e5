//! Sources that replay tables, against the waits that follow from the tables alone.

use imminent_common::input;
use imminent_queueing::config::NetworkConfig;
use imminent_queueing::trace::Visit;
use imminent_queueing::{Network, Scenario, Start, host};
use proptest::prelude::*;
use std::fmt::Write as _;
use std::path::Path;

/// Ticks of a time unit, of which all times here are multiples.
const UNIT: u64 = 1 << 20;

/// Two stations in a row, to which the rows of a file come; `file` has columns `time`, `kind`, `size`, `first`.
fn network(file: &str, replay: &str) -> Network {
    let class = if replay.contains("class") { "" } else { "class = 'a'\n" };
    let text = format!(
        "[network]\nclasses = ['a', 'b']\nmean = 1.0\nedges = [['door', 'desk'], ['desk', 'out']]\n\
         [[network.source]]\nname = 'door'\n{class}replay = {{ file = '{file}', {replay} }}\n"
    );
    NetworkConfig::from_toml(&text, "network.toml").unwrap().experiment().unwrap().network
}

fn visits(network: &Network, replication: u64) -> Vec<Visit> {
    let scenario = Scenario::new(network, Start::One, 10_000 * UNIT, 5, replication).unwrap();
    let mut visits = vec![];
    host::traced(&scenario, &mut |visit| visits.push(visit)).unwrap();
    visits
}

/// Returns class, arrival, start and end in time units of the visits to a station with some keys, to which the tokens
/// of a table come with their services (`take`), as they end. Rules are tested so without chance.
pub(crate) fn of_desk(file: &str, table: &str, keys: &str) -> Vec<(u32, f64, f64, f64)> {
    input::give(Path::new(file), table.as_bytes().to_vec());
    let text = format!(
        "[network]\nclasses = ['a', 'b']\nmean = 1.0\nedges = [['door', 'desk'], ['desk', 'out']]\n[[network.source]]\nname = 'door'\n\
         replay = {{ file = '{file}', class = 'kind', services = {{ desk = 'take' }} }}\n[[network.node]]\nname = 'desk'\n{keys}\n"
    );
    let network = NetworkConfig::from_toml(&text, "network.toml").unwrap().experiment().unwrap().network;
    let units = |ticks: u64| ticks as f64 / network.tick().per_unit();
    let scenario = Scenario::new(&network, Start::One, network.tick().ticks(1_000.0).unwrap(), 5, 0).unwrap();
    let mut visits = vec![];
    host::traced(&scenario, &mut |visit| visits.push(visit)).unwrap();
    let at_desk = visits.iter().filter(|visit| network.label(visit.node) == "desk");
    at_desk.map(|visit| (visit.class, units(visit.arrived), units(visit.started), units(visit.left))).collect()
}

/// Rows: time between this one and the one before, class, number of tokens, length of the service.
fn rows() -> impl Strategy<Value = Vec<(u64, u32, u32, u64)>> {
    prop::collection::vec((0_u64..4, 0_u32..2, 1_u32..4, 1_u64..5), 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn waits_follow_from_the_table_by_lindley(rows in rows()) {
        let (mut text, mut time) = ("kind,first,size,time\n".to_owned(), 0);
        // The recursion of Lindley over all tokens in the order of the table.
        let (mut expected, mut free) = (vec![], 0);
        for (between, class, size, length) in rows {
            time += between;
            writeln!(text, "{},{length}.0,{size},{time}", ["a", "b"][class as usize]).unwrap();
            for _ in 0..size {
                let start = free.max(time);
                free = start + length;
                expected.push((class, time * UNIT, start * UNIT, free * UNIT));
            }
        }
        input::give(Path::new("lindley.csv"), text.into_bytes());
        let network = network("lindley.csv", "class = 'kind', number = 'size', services = { desk = 'first' }");
        let of_desk = |replication| {
            let visits = visits(&network, replication).into_iter().filter(|visit| network.label(visit.node) == "desk");
            visits.map(|visit| (visit.class, visit.arrived, visit.started, visit.left)).collect::<Vec<_>>()
        };
        prop_assert_eq!(&of_desk(0), &expected);
        // Nothing is left to chance, so replications are equal.
        prop_assert_eq!(&of_desk(1), &expected);
    }
}

#[test]
fn the_same_arrivals_meet_other_services_in_each_replication() {
    input::give(Path::new("drawn.csv"), b"when,take\n0,\n1.5,2\n1.5,\n7,\n".to_vec());
    let network = network("drawn.csv", "time = 'when'");
    let times = |replication| {
        let of_desk = visits(&network, replication).into_iter().filter(|visit| network.label(visit.node) == "desk");
        of_desk.map(|visit| (visit.arrived, visit.left - visit.started)).unzip::<_, _, Vec<_>, Vec<_>>()
    };
    let ((first, services), (second, others)) = (times(0), times(1));
    assert_eq!(first, [0, 3 * UNIT / 2, 3 * UNIT / 2, 7 * UNIT]);
    assert_eq!(first, second);
    assert_ne!(services, others);
}

#[test]
fn entries_without_a_length_are_drawn_by_the_law() {
    input::give(Path::new("partly.csv"), b"time,take\n0,\n100,2.5\n200,0\n300,\n".to_vec());
    let partly = network("partly.csv", "services = { desk = 'take' }");
    input::give(Path::new("without.csv"), b"time,take\n0,\n100,\n200,\n300,\n".to_vec());
    let without = network("without.csv", "services = { desk = 'take' }");
    assert_ne!(partly.fingerprint(), without.fingerprint());
    let lengths = |network: &Network| {
        let of_desk = visits(network, 0).into_iter().filter(|visit| network.label(visit.node) == "desk");
        of_desk.map(|visit| visit.left - visit.started).collect::<Vec<_>>()
    };
    let (partly, without) = (lengths(&partly), lengths(&without));
    // Others have the lengths that they have without those of the table.
    assert_eq!(partly, [without[0], 5 * UNIT / 2, 1, without[3]]);
}

#[test]
fn the_examples_have_tokens_that_leave() {
    for name in ["replayed", "beds", "day"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/networks/{name}.toml"));
        let experiment = NetworkConfig::from_file(&file).unwrap().experiment().unwrap();
        let network = &experiment.network;
        let scenario = Scenario::new(network, Start::One, experiment.horizon, 5, 0).unwrap();
        let mut left = 0;
        host::traced(&scenario, &mut |visit| {
            left += u32::from(visit.to.is_none() && network.station(visit.node).is_some());
        })
        .unwrap();
        assert!(left >= 25, "{left} tokens leave {name}");
    }
}
