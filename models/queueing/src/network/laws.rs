//! Distinct laws of a network.

use crate::law::{Law, LawError, Sampler};
use imminent_common::time::Tick;
use std::collections::HashMap;

/// Distinct laws and their samplers, numbered in the order of first use.
#[derive(Debug, Default)]
pub(super) struct Laws {
    numbers: HashMap<(&'static str, Vec<u64>), u32>,
    pub(super) laws: Vec<Law>,
    pub(super) samplers: Vec<Sampler>,
    /// Number of the law that was asked for last: often the next node has the same.
    last: usize,
}

impl Laws {
    /// Returns the number of a law; compiles it to ticks if it is new.
    pub(super) fn number(&mut self, law: &Law, tick: Tick) -> Result<u32, LawError> {
        if self.laws.get(self.last) == Some(law) {
            return Ok(self.last as u32);
        }
        let key = law.key();
        if let Some(&number) = self.numbers.get(&key) {
            self.last = number as usize;
            return Ok(number);
        }
        self.last = self.laws.len();
        let number = self.last as u32;
        self.samplers.push(law.sampler_at(tick)?);
        self.laws.push(law.clone());
        self.numbers.insert(key, number);
        Ok(number)
    }
}
