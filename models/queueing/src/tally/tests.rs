#![allow(clippy::unwrap_used)]

use super::*;
use crate::analysis::Findings;
use crate::config::NetworkConfig;
use crate::experiment::Experiment;
use crate::theory::erlang_c;
use crate::trace::replay;
use crate::{host, sequential};
use imminent_common::estimate::{Confidence, Estimate};
use std::collections::BTreeMap;

/// Runs a network in the engine of the host, which gathers what is wanted. The sequential engine and the replay must
/// gather the same.
fn gathered(toml: &str, wanted: impl FnOnce(&Experiment) -> Wanted) -> (Experiment, Findings) {
    let mut experiment = NetworkConfig::from_toml(toml, "t").unwrap().experiment().unwrap();
    experiment.plan.wanted = wanted(&experiment);
    let findings = experiment.run_watched(host::watched, drop).unwrap();
    let oracle = experiment.run_watched(sequential::watched, drop).unwrap();
    assert!(findings.tally.is_some() && findings.tally == oracle.tally);
    let replayed = replay(&experiment, &findings, &experiment.plan.wanted, |_, _| ()).unwrap();
    assert_eq!(findings.tally.as_ref(), Some(&replayed));
    (experiment, findings)
}

fn passages(toml: &str) -> Vec<Passage> {
    let (experiment, findings) = gathered(toml, |_| Wanted { end_to_end: true, ..Wanted::default() });
    findings.tally.unwrap().end_to_end(&experiment.network, findings.tick, findings.confidence).unwrap()
}

fn at_stations(network: &str, beyond: &[f64], by_class: bool) -> Vec<TimesAtNode> {
    let text = format!("{network}[run]\nhorizon = 6000.0\nreplications = 16\nwarm_up = 200.0\n");
    let wanted = |experiment: &Experiment| {
        let beyond = beyond.iter().map(|time| Threshold::new(*time, experiment.network.tick()).unwrap()).collect();
        Wanted { beyond, quantiles: true, by_class, ..Wanted::default() }
    };
    let (experiment, findings) = gathered(&text, wanted);
    findings.tally.unwrap().at_stations(&experiment.network, findings.tick, findings.confidence).unwrap()
}

fn distributions(toml: &str) -> Vec<Distribution> {
    let (experiment, findings) = gathered(toml, |_| Wanted { numbers: true, ..Wanted::default() });
    findings.tally.unwrap().distributions(&experiment.network, findings.tick, findings.confidence).unwrap()
}

/// A token comes every 10 time units, spends 3 at the first desk and 4 at the second, and never waits: 7 in all.
#[test]
fn by_hand() {
    let passages = passages(
        "[network]
edges = [['door', 'a'], ['a', 'b'], ['b', 'out']]
service = { law = 'deterministic', value = 3.0 }
[[network.source]]
name = 'door'
interarrival = { law = 'deterministic', value = 10.0 }
[[network.node]]
name = 'b'
service = { law = 'deterministic', value = 4.0 }
[run]
horizon = 1005.0
warm_up = 105.0
batches = 3
",
    );
    let [passage] = passages.as_slice() else { panic!("{passages:?}") };
    // Tokens come at 10, 20, ... and leave at 17, 27, ...; those that leave at 107, ..., 997 count.
    assert_eq!(
        (passage.source.as_deref(), passage.class.as_deref(), passage.tokens),
        (Some("door"), Some("token"), 90)
    );
    let exact = Estimate { mean: Some(7.0), interval: Confidence::DEFAULT.interval(Some(0.0)) };
    assert_eq!((passage.time, passage.least, passage.greatest), (exact, Some(7.0), Some(7.0)));
    let p99 = passage.quantiles["p99"];
    assert_eq!((p99.value, p99.half_width()), (Some(7.0), Some(0.0)));
}

/// By Reich's theorem the sojourns of a token at the queues of an M/M/1 tandem are independent and exponential. Their
/// rates are service rate less arrival rate.
#[test]
fn a_tandem_has_the_sum_of_independent_exponential_times() {
    let passages = passages(
        "[network]
edges = [['door', 'a'], ['a', 'b'], ['b', 'out']]
mean = 1.0
[[network.source]]
name = 'door'
mean = 2.0
[[network.node]]
name = 'b'
mean = 0.5
[run]
horizon = 20000.0
warm_up = 500.0
replications = 12
",
    );
    let [passage] = passages.as_slice() else { panic!("{passages:?}") };
    let (slow, fast) = (1.0 - 0.5, 2.0 - 0.5);
    assert!(passage.time.covers(1.0 / slow + 1.0 / fast, 1.6), "{passage:?}");
    let below = |time: f64| 1.0 - (fast * (-slow * time).exp() - slow * (-fast * time).exp()) / (fast - slow);
    for (share, name) in [(0.5, "p50"), (0.9, "p90"), (0.95, "p95"), (0.99, "p99")] {
        let (value, half) = (passage.quantiles[name].value.unwrap(), passage.quantiles[name].half_width().unwrap());
        assert!(half < 0.1 * value, "{name}: {value} ± {half}");
        // The error of the buckets comes on top of the interval.
        let room = 1.6 * half + 0.008 * value;
        assert!(below(value - room) < share && share < below(value + room), "{name}: {value} ± {half}");
    }
}

/// Two sources, and tokens that change their class: each time is known, since no token waits.
#[test]
fn times_are_by_source_and_by_the_class_at_the_way_out() {
    let passages = passages(
        "[network]
classes = ['urgent', 'mild']
servers = 50
[[network.source]]
name = 'east'
class = 'urgent'
interarrival = { law = 'deterministic', value = 4.0 }
[[network.source]]
name = 'west'
class = 'mild'
interarrival = { law = 'deterministic', value = 5.0 }
[[network.node]]
name = 'desk'
service = { law = 'deterministic', value = 2.0 }
[[network.node]]
name = 'ward'
tokens = { mild = 3 }
service = { law = 'deterministic', value = 6.0 }
[[network.route]]
from = 'east'
to = 'desk'
[[network.route]]
from = 'west'
to = 'desk'
[[network.route]]
from = 'desk'
class = 'urgent'
to = 'ward'
becomes = 'mild'
probability = 0.5
[[network.route]]
from = 'desk'
class = 'urgent'
to = 'out'
probability = 0.5
[[network.route]]
from = 'desk'
class = 'mild'
to = 'out'
[[network.route]]
from = 'ward'
class = 'mild'
to = 'out'
[run]
horizon = 2000.0
",
    );
    let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "all".to_owned());
    let told = passages.iter().map(|of| (name(&of.source), name(&of.class), of.least.unwrap(), of.greatest.unwrap()));
    let told: Vec<_> = told.collect();
    // Class urgent leaves from east alone, and west sends class mild alone: these rows stand for both.
    let row = |source: &str, class: &str, least, greatest| (source.to_owned(), class.to_owned(), least, greatest);
    assert_eq!(
        told,
        [
            row("all", "all", 2.0, 8.0),
            row("all", "mild", 2.0, 8.0),
            row("east", "all", 2.0, 8.0),
            row("east", "urgent", 2.0, 2.0),
            row("east", "mild", 8.0, 8.0),
            row("west", "mild", 2.0, 2.0),
        ]
    );
    // Tokens of the start have no source.
    let [all, of_mild, east, urgent, changed, mild] = passages.as_slice() else { panic!("{passages:?}") };
    assert!((498..=499).contains(&east.tokens) && mild.tokens == 399, "{passages:?}");
    assert_eq!((east.tokens, of_mild.tokens), (urgent.tokens + changed.tokens, changed.tokens + mild.tokens));
    assert_eq!(all.tokens, east.tokens + mild.tokens);
    assert!((changed.time.mean.unwrap() - 8.0).abs() < 1e-12);
}

/// Each end-to-end time is that of one token, where tokens queue, overtake each other and come back: the sum of its
/// visits.
#[test]
fn a_passage_is_the_sum_of_its_visits() {
    let network = "[network]
edges = [['door', 'a'], ['a', 'b'], ['a', 'out'], ['b', 'a'], ['b', 'out']]
mean = 1.0
servers = 2
discipline = 'random'
[[network.source]]
name = 'door'
mean = 2.5
[run]
horizon = 3000.0
";
    let experiment = NetworkConfig::from_toml(network, "t").unwrap().experiment().unwrap();
    let findings = experiment.run_watched(sequential::watched, drop).unwrap();
    // Tokens by the time at which they came in: the source emits one at a time.
    let mut spent: BTreeMap<u64, u64> = BTreeMap::new();
    let mut passages = 0;
    replay(&experiment, &findings, &Wanted::default(), |_, visit| {
        if visit.source == Some(visit.node) {
            assert_eq!(visit.entered, visit.left);
            spent.insert(visit.entered, 0);
            return;
        }
        let sum = spent.get_mut(&visit.entered).unwrap();
        // A token arrives at the time at which it left the previous node.
        assert_eq!(visit.arrived - visit.entered, *sum);
        *sum += visit.left - visit.arrived;
        if visit.to.is_none() {
            assert_eq!(spent.remove(&visit.entered), Some(visit.left - visit.entered));
            passages += 1;
        }
    })
    .unwrap();
    assert!(passages > 1000, "{passages}");
}

/// M/M/2: Erlang's formula, and an exponential wait of those that wait.
#[test]
fn shares_and_quantiles_of_two_servers_are_those_of_theory() {
    let network = "[network]
edges = [['door', 'desk'], ['desk', 'out']]
[[network.source]]
name = 'door'
rate = 1.5
[[network.node]]
name = 'desk'
mean = 1.0
servers = 2
";
    let found = at_stations(network, &[1.0, 4.0], false);
    let [desk] = found.as_slice() else { panic!("{found:?}") };
    let (waits, rate) = (erlang_c(1.5, 2), 2.0 - 1.5);
    assert!(desk.waits.covers(waits, 1.6), "{desk:?} {waits}");
    for beyond in &desk.beyond {
        let share = waits * f64::exp(-rate * beyond.time);
        assert!(beyond.share.covers(share, 1.6), "{beyond:?} {share}");
        // Everyone is served.
        assert!(beyond.served_within.covers(1.0 - share, 1.6), "{beyond:?} {share}");
    }
    assert_eq!(desk.beyond.iter().map(|beyond| beyond.time).collect::<Vec<_>>(), [1.0, 4.0]);
    let quantiles = &desk.waiting.as_ref().unwrap().quantiles;
    for (name, percent) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)] {
        let theory = (waits / (1.0 - percent)).ln() / rate;
        let (value, half) = (quantiles[name].value.unwrap(), quantiles[name].half_width().unwrap());
        assert!((value - theory.max(0.0)).abs() < 1.6 * half + 0.008 * theory, "{name}: {value} ± {half} {theory}");
    }
}

/// Two servers and three places to wait: who comes to a free server is served at once, and who finds no room never is.
/// Of those who find one customer in line, so that two services have to end, 1 - 5 e^-4 begin within 2, and so on.
#[test]
fn a_service_level_counts_those_who_found_no_room() {
    let network = "[network]
edges = [['door', 'desk'], ['desk', 'out']]
[[network.source]]
name = 'door'
rate = 2.0
[[network.node]]
name = 'desk'
mean = 1.0
servers = 2
capacity = 5
";
    let found = at_stations(network, &[0.0, 2.0], true);
    // Numbers of the birth-and-death chain: 1, 2, then 2 for each further customer.
    let weights = [1.0, 2.0, 2.0, 2.0, 2.0, 2.0];
    let total: f64 = weights.iter().sum();
    let at_once = (weights[0] + weights[1]) / total;
    // Services end with rate 2, so 4 of them are expected within 2: the wait behind k others ends with the (k + 1)st.
    let ended = |least: u32| {
        1.0 - (0..least).fold((0.0, 1.0), |(sum, term), k| (sum + term, term * 4.0 / f64::from(k + 1))).0
            * f64::exp(-4.0)
    };
    let within = at_once + (2..5).map(|number| weights[number] / total * ended(number as u32 - 1)).sum::<f64>();
    assert_eq!(found.len(), 2);
    for row in &found {
        assert!(row.beyond[0].served_within.covers(at_once, 1.6), "{row:?} {at_once}");
        assert!(row.beyond[1].served_within.covers(within, 1.6), "{row:?} {within}");
    }
}

/// Of calls at two agents with patience, those are answered at once that find an agent free; by `--beyond` alone it
/// would be those that find one free among those that are answered at all.
#[test]
fn a_service_level_counts_those_who_hang_up() {
    let text = "[network]
edges = [['door', 'desk'], ['desk', 'out']]
[[network.source]]
name = 'door'
rate = 2.0
[[network.node]]
name = 'desk'
mean = 1.0
servers = 2
patience = { mean = 0.5 }
[run]
horizon = 6000.0
replications = 16
warm_up = 200.0
";
    let mut experiment = NetworkConfig::from_toml(text, "t").unwrap().experiment().unwrap();
    experiment.plan.wanted =
        Wanted { beyond: vec![Threshold::new(0.0, experiment.network.tick()).unwrap()], ..Wanted::default() };
    let findings = experiment.run_watched(host::watched, drop).unwrap();
    let tally = findings.tally.as_ref().unwrap();
    let rows = tally.at_stations(&experiment.network, findings.tick, findings.confidence).unwrap();
    // With n customers, n - 2 of whom wait, they leave with rate 2 + 2 (n - 2).
    let (mut weights, mut weight) = (vec![1.0, 2.0], 2.0);
    for number in 2..40 {
        weight *= 2.0 / (2.0 + 2.0 * f64::from(number - 2));
        weights.push(weight);
    }
    let at_once = (weights[0] + weights[1]) / weights.iter().sum::<f64>();
    let level = rows[0].beyond[0];
    assert!(level.served_within.covers(at_once, 1.6), "{level:?} {at_once}");
    assert!(level.share.mean.unwrap() < 1.0 - level.served_within.mean.unwrap());
}

/// A single exponential server: tokens of every class find it busy with the probability of the load, and those of
/// the preferred class wait a shorter time. The rows of classes add up to that of the station.
#[test]
fn classes_have_rows_of_their_own() {
    let network = "[network]
classes = ['first', 'last']
[[network.source]]
name = 'a'
class = 'first'
rate = 0.3
[[network.source]]
name = 'b'
class = 'last'
rate = 0.4
[[network.node]]
name = 'desk'
mean = 1.0
discipline = 'priority'
[network.node.class.last]
priority = 1
[[network.route]]
from = 'a'
to = 'desk'
[[network.route]]
from = 'b'
to = 'desk'
[[network.route]]
from = 'desk'
to = 'out'
";
    let found = at_stations(network, &[2.0], true);
    let row = |class: Option<&str>| found.iter().find(|row| row.class.as_deref() == class).unwrap();
    let (all, first, last) = (row(None), row(Some("first")), row(Some("last")));
    for row in [all, first, last] {
        assert!(row.waits.covers(0.7, 1.6), "{row:?}");
    }
    // Those that wait first wait for the service under way and for those of their class before them: an M/M/1 queue
    // of their own rate, begun by a full service.
    let share = 0.7 * f64::exp(-(1.0 - 0.3) * 2.0);
    assert!(first.beyond[0].share.covers(share, 1.6), "{first:?} {share}");
    assert!(last.beyond[0].share.mean > first.beyond[0].share.mean);
    assert_eq!(all.visits, first.visits + last.visits);
}

/// A token is forked into three parts with exponential times of mean 6, of which two are waited for: 6/3 + 6/2. Then it
/// stays for 1.
#[test]
fn the_time_of_a_forked_token_lasts_until_it_leaves_as_a_whole() {
    let passages = passages(
        "[network]
mean = 6.0
servers = 'infinite'
edges = [['door', 'a'], ['door', 'b'], ['door', 'c'], ['a', 'exit'], ['b', 'exit'], ['c', 'exit'], ['exit', 'out']]
[[network.source]]
name = 'door'
rate = 0.6
routing = 'fork'
[[network.node]]
name = 'exit'
join = 2
service = { law = 'deterministic', value = 1.0 }
[run]
horizon = 6000.0
warm_up = 100.0
replications = 8
",
    );
    let [passage] = passages.as_slice() else { panic!("{passages:?}") };
    assert!(passage.time.covers(6.0, 1.6), "{passage:?}");
    assert!(passage.time.half_width().unwrap() < 0.1);
    // P(second of three > t) = 3 e^(-2t/6) - 2 e^(-3t/6).
    let above = |time: f64| 3.0 * f64::exp(-time / 3.0) - 2.0 * f64::exp(-time / 2.0);
    let (p90, half) = (passage.quantiles["p90"].value.unwrap(), passage.quantiles["p90"].half_width().unwrap());
    let room = 1.6 * half + 0.008 * p90;
    assert!(above(p90 - 1.0 - room) > 0.1 && above(p90 - 1.0 + room) < 0.1, "{p90} ± {half}");
}

/// Two classes with pre-emptive priorities: the first sees M/M/1 alone, the second waits for all (Jaiswal). Batches
/// give the intervals.
#[test]
fn interrupted_tokens_have_their_times_by_class() {
    let passages = passages(
        "[network]
classes = ['first', 'last']
[[network.source]]
name = 'a'
class = 'first'
rate = 0.3
[[network.source]]
name = 'b'
class = 'last'
rate = 0.4
[[network.node]]
name = 'desk'
mean = 1.0
discipline = 'priority-preemptive'
[network.node.class.last]
priority = 1
[[network.route]]
from = 'a'
to = 'desk'
[[network.route]]
from = 'b'
to = 'desk'
[[network.route]]
from = 'desk'
to = 'out'
[run]
horizon = 60000.0
warm_up = 500.0
batches = 20
",
    );
    let [all, first, last] = passages.as_slice() else { panic!("{passages:?}") };
    assert_eq!((all.source.as_ref(), all.class.as_ref()), (None, None));
    assert!(first.time.covers(1.0 / 0.7, 1.6), "{first:?}");
    assert!(last.time.covers(1.0 / (0.7 * 0.3), 1.6), "{last:?}");
    assert!(all.time.covers(1.0 / 0.3, 1.6), "{all:?}");
}

/// Visits at several looks add up to the completions that the statistics count, where tokens block one another too.
#[test]
fn every_completed_visit_is_counted_once() {
    for overflow in ["lose", "block"] {
        let text = format!(
            "[network]
edges = [['door', 'a'], ['a', 'b'], ['b', 'out']]
service = {{ law = 'deterministic', value = 1.0 }}
[[network.source]]
name = 'door'
interarrival = {{ law = 'deterministic', value = 0.5 }}
[[network.node]]
name = 'b'
capacity = 2
overflow = '{overflow}'
service = {{ law = 'uniform', low = 0.5, high = 2.0 }}
[run]
horizon = 200.0
batches = 100
"
        );
        let mut experiment = NetworkConfig::from_toml(&text, "t").unwrap().experiment().unwrap();
        experiment.plan.wanted = Wanted { times: true, numbers: true, ..Wanted::default() };
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
            let area: f64 = found[0].shares.iter().map(|of| of.number as f64 * of.time).sum();
            assert_eq!(area, findings.tick.units(totals.number_integral), "{overflow}");
            let area: f64 = found[1..].iter().flat_map(|of| &of.shares).map(|of| of.number as f64 * of.time).sum();
            assert_eq!(area, findings.tick.units(totals.number_integral), "{overflow}");
        }
    }
}

/// Asks that the shares of the time with 0, 1, ... tokens are those of theory, and that their intervals are narrow.
fn agree(found: &Distribution, theory: &[f64]) {
    for (number, share) in theory.iter().enumerate() {
        let of = found.shares[number].share;
        assert!(of.covers(*share, 2.0) && of.half_width().unwrap() < 0.03, "{}, {number}: {of:?} {share}", found.name);
    }
    assert!((found.shares.last().unwrap().at_most - 1.0).abs() < 1e-12);
}

const OF_ONE: &str = "[network]
edges = [['door', 'desk'], ['desk', 'out']]
mean = 1.0
[[network.source]]
name = 'door'
rate = RATE
[run]
horizon = 6000.0
warm_up = 200.0
replications = 16
";

/// M/M/1: (1 - r) r^n. The whole network is the desk.
#[test]
fn the_number_at_a_single_server_is_geometric() {
    let found = distributions(&OF_ONE.replace("RATE", "0.6"));
    let theory: Vec<f64> = (0..8).map(|number| 0.4 * f64::powi(0.6, number)).collect();
    let [whole, desk] = found.as_slice() else { panic!("{found:?}") };
    agree(desk, &theory);
    assert_eq!(whole.shares, desk.shares);
    // 1 - 0.6^(n + 1) is 0.87 at 3 and 0.92 at 4.
    assert_eq!((desk.p50, desk.p90), (1, 4));
}

/// M/M/2/5 by the balance of births and deaths.
#[test]
fn the_number_at_a_station_with_losses_is_that_of_its_chain() {
    let text = OF_ONE.replace("RATE", "2.5") + "[[network.node]]\nname = 'desk'\nservers = 2\ncapacity = 5\n";
    let found = distributions(&text);
    let mut theory = vec![1.0];
    (1..=5).for_each(|number: u32| theory.push(theory[number as usize - 1] * 2.5 / f64::from(number.min(2))));
    let sum: f64 = theory.iter().sum();
    theory.iter_mut().for_each(|share| *share /= sum);
    agree(&found[1], &theory);
    assert_eq!((found[1].most, found[1].shares.len()), (5, 6));
}

/// A tandem with room for two at each station, solved as a chain of nine states by iteration of its balance.
#[test]
fn the_numbers_of_two_stations_are_those_of_their_chain() {
    let text = "[network]
edges = [['door', 'a'], ['a', 'b'], ['b', 'out']]
capacity = 2
[[network.source]]
name = 'door'
rate = 0.9
[[network.node]]
name = 'a'
mean = 1.0
[[network.node]]
name = 'b'
mean = 1.25
[run]
horizon = 6000.0
warm_up = 100.0
replications = 16
";
    let found = distributions(text);
    let place = |a: usize, b: usize| 3 * a + b;
    let mut law = vec![1.0 / 9.0; 9];
    for _ in 0..4_000 {
        let mut next = law.clone();
        for (a, b) in (0..3).flat_map(|a| (0..3).map(move |b| (a, b))) {
            // A token that finds no room is lost.
            let moves = [
                (a < 2, place((a + 1).min(2), b), 0.9),
                (a > 0, place(a.saturating_sub(1), (b + 1).min(2)), 1.0),
                (b > 0, place(a, b.saturating_sub(1)), 0.8),
            ];
            for (_, to, rate) in moves.into_iter().filter(|(is_possible, ..)| *is_possible) {
                let flow = law[place(a, b)] * rate * 0.2;
                next[place(a, b)] -= flow;
                next[to] += flow;
            }
        }
        law = next;
    }
    let sum = |keep: &dyn Fn(usize, usize) -> bool| {
        let states = (0..3).flat_map(|a| (0..3).map(move |b| (a, b)));
        states.filter(|(a, b)| keep(*a, *b)).map(|(a, b)| law[place(a, b)]).sum::<f64>()
    };
    let of = |name: &str| found.iter().find(|of| of.name == name).unwrap();
    agree(of("a"), &[0, 1, 2].map(|number| sum(&|a, _| a == number)));
    agree(of("b"), &[0, 1, 2].map(|number| sum(&|_, b| b == number)));
    agree(of("whole network"), &[0, 1, 2, 3, 4].map(|number| sum(&|a, b| a + b == number)));
}

/// Parts that wait for others, tokens that try again and those in service count where they are.
#[test]
fn the_number_of_a_delay_is_poisson_and_a_join_holds_parts() {
    let text = "[network]
mean = 6.0
servers = 'infinite'
edges = [['door', 'a'], ['door', 'b'], ['a', 'exit'], ['b', 'exit'], ['exit', 'out']]
[[network.source]]
name = 'door'
rate = 0.4
routing = 'fork'
[[network.node]]
name = 'exit'
pass = true
join = 'all'
[run]
horizon = 6000.0
warm_up = 100.0
replications = 16
";
    let found = distributions(text);
    let mut poisson = vec![f64::exp(-2.4)];
    (1..6).for_each(|number| poisson.push(poisson[number - 1] * 2.4 / number as f64));
    let of = |name: &str| found.iter().find(|of| of.name == name).unwrap();
    agree(of("a"), &poisson);
    // A part waits from the first to the second of two exponential ends: 6 for each token.
    let mean: f64 = of("exit").shares.iter().map(|of| of.number as f64 * of.share.mean.unwrap()).sum();
    assert!((mean - 0.4 * 6.0).abs() < 0.05, "{mean}");
}
