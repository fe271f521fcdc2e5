//! Random combinations of what the engine of the host has, held to laws of conservation.
//!
//! Every law is exact, in ticks. A look at time `t` counts arrivals, losses and lost patience before the tick `t`, and
//! completions until its first part, which ends services.

use imminent_common::time::Tick;
use imminent_queueing::network::{
    Arrivals, Behaviour, Breakdowns, Bulk, Choices, Discipline, Impatience, Interrupted, Onward, Overflow, Polling,
    Region, Routing, Servers, Shifts, Visits, When,
};
use imminent_queueing::outcome::NodeStatistics;
use imminent_queueing::{Builder, Law, Network, NetworkError, Scenario, Start, Station, host};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::cell::Cell;

const CLASSES: u32 = 2;

/// A law of some ticks, each of a time unit, which makes ties frequent.
fn laws() -> impl Strategy<Value = Law> {
    prop_oneof![
        2 => (1_u32..6).prop_map(|value| Law::Deterministic { value: f64::from(value) }),
        2 => (2_u32..12).prop_map(|mean| Law::Exponential { mean: f64::from(mean) }),
        1 => (1_u32..4, 0_u32..6)
            .prop_map(|(low, span)| Law::Uniform { low: f64::from(low), high: f64::from(low + span) }),
    ]
}

#[derive(Clone, Debug)]
struct Stop {
    servers: u32,
    discipline: Discipline,
    places: Option<u32>,
    law: Law,
    special: Law,
    tokens: [u32; 2],
    /// Further behaviour of the station; some of it may be refused beside other things.
    behaviour: Behaviour,
    retries: bool,
    routing: Routing,
    /// Route to another station beside that to the next, with a condition on this one's number.
    onward: (u32, Option<u32>),
    leaves: bool,
}

fn shifts() -> impl Strategy<Value = Shifts> {
    (prop::collection::vec((1_u32..15, 0_u32..3), 1..4), any::<bool>()).prop_map(|(steps, interrupts)| {
        let mut time = 0.0;
        let mut changes: Vec<_> = vec![(0.0, 1)];
        for (step, servers) in steps {
            time += f64::from(step);
            changes.push((time, servers));
        }
        Shifts { changes, period: Some(time + 3.0), interrupts }
    })
}

/// One thing that a station has beyond an ordinary one.
fn behaviours() -> impl Strategy<Value = Behaviour> {
    let none = Behaviour::default;
    let to = prop_oneof![2 => Just(None), 1 => (0_u32..3).prop_map(Some)];
    let visits = prop_oneof![Just(Visits::Exhaustive), Just(Visits::Gated), (1_u32..3).prop_map(Visits::Limited)];
    prop_oneof![
        2 => Just(none()),
        2 => shifts().prop_map(move |shifts| Behaviour { shifts: Some(shifts), ..none() }),
        2 => (laws(), laws())
            .prop_map(move |(up, down)| Behaviour { breakdowns: Some(Breakdowns { up, down }), ..none() }),
        3 => (laws(), to, prop::option::of(0_u32..CLASSES)).prop_map(move |(patience, to, class)| Behaviour {
            impatience: vec![Impatience { class, patience, to }],
            ..none()
        }),
        1 => Just(Behaviour { balking: vec![1.0, 0.5, 0.2], ..none() }),
        1 => Just(Behaviour { speeds: vec![1.0, 1.5, 0.7], ..none() }),
        1 => Just(Behaviour { weights: vec![(0, 3)], ..none() }),
        1 => (1_u32..3).prop_map(move |servers| Behaviour {
            pools: vec![
                Servers { servers, classes: vec![0], speed: 0.5, shifts: None },
                Servers { servers: 1, classes: vec![], speed: 1.0, shifts: None },
            ],
            ..none()
        }),
        2 => (1_u32..4, 0_u32..3, prop::option::of(1_u32..9)).prop_map(move |(least, more, wait)| Behaviour {
            bulk: Some(Bulk { least, most: least + more, wait: wait.map(f64::from) }),
            ..none()
        }),
        2 => (visits, prop::option::of(laws())).prop_map(move |(visits, law)| Behaviour {
            polling: Some(Polling { order: vec![0, 1, 0], visits, switch: law.map(|law| (None, law)).into_iter().collect() }),
            ..none()
        }),
        1 => Just(Behaviour { seize: vec![0], release: vec![], ..none() }),
        1 => Just(Behaviour { seize: vec![0], release: vec![0], ..none() }),
    ]
}

/// Returns two behaviours at once.
fn both(one: Behaviour, other: Behaviour) -> Behaviour {
    let or = |has: bool| if has { one.clone() } else { other.clone() };
    Behaviour {
        shifts: one.shifts.clone().or(other.shifts.clone()),
        breakdowns: one.breakdowns.clone().or(other.breakdowns.clone()),
        impatience: or(!one.impatience.is_empty()).impatience,
        balking: or(!one.balking.is_empty()).balking,
        speeds: or(!one.speeds.is_empty()).speeds,
        weights: or(!one.weights.is_empty()).weights,
        pools: or(!one.pools.is_empty()).pools,
        bulk: one.bulk.or(other.bulk),
        polling: one.polling.clone().or(other.polling.clone()),
        seize: or(!one.seize.is_empty()).seize,
        release: or(!one.release.is_empty()).release,
        ..Behaviour::default()
    }
}

fn stops() -> impl Strategy<Value = Stop> {
    let interrupted = prop::sample::select(vec![Interrupted::Resume, Interrupted::Restart, Interrupted::Resample]);
    let routing = prop::sample::select(vec![
        Routing::Random,
        Routing::Random,
        Routing::RoundRobin,
        Routing::ShortestQueue,
        Routing::PowerOf(Choices::TWO),
        Routing::LeastWork,
        Routing::Fork,
    ]);
    (
        (1_u32..4, prop::sample::select(Discipline::ALL.to_vec()), prop::option::weighted(0.4, 0_u32..4)),
        (laws(), laws(), [0_u32..3, 0_u32..3]),
        (behaviours(), behaviours(), interrupted),
        (prop::option::weighted(0.3, laws()), routing, (0_u32..3, prop::option::of(1_u32..4)), any::<bool>()),
    )
        .prop_map(|((servers, discipline, places), (law, special, tokens), (one, other, interrupted), more)| {
            let (retry, routing, onward, leaves) = more;
            let retries = retry.is_some();
            // Who shares with weights or queues by class has one server.
            let behaviour = both(one, other);
            let is_single = behaviour.polling.is_some()
                || !behaviour.weights.is_empty()
                || discipline == Discipline::GeneralizedSharing;
            let discipline = if behaviour.polling.is_some() { Discipline::Fifo } else { discipline };
            let servers = match behaviour.pools.iter().map(|pool| pool.servers).sum() {
                0 if is_single => 1,
                0 => servers.max(2 * u32::from(behaviour.shifts.is_some())),
                of_pools => of_pools,
            };
            let behaviour = Behaviour { interrupted, retry, ..behaviour };
            Stop { servers, discipline, places, law, special, tokens, behaviour, retries, routing, onward, leaves }
        })
}

#[derive(Clone, Debug)]
struct Plan {
    stops: Vec<Stop>,
    sources: Vec<(Law, Vec<(u32, f64)>)>,
    region: Option<u32>,
}

fn plans() -> impl Strategy<Value = Plan> {
    let batches = prop::sample::select(vec![vec![], vec![(3, 1.0)], vec![(1, 0.5), (2, 0.5)]]);
    (
        prop::collection::vec(stops(), 1..4),
        prop::collection::vec((laws(), batches), CLASSES as usize),
        prop::option::weighted(0.2, 2_u32..6),
    )
        .prop_map(|(stops, sources, region)| Plan { stops, sources, region })
}

fn build(plan: &Plan) -> Result<Network, NetworkError> {
    let mut network = Builder::new();
    network.tick(Tick::of_bits(0));
    for class in 0..CLASSES {
        network.class(format!("class {class}"));
    }
    let count = plan.stops.len() as u32;
    for (number, stop) in (0..).zip(&plan.stops) {
        let capacity = stop.places.map(|places| places + stop.servers);
        let station =
            Station { servers: stop.servers, discipline: stop.discipline, capacity, overflow: Overflow::Lose };
        let node = network.station(format!("station {number}"), station);
        network.serve_all(node, stop.law.clone()).serve(node, 1, stop.special.clone()).priority(node, 1, number % 2);
        let room = capacity.unwrap_or(u32::MAX);
        network.tokens(node, 0, stop.tokens[0].min(room));
        network.tokens(node, 1, stop.tokens[1].min(room - stop.tokens[0].min(room)));
        let mut behaviour = stop.behaviour.clone();
        behaviour.impatience.iter_mut().for_each(|of| of.to = of.to.map(|to| to % count));
        behaviour.retry = behaviour.retry.filter(|_| stop.retries && capacity.is_some());
        network.behave(node, behaviour);
    }
    if plan.stops.iter().any(|stop| !stop.behaviour.seize.is_empty()) {
        network.resource("unit", 2);
    }
    for (number, stop) in (0..).zip(&plan.stops) {
        // The last station leads out, so that every token can leave.
        let next = if number + 1 == count || stop.leaves { Onward::out() } else { Onward::to(number + 1) };
        network.routing(number, stop.routing).route_all(number, next);
        if number + 1 < count && stop.leaves {
            network.route_all(number, Onward::to(number + 1));
        }
        let (to, below) = stop.onward;
        network.route_all(number, Onward::to(to % count));
        if let Some(below) = below.filter(|_| stop.routing == Routing::Random) {
            network.when(vec![When::between(number, 0, Some(below))]);
        }
    }
    for (class, (law, batch)) in (0..).zip(&plan.sources) {
        let source = network.source(format!("source {class}"), class, law.clone());
        network.edge(source, class % count);
        if !batch.is_empty() {
            let arrivals = Arrivals { batch: batch.clone(), ..Arrivals::default() };
            network.behave(source, Behaviour { arrivals, ..Behaviour::default() });
        }
    }
    if let Some(capacity) = plan.region {
        // Tokens of the start must have room.
        let at_start: u32 = plan.stops.iter().flat_map(|stop| stop.tokens).sum();
        network.region(Region {
            nodes: (0..count).collect(),
            capacity: capacity + at_start,
            overflow: Overflow::Lose,
            ..Region::default()
        });
    }
    network.build()
}

/// Statistics by node and class at a look.
type Look = Vec<Vec<NodeStatistics>>;

fn looks(scenario: &Scenario<'_>, times: &[u64]) -> Vec<(Vec<NodeStatistics>, Look, String)> {
    let mut looks = vec![];
    host::by_class(scenario, times, &mut |outcome, classes| {
        let by_node = classes.chunks(CLASSES as usize).map(<[NodeStatistics]>::to_vec).collect();
        looks.push((outcome.statistics.clone(), by_node, outcome.digest().to_string()));
    })
    .unwrap();
    looks
}

/// Checks the laws for a network; `times` are pairs of successive ticks.
fn check(network: &Network, plan: &Plan, seed: u64) -> Result<(), TestCaseError> {
    let times: Vec<u64> = (0..25_u64).flat_map(|look| [1 + look * 17, 2 + look * 17]).collect();
    let horizon = *times.last().unwrap();
    let scenario = Scenario::new(network, Start::One, horizon, seed, 0).unwrap();
    let mut visits = vec![];
    let outcome = host::traced(&scenario, &mut |visit| visits.push(visit)).unwrap();
    let found = looks(&scenario, &times);
    // Nothing depends on looks, on the run or on the thread.
    prop_assert_eq!(outcome.digest().to_string(), found.last().unwrap().2.clone());
    let others: Vec<_> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..2).map(|_| scope.spawn(|| host::simulate(&scenario).digest().to_string())).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    prop_assert!(others.iter().all(|digest| *digest == outcome.digest().to_string()));
    for node in 0..network.len() {
        let Some(station) = network.station(node as u32) else { continue };
        for (number, pair) in found.chunks(2).enumerate() {
            let [(before, classes_before, _), (after, classes, _)] = pair else { unreachable!() };
            let (before, after) = (&before[node], &after[node]);
            let place = format!("{} at {}", network.label(node as u32), times[2 * number]);
            // Those who came are there, were served, were lost or lost patience; the number is never negative.
            let inside = |after: &NodeStatistics, before: &NodeStatistics| -> Result<u64, TestCaseError> {
                let gone = after.lost + after.reneged + before.completed;
                prop_assert!(after.arrivals >= gone, "{}: {} come, {} gone", place, after.arrivals, gone);
                Ok(after.arrivals - gone)
            };
            let present = after.number_integral - before.number_integral;
            prop_assert_eq!(present, inside(after, before)?, "tokens of {}", place);
            // The same for each class; and Little's law, for sums over classes are sums over tokens.
            let of_classes = classes[node].iter().zip(&classes_before[node]);
            for (after, before) in of_classes {
                let present = after.number_integral - before.number_integral;
                prop_assert_eq!(present, inside(after, before)?, "tokens of a class of {}", place);
            }
            let sum = |of: fn(&NodeStatistics) -> u64| classes[node].iter().map(of).sum::<u64>();
            prop_assert_eq!(sum(|of| of.number_integral), after.number_integral, "Little's law of {}", place);
            prop_assert_eq!(sum(|of| of.completed), after.completed);
            prop_assert_eq!(sum(|of| of.served), after.served, "services of {}", place);
            prop_assert_eq!(sum(|of| of.sojourn_sum), after.sojourn_sum);
            // Tokens that will try again wait outside of the limit.
            if let Some(capacity) = station.capacity.filter(|_| !plan.stops[node].retries) {
                prop_assert!(present <= u64::from(capacity), "room of {}", place);
            }
            // Time in service is that of all tokens, to a tick for each token where servers are shared.
            if !station.discipline.shares() && plan.stops[node].behaviour.speeds.is_empty() {
                prop_assert_eq!(sum(|of| of.busy), after.busy, "time in service of {}", place);
            }
            // No server serves two, or more than are on duty.
            let busy = after.busy - before.busy;
            prop_assert!(busy <= u64::from(station.servers), "{} busy servers of {}", busy, place);
            prop_assert!(busy <= after.staffed - before.staffed, "servers on duty of {}", place);
        }
    }
    // Tokens go nowhere but along their ways: arrivals are those of the start, of sources, of services that lead on,
    // and of lost patience that does.
    for pair in found.chunks(2).zip(times.chunks(2)) {
        let ([(_, before, _), (_, after, _)], [time, _]) = pair else { unreachable!() };
        for class in 0..CLASSES {
            let at = |look: &Look, node: u32| look[node as usize][class as usize];
            let nodes = || 0..network.len() as u32;
            let start: u64 = nodes().map(|node| u64::from(network.tokens(node, class))).sum();
            // A fork sends a part along each route that leads to a node.
            let forks = |node: u32| network.routing(node) == Routing::Fork;
            let parts = |node: u32| if forks(node) { network.routes(node, class).targets().count() as u64 } else { 1 };
            let served: u64 = nodes().map(|node| at(before, node).completed * parts(node)).sum();
            let left = visits.iter().filter(|visit| {
                visit.class == class && visit.to.is_none() && visit.left <= *time && !forks(visit.node)
            });
            let redirects = |node: &u32| plan.stops.get(*node as usize).is_some_and(|stop| stop.redirects(class));
            let redirected: u64 = nodes().filter(redirects).map(|node| at(after, node).reneged).sum();
            let arrivals: u64 = nodes().map(|node| at(after, node).arrivals).sum();
            let sent = start + served - left.count() as u64 + redirected;
            prop_assert_eq!(arrivals, sent, "arrivals of class {} at {}", class, time);
        }
    }
    Ok(())
}

impl Stop {
    /// Returns `true` if tokens of a class that lose patience here go to another station.
    fn redirects(&self, class: u32) -> bool {
        let of = |class: Option<u32>| self.behaviour.impatience.iter().find(|of| of.class == class);
        of(Some(class)).or(of(None)).is_some_and(|of| of.to.is_some())
    }
}

#[test]
fn combinations_conserve_tokens_and_time() {
    let mut runner = TestRunner::new(ProptestConfig::with_cases(400));
    let simulated = Cell::new(0);
    runner
        .run(&(plans(), any::<u64>()), |(plan, seed)| {
            // What does not go together is refused, by a typed error.
            let Ok(network) = build(&plan) else { return Ok(()) };
            simulated.set(simulated.get() + 1);
            check(&network, &plan, seed)
        })
        .unwrap();
    // In one run 99 of the 400 went together.
    assert!(simulated.get() > 50, "only {} networks were simulated", simulated.get());
}
