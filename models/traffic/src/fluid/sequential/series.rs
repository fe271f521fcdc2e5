//! A quantity over time that holds until it changes.

use std::collections::VecDeque;

/// Steps at which a quantity changes, with its new values, in ascending order. Reads must not go back in time.
#[derive(Debug, Clone)]
pub(super) struct Series {
    changes: VecDeque<(i64, f64)>,
    /// Step of the last read.
    read: i64,
}

impl Series {
    /// Creates a quantity that has always been constant.
    pub(super) fn new(always: f64) -> Self {
        Self { changes: VecDeque::from([(i64::MIN, always)]), read: i64::MIN }
    }

    /// Sets the value from a step on, replacing an earlier value for the same step. Steps must not descend.
    pub(super) fn change(&mut self, step: i64, value: f64) {
        match self.changes.back_mut() {
            Some(last) if last.0 == step => last.1 = value,
            _ => self.changes.push_back((step, value)),
        }
    }

    /// Returns the value at a step, and discards earlier changes.
    pub(super) fn at(&mut self, step: i64) -> f64 {
        assert!(self.read <= step, "a series is read at step {step} after step {}", self.read);
        self.read = step;
        while self.changes.get(1).is_some_and(|next| next.0 <= step) {
            self.changes.pop_front();
        }
        self.changes.front().map_or(0.0, |change| change.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_hold_until_the_next_change_and_the_last_word_counts() {
        let mut series = Series::new(7.0);
        series.change(3, 1.0);
        series.change(3, 2.0);
        series.change(6, 5.0);
        let seen: Vec<_> = (-1..8).map(|step| series.at(step)).collect();
        assert_eq!(seen, [7.0, 7.0, 7.0, 7.0, 2.0, 2.0, 2.0, 5.0, 5.0]);
    }
}
