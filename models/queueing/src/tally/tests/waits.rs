//! Shares of visits that wait, service levels, and quantiles of times.

use super::*;
use crate::theory::erlang_c;

fn at_stations(network: &Model, beyond: &[f64], by_class: bool) -> Vec<TimesAtNode> {
    let text = network.run("horizon = 6000.0; replications = 16; warm_up = 200.0");
    let wanted = |experiment: &Experiment| {
        let beyond = beyond.iter().map(|time| Threshold::new(*time, experiment.network.tick()).unwrap()).collect();
        Wanted { beyond, quantiles: true, by_class, ..Wanted::default() }
    };
    let (experiment, findings) = gathered(&text, wanted);
    findings.tally.unwrap().at_stations(&experiment.network, findings.tick, findings.confidence).unwrap()
}

/// M/M/2: Erlang's formula, and an exponential wait of those that wait.
#[test]
fn shares_and_quantiles_of_two_servers_are_those_of_theory() {
    let network = Model::along("door desk out").source("door", "rate = 1.5").node("desk", "mean = 1.0; servers = 2");
    let found = at_stations(&network, &[1.0, 4.0], false);
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
    let network = Model::along("door desk out")
        .source("door", "rate = 2.0")
        .node("desk", "mean = 1.0; servers = 2; capacity = 5");
    let found = at_stations(&network, &[0.0, 2.0], true);
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
    let text = Model::along("door desk out")
        .source("door", "rate = 2.0")
        .node("desk", "mean = 1.0; servers = 2; patience = { mean = 0.5 }")
        .run("horizon = 6000.0; replications = 16; warm_up = 200.0");
    let experiment = experiment(&text, |experiment| Wanted {
        beyond: vec![Threshold::new(0.0, experiment.network.tick()).unwrap()],
        ..Wanted::default()
    });
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
    let network = Model::new()
        .keys("classes = ['first', 'last']")
        .source("a", "class = 'first'; rate = 0.3")
        .source("b", "class = 'last'; rate = 0.4")
        .node("desk", "mean = 1.0; discipline = 'priority'; class.last.priority = 1")
        .route("a", "desk", "")
        .route("b", "desk", "")
        .route("desk", "out", "");
    let found = at_stations(&network, &[2.0], true);
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
