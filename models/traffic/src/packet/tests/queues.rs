//! Tests of queues in packets, CoDel, FqCoDel and explicit congestion notification.

use super::*;
use crate::network::{Codel, Disciplines, FqCodel, QueueKind, Red};
use crate::packet::report::FlowCounts;

/// Creates a link of 10 Mb/s and 20 ms each way with this queue, and an access link for each flow.
fn dumbbell(queue: Queue, kinds: &[(Kind, u64)]) -> Traffic {
    let mut builder = Builder::new();
    let [gate, sink] = ["gate", "sink"].map(|label| builder.node(label));
    builder.both_ways(Link { from: gate, to: sink, delay: 10 * MILLISECOND, bandwidth: 10_000_000, queue, loss: 0.0 });
    let mut flows = Flows::new();
    for (number, &(kind, delay)) in kinds.iter().enumerate() {
        let from = builder.node(number.to_string());
        let queue = Queue::of_bytes(1 << 30, Discipline::DropTail);
        builder.both_ways(Link { from, to: gate, delay, bandwidth: 1_000_000_000, queue, loss: 0.0 });
        flows.add(Flow { from, to: sink, kind, start: 0, stop: NEVER });
    }
    let tcp = Tcp { window: 10_000, ..Tcp::default() };
    Traffic::new(builder.build().unwrap(), flows, Metric::Hops, tcp).unwrap()
}

/// Creates a link of a bandwidth and 1 ms each way with this queue, and one flow.
fn link(queue: Queue, bandwidth: u64, kind: Kind) -> Traffic {
    let mut builder = Builder::new();
    let [from, to] = ["a", "b"].map(|label| builder.node(label));
    builder.both_ways(Link { from, to, delay: MILLISECOND, bandwidth, queue, loss: 0.0 });
    let mut flows = Flows::new();
    flows.add(Flow { from, to, kind, start: 0, stop: NEVER });
    Traffic::new(builder.build().unwrap(), flows, Metric::Hops, Tcp::default()).unwrap()
}

fn rules(variant: Variant, ecn: bool) -> TcpRules {
    TcpRules { variant, sack: (variant != Variant::Reno).then_some(true), ecn, ..TcpRules::default() }
}

/// Simulates 10 s that are not counted, and 50 s that are. Returns the simulator, and the time that the link needs to
/// send its queue, every millisecond, in seconds.
fn run(traffic: &Traffic, tcp: TcpRules, seed: u64) -> (Simulator, Vec<f64>) {
    let mut simulator = Simulator::new(traffic, Settings { tcp, seed, ..Settings::default() }).unwrap();
    simulator.run_until(10 * SECOND, &mut Alone);
    simulator.forget();
    let delays = (1..=50_000).map(|ms| {
        simulator.run_until(10 * SECOND + ms * SECOND / 1000, &mut Alone);
        simulator.backlog(0) as f64 * 8.0 / 1e7
    });
    let delays = delays.collect();
    (simulator, delays)
}

/// Share of intervals of 100 ms whose shortest queueing delay is above a time.
fn share_above(delays: &[f64], time: f64) -> f64 {
    let least = |delays: &[f64]| delays.iter().copied().fold(f64::INFINITY, f64::min);
    delays.chunks(100).filter(|delays| least(delays) > time).count() as f64 / (delays.len() / 100) as f64
}

/// The chain of M/D/1/K at departures: share of arrivals that find no room.
fn loss_of_md1k(load: f64, places: usize) -> f64 {
    let factorial = |n: usize| (1..=n).map(|i| i as f64).product::<f64>();
    let come = |n: usize| f64::exp(-load) * load.powi(n as i32) / factorial(n);
    let mut chain = vec![1.0];
    for n in 0..places - 1 {
        let flow: f64 = (1..=n).map(|i| chain[i] * come(n + 1 - i)).sum();
        chain.push((chain[n] - chain[0] * come(n) - flow) / come(0));
    }
    1.0 - 1.0 / (chain[0] / chain.iter().sum::<f64>() + load)
}

#[test]
fn a_queue_of_k_packets_loses_what_m_d_1_k_does() {
    for (load, places) in [(0.9, 6), (1.2, 3)] {
        let losses: Vec<f64> = (1..=12)
            .map(|seed| {
                let queue = Queue { capacity: 1000, packets: Some(places), discipline: Discipline::DropTail };
                let traffic = link(queue, 8_000_000, Kind::Poisson { rate: (load * 8e6) as u64 });
                let mut simulator = Simulator::new(&traffic, settings(seed)).unwrap();
                simulator.run_until(100 * SECOND, &mut Alone);
                simulator.report().flows[0].loss.unwrap()
            })
            .collect();
        let (estimate, expected) = (Estimate::of(&losses), loss_of_md1k(load, places as usize));
        assert!(estimate.covers(expected, 1.5), "{estimate:?} instead of {expected}");
        assert!(estimate.relative().unwrap() < 0.05, "{estimate:?}");
    }
}

/// Datagrams at the rate of a link come when the last bit of the one before leaves: room for one packet is enough.
#[test]
fn datagrams_at_the_rate_of_a_link_need_one_place() {
    let kind = Kind::Udp { rate: 10_000_000, packets: true };
    for of in [QueueKind::DropTail, QueueKind::Codel, QueueKind::FqCodel] {
        let discipline = of.discipline(&Disciplines::default());
        for queue in [Queue::of_bytes(1000, discipline), Queue { capacity: 1000, packets: Some(1), discipline }] {
            let mut simulator = Simulator::new(&link(queue, 10_000_000, kind), settings(1)).unwrap();
            simulator.run_until(10 * SECOND, &mut Alone);
            let report = simulator.report();
            let (flow, queue) = (&report.flows[0], &report.queues[0]);
            assert_eq!((flow.sent, flow.dropped, queue.overflowed, queue.dropped), (12_500, 0, 0, 0), "{queue:?}");
            assert!(queue.utilization > 0.999_999, "{queue:?}");
        }
    }
}

/// RFC 8289: once a session is past its slow start, the shortest wait of an interval is kept near the target, whatever
/// room there is, and the link stays busy.
#[test]
fn codel_keeps_the_shortest_wait_of_an_interval_near_its_target() {
    let session = [(ONE_SESSION, 10 * MILLISECOND)];
    let of = |discipline| {
        let traffic = dumbbell(Queue::of_bytes(1_000_000, discipline), &session);
        let (simulator, delays) = run(&traffic, rules(Variant::NewReno, false), 1);
        ([0.005, 0.010].map(|time| share_above(&delays, time)), simulator.report().queues[0].clone())
    };
    let (above, codel) = of(Discipline::Codel(Codel::default()));
    assert!(above[0] < 0.1 && above[1] < 0.01, "{above:?}");
    // Without a queue a halved window would use three quarters.
    assert!(codel.utilization > 0.8 && codel.dropped > 10 && codel.overflowed == 0, "{codel:?}");
    let (fair, queue) = of(Discipline::FqCodel(FqCodel::default()));
    assert_eq!((fair, queue.dropped), (above, codel.dropped), "one flow alone has the only queue with data");
    // The same session behind drop-tail has a standing queue.
    let (above, tail) = of(Discipline::DropTail);
    assert!(above[1] > 0.9, "{above:?} {tail:?}");
}

fn goodputs(kind: QueueKind, kinds: &[(Kind, u64)]) -> Vec<FlowReport> {
    let queue = Queue::of_bytes(1_000_000, kind.discipline(&Disciplines::default()));
    run(&dumbbell(queue, kinds), rules(Variant::Cubic, false), 1).0.report().flows
}

#[test]
fn fq_codel_shares_a_link_equally() {
    let udp = |rate| (Kind::Udp { rate, packets: true }, MILLISECOND);
    // Max-min fairness of 10 Mb/s among 6, 5, 4 and 1 Mb/s: 3, 3, 3 and 1.
    let flows = goodputs(QueueKind::FqCodel, &[6_000_000, 5_000_000, 4_000_000, 1_000_000].map(udp));
    for (flow, share) in flows.iter().zip([3.0, 3.0, 3.0, 1.0]) {
        assert!((flow.goodput / 1e6 / share - 1.0).abs() < 0.005, "{flow:?} instead of {share}");
    }
    // A flow below its share loses nothing, and waits for a packet of each other flow at most.
    assert_eq!(flows[3].loss, Some(0.0));
    assert!(flows[3].delay.unwrap().greatest < 0.011 + 0.0008 * 5.0 + 1e-4, "{:?}", flows[3].delay);
    // Sessions with different round trips, beside a flow that sends less than its share, and one that sends more.
    for (rate, share) in [(1_500_000, 1.5), (6_000_000, 2.5)] {
        let sessions = [1, 10, 20].map(|delay| (ONE_SESSION, delay * MILLISECOND));
        let kinds = [&[udp(rate)][..], &sessions].concat();
        let flows = goodputs(QueueKind::FqCodel, &kinds);
        let expected = [share].into_iter().chain([(10.0 - share) / 3.0; 3]);
        for (flow, expected) in flows.iter().zip(expected) {
            assert!((flow.goodput / 1e6 / expected - 1.0).abs() < 0.1, "{flow:?} instead of {expected}");
        }
        if rate < 2_500_000 {
            assert_eq!(flows[0].loss, Some(0.0));
        }
        // Drop-tail gives the flow that does not yield nearly all that it sends.
        let tail = goodputs(QueueKind::DropTail, &kinds);
        assert!(tail[0].goodput > 0.9 * rate as f64, "{:?}", tail[0]);
    }
}

#[test]
fn sessions_with_ecn_lose_nothing() {
    let kinds = [(Kind::Tcp { fluid: 0, packets: 5 }, 10 * MILLISECOND)];
    let red = Red { weight: 0.002, least: 0.05, most: 0.9, probability: 0.3, ..Red::default() };
    for discipline in
        [Discipline::Red(red), Discipline::Codel(Codel::default()), Discipline::FqCodel(FqCodel::default())]
    {
        for variant in [Variant::Reno, Variant::NewReno, Variant::Cubic] {
            let traffic = dumbbell(Queue::of_bytes(400_000, discipline), &kinds);
            let (simulator, _) = run(&traffic, rules(variant, true), 1);
            let report = simulator.report();
            let (flow, queue) = (&report.flows[0], &report.queues[0]);
            assert_eq!((flow.dropped, flow.lost, flow.again, flow.timeouts), (0, 0, 0, 0), "{variant:?} {flow:?}");
            assert!(queue.marked > 50 && queue.utilization > 0.95, "{variant:?} {queue:?}");
            assert!(flow.marked.abs_diff(queue.marked) < 20, "a mark may be on its way: {flow:?} {queue:?}");
            // Without ECN the queue drops in the place of marks.
            let (without, _) = run(&traffic, rules(variant, false), 1);
            let report = without.report();
            assert!(report.queues[0].dropped > 20 && report.flows[0].marked == 0, "{report:?}");
        }
    }
}

/// HyStart++ ends the first slow start before the queue is full, where the standard one overshoots it by a window.
#[test]
fn hystart_ends_slow_start_before_losses() {
    for variant in [Variant::NewReno, Variant::Cubic] {
        let first = |hystart: bool| {
            let queue = Queue { capacity: 800_000, packets: Some(800), discipline: Discipline::DropTail };
            let traffic = dumbbell(queue, &[(ONE_SESSION, 30 * MILLISECOND)]);
            let tcp = TcpRules { hystart, ..rules(variant, false) };
            let mut simulator = Simulator::new(&traffic, Settings { tcp, ..settings(1) }).unwrap();
            simulator.run_until(5 * SECOND, &mut Alone);
            simulator.flow_counts(0).unwrap().clone()
        };
        let (standard, ended) = (first(false), first(true));
        assert!(standard.dropped > 50, "{variant:?} {}", standard.dropped);
        let told = |counts: &FlowCounts| (counts.dropped, counts.delivered);
        assert!(ended.dropped == 0 && ended.delivered > 4_500, "{variant:?} {:?} {:?}", told(&ended), told(&standard));
    }
}
