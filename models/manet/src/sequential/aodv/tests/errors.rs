//! Route errors: section 6.11.

use super::*;

/// An error counts if it comes from the next node, and is told to those who use the route. A deviation: it has to be
/// news.
#[test]
fn an_error_is_taken_from_the_next_node_if_it_is_news() {
    let mut between = Between::new();
    between.reply(5);
    between.ask(Asked::by_neighbour(1, None));
    for (number, from) in [(5, 2), (4, 2), (6, 0), (6, 7)] {
        assert!(between.error(9, number, from).queued.is_empty());
        assert_eq!(between.next(9), Some(2), "{number} from {from}");
    }
    let out = between.error(9, 6, 2);
    let told: Vec<_> = out.queued.iter().map(|packet| &packet.header).collect();
    assert!(matches!(&told[..], [Header::Error(Error { lost, to: Some(0) })] if *lost == [(9, 6)]), "{told:?}");
    assert_eq!(between.next(9), None);
    // An older route is refused from then on, and one as new is taken.
    between.reply(5);
    assert_eq!(between.next(9), None);
    between.reply(6);
    assert_eq!(between.next(9), Some(2));
}

/// Section 6.2: each message of AODV tells of a neighbour, an error too.
#[test]
fn an_error_gives_a_neighbour() {
    let mut between = Between::new();
    between.error(9, 6, 7);
    assert_eq!((between.route(7), between.lasts(7)), (Some((7, 1, None)), ACTIVE_ROUTE));
}

/// Section 6.11: several neighbours that use routes over a broken link are told by one broadcast. Routes that nobody
/// uses are not listed.
#[test]
fn errors_list_the_routes_that_are_used() {
    let mut between = Between::new();
    between.reply(5);
    between.offer(2, 8, 3, 1);
    between.ask(Asked::by_neighbour(1, None));
    assert_eq!(between.replies(Asked { origin: 3, from: 3, hops: 0, ..Asked::by_far(9, 2) }).len(), 1);
    assert_eq!(between.break_link(2), [(vec![(9, 6)], None)]);
    assert_eq!((between.next(8), between.next(9)), (None, None));
}

/// Section 6.11, case (ii): data without a route raises the number, and its sender is told.
#[test]
fn data_without_a_route_is_told_of() {
    let mut between = Between::new();
    between.reply(5);
    between.error(9, 6, 2);
    let mut data = packet(Aodv::header((0, 0)), 0, 0, 9);
    data.header = Header::Traffic { previous: Some(0), failures: 0 };
    for number in [7, 8] {
        let (decision, out) = between.act(|node, here, out| node.route(here, (0, 0), &data, out));
        assert!(matches!(decision, Decision::Lose(Loss::NoRoute)), "{decision:?}");
        let told: Vec<_> = out.queued.iter().map(|packet| &packet.header).collect();
        assert!(
            matches!(&told[..], [Header::Error(Error { lost, to: Some(0) })] if *lost == [(9, number)]),
            "{told:?}"
        );
    }
}
