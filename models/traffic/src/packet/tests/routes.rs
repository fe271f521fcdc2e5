//! Tests of links that fail, and of sessions that are spread over equal paths.

use super::*;
use crate::network::Codel;

/// Link of 8 Mb/s, on which a packet of 1000 bytes takes 1 ms, and 1 ms long.
const LINK: Link = Link {
    from: 0,
    to: 0,
    delay: MILLISECOND,
    bandwidth: 8_000_000,
    queue: Queue::of_bytes(100_000, Discipline::DropTail),
    loss: 0.0,
};

/// Creates a triangle: 0 to 1 over one link (0 there, 1 back), or by way of 2 (links 2 to 5).
fn triangle(queue: Queue, kind: Kind) -> Traffic {
    let mut builder = Builder::new();
    for node in 0..3 {
        builder.node(node.to_string());
    }
    for (from, to) in [(0, 1), (0, 2), (2, 1)] {
        builder.both_ways(Link { from, to, queue, ..LINK });
    }
    let mut flows = Flows::new();
    flows.add(Flow { from: 0, to: 1, kind, start: 0, stop: NEVER });
    Traffic::new(builder.build().unwrap(), flows, Metric::Hops, Tcp::default()).unwrap()
}

const CODEL: Codel = Codel { target: 5 * MILLISECOND, interval: 100 * MILLISECOND };

/// A packet every 2 ms, at even times. Link 0 fails from 101.5 to 201 ms, and routes follow 50 ms later.
#[test]
fn packets_take_another_way_once_routes_have_followed() {
    let kind = Kind::Udp { rate: 4_000_000, packets: true };
    for discipline in [Discipline::DropTail, Discipline::Codel(CODEL)] {
        let traffic = triangle(Queue::of_bytes(100_000, discipline), kind);
        let failure = [Failure { link: 0, start: 101_500_000, stop: 201 * MILLISECOND }];
        let failures = Failures::new(traffic.network(), failure.to_vec(), 50 * MILLISECOND).unwrap();
        let mut simulator = Simulator::new(&traffic.with_failures(failures).unwrap(), settings(1)).unwrap();
        let mut at = |ms: u64| {
            simulator.run_until(ms * SECOND / 1000 + SECOND / 10_000, &mut Alone);
            let counts = simulator.flow_counts(0).unwrap();
            (counts.sent, counts.received, counts.failed)
        };
        // A packet arrives 2 ms after it was sent: the one of 100 ms is on the link when that fails.
        assert_eq!(at(101), (51, 50, 0));
        assert_eq!(at(102), (52, 50, 2));
        // Those of 102 to 150 ms find no link. From 151.5 ms on they go by way of 2, and take 4 ms.
        assert_eq!(at(151), (76, 50, 26));
        assert_eq!(at(155), (78, 50, 26));
        assert_eq!(at(156), (79, 51, 26));
        // The link is back at 201 ms, and routes use it from 251 ms on. Nothing is lost then.
        assert_eq!(at(251), (126, 98, 26));
        assert_eq!(at(254), (128, 101, 26));
        assert_eq!(at(1000), (501, 474, 26));
        let report = simulator.report();
        let queue = |link: u32| report.queues.iter().find(|queue| queue.link == link).unwrap();
        assert_eq!((queue(0).failed, queue(0).dropped, queue(2).arrivals, queue(4).arrivals), (26, 0, 50, 50));
        assert_eq!((report.flows[0].failed, report.flows[0].loss), (26, Some(26.0 / 501.0)));
    }
}

#[test]
fn all_that_waits_for_a_link_is_lost_with_it() {
    // Twice what the link sends: a packet every 0.5 ms. At 20.25 ms 41 have come, 20 are sent, and 19 have arrived.
    let kind = Kind::Udp { rate: 16_000_000, packets: true };
    for discipline in [Discipline::DropTail, Discipline::Codel(CODEL)] {
        let traffic = triangle(Queue::of_bytes(100_000, discipline), kind);
        let all = [0, 2].map(|link| Failure { link, start: 20_250_000, stop: 30_250_000 }).to_vec();
        let failures = Failures::new(traffic.network(), all, 0).unwrap();
        let mut simulator = Simulator::new(&traffic.with_failures(failures).unwrap(), settings(1)).unwrap();
        simulator.run_until(SECOND * 2025 / 100_000 + 1, &mut Alone);
        let counts = simulator.flow_counts(0).unwrap();
        assert_eq!((counts.sent, counts.received, counts.failed, simulator.in_flight()), (41, 19, 22, 0));
        assert_eq!(simulator.backlog(0), 0);
        // Without any way they are lost where they are sent, and then the queue begins anew.
        simulator.run_until(SECOND * 3025 / 100_000 + 1, &mut Alone);
        let counts = simulator.flow_counts(0).unwrap();
        assert_eq!((counts.sent, counts.received, counts.failed, simulator.in_flight()), (61, 19, 42, 0));
        simulator.run_until(SECOND * 3275 / 100_000, &mut Alone);
        assert_eq!(simulator.flow_counts(0).unwrap().received, 20);
        // Bytes that were sent: 20 packets and a quarter before, 2.25 since 30.5 ms.
        let queue = simulator.report().queues[0].clone();
        let sent = queue.carried * 0.03275 / 8.0;
        assert!((sent - 22_500.0).abs() < 20.0, "{sent} {queue:?}");
    }
}

#[test]
fn a_session_goes_on_after_a_failure_without_another_way() {
    let link = |loss| Link { from: 0, to: 1, loss, ..LINK };
    let mut builder = Builder::new();
    for node in 0..2 {
        builder.node(node.to_string());
    }
    builder.both_ways(link(0.0));
    let mut flows = Flows::new();
    let flow = flows.add(Flow { from: 0, to: 1, kind: ONE_SESSION, start: 0, stop: NEVER });
    flows.set_tcp(flow, OwnTcp { variant: Some(Variant::Cubic), bytes: Some(3_000_000), ..OwnTcp::default() });
    let traffic = Traffic::new(builder.build().unwrap(), flows, Metric::Hops, Tcp::default()).unwrap();
    let traffic = failing(traffic, &[(0, 1000, 6000), (1, 1000, 6000)], 100);
    let mut simulator = Simulator::new(&traffic, settings(1)).unwrap();
    simulator.run_until(5 * SECOND, &mut Alone);
    let held = simulator.flow_counts(0).unwrap().received;
    assert!(held > 500 && simulator.in_flight() == 0, "{held}");
    simulator.run_until(60 * SECOND, &mut Alone);
    let counts = simulator.flow_counts(0).unwrap();
    assert_eq!((counts.transfers, counts.delivered), (1, 3000));
    // Timers of 1, 2 and 4 s expire: the third finds the link again, at 8 s.
    assert!(counts.timeouts == 3 && counts.failed > 2, "{counts:?}");
    assert_eq!(counts.sent, counts.received + counts.dropped + counts.failed);
    assert_eq!(counts.acks, counts.acks_received + counts.acks_dropped + counts.acks_failed);
}

/// Creates two paths of two links from 0 to 3, the second with links of `second` milliseconds, and a largest window.
fn square(packets: u32, second: u64, window: u32) -> Traffic {
    let mut builder = Builder::new();
    for node in 0..4 {
        builder.node(node.to_string());
    }
    for (from, to, delay) in [(0, 1, 10), (0, 2, second), (1, 3, 10), (2, 3, second)] {
        builder.both_ways(Link { from, to, delay: delay * MILLISECOND, ..LINK });
    }
    let mut flows = Flows::new();
    flows.add(Flow { from: 0, to: 3, kind: Kind::Tcp { fluid: 0, packets }, start: 0, stop: NEVER });
    let tcp = Tcp { window, ..Tcp::default() };
    Traffic::new(builder.build().unwrap(), flows, Metric::Hops, tcp).unwrap()
}

#[test]
fn sessions_are_spread_over_equal_paths_and_keep_theirs() {
    let report = |traffic: &Traffic, seed| {
        let mut simulator = Simulator::new(traffic, settings(seed)).unwrap();
        simulator.run_until(20 * SECOND, &mut Alone);
        simulator.report()
    };
    let alone = report(&square(16, 10, 128), 1);
    assert_eq!(alone.queues.iter().map(|queue| queue.link).collect::<Vec<_>>(), [0, 1, 4, 5]);
    assert!(alone.flows[0].goodput < 8e6);
    let traffic = square(16, 10, 128).with_ecmp();
    let spread = report(&traffic, 1);
    assert_eq!(spread.queues.len(), 8);
    assert!(spread.flows[0].goodput > 14e6, "{:?}", spread.flows[0]);
    assert_eq!(report(&traffic, 1), spread);
    assert_ne!(report(&traffic, 2), spread);
}

/// Two paths of equally many links, of 20 and 60 ms: a session whose packets took both would see three later packets
/// overtake one, and send it again. Only where a failure ends do its packets change paths, and overtake.
#[test]
fn packets_of_a_session_keep_their_order_on_equal_paths() {
    let traffic = square(8, 30, 10).with_ecmp();
    let mut simulator = Simulator::new(&traffic, settings(1)).unwrap();
    simulator.run_until(20 * SECOND, &mut Alone);
    let report = simulator.report();
    let flow = &report.flows[0];
    assert_eq!((flow.again, flow.dropped, flow.timeouts, report.queues.len()), (0, 0, 0, 8), "{flow:?}");
    // Link 0 leads to the short path, and is back at 10 s. Until its sessions return to it, nothing is sent again.
    let mut simulator = Simulator::new(&failing(traffic, &[(0, 5_000, 10_000)], 100), settings(1)).unwrap();
    let mut again = |from: u64, to: u64| {
        simulator.run_until(from * SECOND / 1000, &mut Alone);
        simulator.forget();
        simulator.run_until(to * SECOND / 1000, &mut Alone);
        let counts = simulator.flow_counts(0).unwrap();
        (counts.again, counts.dropped + counts.failed)
    };
    assert_eq!(again(9_000, 10_100), (0, 0));
    let (overtaken, lost) = again(10_100, 11_000);
    assert!(overtaken > 0 && lost == 0, "{overtaken} {lost}");
}

/// The path of one of the sessions fails: those on it move to the other, and return.
#[test]
fn sessions_leave_a_failed_path_for_an_equal_one() {
    let traffic = failing(square(16, 10, 128).with_ecmp(), &[(0, 5_000, 10_000), (1, 5_000, 10_000)], 100);
    let mut simulator = Simulator::new(&traffic, settings(1)).unwrap();
    let mut offered = |from: u64, to: u64| {
        simulator.run_until(from * SECOND, &mut Alone);
        simulator.forget();
        simulator.run_until(to * SECOND, &mut Alone);
        [0, 2].map(|link| simulator.queue_counts(link).offered)
    };
    let ([first, second], [none, all], [again, _]) = (offered(1, 4), offered(6, 9), offered(15, 18));
    assert!(first > 0 && second > 0 && again > 0, "{first} {second} {again}");
    assert_eq!(none, 0);
    // In 3 s the other path carries nearly 3 MB.
    assert!(all > 2_800_000, "{all}");
}
