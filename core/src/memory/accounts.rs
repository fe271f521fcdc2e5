//! Accounts: the amount of a device's memory in use, its holders, and its limit.

use super::address::ByAddress;
use crate::backend::Backend;
use crate::backend::PoolStatistics;
use crate::capability::DeviceInfo;
use crate::error::{Error, Result};
use crate::holder::Holder;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Memory of a device that tables, tallies and results take. Sizes are those of the canonical layout.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MemoryStatistics {
    /// Bytes now in use.
    pub current: u64,
    /// Largest number of bytes in use at one time.
    pub peak: u64,
    /// Number of tables, tallies and results in use.
    pub allocations: u64,
    /// Bytes that the backend withholds from others: memory in use, memory of its queues, and memory that its pool
    /// keeps for later.
    pub reserved: u64,
    /// Limit that was set, if any.
    pub limit: Option<u64>,
    /// Unused bytes of the device's memory, if the driver reports them.
    pub free: Option<u64>,
    /// Contents of the device's pool, if it has one.
    pub pool: Option<PoolStatistics>,
}

impl MemoryStatistics {
    /// Returns the share of the reserved bytes that is not in use, from 0 to 1: the cost of the pool, rounding and
    /// queues.
    #[must_use]
    pub fn fragmentation(&self) -> f64 {
        match self.reserved {
            0 => 0.0,
            reserved => 1.0 - self.current.min(reserved) as f64 / reserved as f64,
        }
    }
}

/// Number of holders that an error lists.
const LISTED: usize = 5;

#[derive(Debug)]
pub(crate) struct Accounts {
    current: AtomicU64,
    peak: AtomicU64,
    allocations: AtomicU64,
    /// Limit in bytes; `u64::MAX` for none.
    limit: AtomicU64,
    /// Name and bytes of each memory, by its address. Results are too many and too small to be listed.
    holders: Mutex<ByAddress<(String, u64)>>,
}

impl Default for Accounts {
    fn default() -> Self {
        Accounts {
            current: AtomicU64::new(0),
            peak: AtomicU64::new(0),
            allocations: AtomicU64::new(0),
            limit: AtomicU64::new(u64::MAX),
            holders: Mutex::default(),
        }
    }
}

impl Accounts {
    fn holders(&self) -> MutexGuard<'_, ByAddress<(String, u64)>> {
        self.holders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set_limit(&self, limit: Option<u64>) {
        self.limit.store(limit.unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Fails for an allocation that does not fit under the limit.
    pub(crate) fn check(&self, info: &DeviceInfo, what: &str, bytes: u64) -> Result<()> {
        let (limit, current) = (self.limit.load(Ordering::Relaxed), self.current.load(Ordering::Relaxed));
        if limit == u64::MAX || bytes <= limit.saturating_sub(current) {
            return Ok(());
        }
        Err(Error::OutOfMemory {
            backend: info.backend.clone(),
            device: info.name.clone(),
            what: format!("a {what} under the limit of {limit} bytes that was set"),
            requested: bytes,
            limit: Some(limit.saturating_sub(current)),
            holders: self.largest(LISTED),
        })
    }

    /// Adds the largest holders of memory to a backend's error.
    pub(crate) fn explain(&self, what: &str, error: Error) -> Error {
        match error {
            Error::OutOfMemory { backend, device, requested, limit, what: of_backend, .. } => {
                let what = if of_backend.is_empty() { what.to_owned() } else { of_backend };
                Error::OutOfMemory { backend, device, what, requested, limit, holders: self.largest(LISTED) }
            }
            other => other,
        }
    }

    pub(super) fn add(&self, address: usize, name: Option<&str>, bytes: u64) {
        let current = self.current.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(current, Ordering::Relaxed);
        self.allocations.fetch_add(1, Ordering::Relaxed);
        if let Some(name) = name {
            self.holders().insert(address, (name.to_owned(), bytes));
        }
    }

    pub(super) fn change(&self, address: usize, from: u64, to: u64) {
        let current = self.current.fetch_add(to.wrapping_sub(from), Ordering::Relaxed).wrapping_add(to) - from;
        self.peak.fetch_max(current, Ordering::Relaxed);
        if let Some((_, bytes)) = self.holders().get_mut(&address) {
            *bytes = to;
        }
    }

    pub(super) fn remove(&self, address: usize, listed: bool, bytes: u64) {
        self.current.fetch_sub(bytes, Ordering::Relaxed);
        self.allocations.fetch_sub(1, Ordering::Relaxed);
        if listed {
            self.holders().remove(&address);
        }
    }

    /// Returns the largest holders, grouped by name.
    pub(crate) fn largest(&self, most: usize) -> Vec<Holder> {
        let mut kinds: HashMap<String, (u64, u64)> = HashMap::new();
        for (what, bytes) in self.holders().values() {
            let kind = kinds.entry(what.clone()).or_default();
            *kind = (kind.0 + 1, kind.1 + bytes);
        }
        let holder = |(what, (count, bytes))| Holder { what, count, bytes };
        let mut holders: Vec<Holder> = kinds.into_iter().map(holder).collect();
        holders.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.what.cmp(&b.what)));
        holders.truncate(most);
        holders
    }

    pub(crate) fn statistics(&self, backend: &dyn Backend) -> MemoryStatistics {
        let current = self.current.load(Ordering::Relaxed);
        let limit = self.limit.load(Ordering::Relaxed);
        MemoryStatistics {
            current,
            peak: self.peak.load(Ordering::Relaxed),
            allocations: self.allocations.load(Ordering::Relaxed),
            reserved: backend.reserved_bytes(),
            limit: (limit != u64::MAX).then_some(limit),
            free: backend.free_bytes(),
            pool: backend.pool(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holders_are_listed_by_kind_the_largest_first() {
        let accounts = Accounts::default();
        for (address, (name, bytes)) in [("a", 10), ("b", 90), ("a", 85), ("c", 1)].into_iter().enumerate() {
            accounts.add(address, Some(name), bytes);
        }
        let text: Vec<String> = accounts.largest(2).iter().map(Holder::to_string).collect();
        assert_eq!(text, ["2 times a: 95 bytes", "b: 90 bytes"]);
        accounts.change(1, 90, 100);
        accounts.remove(0, true, 10);
        assert_eq!(accounts.current.load(Ordering::Relaxed), 186);
        assert_eq!(accounts.peak.load(Ordering::Relaxed), 196);
        assert_eq!(accounts.allocations.load(Ordering::Relaxed), 3);
        let statistics = MemoryStatistics { current: 186, reserved: 400, ..MemoryStatistics::default() };
        assert!((statistics.fragmentation() - 0.535).abs() < 1e-12);
        assert_eq!(accounts.largest(1)[0], Holder { what: "b".to_owned(), count: 1, bytes: 100 });
    }
}
