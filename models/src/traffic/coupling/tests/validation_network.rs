//! Section 5.1 of the paper, statement by statement; the figures for no packets are those of an independent simulation of the same network.

use super::*;
use crate::traffic::network::validation::SESSIONS_OF_FLOW_2;

/// Means over some time.
#[derive(Debug, Clone, Copy, Default)]
struct Means {
    /// Windows of a session, in packets; that of flow 2 over its sessions of either kind.
    windows: [f64; 4],
    /// Of flows 0 to 2, in seconds.
    round_trips: [f64; 3],
    /// The queue from 4 to 7, in bytes.
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
            let window = of(number).map_or(0.0, |state| f64::from(state.window));
            *mean += if number == 2 {
                let fluid = f64::from(SESSIONS_OF_FLOW_2) - packets;
                (own.iter().map(|window| f64::from(*window)).sum::<f64>() + fluid * window)
                    / f64::from(SESSIONS_OF_FLOW_2)
            } else {
                window
            };
        }
        for (number, mean) in (0..).zip(&mut self.round_trips) {
            *mean += of(number).map_or(0.0, |state| f64::from(state.round_trip));
        }
        let queues = run.queues().unwrap();
        self.queue += queues.iter().find(|queue| queue.link == link).map_or(0.0, |queue| f64::from(queue.length));
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

/// Means before flow 3 comes, while it is there, and after it has gone.
fn means<F: Fluids>(run: &mut Coupled<F>, traffic: &Traffic) -> [Means; 3] {
    let link = traffic.network().link_between(4, 7).unwrap();
    [(15, 30), (40, 60), (75, 90)].map(|(from, to)| {
        let mut means = Means::default();
        run.run_until(from * SECOND).unwrap();
        while run.simulator().now() < to * SECOND {
            run.run_until(run.simulator().now() + SECOND / 5).unwrap();
            means.add(run, link);
        }
        means.over()
    })
}

/// What the paper reports of this network, whatever the mixture.
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

#[test]
fn any_mixture_in_any_batches_shows_what_the_paper_reports() {
    // Without packets batches are all the same.
    for (packets, batch) in [(0, 1), (10, 1), (10, 20), (20, 1), (20, 20)] {
        let traffic = validation_network(packets);
        let mut run = hybrid(&traffic, 1, 20, batches_of(batch));
        let means = means(&mut run, &traffic);
        println!("{packets} packet sessions, batches of {batch}: {means:#?}");
        shows_what_the_paper_reports(means, packets);
    }
}
