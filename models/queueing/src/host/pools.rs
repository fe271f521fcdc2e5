//! Servers of a node: how many are on duty, and how many of them are busy.

use crate::network::{Conduct, Station};

/// State of the servers of one kind.
#[derive(Debug, Clone)]
struct Pool {
    /// Number that can be on duty at once.
    on_duty: u64,
    /// Number that is not broken down.
    working: u64,
    busy: u64,
    /// Time of all busy servers, and of all on duty, where these are counted.
    times: [u64; 2],
}

/// Servers by kind.
#[derive(Debug, Clone)]
pub(super) struct Pools(Vec<Pool>);

impl Pools {
    /// Returns the servers of a node at the start.
    pub(super) fn of(conduct: &Conduct) -> Self {
        let pools = conduct.pools.iter().map(|pool| {
            let servers = if pool.servers == Station::INFINITE { u64::MAX } else { u64::from(pool.servers) };
            Pool {
                on_duty: pool.duty.as_ref().map_or(servers, |duty| duty.at(0)),
                working: servers,
                busy: 0,
                times: [0; 2],
            }
        });
        Self(pools.collect())
    }

    /// Returns the number of servers that can serve.
    pub(super) fn available(&self) -> u64 {
        self.0.iter().map(Pool::available).fold(0, u64::saturating_add)
    }

    /// Returns `true` if a server of a kind is free.
    pub(super) fn is_free(&self, pool: usize) -> bool {
        self.0.get(pool).is_some_and(|pool| pool.busy < pool.available())
    }

    /// Returns `true` if any server is free.
    pub(super) fn any_free(&self) -> bool {
        self.0.iter().any(|pool| pool.busy < pool.available())
    }

    /// Returns the number of servers of a kind that are busy and should not be.
    pub(super) fn excess(&self, pool: usize) -> u64 {
        self.0.get(pool).map_or(0, |pool| pool.busy.saturating_sub(pool.available()))
    }

    pub(super) fn take(&mut self, pool: usize) {
        if let Some(pool) = self.0.get_mut(pool) {
            pool.busy += 1;
        }
    }

    pub(super) fn give_back(&mut self, pool: usize) {
        if let Some(pool) = self.0.get_mut(pool) {
            pool.busy -= 1;
        }
    }

    /// Sets the number of servers of a kind that are on duty.
    pub(super) fn set_on_duty(&mut self, pool: usize, servers: u64) {
        if let Some(pool) = self.0.get_mut(pool) {
            pool.on_duty = servers;
        }
    }

    /// Adds a time, with the numbers of blocked servers of each pool, if some are.
    pub(super) fn observe(&mut self, elapsed: u64, blocked: &[u64]) {
        let blocked = blocked.iter().copied().chain(std::iter::repeat(0));
        for (pool, blocked) in self.0.iter_mut().zip(blocked) {
            // A server that finishes its service after its shift is on duty until then.
            let on_duty = pool.available().max(pool.busy);
            pool.times[0] += elapsed * (pool.busy - blocked);
            pool.times[1] += elapsed * on_duty;
        }
    }

    /// Returns the times of the busy servers of each pool, and of those on duty.
    pub(super) fn times(&self) -> Vec<[u64; 2]> {
        self.0.iter().map(|pool| pool.times).collect()
    }

    /// Notes that a server broke down, or works again. Only nodes with servers of one kind have breakdowns.
    pub(super) fn break_down(&mut self, breaks: bool) {
        if let Some(pool) = self.0.first_mut() {
            pool.working = if breaks { pool.working.saturating_sub(1) } else { pool.working + 1 };
        }
    }
}

impl Pool {
    fn available(&self) -> u64 {
        self.on_duty.min(self.working)
    }
}
