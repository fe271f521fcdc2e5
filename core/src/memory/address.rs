//! Maps by address.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map by the address of a piece of memory. Every operation of a queue uses one, so the hash is a multiplication.
/// Addresses are not chosen by an adversary who makes them collide.
pub(crate) type ByAddress<T> = HashMap<usize, T, BuildHasherDefault<AddressHasher>>;

#[derive(Debug, Default)]
pub(crate) struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_usize(usize::from(*byte)));
    }

    fn write_usize(&mut self, address: usize) {
        // The low bits of addresses are zero and the map uses both ends of the hash: both halves of the product go in.
        let product = u128::from(self.0 ^ address as u64) * 0x9e37_79b9_7f4a_7c15;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_addresses_do_not_collide() {
        let hash = |address: usize| {
            let mut hasher = AddressHasher::default();
            hasher.write_usize(address);
            hasher.finish()
        };
        let hashes: Vec<u64> = (0..4096).map(|i| hash(0x7f00_0000_0000 + i * 48)).collect();
        for bits in [0..12, 57..64] {
            let (shift, values) = (bits.start, 1_usize << (bits.end - bits.start));
            let mut slots = vec![0_usize; values];
            hashes.iter().for_each(|hash| slots[(hash >> shift) as usize & (values - 1)] += 1);
            let most = slots.iter().max().copied().unwrap_or(0);
            assert!(most <= 4 * hashes.len().div_ceil(values) + 4, "bits {bits:?}: {most} in one slot");
        }
    }
}
