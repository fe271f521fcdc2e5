//! Paths of packets: each flow's route, and the route back.
//!
//! With ECMP each session has a route of its own. Where links fail, routes change at times that are known beforehand.
//! Equal routes are stored once.
//!
//! | module | contents |
//! | --- | --- |
//! | [`path`] | paths as ranges of a list of links, and their changes |
//! | [`wanted`] | routes that packets need, and searches for them |
//! | [`store`] | routes and lists of changes, each stored once |

mod path;
mod store;
mod wanted;

use super::clock::picoseconds;
use super::error::PacketError;
use super::rules::check_rules;
use super::sessions::check_sessions;
use super::tcp::TcpRules;
use crate::Traffic;
use imminent_common::free_memory;
use imminent_common::streams::split_mix;
pub(super) use path::{Change, Ways};
use std::sync::Arc;
use store::Store;
use wanted::Wanted;

/// Paths of all flows with packets.
#[derive(Debug, Default)]
pub(crate) struct Paths {
    /// Links of all paths, one after the other.
    pub(super) links: Vec<u32>,
    /// Numbers of the flows with packets.
    pub(super) flows: Vec<u32>,
    /// Paths of each flow while all links are up. With ECMP, those of each session of each flow.
    pub(super) initial: Vec<Ways>,
    /// Changes of the current paths, by time.
    pub(super) changes: Vec<Change>,
    /// Index of the first paths of each flow.
    first: Vec<u32>,
    has_ecmp: bool,
}

impl Paths {
    /// Finds the paths of some traffic, and those after each change before `end` (picoseconds). With ECMP they depend
    /// on the seed.
    ///
    /// # Errors
    /// [`PacketError`] for settings out of range, for flows without a path back, for queues that take no packet of a
    /// flow, for too many sessions, and for sessions and paths that do not fit into the memory.
    pub(crate) fn of(traffic: &Traffic, rules: &TcpRules, seed: u64, end: u64) -> Result<Self, PacketError> {
        Self::within(free_memory::free(), traffic, (rules, seed), end)
    }

    fn within(
        free: Option<u64>,
        traffic: &Traffic,
        (rules, seed): (&TcpRules, u64),
        end: u64,
    ) -> Result<Self, PacketError> {
        check_rules(traffic, rules)?;
        let left = check_sessions(free, traffic, rules, Wanted::bytes(traffic))?;
        let wanted = Wanted::of(traffic, rules, split_mix(seed, 4));
        let mut store = Store::new(traffic);
        let there = traffic.has_ecmp().then(|| wanted.find(traffic, 0)).transpose()?;
        let back = wanted.find(traffic, 1)?;
        let mut initial = Vec::with_capacity(wanted.routes.len());
        for (index, want) in (0..).zip(&wanted.routes) {
            let known = || traffic.routes().links(want.flow);
            let found = [there.as_ref().map_or_else(known, |there| there.links(index)), back.links(index)];
            initial.push(store.ways([None; 2], want.sizes, found)?);
        }
        let changes = changes(left, (traffic, &wanted), &mut store, &initial, end)?;
        let (links, Wanted { flows, first, .. }) = (store.links, wanted);
        Ok(Self { links, flows, initial, changes, first, has_ecmp: traffic.has_ecmp() })
    }

    /// Returns the index of the paths of a session of a flow, both among those with packets.
    pub(super) fn index(&self, flow: u32, session: u32) -> u32 {
        let first = self.first.get(flow as usize).copied().unwrap_or(0);
        if self.has_ecmp { first + session } else { first }
    }
}

/// Finds the changes of paths before `end`.
fn changes(
    free: Option<u64>,
    (traffic, wanted): (&Traffic, &Wanted),
    store: &mut Store<'_>,
    initial: &[Ways],
    end: u64,
) -> Result<Vec<Change>, PacketError> {
    let times = || traffic.failures().changes().take_while(|(time, _)| picoseconds(*time) < end);
    let count = times().count();
    let (mut changes, mut latest) = (vec![], Arc::<[Ways]>::from(initial));
    if count > 0 {
        store.see(vec![], &latest);
    }
    for (time, down) in times() {
        let ways = match store.seen(&down) {
            Some(ways) => ways,
            None => {
                let ways = ways_around(traffic, wanted, store, (&down, &latest))?;
                store.see(down, &ways);
                ways
            }
        };
        let changed = (0..).zip(latest.iter().zip(ways.iter())).filter(|(_, (before, after))| before != after);
        let changed = changed.map(|(index, (_, after))| (index, *after)).collect();
        changes.push(Change { time: picoseconds(time), paths: store.list(changed) });
        latest = ways;
        let needed = store.bytes(changes.len());
        if let Some(free) = free.filter(|free| needed > *free) {
            return Err(PacketError::Changes { done: changes.len(), changes: count, needed, free });
        }
    }
    Ok(changes)
}

/// Returns the ways around links that are down.
fn ways_around(
    traffic: &Traffic,
    wanted: &Wanted,
    store: &mut Store<'_>,
    (down, latest): (&[u32], &[Ways]),
) -> Result<Arc<[Ways]>, PacketError> {
    let mut is_down = vec![false; traffic.network().links().len()];
    for &link in down {
        if let Some(is_down) = is_down.get_mut(link as usize) {
            *is_down = true;
        }
    }
    let found = [wanted.find_around(traffic, 0, &is_down)?, wanted.find_around(traffic, 1, &is_down)?];
    let ways = (0..).zip(&wanted.routes).zip(latest);
    ways.map(|((index, want), known)| store.ways(*known, want.sizes, [found[0].links(index), found[1].links(index)]))
        .collect()
}

#[cfg(test)]
mod tests;
