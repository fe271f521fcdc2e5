//! Ranking and selection among numbers of servers, beside Erlang's formula: how often is the choice right?

use imminent_common::estimate::Confidence;
use imminent_common::output::Selection;
use imminent_common::output::selection::{Ending, Limit, Rules};
use imminent_queueing::config::NetworkConfig;
use imminent_queueing::{Network, Scenario, Start, sequential};

/// Numbers of servers, for four arrivals in a time unit and services of one time unit on average.
const SERVERS: [u32; 4] = [5, 6, 7, 8];
const LOAD: f64 = 4.0;

/// Wait of which the share of longer ones is limited.
const LONG: f64 = 0.25;

/// Warm-up and length of a replication, in time units.
const TIMES: [f64; 2] = [10.0, 160.0];

/// Number of searches, each with a seed of its own.
const SEARCHES: u64 = 120;

fn network(servers: u32) -> Network {
    let text = format!(
        "[network]\nedges = [['door', 'desk'], ['desk', 'out']]\n[[network.source]]\nname = 'door'\nrate = {LOAD}\n\
         [[network.node]]\nname = 'desk'\nmean = 1.0\nservers = {servers}"
    );
    NetworkConfig::from_toml(&text, "t.toml").unwrap().experiment().unwrap().network
}

/// Probability that a call waits, by Erlang's formula: of a loss system first, by recursion, and then of a queue.
fn waits(servers: u32) -> f64 {
    let lost = (1..=servers).fold(1.0, |lost, n| LOAD * lost / (f64::from(n) + LOAD * lost));
    let share = LOAD / f64::from(servers);
    lost / (1.0 - share * (1.0 - lost))
}

/// Returns the share of visits of a replication that wait longer than [`LONG`], and the mean number of waiting calls.
fn replication(network: &Network, seed: u64, number: u64) -> [f64; 2] {
    let [warm_up, horizon] = TIMES.map(|units| network.tick().ticks(units).unwrap());
    let scenario = Scenario::new(network, Start::One, horizon, seed, number).unwrap();
    let (mut visits, mut long, mut waited) = (0.0, 0.0, 0.0);
    let visited = &mut |visit: imminent_queueing::trace::Visit| {
        if visit.left > warm_up && network.station(visit.node).is_some() {
            let wait = network.tick().units(visit.started - visit.arrived);
            visits += 1.0;
            long += f64::from(u8::from(wait > LONG));
            waited += wait;
        }
    };
    sequential::traced(&scenario, visited).unwrap();
    [long / visits, waited / (TIMES[1] - TIMES[0])]
}

/// Searches with common random numbers; `values` makes the value to minimize, and those of limits.
fn search(rules: &Rules, networks: &[Network], seed: u64, values: impl Fn(u32, [f64; 2]) -> Vec<f64>) -> Selection {
    let mut selection = Selection::new(rules.clone(), networks.len()).unwrap();
    loop {
        let needs = selection.needs();
        if needs.is_empty() {
            return selection;
        }
        for (one, to) in needs {
            for number in selection.replications(one)..to {
                let found = replication(&networks[one], seed, number as u64);
                selection.add(one, values(SERVERS[one], found));
            }
        }
        selection.conclude();
    }
}

fn count_right(rules: &Rules, best: usize, values: impl Fn(u32, [f64; 2]) -> Vec<f64>) -> u64 {
    let networks = SERVERS.map(network);
    let is_right = |seed: &u64| search(rules, &networks, *seed, &values).ending() == Ending::Chosen(best);
    (0..SEARCHES).filter(is_right).count() as u64
}

/// The fewest servers with which at most 11.5 % of the calls wait longer than a quarter: six have 17.3 %, seven 6.4 %.
#[test]
fn the_fewest_servers_that_serve_well_enough_are_found() {
    let long = |servers: u32| waits(servers) * f64::exp(-(f64::from(servers) - LOAD) * LONG);
    let limit = Limit { value: 0.115, is_upper: true, tolerance: 0.04 };
    assert!(long(6) > limit.value + limit.tolerance && long(7) < limit.value - limit.tolerance);
    let rules =
        Rules { confidence: Confidence::DEFAULT, indifference: 0.5, limits: vec![limit], first: 10, most: 1_000 };
    let right = count_right(&rules, 2, |servers, [long, _]| vec![f64::from(servers), long]);
    assert!(right * 100 >= SEARCHES * 95, "{right} of {SEARCHES}");
}

/// The cheapest number, where a server costs 1 and a waiting call 1: the number waiting is `waits / (servers / 4 - 1)`.
#[test]
fn the_cheapest_number_of_servers_is_found() {
    let cost = |servers: u32| f64::from(servers) + waits(servers) * LOAD / (f64::from(servers) - LOAD);
    let (best, others) = (cost(6), [5, 7, 8].map(cost));
    assert!(others.iter().all(|other| *other > best + 0.5), "{best} {others:?}");
    let rules = Rules { confidence: Confidence::DEFAULT, indifference: 0.5, limits: vec![], first: 10, most: 1_000 };
    let right = count_right(&rules, 1, |servers, [_, waiting]| vec![f64::from(servers) + waiting]);
    assert!(right * 100 >= SEARCHES * 95, "{right} of {SEARCHES}");
}
