//! What single parameters do, and pairs of them: main effects and interactions.
//!
//! The effect of a parameter's value is the mean of a measure over all points with that value, whatever the others are. Its interval comes from the
//! repetitions: each gives one mean over those points, and repetitions are independent of each other even where random numbers are common to
//! points.

use super::plan::Study;
use super::results::{CONFIDENCE, Results, mean};
use super::value::Value;
use crate::estimate::half_width;
use serde::Serialize;

/// A parameter that varies, and its values, or groups of neighbouring values where there are many.
#[derive(Debug, Clone, PartialEq)]
pub struct Factor {
    /// The parameter's place in the description.
    pub parameter: usize,
    /// The levels, from the least on where they are numbers.
    pub levels: Vec<Level>,
    /// The level of each point.
    level_of: Vec<usize>,
}

/// A value of a parameter, or neighbouring values.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Level {
    /// What it is called.
    pub name: String,
    /// The value, or the mean of the values, if they are numbers.
    pub value: Option<f64>,
}

/// A mean over all runs of some points.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Effect {
    /// The mean; none where no run has a value.
    pub mean: Option<f64>,
    /// Half the width of its 99 % interval, from the repetitions that are finished at all these points; none if they are fewer than two.
    pub ci99: Option<f64>,
}

impl Factor {
    /// A parameter's levels in a study: its values, if they are at most `most`, or else numbers in so many groups of about as many points.
    #[must_use]
    pub fn new(study: &Study, parameter: usize, most: usize) -> Self {
        let values: Vec<_> = (0..study.points()).filter_map(|point| study.value(point, parameter)).collect();
        let mut distinct: Vec<&Value> = vec![];
        let numeric = values.iter().all(|value| value.as_number().is_some());
        if numeric {
            let number = |value: &Value| value.as_number().unwrap_or(0.0);
            distinct.clone_from(&values);
            distinct.sort_by(|a, b| number(a).total_cmp(&number(b)));
            let all = distinct.clone();
            distinct.dedup();
            if distinct.len() > most {
                return Self::grouped(parameter, &values, &all, most);
            }
        } else {
            let mut seen = std::collections::HashSet::new();
            distinct.extend(values.iter().filter(|value| seen.insert(value.canonical())));
        }
        let place = |value: &&Value| distinct.iter().position(|other| other == value).unwrap_or(0);
        let level_of = values.iter().map(place).collect();
        let level = |value: &&Value| Level { name: value.to_string(), value: value.as_number() };
        Self { parameter, levels: distinct.iter().map(level).collect(), level_of }
    }

    /// Groups of neighbouring values; equal values are in one group.
    fn grouped(parameter: usize, values: &[&Value], sorted: &[&Value], groups: usize) -> Self {
        let number = |value: &&Value| value.as_number().unwrap_or(0.0);
        // The greatest value of each group.
        let ends = (1..=groups).filter_map(|group| sorted.get((group * sorted.len() / groups).saturating_sub(1)));
        let mut ends: Vec<f64> = ends.map(number).collect();
        ends.dedup();
        let level_of: Vec<usize> =
            values.iter().map(|value| ends.partition_point(|end| *end < number(value))).collect();
        let level = |level: usize| {
            let members: Vec<f64> =
                values.iter().zip(&level_of).filter(|(_, of)| **of == level).map(|(value, _)| number(value)).collect();
            let ends = members.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(*v), b.max(*v)));
            Level { name: format!("{} to {}", short(ends.0), short(ends.1)), value: mean(&members) }
        };
        Self { parameter, levels: (0..ends.len()).map(level).collect(), level_of }
    }

    /// What each level does to a measure.
    #[must_use]
    pub fn effects(&self, study: &Study, results: &Results, measure: usize) -> Vec<Effect> {
        effects(study, results, measure, self.levels.len(), |point| self.level_of.get(point).copied())
    }

    /// What each level does to a measure together with each of another's: a row for each level of this one.
    #[must_use]
    pub fn interaction(&self, other: &Self, study: &Study, results: &Results, measure: usize) -> Vec<Vec<Effect>> {
        let width = other.levels.len().max(1);
        let cell = |point: usize| Some(self.level_of.get(point)? * width + other.level_of.get(point)?);
        let effects = effects(study, results, measure, self.levels.len() * width, cell);
        effects.chunks(width).map(<[_]>::to_vec).collect()
    }
}

/// The effect of each of so many sets of points; `set_of` says in which a point is.
fn effects(
    study: &Study,
    results: &Results,
    measure: usize,
    sets: usize,
    set_of: impl Fn(usize) -> Option<usize>,
) -> Vec<Effect> {
    let repetitions = study.repetitions() as usize;
    let mut points = vec![0_u64; sets];
    let mut sums = vec![(0.0, 0_u64); sets * repetitions];
    for point in 0..study.points() {
        let Some(set) = set_of(point as usize) else { continue };
        points.get_mut(set).into_iter().for_each(|count| *count += 1);
        let row = sums.get_mut(set * repetitions..(set + 1) * repetitions).into_iter().flatten();
        for (run, (sum, count)) in (point * study.repetitions()..).zip(row) {
            if let Some(value) = results.value(run, measure) {
                *sum += value;
                *count += 1;
            }
        }
    }
    let effect = |(points, sums): (u64, &[(f64, u64)])| {
        let (sum, count) = sums.iter().fold((0.0, 0), |(sum, count), part| (sum + part.0, count + part.1));
        let whole = sums.iter().filter(|(_, count)| *count == points && points > 0);
        let means: Vec<f64> = whole.map(|(sum, count)| sum / *count as f64).collect();
        Effect { mean: (count > 0).then(|| sum / count as f64), ci99: half_width(&means, CONFIDENCE) }
    };
    points.into_iter().zip(sums.chunks(repetitions)).map(effect).collect()
}

/// A number as a name: four digits.
fn short(number: f64) -> String {
    let text = format!("{number:.3e}").parse::<f64>().unwrap_or(number);
    format!("{text}")
}
