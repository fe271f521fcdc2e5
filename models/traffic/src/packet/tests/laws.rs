//! Tests against closed forms.

use super::*;
use crate::packet::report::Delays;
use imminent_common::output::sketch::RELATIVE_ERROR;

/// Simulates the mean wait of packets from a Poisson source at a link with load `load`, in packet times.
fn wait(load: f64, seed: u64) -> f64 {
    // Packets of 1000 bytes on 8 Mb/s take 1 ms.
    let rate = (load * 8e6) as u64;
    let traffic = pipe(8_000_000, MILLISECOND, 1 << 30, Kind::Poisson { rate }, Tcp::default());
    let mut simulator = Simulator::new(&traffic, settings(seed)).unwrap();
    simulator.run_until(10 * SECOND, &mut Alone);
    simulator.forget();
    simulator.run_until(110 * SECOND, &mut Alone);
    // A packet takes one millisecond to send, and one on the link.
    simulator.flow_counts(0).unwrap().mean_delay().unwrap() * 1e3 - 2.0
}

#[test]
fn a_poisson_source_waits_as_pollaczek_and_khinchin_say() {
    for load in [0.3, 0.6, 0.8] {
        let waits: Vec<_> = (1..=20).map(|seed| wait(load, seed)).collect();
        let estimate = Estimate::of(&waits);
        let expected = load / (2.0 * (1.0 - load));
        // The interval covers the truth in 95 of 100 experiments; 1.5 times the interval in 99.5.
        assert!(estimate.covers(expected, 1.5), "{estimate:?} at a load of {load} instead of {expected}");
        assert!(estimate.relative().unwrap() < 0.05, "{estimate:?}");
    }
}

/// Distribution function (Erlang) of the wait of packets that take 1 ms each, in milliseconds.
fn waits_at_most(load: f64, t: f64) -> f64 {
    let term = |k: u32| {
        let x = load * (f64::from(k) - t);
        (1..=k).map(|i| x / f64::from(i)).product::<f64>() * f64::exp(-x)
    };
    (1.0 - load) * (0..=t.floor() as u32).map(term).sum::<f64>()
}

/// The wait is a small part of the delay here. With buckets of 1/16, the median and the 95 % and 99 % quantiles were in
/// one bucket, whose middle was above the maximum.
#[test]
fn the_delays_of_a_poisson_source_have_their_quantiles() {
    let load = 0.72;
    let inverse = |share: f64| {
        let (mut low, mut high) = (0.0, 20.0);
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            if waits_at_most(load, middle) < share { low = middle } else { high = middle }
        }
        high
    };
    // A packet of 1000 bytes takes 1 ms to send, and 20 ms on the link.
    let traffic = pipe(8_000_000, 20 * MILLISECOND, 1 << 30, Kind::Poisson { rate: 5_760_000 }, Tcp::default());
    let delays: Vec<_> = (1..=20)
        .map(|seed| {
            let mut simulator = Simulator::new(&traffic, settings(seed)).unwrap();
            simulator.run_until(10 * SECOND, &mut Alone);
            simulator.forget();
            simulator.run_until(110 * SECOND, &mut Alone);
            simulator.report().flows[0].delay.unwrap()
        })
        .collect();
    for delay in &delays {
        let order = [delay.least, delay.median, delay.p90, delay.p95, delay.p99, delay.greatest];
        assert!(order.is_sorted(), "{delay:?}");
    }
    let found = |delay: &Delays| [(0.5, delay.median), (0.9, delay.p90), (0.95, delay.p95), (0.99, delay.p99)];
    for quantile in 0..4 {
        let (share, _) = found(&delays[0])[quantile];
        let estimate = Estimate::of(&delays.iter().map(|delay| found(delay)[quantile].1 * 1e3).collect::<Vec<_>>());
        let (expected, half) = (21.0 + inverse(share), estimate.half_width().unwrap());
        let off = (estimate.mean.unwrap() - expected).abs();
        assert!(off <= 1.5 * half + RELATIVE_ERROR * expected, "{share}: {estimate:?} instead of {expected}");
    }
    // The bound allows values anywhere in their buckets. These values are spread over the buckets, so they are much
    // closer.
    let median = Estimate::of(&delays.iter().map(|delay| delay.median * 1e3).collect::<Vec<_>>());
    assert!((median.mean.unwrap() - 21.805).abs() < 0.05, "{median:?}");
}

#[test]
fn the_queue_of_a_poisson_source_has_its_length_and_utilization() {
    let traffic = pipe(8_000_000, MILLISECOND, 1 << 30, Kind::Poisson { rate: 4_800_000 }, Tcp::default());
    let samples: Vec<_> = (1..=20)
        .map(|seed| {
            let mut simulator = Simulator::new(&traffic, settings(seed)).unwrap();
            simulator.run_until(200 * SECOND, &mut Alone);
            let report = simulator.report();
            (report.queues[0].utilization, report.queues[0].mean_length.unwrap())
        })
        .collect();
    let utilization = Estimate::of(&samples.iter().map(|sample| sample.0).collect::<Vec<_>>());
    let length = Estimate::of(&samples.iter().map(|sample| sample.1).collect::<Vec<_>>());
    assert!(utilization.covers(0.6, 1.5), "{utilization:?}");
    // By PASTA the mean work that an arrival finds, its wait, is the mean work at any time: 0.6 / 0.8 packets.
    assert!(length.covers(750.0, 1.5), "{length:?}");
}

/// Simulates one session that loses a share of its packets at random, over a path of 100 ms without queues. Returns
/// packets per second.
fn throughput(loss: f64, seed: u64) -> f64 {
    let tcp = Tcp { packet: 1000, window: 1 << 20 };
    let traffic = lossy_pipe([loss, 0.0], 10_000_000_000, 50 * MILLISECOND, 1 << 40, ONE_SESSION, tcp);
    let mut simulator = Simulator::new(&traffic, settings(seed)).unwrap();
    simulator.run_until(20 * SECOND, &mut Alone);
    simulator.forget();
    simulator.run_until(320 * SECOND, &mut Alone);
    simulator.flow_counts(0).unwrap().delivered as f64 / 300.0
}

#[test]
fn one_session_follows_the_square_root_law() {
    for loss in [1e-3, 3e-3, 1e-2] {
        let law = f64::sqrt(1.5 / loss) / 0.1;
        let rates: Vec<_> = (1..=8).map(|seed| throughput(loss, seed) / law).collect();
        let estimate = Estimate::of(&rates);
        println!("{loss}: {estimate:?}");
        assert!((estimate.mean.unwrap() - 1.0).abs() < 0.15, "{estimate:?} at a loss of {loss}");
        assert!(estimate.relative().unwrap() < 0.1, "{estimate:?}");
    }
}

/// Simulates datagrams at a load of 0.6 over two links in a row that lose these shares.
fn over_two_links(losses: [f64; 2]) -> Simulator {
    let mut builder = Builder::new();
    let nodes = ["a", "b", "c"].map(|label| builder.node(label));
    let queue = Queue::of_bytes(1 << 30, Discipline::DropTail);
    for (ends, loss) in nodes.windows(2).zip(losses) {
        let (from, to) = (ends[0], ends[1]);
        builder.both_ways(Link { from, to, delay: MILLISECOND, bandwidth: 8_000_000, queue, loss });
    }
    let mut flows = Flows::new();
    flows.add(Flow { from: nodes[0], to: nodes[2], kind: Kind::Poisson { rate: 4_800_000 }, start: 0, stop: NEVER });
    let traffic = Traffic::new(builder.build().unwrap(), flows, Metric::Hops, Tcp::default()).unwrap();
    let mut simulator = Simulator::new(&traffic, settings(4)).unwrap();
    simulator.run_until(100 * SECOND, &mut Alone);
    simulator
}

/// Each packet is lost independently, so the number of delivered packets is binomial. A lost packet has used the link,
/// and does not reach the next queue.
#[test]
fn a_lossy_link_delivers_all_but_its_share_and_sends_everything() {
    let [first, second] = [0.1, 0.25];
    let lossy = over_two_links([first, second]);
    let binomial = |found: u64, of: u64, share: f64| {
        let (of, deviation) = (of as f64, (of as f64 * share * (1.0 - share)).sqrt());
        assert!((found as f64 - of * share).abs() < 4.0 * deviation, "{found} of {of} instead of {share}");
    };
    let counts = lossy.flow_counts(0).unwrap();
    let [at_first, at_second] = [0, 2].map(|link| lossy.queue_counts(link));
    assert!(counts.sent > 50_000);
    binomial(at_first.lost, at_first.arrivals, first);
    binomial(at_second.lost, at_second.arrivals, second);
    binomial(counts.delivered, counts.sent, (1.0 - first) * (1.0 - second));
    assert!(at_first.arrivals - at_first.lost - at_second.arrivals < 10, "{at_first:?} {at_second:?}");
    assert_eq!((counts.lost, counts.dropped), (at_first.lost + at_second.lost, 0));
    let report = lossy.report();
    let loss = counts.lost as f64 / counts.sent as f64;
    assert_eq!((report.flows[0].lost, report.flows[0].loss, report.queues[0].loss), (counts.lost, Some(loss), 0.0));
    // The first queue behaves exactly as without losses.
    let whole = over_two_links([0.0; 2]);
    let [with, without] = [&lossy, &whole].map(|run| run.queue_counts(0));
    assert_eq!((with.arrivals, with.dropped_bytes, with.work), (without.arrivals, without.dropped_bytes, without.work));
}

#[test]
fn the_greatest_window_limits_the_rate() {
    // Ten packets of 1000 bytes are sent per round trip of 100 ms, plus the time to send a packet and its
    // acknowledgement.
    let traffic = pipe(1_000_000_000, 50 * MILLISECOND, 1 << 30, ONE_SESSION, Tcp { packet: 1000, window: 10 });
    let mut simulator = Simulator::new(&traffic, settings(1)).unwrap();
    simulator.run_until(10 * SECOND, &mut Alone);
    simulator.forget();
    simulator.run_until(110 * SECOND, &mut Alone);
    let expected = 10.0 * 8_000.0 / (0.1 + 1040.0 * 8e-9);
    let report = simulator.report();
    assert!((report.flows[0].goodput / expected - 1.0).abs() < 1e-3, "{}", report.flows[0].goodput);
    assert_eq!((report.flows[0].again, report.flows[0].loss, simulator.windows(0)), (0, Some(0.0), vec![10]));
    let delay = report.flows[0].delay.unwrap();
    assert!((delay.mean - 0.05).abs() < 1e-4 && (delay.p99 - 0.05).abs() < 0.05 / 16.0, "{delay:?}");
}

#[test]
fn a_session_alone_fills_a_link_with_a_buffer_of_its_delay() {
    // A buffer of one round trip's worth keeps the link busy while the window is halved: 100 ms at 8 Mb/s.
    let traffic = pipe(8_000_000, 50 * MILLISECOND, 100_000, ONE_SESSION, Tcp { packet: 1000, window: 1 << 20 });
    let mut simulator = Simulator::new(&traffic, settings(1)).unwrap();
    simulator.run_until(50 * SECOND, &mut Alone);
    simulator.forget();
    simulator.run_until(450 * SECOND, &mut Alone);
    let report = simulator.report();
    assert!(report.queues[0].utilization > 0.99, "{}", report.queues[0].utilization);
    assert!(report.queues[0].overflowed > 0 && report.queues[0].greatest_length <= 100_000);
}
