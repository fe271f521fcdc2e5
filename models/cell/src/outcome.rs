//! Results of runs: statistics, digests and times.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;
use thiserror::Error;

/// Hash of a result, equal on every device and by every engine of an exact model.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 16]);

impl Digest {
    /// Hashes numbers, in their order.
    #[must_use]
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a [u64]>) -> Self {
        let mut hash = Hash::default();
        parts.into_iter().for_each(|part| hash.add(part));
        hash.digest()
    }
}

/// Digest of parts that are added one by one.
#[derive(Debug, Default)]
pub(crate) struct Hash(blake3::Hasher);

/// Bytes that are hashed at once.
const BLOCK: usize = 8192;

impl Hash {
    /// Adds a part: its length, and its numbers.
    pub(crate) fn add(&mut self, numbers: &[u64]) {
        self.0.update(&(numbers.len() as u64).to_le_bytes());
        self.bytes(numbers, |number| number.to_le_bytes());
    }

    /// Adds a part whose numbers have two words each, the lower one first; the last number may lack its upper word.
    pub(crate) fn add_words(&mut self, words: &[u32]) {
        self.0.update(&(words.len().div_ceil(2) as u64).to_le_bytes());
        self.bytes(words, |word| word.to_le_bytes());
        if !words.len().is_multiple_of(2) {
            self.0.update(&[0; 4]);
        }
    }

    fn bytes<T: Copy, const N: usize>(&mut self, values: &[T], bytes: impl Fn(T) -> [u8; N]) {
        let mut block = [0; BLOCK];
        for values in values.chunks(BLOCK / N) {
            let (entries, _) = block.as_chunks_mut::<N>();
            entries.iter_mut().zip(values).for_each(|(entry, value)| *entry = bytes(*value));
            self.0.update(block.get(..values.len() * N).unwrap_or_default());
        }
    }

    /// Returns the digest of what was added.
    pub(crate) fn digest(self) -> Digest {
        let mut digest = [0; 16];
        self.0.finalize_xof().fill(&mut digest);
        Digest(digest)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Wall time of the parts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Tables, initial state and compilation of kernels.
    pub set_up: Duration,
    /// Simulation alone.
    pub simulation: Duration,
    /// Results read back, counted and hashed.
    pub reading: Duration,
}

/// A run that its progress function cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the run was cancelled after {steps} steps")]
pub struct Cancelled {
    /// Steps done.
    pub steps: u64,
}

/// Outcome of a run, its wall time, and the steps that its engine took.
#[derive(Clone, Debug, PartialEq)]
pub struct Run<O> {
    /// Result.
    pub outcome: O,
    /// Engine that was used; never [`Engine::Auto`].
    pub engine: Engine,
    /// Wall time of the parts.
    pub spent: Spent,
    /// Steps of the engine, as the model counts them.
    pub steps: u64,
}

impl<O> Run<O> {
    /// Converts the outcome.
    pub fn map<P>(self, convert: impl FnOnce(O) -> P) -> Run<P> {
        let Run { outcome, engine, spent, steps } = self;
        Run { outcome: convert(outcome), engine, spent, steps }
    }
}

/// Time advance of an engine. All give the same result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// The fastest one for the model and the device.
    #[default]
    Auto,
    /// Time windows as long as the smallest delay of any rule; for rule files and rules of your own on a device, many
    /// rounds of outputs in a launch.
    Window,
    /// One step for each distinct time: the advance of `liu-wainer-cell`. For rule files and rules of your own on a
    /// device, one launch for each round of outputs.
    Step,
    /// The sequential event list, on the host.
    Sequential,
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Engine::Auto => "auto",
            Engine::Window => "window",
            Engine::Step => "step",
            Engine::Sequential => "sequential",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_depends_on_numbers_and_on_where_parts_end() {
        let digests = [
            Digest::of([&[1, 2][..], &[3][..]]),
            Digest::of([&[1][..], &[2, 3][..]]),
            Digest::of([&[1, 2][..], &[4][..]]),
        ];
        assert!(digests[0] != digests[1] && digests[0] != digests[2]);
        assert_eq!(digests[0].to_string().len(), 32);
    }

    #[test]
    fn two_words_are_one_number() {
        for count in [0, 1, 2, 5000, 5001] {
            let words: Vec<u32> = (0..count).map(|word: u32| word.wrapping_mul(2_654_435_761)).collect();
            let number = |pair: &[u32]| pair.iter().rev().fold(0, |number, &word| (number << 32) | u64::from(word));
            let numbers: Vec<u64> = words.chunks(2).map(number).collect();
            let mut hash = Hash::default();
            hash.add_words(&words);
            assert_eq!(hash.digest(), Digest::of([&numbers[..]]));
        }
    }
}
