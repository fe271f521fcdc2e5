//! The points of a sample.

use super::levels::{check_ends, check_log, is_whole};
use super::{MAX_VALUES, Row};
use crate::definition::{DefinitionError, Interval, Method, Sample};
use crate::description::Description;
use crate::value::Value;
use imminent_common::streams::{StreamKey, below};
use rand_core::Rng as _;
use rand_pcg::Pcg32;
use std::collections::HashMap;

/// Sets the streams of samples apart from those of runs with the same seed.
const SAMPLES: u64 = 0x5EED_0F5A_4D91_E500;

impl Sample {
    /// Sample number `number` of a study with this seed; each of its parameters has a stream of its own.
    pub(super) fn rows(
        &self,
        number: u64,
        seed: u64,
        description: &Description,
        places: &[usize],
    ) -> Result<Vec<Row>, DefinitionError> {
        let key = format!("sample[{number}]");
        if self.axis.is_empty() {
            return Err(DefinitionError::value(&key, "has no parameters: add [[sample.axis]] for each, or remove it"));
        }
        if !(1..=MAX_VALUES).contains(&self.points) {
            let problem = format!("{} points are not possible: give 1 to {MAX_VALUES}", self.points);
            return Err(DefinitionError::value(&format!("{key}.points"), problem));
        }
        let mut columns = vec![];
        for ((axis, interval), place) in (0..).zip(&self.axis).zip(places) {
            let key = format!("{key}.axis[{axis}]");
            check_ends(&key, description, *place, interval.from, interval.to)?;
            check_log(&key, interval.spacing, interval.from)?;
            let mut rng = StreamKey::new(seed ^ SAMPLES, number).node(axis).generator();
            let shares = self.method.shares(self.points, &mut rng).into_iter();
            let whole = is_whole(description, *place);
            columns.push(shares.map(|share| interval.value(share, whole)).collect::<Vec<_>>());
        }
        let mut seen = HashMap::<String, u64>::new();
        let row = |row: usize| {
            let values: Vec<_> = columns.iter().filter_map(|column| column.get(row).cloned()).collect();
            let text: Vec<_> = values.iter().map(Value::canonical).collect();
            let count = seen.entry(text.join("\n")).or_insert(0);
            *count += 1;
            Row { values, occurrence: *count - 1 }
        };
        Ok((0..self.points as usize).map(row).collect())
    }
}

impl Method {
    /// Returns the position of each point in the interval, from 0 to below 1.
    fn shares(self, points: u64, rng: &mut Pcg32) -> Vec<f64> {
        match self {
            Self::Random => (0..points).map(|_| uniform(rng)).collect(),
            Self::LatinHypercube => {
                let mut strata: Vec<u64> = (0..points).collect();
                for last in (1..strata.len()).rev() {
                    strata.swap(last, below(rng, last as u64 + 1) as usize);
                }
                let share = |stratum: u64| (stratum as f64 + uniform(rng)) / points as f64;
                // The greatest double below the end of the last stratum may round up to it.
                strata.into_iter().map(share).map(|share| share.min(1.0 - f64::EPSILON / 2.0)).collect()
            }
        }
    }
}

impl Interval {
    /// The value such a share of the way through the interval; of whole numbers each is as likely, or as its logarithm
    /// has it.
    fn value(&self, share: f64, whole: bool) -> Value {
        if whole {
            // One more, so that the greatest has a part of the interval too.
            let number = self.spacing.between(self.from, self.to + 1.0, share);
            return Value::Integer(number.floor().min(self.to) as i64);
        }
        Value::Number(self.spacing.between(self.from, self.to, share))
    }
}

/// Uniform from 0 to below 1, of 53 bits: high word first.
fn uniform(rng: &mut Pcg32) -> f64 {
    let high = u64::from(rng.next_u32());
    let word = (high << 32) | u64::from(rng.next_u32());
    (word >> 11) as f64 * 2.0_f64.powi(-53)
}
