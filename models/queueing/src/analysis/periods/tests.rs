#![allow(clippy::unwrap_used)]

use super::*;
use crate::analysis::Findings;
use crate::config::NetworkConfig;
use crate::tally::{Threshold, Wanted};
use crate::trace::replay;
use crate::{host, sequential};

fn experiment(text: &str, beyond: &[f64]) -> Experiment {
    let mut experiment = NetworkConfig::from_toml(text, "t").unwrap().experiment().unwrap();
    let beyond = beyond.iter().map(|time| Threshold::new(*time, experiment.network.tick()).unwrap()).collect();
    experiment.plan.wanted = Wanted { beyond, end_to_end: true, ..Wanted::default() };
    experiment
}

fn report(experiment: &Experiment, findings: &Findings, tally: Option<&RunTally>) -> Vec<Period> {
    findings.periods.as_ref().unwrap().report(&experiment.network, tally, findings.tick, findings.confidence)
}

/// Runs a network, whose results by period must not depend on the engine.
fn periods(text: &str, beyond: &[f64]) -> Vec<Period> {
    let experiment = experiment(text, beyond);
    let findings = experiment.run_watched(host::watched, drop).unwrap();
    let found = report(&experiment, &findings, findings.tally.as_ref());
    let replayed = replay(&experiment, &findings, &experiment.plan.wanted, |_, _| ()).unwrap();
    assert_eq!(findings.tally.as_ref(), Some(&replayed));
    if experiment.network.beyond_sequential().is_none() {
        let oracle = experiment.run_watched(sequential::watched, drop).unwrap();
        assert_eq!(report(&experiment, &oracle, oracle.tally.as_ref()), found);
    }
    found
}

const DELAY: &str = "[network]
edges = [['door', 'ward'], ['ward', 'out']]
[[network.source]]
name = 'door'
rates = [[0, 2], [8, 12], [16, 4]]
period = 24
[[network.node]]
name = 'ward'
servers = 'infinite'
mean = 3.0
[run]
horizon = 36.0
replications = 1000
every = 3.0
";

/// M(t)/M/inf from empty: the mean m(t) solves m' = rate(t) - m / 3, here exactly on each piece of the rate. A period
/// has its average, the change of m taken from the arrivals: 3 (integral of the rate - change of m) / 3.
#[test]
fn a_day_at_a_delay_is_that_of_its_equation() {
    let found = periods(DELAY, &[]);
    assert_eq!(found.iter().map(|of| (of.from, of.to)).collect::<Vec<_>>()[..2], [(0.0, 3.0), (3.0, 6.0)]);
    assert_eq!((found.len(), found.last().map(|of| of.to)), (12, Some(36.0)));
    let rate = |time: f64| match time % 24.0 {
        time if time < 8.0 => 2.0,
        time if time < 16.0 => 12.0,
        _ => 4.0,
    };
    let mut mean: f64 = 0.0;
    for period in &found {
        let (mut came, before) = (0.0, mean);
        // All changes of the rate are at whole hours.
        for hour in period.from as u32..period.to as u32 {
            let level = rate(f64::from(hour));
            came += level;
            mean = 3.0 * level + (mean - 3.0 * level) * f64::exp(-1.0 / 3.0);
        }
        let number = came - (mean - before);
        let (ward, system) = (&period.nodes[0].stats, &period.system);
        assert!(ward["number"].covers(number, 1.8), "{period:?}: {number}");
        assert!(ward["number"].relative().unwrap() < 0.05);
        assert!(ward["arrival_rate"].covers(came / 3.0, 1.8), "{period:?}: {came}");
        assert!(ward["throughput"].covers(number / 3.0, 1.8), "{period:?}: {number}");
        assert!(system["arrival_rate"].covers(came / 3.0, 1.8) && system["number"] == ward["number"]);
        assert!(!ward.contains_key("utilization") && !ward.contains_key("reneging"));
        // Departures of Poisson arrivals in a period stayed for shorter than the mean at first.
        assert!(system.contains_key("response"));
    }
}

/// M/M/1 from empty: the chain's equation is solved by small steps, with its states cut at 60.
#[test]
fn a_single_server_fills_as_its_chain() {
    let text = "[network]
edges = [['door', 'desk'], ['desk', 'out']]
[[network.source]]
name = 'door'
rate = 0.8
[[network.node]]
name = 'desk'
mean = 1.0
[run]
horizon = 32.0
replications = 2000
every = 4.0
";
    let found = periods(text, &[]);
    let mut law = vec![0.0; 60];
    law[0] = 1.0;
    let step = 0.002;
    for period in &found {
        let (mut area, mut busy) = (0.0, 0.0);
        for _ in 0..((period.to - period.from) / step).round() as u32 {
            let mut next = law.clone();
            for number in 0..law.len() {
                let up = if number + 1 < law.len() { 0.8 * step * law[number] } else { 0.0 };
                let down = if number > 0 { step * law[number] } else { 0.0 };
                next[number] -= up + down;
                next[(number + 1).min(59)] += up;
                next[number.saturating_sub(1)] += down;
            }
            law = next;
            area += law.iter().enumerate().map(|(number, share)| number as f64 * share).sum::<f64>() * step;
            busy += (1.0 - law[0]) * step;
        }
        let (number, busy) = (area / 4.0, busy / 4.0);
        let desk = &period.nodes[0].stats;
        assert!(desk["number"].covers(number, 1.8) && desk["number"].relative() < Some(0.1), "{period:?}: {number}");
        assert!(desk["utilization"].covers(busy, 1.8), "{period:?}: {busy}");
        assert!(desk["throughput"].covers(busy, 1.8), "{period:?}: {busy}");
        assert!(desk["queue_length"].covers(number - busy, 1.8), "{period:?}: {number}");
    }
}

/// Of a stationary M/M/1 queue every period has the same shares. All periods together have those of the whole run.
#[test]
fn shares_of_waits_have_periods_too() {
    let text = "[network]
edges = [['door', 'desk'], ['desk', 'out']]
[[network.source]]
name = 'door'
rate = 0.6
[[network.node]]
name = 'desk'
mean = 1.0
patience = { law = 'deterministic', value = 5.0 }
[run]
horizon = 1200.0
warm_up = 50.0
replications = 20
every = 200.0
";
    let experiment = experiment(text, &[2.0]);
    let findings = experiment.run_watched(host::watched, drop).unwrap();
    let found = report(&experiment, &findings, findings.tally.as_ref());
    // The last period is shorter.
    assert_eq!(found.iter().map(|of| of.to).collect::<Vec<_>>(), [250.0, 450.0, 650.0, 850.0, 1050.0, 1200.0]);
    let tally = findings.tally.as_ref().unwrap();
    let all = tally.at_stations(&experiment.network, findings.tick, findings.confidence).unwrap();
    for (name, share) in [("waits", all[0].waits), ("waits_beyond_2", all[0].beyond[0].share)] {
        for period in &found {
            let of = period.nodes[0].stats[name];
            let (mean, room) = (share.mean.unwrap(), 1.8 * of.half_width().unwrap());
            assert!((of.mean.unwrap() - mean).abs() < room && room < 0.2, "{name}: {period:?} {share:?}");
        }
    }
    let reneging: Vec<f64> = found.iter().map(|of| of.nodes[0].stats["reneging"].mean.unwrap()).collect();
    assert!(reneging.iter().all(|share| (0.005..0.1).contains(share)), "{reneging:?}");
    let names = Period::names(&found);
    assert_eq!(names.first().map(String::as_str), Some("arrival_rate"));
    assert_eq!(names[names.len() - 4..], ["response", "served_within_2", "waits", "waits_beyond_2"]);
}

/// Classes that come one after the other, of which one turns into the other at the desk: their rows add up to those of
/// the desk and of the network, and engines of all kinds have the same.
#[test]
fn classes_have_rows_that_add_up() {
    let text = "[network]
classes = ['early', 'late']
[[network.source]]
name = 'morning'
class = 'early'
rate = 1.0
[[network.source]]
name = 'evening'
class = 'late'
rate = 0.5
[[network.node]]
name = 'desk'
mean = 0.5
[[network.route]]
from = 'morning'
to = 'desk'
[[network.route]]
from = 'evening'
to = 'desk'
[[network.route]]
from = 'desk'
to = 'out'
[run]
horizon = 400.0
replications = 8
every = 100.0
";
    let mut all = vec![];
    for window in ["", "until = 200"] {
        let text = text.replace("rate = 1.0", &format!("rate = 1.0\n{window}"));
        let mut experiment = NetworkConfig::from_toml(&text, "t").unwrap().experiment().unwrap();
        experiment.plan.by_class = true;
        let findings = experiment.run_watched(host::watched, drop).unwrap();
        let found = report(&experiment, &findings, None);
        for period in &found {
            let [early, late] = period.classes.as_slice() else { panic!("{period:?}") };
            for name in ["arrival_rate", "throughput", "number", "queue_length", "utilization"] {
                let of = |stats: &BTreeMap<String, Estimate>| stats[name].mean.unwrap();
                let sum = of(&early.nodes[0].stats) + of(&late.nodes[0].stats);
                assert!((sum - of(&period.nodes[0].stats)).abs() < 1e-9, "{name}: {period:?}");
                let sum = of(&early.system) + of(&late.system);
                assert!((sum - of(&period.system)).abs() < 1e-9, "{name}: {period:?}");
            }
        }
        let rate = |period: usize| found[period].classes[0].system["arrival_rate"].mean.unwrap();
        assert!(rate(1) > 0.8 && (rate(3) == 0.0) != window.is_empty(), "{found:?}");
        if window.is_empty() {
            let oracle = experiment.run_watched(sequential::watched, drop).unwrap();
            assert_eq!(found, report(&experiment, &oracle, None));
        }
        all.push(found);
    }
    // The evening is the same whatever the morning.
    assert_eq!(all[0][3].classes[1].system["arrival_rate"], all[1][3].classes[1].system["arrival_rate"]);
    // A class that turns into another has no exits of its own.
    let turning = text.replace("from = 'desk'\nto = 'out'", "from = 'desk'\nclass = 'late'\nto = 'out'")
        + "[[network.route]]\nfrom = 'desk'\nclass = 'early'\nto = 'desk'\nbecomes = 'late'\n";
    let turning = turning.replace("rate = 0.5", "rate = 0.4").replace("mean = 0.5", "mean = 0.3");
    let (run, routes) = (turning.find("[run]").unwrap(), turning.rfind("[[network.route]]").unwrap());
    let turning = format!("{}{}{}", &turning[..run], &turning[routes..], &turning[run..routes]);
    let mut experiment = NetworkConfig::from_toml(&turning, "t").unwrap().experiment().unwrap();
    experiment.plan.by_class = true;
    let findings = experiment.run_watched(host::watched, drop).unwrap();
    let found = report(&experiment, &findings, None);
    let early = &found[0].classes[0];
    assert!(early.system.contains_key("arrival_rate") && !early.system.contains_key("throughput"), "{early:?}");
    assert!(early.nodes[0].stats.contains_key("throughput"));
}
