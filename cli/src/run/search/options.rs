//! Goal of a search: a measure to minimize or to maximize, and limits of others.

use super::super::trials::{TrialArgs, known};
use imminent::models::estimate::Confidence;
use imminent::models::output::selection::{Limit, Rules};
use imminent::models::study::compared::Replications;
use imminent_console::Failure;

pub(super) const MINIMIZE: &str = "minimize";
pub(super) const MAXIMIZE: &str = "maximize";
pub(super) const AT_MOST: &str = "at-most";
pub(super) const AT_LEAST: &str = "at-least";
pub(super) const INDIFFERENCE: &str = "indifference";
pub(super) const FIRST: &str = "first";
pub(super) const MOST: &str = "most";

/// Half of the zone about a limit, as a share of the limit, where none is given.
const ZONE: f64 = 0.05;

/// Goal of a search.
#[derive(Debug, Clone)]
pub(super) struct Goal {
    pub(super) measure: String,
    /// `true` if the mean is to be greatest.
    pub(super) is_maximum: bool,
    /// Limits, each with its measure.
    pub(super) limits: Vec<(String, Limit)>,
}

impl Goal {
    /// Reads the goal from the options.
    pub(super) fn of(args: &TrialArgs) -> Result<Self, Failure> {
        let is_maximum = args.one(MAXIMIZE).is_some();
        let measure = args.one(MAXIMIZE).or_else(|| args.one(MINIMIZE)).unwrap_or("cost").to_owned();
        let of = |option: &'static str| args.all(option).map(move |text| limit(option, text));
        let limits = of(AT_MOST).chain(of(AT_LEAST)).collect::<Result<_, _>>()?;
        Ok(Self { measure, is_maximum, limits })
    }

    /// Returns the rules of the selection.
    pub(super) fn rules(&self, confidence: Confidence, args: &TrialArgs) -> Result<Rules, Failure> {
        let number = |option: &str| {
            let text = args.one(option).unwrap_or_default();
            text.parse().map_err(|_| Failure::usage(format!("--{option} {text}: give a whole number above 0")))
        };
        let text = args.one(INDIFFERENCE).unwrap_or_default();
        let indifference = text.parse().ok().filter(|indifference: &f64| *indifference > 0.0);
        let indifference = indifference.ok_or_else(|| {
            Failure::usage(format!("--{INDIFFERENCE} {text}: give a difference above 0 that is worth detecting"))
        })?;
        let limits = self.limits.iter().map(|(_, limit)| *limit).collect();
        Ok(Rules { confidence, indifference, limits, first: number(FIRST)?, most: number(MOST)? })
    }

    /// Returns the values of some replications, from number `from` up to `to`, in the order of the rules.
    pub(super) fn rows(&self, measured: &Replications, from: usize, to: usize) -> Result<Vec<Vec<f64>>, String> {
        let names: Vec<String> = measured.names().map(str::to_owned).collect();
        let option = if self.is_maximum { MAXIMIZE } else { MINIMIZE };
        known(option, &self.measure, &names).map_err(|error| error.to_string())?;
        for (measure, limit) in &self.limits {
            let option = if limit.is_upper { AT_MOST } else { AT_LEAST };
            known(option, measure, &names).map_err(|error| error.to_string())?;
        }
        let sign = if self.is_maximum { -1.0 } else { 1.0 };
        let measures = [(self.measure.as_str(), sign)].into_iter();
        let measures: Vec<_> = measures.chain(self.limits.iter().map(|(measure, _)| (measure.as_str(), 1.0))).collect();
        let row = |replication: usize| {
            let value = |(measure, sign): &(&str, f64)| {
                let value = measured.values(measure).get(replication - from).copied().flatten();
                let problem = format!("replication {replication} has no value of '{measure}': give a longer horizon");
                value.map(|value| sign * value).ok_or(problem)
            };
            measures.iter().map(value).collect::<Result<Vec<_>, _>>()
        };
        (from..to).map(row).collect()
    }
}

/// Reads a limit.
fn limit(option: &'static str, text: &str) -> Result<(String, Limit), Failure> {
    let wrong = |problem: &str| Failure::usage(format!("--{option} {text}: {problem}"));
    let form = "write it as MEASURE=LIMIT or MEASURE=LIMIT~ZONE, for instance waits_beyond_1=0.1~0.01";
    let (measure, numbers) = text.rsplit_once('=').ok_or_else(|| wrong(form))?;
    let (value, zone) = numbers.split_once('~').map_or((numbers, None), |(value, zone)| (value, Some(zone)));
    let number =
        |text: &str| text.trim().parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| wrong(form));
    let value = number(value)?;
    let tolerance = zone.map_or(Ok(ZONE * value.abs()), number)?;
    if tolerance <= 0.0 {
        return Err(wrong("the zone about the limit is empty: give one as MEASURE=LIMIT~ZONE"));
    }
    Ok((measure.trim().to_owned(), Limit { value, is_upper: option == AT_MOST, tolerance }))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn limits_have_a_zone() {
        let (measure, found) = limit(AT_MOST, "waiting@desk=2").unwrap();
        assert_eq!((measure.as_str(), found), ("waiting@desk", Limit { value: 2.0, is_upper: true, tolerance: 0.1 }));
        let (_, found) = limit(AT_LEAST, "x=0~0.5").unwrap();
        assert_eq!(found, Limit { value: 0.0, is_upper: false, tolerance: 0.5 });
        for wrong in ["x", "x=y", "x=0", "x=1~0", "x=1~z", "x=nan"] {
            assert!(limit(AT_MOST, wrong).unwrap_err().to_string().starts_with(&format!("--at-most {wrong}: ")));
        }
    }
}
