//! One node, to which messages are handed by hand.

use super::message::{Error, Reply};
use super::*;
use crate::start::Start;

/// Node 1, between node 0 and node 2, with its network.
struct Between {
    network: Network,
    node: Aodv,
}

impl Between {
    fn new() -> Self {
        let protocol = network::Protocol::Aodv(Parameters::default());
        let network = Network { protocol, ..Network::default() };
        let node = Aodv::new(&Start::new(&network, 0).nodes[1]);
        Between { network, node }
    }

    /// Hands over a packet from a node at a time in s. Returns what the node asks for.
    fn receive(&mut self, mut packet: Packet<Header>, from: u32, seconds: u64) -> Out {
        let mut out = Outbox::new();
        let time = seconds * 1_000_000;
        let here = Here { network: &self.network, node: 1, time, original: time, is_there: true };
        packet.hops += 1;
        self.node.receive(here, packet, from, &mut out);
        out
    }

    /// Tells node 1 that node 2 has a route of one hop to node 9, with a number.
    fn reply(&mut self, number: u32, seconds: u64) -> Out {
        let reply = Reply { route_to: 9, number, hops: 1, lifetime: 6_000_000, next: 1 };
        self.receive(packet(Header::Reply(reply), 0, 2, 0), 2, seconds)
    }

    /// Asks on behalf of node 0 for a route to node 9 that is at least as new as a number.
    fn ask(&mut self, id: u32, number: Option<u32>, seconds: u64) -> Out {
        let request = Request { id, ttl: 5, number, origin_number: id, is_gratuitous: false };
        self.receive(packet(Header::Request(request), 0, 0, 9), 0, seconds)
    }

    fn error(&mut self, number: u32, from: u32, seconds: u64) -> Out {
        let error = Error { lost: vec![(9, number)], to: Some(1) };
        self.receive(packet(Header::Error(error), 0, from, 9), from, seconds)
    }

    fn next(&mut self, destination: u32, seconds: u64) -> Option<u32> {
        self.node.routes.active(destination, seconds * 1_000_000).map(|route| route.next)
    }
}

/// Section 6.6: a node answers if its sequence number is not older than the one that is asked for.
#[test]
fn a_node_answers_with_routes_that_are_new_enough() {
    let mut between = Between::new();
    between.reply(5, 1);
    for (id, number, answers) in [(1, None, true), (2, Some(4), true), (3, Some(5), true), (4, Some(6), false)] {
        let out = between.ask(id, number, 2);
        let replies = out.queued.iter().filter(|packet| matches!(packet.header, Header::Reply(_))).count();
        assert_eq!((replies == 1, out.timers.len() == 1), (answers, !answers), "{number:?}: {out:?}");
    }
    let forwarded: Vec<_> = between.node.delayed.iter().map(|(_, packet)| &packet.header).collect();
    assert!(matches!(forwarded[..], [Header::Request(Request { ttl: 4, number: Some(6), .. })]), "{forwarded:?}");
}

/// Section 6.2: data keeps the way back to its origin valid, beyond the 2.8 s and more that a request gives it.
#[test]
fn data_keeps_the_way_back() {
    for has_data in [false, true] {
        let mut between = Between::new();
        between.ask(1, None, 1);
        assert_eq!(between.next(0, 2), Some(0));
        if has_data {
            for seconds in 2..20 {
                between.receive(packet(Aodv::header((0, 0)), 0, 0, 9), 0, seconds);
            }
        }
        assert_eq!(between.next(0, 21), has_data.then_some(0));
    }
}

/// Section 6.11: an error counts if it is news and comes from the next node, and is told to those who use the route.
#[test]
fn an_error_is_taken_from_the_next_node_if_it_is_news() {
    let mut between = Between::new();
    between.reply(5, 1);
    between.ask(1, None, 1);
    for (number, from) in [(5, 2), (4, 2), (6, 0), (6, 7)] {
        assert!(between.error(number, from, 2).queued.is_empty());
        assert_eq!(between.next(9, 2), Some(2), "{number} from {from}");
    }
    let out = between.error(6, 2, 2);
    let told: Vec<_> = out.queued.iter().map(|packet| &packet.header).collect();
    assert!(matches!(&told[..], [Header::Error(Error { lost, to: Some(0) })] if *lost == [(9, 6)]), "{told:?}");
    assert_eq!(between.next(9, 2), None);
    // An older route is refused from then on, and one as new is taken.
    between.reply(5, 3);
    assert_eq!(between.next(9, 3), None);
    between.reply(6, 3);
    assert_eq!(between.next(9, 3), Some(2));
}
