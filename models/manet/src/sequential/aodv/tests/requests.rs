//! Route requests: sections 6.5 and 6.6.

use super::*;

/// Section 6.5: the hop to the neighbour lasts ACTIVE_ROUTE_TIMEOUT, the way back the minimal lifetime, `now +
/// 2 NET_TRAVERSAL_TIME - 2 HopCount NODE_TRAVERSAL_TIME`. Only the latter has a number.
#[test]
fn a_request_gives_a_way_back_and_a_neighbour() {
    let mut between = Between::new();
    between.ask(Asked::by_far(9, 7));
    assert_eq!(between.route(5), Some((0, 3, Some(7))));
    assert_eq!(between.lasts(5), 2 * NET_TRAVERSAL - 2 * 3 * NODE_TRAVERSAL);
    assert_eq!(between.route(0), Some((0, 1, None)));
    assert_eq!(between.lasts(0), ACTIVE_ROUTE);
}

/// Section 6.5: the lifetime becomes the maximum of that and the existing one, whether the route is news or not.
#[test]
fn the_way_back_lasts_the_longer_time() {
    let minimal = 2 * NET_TRAVERSAL - 2 * 3 * NODE_TRAVERSAL;
    for number in [6, 8, 9] {
        let mut between = Between::new();
        between.offer(3, 5, 8, 1);
        assert_eq!(between.lasts(5), MY_ROUTE);
        between.ask(Asked::by_far(9, number));
        assert_eq!(between.lasts(5), MY_ROUTE, "{number}");
        between.now += 4 * SECOND;
        between
            .ask(Asked { request: Request { id: 70, ..Asked::by_far(9, number).request }, ..Asked::by_far(9, number) });
        assert_eq!(between.lasts(5), minimal, "{number}");
        // A newer number is taken though its way is longer (section 6.2).
        assert_eq!(between.route(5), Some(if number > 8 { (0, 3, Some(9)) } else { (3, 2, Some(8)) }));
    }
}

/// Section 6.5: a request that was received before is discarded, and so is an own one, but for the neighbour.
#[test]
fn a_request_is_processed_once() {
    let mut between = Between::new();
    between.ask(Asked::by_far(9, 7));
    let again = Asked { from: 3, hops: 0, ..Asked::by_far(9, 7) };
    let out = between.ask(again);
    assert!(out.queued.is_empty() && out.timers.is_empty(), "{out:?}");
    assert_eq!([between.route(5), between.route(3)], [Some((0, 3, Some(7))), Some((3, 1, None))]);
    let out = between.ask(Asked { origin: 1, from: 4, ..Asked::by_far(9, 1) });
    assert!(out.queued.is_empty() && out.timers.is_empty(), "{out:?}");
    assert_eq!([between.route(1), between.route(4)], [None, Some((4, 1, None))]);
}

/// Section 6.5: a request with a TTL above 1 goes on with one less, and with the greater of the numbers. The number of
/// the node stays as it is.
#[test]
fn a_request_goes_on_with_the_greater_number() {
    let forwarded = |known: Option<u32>, asked: Option<u32>, ttl: u32| {
        let mut between = Between::new();
        if let Some(known) = known {
            between.reply(known - 1);
            between.now += MY_ROUTE + SECOND;
        }
        let mut request = Asked::by_neighbour(1, asked);
        request.request.ttl = ttl;
        let out = between.ask(request);
        assert!(out.queued.is_empty());
        assert_eq!(between.node.routes.number(9, between.now), known, "an expired route has a greater number");
        between.forwarded().map(|request| (request.ttl, request.number))
    };
    assert_eq!(forwarded(None, None, 5), Some((4, None)));
    assert_eq!(forwarded(None, Some(3), 2), Some((1, Some(3))));
    assert_eq!(forwarded(Some(8), None, 5), Some((4, Some(8))));
    assert_eq!(forwarded(Some(8), Some(3), 5), Some((4, Some(8))));
    assert_eq!(forwarded(Some(8), Some(9), 5), Some((4, Some(9))));
    assert_eq!(forwarded(Some(8), Some(3), 1), None);
}

/// Section 6.6: a node answers if its number is not older than the one that is asked for, in signed arithmetic of 32
/// bits, and unless only the destination may.
#[test]
fn a_node_answers_with_routes_that_are_new_enough() {
    let wrapped = u32::MAX - 1;
    for known in [5, wrapped, 0, i32::MAX as u32] {
        for (more, answers) in [(None, true), (Some(-1), true), (Some(0), true), (Some(1), false), (Some(3), false)] {
            for destination_only in [false, true] {
                let mut between = Between::new();
                let parameters = Parameters { destination_only, ..Parameters::default() };
                between.network.protocol = network::Protocol::Aodv(parameters);
                between.reply(known);
                between.now += SECOND;
                let number = more.map(|more: i32| known.wrapping_add_signed(more));
                let found = between.replies(Asked::by_neighbour(1, number));
                let answers = answers && !destination_only;
                assert_eq!(
                    (found.len() == 1, between.forwarded().is_none()),
                    (answers, answers),
                    "{known}, {number:?}"
                );
                if let [reply] = found[..] {
                    let Reply { route_to, number, hops, lifetime, next } = reply;
                    assert_eq!((route_to, number, hops, lifetime, next), (9, known, 2, MY_ROUTE - SECOND, 0));
                }
            }
        }
    }
}

/// Section 6.6: a number that is not valid is no answer. Node 0 was two hops away with a number, and is now a
/// neighbour.
#[test]
fn a_node_does_not_answer_for_a_neighbour_without_a_number() {
    let asked = Asked { destination: 0, from: 3, ..Asked::by_far(0, 7) };
    let mut between = Between::new();
    between.offer(2, 0, 20, 1);
    assert_eq!(between.route(0), Some((2, 2, Some(20))));
    assert_eq!(between.replies(asked).len(), 1);
    between.offer(0, 9, 4, 1);
    assert_eq!(between.route(0), Some((0, 1, None)));
    let asked = Asked { request: Request { id: 8, ..asked.request }, ..asked };
    assert_eq!(between.replies(asked).len(), 0);
    assert_eq!(between.forwarded().map(|request| request.number), Some(Some(20)));
}

/// Sections 6.1 and 6.6.1: the destination raises its number to that of the request. One that is greater by one is the
/// case of which section 6.6.1 speaks.
#[test]
fn the_destination_answers_with_the_greater_number() {
    let mut between = Between::new();
    for (id, asked, number) in
        [(1, None, 0), (2, Some(0), 0), (3, Some(1), 1), (4, Some(0), 1), (5, Some(9), 9), (6, None, 9)]
    {
        let request = Request { number: asked, ..Asked::by_far(1, id).request };
        let found = between.replies(Asked { request, ..Asked::by_far(1, id) });
        let found: Vec<_> = found.iter().map(|of| (of.route_to, of.number, of.hops, of.lifetime, of.next)).collect();
        assert_eq!(found, [(1, number, 0, MY_ROUTE, 0)], "{id}");
    }
}

/// Section 6.6: the reply goes to the next node that the route table has, also if it is not the one that has asked.
#[test]
fn a_reply_takes_the_route_of_the_table() {
    for destination in [1, 9] {
        let mut between = Between::new();
        between.reply(4);
        between.offer(3, 5, 8, 1);
        let next = |found: Vec<Reply>| found.iter().map(|reply| reply.next).collect::<Vec<_>>();
        assert_eq!(next(between.replies(Asked::by_far(destination, 7))), [3], "an older number");
        assert_eq!(next(between.replies(Asked::by_far(destination, 8))), [3], "a longer way");
        let shorter = Asked { hops: 0, ..Asked::by_far(destination, 9) };
        assert_eq!(next(between.replies(shorter)), [0], "a newer number");
        // The table has no valid route, and the request brings none: it goes back to where it came from.
        between.error(5, 30, 0);
        assert_eq!(between.next(5), None);
        assert_eq!(next(between.replies(Asked::by_far(destination, 10))), [0]);
        assert_eq!(between.next(5), None, "an older route is not taken");
    }
}

/// Section 6.6.2: the asking node uses the route ahead, and the next node ahead uses the way back. Both are told when
/// links break, with numbers one greater (section 6.11).
#[test]
fn those_who_use_a_route_are_told() {
    let answered = || {
        let mut between = Between::new();
        between.reply(5);
        assert_eq!(between.replies(Asked::by_far(9, 7)).len(), 1);
        between
    };
    assert_eq!(answered().break_link(2), [(vec![(9, 6)], Some(0))]);
    assert_eq!(answered().break_link(0), [(vec![(5, 8)], Some(2))]);
}

/// Section 6.6.3: the destination is told the way back, with hops and lifetime of the table and the number of the
/// request.
#[test]
fn a_gratuitous_reply_has_the_number_of_the_request() {
    let asked = |number| {
        let asked = Asked::by_far(9, number);
        Asked { request: Request { is_gratuitous: true, ..asked.request }, ..asked }
    };
    for (number, hops, next) in [(7, 2, 3), (8, 2, 3), (9, 3, 0)] {
        let mut between = Between::new();
        between.reply(4);
        between.offer(3, 5, 8, 1);
        let out = between.ask(asked(number));
        let found: Vec<_> = out.queued.iter().map(|packet| (packet.destination, as_reply(packet).unwrap())).collect();
        let [(5, answer), (9, gratuitous)] = found[..] else { panic!("{found:?}") };
        assert_eq!((answer.route_to, answer.number, answer.hops, answer.next), (9, 4, 2, next));
        assert_eq!((gratuitous.route_to, gratuitous.number), (5, number));
        assert_eq!((gratuitous.hops, gratuitous.next), (hops, 2));
        assert_eq!(gratuitous.lifetime, between.lasts(5));
    }
    // A destination that answers itself needs none.
    let mut between = Between::new();
    assert_eq!(between.ask(Asked { destination: 1, ..asked(7) }).queued.len(), 1);
}
