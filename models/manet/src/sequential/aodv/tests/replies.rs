//! Route replies: section 6.7.

use super::*;

/// Section 6.7: the four cases in which an entry is updated, and those in which it is not.
#[test]
fn a_reply_is_taken_in_four_cases() {
    let begin = |number: u32| {
        let mut between = Between::new();
        between.offer(2, 9, number, 2);
        between
    };
    for number in [7, u32::MAX, i32::MAX as u32] {
        let later = |more: i32| number.wrapping_add_signed(more);
        let cases = [
            // (ii) A greater number, even if the way is longer.
            (1, 9, true),
            (1000, 9, true),
            (-1, 0, false),
            // (iv) The same number and fewer hops.
            (0, 1, true),
            (0, 2, false),
            (0, 3, false),
        ];
        for (more, hops, is_taken) in cases {
            let mut between = begin(number);
            between.now += SECOND;
            between.offer(3, 9, later(more), hops);
            let (old, new) = ((2, 3, Some(number)), (3, hops + 1, Some(later(more))));
            assert_eq!(between.route(9), Some(if is_taken { new } else { old }), "{number} and {more}, {hops} hops");
            // The lifetime is that of the reply, from now on.
            assert_eq!(between.lasts(9), if is_taken { MY_ROUTE } else { MY_ROUTE - SECOND });
        }
        // (iii) The same number, and the route is not active: the error raised the number by one.
        let mut between = begin(number);
        between.error(9, later(1), 2);
        between.offer(3, 9, number, 1);
        assert_eq!(between.route(9), None);
        between.offer(3, 9, later(1), 9);
        assert_eq!(between.route(9), Some((3, 10, Some(later(1)))));
    }
    // (i) The number is not known: node 2 is a neighbour that was only met.
    let mut between = begin(7);
    assert_eq!(between.route(2), Some((2, 1, None)));
    between.offer(3, 2, 1, 1);
    assert_eq!(between.route(2), Some((3, 2, Some(1))));
}

/// Section 6.7: the hop to the neighbour is entered without a number, and lasts ACTIVE_ROUTE_TIMEOUT.
#[test]
fn a_reply_gives_a_neighbour() {
    let mut between = Between::new();
    between.reply(5);
    assert_eq!(between.route(2), Some((2, 1, None)));
    assert_eq!(between.lasts(2), ACTIVE_ROUTE);
}

/// Section 6.7: a reply goes to the next node on the way back, with one hop more. The way back lasts as long as a route
/// in use at least, the hop to the neighbour does not.
#[test]
fn a_reply_takes_the_way_back() {
    let mut between = Between::new();
    between.ask(Asked::by_far(9, 7));
    between.now += 4 * SECOND;
    let reply = Reply { route_to: 9, number: 5, hops: 1, lifetime: MY_ROUTE, next: 1 };
    let out = between.receive(packet(Header::Reply(reply), 0, 9, 5), 2);
    let [forwarded] = &out.queued[..] else { panic!("{out:?}") };
    assert_eq!((forwarded.origin, forwarded.destination), (9, 5));
    let Reply { route_to, number, hops, lifetime, next } = as_reply(forwarded).unwrap();
    assert_eq!((route_to, number, hops, lifetime, next), (9, 5, 2, MY_ROUTE, 0));
    assert_eq!(between.lasts(5), ACTIVE_ROUTE);
    assert_eq!(between.next(0), None);
    // Without a way back it ends.
    between.now += ACTIVE_ROUTE;
    let out = between.receive(packet(Header::Reply(reply), 0, 9, 5), 2);
    assert!(out.queued.is_empty());
}

/// Section 6.7: the node to which a reply is forwarded uses the route, and the hop to its next node.
#[test]
fn those_who_got_a_reply_are_told() {
    let mut between = Between::new();
    // Node 2 has asked for something, so that its number is known.
    between.ask(Asked { origin: 2, destination: 8, hops: 0, from: 2, ..Asked::by_far(8, 30) });
    between.ask(Asked::by_neighbour(1, None));
    between.reply(5);
    assert_eq!(between.break_link(2), [(vec![(2, 31), (9, 6)], Some(0))]);
    assert_eq!((between.next(2), between.next(9)), (None, None));
}

/// A deviation from section 6.7: a reply that is no news goes on with the route of the node.
#[test]
fn a_reply_that_is_no_news_goes_on() {
    let mut between = Between::new();
    between.ask(Asked::by_neighbour(1, None));
    between.offer(3, 9, 8, 0);
    let out = between.reply(5);
    let found: Vec<_> = out.queued.iter().filter_map(as_reply).map(|of| (of.number, of.hops, of.next)).collect();
    assert_eq!(found, [(8, 1, 0)]);
}
