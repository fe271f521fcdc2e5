//! Tests of means over all steps on a device against the sequential simulation.

use super::{STEP, engine, narrow};
use imminent_traffic::fluid::{Memory, Precision, QueueMeans, Rules, Sequential};
use imminent_traffic::network::{Flow, Flows, Kind};
use imminent_traffic::units::NANOSECONDS;
use imminent_traffic::{Metric, Tcp, Traffic};

/// Creates flows with which the slow link's queue fills, overflows, and drains.
fn coming_and_going() -> Traffic {
    let mut flows = Flows::new();
    let mut add = |from, kind, start, stop| {
        flows.add(Flow { from, to: 2, kind, start: start * NANOSECONDS / 10, stop: stop * NANOSECONDS / 10 });
    };
    add(0, Kind::Tcp { fluid: 3, packets: 0 }, 0, 25);
    add(1, Kind::Udp { rate: 10_400_000, packets: false }, 7, 21);
    Traffic::new(narrow().network().clone(), flows, Metric::Hops, Tcp::default()).unwrap()
}

#[test]
fn means_are_those_of_all_steps_however_often_one_looks() {
    let traffic = coming_and_going();
    let mut oracle = Sequential::new(&traffic, STEP, Rules::default());
    assert_eq!(oracle.means(), None);
    oracle.advance(1000);
    oracle.measure();
    let mut seen = [[0.0_f64; 4]; 2];
    for _ in 0..7000 {
        oracle.advance(1);
        for (link, [length, greatest, arrivals, losses]) in (0..).zip(&mut seen) {
            let of = |value: Option<f64>| value.unwrap();
            *length += of(oracle.queue(link)) / 7000.0;
            *greatest = greatest.max(of(oracle.queue(link)));
            *arrivals += of(oracle.arrivals(link)) / 7000.0;
            *losses += of(oracle.arrivals(link)) * of(oracle.loss(link)) / 7000.0;
        }
    }
    let expected = oracle.means().unwrap();
    assert_eq!(expected.steps, 7000);
    let near = |found: f64, expected: f64, close: f64| (found - expected).abs() <= close * expected.abs();
    for (queue, seen) in expected.queues.iter().zip(seen) {
        let found = [queue.length, queue.greatest, queue.arrivals, queue.losses];
        assert!(found.iter().zip(seen).all(|(found, seen)| near(*found, seen, 1e-9)), "{found:?} {seen:?}");
    }
    let narrow = expected.queues[1];
    assert!(narrow.greatest > 299_000.0 && narrow.losses > 0.0 && narrow.idle > 0.1, "{narrow:?}");
    // Arrivals that were not lost have left, except for the initial contents. UDP was active for 1.4 of 3.5 s.
    assert!(near(narrow.used * 1e6, narrow.arrivals - narrow.losses, 1e-2), "{narrow:?}");
    assert!(near(expected.flows[1].on, 0.4, 1e-9) && near(expected.flows[1].rate, 520_000.0, 1e-9));
    for (precision, close) in [(Precision::Single, 2e-3), (Precision::Double, 1e-9)] {
        let measured = |launches: u32| {
            let mut engine = engine(&traffic, (Memory::default(), precision));
            // The first measurement is discarded.
            engine.measure().unwrap();
            assert_eq!(engine.means().unwrap(), None);
            engine.advance(50).unwrap();
            engine.measure().unwrap();
            (0..350 / launches).for_each(|_| engine.advance(launches).unwrap());
            engine.means().unwrap().unwrap()
        };
        let found = measured(7);
        assert_eq!(found, measured(175));
        assert_eq!(found.steps, expected.steps);
        for (queue, expected) in found.queues.iter().zip(&expected.queues) {
            let of = |queue: &QueueMeans| [queue.length, queue.greatest, queue.used, queue.arrivals, queue.losses];
            let pairs = of(queue).into_iter().zip(of(expected));
            // Rounding may leave a byte in a queue that stays empty.
            let alike = |(found, expected): (f64, f64)| near(found, expected, close) || (found - expected).abs() < 1e-3;
            assert!(queue.link == expected.link && pairs.into_iter().all(alike), "{queue:?}, expected {expected:?}");
            assert!((queue.idle - expected.idle).abs() < close, "{queue:?}, expected {expected:?}");
        }
        for (flow, expected) in found.flows.iter().zip(&expected.flows) {
            let alike = |found: Option<f64>, expected: Option<f64>| match (found, expected) {
                (Some(found), Some(expected)) => near(found, expected, close),
                (found, expected) => found == expected,
            };
            let same = alike(flow.window, expected.window) && alike(flow.round_trip, expected.round_trip);
            assert!(same && near(flow.rate, expected.rate, close), "{flow:?}, expected {expected:?}");
            assert_eq!((flow.flow, flow.on), (expected.flow, expected.on));
        }
    }
}
