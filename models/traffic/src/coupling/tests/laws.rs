//! Tests of shared queues with little fluid against queues that only packets enter.

use super::*;

const SMALL: Tcp = Tcp { packet: 100, window: 1 };

/// Poisson packets with a load of 0.6, with a fluid that takes a thousandth of the link.
fn nearly_alone() -> [Kind; 2] {
    [Kind::Poisson { rate: 4_800_000 }, Kind::Udp { rate: 8_000, packets: false }]
}

/// Without the fix-up, a batch of 20 launches of 20 steps would hold the arrivals of 0.2 s: packets would be late by
/// 0.1 s on average.
#[test]
fn packets_behind_hardly_any_fluid_wait_as_in_a_queue_of_their_own() {
    let traffic = pipe(1 << 20, Discipline::DropTail, &nearly_alone(), SMALL);
    let mut alone = packets(&traffic, 5);
    alone.run_until(30 * SECOND, &mut Alone);
    let waits = |simulator: &Simulator| simulator.flow_counts(0).unwrap().mean_delay().unwrap() * 1e3 - 10.1;
    let own = waits(&alone);
    for (batch, lookahead) in [(1, 20), (3, 20), (20, 20)] {
        let mut run = hybrid(&traffic, 5, lookahead, batches_of(batch));
        run.run_until(30 * SECOND).unwrap();
        let shared = waits(run.simulator());
        println!("{batch} launches of {lookahead} steps: waits of {shared:.4} ms, {own:.4} ms alone");
        assert_eq!(run.simulator().flow_counts(0).unwrap().sent, alone.flow_counts(0).unwrap().sent);
        assert!((shared - own).abs() < 0.05 * own, "{shared} {own}");
    }
}

/// Both links lose a fifth. The arrivals at the second queue must leave out what the first link lost.
#[test]
fn fluids_and_packets_are_lost_alike_on_links() {
    let text = "[topology]\nbandwidth = 8e6\ndelay = 0.01\nloss = 0.2\ndiscipline = 'drop-tail'
[[topology.link]]\nfrom = 'a'\nto = 'b'\n[[topology.link]]\nfrom = 'b'\nto = 'c'
[[traffic.flow]]\nfrom = 'a'\nto = 'c'\nkind = 'poisson'\nrate = 2e6\n[[traffic.flow]]\nfrom = 'a'\nto = 'c'\nkind = 'udp'\nrate = 2e6\n";
    let traffic = crate::TrafficConfig::from_toml(text, "t").unwrap().traffic().unwrap();
    fn check<F: Fluids>(mut run: Coupled<F>) {
        run.run_until(40 * SECOND).unwrap();
        let counts = run.simulator().flow_counts(0).unwrap();
        // Four standard deviations of a binomial share of 0.64, with some 10,000 packets.
        let share = counts.delivered as f64 / counts.sent as f64;
        assert!((share - 0.64).abs() < 4.0 * (0.64 * 0.36 / counts.sent as f64).sqrt(), "{share} of {}", counts.sent);
        let [first, second] = [0, 2].map(|link| run.simulator().queue_counts(link));
        assert_eq!((counts.lost, counts.dropped), (first.lost + second.lost, 0));
        assert!(first.arrivals - first.lost - second.arrivals < 20, "{first:?} {second:?}");
        let queues = run.queues().unwrap();
        let arrivals = |link| queues.iter().find(|queue| queue.link == link).map_or(0.0, |queue| queue.arrivals);
        assert!((arrivals(0) - 250_000.0).abs() < 1.0 && (arrivals(2) - 200_000.0).abs() < 1.0, "{queues:?}");
    }
    check(hybrid(&traffic, 5, 20, batches_of(3)));
    check(Coupled::on_host(&traffic, packets(&traffic, 5), size(&traffic, 20), batches_of(3)).unwrap());
}

/// Fluid takes 0.8 and packets 0.4 of the link's rate. The fluid alone fits and loses nothing, so half of the packets
/// find the queue full.
#[test]
fn an_overloaded_queue_fills_with_both_and_drops_what_does_not_fit() {
    let kinds = [Kind::Poisson { rate: 3_200_000 }, Kind::Udp { rate: 6_400_000, packets: false }];
    let traffic = pipe(100_000, Discipline::DropTail, &kinds, SMALL);
    for (batch, lookahead) in [(1, 1), (1, 20), (5, 20)] {
        let mut run = hybrid(&traffic, 5, lookahead, batches_of(batch));
        run.run_until(2 * SECOND).unwrap();
        run.forget();
        run.measure().unwrap();
        run.run_until(12 * SECOND).unwrap();
        let link = run.shared_links()[0];
        let queue = run.queues().unwrap().into_iter().find(|queue| queue.link == link).unwrap();
        let counts = run.simulator().flow_counts(0).unwrap();
        let lost = counts.dropped as f64 / counts.sent as f64;
        println!("{batch} launches of {lookahead} steps: {lost:.4} of packets lost, {:?}", queue);
        assert!(queue.length > 99_000.0 && queue.loss == 0.0, "{queue:?}");
        // The packets of a batch join at its end. In the longest batch they are a twentieth of the queue.
        let means = run.means().unwrap().unwrap();
        let mean = means.queues.iter().find(|queue| queue.link == link).unwrap();
        assert!(means.steps == 20_000 && mean.length > 94_000.0 && mean.greatest <= 100_000.0, "{mean:?}");
        assert!(mean.used > 0.999 && mean.idle == 0.0 && (mean.arrivals - 8e5).abs() < 1.0, "{mean:?}");
        // The share is over 40,000 packets.
        assert!((lost - 0.5).abs() < 0.02, "{lost}");
        // Packets wait for the whole queue.
        let delay = counts.mean_delay().unwrap();
        assert!((0.105..=0.1102).contains(&delay), "{delay}");
    }
}
