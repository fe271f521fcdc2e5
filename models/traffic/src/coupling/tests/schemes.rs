//! Comparisons of the schemes with each other, and of each scheme with itself.

use super::*;
use crate::fluid::{FlowState, Precision, QueueState};
use crate::packet::PacketReport;

type Seen = (PacketReport, Vec<u32>, Vec<FlowState>, Vec<QueueState>);

/// A validation network with slow links: within a few seconds windows grow, and queues fill, drop and empty again.
fn narrow(packets: u32) -> Traffic {
    let wide = validation::network().unwrap();
    let mut builder = Builder::new();
    (0..wide.nodes() as u32).for_each(|node| {
        builder.node(wide.label(node));
    });
    for &link in wide.links() {
        let discipline = if link.from == 4 { Discipline::DropTail } else { link.queue.discipline };
        builder.link(Link { bandwidth: 20_000_000, queue: Queue::of_bytes(200_000, discipline), ..link });
    }
    let mut flows = validation::flows(packets).unwrap();
    let second = 1_000_000_000;
    (flows.all_mut()[3].start, flows.all_mut()[3].stop) = (second, 3 * second);
    flows.add(Flow { from: 0, to: 11, kind: Kind::Poisson { rate: 1_000_000 }, start: 0, stop: NEVER });
    // The path back of flow 2 carries fluids too, which acknowledgements meet.
    flows.add(Flow {
        from: 11,
        to: 1,
        kind: Kind::Udp { rate: 19_000_000, packets: false },
        start: second,
        stop: 2 * second,
    });
    Traffic::new(builder.build().unwrap(), flows, Metric::Hops, Tcp::default()).unwrap()
}

fn seen<F: Fluids>(run: &Coupled<F>) -> Seen {
    (run.simulator().report(), run.simulator().windows(2), run.flows().unwrap(), run.queues().unwrap())
}

#[test]
fn batches_of_one_step_are_lock_step_bit_by_bit() {
    for traffic in [narrow(10), validation_network(10)] {
        let mut by_turns = hybrid(&traffic, 3, 20, by_turns());
        let mut beside = hybrid(&traffic, 3, 1, batches_of(1));
        for second in 1..=4 {
            by_turns.run_until(second * SECOND).unwrap();
            beside.run_until(second * SECOND).unwrap();
            assert_eq!(seen(&by_turns), seen(&beside));
        }
        assert_eq!(by_turns.batch(), STEP * 1000);
        assert!(by_turns.simulator().report().flows.iter().all(|flow| flow.delivered > 100));
    }
}

#[test]
fn the_oracle_has_both_schemes_too() {
    let traffic = narrow(5);
    let oracle = |lookahead, coupling| {
        Coupled::on_host(&traffic, packets(&traffic, 3), size(&traffic, lookahead), coupling).unwrap()
    };
    let (mut by_turns, mut beside) = (oracle(20, by_turns()), oracle(1, batches_of(1)));
    by_turns.run_until(4 * SECOND).unwrap();
    beside.run_until(4 * SECOND).unwrap();
    assert_eq!(seen(&by_turns), seen(&beside));
    assert_eq!(by_turns.sequential().steps(), 8_000);
}

/// The device rounds differently from the host, but the difference must not change the fate of a packet.
#[test]
fn in_doubles_a_device_is_the_oracle_but_for_rounding() {
    let traffic = narrow(10);
    for coupling in [by_turns(), batches_of(3)] {
        let coupling = Coupling { precision: Precision::Double, ..coupling };
        let mut found = hybrid(&traffic, 3, 20, coupling);
        let mut oracle = Coupled::on_host(&traffic, packets(&traffic, 3), size(&traffic, 20), coupling).unwrap();
        assert_eq!(found.engine().precision(), Precision::Double);
        found.run_until(3 * SECOND).unwrap();
        oracle.run_until(3 * SECOND).unwrap();
        let ((found, _, flows, _), (expected, _, flows_expected, _)) = (seen(&found), seen(&oracle));
        let counts =
            |report: &PacketReport| -> Vec<_> { report.flows.iter().map(|flow| (flow.delivered, flow.sent)).collect() };
        assert_eq!(counts(&found), counts(&expected));
        assert!(counts(&found).iter().all(|(delivered, _)| *delivered > 100));
        assert_eq!(flows.len(), flows_expected.len());
        for (flow, expected) in flows.iter().zip(&flows_expected) {
            assert!((flow.window - expected.window).abs() <= 1e-7 * expected.window, "{flow:?} {expected:?}");
            assert!((flow.round_trip - expected.round_trip).abs() <= 1e-7 * expected.round_trip, "{flow:?}");
        }
    }
}

#[test]
fn a_run_is_a_function_of_its_seed_however_it_is_cut() {
    let traffic = narrow(10);
    for (lookahead, coupling) in [(20, by_turns()), (20, batches_of(1)), (20, batches_of(7)), (3, batches_of(2))] {
        let run = |seed, piece: u64| {
            let mut run = hybrid(&traffic, seed, lookahead, coupling);
            (1..=4 * SECOND / piece).for_each(|number| run.run_until(number * piece).unwrap());
            run.run_until(4 * SECOND).unwrap();
            seen(&run)
        };
        let whole = run(1, 4 * SECOND);
        assert_eq!(run(1, 4 * SECOND), whole);
        // Pieces that end within steps and within batches.
        assert_eq!(run(1, SECOND / 137), whole);
        assert_ne!(run(2, 4 * SECOND).0, whole.0);
    }
}

#[test]
fn only_queues_where_both_meet_are_shared() {
    let traffic = validation_network(10);
    let link = |from, to| traffic.network().link_between(from, to).unwrap();
    // Flow 2 goes from 1 by 2, 4, 7 and 9 to 11; no fluid uses its path back.
    let mut expected = [link(1, 2), link(2, 4), link(4, 7), link(7, 9), link(9, 11)];
    expected.sort_unstable();
    let mut run = hybrid(&traffic, 1, 20, batches_of(1));
    assert_eq!(run.shared_links(), expected);
    run.run_until(SECOND).unwrap();
    let report = run.simulator().report();
    assert_eq!(report.queues.len(), 10);
    for queue in report.queues {
        assert_eq!(queue.mean_length.is_none(), expected.contains(&queue.link), "{}", queue.label);
    }
}

#[test]
fn without_packets_or_without_fluids_each_is_as_it_is_alone() {
    let traffic = validation_network(0);
    let mut run = hybrid(&traffic, 1, 20, batches_of(5));
    let mut engine = Engine::new(&device(), &traffic, size(&traffic, 20), Rules::default()).unwrap();
    run.run_until(SECOND).unwrap();
    engine.advance(100).unwrap();
    assert_eq!((run.flows().unwrap(), run.queues().unwrap()), (engine.flows().unwrap(), engine.queues().unwrap()));
    assert_eq!(run.engine().steps(), 2_000);

    let mut flows = validation::flows(20).unwrap();
    for flow in flows.all_mut() {
        if let Kind::Tcp { fluid, packets } = flow.kind {
            flow.kind = Kind::Tcp { fluid: 0, packets: fluid + packets };
        }
    }
    let traffic = Traffic::new(validation::network().unwrap(), flows, Metric::Hops, Tcp::default()).unwrap();
    let mut run = hybrid(&traffic, 1, 20, batches_of(5));
    let mut alone = packets(&traffic, 1);
    run.run_until(2 * SECOND).unwrap();
    alone.run_until(2 * SECOND, &mut Alone);
    assert_eq!(run.simulator().report(), alone.report());
}

/// The counters of the packet simulator must add up: no packet is lost between fluids and packets.
#[test]
fn packets_are_conserved() {
    for (seed, lookahead, coupling) in
        [(1, 20, by_turns()), (2, 20, batches_of(1)), (3, 20, batches_of(20)), (4, 5, batches_of(3))]
    {
        let traffic = narrow(20);
        let mut run = hybrid(&traffic, seed, lookahead, coupling);
        run.run_until(5 * SECOND).unwrap();
        let simulator = run.simulator();
        let (mut under_way, mut dropped) = (0, 0);
        for flow in [2, 4] {
            let counts = simulator.flow_counts(flow).unwrap();
            under_way += counts.sent - counts.received - counts.dropped;
            under_way += counts.acks - counts.acks_received - counts.acks_dropped;
            dropped += counts.dropped + counts.acks_dropped;
            assert!(counts.received > 100);
        }
        assert_eq!(under_way, simulator.in_flight());
        let queues = simulator.report().queues;
        assert_eq!(queues.iter().map(|queue| queue.overflowed + queue.dropped).sum::<u64>(), dropped);
        assert!(dropped > 0);
        assert!(queues.iter().all(|queue| queue.greatest_length <= 200_000));
    }
}
