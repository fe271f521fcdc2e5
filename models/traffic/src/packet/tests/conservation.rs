//! Conservation tests: every packet sent is delivered, dropped or under way, and the same seed gives the same run.

use super::*;
use crate::network::{Codel, FqCodel, Red, validation};
use proptest::prelude::*;

/// Creates the validation network with slow links, all flows as packets, and datagrams beside them.
fn traffic(queue: Queue, rate: u64, loss: f64) -> Traffic {
    let wide = validation::network().unwrap();
    let mut builder = Builder::new();
    (0..wide.nodes() as u32).for_each(|node| {
        builder.node(wide.label(node));
    });
    wide.links().iter().for_each(|&link| {
        builder.link(Link { bandwidth: 10_000_000, queue, loss, ..link });
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
    Traffic::new(builder.build().unwrap(), flows, Metric::Hops, Tcp::default()).unwrap()
}

/// Returns one of the four disciplines, with parameters that have them drop.
fn discipline(number: usize) -> Discipline {
    let codel = Codel { target: MILLISECOND, interval: 20 * MILLISECOND };
    let red = Discipline::Red(Red { weight: 0.01, ..Red::default() });
    let fair = Discipline::FqCodel(FqCodel { codel, quantum: Some(300), queues: 8 });
    [Discipline::DropTail, red, Discipline::Codel(codel), fair][number]
}

fn run(traffic: &Traffic, seed: u64, seconds: u64) -> Simulator {
    run_with(traffic, Settings { seed, ..Settings::default() }, seconds)
}

fn run_with(traffic: &Traffic, settings: Settings, seconds: u64) -> Simulator {
    let mut simulator = Simulator::new(traffic, settings).unwrap();
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
    ) {
        let room = packets.map_or(room, |packets| u64::from(packets) * 1000);
        let traffic = traffic(Queue { capacity: room, packets, discipline: discipline(number) }, rate, loss);
        let tcp = TcpRules { ecn, ..TcpRules::default() };
        let simulator = run_with(&traffic, Settings { seed, tcp, ..Settings::default() }, 5);
        let mut under_way = 0;
        let (mut dropped, mut lost, mut received) = (0, 0, 0);
        for flow in 0..8 {
            let counts = simulator.flow_counts(flow).unwrap();
            under_way += counts.sent - counts.received - counts.dropped - counts.lost;
            under_way += counts.acks - counts.acks_received - counts.acks_dropped - counts.acks_lost;
            dropped += counts.dropped + counts.acks_dropped;
            lost += counts.lost + counts.acks_lost;
            received += counts.received;
            prop_assert!(counts.delivered <= counts.received && counts.again <= counts.sent);
            prop_assert!(counts.marked == 0 || ecn);
            prop_assert_eq!(counts.delays.total(), counts.received);
        }
        prop_assert_eq!(under_way, simulator.in_flight());
        let report = simulator.report();
        prop_assert_eq!(report.queues.iter().map(|queue| queue.overflowed + queue.dropped).sum::<u64>(), dropped);
        prop_assert_eq!(report.queues.iter().map(|queue| queue.lost).sum::<u64>(), lost);
        prop_assert!(lost == 0 || loss > 0.0);
        prop_assert!(received > 0);
        for queue in &report.queues {
            // Accepted bytes are sent or still in the queue.
            let waiting = simulator.backlog(queue.link) as f64 * 8.0 / 5.0;
            let accepted = queue.offered - queue.dropped_rate;
            prop_assert!((queue.carried + waiting - accepted).abs() < 1.0, "{:?}, {} waiting", queue, waiting);
            prop_assert!(queue.carried <= 1e7 && queue.carried <= accepted && queue.greatest_length <= room, "{:?}", queue);
            prop_assert!(queue.mean_length.unwrap() <= queue.greatest_length as f64);
        }
    }
}

#[test]
fn a_run_is_a_function_of_its_seed() {
    for number in 1..4 {
        let traffic = traffic(Queue::of_bytes(60_000, discipline(number)), 500_000, 0.001);
        let report = |seed| run(&traffic, seed, 20).report();
        let first = report(7);
        assert_eq!(report(7), first);
        assert_ne!(report(8), first);
        assert!(first.queues.iter().any(|queue| queue.dropped > 0) && first.queues.iter().any(|queue| queue.lost > 0));
        // The run is the same if it is cut into pieces.
        let mut pieces = Simulator::new(&traffic, Settings { seed: 7, ..Settings::default() }).unwrap();
        (1..=20_000).for_each(|step| pieces.run_until(step * SECOND / 1000, &mut Alone));
        assert_eq!(pieces.report(), first);
    }
    let traffic = traffic(Queue::of_bytes(60_000, discipline(1)), 500_000, 0.001);
    let first = run(&traffic, 7, 20).report();
    // The counts are the same after serialization.
    let read: PacketReport = serde_json::from_str(&serde_json::to_string(&first).unwrap()).unwrap();
    let counts =
        |report: &PacketReport| report.queues.iter().map(|queue| (queue.arrivals, queue.dropped)).collect::<Vec<_>>();
    assert_eq!((read.events, counts(&read)), (first.events, counts(&first)));
}
