//! Effects of single parameters and of pairs of them: main effects and interactions.
//!
//! The effect of a parameter's value is the mean of a measure over all points with that value, whatever the values of
//! the other parameters. Each repetition gives one mean over those points. Repetitions are independent of each other
//! even where points share random numbers, so their means give the effect's confidence interval.

use super::plan::Study;
use super::results::{Results, mean};
use super::value::Value;
use imminent_common::estimate::{Interval, half_width};
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// A parameter that varies, and its values, or groups of neighbouring values where there are many.
#[derive(Debug, Clone, PartialEq)]
pub struct Factor {
    /// The parameter's place in the description.
    pub parameter: usize,
    /// The levels, from the least on where they are numbers.
    pub levels: Vec<Level>,
    /// The level of each row of the axis or sample that has the parameter.
    level_of: Vec<usize>,
    /// Neighbouring points with one row.
    stride: u64,
}

/// A value of a parameter, or neighbouring values.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Level {
    /// Name of the level.
    pub name: String,
    /// The value, or the mean of the values, if they are numbers.
    pub value: Option<f64>,
}

/// A mean over all runs of some points.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Effect {
    /// The mean; none where no run has a value.
    pub mean: Option<f64>,
    /// Interval of the mean, from the repetitions that are finished at all these points; without half-width if they are
    /// fewer than two.
    #[serde(flatten)]
    pub interval: Interval,
}

impl Effect {
    /// Returns the half-width of the mean's interval, if there is one.
    #[must_use]
    pub const fn half_width(&self) -> Option<f64> {
        self.interval.half_width
    }
}

impl Factor {
    /// A parameter's levels in a study: its values, if they are at most `most`, or else numbers in so many groups of
    /// about as many points.
    #[must_use]
    pub fn new(study: &Study, parameter: usize, most: usize) -> Self {
        let (values, stride) = study.column(parameter);
        let number = |value: &Value| value.as_number().unwrap_or(0.0);
        let mut distinct = values.clone();
        if values.iter().all(|value| value.as_number().is_some()) {
            distinct.sort_by(|a, b| number(a).total_cmp(&number(b)));
            let all = distinct.clone();
            distinct.dedup();
            if distinct.len() > most {
                let times = study.points() / values.len().max(1) as u64;
                return Self::grouped(parameter, stride, &values, (&all, times), most);
            }
        } else {
            let mut seen = HashSet::new();
            distinct.retain(|value| seen.insert(value.canonical()));
        }
        let places: HashMap<String, usize> =
            (0..).zip(&distinct).map(|(place, value)| (value.canonical(), place)).collect();
        let level_of = values.iter().map(|value| places.get(&value.canonical()).copied().unwrap_or(0)).collect();
        let level = |value: &&Value| Level { name: value.to_string(), value: value.as_number() };
        Self { parameter, levels: distinct.iter().map(level).collect(), level_of, stride }
    }

    /// Groups of neighbouring values; equal values are in one group. Each of the sorted values is at so many points.
    fn grouped(
        parameter: usize,
        stride: u64,
        values: &[&Value],
        (sorted, times): (&[&Value], u64),
        groups: usize,
    ) -> Self {
        let number = |value: &Value| value.as_number().unwrap_or(0.0);
        // The greatest value of each group, by how many points there are.
        let end = |group: u64| {
            let points = sorted.len() as u64 * times;
            let last = (group * points / groups as u64).saturating_sub(1) / times.max(1);
            sorted.get(last as usize).map(|value| number(value))
        };
        let mut ends: Vec<f64> = (1..=groups as u64).filter_map(end).collect();
        ends.dedup();
        let level_of: Vec<usize> =
            values.iter().map(|value| ends.partition_point(|end| *end < number(value))).collect();
        let mut members = vec![vec![]; ends.len()];
        for (value, level) in values.iter().zip(&level_of) {
            members.get_mut(*level).into_iter().for_each(|members| members.push(number(value)));
        }
        let level = |members: Vec<f64>| {
            let ends = members.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(*v), b.max(*v)));
            Level { name: format!("{} to {}", short(ends.0), short(ends.1)), value: mean(&members) }
        };
        Self { parameter, levels: members.into_iter().map(level).collect(), level_of, stride }
    }

    /// The level of a point.
    fn level(&self, point: u64) -> Option<usize> {
        let row = (point / self.stride).checked_rem(self.level_of.len() as u64)?;
        self.level_of.get(row as usize).copied()
    }

    /// Returns the effect of each level on a measure.
    #[must_use]
    pub fn effects(&self, study: &Study, results: &Results, measure: usize) -> Vec<Effect> {
        effects(study, results, measure, self.levels.len(), |point| self.level(point))
    }

    /// Returns the effect on a measure of each pair of a level of this one and of another: a row for each level of this
    /// one.
    #[must_use]
    pub fn interaction(&self, other: &Self, study: &Study, results: &Results, measure: usize) -> Vec<Vec<Effect>> {
        let width = other.levels.len().max(1);
        let cell = |point: u64| Some(self.level(point)? * width + other.level(point)?);
        let effects = effects(study, results, measure, self.levels.len() * width, cell);
        effects.chunks(width).map(<[_]>::to_vec).collect()
    }
}

/// Returns the inert parameters of a finished study by their places: they vary, and no measure of any run depends on
/// them. Where runs are random and their random numbers not common, an inert parameter is not found.
#[must_use]
pub fn inert(study: &Study, results: &Results) -> Vec<usize> {
    let (repetitions, measures) = (study.repetitions(), study.description().measures.len());
    let values = |point: u64| {
        let runs = point * repetitions..(point + 1) * repetitions;
        runs.flat_map(move |run| (0..measures).map(move |measure| results.value(run, measure).map(f64::to_bits)))
    };
    let is_inert = |place: &usize| {
        let (rows, stride) = study.column(*place);
        let rows = rows.len() as u64;
        // Each point has the values of the one with the parameter's first value and all others the same.
        let mut points = 0..study.points();
        rows > 1 && points.all(|point| values(point).eq(values(point - point / stride % rows * stride)))
    };
    let is_finished = results.done() == results.runs();
    if is_finished { study.varying().into_iter().filter(is_inert).collect() } else { vec![] }
}

/// Repetitions whose sums are held at a time.
const BLOCK: u64 = 4096;

/// The effect of each of so many sets of points; `set_of` says in which a point is.
fn effects(
    study: &Study,
    results: &Results,
    measure: usize,
    sets: usize,
    set_of: impl Fn(u64) -> Option<usize>,
) -> Vec<Effect> {
    let repetitions = study.repetitions();
    let mut points = vec![0_u64; sets];
    (0..study.points())
        .filter_map(&set_of)
        .for_each(|set| points.get_mut(set).into_iter().for_each(|count| *count += 1));
    // Of each set: sum and count of all values, and the means of repetitions that are finished at all its points.
    let mut found: Vec<(f64, u64, Vec<f64>)> = vec![(0.0, 0, vec![]); sets];
    for first in (0..repetitions).step_by(BLOCK as usize) {
        let block = first..repetitions.min(first + BLOCK);
        let width = (block.end - block.start) as usize;
        let mut sums = vec![(0.0, 0_u64); sets * width];
        for point in 0..study.points() {
            let Some(set) = set_of(point) else { continue };
            let row = sums.get_mut(set * width..(set + 1) * width).into_iter().flatten();
            for (repetition, (sum, count)) in block.clone().zip(row) {
                if let Some(value) = results.value(point * repetitions + repetition, measure) {
                    *sum += value;
                    *count += 1;
                }
            }
        }
        for ((points, (sum, count, means)), sums) in points.iter().zip(&mut found).zip(sums.chunks(width)) {
            for part in sums {
                *sum += part.0;
                *count += part.1;
            }
            let whole = sums.iter().filter(|(_, count)| count == points && *points > 0);
            means.extend(whole.map(|(sum, count)| sum / *count as f64));
        }
    }
    let confidence = study.confidence();
    let effect = |(sum, count, means): (f64, u64, Vec<f64>)| Effect {
        mean: (count > 0).then(|| sum / count as f64),
        interval: confidence.interval(half_width(&means, confidence.level())),
    };
    found.into_iter().map(effect).collect()
}

/// A number as a name: four digits.
fn short(number: f64) -> String {
    let text = format!("{number:.3e}").parse::<f64>().unwrap_or(number);
    format!("{text}")
}
