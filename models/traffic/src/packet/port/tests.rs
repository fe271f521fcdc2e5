use super::*;
use crate::network::Queue;

/// Creates a link of one byte per microsecond, with a delay of 1 ms.
fn port(capacity: u64, discipline: Discipline) -> Port {
    let queue = Queue::of_bytes(capacity, discipline);
    Port::new(&Link { from: 0, to: 1, delay: 1_000_000, bandwidth: 8_000_000, queue, loss: 0.0 }, 100)
}

const MICROSECOND: u64 = 1_000_000;
const DELAY: u64 = 1_000 * MICROSECOND;

fn no_draw(_: u64) -> f64 {
    panic!("nothing is drawn where nothing is dropped at random")
}

#[test]
fn packets_queue_and_drop_off_the_tail() {
    let mut port = port(250, Discipline::DropTail);
    assert_eq!(port.alone(0, (100, false), 0.0, no_draw), Fate::Arrives(100 * MICROSECOND + DELAY));
    assert_eq!(port.alone(0, (100, false), 0.0, no_draw), Fate::Arrives(200 * MICROSECOND + DELAY));
    // 200 bytes are in the queue, then 150.
    assert_eq!(port.alone(0, (51, false), 0.0, no_draw), Fate::Dropped);
    assert_eq!(port.alone(50 * MICROSECOND, (100, false), 0.0, no_draw), Fate::Arrives(300 * MICROSECOND + DELAY));
    assert_eq!((port.bytes(50 * MICROSECOND), port.bytes(299 * MICROSECOND), port.bytes(DELAY)), (250, 1, 0));
    port.count_work(DELAY);
    // Work falls from 200 to 150 us in 50 us, then from 250 to 0: 8750 + 31250 square microseconds.
    let square = u128::from(MICROSECOND) * u128::from(MICROSECOND);
    let expected = QueueCounts {
        arrivals: 4,
        overflowed: 1,
        dropped: 0,
        lost: 0,
        lost_bytes: 0,
        offered: 351,
        marked: 0,
        dropped_bytes: 51,
        failed: 0,
        failed_bytes: 0,
        greatest: 250,
        before: 0,
        work: 40_000 * square,
    };
    assert_eq!(port.counts, expected);
}

#[test]
fn red_drops_by_its_average() {
    let red = Red { weight: 1.0, least: 0.1, most: 0.5, probability: 0.4, ..Red::default() };
    let mut port = port(1_000, Discipline::Red(red));
    for _ in 0..3 {
        port.alone(0, (100, false), 0.0, no_draw);
    }
    // The sample at 100 us finds 200 bytes: a fifth of the capacity, a quarter of the way from 'least' to 'most'.
    assert_eq!(port.clone().alone(100 * MICROSECOND, (100, false), 0.0, |_| 0.0999), Fate::Dropped);
    assert!(matches!(port.alone(100 * MICROSECOND, (100, false), 0.0, |_| 0.1001), Fate::Arrives(_)));
    assert_eq!(port.clone().alone(150 * MICROSECOND, (100, false), 0.5, |_| 0.5499), Fate::Dropped);
    assert!(matches!(port.alone(150 * MICROSECOND, (100, false), 0.5, |_| 0.5501), Fate::Arrives(_)));
}

#[test]
fn a_link_loses_what_its_queue_has_sent() {
    let queue = Queue::of_bytes(250, Discipline::DropTail);
    let link = Link { from: 0, to: 1, delay: 1_000_000, bandwidth: 8_000_000, queue, loss: 0.25 };
    let mut port = Port::new(&link, 100);
    let mut come = |draw: u64| {
        let fate = port.alone(0, (100, false), 0.0, no_draw);
        port.sent(fate, 100, |_| draw)
    };
    assert_eq!(come((1 << 62) - 1), Fate::Lost);
    // The lost packet was sent first.
    assert_eq!(come(1 << 62), Fate::Arrives(200 * MICROSECOND + DELAY));
    // A packet that the queue drops is not lost on the link as well.
    assert_eq!(come(0), Fate::Dropped);
    let QueueCounts { lost, lost_bytes, overflowed, dropped_bytes, .. } = port.counts;
    assert_eq!((lost, lost_bytes, overflowed, dropped_bytes), (1, 100, 1, 100));
}

#[test]
fn a_shared_queue_follows_algorithm_1() {
    let mut port = port(1_000, Discipline::DropTail);
    let fluid = Influence { drop: 0.25, backlog: 600, drained: 0 };
    assert_eq!(port.shared(0, 100, fluid, |_| 0.2499), Fate::Dropped);
    assert_eq!(port.shared(0, 100, fluid, |_| 0.25), Fate::Arrives(700 * MICROSECOND + DELAY));
    assert_eq!(port.shared(10 * MICROSECOND, 300, fluid, |_| 0.5), Fate::Arrives(1010 * MICROSECOND + DELAY));
    assert_eq!(port.shared(10 * MICROSECOND, 1, fluid, |_| 0.5), Fate::Dropped);
    let drained = Influence { drained: 50, ..fluid };
    assert_eq!(port.shared(10 * MICROSECOND, 1, drained, |_| 0.5), Fate::Arrives(1010 * MICROSECOND + DELAY));
    assert_eq!(port.take_backlog(1), Backlog { waiting: 350, left: 51 });
    assert_eq!(port.take_backlog(1), Backlog::default());
    assert_eq!((port.counts.dropped, port.counts.overflowed, port.counts.greatest), (1, 1, 1_000));
    // A step later no fluid is ahead, and still no packet overtakes another.
    let empty = Influence::default();
    assert_eq!(port.shared(20 * MICROSECOND, 1, empty, no_draw), Fate::Arrives(1010 * MICROSECOND + DELAY));
}

#[test]
fn a_capacity_may_be_in_packets_of_any_size() {
    let queue = Queue { capacity: 200, packets: Some(2), discipline: Discipline::DropTail };
    let link = Link { from: 0, to: 1, delay: 1_000_000, bandwidth: 8_000_000, queue, loss: 0.0 };
    let mut port = Port::new(&link, 100);
    let mut come = |time: u64, bytes: u32| port.alone(time * MICROSECOND, (bytes, false), 0.0, no_draw);
    assert_eq!([come(0, 500), come(0, 40)].map(|fate| matches!(fate, Fate::Arrives(_))), [true; 2]);
    assert_eq!((come(0, 1), come(499, 1)), (Fate::Dropped, Fate::Dropped));
    // The first is sent by 500 us, and the second by 540.
    assert_eq!(come(500, 10), Fate::Arrives(550 * MICROSECOND + DELAY));
    assert_eq!((come(539, 1), come(540, 1)), (Fate::Dropped, Fate::Arrives(551 * MICROSECOND + DELAY)));
}

#[test]
fn red_marks_packets_of_sessions_with_ecn_up_to_its_upper_threshold() {
    let red = Red { weight: 1.0, least: 0.1, most: 0.5, probability: 0.4, ..Red::default() };
    let mut port = port(1_000, Discipline::Red(red));
    let come = |port: &mut Port, is_capable, draw: f64| port.alone(100 * MICROSECOND, (100, is_capable), 0.0, |_| draw);
    for _ in 0..3 {
        port.alone(0, (100, false), 0.0, no_draw);
    }
    // As in the test of drops: a probability of a tenth.
    assert_eq!(come(&mut port.clone(), false, 0.0999), Fate::Dropped);
    let fate = come(&mut port, true, 0.0999);
    assert_eq!((fate, port.counts.marked, port.counts.dropped), (Fate::Marked(400 * MICROSECOND + DELAY), 1, 0));
    assert!(matches!(come(&mut port.clone(), true, 0.1001), Fate::Arrives(_)));
    // The sample at 100 us is taken; that at 200 us finds more than half of the capacity.
    for _ in 0..6 {
        come(&mut port, true, 0.9);
    }
    assert_eq!(port.alone(200 * MICROSECOND, (100, true), 0.0, |_| 0.99), Fate::Dropped);
}

#[test]
fn a_managed_queue_holds_its_packets_and_counts_as_others_do() {
    use crate::network::Codel;
    use crate::packet::queue::Signals;
    use crate::packet::wire::{Cargo, Ecn, Packet};
    let codel = Codel { target: 150_000, interval: 200_000 };
    let mut port = port(500, Discipline::Codel(codel));
    let packet =
        |owner| Packet { owner, bytes: 100, cargo: Cargo::Datagram, ecn: Ecn::Incapable, born: 0, at: 0, end: 1 };
    let mut signals = Signals::default();
    let idle: Vec<bool> = (0..6).map(|owner| port.join(0, (packet(owner), 0), (0.0, no_draw), &mut signals)).collect();
    assert_eq!((idle, signals.dropped.len(), signals.dropped[0].1.owner), (vec![true; 6], 1, 5));
    assert_eq!((port.bytes(0), port.waiting(), port.counts.greatest, port.counts.overflowed), (500, 5, 500, 1));
    let mut take = |port: &mut Port, time: u64| {
        port.take(time * MICROSECOND, &mut signals).map(|(taken, end)| (taken.owner, end / MICROSECOND))
    };
    // Waits of 200 us are above the target, for an interval at 400 us.
    let sent = [0, 100, 200, 300].map(|time| take(&mut port, time));
    assert_eq!(sent, [Some((0, 100)), Some((1, 200)), Some((2, 300)), Some((3, 400))]);
    assert_eq!((port.waiting(), port.bytes(350 * MICROSECOND)), (1, 150));
    // The last packet is never dropped.
    assert_eq!([400, 500].map(|time| take(&mut port, time)), [Some((4, 500)), None]);
    port.count_work(600 * MICROSECOND);
    let square = u128::from(MICROSECOND) * u128::from(MICROSECOND);
    let QueueCounts { arrivals, offered, dropped_bytes, dropped, work, .. } = port.counts;
    assert_eq!((arrivals, offered, dropped_bytes, dropped, work), (6, 600, 100, 0, 125_000 * square));
    // One that is dropped gives its time back: packets 1 and 2 have waited for 500 us by then.
    let mut signals = Signals::default();
    for owner in 0..4 {
        port.join(1000 * MICROSECOND, (packet(owner), 0), (0.0, no_draw), &mut signals);
    }
    assert_eq!(port.take(1200 * MICROSECOND, &mut signals).map(|(taken, _)| taken.owner), Some(0));
    assert_eq!(port.take(1500 * MICROSECOND, &mut signals).map(|(taken, _)| taken.owner), Some(2));
    assert_eq!((signals.dropped.len(), port.counts.dropped, port.waiting()), (1, 1, 1));
}

/// A packet that comes when the last bit of the one before leaves finds its place free, whichever is processed first.
#[test]
fn a_packet_takes_the_place_of_one_that_leaves_now() {
    use crate::network::{Codel, FqCodel};
    use crate::packet::agenda::Agenda;
    use crate::packet::queue::Signals;
    use crate::packet::wire::{Cargo, Ecn, Packet};
    // 1000 bytes at 10 Mb/s.
    const GAP: u64 = 800 * MICROSECOND;
    let codel = Codel::default();
    let (codel, fair) = (Discipline::Codel(codel), Discipline::FqCodel(FqCodel { codel, ..FqCodel::default() }));
    let packet = Packet { owner: 0, bytes: 1000, cargo: Cargo::Datagram, ecn: Ecn::Incapable, born: 0, at: 0, end: 1 };
    for (discipline, is_served_first) in
        [(Discipline::DropTail, false), (codel, false), (codel, true), (fair, false), (fair, true)]
    {
        let queue = Queue { capacity: 1000, packets: Some(1), discipline };
        let link = Link { from: 0, to: 1, delay: 0, bandwidth: 10_000_000, queue, loss: 0.0 };
        let (mut port, mut agenda, mut signals) = (Port::new(&link, 1000), Agenda::default(), Signals::default());
        let mut serve = |port: &mut Port, now: u64| {
            let taken = port.take(now, &mut Signals::default());
            port.sending = taken.map(|(_, end)| agenda.moment(end));
        };
        for now in (0..100).map(|number| number * GAP) {
            if !port.is_managed() {
                assert_eq!(port.alone(now, (1000, false), 0.0, no_draw), Fate::Arrives(now + GAP));
                continue;
            }
            if is_served_first {
                serve(&mut port, now);
            }
            let is_idle = port.join(now, (packet, 0), (0.0, no_draw), &mut signals);
            assert_eq!(is_idle, is_served_first || now == 0);
            serve(&mut port, now);
        }
        let QueueCounts { arrivals, overflowed, dropped, .. } = port.counts;
        assert_eq!((arrivals, overflowed, dropped, signals.dropped.len()), (100, 0, 0, 0), "{discipline:?}");
        // While the last one is being sent there is no room.
        let early = 99 * GAP + GAP / 2;
        if port.is_managed() {
            port.join(early, (packet, 0), (0.0, no_draw), &mut signals);
        } else {
            port.alone(early, (1000, false), 0.0, no_draw);
        }
        assert_eq!(port.counts.overflowed, 1, "{discipline:?}");
    }
}
