//! Routes whose weights depend on numbers of tokens at nodes.

use super::NetworkError;
use std::collections::{BTreeMap, BTreeSet};

/// Factor 1 in fixed point.
const ONE: u64 = 1 << 32;

/// Largest factor: 1000. With four conditions for each of 2^16 routes, sums of weights times a random word have 128
/// bits.
const MAX_FACTOR: f64 = 1000.0;
const MAX_CONDITIONS: usize = 4;
const MAX_ROUTES: usize = 1 << 16;

/// Largest number of states for which routes with conditions are checked.
const MAX_STATES: usize = 1 << 16;

/// Factor of a route's probability, by the number of tokens at a node.
///
/// The number counts tokens that wait and that are served, and the token that chooses where it still is. Factors of
/// several conditions are multiplied, and the resulting weights of the routes of a node and class are scaled to
/// probabilities each time that a token chooses.
#[derive(Debug, Clone, PartialEq)]
pub struct When {
    /// Station whose tokens are counted.
    pub node: u32,
    /// Numbers of tokens, rising, and the factor from each on, 0 to 1000; the factor is 0 below the first.
    pub factors: Vec<(u32, f64)>,
}

impl When {
    /// Creates the condition that there are at least `from` tokens at a node, and fewer than `below` if there is a
    /// limit.
    #[must_use]
    pub fn between(node: u32, from: u32, below: Option<u32>) -> Self {
        Self { node, factors: [(from, 1.0)].into_iter().chain(below.map(|below| (below, 0.0))).collect() }
    }

    /// Creates the factors for 0, 1, ... tokens at a node; the last holds for more.
    #[must_use]
    pub fn by_number(node: u32, factors: &[f64]) -> Self {
        Self { node, factors: (0..).zip(factors.iter().copied()).collect() }
    }

    /// Checks the factors; returns the problem with its remedy.
    fn problem(&self) -> Option<&'static str> {
        let in_range = |factor: &f64| (0.0..=MAX_FACTOR).contains(factor);
        let numbers_rise = self.factors.windows(2).all(|pair| matches!(pair, [a, b] if a.0 < b.0));
        let problems = [
            (self.factors.is_empty(), "a condition has no numbers: give 'from', 'below' or 'weights'"),
            (!numbers_rise, "the numbers of a condition do not rise: make 'below' larger than 'from'"),
            (!self.factors.iter().all(|(_, factor)| in_range(factor)), "a weight is not within 0 to 1000: correct it"),
        ];
        problems.into_iter().find(|(is_wrong, _)| *is_wrong).map(|(_, problem)| problem)
    }
}

/// Route with a weight, in fixed point.
#[derive(Debug, Clone, PartialEq)]
struct Weighted {
    weight: u64,
    /// Factors by number for each condition.
    when: Vec<(u32, Vec<(u32, u64)>)>,
}

impl Weighted {
    /// Returns the weight for numbers of tokens by node.
    fn weight(&self, number: &mut impl FnMut(u32) -> u64) -> u128 {
        let factor = |number: u64, factors: &[(u32, u64)]| {
            let held = factors.partition_point(|(from, _)| u64::from(*from) <= number).checked_sub(1);
            held.and_then(|held| factors.get(held)).map_or(0, |(_, factor)| *factor)
        };
        let of = |weight: u128, (node, factors): &(u32, Vec<(u32, u64)>)| {
            (weight * u128::from(factor(number(*node), factors))) >> 32
        };
        self.when.iter().fold(u128::from(self.weight), of)
    }
}

/// Weights of the routes of a node and class.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Weights(Vec<Weighted>);

impl Weights {
    /// Returns the weights of routes with these probabilities and conditions.
    pub(super) fn of(routes: Vec<(Option<f64>, &[When])>) -> Result<Self, &'static str> {
        if routes.len() > MAX_ROUTES {
            return Err("more than 65,536 routes have conditions: give fewer");
        }
        let weighted = |(probability, when): (Option<f64>, &[When])| {
            if let Some(problem) = when.iter().find_map(When::problem) {
                return Err(problem);
            }
            if when.len() > MAX_CONDITIONS {
                return Err("a route has more than 4 conditions: give fewer");
            }
            let probability = probability.unwrap_or(1.0);
            if !(probability > 0.0 && probability <= 1.0) {
                return Err("a probability is not above 0 and at most 1: correct it");
            }
            let fixed = |value: f64| (value * ONE as f64).round() as u64;
            let factors = |of: &When| (of.node, of.factors.iter().map(|&(from, of)| (from, fixed(of))).collect());
            Ok(Weighted { weight: fixed(probability).max(1), when: when.iter().map(factors).collect() })
        };
        routes.into_iter().map(weighted).collect::<Result<_, _>>().map(Self)
    }

    /// Returns the number of the route that a random word selects, for numbers of tokens by node; `None` if no route
    /// has a weight.
    pub(crate) fn choose(&self, word: u32, mut number: impl FnMut(u32) -> u64) -> Option<usize> {
        let weights: Vec<u128> = self.0.iter().map(|route| route.weight(&mut number)).collect();
        let total: u128 = weights.iter().sum();
        let mark = (u128::from(word) * total) >> 32;
        let mut below = 0;
        weights.iter().position(|weight| {
            below += weight;
            mark < below
        })
    }

    /// Checks that some route has a weight whatever the numbers. Returns numbers by node for which none has, or `None`
    /// in the place of numbers if there are too many to look at all.
    pub(super) fn gap(&self) -> Option<Option<Vec<(u32, u64)>>> {
        if self.0.iter().any(|route| route.when.is_empty()) {
            return None;
        }
        // Weights change at the numbers of the conditions alone.
        let mut numbers: BTreeMap<u32, BTreeSet<u64>> = BTreeMap::new();
        for (node, factors) in self.0.iter().flat_map(|route| &route.when) {
            let of_node = numbers.entry(*node).or_insert_with(|| BTreeSet::from([0]));
            of_node.extend(factors.iter().map(|(from, _)| u64::from(*from)));
        }
        let states = numbers.values().map(BTreeSet::len).fold(1, usize::saturating_mul);
        if states > MAX_STATES {
            return Some(None);
        }
        let state = |mut place: usize| -> Vec<(u32, u64)> {
            let of_node = |(node, numbers): (&u32, &BTreeSet<u64>)| {
                let number = numbers.iter().nth(place % numbers.len()).copied().unwrap_or(0);
                place /= numbers.len();
                (*node, number)
            };
            numbers.iter().map(of_node).collect()
        };
        let has_route = |state: &Vec<(u32, u64)>| {
            let mut number =
                |node: u32| state.iter().find(|(other, _)| *other == node).map_or(0, |(_, number)| *number);
            self.0.iter().any(|route| route.weight(&mut number) > 0)
        };
        (0..states).map(state).find(|state| !has_route(state)).map(Some)
    }
}

impl NetworkError {
    /// Creates the error of routes with conditions.
    pub(super) fn conditions(label: String, class: String, problem: impl Into<String>) -> Self {
        Self::Conditions { label, class, problem: problem.into() }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn weights(routes: &[(Option<f64>, Vec<When>)]) -> Weights {
        Weights::of(routes.iter().map(|(probability, when)| (*probability, when.as_slice())).collect()).unwrap()
    }

    #[test]
    fn words_choose_by_weights_of_the_state() {
        let routes = [
            (Some(0.5), vec![When::by_number(7, &[1.0, 0.5])]),
            (Some(0.25), vec![When::between(7, 1, Some(3)), When::between(8, 2, None)]),
            (Some(0.25), vec![]),
        ];
        let weights = weights(&routes);
        let share = |at_7: u64, at_8: u64| {
            let numbers = |node| if node == 7 { at_7 } else { at_8 };
            let chosen = (0..1000_u32).map(|part| weights.choose(part << 22, numbers).unwrap());
            chosen.fold([0; 3], |mut counts, route| {
                counts[route] += 1;
                counts
            })
        };
        // 1000 of the 1024 parts of all words.
        assert_eq!(share(0, 5), [683, 0, 317]);
        assert_eq!(share(1, 1), [512, 0, 488]);
        assert_eq!(share(2, 2), [342, 341, 317]);
        assert_eq!(share(3, 2), [512, 0, 488]);
    }

    #[test]
    fn states_without_a_route_are_found() {
        let below = |node, number| vec![When::between(node, 0, Some(number))];
        let from = |node, number| vec![When::between(node, number, None)];
        assert_eq!(weights(&[(None, below(3, 5)), (None, from(3, 5))]).gap(), None);
        assert_eq!(weights(&[(None, below(3, 5)), (None, from(3, 6))]).gap(), Some(Some(vec![(3, 5)])));
        assert_eq!(weights(&[(None, below(3, 5)), (None, below(4, 2))]).gap(), Some(Some(vec![(3, 5), (4, 2)])));
        assert_eq!(weights(&[(None, below(3, 5)), (None, vec![])]).gap(), None);
        let many: Vec<_> = (0..17).map(|node| (None, below(node, 5))).collect();
        assert_eq!(weights(&many).gap(), Some(None));
    }
}
