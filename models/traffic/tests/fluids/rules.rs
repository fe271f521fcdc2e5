//! Tests of rules other than the paper's: losses of one round trip that count once.

use super::{compare_by, engine_by};
use imminent_traffic::fluid::{Memory, Precision, Recovery, Rules};
use imminent_traffic::network::{Builder, Discipline, Flow, Flows, Kind, Link, Queue, validation};
use imminent_traffic::units::NEVER;
use imminent_traffic::{Metric, Tcp, Traffic};

#[test]
fn losses_of_a_round_trip_that_count_once_do_so_on_a_device() {
    let network = validation::network().unwrap();
    let traffic = Traffic::new(network, validation::flows(0).unwrap(), Metric::Hops, Tcp::default()).unwrap();
    let rules = Rules { recovery: Recovery::NewReno, ..Rules::default() };
    let errors = compare_by(&traffic, rules, (Memory::default(), Precision::Single), 40);
    println!("{errors:?}");
    assert!(errors.window < 2e-3 && errors.round_trip < 3e-3 && errors.queue < 1e-3, "{errors:?}");
    let sack = Rules { recovery: Recovery::Sack, losses_seen: 2.0, ..rules };
    let errors = compare_by(&traffic, sack, (Memory::default(), Precision::Double), 40);
    println!("in f64: {errors:?}");
    assert!(errors.all_below(1e-9), "{errors:?}");
}

/// UDP above the rate of a link keeps its queue full, which gives a constant loss probability. Equation 1 then says
/// `W² p = 2`. If losses of a round trip count once, it is `W (1 - (1 - p)^W) = 2`.
#[test]
fn windows_settle_where_losses_of_one_probability_let_them() {
    let mut builder = Builder::new();
    let ends = (builder.node("a".to_owned()), builder.node("b".to_owned()));
    let queue = Queue::of_bytes(100_000, Discipline::DropTail);
    builder.link(Link { from: ends.0, to: ends.1, delay: 10_000_000, bandwidth: 16_000_000, queue, loss: 0.0 });
    let mut flows = Flows::new();
    for kind in [Kind::Udp { rate: 16_400_000, packets: false }, Kind::Tcp { fluid: 2, packets: 0 }] {
        flows.add(Flow { from: ends.0, to: ends.1, kind, start: 0, stop: NEVER });
    }
    let traffic = Traffic::new(builder.build().unwrap(), flows, Metric::Hops, Tcp::default()).unwrap();
    for (recovery, precision) in [
        (Recovery::Reno, Precision::Single),
        (Recovery::NewReno, Precision::Single),
        (Recovery::NewReno, Precision::Double),
    ] {
        let kept = (Rules { recovery, ..Rules::default() }, Memory::default());
        let mut engine = engine_by(&traffic, kept, precision);
        (0..60).for_each(|_| engine.advance(50).unwrap());
        let (window, loss) = (engine.flows().unwrap()[1].window, engine.queues().unwrap()[0].loss);
        let decreases = match recovery {
            Recovery::Reno => window * window * loss,
            Recovery::NewReno | Recovery::Sack => window * (1.0 - (1.0 - loss).powf(window)),
        };
        println!("{recovery:?}: {window} packets, {loss} lost: {decreases}");
        assert!((decreases - 2.0).abs() < 1e-3 && loss > 0.02, "{recovery:?}: {window} packets, {loss} lost");
    }
}
