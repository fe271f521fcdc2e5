//! Paths of packets: each flow's route, and the route back.
//!
//! With ECMP each session has a route of its own. Where links fail, routes change at times that are known beforehand.

use super::clock::picoseconds;
use super::error::PacketError;
use super::tcp::TcpRules;
use crate::Traffic;
use crate::network::{Kind, RouteError, Routes, Search};
use imminent_common::streams::split_mix;

/// Path of packets: a range of [`Paths::links`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Path {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// Path there, and path back; `None` while there is none, because links are down.
pub(super) type Ways = [Option<Path>; 2];

/// Paths of all flows with packets.
#[derive(Debug, Clone, Default)]
pub(super) struct Paths {
    /// Links of all paths, one after the other.
    pub(super) links: Vec<u32>,
    /// Numbers of the flows with packets.
    pub(super) flows: Vec<u32>,
    /// Current paths of each flow. With ECMP, those of each session of each flow.
    pub(super) current: Vec<Ways>,
    /// Changes of the current paths, by time.
    pub(super) changes: Vec<Change>,
    /// Index of the first current paths of each flow.
    first: Vec<u32>,
    has_ecmp: bool,
}

/// Current paths that change at a time.
#[derive(Debug, Clone)]
pub(super) struct Change {
    /// Time of the change, in picoseconds.
    pub(super) time: u64,
    /// Indices among the current paths, and the paths from then on.
    pub(super) paths: Vec<(u32, Ways)>,
}

impl Paths {
    /// Finds the paths of some traffic. `seed` is that of the hashes of sessions.
    pub(super) fn of(traffic: &Traffic, rules: &TcpRules, seed: u64) -> Result<Self, PacketError> {
        let wanted = Wanted::of(traffic, rules, seed);
        let (flows, first) = (wanted.flows.clone(), wanted.first.clone());
        let mut paths = Self { flows, first, has_ecmp: traffic.has_ecmp(), ..Self::default() };
        let there = traffic.has_ecmp().then(|| wanted.find(traffic, 0)).transpose()?;
        let back = wanted.find(traffic, 1)?;
        for (index, want) in (0..).zip(&wanted.routes) {
            let known = || traffic.routes().links(want.flow);
            let ways = [there.as_ref().map_or_else(known, |there| there.links(index)), back.links(index)];
            let ways = paths.ways([None; 2], want, traffic, ways)?;
            paths.current.push(ways);
        }
        let mut latest = paths.current.clone();
        for (time, down) in traffic.failures().changes(traffic.network().links().len()) {
            let found = [wanted.find_around(traffic, 0, &down)?, wanted.find_around(traffic, 1, &down)?];
            let mut changed = vec![];
            for ((index, want), known) in (0..).zip(&wanted.routes).zip(&mut latest) {
                let ways = [found[0].links(index), found[1].links(index)];
                let ways = paths.ways(*known, want, traffic, ways)?;
                if std::mem::replace(known, ways) != ways {
                    changed.push((index, ways));
                }
            }
            paths.changes.push(Change { time: picoseconds(time), paths: changed });
        }
        Ok(paths)
    }

    /// Returns the index of the current paths of a session of a flow, both among those with packets.
    pub(super) fn index(&self, flow: u32, session: u32) -> u32 {
        let first = self.first.get(flow as usize).copied().unwrap_or(0);
        if self.has_ecmp { first + session } else { first }
    }

    /// Returns the paths along some links. Those that are known already stay as they are.
    fn ways(&mut self, known: Ways, want: &Want, traffic: &Traffic, found: [&[u32]; 2]) -> Result<Ways, PacketError> {
        let mut ways = [None; 2];
        for (((way, known), found), bytes) in ways.iter_mut().zip(known).zip(found).zip(want.sizes) {
            *way = match known {
                _ if found.is_empty() => None,
                Some(path) if self.links.get(path.start as usize..path.end as usize) == Some(found) => Some(path),
                _ => {
                    fits(traffic, found, bytes)?;
                    Some(self.append(found)?)
                }
            };
        }
        Ok(ways)
    }

    fn append(&mut self, route: &[u32]) -> Result<Path, PacketError> {
        let (start, end) = (self.links.len(), self.links.len() + route.len());
        if end > u32::MAX as usize {
            return Err(PacketError::Paths(RouteError::TooManyHops { hops: end as u64 }));
        }
        self.links.extend_from_slice(route);
        Ok(Path { start: start as u32, end: end as u32 })
    }
}

/// Routes that the packets of some traffic need.
struct Wanted {
    /// Numbers of the flows with packets.
    flows: Vec<u32>,
    /// Index of the first route of each of these flows.
    first: Vec<u32>,
    routes: Vec<Want>,
    /// Sources and destinations of the routes there, and of those back.
    pairs: [Vec<(u32, u32)>; 2],
    /// Hashes of the routes, with ECMP.
    hashes: [Option<Vec<u64>>; 2],
}

/// Route there and back of a flow, or of a session.
struct Want {
    flow: u32,
    /// Sizes of the largest packets that are sent there and back, in bytes.
    sizes: [u32; 2],
}

impl Wanted {
    fn of(traffic: &Traffic, rules: &TcpRules, seed: u64) -> Self {
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
                wanted.pairs[1].push((ends.to, ends.from));
                wanted.routes.push(Want { flow, sizes: sizes(traffic, ends.kind, rules) });
            }
        }
        wanted
    }

    fn search<'a>(&'a self, traffic: &Traffic, direction: usize, down: &'a [bool]) -> Search<'a> {
        Search { metric: traffic.metric(), down, hashes: self.hashes[direction].as_deref() }
    }

    /// Finds the routes in one direction while all links are up.
    fn find(&self, traffic: &Traffic, direction: usize) -> Result<Routes, PacketError> {
        let search = self.search(traffic, direction, &[]);
        Routes::find_by(traffic.network(), &self.pairs[direction], search).map_err(|error| match error {
            RouteError::Unconnected { .. } => PacketError::WayBack(error),
            other => PacketError::Paths(other),
        })
    }

    /// Finds the routes in one direction around links that are down.
    fn find_around(&self, traffic: &Traffic, direction: usize, down: &[bool]) -> Result<Routes, PacketError> {
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

/// Checks that every queue of a route takes a packet of this size.
fn fits(traffic: &Traffic, route: &[u32], bytes: u32) -> Result<(), PacketError> {
    for queue in route.iter().filter_map(|&link| Some((link, traffic.network().link(link)?.queue))) {
        let (link, queue) = queue;
        if queue.packets.is_none() && queue.capacity < u64::from(bytes) {
            let [from, to] = traffic.network().ends(link);
            return Err(PacketError::QueueBelowPacket { from, to, capacity: queue.capacity, bytes });
        }
    }
    Ok(())
}
