//! CUBIC over whole paths: windows over time beside a program of its own in floating point, and the law of its windows.

use super::*;
use std::collections::VecDeque;

/// Time by which windows are looked at before the moment at which acknowledgements may arrive.
const EARLIER: f64 = 1e-3;

/// CUBIC's window as RFC 9438 has it, in `f64` packets and seconds.
#[derive(Default)]
struct Rfc {
    window: f64,
    threshold: f64,
    plateau: f64,
    prior: f64,
    /// Start of the epoch, K, and the window that Reno would have.
    epoch: Option<(f64, f64, f64)>,
    /// `true` if a plateau below the last one is lowered further.
    converges: bool,
}

impl Rfc {
    const C: f64 = 0.4;
    const BETA: f64 = 0.7;

    fn acknowledged(&mut self, packets: f64, now: f64, trip: f64) {
        if self.window < self.threshold {
            self.window = (self.window + packets.min(2.0)).min(self.threshold);
            return;
        }
        if self.epoch.is_none() {
            let k = if self.window < self.plateau { ((self.plateau - self.window) / Self::C).cbrt() } else { 0.0 };
            self.plateau = self.plateau.max(self.window);
            self.epoch = Some((now, k, self.window));
        }
        let (plateau, prior) = (self.plateau, self.prior);
        let (began, k, friendly) = self.epoch.as_mut().unwrap();
        let cubic = |time: f64| Self::C * (time - *k).powi(3) + plateau;
        let alpha = if *friendly >= prior { 1.0 } else { 3.0 * (1.0 - Self::BETA) / (1.0 + Self::BETA) };
        *friendly += alpha * packets / self.window;
        if cubic(now - *began) < *friendly {
            self.window = self.window.max(*friendly);
        } else {
            let target = cubic(now - *began + trip).clamp(self.window, 1.5 * self.window);
            self.window += (target - self.window) / self.window * packets;
        }
    }

    fn lost(&mut self) {
        self.prior = self.window;
        let lowered = self.converges && self.window < self.plateau;
        self.plateau = if lowered { self.window * (1.0 + Self::BETA) / 2.0 } else { self.window };
        self.window *= Self::BETA;
        (self.threshold, self.epoch) = (self.window, None);
    }
}

/// Returns the windows of a sender at multiples of `sample` seconds, over a path that takes `trip` seconds there and
/// back and loses the packets that are sent with these numbers. Selective acknowledgements name every arrived packet.
fn windows_of_the_rfc(lost: &BTreeSet<u64>, trip: f64, converges: bool, sample: f64, samples: usize) -> Vec<f64> {
    let mut rfc = Rfc { window: 10.0, threshold: f64::INFINITY, converges, ..Rfc::default() };
    let (mut sent, mut next, mut first, mut recover) = (0, 0, 0, None);
    // Acknowledgements on their way, packets believed in the network, packets that arrived, and those sent again.
    let mut acks = VecDeque::new();
    let [mut network, mut arrived, mut again, mut repair] = [(); 4].map(|()| BTreeSet::<u64>::new());
    let (mut now, mut windows) = (0.0, vec![]);
    loop {
        while (network.len() as f64) < rfc.window.floor() {
            let number = repair.pop_first().unwrap_or_else(|| {
                next += 1;
                next - 1
            });
            if !lost.contains(&sent) {
                acks.push_back((now + trip, number));
            }
            sent += 1;
            network.insert(number);
        }
        let Some((time, number)) = acks.pop_front() else { panic!("everything was lost") };
        while windows.len() as f64 * sample - EARLIER < time {
            windows.push(rfc.window);
            if windows.len() == samples {
                return windows;
            }
        }
        now = time;
        network.remove(&number);
        arrived.insert(number);
        let before = first;
        while arrived.remove(&first) {
            first += 1;
        }
        if recover.is_some_and(|recover| first >= recover) {
            recover = None;
        } else if first > before && recover.is_none() {
            rfc.acknowledged((first - before) as f64, now, trip);
        }
        // A packet is lost once three above it have arrived.
        let Some(&third) = arrived.iter().nth_back(2) else { continue };
        let missing: Vec<_> = (first..third).filter(|n| !arrived.contains(n) && again.insert(*n)).collect();
        for number in missing {
            network.remove(&number);
            repair.insert(number);
            if recover.is_none() {
                recover = Some(next);
                rfc.lost();
            }
        }
    }
}

/// A path of this many nanoseconds each way whose link is never busy.
fn path(delay: u64, window: u32) -> Traffic {
    pipe(10_000_000_000_000, delay, 1 << 40, ONE_SESSION, Tcp { packet: 1000, window })
}

fn cubic() -> Settings {
    Settings { tcp: TcpRules { variant: Variant::Cubic, ..TcpRules::default() }, ..settings(1) }
}

/// Losses alone (some of them two or three in a window), soon after each other, so that convergence is fast, and long
/// after each other, so that the curve becomes steep. With 100 ms the curve leads, with 10 ms the window of Reno.
#[test]
fn windows_over_time_are_those_of_the_rfc() {
    let lost = BTreeSet::from([300, 301, 340, 9_000, 12_000, 12_400, 40_000, 40_002, 40_004, 45_000]);
    for (delay, sample) in [(50 * MILLISECOND, SECOND / 4), (5 * MILLISECOND, SECOND / 40)] {
        let trip = 2.0 * delay as f64 * 1e-9;
        let expected = windows_of_the_rfc(&lost, trip, true, sample as f64 / SECOND as f64, 160);
        let mut simulator = Simulator::new(&path(delay, 1 << 20), cubic()).unwrap();
        let mut background = Lose::new(lost.iter().copied());
        let (mut widest, mut narrowest) = (0.0_f64, f64::INFINITY);
        for (sampled, around) in (1..).zip(expected.windows(3)) {
            simulator.run_until(sampled as u64 * sample - SECOND / 1000, &mut background);
            let window = f64::from(simulator.windows(0)[0]);
            (widest, narrowest) = (widest.max(window), narrowest.min(window));
            // A loss may come a round trip earlier or later, since the windows before it differ by a packet.
            let least = around.iter().copied().fold(f64::INFINITY, f64::min);
            let most = around.iter().copied().fold(0.0, f64::max);
            assert!(
                (0.97 * least - 2.0..1.03 * most + 2.0).contains(&window),
                "{window} packets instead of {around:?} at sample {sampled}, {trip} s"
            );
        }
        let counts = simulator.flow_counts(0).unwrap();
        assert_eq!((counts.timeouts, counts.again), (0, counts.dropped));
        assert!(counts.dropped >= 8 && widest > 2.0 * narrowest, "{} {widest} {narrowest}", counts.dropped);
    }
}

/// With a loss every 1/p packets, section 5.1 of RFC 9438 has the mean window 1.054 (R/p)^0.75 in packets and seconds,
/// without fast convergence. The program in floating point keeps this law. The simulator keeps to the program with fast
/// convergence, which lowers the plateau whenever a window falls short of the last by a packet.
#[test]
fn the_mean_window_follows_the_response_function() {
    for (every, delay) in [(10_000_u64, 50 * MILLISECOND), (5_000, 100 * MILLISECOND)] {
        let trip = 2.0 * delay as f64 * 1e-9;
        let law = (0.4 * 3.7 / 1.2_f64).powf(0.25) * (trip * every as f64).powf(0.75);
        // Slow start ends at the window that the law has before a loss. Each plateau is nearly the last, so another one
        // would stay for long.
        let first = (law / 0.925) as u64;
        let numbers: BTreeSet<u64> = (0..100).map(|number| first + number * every).collect();
        let mean = |converges| {
            let windows = windows_of_the_rfc(&numbers, trip, converges, trip, 1_000);
            windows[200..].iter().sum::<f64>() / 800.0
        };
        let (plain, expected) = (mean(false), mean(true));
        let mut background = Lose::new(numbers.iter().copied());
        let mut simulator = Simulator::new(&path(delay, 1 << 20), cubic()).unwrap();
        let [warm_up, end] = [200.0, 1_000.0].map(|trips| (trips * trip * SECOND as f64) as u64);
        simulator.run_until(warm_up, &mut background);
        simulator.forget();
        simulator.run_until(end, &mut background);
        let counts = simulator.flow_counts(0).unwrap();
        let window = counts.delivered as f64 / 800.0;
        println!("a loss in {every} packets, {trip} s: {window} packets, {expected} expected, {plain} and {law}");
        assert!((plain / law - 1.0).abs() < 0.05, "{plain} packets instead of {law}");
        assert!((window / expected - 1.0).abs() < 0.03, "{window} packets instead of {expected}");
        assert_eq!((counts.timeouts, counts.again), (0, counts.dropped));
    }
}
