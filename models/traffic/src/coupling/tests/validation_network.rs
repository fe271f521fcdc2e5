//! Statements of section 5.1 of the paper. The figures without packets come from an independent simulation of the same
//! network.

use super::*;
use crate::network::validation::SESSIONS_OF_FLOW_2;

/// Means over an interval.
#[derive(Debug, Clone, Copy, Default)]
struct Means {
    /// Window of a session of each flow, in packets. The mean of flow 2 covers its fluid and packet sessions.
    windows: [f64; 4],
    /// Round-trip times of flows 0 to 2, in seconds.
    round_trips: [f64; 3],
    /// Length of the queue from 4 to 7, in bytes.
    queue: f64,
    samples: f64,
}

impl Means {
    fn add<F: Fluids>(&mut self, run: &Coupled<F>, link: u32) {
        let own = run.simulator().windows(2);
        let packets = own.len() as f64;
        let flows = run.flows().unwrap();
        let of = |flow: u32| flows.iter().find(|state| state.flow == flow);
        for (number, mean) in (0..).zip(&mut self.windows) {
            let window = of(number).map_or(0.0, |state| state.window);
            *mean += if number == 2 {
                let fluid = f64::from(SESSIONS_OF_FLOW_2) - packets;
                (own.iter().map(|window| f64::from(*window)).sum::<f64>() + fluid * window)
                    / f64::from(SESSIONS_OF_FLOW_2)
            } else {
                window
            };
        }
        for (number, mean) in (0..).zip(&mut self.round_trips) {
            *mean += of(number).map_or(0.0, |state| state.round_trip);
        }
        let queues = run.queues().unwrap();
        self.queue += queues.iter().find(|queue| queue.link == link).map_or(0.0, |queue| queue.length);
        self.samples += 1.0;
    }

    fn over(self) -> Self {
        let mean = |sum: f64| sum / self.samples;
        Self {
            windows: self.windows.map(mean),
            round_trips: self.round_trips.map(mean),
            queue: mean(self.queue),
            ..self
        }
    }
}

/// Computes means between two times in seconds.
fn mean_between<F: Fluids>(run: &mut Coupled<F>, link: u32, from: u64, to: u64) -> Means {
    let mut means = Means::default();
    run.run_until(from * SECOND).unwrap();
    while run.simulator().now() < to * SECOND {
        run.run_until(run.simulator().now() + SECOND / 5).unwrap();
        means.add(run, link);
    }
    means.over()
}

/// Checks the paper's statements about this network, which hold for any share of packets.
fn shows_what_the_paper_reports([before, during, after]: [Means; 3], packets: u32) {
    let [w0, w1, w2, _] = before.windows;
    assert!((w0 - w1).abs() < 0.1 * w0, "flows 0 and 1 are alike: {before:?}");
    assert!(w2 < 0.9 * w0 && w2 < 0.9 * w1, "flow 2 has a smaller window: {before:?}");
    if packets < SESSIONS_OF_FLOW_2 {
        let [r0, r1, r2] = before.round_trips;
        assert!(r2 > 1.2 * r0 && r2 > 1.2 * r1, "flow 2 has a longer round-trip time: {before:?}");
    }
    assert!(before.queue < 20_000.0 && after.queue < 20_000.0, "the queue is empty: {before:?} {after:?}");
    assert!(during.queue > 150_000.0, "flow 3 fills the queue: {during:?}");
    let [d0, d1, d2, _] = during.windows;
    assert!(d2 < 0.8 * w2 && d0 > 1.1 * w0 && d1 > 1.1 * w1, "flow 2 shrinks, 0 and 1 grow: {before:?} {during:?}");
    assert!(after.windows[2] > 1.1 * d2 && after.windows[3] == 0.0, "flow 2 grows again: {during:?} {after:?}");
}

/// Compares the device's `f32` with the host's `f64`. Packets amplify the smallest difference, so only means are close:
/// windows within 5 %, the queue within 10 %.
#[test]
fn a_device_and_the_oracle_agree_in_means() {
    let traffic = validation_network(10);
    let link = traffic.network().link_between(4, 7).unwrap();
    for (lookahead, coupling) in [(1, by_turns()), (20, batches_of(1)), (20, batches_of(5))] {
        let size = size(&traffic, lookahead);
        let mut on_host = Coupled::on_host(&traffic, packets(&traffic, 1), size, coupling).unwrap();
        let mut on_device = hybrid(&traffic, 1, lookahead, coupling);
        let means = [mean_between(&mut on_host, link, 10, 40), mean_between(&mut on_device, link, 10, 40)];
        println!("{coupling:?}: {means:?}");
        let [expected, found] = means;
        for flow in 0..4 {
            let (expected, found) = (expected.windows[flow], found.windows[flow]);
            assert!((found - expected).abs() <= 0.05 * expected, "flow {flow}: {found}, the oracle {expected}");
        }
        assert!((found.queue - expected.queue).abs() <= 0.1 * expected.queue, "{} {}", found.queue, expected.queue);
    }
}

/// Spans in seconds over which throughputs are compared: before flow 3 begins, and while it lasts.
const SPANS: [(u64, u64); 2] = [(10, 30), (40, 60)];

/// Returns the throughput of one of the sessions of flow 2 since the simulator forgot, in Mbit/s.
fn goodput(simulator: &Simulator, sessions: u32) -> f64 {
    let flows = simulator.report().flows;
    flows.iter().find(|found| found.flow == 2).unwrap().goodput / f64::from(sessions) / 1e6
}

/// Simulates packets alone. Returns throughputs over both spans, and the mean queue from 4 to 7 over the second.
fn packets_alone() -> ([f64; 2], f64) {
    let mut flows = validation::flows(20).unwrap();
    for flow in flows.all_mut() {
        if let Kind::Tcp { fluid, packets } = flow.kind {
            flow.kind = Kind::Tcp { fluid: 0, packets: fluid + packets };
        }
    }
    let alone = Traffic::new(validation::network().unwrap(), flows, Metric::Hops, Tcp::default()).unwrap();
    let link = alone.network().link_between(4, 7).unwrap();
    let mut simulator = packets(&alone, 1);
    let goodputs = SPANS.map(|(from, to)| {
        simulator.run_until(from * SECOND, &mut Alone);
        simulator.forget();
        simulator.run_until(to * SECOND, &mut Alone);
        goodput(&simulator, 20)
    });
    let report = simulator.report();
    let queue = report.queues.iter().find(|queue| queue.link == link).unwrap();
    (goodputs, queue.mean_length.unwrap())
}

/// Runs a hybrid. Returns means before flow 3 begins, while it lasts, and after it ended, and throughputs of packet
/// sessions, of which there may be none.
fn measured(packets: u32, batch: u32) -> ([Means; 3], [Option<f64>; 2]) {
    let traffic = validation_network(packets);
    let link = traffic.network().link_between(4, 7).unwrap();
    let mut run = hybrid(&traffic, 1, 20, batches_of(batch));
    let [before, during] = [0, 1].map(|span| {
        let ((from, to), settled) = (SPANS[span], [15, 40][span]);
        run.run_until(from * SECOND).unwrap();
        run.forget();
        let means = mean_between(&mut run, link, settled, to);
        (means, (packets > 0).then(|| goodput(run.simulator(), packets)))
    });
    let after = mean_between(&mut run, link, 75, 90);
    ([before.0, during.0, after], [before.1, during.1])
}

/// Any mixture in any batches shows what the paper reports, and agrees with a simulation of packets only. A fluid has
/// no timeouts and no bursts, and its losses are spread evenly, so only means agree. The queue from 4 to 7 agrees
/// within 15 % while flow 3 lasts. The throughput of a session of flow 2 agrees within 25 %, before and then. Batches
/// of 20 launches (0.2 s) deviate more in both.
#[test]
fn any_mixture_in_any_batches_shows_what_the_paper_and_packets_alone_report() {
    let (expected, expected_queue) = packets_alone();
    println!("packets alone: {expected:?}, {expected_queue}");
    let relative = |found: f64, expected: f64| (found / expected - 1.0).abs();
    // Without packets, all batch sizes give the same result.
    let errors = [(0, 1), (10, 1), (10, 20), (20, 1), (20, 20)].map(|(packets, batch)| {
        let (means, goodputs) = measured(packets, batch);
        println!("{packets} packet sessions, batches of {batch}: {means:#?} {goodputs:?}");
        shows_what_the_paper_reports(means, packets);
        let of = |span: usize| goodputs[span].map_or(0.0, |found| relative(found, expected[span]));
        (relative(means[1].queue, expected_queue), [of(0), of(1)])
    });
    let [_, half, _, all, long] = errors;
    for (queue, goodput) in [half, all] {
        assert!(queue < 0.15 && goodput.iter().all(|error| *error < 0.25), "{errors:?}");
    }
    assert!(long.0 > all.0 && long.1[0] > all.1[0] && long.1[1] > all.1[1], "{errors:?}");
}
