//! Tests of queues that are shared with fluids.

use super::*;

/// Drains q bytes for a step of 1 ms at 8 Mb/s: the simplest fluid, without arrivals of its own.
fn drain(bytes: u64) -> u64 {
    bytes.saturating_sub(1_000)
}

#[test]
fn packets_alone_in_a_shared_queue_are_delayed_as_in_their_own() {
    let traffic =
        pipe(8_000_000, MILLISECOND, 1 << 30, Kind::Poisson { rate: 4_800_000 }, Tcp { packet: 100, window: 1 });
    let mut own = Simulator::new(&traffic, settings(3)).unwrap();
    own.run_until(100 * SECOND, &mut Alone);
    let mut shared = Simulator::new(&traffic, settings(3)).unwrap();
    let mut step = Step { links: vec![Influence::default(); 2] };
    for time in 1..=100_000 {
        shared.run_until(time * SECOND / 1000, &mut step);
        for (link, influence) in (0..).zip(&mut step.links) {
            influence.backlog = drain(influence.backlog + shared.take_backlog(link, 0).waiting);
        }
    }
    let mean = |simulator: &Simulator| simulator.flow_counts(0).unwrap().mean_delay().unwrap() * 1e3;
    // The arrivals are the same. The shared queue does not drain within a step, which adds at most a step of 1 ms.
    assert_eq!(own.flow_counts(0).unwrap().sent, shared.flow_counts(0).unwrap().sent);
    let (own, shared) = (mean(&own), mean(&shared));
    println!("{own} {shared}");
    assert!((0.0..1.0).contains(&(shared - own)), "{own} {shared}");
}

#[test]
fn fluid_ahead_delays_and_drops() {
    let kind = Kind::Udp { rate: 800_000, packets: true };
    let traffic = pipe(8_000_000, MILLISECOND, 50_000, kind, Tcp::default());
    let mut simulator = Simulator::new(&traffic, settings(1)).unwrap();
    let mut step = Step { links: vec![Influence { drop: 0.25, backlog: 40_000, drained: 0 }] };
    let mut seconds = 0;
    for time in 1..=10_000 {
        simulator.run_until(time * SECOND / 100, &mut step);
        seconds += simulator.take_backlog(0, 0).waiting;
    }
    let counts = simulator.flow_counts(0).unwrap();
    // Of 10,000 packets a quarter is lost, with a standard deviation of 43.
    assert_eq!(counts.sent, 10_000);
    assert!(counts.dropped.abs_diff(2_500) < 4 * 43, "{}", counts.dropped);
    assert_eq!(seconds, (counts.sent - counts.dropped) * 1_000);
    // The delay is 40 ms behind the fluid, 1 ms to send and 1 ms on the link; each step has one packet.
    assert!((counts.mean_delay().unwrap() - 0.042).abs() < 1e-9);
    step.links[0].backlog = 49_500;
    simulator.forget();
    simulator.run_until(101 * SECOND, &mut step);
    let counts = simulator.queue_counts(0);
    assert_eq!(counts.arrivals, counts.overflowed + counts.dropped);
    assert!(counts.overflowed > 0);
    assert!(simulator.report().queues[0].mean_length.is_none());
}

#[test]
fn the_losses_of_a_link_do_not_disturb_other_links() {
    // The draws of a link depend only on its own packets: a loss on link 1 leaves those of link 0 unchanged.
    let kind = Kind::Poisson { rate: 800_000 };
    let lost = |losses| {
        let traffic = lossy_pipe(losses, 8_000_000, MILLISECOND, 50_000, kind, Tcp::default());
        let mut simulator = Simulator::new(&traffic, settings(1)).unwrap();
        simulator.run_until(100 * SECOND, &mut Alone);
        simulator.queue_counts(0).lost
    };
    assert_eq!(lost([0.3, 0.0]), lost([0.3, 0.9]));
    // The draws are the same: a packet lost at a smaller share is also lost at a greater one.
    assert!(lost([0.3, 0.0]).abs_diff(3_000) < 4 * 66 && lost([0.2, 0.0]) < lost([0.3, 0.0]));
}
