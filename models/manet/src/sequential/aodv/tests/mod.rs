//! One node, to which messages are handed by hand. The rules are those of the text of RFC 3561.

mod errors;
mod replies;
mod requests;

use super::message::{Error, Reply};
use super::*;
use crate::start::Start;

const SECOND: u64 = 1_000_000;

/// ACTIVE_ROUTE_TIMEOUT, MY_ROUTE_TIMEOUT, NODE_TRAVERSAL_TIME and NET_TRAVERSAL_TIME of section 10.
const ACTIVE_ROUTE: u64 = 3 * SECOND;
const MY_ROUTE: u64 = 2 * ACTIVE_ROUTE;
const NODE_TRAVERSAL: u64 = 40_000;
const NET_TRAVERSAL: u64 = 2 * NODE_TRAVERSAL * 35;

/// Node 1, between node 0 and node 2, with its network.
struct Between {
    network: Network,
    node: Aodv,
    /// Time of the next message.
    now: u64,
}

/// Request of a node for a route to another one, as node 1 gets it.
#[derive(Clone, Copy)]
struct Asked {
    origin: u32,
    destination: u32,
    /// Hops to the neighbour from which it comes.
    hops: u64,
    from: u32,
    request: Request,
}

impl Asked {
    /// Request of node 0 for a route to node 9.
    fn by_neighbour(id: u32, number: Option<u32>) -> Self {
        let request = Request { id, ttl: 5, number, origin_number: id, is_gratuitous: false };
        Asked { origin: 0, destination: 9, hops: 0, from: 0, request }
    }

    /// Request of node 5 for a route to a node, which comes from node 0.
    fn by_far(destination: u32, origin_number: u32) -> Self {
        let request = Request { id: origin_number, ttl: 5, number: None, origin_number, is_gratuitous: false };
        Asked { origin: 5, destination, hops: 2, from: 0, request }
    }
}

/// Destinations of an error with their numbers, and its only receiver.
type Told = (Vec<(u32, u32)>, Option<u32>);

/// Returns the reply of a packet.
fn as_reply(packet: &Packet<Header>) -> Option<Reply> {
    match packet.header {
        Header::Reply(reply) => Some(reply),
        _ => None,
    }
}

impl Between {
    fn new() -> Self {
        let protocol = network::Protocol::Aodv(Parameters::default());
        let network = Network { protocol, ..Network::default() };
        let node = Aodv::new(&Start::new(&network, 0).nodes[1]);
        Between { network, node, now: SECOND }
    }

    fn act<R>(&mut self, act: impl FnOnce(&mut Aodv, Here<'_>, &mut Out) -> R) -> (R, Out) {
        let mut out = Outbox::new();
        let here = Here { network: &self.network, node: 1, time: self.now, original: self.now, is_there: true };
        let answer = act(&mut self.node, here, &mut out);
        (answer, out)
    }

    /// Hands over a packet from a node. Returns what the node asks for.
    fn receive(&mut self, mut packet: Packet<Header>, from: u32) -> Out {
        packet.hops += 1;
        self.act(|node, here, out| node.receive(here, packet, from, out)).1
    }

    /// Tells that a node has a route to another one, with a number and a distance. Node 0 has asked.
    fn offer(&mut self, from: u32, route_to: u32, number: u32, hops: u32) -> Out {
        let reply = Reply { route_to, number, hops, lifetime: MY_ROUTE, next: 1 };
        self.receive(packet(Header::Reply(reply), 0, from, 0), from)
    }

    /// Tells that node 2 has a route of one hop to node 9, with a number.
    fn reply(&mut self, number: u32) -> Out {
        self.offer(2, 9, number, 1)
    }

    fn ask(&mut self, asked: Asked) -> Out {
        let mut request = packet(Header::Request(asked.request), 0, asked.origin, asked.destination);
        request.hops = asked.hops;
        self.receive(request, asked.from)
    }

    /// Asks, and returns the replies of node 1.
    fn replies(&mut self, asked: Asked) -> Vec<Reply> {
        self.ask(asked).queued.iter().filter_map(as_reply).collect()
    }

    /// Returns the last request that node 1 forwards.
    fn forwarded(&self) -> Option<Request> {
        self.node.delayed.iter().rev().find_map(|(_, packet)| match packet.header {
            Header::Request(request) => Some(request),
            _ => None,
        })
    }

    fn error(&mut self, destination: u32, number: u32, from: u32) -> Out {
        let error = Error { lost: vec![(destination, number)], to: Some(1) };
        self.receive(packet(Header::Error(error), 0, from, destination), from)
    }

    /// Breaks the link to a node. Returns the errors.
    fn break_link(&mut self, to: u32) -> Vec<Told> {
        let data = packet(Aodv::header((0, 0)), 0, 0, 9);
        let (_, out) = self.act(|node, here, out| node.fail(here, data, to, out));
        let broadcasts = self.node.delayed.drain(..).map(|(_, packet)| packet);
        let all = out.queued.into_iter().chain(broadcasts);
        all.filter_map(
            |packet| if let Header::Error(error) = packet.header { Some((error.lost, error.to)) } else { None },
        )
        .collect()
    }

    fn next(&mut self, destination: u32) -> Option<u32> {
        self.node.routes.active(destination, self.now).map(|route| route.next)
    }

    /// Returns next node, hops and number of a valid route.
    fn route(&mut self, destination: u32) -> Option<(u32, u32, Option<u32>)> {
        let route = self.node.routes.active(destination, self.now)?;
        Some((route.next, route.hops, route.confirmed()))
    }

    /// Returns for how long a valid route lasts.
    fn lasts(&mut self, destination: u32) -> u64 {
        self.node.routes.active(destination, self.now).map_or(0, |route| route.expires - self.now)
    }
}

/// Section 6.2: data keeps the way back to its origin valid, beyond the 5.6 s less 0.08 that a request gives it.
#[test]
fn data_keeps_the_way_back() {
    for has_data in [false, true] {
        let mut between = Between::new();
        between.ask(Asked::by_neighbour(1, None));
        assert_eq!(between.next(0), Some(0));
        while between.now < 20 * SECOND {
            between.now += SECOND;
            if has_data {
                between.receive(packet(Aodv::header((0, 0)), 0, 0, 9), 0);
                assert_eq!(between.lasts(0), ACTIVE_ROUTE.max(6_520_000 - between.now.min(6_520_000)));
            }
        }
        assert_eq!(between.next(0), has_data.then_some(0));
    }
}

/// Section 6.2: a route and that to its next node last as long as each other from a use on.
#[test]
fn data_keeps_the_way_ahead() {
    let mut between = Between::new();
    between.reply(5);
    between.now += 2 * SECOND;
    assert_eq!([between.lasts(9), between.lasts(2)], [MY_ROUTE - 2 * SECOND, ACTIVE_ROUTE - 2 * SECOND]);
    between.now += SECOND / 2;
    let data = packet(Aodv::header((0, 0)), 0, 0, 9);
    between.act(|node, here, out| node.route(here, (0, 0), &data, out));
    assert_eq!([between.lasts(9), between.lasts(2)], [MY_ROUTE - 5 * SECOND / 2, ACTIVE_ROUTE]);
    between.now += 2 * SECOND;
    between.act(|node, here, out| node.route(here, (0, 0), &data, out));
    assert_eq!([between.lasts(9), between.lasts(2)], [ACTIVE_ROUTE; 2]);
}
