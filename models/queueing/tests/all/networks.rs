//! Random networks of every kind, small and with many ties.

use imminent_common::time::units_from_ticks;
use imminent_queueing::network::{Discipline, Onward, Overflow, Routing};
use imminent_queueing::{Builder, Law, Network, Station};
use proptest::prelude::*;

/// A law of a few ticks, which makes ties frequent.
fn short_laws() -> impl Strategy<Value = Law> {
    let ticks = |range: std::ops::Range<u64>| range.prop_map(units_from_ticks);
    prop_oneof![
        3 => ticks(1..5).prop_map(|value| Law::Deterministic { value }),
        2 => (1_u64..4, 0_u64..6).prop_map(|(low, span)| Law::Uniform {
            low: units_from_ticks(low),
            high: units_from_ticks(low + span),
        }),
        2 => ticks(1..30).prop_map(|mean| Law::Exponential { mean }),
        1 => prop::collection::vec(0_u64..9, 1..5)
            .prop_map(|ticks| Law::Empirical { values: ticks.into_iter().map(units_from_ticks).collect() }),
        1 => (ticks(2..40), 1_u32..4).prop_map(|(mean, tenths)| Law::Weibull { shape: f64::from(tenths) / 2.0, mean }),
        1 => ticks(2..40).prop_map(|mean| Law::LogNormal { mean, cv: 1.5 }),
    ]
}

#[derive(Clone, Debug)]
struct Stop {
    servers: u32,
    discipline: Discipline,
    /// Number of waiting places.
    places: Option<u32>,
    law: Law,
    /// Separate law for the last class.
    special: Option<Law>,
    tokens: Vec<u32>,
    routing: Routing,
    /// Further routes beside the one to the next node: a node or outside, a class, a weight.
    routes: Vec<(Option<u32>, Option<u32>, u32)>,
    /// `true` if the weights are used as probabilities.
    weighted: bool,
}

fn stops(classes: u32, most_servers: u32) -> impl Strategy<Value = Stop> {
    let discipline =
        prop::sample::select(vec![Discipline::Fifo, Discipline::Lifo, Discipline::Random, Discipline::Priority]);
    let target = prop_oneof![1 => Just(None), 4 => (0_u32..8).prop_map(Some)];
    let class = prop_oneof![2 => Just(None), 1 => (0..classes).prop_map(Some)];
    (
        (1..=most_servers, discipline, prop::option::weighted(0.4, 0_u32..3)),
        (short_laws(), prop::option::weighted(0.3, short_laws())),
        prop::collection::vec(0_u32..3, classes as usize),
        prop_oneof![3 => Just(Routing::Random), 1 => Just(Routing::RoundRobin)],
        prop::collection::vec((target, class, 1_u32..9), 0..4),
        any::<bool>(),
    )
        .prop_map(|((servers, discipline, places), (law, special), tokens, routing, routes, weighted)| Stop {
            servers,
            discipline,
            places,
            law,
            special,
            tokens,
            routing,
            routes,
            // Round-robin routing has no weights.
            weighted: weighted && routing == Routing::Random,
        })
}

/// Networks of one to eight stations of at most `most_servers` servers, in a ring with further routes, and up to three
/// sources.
pub(crate) fn networks(overflow: Overflow, most_servers: u32) -> impl Strategy<Value = Network> {
    (1_u32..4).prop_flat_map(move |classes| {
        let stops = prop::collection::vec(stops(classes, most_servers), 1..9);
        let sources = prop::collection::vec((short_laws(), 0..classes, 0_u32..8), 0..4);
        (stops, sources).prop_map(move |(stops, sources)| build(classes, overflow, &stops, &sources))
    })
}

fn build(classes: u32, overflow: Overflow, stops: &[Stop], sources: &[(Law, u32, u32)]) -> Network {
    let mut network = Builder::new();
    for class in 0..classes {
        network.class(format!("class {class}"));
    }
    let count = stops.len() as u32;
    // Sources are numbered between the stations, which mixes numbers in ties.
    for (law, class, _) in sources.iter().take(1) {
        network.source("first", *class, law.clone());
    }
    let first = sources.len().min(1) as u32;
    for (number, stop) in (0..).zip(stops) {
        let capacity = stop.places.map(|places| places + stop.servers);
        let station = Station { servers: stop.servers, discipline: stop.discipline, capacity, overflow };
        let node = network.station(format!("station {number}"), station);
        network.serve_all(node, stop.law.clone());
        if let Some(law) = &stop.special {
            network.serve(node, classes - 1, law.clone());
        }
        network.routing(node, stop.routing);
        let mut room = capacity.unwrap_or(u32::MAX);
        for (class, &tokens) in (0..).zip(&stop.tokens) {
            // There must be at least one token.
            let tokens = if number == 0 && class == 0 { tokens.max(1) } else { tokens };
            let tokens = tokens.min(room);
            room -= tokens;
            network.tokens(node, class, tokens);
            network.priority(node, class, (class * 7 + number) % 3);
        }
        let total: u32 = 3 + stop.routes.iter().map(|(_, _, weight)| weight).sum::<u32>();
        let onward = |to, class, weight: u32| Onward {
            to,
            class,
            probability: stop.weighted.then_some(f64::from(weight) / f64::from(total)),
        };
        network.route_all(node, onward(Some(first + (number + 1) % count), None, 3));
        for (to, class, weight) in &stop.routes {
            network.route_all(node, onward(to.map(|to| first + to % count), *class, *weight));
        }
    }
    for (number, (law, class, to)) in sources.iter().enumerate() {
        let source = match number {
            0 => 0,
            _ => network.source(format!("source {number}"), *class, law.clone()),
        };
        network.edge(source, first + to % count);
        network.edge(source, first + (to + 1) % count);
    }
    network.build().expect("every station is on the ring")
}
