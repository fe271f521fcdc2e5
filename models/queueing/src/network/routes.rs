//! Routes of tokens after their services.

use imminent_core::lang::mul_high;

/// Entry of lists of targets for the outside.
pub(super) const OUT: u32 = u32::MAX;

/// A route of a token after its service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Route {
    /// Node to which the route leads; `None` leaves the network.
    pub to: Option<u32>,
    /// Class of the token on this route.
    pub class: u32,
    /// Cumulative threshold: `2^32` times the probability of this route or an earlier one, rounded. At the last route
    /// it is `u32::MAX`, which counts as `2^32`. `None` if all routes are equally likely.
    pub threshold: Option<u32>,
}

/// Routes of one class at one node, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Routes<'a> {
    pub(super) class: u32,
    pub(super) to: &'a [u32],
    /// New classes by route; empty if no token changes its class.
    pub(super) classes: &'a [u32],
    /// Thresholds by route; empty if all routes are equally likely.
    pub(super) thresholds: &'a [u32],
}

impl<'a> Routes<'a> {
    /// Returns the number of routes; 0 for a class that never comes here.
    #[must_use]
    pub fn len(&self) -> usize {
        self.to.len()
    }

    /// Returns `true` if there are no routes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.to.is_empty()
    }

    /// Returns `true` if all routes are equally likely. A word then selects route `mul_high(word, n)`; otherwise
    /// thresholds decide.
    #[must_use]
    pub fn are_equal(&self) -> bool {
        self.thresholds.is_empty()
    }

    /// Returns route number `index`.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Route> {
        let to = *self.to.get(index)?;
        Some(Route {
            to: (to != OUT).then_some(to),
            class: self.classes.get(index).copied().unwrap_or(self.class),
            threshold: self.thresholds.get(index).copied(),
        })
    }

    /// Returns the nodes to which the routes lead, without exits.
    pub fn targets(self) -> impl Iterator<Item = u32> + Clone + 'a {
        self.to.iter().copied().filter(|&to| to != OUT)
    }

    /// Iterates over all routes.
    pub fn iter(self) -> impl Iterator<Item = Route> + 'a {
        (0..self.len()).filter_map(move |index| self.get(index))
    }

    /// Returns the number of the route that a random word selects.
    #[must_use]
    pub fn by_word(&self, word: u32) -> usize {
        if self.are_equal() {
            return mul_high(word, self.len() as u32) as usize;
        }
        let last = self.len().saturating_sub(1);
        self.thresholds.iter().take(last).position(|&threshold| word < threshold).unwrap_or(last)
    }

    /// Returns the probability of route `index`, as given by the random words.
    #[must_use]
    pub fn probability(&self, index: usize) -> f64 {
        if self.are_equal() {
            return 1.0 / self.len() as f64;
        }
        let upper = if index + 1 == self.len() { 2_f64.powi(32) } else { self.threshold(index) };
        let lower = index.checked_sub(1).map_or(0.0, |before| self.threshold(before));
        (upper - lower) / 2_f64.powi(32)
    }

    fn threshold(&self, index: usize) -> f64 {
        self.thresholds.get(index).map_or(0.0, |&threshold| f64::from(threshold))
    }
}

/// A node and class whose probabilities of routes did not add up to one and were scaled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scaled {
    pub(super) node: u32,
    pub(super) class: u32,
    /// Sum of the probabilities that were given.
    pub(super) sum: f64,
}

/// Routes of all nodes and classes, one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Table {
    /// Start of the routes of each node and class, and the end of the last.
    pub(super) start: Vec<u32>,
    pub(super) to: Vec<u32>,
    /// New classes by route; empty if no token of the network changes its class.
    pub(super) class: Vec<u32>,
    /// Thresholds by route; empty if all routes of the network are equally likely. The last threshold is 0 in rows of
    /// equally likely routes, and `u32::MAX` in others.
    pub(super) threshold: Vec<u32>,
}

impl Table {
    /// Returns the routes of row `index`, for tokens of class `class`.
    pub(super) fn of(&self, index: usize, class: u32) -> Routes<'_> {
        let range = match (self.start.get(index), self.start.get(index + 1)) {
            (Some(&from), Some(&to)) => from as usize..to as usize,
            _ => 0..0,
        };
        let thresholds = self.threshold.get(range.clone()).unwrap_or(&[]);
        Routes {
            class,
            to: self.to.get(range.clone()).unwrap_or(&[]),
            classes: self.class.get(range).unwrap_or(&[]),
            thresholds: if thresholds.last() == Some(&0) { &[] } else { thresholds },
        }
    }
}

/// Returns cumulative thresholds of probabilities that add up to one; zeros if they are all equal.
pub(super) fn thresholds(probabilities: &[f64]) -> Vec<u32> {
    let first = probabilities.first().copied().unwrap_or(0.0);
    if probabilities.iter().all(|&probability| probability == first) {
        return vec![0; probabilities.len()];
    }
    let mut sum = 0.0;
    let mut thresholds: Vec<u32> = probabilities
        .iter()
        .map(|probability| {
            sum += probability;
            // The cast saturates, as intended for the last threshold.
            (sum * 2_f64.powi(32)).round() as u32
        })
        .collect();
    if let Some(last) = thresholds.last_mut() {
        *last = u32::MAX;
    }
    thresholds
}
