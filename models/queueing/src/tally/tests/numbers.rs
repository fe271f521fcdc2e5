//! Distributions of the number of tokens.

use super::*;

fn distributions(toml: &str) -> Vec<Distribution> {
    let (experiment, findings) = gathered(toml, |_| Wanted { numbers: true, ..Wanted::default() });
    findings.tally.unwrap().distributions(&experiment.network, findings.tick, findings.confidence).unwrap()
}

/// Asks that the shares of the time with 0, 1, ... tokens are those of theory, and that their intervals are narrow.
fn agree(found: &Distribution, theory: &[f64]) {
    for (number, share) in theory.iter().enumerate() {
        let of = found.shares[number].share;
        assert!(of.covers(*share, 2.0) && of.half_width().unwrap() < 0.03, "{}, {number}: {of:?} {share}", found.name);
    }
    assert!((found.shares.last().unwrap().at_most - 1.0).abs() < 1e-12);
}

/// A desk where services take 1, with keys of its source and its own.
fn of_one(source: &str, desk: &str) -> String {
    let network = Model::along("door desk out").keys("mean = 1.0").source("door", source).node("desk", desk);
    network.run("horizon = 6000.0; warm_up = 200.0; replications = 16")
}

/// M/M/1: (1 - r) r^n. The whole network is the desk.
#[test]
fn the_number_at_a_single_server_is_geometric() {
    let found = distributions(&of_one("rate = 0.6", ""));
    let theory: Vec<f64> = (0..8).map(|number| 0.4 * f64::powi(0.6, number)).collect();
    let [whole, all_waiting, desk, waiting] = found.as_slice() else { panic!("{found:?}") };
    agree(desk, &theory);
    assert_eq!((&whole.shares, &all_waiting.shares), (&desk.shares, &waiting.shares));
    // Nobody waits with a token or none, and one less waits than is there with more.
    let of_waiting: Vec<f64> = [theory[0] + theory[1]].into_iter().chain(theory[2..].iter().copied()).collect();
    agree(waiting, &of_waiting);
    // 1 - 0.6^(n + 1) is 0.87 at 3 and 0.92 at 4.
    assert_eq!((desk.p50, desk.p90), (1, 4));
}

/// M/M/2/5 by the balance of births and deaths.
#[test]
fn the_number_at_a_station_with_losses_is_that_of_its_chain() {
    let found = distributions(&of_one("rate = 2.5", "servers = 2; capacity = 5"));
    let mut theory = vec![1.0];
    (1..=5).for_each(|number: u32| theory.push(theory[number as usize - 1] * 2.5 / f64::from(number.min(2))));
    let sum: f64 = theory.iter().sum();
    theory.iter_mut().for_each(|share| *share /= sum);
    agree(&found[2], &theory);
    assert_eq!((found[2].most, found[2].shares.len()), (5, 6));
    agree(&found[3], &[theory[..3].iter().sum(), theory[3], theory[4], theory[5]]);
}

/// A tandem with room for two at each station, solved as a chain of nine states by iteration of its balance.
#[test]
fn the_numbers_of_two_stations_are_those_of_their_chain() {
    let text = Model::along("door a b out")
        .keys("capacity = 2")
        .source("door", "rate = 0.9")
        .node("a", "mean = 1.0")
        .node("b", "mean = 1.25")
        .run("horizon = 6000.0; warm_up = 100.0; replications = 16");
    let found = distributions(&text);
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
    let text = Model::with_ways(&["door a", "door b", "a exit", "b exit out"])
        .keys("mean = 6.0; servers = 'infinite'")
        .source("door", "rate = 0.4; routing = 'fork'")
        .node("exit", "pass = true; join = 'all'")
        .run("horizon = 6000.0; warm_up = 100.0; replications = 16");
    let found = distributions(&text);
    let mut poisson = vec![f64::exp(-2.4)];
    (1..6).for_each(|number| poisson.push(poisson[number - 1] * 2.4 / number as f64));
    let of = |name: &str| found.iter().find(|of| of.name == name).unwrap();
    agree(of("a"), &poisson);
    // A part waits from the first to the second of two exponential ends: 6 for each token.
    let mean: f64 = of("exit").shares.iter().map(|of| of.number as f64 * of.share.mean.unwrap()).sum();
    assert!((mean - 0.4 * 6.0).abs() < 0.05, "{mean}");
}
