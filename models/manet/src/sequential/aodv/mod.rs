//! AODV at a node (RFC 3561): routes on demand, found by requests that nodes flood.
//!
//! The medium tells of links that have broken, so there are no hello messages (section 6.10). Not part of it are
//! acknowledged replies and blacklists (6.8), which unidirectional links need, local repair (6.12), multicast and
//! subnets.

mod exchange;
mod message;
mod routes;
mod search;
#[cfg(test)]
mod tests;

use super::draws::below;
use super::events::Mode;
use super::packet::{Packet, To};
use super::protocol::{Decision, Failure, Here, Outbox, Protocol};
use super::walk::Point;
use crate::aodv::Aodv as Parameters;
use crate::count::Loss;
use crate::network::{self, Network};
use crate::start::NodeStart;
use crate::traffic::Exchange;
use message::{Header, Request, packet};
use rand_pcg::Pcg32;
use routes::{Lost, Route, Routes};
use search::{Limit, SEEN, Search, Seen};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};

/// Size of a route in bytes, with what has been seen of its destination and some neighbours that use it. The tree has
/// room for twice as many.
pub(super) const ROUTE: usize = 2 * (size_of::<(u32, Route)>() + SEEN) + 32;

/// AODV at a node.
#[derive(Debug)]
pub(super) struct Aodv {
    /// Sequence number of the node.
    number: u32,
    /// Number of the last request of the node.
    id: u32,
    routes: Routes,
    seen: Seen,
    /// Searches by their destinations.
    searches: BTreeMap<u32, Search>,
    /// Packets that wait for routes, each until a time.
    buffer: VecDeque<(u64, Packet<Header>)>,
    /// Broadcasts that are delayed to a time.
    delayed: Vec<(u64, Packet<Header>)>,
    requests: Limit,
    errors: Limit,
    jitters: Option<Pcg32>,
}

type Out = Outbox<Header>;

/// Returns the parameters of a network with this protocol.
fn parameters(network: &Network) -> Parameters {
    match network.protocol {
        network::Protocol::Aodv(aodv) => aodv,
        network::Protocol::Gpsr => Parameters::default(),
    }
}

impl Here<'_> {
    fn aodv(&self) -> Parameters {
        parameters(self.network)
    }

    /// Returns the end of the life of a route that is used now.
    fn used(&self) -> u64 {
        self.time + self.aodv().active_route_timeout
    }
}

impl Aodv {
    /// Sends a packet to all nodes in range after a random delay.
    fn broadcast(&mut self, here: Here<'_>, packet: Packet<Header>, out: &mut Out) {
        let wait = self.jitters.as_mut().map_or(0, |rng| below(rng, here.aodv().jitter + 1));
        let due = here.time + u64::from(wait);
        self.delayed.push((due, packet));
        out.timers.push(due);
    }

    /// Lets a packet of the traffic wait for a route.
    fn wait(&mut self, here: Here<'_>, packet: Packet<Header>, out: &mut Out) {
        let aodv = here.aodv();
        if self.buffer.len() >= aodv.buffer as usize {
            out.lost.push((packet, Loss::Queue));
            return;
        }
        let (until, destination) = (here.time + aodv.buffer_timeout, packet.destination);
        self.buffer.push_back((until, packet));
        out.timers.push(until);
        if let Entry::Vacant(entry) = self.searches.entry(destination) {
            entry.insert(Search::default());
            self.search(here, destination, out);
        }
    }

    /// Sends the next request of a search, or gives it up.
    fn search(&mut self, here: Here<'_>, destination: u32, out: &mut Out) {
        let Some(search) = self.searches.get_mut(&destination) else { return };
        let mut next = *search;
        let Some((ttl, wait)) = next.next(&here.aodv(), self.routes.hops(destination)) else {
            self.searches.remove(&destination);
            let given_up = self.unbuffer(|packet| packet.destination == destination);
            out.lost.extend(given_up.into_iter().map(|packet| (packet, Loss::NoRoute)));
            return;
        };
        if let Err(free) = self.requests.take(here.time) {
            search.due = free;
            return out.timers.push(free);
        }
        next.due = here.time + wait;
        *search = next;
        out.timers.push(next.due);
        (self.number, self.id) = (self.number.wrapping_add(1), self.id.wrapping_add(1));
        let request = Request {
            id: self.id,
            ttl,
            number: self.routes.number(destination, here.time),
            origin_number: self.number,
            is_gratuitous: here.network.traffic.exchange != Exchange::Data,
        };
        let request = packet(Header::Request(request), here.time, here.node, destination);
        self.broadcast(here, request, out);
    }

    /// Takes packets out of the buffer, in their order.
    fn unbuffer(&mut self, is_taken: impl Fn(&Packet<Header>) -> bool) -> Vec<Packet<Header>> {
        let (taken, left): (VecDeque<_>, _) = self.buffer.drain(..).partition(|(_, packet)| is_taken(packet));
        self.buffer = left;
        taken.into_iter().map(|(_, packet)| packet).collect()
    }

    /// Ends the searches whose destinations have a route now, and queues the packets that waited for it.
    fn release(&mut self, here: Here<'_>, out: &mut Out) {
        let Aodv { searches, routes, .. } = self;
        let found: Vec<u32> = searches.keys().copied().filter(|to| routes.active(*to, here.time).is_some()).collect();
        for destination in found {
            self.searches.remove(&destination);
            out.queued.extend(self.unbuffer(|packet| packet.destination == destination));
        }
    }

    /// Returns the destinations of valid routes at a time, with the next nodes.
    #[cfg(test)]
    pub(super) fn next_hops(&self, now: u64) -> impl Iterator<Item = (u32, u32)> {
        self.routes.next_hops(now)
    }

    /// Forgets everything that waits at a node that has left.
    fn leave(&mut self, out: &mut Out) {
        out.lost.extend(self.buffer.drain(..).map(|(_, packet)| (packet, Loss::Left)));
        self.searches.clear();
        self.delayed.clear();
    }
}

impl Protocol for Aodv {
    type Header = Header;

    fn new(start: &NodeStart) -> Self {
        Aodv {
            number: 0,
            id: 0,
            routes: Routes::default(),
            seen: Seen::default(),
            searches: BTreeMap::new(),
            buffer: VecDeque::new(),
            delayed: vec![],
            requests: Limit::default(),
            errors: Limit::default(),
            jitters: start.jitters.as_ref().map(|stream| stream.rng.clone()),
        }
    }

    fn first_timer(_: &NodeStart) -> Option<u64> {
        None
    }

    fn header(_: Point) -> Header {
        Header::Traffic { previous: None, failures: 0 }
    }

    fn mode(_: &Header, to: To) -> Mode {
        match to {
            To::Node(_) => Mode::Table,
            To::All => Mode::Broadcast,
        }
    }

    fn admit(&mut self, here: Here<'_>, packet: Packet<Header>, out: &mut Out) {
        match self.routes.active(packet.destination, here.time) {
            Some(_) => out.queued.push(packet),
            None => self.wait(here, packet, out),
        }
    }

    fn route(&mut self, here: Here<'_>, _: Point, before: &Packet<Header>, out: &mut Out) -> Decision<Header> {
        let to = match &before.header {
            Header::Request(_) => To::All,
            Header::Reply(reply) => To::Node(reply.next),
            Header::Error(error) => error.to.map_or(To::All, To::Node),
            Header::Traffic { previous, .. } => match self.routes.active(before.destination, here.time) {
                Some(route) => {
                    let next = route.next;
                    self.routes.extend(before.destination, here.used(), here.time);
                    To::Node(next)
                }
                None if before.origin == here.node => {
                    self.wait(here, before.clone(), out);
                    return Decision::Keep;
                }
                None => {
                    let number = self.routes.miss(before.destination, here.time);
                    if let (Some(number), Some(previous)) = (number, *previous) {
                        let precursors = vec![previous];
                        self.tell(here, vec![Lost { destination: before.destination, number, precursors }], out);
                    }
                    return Decision::Lose(Loss::NoRoute);
                }
            },
        };
        Decision::Send(before.clone(), to)
    }

    fn fail(&mut self, here: Here<'_>, mut before: Packet<Header>, to: u32, out: &mut Out) -> Failure<Header> {
        let lost = self.routes.break_link(to, here.time);
        self.tell(here, lost, out);
        match &mut before.header {
            Header::Traffic { failures, .. }
                if before.origin == here.node && *failures < here.network.medium.retries =>
            {
                *failures += 1;
                Failure::Again(before)
            }
            _ => Failure::Lose(Loss::Link),
        }
    }

    fn receive(
        &mut self,
        here: Here<'_>,
        mut packet: Packet<Header>,
        from: u32,
        out: &mut Out,
    ) -> Option<Packet<Header>> {
        match packet.header {
            Header::Traffic { .. } => {
                // The way back to the origin is in use, too.
                self.routes.extend(packet.origin, here.used(), here.time);
                packet.header = Header::Traffic { previous: Some(from), failures: 0 };
                return Some(packet);
            }
            Header::Request(request) => self.request(here, packet, request, from, out),
            Header::Reply(reply) => self.answer(here, packet, reply, from, out),
            Header::Error(error) => {
                self.routes.meet(from, here.used(), here.time);
                let lost = error.lost.iter().filter_map(|(to, number)| self.routes.lose(*to, *number, from, here.time));
                let lost = lost.collect();
                self.tell(here, lost, out);
            }
        }
        self.release(here, out);
        None
    }

    fn wake(&mut self, here: Here<'_>, out: &mut Out) {
        if !here.is_there {
            return self.leave(out);
        }
        let now = here.time;
        out.queued.extend(self.delayed.extract_if(.., |(due, _)| *due <= now).map(|(_, packet)| packet));
        while let Some((_, packet)) = self.buffer.pop_front_if(|(until, _)| *until <= now) {
            out.lost.push((packet, Loss::NoRoute));
        }
        let Aodv { searches, buffer, .. } = self;
        searches.retain(|to, _| buffer.iter().any(|(_, packet)| packet.destination == *to));
        let due: Vec<u32> = searches.iter().filter(|(_, search)| search.due <= now).map(|(to, _)| *to).collect();
        due.into_iter().for_each(|destination| self.search(here, destination, out));
    }

    /// Hears nothing: no node sends beacons.
    fn hear(&mut self, _: &Network, _: u64, _: u32, _: Point) {}

    #[cfg(test)]
    fn bytes(&self) -> usize {
        let packets = self.buffer.capacity() + self.delayed.capacity();
        self.routes.bytes() + self.seen.bytes() + packets * size_of::<(u64, Packet<Header>)>()
    }
}
