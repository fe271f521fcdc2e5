//! GPSR at a node: a table of neighbours, which beacons fill.

mod route;

pub(super) use route::path;

use super::draws::below;
use super::events::Mode;
use super::packet::{Packet, To};
use super::protocol::{Decision, Failure, Here, Outbox, Protocol};
use super::walk::Point;
use crate::count::Loss;
use crate::network::Network;
use crate::start::NodeStart;
use rand_pcg::Pcg32;
use route::{Header, Hop, Router};

/// Entry of a neighbour table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    node: u32,
    place: Point,
    heard: u64,
}

/// GPSR at a node.
#[derive(Debug)]
pub(super) struct Gpsr {
    beacons: Pcg32,
    table: Vec<Entry>,
}

impl Gpsr {
    /// Forgets the neighbours that were heard last before a time.
    fn forget(&mut self, oldest: u64) {
        self.table.retain(|entry| entry.heard >= oldest);
    }
}

impl Protocol for Gpsr {
    type Header = Header;

    fn new(start: &NodeStart) -> Self {
        Gpsr { beacons: start.beacons.rng.clone(), table: vec![] }
    }

    fn first_timer(start: &NodeStart) -> Option<u64> {
        Some(start.beacon)
    }

    fn header(goal: Point) -> Header {
        Header { goal, previous: None, perimeter: None, failures: 0 }
    }

    fn mode(header: &Header, _: To) -> Mode {
        if header.perimeter.is_some() { Mode::Perimeter } else { Mode::Greedy }
    }

    fn admit(&mut self, _: Here<'_>, packet: Packet<Header>, out: &mut Outbox<Header>) {
        out.queued.push(packet);
    }

    fn route(
        &mut self,
        here: Here<'_>,
        place: Point,
        before: &Packet<Header>,
        _: &mut Outbox<Header>,
    ) -> Decision<Header> {
        self.forget(here.time.saturating_sub(here.network.beacons.timeout));
        let neighbours: Vec<_> = self.table.iter().map(|entry| (entry.node, entry.place)).collect();
        let router = Router { node: here.node, place, neighbours: &neighbours, planar: here.network.planar };
        let mut packet = before.clone();
        match router.route(&mut packet.header, packet.destination) {
            Hop::NoNeighbour => Decision::Lose(Loss::NoNeighbour),
            Hop::AroundTheFace => Decision::Lose(Loss::Unreachable),
            Hop::To(to) => {
                packet.header.previous = Some((here.node, place));
                Decision::Send(packet, To::Node(to))
            }
        }
    }

    fn fail(&mut self, here: Here<'_>, mut before: Packet<Header>, to: u32, _: &mut Outbox<Header>) -> Failure<Header> {
        let retries = here.network.medium.retries;
        if retries > 0 {
            self.table.retain(|entry| entry.node != to);
        }
        if before.header.failures >= retries {
            return Failure::Lose(Loss::Link);
        }
        before.header.failures += 1;
        Failure::Again(before)
    }

    fn receive(
        &mut self,
        _: Here<'_>,
        mut packet: Packet<Header>,
        _: u32,
        _: &mut Outbox<Header>,
    ) -> Option<Packet<Header>> {
        packet.header.failures = 0;
        Some(packet)
    }

    fn wake(&mut self, here: Here<'_>, out: &mut Outbox<Header>) {
        let [least, most] = here.network.beacons.interval;
        let wait = least + below(&mut self.beacons, most - least + 1);
        out.beacon = true;
        out.timers.push(here.original + u64::from(wait));
    }

    /// Enters a beacon into the table. Instead of growing, a table forgets neighbours that are too old.
    fn hear(&mut self, network: &Network, time: u64, node: u32, place: Point) {
        let entry = Entry { node, place, heard: time };
        match self.table.iter_mut().find(|known| known.node == node) {
            Some(known) => *known = entry,
            None => {
                if self.table.len() == self.table.capacity() {
                    self.forget(time.saturating_sub(network.beacons.timeout));
                }
                self.table.push(entry);
            }
        }
    }

    #[cfg(test)]
    fn bytes(&self) -> usize {
        self.table.capacity() * size_of::<Entry>()
    }
}
