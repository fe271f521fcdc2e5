//! Conservation tests: every packet sent is delivered, lost or under way, and the same seed gives the same run.

use super::warm_up::{discipline, since_warm_up};
use super::*;
use crate::network::validation;
use proptest::prelude::*;

/// Creates the validation network with slow links, all flows as packets, and datagrams beside them. With equal paths
/// there are two of each link, and sessions take either.
fn traffic(queue: Queue, rate: u64, loss: f64, has_equal_paths: bool) -> Traffic {
    let wide = validation::network().unwrap();
    let mut builder = Builder::new();
    (0..wide.nodes() as u32).for_each(|node| {
        builder.node(wide.label(node));
    });
    wide.links().iter().for_each(|&link| {
        (0..=u32::from(has_equal_paths)).for_each(|_| {
            builder.link(Link { bandwidth: 10_000_000, queue, loss, ..link });
        });
    });
    let mut flows = validation::flows(0).unwrap();
    for flow in flows.all_mut() {
        flow.kind = Kind::Tcp { fluid: 0, packets: 5 };
        flow.start = 0;
    }
    let second = 1_000 * MILLISECOND;
    for kind in [
        Kind::Udp { rate, packets: true },
        Kind::Poisson { rate },
        Kind::OnOff { rate: 2 * rate, on: second / 10, off: second / 10 },
        Kind::Requests { clients: 4, request: 500, answer: 30_000, think: second / 5 },
    ] {
        flows.add(Flow { from: 0, to: 11, kind, start: 0, stop: NEVER });
    }
    // Flow 0 is Reno's, and the clients of flow 7 are CUBIC's.
    for (flow, variant, sack) in
        [(1, Variant::NewReno, None), (2, Variant::Cubic, None), (3, Variant::NewReno, Some(true))]
    {
        flows.set_tcp(flow, OwnTcp { variant: Some(variant), sack, ..OwnTcp::default() });
    }
    let delayed_ack = Some(second / 5);
    flows.set_tcp(7, OwnTcp { variant: Some(Variant::Cubic), delayed_ack, ..OwnTcp::default() });
    let traffic = Traffic::new(builder.build().unwrap(), flows, Metric::Hops, Tcp::default()).unwrap();
    if has_equal_paths { traffic.with_ecmp() } else { traffic }
}

fn run(traffic: &Traffic, seed: u64, seconds: u64) -> Simulator {
    let mut simulator = Simulator::new(traffic, Settings { seed, ..Settings::default() }).unwrap();
    simulator.run_until(seconds * SECOND, &mut Alone);
    simulator
}

/// Every transfer arrives whole, whatever packets and acknowledgements are lost, and nothing is sent after it.
#[test]
fn transfers_arrive_whole_by_every_variant() {
    let rules = [
        (Variant::Reno, None),
        (Variant::NewReno, None),
        (Variant::NewReno, Some(true)),
        (Variant::Cubic, None),
        (Variant::Cubic, Some(false)),
    ];
    for (seed, loss, room) in [(1, 0.0, 3_000), (2, 0.02, 20_000), (3, 0.2, 100_000), (4, 0.4, 20_000)] {
        for (variant, sack) in rules {
            for delayed_ack in [0, 200 * MILLISECOND] {
                let mut builder = Builder::new();
                let [from, to] = ["a", "b"].map(|label| builder.node(label));
                let queue = Queue::of_bytes(room, Discipline::DropTail);
                builder.both_ways(Link { from, to, delay: 10 * MILLISECOND, bandwidth: 8_000_000, queue, loss });
                let mut flows = Flows::new();
                let kind = Kind::Tcp { fluid: 0, packets: 20 };
                let flow = flows.add(Flow { from, to, kind, start: 0, stop: NEVER });
                let own = OwnTcp { variant: Some(variant), sack, delayed_ack: Some(delayed_ack), ..OwnTcp::default() };
                flows.set_tcp(flow, OwnTcp { bytes: Some(49_300), ..own });
                let traffic = Traffic::new(builder.build().unwrap(), flows, Metric::Hops, Tcp::default()).unwrap();
                let simulator = run(&traffic, seed, 40_000);
                let counts = simulator.flow_counts(flow).unwrap();
                let told = format!("{variant:?} {sack:?} {delayed_ack} {seed}: {counts:?}");
                assert_eq!((counts.transfers, counts.delivered, counts.bytes), (20, 20 * 50, 20 * 49_300), "{told}");
                assert_eq!(simulator.in_flight(), 0, "{told}");
                assert!(counts.again >= counts.dropped + counts.lost, "{told}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn packets_are_conserved(
        seed in any::<u64>(),
        room in 2_000..200_000_u64,
        rate in 10_000..8_000_000_u64,
        loss in prop::sample::select(vec![0.0, 0.001, 0.1]),
        number in 0..4_usize,
        packets in prop::sample::select(vec![None, Some(3), Some(40)]),
        ecn in any::<bool>(),
        has_equal_paths in any::<bool>(),
        failures in prop::collection::vec((0..22_u32, 0..4_000_u64, 1..2_000_u64), 0..4),
        warm_up in 1..4_500_u64,
    ) {
        let room = packets.map_or(room, |packets| u64::from(packets) * 1000);
        let queue = Queue { capacity: room, packets, discipline: discipline(number) };
        let traffic = traffic(queue, rate, loss, has_equal_paths);
        let failures: Vec<_> = failures.into_iter().map(|(link, start, time)| (link, start, start + time)).collect();
        let traffic = failing(traffic, &failures, 100);
        let tcp = TcpRules { ecn, ..TcpRules::default() };
        let settings = Settings { seed, tcp, ..Settings::default() };
        let (simulator, _) = since_warm_up(&traffic, settings, warm_up * SECOND / 1000, 5 * SECOND);
        let mut under_way = 0;
        let (mut dropped, mut lost, mut failed, mut received) = (0, 0, 0, 0);
        for flow in 0..8 {
            let counts = simulator.flow_counts(flow).unwrap();
            under_way += counts.sent - counts.received - counts.dropped - counts.lost - counts.failed;
            under_way +=
                counts.acks - counts.acks_received - counts.acks_dropped - counts.acks_lost - counts.acks_failed;
            dropped += counts.dropped + counts.acks_dropped;
            lost += counts.lost + counts.acks_lost;
            failed += counts.failed + counts.acks_failed;
            received += counts.received;
            prop_assert!(counts.delivered <= counts.received && counts.again <= counts.sent);
            prop_assert!(counts.marked == 0 || ecn);
            prop_assert_eq!(counts.delays.total(), counts.received);
        }
        prop_assert_eq!(under_way, simulator.in_flight());
        let report = simulator.report();
        prop_assert_eq!(report.queues.iter().map(|queue| queue.overflowed + queue.dropped).sum::<u64>(), dropped);
        prop_assert_eq!(report.queues.iter().map(|queue| queue.lost).sum::<u64>(), lost);
        // A packet without a path fails before its first queue.
        prop_assert!(report.queues.iter().map(|queue| queue.failed).sum::<u64>() <= failed);
        prop_assert!(lost == 0 || loss > 0.0);
        prop_assert!(failed == 0 || !failures.is_empty());
        prop_assert!(received > 0);
        for queue in &report.queues {
            // Accepted bytes are sent, lost by a failure or still in the queue. A failure rounds to a byte.
            let waiting = simulator.backlog(queue.link) as f64 * 8.0 / 5.0;
            let failed = simulator.queue_counts(queue.link).failed_bytes as f64 * 8.0 / 5.0;
            let (accepted, rounded) = (queue.offered - queue.dropped_rate, 1.0 + 2.0 * failures.len() as f64);
            let found = queue.carried + waiting + failed;
            prop_assert!((found - accepted).abs() < rounded, "{:?}, {} waiting, {} failed", queue, waiting, failed);
            prop_assert!(queue.carried <= 1e7 && queue.carried <= accepted && queue.greatest_length <= room, "{:?}", queue);
            prop_assert!(queue.mean_length.unwrap() <= queue.greatest_length as f64);
        }
    }
}

#[test]
fn a_run_is_a_function_of_its_seed() {
    for number in 0..4 {
        let traffic = traffic(Queue::of_bytes(60_000, discipline(number)), 500_000, 0.001, true);
        let traffic = failing(traffic, &[(20, 3_000, 8_000), (4, 9_000, 12_000), (5, 9_500, 11_000)], 200);
        let simulator = |seed| Simulator::new(&traffic, Settings { seed, ..Settings::default() }).unwrap();
        let report = |seed| {
            let mut simulator = simulator(seed);
            simulator.run_until(7 * SECOND, &mut Alone);
            simulator.forget();
            simulator.run_until(13 * SECOND, &mut Alone);
            simulator.report()
        };
        let first = report(7);
        assert_eq!(report(7), first);
        assert_ne!(report(8), first);
        let has = |of: fn(&QueueReport) -> u64| first.queues.iter().any(|queue| of(queue) > 0);
        assert!(has(|queue| queue.dropped + queue.overflowed) && has(|queue| queue.lost) && has(|queue| queue.failed));
        // The run is the same if it is cut into pieces.
        let mut pieces = simulator(7);
        for step in 1..=13_000 {
            pieces.run_until(step * SECOND / 1000, &mut Alone);
            if step == 7_000 {
                pieces.forget();
            }
        }
        assert_eq!(pieces.report(), first);
    }
    let traffic = traffic(Queue::of_bytes(60_000, discipline(1)), 500_000, 0.001, false);
    let first = run(&traffic, 7, 5).report();
    // The counts are the same after serialization.
    let read: PacketReport = serde_json::from_str(&serde_json::to_string(&first).unwrap()).unwrap();
    let counts =
        |report: &PacketReport| report.queues.iter().map(|queue| (queue.arrivals, queue.dropped)).collect::<Vec<_>>();
    assert_eq!((read.events, counts(&read)), (first.events, counts(&first)));
}
