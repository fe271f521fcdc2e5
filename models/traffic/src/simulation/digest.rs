//! Digest of the results of a simulation.

use super::results::Results;
use serde::Serialize;

impl Results {
    /// Returns a hash of all statistics. Devices of one determinism class that keeps the results of floats have equal
    /// digests of a run, as have engines of the host.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        add(&mut hasher, &self.queues);
        add(&mut hasher, &self.flows);
        add(&mut hasher, &self.packets);
        hasher.finalize().to_hex().to_string()
    }
}

/// Adds the JSON of rows, which has every bit of their numbers.
fn add(hasher: &mut blake3::Hasher, rows: &[impl Serialize]) {
    for row in rows {
        // A hasher takes all bytes, and rows are objects of numbers and texts.
        let _ = serde_json::to_writer(&mut *hasher, row);
    }
}
