//! Routes that the packets of some traffic need, and searches for them.

use super::path::Ways;
use crate::Traffic;
use crate::network::{Kind, RouteError, Routes, Search};
use crate::packet::error::PacketError;
use crate::packet::tcp::TcpRules;
use imminent_common::streams::split_mix;

/// Routes that the packets of some traffic need.
pub(super) struct Wanted {
    /// Numbers of the flows with packets.
    pub(super) flows: Vec<u32>,
    /// Index of the first route of each of these flows.
    pub(super) first: Vec<u32>,
    pub(super) routes: Vec<Want>,
    /// Sources and destinations of the routes there, and of those back.
    pairs: [Vec<(u32, u32)>; 2],
    /// Hashes of the routes, with ECMP.
    hashes: [Option<Vec<u64>>; 2],
}

/// Route there and back of a flow, or of a session.
pub(super) struct Want {
    pub(super) flow: u32,
    /// Sizes of the largest packets that are sent there and back, in bytes.
    pub(super) sizes: [u32; 2],
}

impl Wanted {
    /// Number of bytes that the paths of some traffic take, without their links.
    pub(super) fn bytes(traffic: &Traffic) -> u64 {
        let flows = traffic.flows().all().iter().filter(|flow| flow.kind.has_packets());
        let count = |kind| if traffic.has_ecmp() { u64::from(sessions(kind)) } else { 1 };
        // Ends and hashes there and back, indices of routes, and paths: those at first, and the current ones.
        let each = size_of::<Want>() + 2 * (size_of::<(u32, u32)>() + size_of::<u64>() + size_of::<u32>());
        let each = (each + 2 * size_of::<Ways>()) as u64;
        flows.map(|flow| count(flow.kind).saturating_mul(each)).fold(0, u64::saturating_add)
    }

    pub(super) fn of(traffic: &Traffic, rules: &TcpRules, seed: u64) -> Self {
        let mut wanted =
            Self { flows: vec![], first: vec![], routes: vec![], pairs: [vec![], vec![]], hashes: [None, None] };
        if traffic.has_ecmp() {
            wanted.hashes = [Some(vec![]), Some(vec![])];
        }
        for (flow, ends) in (0..).zip(traffic.flows().all()).filter(|(_, flow)| flow.kind.has_packets()) {
            wanted.flows.push(flow);
            wanted.first.push(wanted.routes.len() as u32);
            let sessions = if traffic.has_ecmp() { sessions(ends.kind) } else { 1 };
            for session in 0..sessions {
                let hash = split_mix(split_mix(seed, flow.into()), session.into());
                for (direction, hashes) in (0..).zip(wanted.hashes.iter_mut().flatten()) {
                    hashes.push(split_mix(hash, direction));
                }
                wanted.pairs[0].push((ends.from, ends.to));
                // Nothing goes back to a source without acknowledgements: that route has no links.
                wanted.pairs[1].push((ends.to, if ends.kind.is_tcp() { ends.from } else { ends.to }));
                wanted.routes.push(Want { flow, sizes: sizes(traffic, ends.kind, rules) });
            }
        }
        wanted
    }

    fn search<'a>(&'a self, traffic: &Traffic, direction: usize, down: &'a [bool]) -> Search<'a> {
        Search { metric: traffic.metric(), down, hashes: self.hashes[direction].as_deref() }
    }

    /// Finds the routes in one direction while all links are up.
    pub(super) fn find(&self, traffic: &Traffic, direction: usize) -> Result<Routes, PacketError> {
        let search = self.search(traffic, direction, &[]);
        Routes::find_by(traffic.network(), &self.pairs[direction], search).map_err(|error| match error {
            RouteError::Unconnected { .. } => PacketError::WayBack(error),
            other => PacketError::Paths(other),
        })
    }

    /// Finds the routes in one direction around links that are down.
    pub(super) fn find_around(
        &self,
        traffic: &Traffic,
        direction: usize,
        down: &[bool],
    ) -> Result<Routes, PacketError> {
        let search = self.search(traffic, direction, down);
        Routes::find_where_joined(traffic.network(), &self.pairs[direction], search).map_err(PacketError::Paths)
    }
}

/// Number of sessions of a flow that take routes of their own. Requests and responses of a client take one.
fn sessions(kind: Kind) -> u32 {
    match kind {
        Kind::Tcp { packets, .. } => packets,
        Kind::Requests { clients, .. } => clients,
        _ => 1,
    }
}

/// Returns the sizes of the largest packets of a flow there and back, in bytes.
fn sizes(traffic: &Traffic, kind: Kind, rules: &TcpRules) -> [u32; 2] {
    let packet = traffic.tcp().packet;
    match kind {
        Kind::Tcp { .. } => [packet, rules.ack],
        // Requests are data packets.
        Kind::Requests { .. } => [packet.max(rules.ack); 2],
        _ => [packet, 0],
    }
}
