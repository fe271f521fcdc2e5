//! Checks of tables of arrivals.

use super::{BehaviourError, Replay};

impl Replay {
    /// Checks the table of a source that emits some classes.
    pub(super) fn check(&self, emits: impl Fn(u32) -> bool) -> Result<(), BehaviourError> {
        let wrong = |row: usize, problem: &str| {
            Err(BehaviourError::Replay { row: row as u64 + 1, problem: problem.to_owned() })
        };
        if self.rows.is_empty() {
            return Err(BehaviourError::Never { what: "the arrivals to replay" });
        }
        if self.services.len() != self.rows.len() * self.stations.len() {
            return wrong(0, "there is not a length of a service for each row and station: give one, or none");
        }
        let mut before = 0.0;
        for (number, row) in self.rows.iter().enumerate() {
            if !(row.time.is_finite() && row.time >= before) {
                return wrong(number, "the time is negative, or before that of the row before: sort the rows by time");
            }
            if !(1..=Self::MAX_TOKENS).contains(&row.tokens) {
                return wrong(number, "the number of tokens is not within 1 to 10^6: correct it, or leave the row out");
            }
            if !emits(row.class) {
                return wrong(number, "the class has no law at the source: give it one for its mean rate");
            }
            before = row.time;
        }
        let is_wrong = |length: &Option<f64>| length.is_some_and(|length| !(length.is_finite() && length >= 0.0));
        match self.services.iter().position(is_wrong) {
            Some(place) => {
                wrong(place / self.stations.len().max(1), "a service is negative: give a length of 0 or more")
            }
            None => Ok(()),
        }
    }
}
