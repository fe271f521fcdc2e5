//! Resources that tokens hold over several stations, against Markov chains and formulas.

use crate::host_runs::{Runs, stationary};
use imminent_common::input;
use imminent_queueing::config::NetworkConfig;
use imminent_queueing::{Scenario, Start, host};
use std::path::Path;

#[test]
fn passes_limit_the_tokens_between_a_gate_and_its_release() {
    // Numbers at the gate, at 'a' and at 'b': tokens wait at the gate only while both passes are out.
    let (most, lambda, mu) = (120, 0.5, [1.0, 1.25]);
    let state_of = |gate: usize, a: usize, b: usize| (gate * 3 + a) * 3 + b;
    let law = stationary(most * 9, |state| {
        let (gate, a, b) = (state / 9, state / 3 % 3, state % 3);
        let mut moves = vec![];
        if a + b > 2 || (gate > 0 && a + b < 2) {
            return moves;
        }
        if a + b < 2 {
            moves.push((state_of(gate, a + 1, b), lambda));
        } else if gate + 1 < most {
            moves.push((state_of(gate + 1, a, b), lambda));
        }
        if a > 0 {
            moves.push((state_of(gate, a - 1, b + 1), mu[0]));
        }
        if b > 0 {
            let next = if gate > 0 { state_of(gate - 1, a + 1, b - 1) } else { state_of(0, a, b - 1) };
            moves.push((next, mu[1]));
        }
        moves
    });
    // States that are none keep what they began with: only the others count.
    let is_state = |state: usize| {
        let (gate, inside) = (state / 9, state / 3 % 3 + state % 3);
        inside == 2 || (inside < 2 && gate == 0)
    };
    let all: f64 = law.iter().enumerate().filter(|(state, _)| is_state(*state)).map(|(_, share)| share).sum();
    let mean = |number: fn(usize) -> usize| {
        let states = law.iter().enumerate().filter(|(state, _)| is_state(*state));
        states.map(|(state, share)| number(state) as f64 * share / all).sum::<f64>()
    };
    let text = "[network]\nedges = [['door', 'gate'], ['gate', 'a'], ['a', 'b'], ['b', 'out']]\n\
                [[network.source]]\nname = 'door'\nrate = 0.5\n\
                [[network.resource]]\nname = 'pass'\nunits = 2\n\
                [[network.node]]\nname = 'gate'\npass = true\nseize = ['pass']\n\
                [[network.node]]\nname = 'a'\nmean = 1.0\n\
                [[network.node]]\nname = 'b'\nmean = 0.8\nrelease = ['pass']\n";
    let runs = Runs::of(text, 1_000.0, 41_000.0);
    runs.number("gate", mean(|state| state / 9));
    runs.number("a", mean(|state| state / 3 % 3));
    runs.number("b", mean(|state| state % 3));
    runs.throughput("b", lambda);
}

#[test]
fn the_first_that_came_to_any_station_takes_the_unit() {
    // Two rooms with one doctor are one line: M/G/1, first come, first served.
    let text = "[network]\nedges = [['x', 'left'], ['y', 'right'], ['left', 'out'], ['right', 'out']]\n\
                [[network.source]]\nname = 'x'\nrate = 0.3\n[[network.source]]\nname = 'y'\nrate = 0.15\n\
                [[network.resource]]\nname = 'doctor'\nunits = 1\n\
                [[network.node]]\nname = 'left'\nmean = 1.0\nseize = ['doctor']\nrelease = ['doctor']\n\
                [[network.node]]\nname = 'right'\nmean = 2.0\nservers = 3\nseize = ['doctor']\nrelease = ['doctor']\n";
    let runs = Runs::of(text, 500.0, 20_500.0);
    let waiting = (0.3 * 2.0 + 0.15 * 8.0) / (2.0 * 0.4);
    runs.waiting("left", None, waiting);
    runs.waiting("right", None, waiting);
}

/// Returns node, arrival, start and end in time units of visits, for the rows of a table and nodes with some keys.
fn visits(file: &str, table: &str, nodes: &str) -> Vec<(String, f64, f64, f64)> {
    input::give(Path::new(file), table.as_bytes().to_vec());
    let text = format!(
        "[network]\n[[network.resource]]\nname = 'bed'\nunits = 1\n[[network.resource]]\nname = 'nurse'\nunits = 1\n\
         [[network.source]]\nname = 'door'\nreplay = {{ file = '{file}', services = {{ ward = 'take' }} }}\n{nodes}"
    );
    let network = NetworkConfig::from_toml(&text, "network.toml").unwrap().experiment().unwrap().network;
    let units = |ticks: u64| network.tick().units(ticks);
    let scenario = Scenario::new(&network, Start::One, network.tick().ticks(1_000.0).unwrap(), 5, 0).unwrap();
    let mut visits = vec![];
    host::traced(&scenario, &mut |visit| visits.push(visit)).unwrap();
    let at_stations = visits.iter().filter(|visit| network.station(visit.node).is_some());
    let of = at_stations
        .map(|visit| (network.label(visit.node), units(visit.arrived), units(visit.started), units(visit.left)));
    of.collect()
}

#[test]
fn units_come_back_with_the_release_or_with_the_end() {
    // Services of one time unit at home and at the ward of the table's length; the bed is released at home.
    let home = "[[network.node]]\nname = 'home'\nservers = 9\nservice = { law = 'deterministic', value = 1.0 }\nrelease = ['bed']\n";
    let route = "[[network.route]]\nfrom = 'door'\nto = 'ward'\n[[network.route]]\nfrom = 'ward'\nto = 'home'\n[[network.route]]\nfrom = 'home'\nto = 'out'\n";
    let ward =
        "[[network.node]]\nname = 'ward'\nmean = 1.0\nservers = 9\nseize = ['bed', 'nurse']\nrelease = ['nurse']\n";
    let at = |node: &str, arrived, started, left| (node.to_owned(), arrived, started, left);
    let table = "time,take\n0,2\n1,3\n1,1\n";
    let expected = [
        at("ward", 0.0, 0.0, 2.0),
        at("home", 2.0, 2.0, 3.0),
        at("ward", 1.0, 3.0, 6.0),
        at("home", 6.0, 6.0, 7.0),
        at("ward", 1.0, 7.0, 8.0),
        at("home", 8.0, 8.0, 9.0),
    ];
    assert_eq!(visits("beds.csv", table, &format!("{ward}{home}{route}")), expected);
    // Without a release the token gives its bed back when it leaves; one that loses patience has none.
    let leaves = ward.replace("mean = 1.0", "mean = 1.0\npatience = { law = 'deterministic', value = 1.5 }");
    let home = home.replace("release = ['bed']\n", "");
    let expected = [at("ward", 0.0, 0.0, 2.0), at("home", 2.0, 2.0, 3.0)];
    assert_eq!(visits("leave.csv", table, &format!("{leaves}{home}{route}")), expected);
    // One that holds the bed needs no other when it comes back.
    let back = format!("{}{home}", ward.replace("release = ['nurse']", "release = ['nurse']\nrouting = 'round-robin'"));
    let route = route.replace("to = 'home'", "to = 'ward'\n[[network.route]]\nfrom = 'ward'\nto = 'home'");
    let expected = [
        at("ward", 0.0, 0.0, 2.0),
        at("ward", 2.0, 2.0, 4.0),
        at("home", 4.0, 4.0, 5.0),
        at("ward", 1.0, 5.0, 8.0),
        at("ward", 8.0, 8.0, 11.0),
        at("home", 11.0, 11.0, 12.0),
    ];
    assert_eq!(visits("back.csv", "time,take\n0,2\n1,3\n", &format!("{back}{route}")), expected);
}
