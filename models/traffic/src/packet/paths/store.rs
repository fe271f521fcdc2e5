//! Routes and lists of changes, each stored once.

use super::path::{Change, Path, Ways};
use crate::Traffic;
use crate::network::RouteError;
use crate::packet::error::PacketError;
use imminent_common::streams::split_mix;
use std::collections::HashMap;
use std::sync::Arc;

/// Bytes of a known route in a hash table that is two thirds full.
const BYTES_OF_ENTRY: u64 = 28;

/// Largest number of ways that are kept by the links that are down, of 24 bytes each.
const MAX_SEEN: usize = 1 << 22;

/// Routes that were found so far. A link that fails again and again has flows change between the same ones.
pub(super) struct Store<'t> {
    traffic: &'t Traffic,
    /// Links of all routes, one after the other.
    pub(super) links: Vec<u32>,
    /// Routes by the hash of their links.
    routes: HashMap<u64, Path>,
    /// Lists of changed ways by their hash.
    lists: HashMap<u64, Arc<[(u32, Ways)]>>,
    /// Ways of all flows by the links that are down.
    seen: HashMap<Vec<u32>, Arc<[Ways]>>,
    /// Bytes of lists and ways.
    bytes: u64,
}

impl<'t> Store<'t> {
    pub(super) fn new(traffic: &'t Traffic) -> Self {
        let (links, routes, lists, seen) = (vec![], HashMap::new(), HashMap::new(), HashMap::new());
        Self { traffic, links, routes, lists, seen, bytes: 0 }
    }

    /// Returns the paths along some routes, which have these sizes of packets. `known` are those that are likely.
    pub(super) fn ways(&mut self, known: Ways, sizes: [u32; 2], found: [&[u32]; 2]) -> Result<Ways, PacketError> {
        let mut ways = [None; 2];
        for (((way, known), route), bytes) in ways.iter_mut().zip(known).zip(found).zip(sizes) {
            *way = match known {
                _ if route.is_empty() => None,
                Some(path) if self.is_along(path, route) => Some(path),
                _ => {
                    fits(self.traffic, route, bytes)?;
                    Some(self.path(route)?)
                }
            };
        }
        Ok(ways)
    }

    fn is_along(&self, path: Path, route: &[u32]) -> bool {
        self.links.get(path.start as usize..path.end as usize) == Some(route)
    }

    /// Returns the path along a route, which is added unless it is there.
    fn path(&mut self, route: &[u32]) -> Result<Path, PacketError> {
        let hash = route.iter().fold(0, |hash, link| split_mix(hash, u64::from(*link)));
        // A route with the hash of another one is stored beside it.
        if let Some(path) = self.routes.get(&hash).copied().filter(|path| self.is_along(*path, route)) {
            return Ok(path);
        }
        let (start, end) = (self.links.len(), self.links.len() + route.len());
        if end > u32::MAX as usize {
            return Err(PacketError::Paths(RouteError::TooManyHops { hops: end as u64 }));
        }
        self.links.extend_from_slice(route);
        let path = Path { start: start as u32, end: end as u32 };
        self.routes.insert(hash, path);
        Ok(path)
    }

    /// Returns a list of changed ways, the same one for the same changes.
    pub(super) fn list(&mut self, changed: Vec<(u32, Ways)>) -> Arc<[(u32, Ways)]> {
        let ends = |way: Option<Path>| way.map_or(u64::MAX, |path| u64::from(path.start) << 32 | u64::from(path.end));
        let hash = changed.iter().fold(0, |hash, (index, ways)| {
            ways.iter().fold(split_mix(hash, u64::from(*index)), |hash, way| split_mix(hash, ends(*way)))
        });
        if let Some(list) = self.lists.get(&hash).filter(|list| ***list == *changed) {
            return Arc::clone(list);
        }
        self.bytes += (changed.len() * size_of::<(u32, Ways)>()) as u64;
        let list: Arc<[_]> = changed.into();
        self.lists.insert(hash, Arc::clone(&list));
        list
    }

    /// Returns the ways that were found while the same links were down.
    pub(super) fn seen(&self, down: &[u32]) -> Option<Arc<[Ways]>> {
        self.seen.get(down).cloned()
    }

    /// Keeps the ways while some links are down, if there is room.
    pub(super) fn see(&mut self, down: Vec<u32>, ways: &Arc<[Ways]>) {
        if (self.seen.len() + 1).saturating_mul(ways.len()) <= MAX_SEEN {
            self.bytes += (down.len() * size_of::<u32>() + ways.len() * size_of::<Ways>()) as u64;
            self.seen.insert(down, Arc::clone(ways));
        }
    }

    /// Number of bytes of all that is stored, and of some changes.
    pub(super) fn bytes(&self, changes: usize) -> u64 {
        let links = (self.links.len() * size_of::<u32>()) as u64;
        let tables = (self.routes.len() + self.lists.len()) as u64 * BYTES_OF_ENTRY;
        links + tables + self.bytes + (changes * size_of::<Change>()) as u64
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
