//! Digests of outcomes and networks.

use super::{NodeState, NodeStatistics};
use crate::kernels::ending::{Print, of_node, of_token, with};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A 128-bit fingerprint of an outcome, written as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 16]);

impl Digest {
    /// Version of the encoding of an outcome. Digests of other versions cannot be compared.
    pub const VERSION: u32 = 2;

    /// Returns the digest of a run of several replications, in their order. A single replication has its own digest.
    #[must_use]
    pub fn of_run(replications: &[Self]) -> Self {
        if let [only] = replications {
            return *only;
        }
        let mut hasher = Hasher::new("imminent run of replications 1");
        for replication in replications {
            hasher.bytes(&replication.0);
        }
        hasher.finish()
    }

    /// Returns the 16 bytes of the digest.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

impl Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let value = u128::from_str_radix(&text, 16).ok().filter(|_| text.len() == 32);
        value
            .map(|value| Self(value.to_be_bytes()))
            .ok_or_else(|| serde::de::Error::custom("a digest is 32 hexadecimal digits"))
    }
}

/// Sum of the parts of nodes and tokens in the digest of an outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) first: u64,
    pub(crate) second: u64,
}

impl Parts {
    /// Returns the part of a node with `waiting` tokens in its line, without the tokens.
    pub(crate) fn of_node(number: u32, state: &NodeState, of: &NodeStatistics, waiting: u64) -> Self {
        let words = [
            state.free_at,
            state.next_service,
            state.rng_state,
            of.served,
            of.completed,
            of.busy,
            of.sojourn_sum,
            of.waiting_sum,
            of.number_integral,
            waiting,
            of.lost,
            of.blocked,
            of.blocked_time,
        ];
        words.into_iter().fold(of_node(number.into()), with).into()
    }

    /// Returns the part of a token in the line of a node.
    pub(crate) fn of_token(node: u32, arrival: u64) -> Self {
        of_token(node.into(), arrival).into()
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self { first: self.first.wrapping_add(other.first), second: self.second.wrapping_add(other.second) }
    }

    /// Returns the digest of an outcome of `nodes` nodes with these parts.
    pub(crate) fn digest(self, nodes: usize, horizon: u64) -> Digest {
        let mut hasher = Hasher::new("imminent closed queueing network, outcome 2");
        hasher.words(&[nodes as u64, horizon, self.first, self.second]);
        hasher.finish()
    }
}

impl From<Print> for Parts {
    fn from(print: Print) -> Self {
        Self { first: print.first, second: print.second }
    }
}

/// Incremental BLAKE3 with a buffer, since hashing eight bytes at a time is slow.
pub(crate) struct Hasher {
    hash: blake3::Hasher,
    buffer: Vec<u8>,
}

impl Hasher {
    /// Size of the buffer in bytes; buffers of twice this size or more gain from several threads.
    const BUFFER: usize = 1 << 17;

    pub(crate) fn new(domain: &str) -> Self {
        let mut hasher = Self { hash: blake3::Hasher::new(), buffer: Vec::with_capacity(Self::BUFFER) };
        hasher.words(&[domain.len() as u64]);
        hasher.bytes(domain.as_bytes());
        hasher
    }

    pub(crate) fn words(&mut self, words: &[u64]) {
        for word in words {
            self.bytes(&word.to_le_bytes());
        }
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        if bytes.len() >= Self::BUFFER {
            self.hash.update(&self.buffer).update_rayon(bytes);
            self.buffer.clear();
            return;
        }
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= Self::BUFFER {
            self.hash.update(&self.buffer);
            self.buffer.clear();
        }
    }

    pub(crate) fn finish(mut self) -> Digest {
        self.hash.update(&self.buffer);
        let mut digest = [0; 16];
        self.hash.finalize_xof().fill(&mut digest);
        Digest(digest)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_digest_is_32_hexadecimal_digits_there_and_back() {
        let digest = Hasher::new("one").finish();
        let text = serde_json::to_string(&digest).unwrap();
        assert_eq!(text.len(), 34);
        assert_eq!(serde_json::from_str::<Digest>(&text).unwrap(), digest);
        assert!(serde_json::from_str::<Digest>("\"12\"").is_err());
        assert!(serde_json::from_str::<Digest>("\"zz345678901234567890123456789012\"").is_err());
    }

    /// The numbers come from a Python program that follows the text of [`Outcome::digest`](crate::Outcome::digest) and
    /// the published definition of SplitMix64.
    #[test]
    fn parts_are_the_mixtures_of_their_words() {
        let state = NodeState { free_at: 7, next_service: 8, rng_state: 9 };
        let statistics = NodeStatistics {
            served: 11,
            completed: 10,
            busy: 13,
            sojourn_sum: 14,
            waiting_sum: 15,
            number_integral: 16,
            lost: 1,
            blocked: 5,
            blocked_time: 6,
            ..NodeStatistics::default()
        };
        let node = Parts { first: 0x6909_d053_715f_a997, second: 0xafae_7dc0_48ab_3a3f };
        let token = Parts { first: 0x3ae9_764c_c398_517e, second: 0xae61_d01d_2e28_555b };
        assert_eq!(Parts::of_node(3, &state, &statistics, 2), node);
        assert_eq!(Parts::of_token(3, 1 << 40), token);
    }

    #[test]
    fn a_run_of_one_has_the_digest_of_its_replication() {
        let digest = Hasher::new("one").finish();
        assert_eq!(Digest::of_run(&[digest]), digest);
        assert_ne!(Digest::of_run(&[digest, digest]), digest);
    }
}
