//! Exchange of messages: what a node does with requests and replies, and to whom it tells errors.

use super::message::{Error, Header, Reply, Request, packet};
use super::routes::{Lost, Offer, is_newer};
use super::{Aodv, Out};
use crate::aodv::MAX_LISTED;
use crate::sequential::packet::Packet;
use crate::sequential::protocol::Here;
use std::collections::BTreeSet;

impl Aodv {
    /// Answers or forwards a request (sections 6.5 and 6.6).
    pub(super) fn request(
        &mut self,
        here: Here<'_>,
        received: Packet<Header>,
        request: Request,
        from: u32,
        out: &mut Out,
    ) {
        let Packet { origin, destination, hops, .. } = received;
        let (now, aodv) = (here.time, here.aodv());
        self.routes.meet(from, here.used(), now);
        if origin == here.node || !self.seen.note(origin, request.id) {
            return;
        }
        let hops = hops as u32;
        let back = now + 2 * aodv.net_traversal_time();
        let back = back.saturating_sub(2 * u64::from(hops) * aodv.node_traversal_time);
        // The lifetime is the maximum also if the route is not news. An invalid route has none.
        let expires = self.routes.active(origin, now).map_or(back, |route| route.expires.max(back));
        self.routes.offer(origin, Offer { number: request.origin_number, hops, next: from, expires }, now);
        // A route back that is newer or shorter takes the reply. An invalid one with a newer number takes none.
        let next = self.routes.prolong(origin, back, now).unwrap_or(from);
        if destination == here.node {
            self.number = request.number.filter(|number| is_newer(*number, self.number)).unwrap_or(self.number);
            let lifetime = aodv.my_route_timeout();
            let reply = Reply { route_to: destination, number: self.number, hops: 0, lifetime, next };
            return self.reply(here, reply, origin, out);
        }
        let known = self.routes.number(destination, now);
        let is_fresh = |known: u32| request.number.is_none_or(|asked| !is_newer(asked, known));
        if !aodv.destination_only
            && let Some(route) = self.routes.active(destination, now)
            && let Some(number) = route.confirmed().filter(|number| is_fresh(*number))
        {
            route.add_precursor(from);
            route.add_precursor(next);
            let (ahead, hops, lifetime) = (route.next, route.hops, route.expires - now);
            let reply = Reply { route_to: destination, number, hops, lifetime, next };
            self.reply(here, reply, origin, out);
            let Some(back) = self.routes.active(origin, now) else { return };
            back.add_precursor(ahead);
            if request.is_gratuitous {
                // The number is that of the request, whatever the table has.
                let (number, hops, lifetime) = (request.origin_number, back.hops, back.expires - now);
                let reply = Reply { route_to: origin, number, hops, lifetime, next: ahead };
                self.reply(here, reply, destination, out);
            }
            return;
        }
        if request.ttl > 1 {
            let asked = request.number.filter(|asked| known.is_none_or(|known| is_newer(*asked, known)));
            let request = Request { ttl: request.ttl - 1, number: asked.or(known), ..request };
            self.broadcast(here, Packet { header: Header::Request(request), ..received }, out);
        }
    }

    /// Sends a reply to the node that searches.
    fn reply(&mut self, here: Here<'_>, reply: Reply, to: u32, out: &mut Out) {
        out.queued.push(packet(Header::Reply(reply), here.time, here.node, to));
    }

    /// Takes the route that a reply offers, and forwards the reply (section 6.7).
    ///
    /// By the RFC a reply ends at a node to which it is no news. Here it goes on with the route of the node, as in an
    /// answer of its own: otherwise of two searches that pass a node at once only the first would succeed.
    pub(super) fn answer(&mut self, here: Here<'_>, received: Packet<Header>, reply: Reply, from: u32, out: &mut Out) {
        let now = here.time;
        self.routes.meet(from, here.used(), now);
        if reply.route_to == here.node {
            return;
        }
        let offer = Offer { number: reply.number, hops: reply.hops + 1, next: from, expires: now + reply.lifetime };
        self.routes.offer(reply.route_to, offer, now);
        let searcher = received.destination;
        if searcher == here.node {
            return;
        }
        let Some(next) = self.routes.prolong(searcher, here.used(), now) else { return };
        let Some(route) = self.routes.active(reply.route_to, now) else { return };
        let Some(number) = route.confirmed() else { return };
        route.add_precursor(next);
        let (ahead, hops, lifetime) = (route.next, route.hops, route.expires - now);
        if let Some(route) = self.routes.active(ahead, now) {
            route.add_precursor(next);
        }
        out.queued.push(Packet { header: Header::Reply(Reply { number, hops, lifetime, next, ..reply }), ..received });
    }

    /// Tells neighbours that use routes that these are lost (section 6.11).
    pub(super) fn tell(&mut self, here: Here<'_>, lost: Vec<Lost>, out: &mut Out) {
        let used: Vec<Lost> = lost.into_iter().filter(|lost| !lost.precursors.is_empty()).collect();
        let users: BTreeSet<u32> = used.iter().flat_map(|lost| lost.precursors.iter().copied()).collect();
        let to = users.first().copied().filter(|_| users.len() == 1);
        for listed in used.chunks(MAX_LISTED) {
            if self.errors.take(here.time).is_err() {
                return;
            }
            let lost: Vec<_> = listed.iter().map(|lost| (lost.destination, lost.number)).collect();
            let first = lost[0].0;
            let error = packet(Header::Error(Error { lost, to }), here.time, here.node, first);
            match to {
                Some(_) => out.queued.push(error),
                None => self.broadcast(here, error, out),
            }
        }
    }
}
