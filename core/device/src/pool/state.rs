//! State of a pool: allocations, their places, and the idle places.

use super::classes::PoolLimits;
use super::source::Allocator;
use super::timeline::Timeline;
use imminent_core::backend::PoolStatistics;
use imminent_core::{Error, Result};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bytes of idle allocations that are kept in any case.
const ALWAYS_KEPT: u64 = 32 << 20;
/// Largest number of idle places of a class that are examined: this many of those released last, and of the others.
const LOOKED_AT: usize = 16;

/// A place, in use or idle.
#[derive(Debug, Default)]
pub(super) struct Taken {
    slab: usize,
    place: u32,
    /// `true` if the place was never used before.
    pub(super) new: bool,
    /// The queues that used the place. For an idle place, also the stretch until which each may still use it.
    pub(super) users: Vec<(u64, Arc<Timeline>)>,
}

impl Taken {
    /// Returns `true` if an owner whose work is put on `queue` may have the place.
    fn is_free_for(&mut self, queue: &Arc<Timeline>) -> bool {
        self.users.retain(|(stretch, user)| !user.is_over(*stretch));
        self.users.iter().all(|(_, user)| Arc::ptr_eq(user, queue))
    }
}

/// An allocation, cut into places of one class.
#[derive(Debug)]
struct Slab<S: Allocator> {
    // Places are dropped before the allocation of which they are parts.
    places: Vec<Option<S::Block>>,
    memory: S::Slab,
    class: u64,
    busy: u32,
    /// Sequence number of the time when the allocation became unused.
    unused_since: u64,
}

impl<S: Allocator> Slab<S> {
    fn bytes(&self) -> u64 {
        self.class.saturating_mul(self.places.len() as u64)
    }
}

#[derive(Debug)]
pub(super) struct State<S: Allocator> {
    slabs: Vec<Option<Slab<S>>>,
    vacant: Vec<usize>,
    /// Idle places by class, the most recently released at the end.
    idle: BTreeMap<u64, Vec<Taken>>,
    /// Allocations without places in use, by the time when they became unused.
    unused: BTreeMap<u64, usize>,
    unused_bytes: u64,
    time: u64,
    statistics: PoolStatistics,
}

impl<S: Allocator> Default for State<S> {
    fn default() -> Self {
        State {
            slabs: Vec::new(),
            vacant: Vec::new(),
            idle: BTreeMap::new(),
            unused: BTreeMap::new(),
            unused_bytes: 0,
            time: 0,
            statistics: PoolStatistics::default(),
        }
    }
}

impl<S: Allocator> State<S> {
    pub(super) fn statistics(&self) -> PoolStatistics {
        self.statistics
    }

    /// Finds an idle place for `bytes` bytes.
    pub(super) fn take_idle(&mut self, limits: &PoolLimits, queue: &Arc<Timeline>, bytes: u64) -> Option<Taken> {
        let taken = self.idle.range_mut(limits.suitable(bytes)).find_map(|(_, idle)| {
            let newest = idle.len().saturating_sub(LOOKED_AT);
            let mut order = (newest..idle.len()).rev().chain(0..newest.min(LOOKED_AT));
            let at = order.find(|at| idle[*at].is_free_for(queue))?;
            Some(idle.remove(at))
        })?;
        if let Some(Some(slab)) = self.slabs.get_mut(taken.slab) {
            slab.busy += 1;
            if slab.busy == 1 && self.unused.remove(&slab.unused_since).is_some() {
                self.unused_bytes -= slab.bytes();
            }
        }
        Some(taken)
    }

    /// Returns the number of places of a class in use.
    pub(super) fn busy_of(&self, class: u64) -> u64 {
        self.slabs.iter().flatten().filter(|slab| slab.class == class).map(|slab| u64::from(slab.busy)).sum()
    }

    /// Adds an allocation with `places` places, of which the first is taken.
    pub(super) fn add(&mut self, memory: S::Slab, class: u64, places: u32) -> Taken {
        let added =
            Slab { places: (0..places).map(|_| None).collect(), memory, class, busy: 1, unused_since: u64::MAX };
        self.statistics.held += added.bytes();
        self.statistics.held_peak = self.statistics.held_peak.max(self.statistics.held);
        let slab = match self.vacant.pop() {
            Some(vacant) => {
                self.slabs[vacant] = Some(added);
                vacant
            }
            None => {
                self.slabs.push(Some(added));
                self.slabs.len() - 1
            }
        };
        let taken = |place| Taken { slab, place, new: true, users: Vec::new() };
        // Used places are preferred: a device may commit memory only when it is first written.
        self.idle.entry(class).or_default().splice(0..0, (1..places).rev().map(taken));
        taken(0)
    }

    /// Returns the backend's handle to a place.
    pub(super) fn place(&mut self, source: &S, taken: &Taken) -> Result<S::Block> {
        let slab = self.slabs.get_mut(taken.slab).and_then(Option::as_mut);
        let place = slab.and_then(|slab| Some((slab.places.get_mut(taken.place as usize)?, &slab.memory, slab.class)));
        match place {
            Some((Some(place), ..)) => Ok(place.clone()),
            Some((empty, memory, class)) => {
                let made = source.place(memory, u64::from(taken.place) * class, class)?;
                *empty = Some(made.clone());
                Ok(made)
            }
            None => Err(Error::invalid("device memory", "its allocation was given back while it was in use")),
        }
    }

    pub(super) fn lend(&mut self, bytes: u64) {
        self.statistics.used += bytes;
        self.statistics.used_peak = self.statistics.used_peak.max(self.statistics.used);
    }

    pub(super) fn end_lending(&mut self, bytes: u64) {
        self.statistics.used -= bytes;
    }

    /// Takes a place back, although its users may still use it.
    pub(super) fn give_back(&mut self, mut taken: Taken) {
        let Some(Some(slab)) = self.slabs.get_mut(taken.slab) else { return };
        slab.busy -= 1;
        if slab.busy == 0 {
            self.time += 1;
            slab.unused_since = self.time;
            self.unused.insert(self.time, taken.slab);
            self.unused_bytes += slab.bytes();
        }
        taken.new = false;
        self.idle.entry(slab.class).or_default().push(taken);
    }

    /// Gives back unused allocations, until no more than the kept share is left.
    pub(super) fn release_surplus(&mut self, limits: &PoolLimits) {
        self.trim(limits, (self.statistics.used / 4).max(ALWAYS_KEPT));
    }

    /// Gives back unused allocations, down to `kept` bytes, those idle for longest first.
    pub(super) fn trim(&mut self, limits: &PoolLimits, kept: u64) {
        let mut from = 0;
        while self.unused_bytes > kept
            && let Some((&since, &number)) = self.unused.range(from..).next()
        {
            from = since + 1;
            if limits.store.is_some() && !self.is_over(number) {
                continue;
            }
            self.unused.remove(&since);
            let Some(slab) = self.slabs.get_mut(number).and_then(Option::take) else { continue };
            self.unused_bytes -= slab.bytes();
            self.statistics.held -= slab.bytes();
            if let Some(idle) = self.idle.get_mut(&slab.class) {
                idle.retain(|idle| idle.slab != number);
                if idle.is_empty() {
                    self.idle.remove(&slab.class);
                }
            }
            self.vacant.push(number);
        }
    }

    /// Returns `true` if the work of all users of an unused allocation is over.
    fn is_over(&self, number: usize) -> bool {
        let class = self.slabs.get(number).and_then(Option::as_ref).map_or(0, |slab| slab.class);
        let mut idle = self.idle.get(&class).into_iter().flatten().filter(|idle| idle.slab == number);
        idle.all(|idle| idle.users.iter().all(|(stretch, user)| user.is_over(*stretch)))
    }
}
