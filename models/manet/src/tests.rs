//! The engine against the sequential program.

mod aodv;
mod feedback;
mod flows;
mod stays;
mod voids;

use crate::trace::{Move, Stay, Trace, Track};
use crate::*;
use imminent_common::output::sketch::RELATIVE_ERROR;
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use proptest::prelude::*;
use std::ops::{ControlFlow, Range};

fn simulate(networks: &[(Network, Range<u64>)]) -> Vec<Statistics> {
    let device = Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap();
    let of = |visits: Visits| {
        let mut engine = Engine::visiting(visits, &device, networks).unwrap();
        engine.run(|_| ControlFlow::Continue(())).unwrap();
        engine.statistics().unwrap()
    };
    let results = of(Visits::Listed);
    assert_eq!(of(Visits::Single), results, "each node works for itself");
    // Kernels are nearly the same. Groups with few nodes take long on a processor, so that few seeds have them.
    let visits = if networks[0].0.seed.is_multiple_of(8) { Visits::Apart } else { Visits::Grouped };
    assert_eq!(of(visits), results, "the lanes of a group share the work: {visits:?}");
    results
}

#[test]
fn threads_of_the_host_continue_what_was_cancelled() {
    let device = Device::open(CpuBackend::open(&Options { threads: Some(3), ..Options::default() }).unwrap()).unwrap();
    let network = Network { end: 3_000_000, ..Network::scenario(30) };
    let longer = Network { end: 900_000_000, ..network.clone() };
    let networks = [(longer, 0..1), (network, 0..5)];
    let mut engine = Engine::new(&device, &networks).unwrap();
    let cancelled = engine.run(|_| ControlFlow::Break(()));
    assert!(matches!(cancelled, Err(EngineError::Cancelled { .. })), "{cancelled:?}");
    assert_eq!(engine.counts().unwrap()[0], vec![NodeCount::default(); 30]);
    engine.run(|_| ControlFlow::Continue(())).unwrap();
    let counts = engine.counts().unwrap();
    assert_eq!(counts[0], sequential::simulate(&networks[0].0, 0).unwrap());
    for replication in 0..5 {
        assert_eq!(counts[replication + 1], sequential::simulate(&networks[1].0, replication as u64).unwrap());
    }
    assert!(engine.steps() > 30 * 900);
}

/// Tests that the engine gives the results of the sequential program.
#[track_caller]
fn check(networks: &[(Network, Range<u64>)]) -> Vec<Summary> {
    let all = networks.iter().flat_map(|(network, of)| of.clone().map(move |replication| (network, replication)));
    let results = simulate(networks);
    for ((network, replication), found) in all.zip(&results) {
        let expected = sequential::statistics(network, replication).unwrap();
        assert_eq!(found, &expected, "replication {replication} of {network:?}");
        let summary = Summary::of(&found.nodes);
        assert_eq!(found.delays.total(), summary.delivered());
        // What flows count is what nodes count.
        let sum = |of: fn(&FlowCount) -> [u64; 2]| found.flows.iter().flat_map(of).sum::<u64>();
        let of_flows = [sum(|of| of.created), sum(|of| of.delivered), sum(|of| of.delay), sum(|of| of.hops)];
        let NodeCount { created, delivered, delay, hops, .. } = summary.total;
        assert_eq!(of_flows, [created, delivered, delay, hops].map(|of| of.iter().sum::<u64>()));
    }
    results.iter().map(|found| Summary::of(&found.nodes)).collect()
}

#[test]
fn paths_with_more_legs_than_a_device_holds_are_refused() {
    let device = Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap();
    let mut network = Network { end: 1_000_000_000_000, ..Network::scenario(50) };
    network.mobility =
        Mobility::Manhattan(Manhattan { block: 100_000, turn: 0, speed: [0, 100_000_000], pause: [0, 0] });
    let refused = Engine::on(Execution::Device, &device, &[(network, 0..2)]).unwrap_err().to_string();
    // A block takes a second at least.
    let told = "100000200 legs of all paths on the device; the limit is 67108864. Change directions less often, simulate \
                fewer nodes at once, or a shorter time";
    assert_eq!(refused, told);
}

#[test]
fn replications_of_a_scenario_of_the_table() {
    let network = Network { end: 10_000_000, ..Network::scenario(50) };
    let [first, second] = check(&[(network, 0..2)]).try_into().unwrap();
    assert_ne!(first, second);
    assert!(first.delivery_ratio() > 0.5 && first.mean_hops() > 1.0 && first.mean_delay() > 0.008_192, "{first:?}");
}

/// A crowd in range of one another: queues and neighbour tables have to grow, and queues overflow.
#[test]
fn a_crowd() {
    let mut network = Network { end: 4_000_000, range: 900_000, ..Network::scenario(50) };
    network.medium.queue = 9;
    network.traffic.gap = 60_000;
    let [summary] = check(&[(network, 0..1)]).try_into().unwrap();
    assert!(summary.total.lost[Loss::Queue as usize] > 100, "{summary:?}");
}

/// Networks of different sizes and parameters side by side.
#[test]
fn many_networks_at_once() {
    let small = Network { end: 3_000_000, seed: 8, ..Network::scenario(7) };
    let coarse = Network { interval: 2_000, end: 3_000_000, ..Network::scenario(30) };
    check(&[(small, 0..3), (coarse, 1..2)]);
}

/// The only path between two pieces of a network is cut: packets count as unreachable, and the simulation ends.
#[test]
fn a_network_in_pieces() {
    let place = |x: i32, y: i32| Position { x: x * 100_000, y: y * 100_000 };
    let places = vec![place(0, 0), place(2, 0), place(2, 2), place(0, 2), place(10, 5), place(12, 5)];
    let mut network = Network { end: 5_000_000, ..Network::scenario(6) };
    network.field = Field { width: 1_500_000, height: 600_000 };
    network.placement = Placement::At(places);
    network.mobility = Mobility::Static;
    network.traffic.destinations = Destinations::pairs([(0, 4), (4, 5)]);
    let [summary] = check(&[(network, 0..1)]).try_into().unwrap();
    let unreachable = summary.total.lost[Loss::Unreachable as usize];
    assert!(
        unreachable > 0 && unreachable + summary.delivered() + summary.under_way() == summary.created(),
        "{summary:?}"
    );
}

/// Without contention a packet takes its airtime for each hop.
#[test]
fn a_line_of_nodes() {
    let places = (0..5).map(|x| Position { x: x * 200_000, y: 0 }).collect();
    let mut network = Network { end: 20_000_000, ..Network::scenario(5) };
    network.field = Field { width: 800_000, height: 1 };
    network.placement = Placement::At(places);
    network.mobility = Mobility::Static;
    network.traffic.destinations = Destinations::pairs([(0, 4)]);
    network.traffic.gap = 100_000;
    let [summary] = check(&[(network.clone(), 0..1)]).try_into().unwrap();
    assert_eq!(summary.mean_hops(), 4.0);
    assert!((summary.mean_delay() - 4.0 * 0.008_192).abs() < 1e-12);
    let delays = sequential::statistics(&network, 0).unwrap().delays;
    let quantiles = [0.0, 0.5, 1.0].map(|share| delays.quantile(share).unwrap());
    assert!(quantiles.iter().all(|delay| (delay / 32_768.0 - 1.0).abs() <= RELATIVE_ERROR), "{quantiles:?}");
    // On a clock of 2 ms each of the four transmissions takes 10 ms, and the first waits for the clock.
    let coarse = Network { interval: 2_000, ..network };
    let [summary] = check(&[(coarse, 0..1)]).try_into().unwrap();
    assert!((0.040..0.042).contains(&summary.mean_delay()), "{summary:?}");
}

/// A sender with three destinations in range sends as many packets to each, and the first flow is that of a sender with
/// one destination.
#[test]
fn a_sender_with_several_destinations() {
    let places = (0..4).map(|x| Position { x: x * 50_000, y: 0 }).collect();
    let mut network = Network { end: 21_500_000, ..Network::scenario(4) };
    network.field = Field { width: 150_000, height: 1 };
    network.placement = Placement::At(places);
    network.mobility = Mobility::Static;
    network.traffic.gap = 100_000;
    let created = [&[(0, 1)][..], &[(0, 1), (0, 2), (0, 3)]].map(|pairs: &[(u32, u32)]| {
        network.traffic.destinations = Destinations::pairs(pairs.iter().copied());
        let [summary] = check(&[(network.clone(), 0..1)]).try_into().unwrap();
        assert_eq!((summary.lost(), summary.mean_hops()), (0, 1.0));
        assert!(summary.under_way() <= 3);
        let counts = sequential::simulate(&network, 0).unwrap();
        let received: Vec<u64> = counts[1..=pairs.len()].iter().map(|count| count.delivered[0]).collect();
        assert!(received.iter().all(|received| (199..=200).contains(received)), "{received:?}");
        summary.created()
    });
    assert_eq!(created, [200, 600]);
    let start = |network: &Network| Start::new(network, 0).nodes[0].flows.clone();
    let three = start(&network);
    network.traffic.destinations = Destinations::pairs([(0, 1)]);
    assert_eq!(start(&network)[0], three[0]);
    assert!(three[1].time != three[0].time && three[2].time != three[1].time);
}

/// One sender with Poisson arrivals and nobody else is an M/D/1 queue: the mean wait is `rho A / 2 (1 - rho)`, where
/// `A` is the airtime (Pollaczek-Khinchine).
#[test]
fn a_sender_alone_is_a_queue_with_constant_service() {
    let mut network = Network { end: 1_500_000_000, warm_up: 2_000_000, ..Network::scenario(2) };
    network.field = Field { width: 100_000, height: 1 };
    network.placement = Placement::At(vec![Position { x: 0, y: 0 }, Position { x: 100_000, y: 0 }]);
    network.mobility = Mobility::Static;
    network.medium.queue = 1000;
    network.traffic.destinations = Destinations::pairs([(0, 1)]);
    network.traffic.arrivals = Arrivals::Poisson;
    let airtime = network.lookahead() as f64 / 1e6;
    for load in [0.3, 0.7] {
        network.traffic.gap = (airtime / load * 1e6) as u64;
        let summary = Summary::of(&sequential::simulate(&network, 0).unwrap());
        let expected = airtime + load * airtime / (2.0 * (1.0 - load));
        let error = summary.mean_delay() / expected - 1.0;
        assert!(error.abs() < 0.03, "load {load}: {} s instead of {expected} s", summary.mean_delay());
        assert_eq!(summary.lost(), 0);
    }
}

/// Without pauses, a time has speed `v` with a density proportional to `1 / v`: slow legs take longer. The mean over
/// time is `(b - a) / ln(b / a)` for speeds from `a` to `b`.
#[test]
fn waypoints_have_the_mean_speed_of_theory() {
    let mut network = Network::scenario(400);
    network.mobility = Mobility::Waypoints(Waypoints { speed: [2_000_000, 20_000_000], pause: [0, 0] });
    network.field = Field { width: 500_000, height: 500_000 };
    network.end = 4_000_000_000;
    let times: Vec<_> = (0..1500).map(|step| 1_000_000_000 + step * 2_000_000).collect();
    let places = sequential::places(&network, 0, &times).unwrap();
    let length = |pair: &[Position]| f64::from(pair[1].x - pair[0].x).hypot(f64::from(pair[1].y - pair[0].y));
    let moved: f64 = places.iter().flat_map(|places| places.windows(2)).map(length).sum();
    let mean = moved / 1e3 / (400.0 * 1499.0 * 2.0);
    let expected = (20.0 - 2.0) / 10_f64.ln();
    // A turn between two samples shortens the way that they show.
    assert!((mean / expected - 1.0).abs() < 0.03, "{mean} m/s instead of {expected} m/s");
}

/// Every draw of a start is in its range, and their means are those of uniform distributions.
#[test]
fn starts_are_drawn_uniformly() {
    let mut network = Network::scenario(4000);
    network.traffic.destinations = Destinations::Within(400_000);
    let start = Start::new(&network, 3);
    let mean = |of: fn(&NodeStart) -> f64| start.nodes.iter().map(of).sum::<f64>() / 4000.0;
    let close = |name: &str, found: f64, most: f64| {
        // The mean of 4,000 uniform draws has a standard deviation of 0.0046 of the range.
        assert!((found / most - 0.5).abs() < 0.02, "{name}: {found} of {most}");
    };
    close("x", mean(|node| f64::from(node.place.x)), network.field.width.into());
    close("y", mean(|node| f64::from(node.place.y)), network.field.height.into());
    close("pause", mean(|node| node.leave as f64), 20_000_000.0);
    close("beacon", mean(|node| node.beacon as f64), 1_500_000.0);
    close("packet", mean(|node| node.flows[0].time as f64) - 1_500_000.0, network.traffic.gap as f64);
    let mut squares = 0.0;
    for (number, node) in start.nodes.iter().enumerate() {
        let to = node.flows[0].destination as usize;
        assert!(network.field.contains(node.place) && to != number && to < 4000, "{number}: {node:?}");
        let there = start.nodes[to].place;
        squares += f64::from(there.x - node.place.x).powi(2) + f64::from(there.y - node.place.y).powi(2);
    }
    // Uniform in a disk, the mean square of the distance is half of the square of the radius.
    close("squared distance of destinations", squares / 4000.0, 400_000_f64.powi(2));
    network.traffic.destinations = Destinations::Fixed;
    let to = Start::new(&network, 3).nodes.iter().map(|node| f64::from(node.flows[0].destination)).sum::<f64>();
    close("destination", to / 4000.0, 3999.0);
}

fn tracks(field: Field) -> impl Strategy<Value = Vec<Track>> {
    let place = (0..=field.width as i32, 0..=field.height as i32).prop_map(|(x, y)| Position { x, y });
    let order = (1..2_000_000_u64, place.clone(), 0..40_000_000_u32);
    // Half of the nodes are there all the time.
    let stay = prop_oneof![
        Just(Stay::default()),
        (0..2_000_000_u64, 1..2_000_000_u64).prop_map(|(enter, lasts)| Stay { enter, leave: enter + lasts }),
    ];
    let track = (place, prop::collection::vec(order, 0..5), stay).prop_map(|(start, orders, stay)| {
        let mut time = 0;
        let moves = orders.into_iter().map(|(later, target, speed)| {
            time += later;
            Move { time, target, speed }
        });
        Track { start, moves: moves.collect(), stay, name: None }
    });
    prop::collection::vec(track, 2..20)
}

fn mobility(nodes: u32, field: Field) -> impl Strategy<Value = (Mobility, u32)> {
    let waypoints = (0..20_000_000_u32, 1..60_000_000_u32, 0..3_000_000_u64)
        .prop_map(|(least, more, pause)| Waypoints { speed: [least, least + more], pause: [0, pause] });
    let gradual = (0..40_000_000_u32, 0..20_000_000_u32, 0..1_u32 << 31, 0..=1_u64 << 32, 10_000..900_000_u32);
    let gradual = (gradual, 0..100_000_u32).prop_map(|((mean, deviation, turn, memory, interval), margin)| {
        GaussMarkov { mean, deviation, limits: [0, 50_000_000], turn, memory, interval, margin }
    });
    let longer = field.width.max(field.height).max(1_000);
    let streets = (1_000..=longer, 0..=1_u64 << 32, 0..20_000_000_u32, 0..40_000_000_u32, 0..1_000_000_u64).prop_map(
        |(block, turn, least, more, pause)| Manhattan { block, turn, speed: [least, least + more], pause: [0, pause] },
    );
    // Of fields without room for a street there are few.
    let streets = streets.prop_map(move |streets| match streets.block <= field.width.max(field.height) {
        true => Mobility::Manhattan(streets),
        false => Mobility::Static,
    });
    prop_oneof![
        Just((Mobility::Static, nodes)),
        gradual.prop_map(move |gradual| (Mobility::GaussMarkov(gradual), nodes)),
        streets.prop_map(move |streets| (streets, nodes)),
        waypoints.prop_map(move |waypoints| (Mobility::Waypoints(waypoints), nodes)),
        tracks(field).prop_map(|tracks| {
            let nodes = tracks.len() as u32;
            (Mobility::Trace(Trace::new(tracks)), nodes)
        }),
    ]
}

fn traffic() -> impl Strategy<Value = Traffic> {
    let exchange = prop_oneof![
        Just(Exchange::Data),
        (1..2000_u32).prop_map(|response_bytes| Exchange::Requests { response_bytes })
    ];
    let destinations = prop_oneof![
        Just(Destinations::Fixed),
        Just(Destinations::EachPacket),
        (1..500_000_u32).prop_map(Destinations::Within),
    ];
    let arrivals = prop_oneof![Just(Arrivals::Constant), Just(Arrivals::Poisson)];
    (100..2000_u32, exchange, 10_000..500_000_u64, arrivals, destinations, 0..1_000_000_u64).prop_map(
        |(bytes, exchange, gap, arrivals, destinations, start)| Traffic {
            senders: 2,
            bytes,
            exchange,
            gap,
            arrivals,
            destinations,
            start,
        },
    )
}

/// Returns flows of which some have rates, sizes and times of their own.
fn flow() -> impl Strategy<Value = Flow> {
    let own = (
        prop::option::of(10_000..900_000_u64),
        prop::option::of(100..2000_u32),
        prop::option::of(0..2_000_000_u64),
        prop::option::of(1..1_500_000_u64),
    );
    (any::<u32>(), any::<u32>(), own).prop_map(|(from, to, (gap, bytes, start, lasts))| {
        let stop = lasts.map(|lasts| start.unwrap_or(1_000_000) + lasts);
        Flow { gap, bytes, start, stop, ..Flow::new(from, to) }
    })
}

prop_compose! {
    fn networks()(nodes in 2..25_u32, width in 1..900_000_u32, height in 1..500_000_u32)(
        (mobility, nodes) in mobility(nodes, Field { width, height }),
        field in Just(Field { width, height }),
        traffic in traffic(),
        planar in prop_oneof![Just(Planar::Gabriel), Just(Planar::RelativeNeighbourhood)],
        range in 50_000..300_000_u32,
        queue in 1..20_u32,
        retries in prop_oneof![Just(0), 1..4_u32, Just(1000)],
        hops in 1..20_u32,
        interval in prop_oneof![Just(1), Just(1), 2..800_u64],
        warm_up in prop_oneof![Just(0), 0..2_000_000_u64],
        seed in any::<u64>(),
        backoff in 1..30_000_u32,
        flows in prop::option::of(prop::collection::vec(flow(), 0..8)),
    ) -> Network {
        let mut network = Network { nodes, field, mobility, traffic, planar, range, warm_up, seed, ..Network::scenario(50) };
        network.traffic.senders = nodes;
        if let Some(flows) = flows {
            // Senders have several flows at times, and flows have several of one node to another.
            let flows = flows.into_iter().map(|flow| Flow { from: flow.from % nodes, to: flow.to % nodes, ..flow });
            network.traffic.destinations = Destinations::Flows(flows.filter(|flow| flow.from != flow.to).collect());
        }
        network.medium.queue = queue;
        network.medium.retries = retries;
        network.medium.hops = hops;
        network.medium.backoff = [1, backoff];
        network.interval = interval.min(network.lookahead());
        network.end = 2_500_000;
        network
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// A trace of a network's motion gives its results, also when it has been written and read.
    #[test]
    fn traces_of_networks(network in networks()) {
        let trace = sequential::trace(&network, 2).unwrap();
        let read = Trace::read(&trace.to_string()).unwrap();
        prop_assert_eq!(&read, &trace);
        let traced = Network { mobility: Mobility::Trace(read), ..network.clone() };
        prop_assert_eq!(sequential::simulate(&traced, 2).unwrap(), sequential::simulate(&network, 2).unwrap());
    }

    #[test]
    fn networks_of_all_kinds(network in networks()) {
        check(&[(network, 3..4)]);
    }
}
