//! Fluids on a device beside the sequential simulation, which shares no logic with them.

#![allow(clippy::unwrap_used)]

use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use imminent_models::traffic::fluid::{Engine, FluidError, Memory, Precision, Rules, Sequential};
use imminent_models::traffic::network::{Builder, Discipline, Flow, Flows, Kind, Link, Queue, Red, validation};
use imminent_models::traffic::units::{NANOSECONDS, NEVER};
use imminent_models::traffic::{Metric, Tcp, Traffic};
use proptest::prelude::*;

const STEP: u64 = 500_000;

fn device() -> Device {
    Device::open(CpuBackend::open(&Options { threads: Some(2), ..Options::default() }).unwrap()).unwrap()
}

/// How far an engine is from the oracle.
#[derive(Debug, Default)]
struct Errors {
    /// Greatest difference of a window over the oracle's.
    window: f64,
    /// Of a round-trip time.
    round_trip: f64,
    /// Greatest difference of a queue over its capacity.
    queue: f64,
}

fn in_singles() -> (Memory, Precision) {
    (Memory::default(), Precision::Single)
}

/// Both go on side by side, and are compared after every so many launches.
fn compare(
    traffic: &Traffic,
    step: u64,
    (memory, precision): (Memory, Precision),
    launches: u32,
    times: u32,
) -> Errors {
    let size = traffic.step(step, false).unwrap();
    let kept = (Rules::default(), memory);
    let mut engine = Engine::with_precision(&device(), traffic, size, kept, precision).unwrap();
    assert_eq!(engine.precision(), precision);
    let mut oracle = Sequential::new(traffic, step, Rules::default());
    let mut errors = Errors::default();
    for _ in 0..times {
        engine.advance(launches).unwrap();
        oracle.advance(u64::from(launches) * u64::from(engine.lookahead()));
        assert_eq!(engine.steps(), oracle.steps());
        for flow in engine.flows().unwrap() {
            if let Some(window) = oracle.window(flow.flow).filter(|window| *window > 0.0) {
                errors.window = errors.window.max((flow.window - window).abs() / window);
            } else {
                assert_eq!(flow.window, 0.0);
            }
            let round_trip = oracle.round_trip(flow.flow).unwrap();
            errors.round_trip = errors.round_trip.max((flow.round_trip - round_trip).abs() / round_trip);
        }
        for queue in engine.queues().unwrap() {
            let capacity = traffic.network().link(queue.link).unwrap().queue.capacity as f64;
            let length = oracle.queue(queue.link).unwrap();
            errors.queue = errors.queue.max((queue.length - length).abs() / capacity);
        }
    }
    errors
}

#[test]
fn the_validation_network_stays_close_for_ninety_seconds() {
    let network = validation::network().unwrap();
    let traffic = Traffic::new(network, validation::flows(0).unwrap(), Metric::Hops, Tcp::default()).unwrap();
    let errors = compare(&traffic, STEP, in_singles(), 10, 900);
    println!("{errors:?}");
    assert!(errors.window < 2e-3 && errors.round_trip < 3e-3 && errors.queue < 1e-3, "{errors:?}");
    let errors = compare(&traffic, STEP, (Memory::default(), Precision::Double), 10, 900);
    println!("in f64: {errors:?}");
    assert!(errors.window < 1e-9 && errors.round_trip < 1e-9 && errors.queue < 1e-9, "{errors:?}");
}

#[test]
fn a_network_without_fluids_and_one_without_flows_stand_still() {
    for flows in [validation::flows(20).unwrap(), Flows::new()] {
        let traffic = Traffic::new(validation::network().unwrap(), flows, Metric::Hops, Tcp::default()).unwrap();
        compare(&traffic, STEP, in_singles(), 1, 3);
    }
}

/// A link behind a wide one, with a queue that takes 0.3 s to empty.
fn narrow() -> Traffic {
    let mut builder = Builder::new();
    for node in 0..3 {
        builder.node(node.to_string());
    }
    for (from, bandwidth) in [(0, 80_000_000), (1, 8_000_000)] {
        let queue = Queue { capacity: 300_000, discipline: Discipline::DropTail };
        builder.link(Link { from, to: from + 1, delay: 10_000_000, bandwidth, queue });
    }
    let mut flows = Flows::new();
    flows.add(Flow { from: 0, to: 2, kind: Kind::Udp { rate: 10_000_000, packets: false }, start: 0, stop: NEVER });
    Traffic::new(builder.build().unwrap(), flows, Metric::Hops, Tcp::default()).unwrap()
}

#[test]
fn fluid_that_is_under_way_for_longer_than_is_remembered_is_refused_in_time() {
    let traffic = narrow();
    let size = traffic.step(STEP, false).unwrap();
    let memory = Memory { waiting: 0.2, ..Memory::default() };
    let mut engine = Engine::with_memory(&device(), &traffic, size, Rules::default(), memory).unwrap();
    let mut oracle = Sequential::new(&traffic, STEP, Rules::default());
    // What waits at the end of the narrow link's queue grows by a quarter of a second in each.
    let error = loop {
        match engine.advance(1) {
            Ok(()) => oracle.advance(u64::from(engine.lookahead())),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, FluidError::TooLate { age, kept, .. } if age <= kept && kept < 0.23), "{error}");
    // Until then nothing is wrong, and nothing has changed since.
    assert_eq!(engine.steps(), oracle.steps());
    let found = engine.queues().unwrap()[1].length;
    let expected = oracle.queue(1).unwrap();
    assert!((found - expected).abs() < 100.0 && expected > 150_000.0, "{found} bytes, expected {expected}");
    // With all that the queues can hold the same goes on.
    compare(&traffic, STEP, in_singles(), 10, 80);
}

/// A chain of links, some flows along parts of it, and some that come and go.
fn chains() -> impl Strategy<Value = Traffic> {
    let red = Discipline::Red(Red { weight: 1e-3, ..Red::default() });
    let link =
        (5_u64..30, 500_000_u64..3_000_000, 60_000_u64..600_000, prop_oneof![Just(red), Just(Discipline::DropTail)]);
    let kind = prop_oneof![
        (1_u32..9).prop_map(|fluid| Kind::Tcp { fluid, packets: 0 }),
        (10_000_u64..900_000).prop_map(|bytes| Kind::Udp { rate: bytes * 8, packets: false }),
    ];
    let flow = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), kind, 0_u64..2, 2_u64..5);
    (prop::collection::vec(link, 1..5), prop::collection::vec(flow, 1..8)).prop_map(|(links, flows)| {
        let mut builder = Builder::new();
        let nodes = links.len() as u32 + 1;
        for node in 0..nodes {
            builder.node(node.to_string());
        }
        for (from, (delay, bandwidth, capacity, discipline)) in (0..).zip(links) {
            let (delay, bandwidth) = (delay * 1_000_000, bandwidth * 8);
            builder.link(Link { from, to: from + 1, delay, bandwidth, queue: Queue { capacity, discipline } });
        }
        let mut all = Flows::new();
        for (from, to, kind, start, stop) in flows {
            let from = from.index(nodes as usize - 1) as u32;
            let to = from + 1 + to.index((nodes - from - 1) as usize) as u32;
            let stop = if stop == 4 { NEVER } else { stop * NANOSECONDS };
            all.add(Flow { from, to, kind, start: start * NANOSECONDS, stop });
        }
        Traffic::new(builder.build().unwrap(), all, Metric::Hops, Tcp::default()).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn chains_stay_close(traffic in chains(), classes in 1_u32..4) {
        let memory = Memory { classes: Some(classes), ..Memory::default() };
        let errors = compare(&traffic, STEP, (memory, Precision::Single), 10, 80);
        prop_assert!(errors.window < 1e-2 && errors.round_trip < 1e-2 && errors.queue < 1e-2, "{:?}", errors);
        let errors = compare(&traffic, STEP, (memory, Precision::Double), 10, 80);
        prop_assert!(errors.window < 1e-6 && errors.round_trip < 1e-6 && errors.queue < 1e-6, "{:?}", errors);
    }
}
