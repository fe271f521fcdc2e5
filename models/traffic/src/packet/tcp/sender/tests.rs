use super::super::sack::Blocks;
use super::*;
use crate::packet::clock::SECOND;

const RENO: TcpRules = TcpRules::STANDARD;

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
    sender.acknowledge(Acknowledgement { number, blocks: Blocks::default(), echo: false, sent: 0 }, now, &RENO);
    sent(sender, now)
}

#[test]
fn slow_start_doubles_and_avoidance_adds_one_a_round() {
    let mut sender = bulk(16);
    sender.control.threshold = 8;
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
    (sender.control.window, sender.control.threshold) = (10, 10);
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
    assert_eq!((sender.control.threshold, sender.control.window, sender.recovering), (5, 8, true));
    // Two more duplicates make room for the ten that are out; each of the next four lets one go.
    assert_eq!(answer(&mut sender, 0, 1), NOTHING);
    assert_eq!(answer(&mut sender, 0, 1), NOTHING);
    let more: Vec<_> = (0..4).flat_map(|_| answer(&mut sender, 0, 1)).collect();
    assert_eq!(more, [10, 11, 12, 13]);
    // The hole is filled: 0 to 9 are acknowledged, four are out, and the window of five lets one more go.
    assert_eq!(answer(&mut sender, 10, 2), [14]);
    assert_eq!((sender.control.window, sender.recovering), (5, false));
}

#[test]
fn a_whole_window_lost_is_found_by_the_timer() {
    let mut sender = ten_in_flight();
    assert_eq!(sender.deadline(), Some(SECOND));
    sender.expire(SECOND, &RENO);
    assert_eq!((sender.control.threshold, sender.control.window), (5, 1));
    assert_eq!(sender.deadline(), Some(3 * SECOND));
    let again = sender.next(SECOND, &RENO).unwrap();
    assert_eq!(again, Segment { number: 0, again: true, reduced: false });
    // The retransmission is lost too: the timeout doubles, the threshold stays.
    sender.expire(3 * SECOND, &RENO);
    assert_eq!((sender.control.threshold, sender.deadline()), (5, Some(7 * SECOND)));
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
    assert_eq!((sender.recovering, sender.control.window), (false, 1));
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
    assert!(!sender.recovering);
}

/// Creates a sender of a variant with packets 0 to 9 under way.
fn ten_of(rules: &TcpRules) -> Sender {
    let mut sender = Sender::new(rules, 64);
    sender.offer(u64::MAX);
    (sender.control.window, sender.control.threshold) = (10, 10);
    assert_eq!(sent(&mut sender, 0).len(), 10);
    sender
}

#[test]
fn newreno_repairs_two_losses_in_one_recovery() {
    let mut sender = ten_of(&TcpRules { variant: Variant::NewReno, ..RENO });
    // Packets 0 and 4 are lost. Limited transmit sends a packet for each of the first two duplicates.
    assert_eq!(answer(&mut sender, 0, 1), [10]);
    assert_eq!(answer(&mut sender, 0, 1), [11]);
    assert_eq!(answer(&mut sender, 0, 1), [0]);
    // Ten packets were in the window; the two of limited transmit do not count.
    assert_eq!((sender.control.threshold, sender.control.window, sender.recovering), (5, 8, true));
    // Packets 5 to 9, 10 and 11 bring seven more duplicates: the window is 15, and 12 packets are under way.
    let more: Vec<_> = (0..7).flat_map(|_| answer(&mut sender, 0, 1)).collect();
    assert_eq!(more, [12, 13, 14]);
    // Packet 0 arrives. The acknowledgement of 0 to 3 is partial: 4 is sent again, and 15 - 4 + 1 = 12 packets may be
    // under way above it.
    assert_eq!(answer(&mut sender, 4, 2), [4, 15]);
    assert_eq!((sender.control.window, sender.recovering), (12, true));
    // The acknowledgement of all that was under way ends the recovery with the smaller of the threshold and one more
    // than the packets under way, 12 to 15.
    assert_eq!(answer(&mut sender, 12, 3), [16]);
    assert_eq!((sender.control.window, sender.recovering), (5, false));
}

#[test]
fn a_second_loss_of_newreno_waits_for_the_packets_of_the_first() {
    let mut sender = ten_of(&TcpRules { variant: Variant::NewReno, ..RENO });
    (0..3).for_each(|_| drop(answer(&mut sender, 0, 1)));
    sender.expire(SECOND, &RENO);
    assert_eq!(sent(&mut sender, SECOND), [0]);
    // Packets 0 to 11 were sent before the timeout: duplicates below 12 are echoes of them.
    assert_eq!(answer(&mut sender, 5, SECOND), [5, 6]);
    (0..5).for_each(|_| assert_eq!(answer(&mut sender, 5, SECOND), NOTHING));
    assert!(!sender.recovering);
}

/// Acknowledges one number and packets above it, and returns the packets that are sent in response.
fn selectively(sender: &mut Sender, number: u64, above: &[std::ops::Range<u64>], now: u64) -> Vec<u64> {
    let blocks = Blocks::of(number, above.iter().cloned());
    sender.acknowledge(Acknowledgement { number, blocks, echo: false, sent: 0 }, now, &RENO);
    sent(sender, now)
}

#[test]
#[allow(clippy::single_range_in_vec_init, reason = "a list of one block")]
fn selective_acknowledgements_repair_a_window_in_a_round_trip() {
    let mut sender = ten_of(&TcpRules { variant: Variant::NewReno, sack: Some(true), ..RENO });
    // Packets 0, 3 and 4 are lost. Each arrival lets one new packet go.
    assert_eq!(selectively(&mut sender, 0, &[1..2], 1), [10]);
    assert_eq!(selectively(&mut sender, 0, &[1..3], 1), [11]);
    // The third arrival above 0 makes it lost: the window is halved. In the network are 3, 4 and 6 to 11.
    assert_eq!(selectively(&mut sender, 0, &[5..6, 1..3], 1), [0]);
    assert_eq!((sender.control.window, sender.pipe(), sender.recovering), (5, 9, true));
    // With 6 arrived, 3 of 5, 6 and ... are above 3 only after 7: now 0, 8 to 11 are in the network, five packets.
    assert_eq!(selectively(&mut sender, 0, &[5..7, 1..3], 1), NOTHING);
    assert_eq!(selectively(&mut sender, 0, &[5..8, 1..3], 1), NOTHING);
    assert_eq!(sender.pipe(), 5);
    // Each further arrival lets a lost packet go, and then new ones.
    assert_eq!(selectively(&mut sender, 0, &[5..9, 1..3], 1), [3]);
    assert_eq!(selectively(&mut sender, 0, &[5..10, 1..3], 1), [4]);
    assert_eq!(selectively(&mut sender, 0, &[5..11, 1..3], 1), [12]);
    assert_eq!(selectively(&mut sender, 0, &[5..12, 1..3], 1), [13]);
    // Packets 0, 3 and 4 come: the recovery ends with the acknowledgement of 12.
    assert_eq!(selectively(&mut sender, 3, &[5..12], 2), [14]);
    assert_eq!(selectively(&mut sender, 4, &[5..12], 2), [15]);
    assert!(sender.recovering);
    assert_eq!(selectively(&mut sender, 12, &[], 2), [16]);
    assert_eq!((sender.control.window, sender.recovering), (5, false));
}

#[test]
#[allow(clippy::single_range_in_vec_init, reason = "a list of one block")]
fn a_timeout_with_sack_sends_what_has_not_arrived() {
    let mut sender = ten_of(&TcpRules { variant: Variant::Cubic, ..RENO });
    // Only 4 and 5 arrived.
    assert_eq!(selectively(&mut sender, 0, &[4..5], 1), [10]);
    assert_eq!(selectively(&mut sender, 0, &[4..6], 1), [11]);
    sender.expire(SECOND, &RENO);
    // Twelve packets were under way, ten of them by the window: seven are left.
    assert_eq!((sender.control.threshold, sender.control.window, sender.pipe()), (7, 1, 0));
    assert_eq!(sent(&mut sender, SECOND), [0]);
    assert_eq!(selectively(&mut sender, 1, &[4..6], SECOND), [1, 2]);
    assert_eq!(selectively(&mut sender, 2, &[4..6], SECOND), [3, 6]);
    assert_eq!(selectively(&mut sender, 3, &[4..6], SECOND), [7, 8]);
    assert_eq!(selectively(&mut sender, 6, &[], SECOND), [9, 10]);
}

#[test]
#[allow(clippy::single_range_in_vec_init, reason = "a list of one block")]
fn the_last_packet_of_a_recovery_is_rescued_without_new_data() {
    let mut sender = Sender::new(&TcpRules { variant: Variant::Cubic, ..RENO }, 64);
    sender.offer(8);
    assert_eq!(sent(&mut sender, 0).len(), 8);
    // Packets 0 and 7 are lost, and there are no others to send.
    assert_eq!(selectively(&mut sender, 0, &[1..3], 1), NOTHING);
    assert_eq!(selectively(&mut sender, 0, &[1..4], 1), [0]);
    assert_eq!(selectively(&mut sender, 0, &[1..7], 1), [7]);
    assert_eq!(selectively(&mut sender, 8, &[], 2), NOTHING);
    assert_eq!((sender.recovering, sender.deadline()), (false, None));
}

/// Acknowledges all packets below a number with an echo of a mark. Returns the packets that are sent in response, each
/// with whether it tells of a reduced window.
fn echoed(sender: &mut Sender, number: u64, echo: bool) -> Vec<(u64, bool)> {
    sender.acknowledge(Acknowledgement { number, blocks: Blocks::default(), echo, sent: 0 }, 1, &RENO);
    std::iter::from_fn(|| sender.next(1, &RENO)).map(|segment| (segment.number, segment.reduced)).collect()
}

#[test]
fn a_mark_halves_the_window_once_a_round_trip() {
    let mut sender = ten_in_flight();
    // Packet 0 was marked. Its echo comes with acknowledgements until packet 10 tells of the smaller window.
    assert_eq!(echoed(&mut sender, 1, true), []);
    assert_eq!((sender.control.window, sender.control.threshold), (5, 5));
    (2..=5).for_each(|number| assert_eq!(echoed(&mut sender, number, true), []));
    assert_eq!(echoed(&mut sender, 6, true), [(10, true)]);
    let more: Vec<_> = (7..=10).flat_map(|number| echoed(&mut sender, number, true)).collect();
    assert_eq!(more, [(11, false), (12, false), (13, false), (14, false)]);
    assert_eq!(sender.control.window, 5, "an echo does not open the window");
    // Packet 10 ends the echo, and packet 11 is marked again.
    assert_eq!(echoed(&mut sender, 11, false), [(15, false)]);
    assert_eq!(echoed(&mut sender, 12, true), []);
    assert_eq!(sender.control.window, 2);
    assert!(!sender.recovering);
}

#[test]
fn a_loss_beside_a_mark_does_not_halve_the_window_again() {
    let mut sender = ten_in_flight();
    assert_eq!(echoed(&mut sender, 1, true), []);
    // Packet 1 is lost: three duplicates repair it.
    for _ in 0..2 {
        assert_eq!(echoed(&mut sender, 1, true), []);
    }
    assert_eq!(echoed(&mut sender, 1, true), [(1, false)]);
    assert_eq!(sender.control.threshold, 5);
    // A loss beyond the marked window halves it, and is told of, too.
    let mut later = ten_in_flight();
    assert_eq!(echoed(&mut later, 1, true), []);
    let sent: Vec<_> = (2..=11).flat_map(|number| echoed(&mut later, number, false)).collect();
    assert_eq!((sent[0], sent.len()), ((10, true), 6 + 1));
    (0..3).for_each(|_| drop(echoed(&mut later, 11, false)));
    assert_eq!(later.control.threshold, 3);
    assert!(later.tells);
}
