//! Routes by the state, forks, joins and regions of the host's engine against formulas and Markov chains.

use crate::host_runs::{Runs, births_and_deaths, mean, stationary};

/// Two queues behind a source of rate 1.2 that chooses between them by `routing`.
fn two_queues(routing: &str) -> Runs {
    let text = format!(
        "[network]\nmean = 1.0\nedges = [['door', 'left'], ['door', 'right'], ['left', 'exit'], ['right', 'exit'], ['exit', 'out']]\n\
         [[network.source]]\nname = 'door'\nrate = 1.2\nrouting = '{routing}'\n[[network.node]]\nname = 'exit'\npass = true\n"
    );
    Runs::of(&text, 500.0, 15_500.0)
}

#[test]
fn the_shortest_queue_is_joined() {
    let most = 40;
    let law = stationary(most * most, |state| {
        let (a, b) = (state / most, state % most);
        let mut moves = vec![];
        let join = |a: usize, b: usize| a.min(most - 1) * most + b.min(most - 1);
        match a.cmp(&b) {
            std::cmp::Ordering::Less => moves.push((join(a + 1, b), 1.2)),
            std::cmp::Ordering::Greater => moves.push((join(a, b + 1), 1.2)),
            std::cmp::Ordering::Equal => moves.extend([(join(a + 1, b), 0.6), (join(a, b + 1), 0.6)]),
        }
        moves.extend((a > 0).then(|| (join(a - 1, b), 1.0)));
        moves.extend((b > 0).then(|| (join(a, b - 1), 1.0)));
        moves
    });
    let number: f64 = law.iter().enumerate().map(|(state, share)| (state / most + state % most) as f64 * share).sum();
    // Of two queues, two choices are all.
    for routing in ["shortest-queue", "power-of-two"] {
        two_queues(routing).passage("exit", number / 1.2);
    }
}

#[test]
fn the_shortest_of_three_of_four_queues_is_joined() {
    // Numbers in rising order: of three queues the shortest of all is one with 3/4, or else the second is the shortest.
    let most = 10;
    let mut states = vec![];
    for a in 0..=most {
        for b in a..=most {
            states.extend((b..=most).flat_map(|c| (c..=most).map(move |d| [a, b, c, d])));
        }
    }
    let place = |mut state: [usize; 4]| {
        state.sort_unstable();
        states.binary_search(&state)
    };
    let law = stationary(states.len(), |number| {
        let state = states[number];
        let with = |queue: usize, change: isize| {
            let mut next = state;
            next[queue] = next[queue].checked_add_signed(change)?;
            place(next).ok()
        };
        let arrivals = [(0, 0.75), (1, 0.25)].map(|(queue, share)| Some((with(queue, 1)?, 2.4 * share)));
        let services = [0, 1, 2, 3].map(|queue| Some((with(queue, -1)?, 1.0)));
        arrivals.into_iter().chain(services).flatten().collect()
    });
    let number: f64 = states.iter().zip(&law).map(|(state, share)| state.iter().sum::<usize>() as f64 * share).sum();
    let queues = ["a", "b", "c", "d"].map(|queue| format!("['door', '{queue}'], ['{queue}', 'exit']")).join(", ");
    let text = format!(
        "[network]\nmean = 1.0\nedges = [{queues}, ['exit', 'out']]\n[[network.source]]\nname = 'door'\nrate = 2.4\n\
         routing = 'power-of-3'\n[[network.node]]\nname = 'exit'\npass = true\n"
    );
    Runs::of(&text, 500.0, 8_500.0).passage("exit", number / 2.4);
}

#[test]
fn weights_of_routes_follow_numbers_of_tokens() {
    // Weights 1, 1/2, 1/4 and 0 of the left queue by its number, beside 1/2 of the right one: a chain of both numbers.
    let (factors, most) = ([1.0, 0.5, 0.25, 0.0], 60);
    let law = stationary(4 * most, |state| {
        let (left, right) = (state / most, state % most);
        let share = factors[left] / (factors[left] + 0.5);
        let mut moves = vec![];
        moves.extend((share > 0.0).then(|| (state + most, 1.2 * share)));
        moves.extend((right + 1 < most).then(|| (state + 1, 1.2 * (1.0 - share))));
        moves.extend((left > 0).then(|| (state - most, 1.0)));
        moves.extend((right > 0).then(|| (state - 1, 1.25)));
        moves
    });
    let mean = |number: fn(usize, usize) -> usize| {
        let of = law.iter().enumerate().map(|(state, share)| number(state / most, state % most) as f64 * share);
        of.sum::<f64>()
    };
    let text = "[network]\nedges = [['left', 'out'], ['right', 'out']]\n[[network.source]]\nname = 'door'\nrate = 1.2\n\
                [[network.node]]\nname = 'left'\nmean = 1.0\n[[network.node]]\nname = 'right'\nmean = 0.8\n\
                [[network.route]]\nfrom = 'door'\nto = 'left'\nwhen = [{ node = 'left', weights = [1.0, 0.5, 0.25, 0.0] }]\n\
                [[network.route]]\nfrom = 'door'\nto = 'right'\nprobability = 0.5\n";
    let runs = Runs::of(text, 500.0, 15_500.0);
    runs.number("left", mean(|left, _| left));
    runs.number("right", mean(|_, right| right));
    // Two conditions that exclude each other: the left queue below 3, or else the right one.
    let law = stationary(4 * most, |state| {
        let (left, right) = (state / most, state % most);
        let mut moves = vec![];
        match left {
            0..3 => moves.push((state + most, 1.2)),
            _ => moves.extend((right + 1 < most).then(|| (state + 1, 1.2))),
        }
        moves.extend((left > 0).then(|| (state - most, 1.0)));
        moves.extend((right > 0).then(|| (state - 1, 1.25)));
        moves
    });
    let right: f64 = law.iter().enumerate().map(|(state, share)| (state % most) as f64 * share).sum();
    let text = text.replace("weights = [1.0, 0.5, 0.25, 0.0]", "below = 3");
    let text = text.replace("probability = 0.5", "when = [{ node = 'left', from = 3 }]");
    Runs::of(&text, 500.0, 15_500.0).number("right", right);
}

#[test]
fn the_least_work_makes_one_line_of_two() {
    // Who joins the least work waits as in the common line of M/M/2.
    let law = births_and_deaths(300, |_| 1.2, |number| number.min(2) as f64);
    two_queues("least-work").passage("exit", mean(&law) / 1.2);
}

#[test]
fn a_fork_ends_with_its_last_part_as_flatto_and_hahn_found() {
    let text = "[network]\nmean = 1.0\nedges = [['door', 'left'], ['door', 'right'], ['left', 'exit'], ['right', 'exit'], ['exit', 'out']]\n\
                [[network.source]]\nname = 'door'\nrate = 0.6\nrouting = 'fork'\n[[network.node]]\nname = 'exit'\npass = true\njoin = 'all'\n";
    let runs = Runs::of(text, 500.0, 20_500.0);
    runs.passage("exit", (12.0 - 0.6) / 8.0 * 2.5);
    runs.throughput("exit", 0.6);
    runs.throughput("left", 0.6);
}

#[test]
fn a_join_waits_for_the_first_parts_alone() {
    // The second of three exponential times of mean 6: 6/3 + 6/2. The third part goes on for 6 more.
    let text = "[network]\nmean = 6.0\nservers = 'infinite'\n\
                edges = [['door', 'a'], ['door', 'b'], ['door', 'c'], ['a', 'exit'], ['b', 'exit'], ['c', 'exit'], ['exit', 'out']]\n\
                [[network.source]]\nname = 'door'\nrate = 0.6\nrouting = 'fork'\n[[network.node]]\nname = 'exit'\npass = true\njoin = 2\n";
    let runs = Runs::of(text, 500.0, 15_500.0);
    runs.passage("exit", 5.0);
    runs.number("b", 3.6);
}

#[test]
fn a_region_loses_as_erlang_has_it() {
    let text = "[network]\nservers = 'infinite'\nedges = [['door', 'a'], ['a', 'b'], ['b', 'out']]\n\
                [[network.source]]\nname = 'door'\nrate = 1.0\n[[network.node]]\nname = 'a'\nmean = 2.0\n[[network.node]]\nname = 'b'\nmean = 1.0\n\
                [[network.region]]\nnodes = ['a', 'b']\ncapacity = 4\n";
    let law = births_and_deaths(4, |_| 3.0, |number| number as f64);
    let runs = Runs::of(text, 500.0, 20_500.0);
    runs.share("a", |sums| sums.lost, law[4]);
    runs.throughput("b", 1.0 - law[4]);
}

/// Two delays, each for a class of its own.
fn wards(region: &str) -> String {
    format!(
        "[network]\nclasses = ['a', 'b']\nservers = 'infinite'\nedges = [['left', 'out'], ['right', 'out']]\n\
         [[network.source]]\nname = 'east'\nclass = 'a'\nrate = 1.0\n[[network.source]]\nname = 'west'\nclass = 'b'\nrate = 0.75\n\
         [[network.node]]\nname = 'left'\nmean = 1.5\n[[network.node]]\nname = 'right'\nmean = 2.0\n\
         [[network.route]]\nfrom = 'east'\nto = 'left'\n[[network.route]]\nfrom = 'west'\nto = 'right'\n\
         [[network.region]]\nnodes = ['left', 'right']\n{region}\n"
    )
}

#[test]
fn a_region_limits_classes_and_all_of_them() {
    // Both numbers have the law of independent Poisson ones, cut to those with room.
    let weight = |a: i32, b: i32| {
        let factorial = |number: i32| (1..=number).map(f64::from).product::<f64>();
        1.5_f64.powi(a) / factorial(a) * 1.5_f64.powi(b) / factorial(b)
    };
    let states: Vec<_> = (0..=2).flat_map(|a| (0..=4 - a).map(move |b| (a, b))).collect();
    let sum = |keep: &dyn Fn(i32, i32) -> bool| {
        states.iter().filter(|(a, b)| keep(*a, *b)).map(|(a, b)| weight(*a, *b)).sum::<f64>()
    };
    let runs = Runs::of(&wards("capacity = 4\nclasses = { a = 2 }"), 500.0, 20_500.0);
    let all = sum(&|_, _| true);
    runs.share("left", |sums| sums.lost, sum(&|a, b| a == 2 || a + b == 4) / all);
    runs.share("right", |sums| sums.lost, sum(&|a, b| a + b == 4) / all);
}

#[test]
fn tokens_of_a_class_without_room_let_others_pass() {
    // The class with room for two waits outside as in M/M/2, and the other never does.
    let runs = Runs::of(&wards("overflow = 'block'\nclasses = { a = 2 }"), 500.0, 20_500.0);
    let law = births_and_deaths(300, |_| 1.0, |number| number.min(2) as f64 / 1.5);
    runs.passage("left", mean(&law));
    runs.number("right", 1.5);
    runs.passage("right", 2.0);
}

#[test]
fn tokens_wait_outside_of_a_region() {
    // A delay with room for three is a station of three servers.
    let text = "[network]\nedges = [['door', 'desk'], ['desk', 'out']]\n[[network.source]]\nname = 'door'\nrate = 0.8\n\
                [[network.node]]\nname = 'desk'\nservers = 'infinite'\nmean = 2.5\n[[network.region]]\nnodes = ['desk']\ncapacity = 3\noverflow = 'block'\n";
    let law = births_and_deaths(300, |_| 0.8, |number| number.min(3) as f64 / 2.5);
    let runs = Runs::of(text, 500.0, 20_500.0);
    runs.passage("desk", mean(&law) / 0.8);
    runs.number("desk", 2.0);
}
