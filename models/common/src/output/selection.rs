//! Selection of the alternative with the least mean among those that meet limits, by a sequence of replications.
//!
//! The procedure is that of S. Andradóttir and S.-H. Kim, Fully sequential procedures for comparing constrained systems
//! via simulation (Naval Research Logistics 57, 2010), with both phases at the same time. Its comparisons are those of
//! S.-H. Kim and B. L. Nelson, A fully sequential procedure for indifference-zone selection in simulation (ACM TOMACS
//! 11, 2001). Several limits and common random numbers: C. Healey, S. Andradóttir and S.-H. Kim (ACM TOMACS 24, 2014).
//! Alternatives that one of unknown feasibility has beaten are dormant until that is known: the same authors (European
//! Journal of Operational Research 224, 2013).
//!
//! Every statement comes from a *race*: the sum of values about a limit, or of differences of two alternatives, leaves
//! a triangle, whose height comes from the variance of the first replications. A race ends on the wrong side with a
//! probability of at most `beta`, if values are normal. By Bonferroni's inequality an error of all is at most
//! `beta (k - 1 + s)` for `k` alternatives and `s` limits: the best may fail one of its limits, and each other
//! alternative has one race that must not go wrong. So the result holds for common random numbers, which make
//! differences, and with them triangles, small.

use crate::estimate::Confidence;
use std::collections::BTreeMap;
use thiserror::Error;

/// Limit of a mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limit {
    /// Value that the mean is compared with.
    pub value: f64,
    /// `true` if the mean must not exceed the value, `false` if it must not be below.
    pub is_upper: bool,
    /// Half-width of the zone about the value in which either decision is right.
    pub tolerance: f64,
}

/// Rules of a selection.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// Probability of a correct selection.
    pub confidence: Confidence,
    /// Difference of means that is worth detecting.
    pub indifference: f64,
    /// Limits, one for each value of a replication after the first.
    pub limits: Vec<Limit>,
    /// Number of the first replications of each alternative, which give the variances.
    pub first: usize,
    /// Largest number of replications of an alternative.
    pub most: usize,
}

/// Reasons why a selection is not possible.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum SelectionError {
    /// The indifference zone is empty or no number.
    #[error("a difference of {given} is not worth detecting: give one above 0")]
    Indifference {
        /// Difference given.
        given: f64,
    },
    /// The zone about a limit is empty or no number.
    #[error("a tolerance of {given} about a limit is not possible: give one above 0")]
    Tolerance {
        /// Tolerance given.
        given: f64,
    },
    /// There are too few first replications.
    #[error("{given} first replications tell too little of the variance: give {} at least", Selection::MIN_FIRST)]
    First {
        /// Number given.
        given: usize,
    },
    /// The first replications are more than all.
    #[error(
        "{first} first replications are more than the {most} that an alternative may have: give fewer, or allow more"
    )]
    Most {
        /// Number of first replications.
        first: usize,
        /// Number of all.
        most: usize,
    },
}

/// State of an alternative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Still in the selection.
    In {
        /// `true` once all limits are known to be met.
        meets: bool,
    },
    /// A limit was found not to be met.
    Fails {
        /// Number of the limit.
        limit: usize,
        /// Number of replications after which it was found.
        after: usize,
    },
    /// Another alternative that meets all limits is better.
    Beaten {
        /// Number of the other alternative.
        by: usize,
        /// Number of replications after which it was found.
        after: usize,
    },
}

/// End of a selection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// Alternative that is chosen.
    Chosen(usize),
    /// No alternative meets all limits.
    None,
    /// The largest number of replications did not suffice; these alternatives are left.
    Undecided(Vec<usize>),
}

/// Sum that runs until it leaves a triangle.
#[derive(Debug, Clone, Copy)]
struct Race {
    replications: usize,
    sum: f64,
    /// Half-height of the triangle at its base; `None` before the first replications.
    height: Option<f64>,
    /// Half-width of the zone of indifference.
    zone: f64,
    result: Option<Side>,
}

/// Side on which a sum left its triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Side {
    is_low: bool,
    after: usize,
}

impl Race {
    const fn new(zone: f64) -> Self {
        Self { replications: 0, sum: 0.0, height: None, zone, result: None }
    }

    /// Goes on with `values`, which are those of all replications so far. `spread` is `2 eta (first - 1)`.
    fn run(&mut self, values: impl ExactSizeIterator<Item = f64> + Clone, first: usize, spread: f64) {
        if self.result.is_some() || values.len() < first {
            return;
        }
        let height =
            *self.height.get_or_insert_with(|| spread * variance(values.clone().take(first)) / (2.0 * self.zone));
        for value in values.skip(self.replications) {
            self.sum += value;
            self.replications += 1;
            if self.replications < first {
                continue;
            }
            let bound = (height - self.zone * self.replications as f64 / 2.0).max(0.0);
            if self.sum.abs() >= bound {
                self.result = Some(Side { is_low: self.sum <= 0.0, after: self.replications });
                return;
            }
        }
    }
}

/// Returns the variance of a sample.
fn variance(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let (count, sum) = values.clone().fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
    let mean = sum / count;
    values.map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0)
}

/// Selection under way.
#[derive(Debug, Clone)]
pub struct Selection {
    rules: Rules,
    /// Values by alternative and replication: the one to minimize, then one for each limit.
    values: Vec<Vec<Vec<f64>>>,
    /// Races about limits, by alternative.
    limits: Vec<Vec<Race>>,
    /// Races of two alternatives, by their numbers.
    pairs: BTreeMap<(usize, usize), Race>,
    states: Vec<State>,
    /// Factor of the variance in the height of triangles.
    spread: f64,
}

impl Selection {
    /// Smallest number of first replications.
    pub const MIN_FIRST: usize = 5;

    /// Begins a selection among alternatives.
    ///
    /// # Errors
    /// [`SelectionError`] for rules that are not possible.
    pub fn new(rules: Rules, alternatives: usize) -> Result<Self, SelectionError> {
        let is_positive = |value: f64| value.is_finite() && value > 0.0;
        if !is_positive(rules.indifference) {
            return Err(SelectionError::Indifference { given: rules.indifference });
        }
        if let Some(limit) = rules.limits.iter().find(|limit| !is_positive(limit.tolerance)) {
            return Err(SelectionError::Tolerance { given: limit.tolerance });
        }
        if rules.first < Self::MIN_FIRST {
            return Err(SelectionError::First { given: rules.first });
        }
        if rules.most < rules.first {
            return Err(SelectionError::Most { first: rules.first, most: rules.most });
        }
        let races = (alternatives + rules.limits.len()).saturating_sub(1).max(1);
        let beta = (1.0 - rules.confidence.level()) / races as f64;
        let freedom = (rules.first - 1) as f64;
        // Kim and Nelson's eta for c = 1: (1 + 2 eta)^(-freedom / 2) / 2 = beta.
        let eta = ((2.0 * beta).powf(-2.0 / freedom) - 1.0) / 2.0;
        let numbers = 0..alternatives;
        let pairs = numbers.clone().flat_map(|low| (low + 1..alternatives).map(move |high| (low, high)));
        Ok(Self {
            values: vec![vec![]; alternatives],
            limits: vec![rules.limits.iter().map(|limit| Race::new(limit.tolerance)).collect(); alternatives],
            pairs: pairs.map(|pair| (pair, Race::new(rules.indifference))).collect(),
            states: vec![State::In { meets: rules.limits.is_empty() }; alternatives],
            spread: 2.0 * eta * freedom,
            rules,
        })
    }

    /// Returns the replications that are needed next: numbers of alternatives, and how many replications each is to
    /// have. Empty when the selection has ended.
    #[must_use]
    pub fn needs(&self) -> Vec<(usize, usize)> {
        let count = |alternative: usize| self.replications(alternative);
        let needs = |awake: &[usize]| {
            let needed = awake.iter().copied().filter(|&one| {
                let is_unknown = self.states.get(one) == Some(&State::In { meets: false });
                let rivals = || awake.iter().any(|&other| self.is_open(one, other) && count(one) <= count(other));
                count(one) < self.rules.first || is_unknown || rivals()
            });
            let to = |one: usize| match count(one) {
                0 => self.rules.first,
                count => (count + (count / 8).max(4)).min(self.rules.most),
            };
            needed.filter(|&one| count(one) < self.rules.most).map(|one| (one, to(one))).collect::<Vec<_>>()
        };
        let left = self.left();
        if let [one] = left.as_slice()
            && self.states.get(*one) == Some(&State::In { meets: true })
        {
            return vec![];
        }
        let awake: Vec<usize> = left.iter().copied().filter(|one| !self.is_dormant(*one, &left)).collect();
        let of_awake = needs(&awake);
        // Alternatives that have beaten one another in a circle are all dormant.
        if of_awake.is_empty() { needs(&left) } else { of_awake }
    }

    /// Adds a replication of an alternative: the value to minimize, and one for each limit. Replications of all
    /// alternatives that have the same place are compared with each other.
    pub fn add(&mut self, alternative: usize, values: Vec<f64>) {
        if let Some(rows) = self.values.get_mut(alternative) {
            rows.push(values);
        }
    }

    /// Draws the conclusions from the replications that were added.
    pub fn conclude(&mut self) {
        let Self { rules, values, limits, pairs, spread, .. } = self;
        for (rows, races) in values.iter().zip(limits) {
            for (place, (race, limit)) in races.iter_mut().zip(&rules.limits).enumerate() {
                let sign = if limit.is_upper { 1.0 } else { -1.0 };
                let excess =
                    rows.iter().map(|row| sign * (row.get(place + 1).copied().unwrap_or(f64::NAN) - limit.value));
                race.run(excess, rules.first, *spread);
            }
        }
        let of = |one: usize| values.get(one).map_or(&[] as &[Vec<f64>], Vec::as_slice);
        let value = |row: &Vec<f64>| row.first().copied().unwrap_or(f64::NAN);
        for (&(low, high), race) in pairs {
            let differences = of(low).iter().zip(of(high)).map(|(low, high)| value(low) - value(high));
            race.run(differences, rules.first, *spread);
        }
        self.judge();
    }

    /// Finds the states of the alternatives from the results of races.
    fn judge(&mut self) {
        for (state, races) in self.states.iter_mut().zip(&self.limits) {
            if !matches!(state, State::In { .. }) {
                continue;
            }
            let failed = races.iter().enumerate().filter_map(|(limit, race)| Some((limit, race.result?)));
            let failed = failed.filter(|(_, side)| !side.is_low).min_by_key(|(_, side)| side.after);
            *state = match failed {
                Some((limit, side)) => State::Fails { limit, after: side.after },
                None => State::In { meets: races.iter().all(|race| race.result.is_some()) },
            };
        }
        // In the order in which races ended, so that one that was beaten before beats no other.
        let mut ended: Vec<_> = self.pairs.iter().filter_map(|(pair, race)| Some((*pair, race.result?))).collect();
        ended.sort_by_key(|(pair, side)| (side.after, *pair));
        for ((low, high), side) in ended {
            let (winner, loser) = if side.is_low { (low, high) } else { (high, low) };
            let is_in = self.states.get(loser).is_some_and(|state| matches!(state, State::In { .. }));
            if is_in
                && self.states.get(winner) == Some(&State::In { meets: true })
                && let Some(state) = self.states.get_mut(loser)
            {
                *state = State::Beaten { by: winner, after: side.after };
            }
        }
    }

    /// Returns the end of the selection. It is undecided as long as replications are [needed](Self::needs).
    #[must_use]
    pub fn ending(&self) -> Ending {
        let left = self.left();
        match left.as_slice() {
            [] => Ending::None,
            [one] if self.states.get(*one) == Some(&State::In { meets: true }) => Ending::Chosen(*one),
            _ => Ending::Undecided(left),
        }
    }

    /// Returns the state of each alternative.
    #[must_use]
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// Returns the number of replications of an alternative.
    #[must_use]
    pub fn replications(&self, alternative: usize) -> usize {
        self.values.get(alternative).map_or(0, Vec::len)
    }

    /// Returns the values of an alternative in all its replications: those to minimize, or those of a limit after them.
    pub fn values(&self, alternative: usize, place: usize) -> impl Iterator<Item = f64> {
        self.values.get(alternative).into_iter().flatten().filter_map(move |row| row.get(place).copied())
    }

    /// Returns the alternatives that are still in the selection.
    fn left(&self) -> Vec<usize> {
        let states = self.states.iter().enumerate();
        states.filter(|(_, state)| matches!(state, State::In { .. })).map(|(number, _)| number).collect()
    }

    /// Returns `true` if one of those left has beaten an alternative, and may itself fail a limit.
    fn is_dormant(&self, one: usize, left: &[usize]) -> bool {
        left.iter().any(|&other| self.side(one, other) == Some(false))
    }

    /// Returns `true` if it is not known which of two alternatives is better.
    fn is_open(&self, one: usize, other: usize) -> bool {
        one != other && self.side(one, other).is_none()
    }

    /// Returns `true` if `one` is better than `other`, `false` if it is not; `None` if it is not known.
    fn side(&self, one: usize, other: usize) -> Option<bool> {
        let race = self.pairs.get(&(one.min(other), one.max(other)))?;
        Some(race.result?.is_low == (one < other))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::output::series::normal;
    use crate::streams::StreamKey;

    fn rules(limits: &[(f64, bool)]) -> Rules {
        let limits = limits.iter().map(|&(value, is_upper)| Limit { value, is_upper, tolerance: 0.2 }).collect();
        Rules { confidence: Confidence::DEFAULT, indifference: 0.5, limits, first: 10, most: 100_000 }
    }

    /// Simulates until the selection ends. `means` has the value to minimize and those of limits, by alternative; the
    /// noise is shared by all alternatives to a part of `common`.
    fn select(rules: &Rules, means: &[Vec<f64>], common: f64, seed: u64) -> Selection {
        let mut selection = Selection::new(rules.clone(), means.len()).unwrap();
        let noise = |stream: u64, replication: usize, place: usize| {
            normal(&mut StreamKey::new(seed, replication as u64).node((stream as u32) << 4 | place as u32).generator())
        };
        loop {
            let needs = selection.needs();
            if needs.is_empty() {
                return selection;
            }
            for (one, to) in needs {
                for replication in selection.replications(one)..to {
                    let value = |(place, mean): (usize, &f64)| {
                        let own = noise(one as u64 + 1, replication, place) * (1.0 - common * common).sqrt();
                        mean + own + common * noise(0, replication, place)
                    };
                    selection.add(one, means[one].iter().enumerate().map(value).collect());
                }
            }
            selection.conclude();
        }
    }

    /// All others are worse by just the indifference: the hardest case. At least 95 % of 400 selections are right, and
    /// common random numbers need fewer replications.
    #[test]
    fn the_best_is_chosen_as_often_as_promised() {
        let means: Vec<Vec<f64>> = [1.5, 1.5, 1.0, 1.5, 1.5].map(|mean| vec![mean]).to_vec();
        let mut spent = [0; 2];
        for (spent, common) in spent.iter_mut().zip([0.0, 0.9]) {
            let right = (0..400).filter(|seed| {
                let selection = select(&rules(&[]), &means, common, *seed);
                *spent += (0..5).map(|one| selection.replications(one)).sum::<usize>();
                selection.ending() == Ending::Chosen(2)
            });
            assert!(right.count() >= 380 - 8, "{common}");
        }
        assert!(2 * spent[1] < spent[0], "{spent:?}");
    }

    /// The cheapest fails one limit by the tolerance, the next meets both by the tolerance, and others are dearer.
    #[test]
    fn limits_are_kept_as_often_as_promised() {
        let means = vec![
            vec![0.0, 1.2, 3.0],
            vec![0.5, 0.8, 2.8],
            vec![1.0, 0.8, 2.2],
            vec![1.5, 0.0, 5.0],
            vec![2.0, 0.0, 5.0],
        ];
        let rules = rules(&[(1.0, true), (2.0, false)]);
        for common in [0.0, 0.8] {
            let right = (0..200).filter(|seed| select(&rules, &means, common, *seed).ending() == Ending::Chosen(1));
            assert!(right.count() >= 190 - 5);
        }
        let selection = select(&rules, &means, 0.0, 1);
        assert!(matches!(selection.states()[0], State::Fails { limit: 0, .. }), "{:?}", selection.states());
        assert!(matches!(selection.states()[4], State::Beaten { .. }));
        // The dear ones were beaten by the first replications, and slept.
        assert!(selection.replications(4) < selection.replications(1), "{:?}", selection.states());
    }

    #[test]
    fn a_selection_may_end_without_a_choice() {
        let none = select(&rules(&[(1.0, true)]), &[vec![0.0, 3.0], vec![1.0, 4.0]], 0.0, 1);
        assert_eq!(none.ending(), Ending::None);
        let few = Rules { most: 12, ..rules(&[(1.0, true)]) };
        let undecided = select(&few, &[vec![0.0, 1.01], vec![5.0, -3.0]], 0.0, 3);
        assert_eq!(undecided.ending(), Ending::Undecided(vec![0, 1]));
        assert_eq!(undecided.replications(1), 10);
        // Values without chance are compared at once, and equal ones by their place.
        let certain = Selection::new(rules(&[]), 3).map(|mut selection| {
            (0..3).for_each(|one| (0..10).for_each(|_| selection.add(one, vec![[2.0, 1.0, 1.0][one]])));
            selection.conclude();
            selection
        });
        assert_eq!(certain.unwrap().ending(), Ending::Chosen(1));
        assert_eq!(Selection::new(rules(&[]), 1).unwrap().ending(), Ending::Chosen(0));
    }

    #[test]
    fn rules_without_a_zone_are_refused() {
        let refused = |rules: Rules| Selection::new(rules, 2).unwrap_err().to_string();
        let usual = || rules(&[(1.0, true)]);
        assert!(refused(Rules { indifference: 0.0, ..usual() }).contains("0 is not worth detecting"));
        let limits = vec![Limit { value: 1.0, is_upper: true, tolerance: f64::NAN }];
        assert!(refused(Rules { limits, ..usual() }).contains("a tolerance of NaN"));
        assert!(refused(Rules { first: 4, ..usual() }).contains("give 5 at least"));
        assert!(refused(Rules { most: 9, ..usual() }).contains("are more than the 9"));
    }

    /// 0.334 for two alternatives, ten first replications and 95 %: (1 + 2 eta)^(-4.5) / 2 = 0.05.
    #[test]
    fn the_triangle_is_that_of_kim_and_nelson() {
        let selection = Selection::new(rules(&[]), 2).unwrap();
        let eta = selection.spread / 18.0;
        assert!(((1.0 + 2.0 * eta).powf(-4.5) / 2.0 - 0.05).abs() < 1e-12 && (eta - 0.334).abs() < 1e-3);
    }
}
