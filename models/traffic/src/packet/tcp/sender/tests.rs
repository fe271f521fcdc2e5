use super::*;
use crate::packet::clock::SECOND;

const RENO: Reno = Reno::STANDARD;

const NOTHING: [u64; 0] = [];

fn bulk(window: u32) -> Sender {
    let mut sender = Sender::new(&RENO, window);
    sender.offer(u64::MAX);
    sender
}

/// Returns the numbers of packets that are sent now.
fn sent(sender: &mut Sender, now: u64) -> Vec<u64> {
    std::iter::from_fn(|| sender.next(now, &RENO)).map(|segment| segment.number).collect()
}

/// Acknowledges one number, and returns the packets that are sent in response.
fn answer(sender: &mut Sender, number: u64, now: u64) -> Vec<u64> {
    sender.acknowledge(number, now, &RENO);
    sent(sender, now)
}

#[test]
fn slow_start_doubles_and_avoidance_adds_one_a_round() {
    let mut sender = bulk(16);
    sender.threshold = 8;
    let mut sizes = vec![];
    let mut flight = sent(&mut sender, 0);
    for round in 1..=8 {
        sizes.push(flight.len());
        let now = round * SECOND / 10;
        flight = flight.into_iter().flat_map(|number| answer(&mut sender, number + 1, now)).collect();
    }
    // By hand: the window doubles to the threshold of 8, then grows by one per round.
    assert_eq!(sizes, [2, 4, 8, 9, 10, 11, 12, 13]);
    let mut narrow = bulk(4);
    let mut flight = sent(&mut narrow, 0);
    for _ in 0..10 {
        flight = flight.into_iter().flat_map(|number| answer(&mut narrow, number + 1, 1)).collect();
    }
    assert_eq!(flight.len(), 4, "no more than the greatest window");
}

/// Creates a sender with packets 0 to 9 under way and all earlier ones acknowledged.
fn ten_in_flight() -> Sender {
    let mut sender = bulk(64);
    (sender.window, sender.threshold) = (10, 10);
    assert_eq!(sent(&mut sender, 0).len(), 10);
    sender
}

#[test]
fn one_loss_is_repaired_by_three_duplicates_and_halves_the_window() {
    let mut sender = ten_in_flight();
    // Packet 0 is lost; 1 to 9 each bring a duplicate.
    assert_eq!(answer(&mut sender, 0, 1), NOTHING);
    assert_eq!(answer(&mut sender, 0, 1), NOTHING);
    assert_eq!(answer(&mut sender, 0, 1), [0]);
    assert_eq!((sender.threshold, sender.window, sender.fast_retransmits), (5, 8, 1));
    // Two more duplicates make room for the ten that are out; each of the next four lets one go.
    assert_eq!(answer(&mut sender, 0, 1), NOTHING);
    assert_eq!(answer(&mut sender, 0, 1), NOTHING);
    let more: Vec<_> = (0..4).flat_map(|_| answer(&mut sender, 0, 1)).collect();
    assert_eq!(more, [10, 11, 12, 13]);
    // The hole is filled: 0 to 9 are acknowledged, four are out, and the window of five lets one more go.
    assert_eq!(answer(&mut sender, 10, 2), [14]);
    assert_eq!((sender.window, sender.recovering, sender.timeouts), (5, false, 0));
}

#[test]
fn a_whole_window_lost_is_found_by_the_timer() {
    let mut sender = ten_in_flight();
    assert_eq!(sender.deadline(), Some(SECOND));
    sender.expire(SECOND, &RENO);
    assert_eq!((sender.threshold, sender.window, sender.timeouts), (5, 1, 1));
    assert_eq!(sender.deadline(), Some(3 * SECOND));
    let again = sender.next(SECOND, &RENO).unwrap();
    assert_eq!(again, Segment { number: 0, again: true });
    // The retransmission is lost too: the timeout doubles, the threshold stays.
    sender.expire(3 * SECOND, &RENO);
    assert_eq!((sender.threshold, sender.deadline()), (5, Some(7 * SECOND)));
    assert_eq!(sent(&mut sender, 3 * SECOND), [0]);
    // The sender is back in slow start.
    assert_eq!(answer(&mut sender, 1, 4 * SECOND), [1, 2]);
    assert_eq!(answer(&mut sender, 2, 4 * SECOND), [3, 4]);
    // By Karn's rule no packet sent twice is timed. The backoff stays until a packet that was sent once is timed.
    assert_eq!(sender.deadline(), Some(8 * SECOND));
    let new: Vec<_> = (3..10).flat_map(|number| answer(&mut sender, number, 5 * SECOND)).collect();
    assert_eq!(new, [5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    answer(&mut sender, 11, 5 * SECOND + SECOND / 2);
    assert!(sender.deadline().unwrap() <= 7 * SECOND);
}

#[test]
fn echoes_of_what_came_through_before_a_timeout_are_no_loss() {
    let mut sender = ten_in_flight();
    sender.expire(SECOND, &RENO);
    sent(&mut sender, SECOND);
    for _ in 0..5 {
        assert_eq!(answer(&mut sender, 0, SECOND), NOTHING);
    }
    assert_eq!((sender.fast_retransmits, sender.window), (0, 1));
    // An acknowledgement beyond the retransmitted packet means that the rest had arrived.
    assert_eq!(answer(&mut sender, 10, SECOND), [10, 11]);
}

#[test]
fn what_is_not_offered_is_not_sent_and_needs_no_timer() {
    let mut sender = Sender::new(&RENO, 8);
    assert_eq!((sent(&mut sender, 0), sender.deadline()), (vec![], None));
    sender.offer(3);
    assert_eq!(sent(&mut sender, 0), [0, 1]);
    assert_eq!(answer(&mut sender, 2, 1), [2]);
    assert_eq!(answer(&mut sender, 3, 2), NOTHING);
    assert_eq!((sender.deadline(), sender.offered()), (None, 3));
    // An acknowledgement of nothing new, with no packet under way, has no effect.
    (0..9).for_each(|_| assert_eq!(answer(&mut sender, 3, 2), NOTHING));
    assert_eq!(sender.fast_retransmits, 0);
}
