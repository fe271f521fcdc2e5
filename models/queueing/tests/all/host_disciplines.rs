//! Disciplines, servers and impatience of the host's engine against formulas and Markov chains.

use crate::host_runs::{Runs, births_and_deaths, mean, stationary};
use imminent_queueing::config::NetworkConfig;
use imminent_queueing::outcome::NodeStatistics;
use imminent_queueing::trace::Visit;
use imminent_queueing::{Scenario, Start, host};

/// A station that tokens of one class pass: arrivals with rate 0.6.
fn station(keys: &str) -> Runs {
    let text = format!(
        "[network]\nedges = [['door', 'desk'], ['desk', 'out']]\n[[network.source]]\nname = 'door'\nrate = 0.6\n\
         [[network.node]]\nname = 'desk'\n{keys}"
    );
    Runs::of(&text, 500.0, 20_500.0)
}

/// Two classes with arrivals of rates 0.3 and 0.2, and services of means 1 and 2.
fn two_classes(keys: &str, of_a: &str, of_b: &str) -> Runs {
    let text = format!(
        "[network]\nclasses = ['a', 'b']\nedges = [['x', 'desk'], ['y', 'desk'], ['desk', 'out']]\n\
         [[network.source]]\nname = 'x'\nclass = 'a'\nrate = 0.3\n[[network.source]]\nname = 'y'\nclass = 'b'\nrate = 0.2\n\
         [[network.node]]\nname = 'desk'\n{keys}\n[network.node.class.a]\n{of_a}\n[network.node.class.b]\n{of_b}\n"
    );
    Runs::of(&text, 500.0, 40_500.0)
}

#[test]
fn sharing_depends_on_the_mean_service_alone() {
    // M/G/1 PS: s / (1 - rho), whatever the law.
    let runs =
        station("discipline = 'processor-sharing'\nservice = { law = 'hyper-exponential', mean = 1.0, cv = 2.0 }");
    runs.sojourn("desk", None, 2.5);
    runs.number("desk", 1.5);
    runs.throughput("desk", 0.6);
}

#[test]
fn weights_divide_the_server_as_fayolle_found() {
    // Fayolle, Mitrani and Iasnogorodski 1980, exponential services: rates mu, loads rho, weights g.
    let (mu, rho, g): ([f64; 2], [f64; 2], [f64; 2]) = ([1.0, 0.5], [0.3, 0.4], [3.0, 1.0]);
    let free = 1.0 - rho[0] - rho[1];
    let d = mu[0] * g[0] * (1.0 - rho[0]) + mu[1] * g[1] * (1.0 - rho[1]);
    let sojourn = |i: usize, j: usize| (1.0 + mu[i] * rho[j] * (g[j] - g[i]) / d) / (mu[i] * free);
    let runs = two_classes("discipline = 'processor-sharing'", "mean = 1.0\nweight = 3", "mean = 2.0");
    runs.sojourn("desk", Some(0), sojourn(0, 1));
    runs.sojourn("desk", Some(1), sojourn(1, 0));
}

#[test]
fn classes_share_the_server_and_queue_for_their_shares() {
    // A chain of the numbers of both classes: the first of each is served, by weights 2 and 1 if both are there.
    let (most, lambda, mu) = ([40, 60], [0.3, 0.2], [1.0, 0.5]);
    let law = stationary(most[0] * most[1], |state| {
        let (a, b) = (state / most[1], state % most[1]);
        let mut moves = vec![];
        moves.extend((a + 1 < most[0]).then(|| (state + most[1], lambda[0])));
        moves.extend((b + 1 < most[1]).then(|| (state + 1, lambda[1])));
        let shares = if a > 0 && b > 0 { [2.0 / 3.0, 1.0 / 3.0] } else { [1.0, 1.0] };
        moves.extend((a > 0).then(|| (state - most[1], mu[0] * shares[0])));
        moves.extend((b > 0).then(|| (state - 1, mu[1] * shares[1])));
        moves
    });
    let mean = |number: fn(usize, usize) -> usize| {
        let of = law.iter().enumerate().map(|(state, share)| number(state / most[1], state % most[1]) as f64 * share);
        of.sum::<f64>()
    };
    let runs = two_classes("discipline = 'generalized-sharing'", "mean = 1.0\nweight = 2", "mean = 2.0");
    runs.sojourn("desk", Some(0), mean(|a, _| a) / lambda[0]);
    runs.sojourn("desk", Some(1), mean(|_, b| b) / lambda[1]);
    // Tokens of a class wait for one another: all but the first.
    let waits = mean(|a, _| a.saturating_sub(1)) / lambda[0];
    runs.waiting("desk", Some(0), waits);
}

#[test]
fn priorities_that_interrupt() {
    // M/M/1 with pre-emptive resume.
    let runs =
        two_classes("discipline = 'priority-preemptive'", "mean = 1.0\npriority = 0", "mean = 2.0\npriority = 1");
    runs.sojourn("desk", Some(0), 1.0 / 0.7);
    let left = (0.3 * 2.0 + 0.2 * 8.0) / 2.0;
    runs.sojourn("desk", Some(1), 2.0 / 0.7 + left / (0.7 * 0.3));
}

#[test]
fn the_last_that_came_interrupts() {
    // M/G/1 LCFS-PR: s / (1 - rho), whatever the law.
    let runs = station("discipline = 'lifo-preemptive'\nservice = { law = 'erlang', stages = 4, mean = 1.0 }");
    runs.sojourn("desk", None, 2.5);
}

#[test]
fn short_jobs_first_is_a_priority_by_length() {
    // Constant services of 1 and 2: Cobham's formula.
    let constant = |value: f64| format!("service = {{ law = 'deterministic', value = {value:?} }}");
    let runs = two_classes("discipline = 'shortest-job'", &constant(1.0), &constant(2.0));
    let left = (0.3 * 1.0 + 0.2 * 4.0) / 2.0;
    runs.waiting("desk", Some(0), left / 0.7);
    runs.waiting("desk", Some(1), left / (0.7 * 0.3));
}

#[test]
fn the_shortest_rest_first_is_as_schrage_and_miller_found() {
    // M/M/1 with rate 0.6: mean over x of lambda m(x) / (2 (1 - r(x))^2) and of the integral of 1 / (1 - r) up to x.
    let (lambda, step) = (0.6_f64, 1e-3);
    let (mut second, mut load, mut residence, mut sojourn) = (0.0, 0.0, 0.0, 0.0);
    for place in 0..40_000 {
        let x = (f64::from(place) + 0.5) * step;
        let density = (-x).exp();
        second += lambda * x * x * density * step;
        load += lambda * x * density * step;
        residence += step / (1.0 - load);
        let waits = (second + lambda * x * x * (-x).exp()) / (2.0 * (1.0 - load).powi(2));
        sojourn += (waits + residence) * density * step;
    }
    station("discipline = 'shortest-remaining'\nmean = 1.0").sojourn("desk", None, sojourn);
}

#[test]
fn every_token_has_a_server_of_its_own_in_a_delay() {
    let runs = station("servers = 'infinite'\nservice = { law = 'uniform', low = 0.0, high = 10.0 }");
    runs.number("desk", 3.0);
    runs.waiting("desk", None, 0.0);
    runs.sojourn("desk", None, 5.0);
}

#[test]
fn speeds_follow_the_number_of_tokens() {
    // Speeds 1 and 2 make two servers of one.
    let law = births_and_deaths(200, |_| 0.6, |number| number.min(2) as f64 / 2.5);
    station("speeds = [1.0, 2.0]\nmean = 2.5").number("desk", mean(&law));
}

#[test]
fn servers_that_break_down() {
    // A server that fails at rate 0.1 and is repaired at rate 0.4; services are resumed: M/M/1 in a random environment.
    let states = 2 * 150;
    let law = stationary(states, |state| {
        let (number, up) = (state / 2, state % 2 == 1);
        let mut moves = vec![(state ^ 1, if up { 0.1 } else { 0.4 })];
        if number < 149 {
            moves.push((state + 2, 0.6));
        }
        if up && number > 0 {
            moves.push((state - 2, 1.0 / 0.9));
        }
        moves
    });
    let number: f64 = law.iter().enumerate().map(|(state, share)| (state / 2) as f64 * share).sum();
    station("mean = 0.9\nbreakdowns = { up = { mean = 10.0 }, down = { mean = 2.5 } }").number("desk", number);
}

/// A token that is served without end by a server that works for 2 time units in the mean, and is repaired for 0.5.
fn machine(keys: &str) -> Runs {
    let text = format!(
        "[network]\nlinks = [['desk', 'desk']]\n[[network.node]]\nname = 'desk'\ntokens = 1\n\
         breakdowns = {{ up = {{ mean = 2.0 }}, down = {{ mean = 0.5 }} }}\n{keys}"
    );
    Runs::of(&text, 100.0, 10_100.0)
}

#[test]
fn interrupted_services_go_on_or_begin_again() {
    let constant = "service = { law = 'deterministic', value = 1.5 }\n";
    machine(constant).throughput("desk", 1.0 / (1.5 * (1.0 + 0.5 / 2.0)));
    machine(&format!("{constant}interrupted = 'restart'"))
        .throughput("desk", 1.0 / ((2.0 + 0.5) * (f64::exp(0.75) - 1.0)));
    // An exponential service has no memory.
    machine("mean = 1.5\ninterrupted = 'resample'").throughput("desk", 1.0 / (1.5 * (1.0 + 0.5 / 2.0)));
}

#[test]
fn impatient_tokens_leave_as_erlang_a_has_it() {
    let (rate, service, patience) = (0.6, 3.0, 2.0);
    let law = births_and_deaths(
        200,
        |_| rate,
        |number| number.min(2) as f64 / service + number.saturating_sub(2) as f64 / patience,
    );
    let waiting: f64 = law.iter().enumerate().map(|(number, share)| number.saturating_sub(2) as f64 * share).sum();
    let runs = station("servers = 2\nmean = 3.0\npatience = { mean = 2.0 }");
    runs.number("desk", mean(&law));
    runs.share("desk", |sums| sums.reneged, waiting / patience / rate);
}

#[test]
fn tokens_balk_where_many_are() {
    let joins = [1.0, 0.8, 0.5, 0.25, 0.0];
    let law = births_and_deaths(4, |number| 0.6 * joins[number], |_| 1.0);
    let lost: f64 = law.iter().zip(joins).map(|(share, joins)| share * (1.0 - joins)).sum();
    let runs = station("mean = 1.0\nbalking = [1.0, 0.8, 0.5, 0.25, 0.0]");
    runs.number("desk", mean(&law));
    runs.share("desk", |sums| sums.lost, lost);
}

#[test]
fn tokens_try_again_until_there_is_room() {
    // M/M/1 with retrials: the mean number in the orbit is rho (lambda / theta + rho) / (1 - rho).
    let runs = station("mean = 1.0\ncapacity = 1\nretry = { mean = 2.0 }");
    runs.number("desk", 0.6 + 0.6 * (0.6 * 2.0 + 0.6) / 0.4);
    runs.throughput("desk", 0.6);
}

#[test]
fn the_first_pool_that_can_serves() {
    // A fast server that is taken first, and a slow one: states none, fast, slow, and two or more tokens.
    let (rate, fast, slow) = (0.6, 1.0, 0.5);
    let states = 150;
    let law = stationary(states, |state| match state {
        0 => vec![(1, rate)],
        1 => vec![(0, fast), (3, rate)],
        2 => vec![(0, slow), (3, rate)],
        3 => vec![(2, fast), (1, slow), (4, rate)],
        _ => [(state - 1, fast + slow)].into_iter().chain((state + 1 < states).then_some((state + 1, rate))).collect(),
    });
    let tokens = |state: usize| if state < 2 { state } else { state - 1 };
    let number: f64 = law.iter().enumerate().map(|(state, share)| tokens(state) as f64 * share).sum();
    let runs = station(
        "mean = 2.0\n[[network.node.pool]]\nservers = 1\nspeed = 2.0\n[[network.node.pool]]\nservers = 1\nspeed = 1.0\n",
    );
    runs.number("desk", number);
}

#[test]
fn pools_serve_their_classes() {
    // Each class has servers of its own: two stations M/M/1.
    let runs = two_classes(
        "",
        "mean = 1.0",
        "mean = 2.0\n[[network.node.pool]]\nservers = 1\nclasses = ['b']\n[[network.node.pool]]\nservers = 1\nclasses = ['a']",
    );
    runs.sojourn("desk", Some(0), 1.0 / 0.7);
    runs.sojourn("desk", Some(1), 2.0 / 0.6);
}

/// Times at which tokens leave the node `desk`, of a file that is simulated to the end of 100 time units.
fn ends(text: &str) -> Vec<f64> {
    let network = NetworkConfig::from_toml(text, "t").unwrap().experiment().unwrap().network;
    let desk = (0..network.len() as u32).find(|&node| network.label(node) == "desk").unwrap();
    let scenario = Scenario::new(&network, Start::One, network.tick().ticks(100.0).unwrap(), 1, 0).unwrap();
    let mut left = vec![];
    let mut visited = |visit: Visit| left.extend((visit.node == desk).then(|| network.tick().units(visit.left)));
    host::traced(&scenario, &mut visited).unwrap();
    left
}

#[test]
fn shifts_by_hand() {
    // One server from 10 to 20 of every 30; services take 4; all eight tokens are there from the start.
    let of = |end: &str| {
        ends(&format!(
            "[network]\nedges = [['desk', 'out']]\n[[network.node]]\nname = 'desk'\ntokens = 8\nservers = 1\n\
             service = {{ law = 'deterministic', value = 4.0 }}\nshifts = {{ at = [[10, 1], [20, 0]], period = 30, end = '{end}' }}\n"
        ))
    };
    assert_eq!(of("finish"), [14.0, 18.0, 22.0, 44.0, 48.0, 52.0, 74.0, 78.0]);
    assert_eq!(of("interrupt"), [14.0, 18.0, 42.0, 46.0, 50.0, 74.0, 78.0]);
}

#[test]
fn patience_ends_with_the_first_start() {
    // The server goes off duty at 3, in the service of the first token, which waits from then on for longer than 5. The
    // second one has left at 5, before the server comes back at 20.
    let left = ends(
        "[network]\nedges = [['desk', 'out']]\n[[network.node]]\nname = 'desk'\ntokens = 2\nservers = 1\n\
         service = { law = 'deterministic', value = 4.0 }\npatience = { law = 'deterministic', value = 5.0 }\n\
         shifts = { at = [[0, 1], [3, 0], [20, 1]], end = 'interrupt' }\n",
    );
    assert_eq!(left, [21.0]);
}

#[test]
fn nobody_interrupts_a_server_that_only_finishes() {
    // The server goes off duty at 1 and finishes until 4; a token of higher priority comes at 2 and waits until 20.
    let left = ends(
        "[network]\nclasses = ['high', 'low']\nedges = [['door', 'desk'], ['desk', 'out']]\n[[network.source]]\nname = 'door'\n\
         class = 'high'\ninterarrival = { law = 'deterministic', value = 2.0 }\nlimit = 1\n[[network.node]]\nname = 'desk'\n\
         tokens = { low = 1 }\nservice = { law = 'deterministic', value = 4.0 }\ndiscipline = 'priority-preemptive'\n\
         shifts = { at = [[0, 1], [1, 0], [20, 1]] }\n[network.node.class.low]\npriority = 1\n",
    );
    assert_eq!(left, [4.0, 24.0]);
}

#[test]
fn room_that_impatience_makes_is_given_at_once() {
    // The desk serves one of its two tokens until 50; the other leaves it at 5, and so lets in the one that has waited
    // at the gate since 1, which gives up at 10, in turn. The gate is free for its second token from 5 to 6.
    let text = "[network]\nedges = [['gate', 'desk'], ['desk', 'out']]\n[[network.node]]\nname = 'gate'\ntokens = 2\n\
                service = { law = 'deterministic', value = 1.0 }\n[[network.node]]\nname = 'desk'\ntokens = 2\ncapacity = 2\n\
                overflow = 'block'\nservice = { law = 'deterministic', value = 50.0 }\npatience = { law = 'deterministic', value = 5.0 }\n";
    let network = NetworkConfig::from_toml(text, "t").unwrap().experiment().unwrap().network;
    let scenario = Scenario::new(&network, Start::One, network.tick().ticks(60.0).unwrap(), 1, 0).unwrap();
    let mut left = vec![];
    let outcome =
        host::traced(&scenario, &mut |visit| left.push((visit.node, network.tick().units(visit.left)))).unwrap();
    assert_eq!(left, [(0, 5.0), (0, 10.0), (1, 50.0)]);
    assert_eq!(outcome.statistics[1].reneged, 3);
}

#[test]
fn a_breakdown_begins_the_service_of_its_own_server_again() {
    // Two servers that are always busy, each on its own: the cycle of one with restarts, twice.
    let text = "[network]\nlinks = [['desk', 'desk']]\n[[network.node]]\nname = 'desk'\ntokens = 2\nservers = 2\ninterrupted = 'restart'\n\
                service = { law = 'deterministic', value = 0.2 }\nbreakdowns = { up = { mean = 2.0 }, down = { mean = 0.001 } }\n";
    // Repairs take next to no time, so a token seldom finds the other server free meanwhile.
    let cycle = (2.0 + 0.001) * (f64::exp(0.1) - 1.0);
    Runs::of(text, 100.0, 2_100.0).throughput("desk", 2.0 / cycle);
}

#[test]
fn shares_of_servers_by_class_add_up() {
    // Two classes at a station with shifts, and one of them at a delay behind it.
    let text = "[network]\nclasses = ['a', 'b']\nedges = [['x', 'desk'], ['y', 'desk'], ['desk', 'rest'], ['rest', 'out']]\n\
                [[network.source]]\nname = 'x'\nclass = 'a'\nrate = 0.2\n[[network.source]]\nname = 'y'\nclass = 'b'\nrate = 0.3\n\
                [[network.node]]\nname = 'desk'\nmean = 1.0\nservers = 2\nshifts = { at = [[0, 1], [8, 2]], period = 24 }\n\
                [[network.node]]\nname = 'rest'\nmean = 5.0\nservers = 'infinite'\n";
    let network = NetworkConfig::from_toml(text, "t").unwrap().experiment().unwrap().network;
    let scenario = Scenario::new(&network, Start::One, network.tick().ticks(2_400.0).unwrap(), 1, 0).unwrap();
    let horizon = scenario.horizon();
    host::by_class(&scenario, &[horizon], &mut |outcome, classes| {
        for (node, of_classes) in outcome.statistics.iter().zip(classes.chunks(2)) {
            let sum = |of: fn(&NodeStatistics) -> u64| of_classes.iter().map(of).sum::<u64>();
            assert_eq!((sum(|of| of.busy), sum(|of| of.delayed)), (node.busy, node.delayed));
            assert!(of_classes.iter().all(|of| of.staffed == node.staffed));
        }
        // 8 of 24 time units with one server, 16 with two, and some time beyond duty.
        let staffed = outcome.statistics[0].staffed as f64 / horizon as f64;
        assert!((5.0 / 3.0..1.8).contains(&staffed), "{staffed}");
        assert_eq!((outcome.statistics[1].staffed, outcome.statistics[1].busy), (0, 0));
    })
    .unwrap();
}
