use super::*;
use crate::network::{Builder, Flows, Kind, Link, Queue as Buffer, validation};
use crate::units::{NANOSECONDS, NEVER};
use crate::{Metric, Tcp};

/// Step in nanoseconds: half a millisecond, as in the paper.
const STEP: u64 = 500_000;
const SECOND: u64 = NANOSECONDS / STEP;

/// Creates a chain of links of 10 ms with bandwidths in bytes per second, and flows from end to end.
fn chain(bandwidths: &[u64], discipline: Discipline, kinds: &[Kind]) -> Traffic {
    lossy_chain(0.0, bandwidths, discipline, kinds)
}

/// Creates a chain of links of 10 ms that each lose a share of the packets.
fn lossy_chain(loss: f64, bandwidths: &[u64], discipline: Discipline, kinds: &[Kind]) -> Traffic {
    let mut builder = Builder::new();
    let nodes: Vec<u32> = (0..=bandwidths.len()).map(|node| builder.node(node.to_string())).collect();
    for (ends, &bandwidth) in nodes.windows(2).zip(bandwidths) {
        let queue = Buffer::of_bytes(500_000, discipline);
        builder.link(Link {
            from: ends[0],
            to: ends[1],
            delay: NANOSECONDS / 100,
            bandwidth: bandwidth * 8,
            queue,
            loss,
        });
    }
    let mut flows = Flows::new();
    for &kind in kinds {
        flows.add(Flow { from: 0, to: bandwidths.len() as u32, kind, start: 0, stop: NEVER });
    }
    Traffic::new(builder.build().unwrap(), flows, Metric::Hops, Tcp::default()).unwrap()
}

fn udp(bytes: u64) -> Kind {
    Kind::Udp { rate: bytes * 8, packets: false }
}

fn close(value: f64, expected: f64, relative: f64) -> bool {
    (value - expected).abs() <= relative * expected.abs()
}

#[test]
fn what_fits_arrives_whole_after_the_links_delays() {
    let traffic = chain(&[1_000_000, 2_000_000, 1_500_000], Discipline::DropTail, &[udp(800_000)]);
    let mut fluid = Sequential::new(&traffic, STEP, Rules::default());
    // The delay of a link is 20 steps.
    for (link, first) in [(0, 0), (1, 20), (2, 40)] {
        fluid.advance(first + 1 - fluid.steps());
        assert_eq!((fluid.arrivals(link), fluid.queue(link)), (Some(800_000.0), Some(0.0)));
        assert_eq!(fluid.arrivals(link + 1).unwrap_or(0.0), 0.0);
    }
    assert!(close(fluid.round_trip(0).unwrap(), 0.06, 1e-12));
    assert_eq!((fluid.window(0), fluid.rate(0), fluid.rate(1)), (None, Some(800_000.0), None));
}

#[test]
fn a_drop_tail_queue_fills_spills_and_delays() {
    // The queue of half a megabyte fills at 250,000 bytes/s in two seconds; then a third of the arrivals is lost.
    let traffic = chain(&[10_000_000, 500_000], Discipline::DropTail, &[udp(300_000), udp(450_000)]);
    let mut fluid = Sequential::new(&traffic, STEP, Rules::default());
    fluid.advance(20 + SECOND);
    assert!(close(fluid.queue(1).unwrap(), 250_000.0, 1e-9), "{:?}", fluid.queue(1));
    assert_eq!(fluid.loss(1), Some(0.0));
    fluid.advance(2 * SECOND);
    assert!(close(fluid.queue(1).unwrap(), 500_000.0, 1e-9));
    assert!(close(fluid.loss(1).unwrap(), 1.0 / 3.0, 1e-9), "{:?}", fluid.loss(1));
    // The queue adds one second.
    fluid.advance(2 * SECOND);
    assert!(close(fluid.round_trip(0).unwrap(), 0.04 + 1.0, 1e-9), "{:?}", fluid.round_trip(0));
}

#[test]
fn a_queue_shares_its_departures_as_its_arrivals() {
    let traffic = chain(&[10_000_000, 500_000, 10_000_000], Discipline::DropTail, &[udp(300_000), udp(450_000)]);
    let mut fluid = Sequential::new(&traffic, STEP, Rules::default());
    fluid.advance(6 * SECOND);
    assert!(close(fluid.arrivals(2).unwrap(), 500_000.0, 1e-9), "{:?}", fluid.arrivals(2));
    let of = |stream: usize| fluid.streams[stream].hops[2].arrived;
    assert!(close(of(0)[0], 200_000.0, 1e-9) && close(of(1)[0], 300_000.0, 1e-9));
    // Losses of each flow, and the delay so far.
    assert!(close(of(0)[2], 100_000.0, 1e-9) && close(of(1)[2], 150_000.0, 1e-9));
    assert!(close(of(0)[1], 0.02 + 1.0, 1e-9));
}

/// In equilibrium equation 1 says `W² p = 2`. If the losses of a round trip count once, it is `W (1 - (1 - p)^W) = 2`.
/// The windows fill pipe and queue.
#[test]
fn a_window_settles_where_the_square_root_law_says() {
    let traffic = chain(&[10_000_000, 2_000_000], Discipline::default(), &[Kind::Tcp { fluid: 5, packets: 0 }]);
    let new_reno = Rules { recovery: Recovery::NewReno, ..Rules::default() };
    for (rules, square) in [(Rules::default(), Some(2.0)), (Rules::prime(), Some(0.75)), (new_reno, None)] {
        let mut fluid = Sequential::new(&traffic, STEP, rules);
        fluid.advance(150 * SECOND);
        let (window, loss, queue) = (fluid.window(0).unwrap(), fluid.loss(1).unwrap(), fluid.queue(1).unwrap());
        let decreases = window * (1.0 - (1.0 - loss).powf(window));
        let (found, expected) = square.map_or((decreases, 2.0), |square| (window * window * loss, square));
        assert!(close(found, expected, 1e-2), "{window} {loss}");
        let round_trip = 0.04 + queue / 2_000_000.0;
        assert!(close(fluid.round_trip(0).unwrap(), round_trip, 1e-3));
        assert!(close(5.0 * window * 1000.0 / round_trip * (1.0 - loss), 2_000_000.0, 1e-3), "{window} {queue}");
    }
}

#[test]
fn a_lossy_link_passes_on_all_but_its_share() {
    let traffic = lossy_chain(0.1, &[1_000_000, 500_000, 1_500_000], Discipline::DropTail, &[udp(800_000)]);
    let mut fluid = Sequential::new(&traffic, STEP, Rules::default());
    fluid.advance(10 * SECOND);
    // The second link is too slow for 720,000 bytes/s.
    for (link, arrivals) in [(0, 800_000.0), (1, 720_000.0), (2, 450_000.0)] {
        assert!(close(fluid.arrivals(link).unwrap(), arrivals, 1e-9), "{link}: {:?}", fluid.arrivals(link));
    }
    assert!(close(fluid.loss(1).unwrap(), 220.0 / 720.0, 1e-9));
    // Losses before the third queue: on the first link, in the second queue, on the second link.
    let lost = fluid.streams[0].hops[2].arrived[2];
    assert!(close(lost, 80_000.0 + 220_000.0 + 50_000.0, 1e-9), "{lost}");
}

/// With empty queues and lossy links, equation 1 with dW/dt = 0 is `1/R = Wλ/2`. Here `λ = pW/R`, where p is the share
/// that both links lose.
#[test]
fn windows_settle_by_the_losses_of_links_alone() {
    let tcp = [Kind::Tcp { fluid: 3, packets: 0 }];
    for loss in [0.001, 0.004, 0.02] {
        let traffic = lossy_chain(loss, &[100_000_000; 2], Discipline::DropTail, &tcp);
        let mut fluid = Sequential::new(&traffic, STEP, Rules::default());
        fluid.advance(60 * SECOND);
        let together = 1.0 - (1.0 - loss) * (1.0 - loss);
        let (window, expected) = (fluid.window(0).unwrap(), f64::sqrt(2.0 / together));
        assert!(close(window, expected, 1e-6), "{window} instead of {expected}");
        assert!(close(fluid.losses(0).unwrap(), together * window / 0.04, 1e-6));
        assert_eq!((fluid.queue(0), fluid.loss(0)), (Some(0.0), Some(0.0)));
    }
}

#[test]
fn losses_of_a_round_trip_count_once() {
    // One packet per round trip is lost or not. Of two, one is lost with p (2 - p). Of very many, one is always lost.
    assert!(close(once(0.3 / 0.5, 1.0, 0.5), 0.3 / 0.5, 1e-12));
    assert!(close(once(2.0 * 0.3 / 0.5, 2.0, 0.5), 0.3 * 1.7 / 0.5, 1e-12));
    assert!(close(once(1000.0 * 0.3 / 0.5, 1000.0, 0.5), 1.0 / 0.5, 1e-12));
    // A few losses count as they are; losses above the sending rate count as all of it.
    assert!(close(once(1e-12, 10.0, 0.5), 1e-12, 1e-9));
    assert_eq!((once(0.0, 10.0, 0.5), once(100.0, 10.0, 0.5)), (0.0, 2.0));
}

/// Computes mean windows, the mean queue from 4 to 7 in bytes, and mean round-trip times, between two times in seconds.
fn means(fluid: &mut Sequential<'_>, from: u64, to: u64) -> ([f64; 4], f64, [f64; 4]) {
    let link = fluid.traffic.network().link_between(4, 7).unwrap();
    fluid.advance(from * SECOND - fluid.steps());
    let (mut windows, mut queue, mut trips, mut samples) = ([0.0; 4], 0.0, [0.0; 4], 0.0);
    while fluid.steps() < to * SECOND {
        fluid.advance(20);
        for flow in 0..4 {
            windows[flow as usize] += fluid.window(flow).unwrap();
            trips[flow as usize] += fluid.round_trip(flow).unwrap();
        }
        queue += fluid.queue(link).unwrap();
        samples += 1.0;
    }
    (windows.map(|sum| sum / samples), queue / samples, trips.map(|sum| sum / samples))
}

/// Statements of section 5.1 of the paper. The figures come from an independent simulation of the same network.
#[test]
fn the_validation_network_shows_what_the_paper_reports() {
    let network = validation::network().unwrap();
    let traffic = Traffic::new(network, validation::flows(0).unwrap(), Metric::Hops, Tcp::default()).unwrap();
    let mut fluid = Sequential::new(&traffic, STEP, Rules::default());
    let (before, idle, trips) = means(&mut fluid, 15, 30);
    let (during, busy, _) = means(&mut fluid, 40, 60);
    let (after, idle_again, _) = means(&mut fluid, 75, 90);
    // Flows 0 and 1 are alike; flow 2 has a smaller window and a longer round trip.
    assert!(close(before[0], before[1], 0.02) && before[2] < before[0], "{before:?}");
    assert!(trips[2] > trips[0] && trips[2] > trips[1], "{trips:?}");
    // The queue from 4 to 7 is empty, grows from 30 s on, and is empty again.
    assert!(idle < 1_000.0 && busy > 100_000.0 && idle_again < 1_000.0, "{idle} {busy} {idle_again}");
    // While flow 3 lasts, flow 2 shrinks, and flows 0 and 1 grow.
    assert!(during[2] < before[2] && during[0] > before[0] && during[1] > before[1], "{before:?} {during:?}");
    assert!(after[2] > during[2] && after[3] == 0.0, "{after:?}");
    let within = |value: f64, least: f64, most: f64| (least..=most).contains(&value);
    assert!(within(before[0], 49.0, 62.0) && within(before[2], 36.0, 42.0), "{before:?}");
    assert!(
        within(during[0], 72.0, 85.0) && within(during[2], 18.0, 22.0) && within(during[3], 19.0, 23.0),
        "{during:?}"
    );
    assert!(within(busy, 200_000.0, 400_000.0), "{busy}");
}
