//! Sources of the host's engine against formulas and Markov chains.

use crate::host_runs::{Runs, stationary};
use imminent_queueing::config::NetworkConfig;
use imminent_queueing::{Scenario, Start, host};

fn behind(source: &str, node: &str) -> String {
    format!(
        "[network]\nedges = [['door', 'desk'], ['desk', 'out']]\n[[network.source]]\nname = 'door'\n{source}\n\
         [[network.node]]\nname = 'desk'\n{node}\n"
    )
}

#[test]
fn batches_arrive_together() {
    // M^[X]/M/1 with batches of 1 and 4: rho (E X^2 / E X + 1) / (2 (1 - rho)).
    let runs = Runs::of(&behind("rate = 0.3\nbatch = [[1, 0.75], [4, 0.25]]", "mean = 1.0"), 500.0, 20_500.0);
    let (first, second, rho) = (1.75, 4.75, 0.3 * 1.75);
    runs.number("desk", rho * (second / first + 1.0) / (2.0 * (1.0 - rho)));
    runs.throughput("desk", rho);
}

#[test]
fn markovian_arrivals_follow_their_phases() {
    let (d0, d1) = ([[-1.3, 0.1], [0.05, -0.25]], [[1.0, 0.2], [0.0, 0.2]]);
    let states = 2 * 150;
    let law = stationary(states, |state| {
        let (number, phase) = (state / 2, state % 2);
        let mut moves = vec![(2 * number + 1 - phase, d0[phase][1 - phase])];
        if number < 149 {
            moves.extend((0..2).map(|to| (2 * (number + 1) + to, d1[phase][to])));
        }
        if number > 0 {
            moves.push((state - 2, 1.0 / 1.1));
        }
        moves
    });
    let number: f64 = law.iter().enumerate().map(|(state, share)| (state / 2) as f64 * share).sum();
    let source = "markovian = { d0 = [[-1.3, 0.1], [0.05, -0.25]], d1 = [[1.0, 0.2], [0.0, 0.2]] }";
    Runs::of(&behind(source, "mean = 1.1"), 1_000.0, 31_000.0).number("desk", number);
}

#[test]
fn rates_by_the_hour_fill_a_delay_as_the_equation_of_a_fluid() {
    // M_t/M/infinity: m' = lambda(t) - m / s, and the number is a Poisson number of that mean.
    let text = behind("rates = [[0, 10], [8, 40], [16, 0]]\nperiod = 24", "servers = 'infinite'\nmean = 3.0");
    let network = NetworkConfig::from_toml(&text, "t").unwrap().experiment().unwrap().network;
    let tick = network.tick();
    let hours = [4.0, 8.0, 12.0, 16.0, 20.0, 26.0, 36.0];
    let times: Vec<u64> = hours.iter().map(|hour| tick.ticks(*hour).unwrap()).collect();
    let replications = 400;
    let mut numbers = vec![0.0; hours.len()];
    for replication in 0..replications {
        let scenario = Scenario::new(&network, Start::One, tick.ticks(48.0).unwrap(), 5, replication).unwrap();
        let mut look = 0;
        host::by_class(&scenario, &times, &mut |outcome, _| {
            let desk = outcome.statistics[0];
            numbers[look] += (desk.arrivals - desk.completed) as f64 / f64::from(replications as u32);
            look += 1;
        })
        .unwrap();
    }
    let (mut expected, mut at, step) = (0.0_f64, 0, 1e-3);
    for (hour, number) in hours.iter().zip(&numbers) {
        while f64::from(at) * step < *hour {
            let time = (f64::from(at) * step) % 24.0;
            let rate = if time < 8.0 {
                10.0
            } else if time < 16.0 {
                40.0
            } else {
                0.0
            };
            expected += step * (rate - expected / 3.0);
            at += 1;
        }
        let half = 4.0 * (expected / f64::from(replications as u32)).sqrt();
        assert!((number - expected).abs() < half, "at {hour}: {number} instead of {expected} ± {half}");
    }
}

#[test]
fn doors_open_and_close() {
    let source = "interarrival = { law = 'deterministic', value = 1.0 }\nfrom = 5.0\nuntil = 9.5\nbatch = 2";
    let text = behind(source, "servers = 'infinite'\nservice = { law = 'deterministic', value = 0.25 }");
    let network = NetworkConfig::from_toml(&text, "t").unwrap().experiment().unwrap().network;
    let mut left = vec![];
    let scenario = Scenario::new(&network, Start::One, network.tick().ticks(50.0).unwrap(), 1, 0).unwrap();
    let outcome = host::traced(&scenario, &mut |visit| {
        if visit.node == 0 {
            left.push(network.tick().units(visit.left));
        }
    });
    assert_eq!(left, [6.25, 6.25, 7.25, 7.25, 8.25, 8.25, 9.25, 9.25]);
    let outcome = outcome.unwrap();
    assert_eq!((outcome.statistics[1].completed, outcome.statistics[0].completed), (8, 8));
}

#[test]
fn a_source_ends_after_its_last_arrival() {
    let text = behind("rate = 2.0\nlimit = 30", "mean = 0.1");
    let network = NetworkConfig::from_toml(&text, "t").unwrap().experiment().unwrap().network;
    let scenario = Scenario::new(&network, Start::One, network.tick().ticks(500.0).unwrap(), 1, 0).unwrap();
    let outcome = host::simulate(&scenario);
    assert_eq!((outcome.statistics[0].completed, outcome.waiting.total()), (30, 0));
}
