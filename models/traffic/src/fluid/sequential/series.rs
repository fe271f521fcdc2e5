//! A quantity over time that holds until it changes.

use std::collections::VecDeque;

/// The steps at which a quantity changes, and to what, in ascending order. It is read at later and later steps.
#[derive(Debug, Clone)]
pub(super) struct Series {
    changes: VecDeque<(i64, f64)>,
    /// Where it was read last.
    read: i64,
}

impl Series {
    /// A quantity that always was so.
    pub(super) fn new(always: f64) -> Self {
        Self { changes: VecDeque::from([(i64::MIN, always)]), read: i64::MIN }
    }

    /// From this step on it has another value, whatever was said of that step before. Steps may not descend.
    pub(super) fn change(&mut self, step: i64, value: f64) {
        match self.changes.back_mut() {
            Some(last) if last.0 == step => last.1 = value,
            _ => self.changes.push_back((step, value)),
        }
    }

    /// The value at a step; what came before is forgotten.
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
