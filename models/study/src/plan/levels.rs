//! The values of an axis.

use super::{MAX_VALUES, accept};
use crate::definition::{Axis, DefinitionError, Spacing};
use crate::description::{Description, Domain};
use crate::value::Value;
use std::collections::HashSet;

/// Digits of values between two ends: fewer than a double has, so that 0.1, 0.2 and so on come out as they are written.
const DIGITS: usize = 12;

/// The greatest whole number below which all are doubles.
const MAX_WHOLE: f64 = 9_007_199_254_740_992.0;

impl Axis {
    /// The values, of which none is there twice; `key` is where the axis stands, `place` that of its parameter.
    pub(super) fn levels(
        &self,
        key: &str,
        description: &Description,
        place: usize,
    ) -> Result<Vec<Value>, DefinitionError> {
        let wrong = |name: &str, problem: String| DefinitionError::value(&format!("{key}.{name}"), problem);
        let (values, from): (_, fn(usize) -> String) = match &self.values {
            Some(values) => {
                let others = [self.from.is_some(), self.to.is_some(), self.step.is_some(), self.count.is_some()];
                if others.contains(&true) || self.spacing.is_some() {
                    let problem =
                        "an axis has values, or a range: remove `values`, or `from`, `to` and what goes with them";
                    return Err(wrong("values", problem.to_owned()));
                }
                if values.is_empty() {
                    return Err(wrong("values", "has no values: give at least one, or remove the axis".to_owned()));
                }
                (values.clone(), |place| format!("values[{place}]"))
            }
            None => (self.range(key, description, place)?, |_| "from".to_owned()),
        };
        if values.len() as u64 > MAX_VALUES {
            return Err(wrong("values", format!("has {} values, of which {MAX_VALUES} are possible", values.len())));
        }
        let mut seen = HashSet::new();
        let mut levels = vec![];
        for (number, value) in values.iter().enumerate() {
            let value = accept(description, place, value).map_err(|problem| wrong(&from(number), problem))?;
            if !seen.insert(value.canonical()) {
                let problem = if self.values.is_some() {
                    format!("{value} is there twice: remove one of them; `repetitions` runs a point several times")
                } else {
                    format!("{value} comes out twice of so many whole numbers: give a smaller `count`")
                };
                let name = if self.values.is_some() { from(number) } else { "count".to_owned() };
                return Err(wrong(&name, problem));
            }
            levels.push(value);
        }
        Ok(levels)
    }

    fn range(&self, key: &str, description: &Description, place: usize) -> Result<Vec<Value>, DefinitionError> {
        let wrong = |name: &str, problem: &str| Err(DefinitionError::value(&format!("{key}.{name}"), problem));
        let (Some(from), Some(to)) = (self.from, self.to) else {
            let problem = "an axis needs `values`, or `from` and `to` with `step` or `count`";
            return Err(DefinitionError::value(key, problem));
        };
        let whole = is_whole(description, place);
        check_ends(key, description, place, from, to)?;
        let numbers = match (self.step, self.count) {
            (Some(_), Some(_)) => {
                return wrong("count", "values are given by `step` or by `count`: remove one of them");
            }
            (None, None) => return wrong("from", "a range needs `step` or `count`: add one of them"),
            (Some(_), None) if self.spacing.is_some() => {
                return wrong("spacing", "goes with `count`: replace `step` by it, or remove `spacing`");
            }
            (Some(step), None) => {
                if !(step.is_finite() && step > 0.0) {
                    return wrong("step", &format!("a step of {step} leads nowhere: give one above 0"));
                }
                if whole && step.fract() != 0.0 {
                    return wrong("step", &format!("{step} is no whole number, which the parameter takes"));
                }
                // Rounding must not lose the last value.
                let steps = ((to - from) / step + 1e-9).floor();
                if steps < 1.0 {
                    return wrong(
                        "step",
                        &format!("a step of {step} is longer than from {from} to {to}: give a shorter one"),
                    );
                }
                if steps >= MAX_VALUES as f64 {
                    return wrong("step", &format!("makes more than {MAX_VALUES} values: give a longer one"));
                }
                (0..=steps as u64).map(|number| rounded(from + number as f64 * step).min(to)).collect::<Vec<_>>()
            }
            (None, Some(count)) => {
                if !(2..=MAX_VALUES).contains(&count) {
                    let problem = format!("{count} values between two ends are not possible: give 2 to {MAX_VALUES}");
                    return wrong("count", &problem);
                }
                let spacing = self.spacing.unwrap_or_default();
                check_log(key, spacing, from)?;
                let last = count - 1;
                let between = |number: u64| match number {
                    0 => from,
                    number if number == last => to,
                    number => rounded(spacing.between(from, to, number as f64 / last as f64)),
                };
                (0..count).map(between).collect()
            }
        };
        let value = |number: f64| if whole { Value::Integer(number.round() as i64) } else { Value::Number(number) };
        Ok(numbers.into_iter().map(value).collect())
    }
}

impl Spacing {
    /// The number that lies such a share of the way between two.
    pub(super) fn between(self, from: f64, to: f64, share: f64) -> f64 {
        match self {
            // So written, it stays finite between any two ends.
            Self::Linear => from * (1.0 - share) + to * share,
            Self::Log => (from.ln() * (1.0 - share) + to.ln() * share).exp(),
        }
        .clamp(from, to)
    }
}

/// Returns `true` if a parameter takes whole numbers.
pub(super) fn is_whole(description: &Description, place: usize) -> bool {
    let domain = description.parameters.get(place).map(|parameter| &parameter.domain);
    matches!(domain, Some(Domain::Integer { .. } | Domain::IntegerOrName { .. } | Domain::Seed))
}

/// Checks that the parameter takes both ends of a range, and that the end is above the beginning.
pub(super) fn check_ends(
    key: &str,
    description: &Description,
    place: usize,
    from: f64,
    to: f64,
) -> Result<(), DefinitionError> {
    let wrong = |name: &str, problem: String| Err(DefinitionError::value(&format!("{key}.{name}"), problem));
    let Some(parameter) = description.parameters.get(place) else { return Ok(()) };
    if matches!(parameter.domain, Domain::Boolean | Domain::Text { .. }) {
        let problem =
            format!("`{}` takes {}: give an axis with `values`", parameter.name, parameter.domain.expectation());
        return wrong("from", problem);
    }
    for (name, end) in [("from", from), ("to", to)] {
        let value = if is_whole(description, place) {
            if end.fract() != 0.0 || end.abs() >= MAX_WHOLE {
                return wrong(name, format!("{end} is not possible: `{}` takes whole numbers", parameter.name));
            }
            Value::Integer(end as i64)
        } else {
            Value::Number(end)
        };
        if let Err(problem) = parameter.accept(&value) {
            return wrong(name, problem);
        }
    }
    if from > to {
        return wrong("to", format!("the range from {from} to {to} is reversed: exchange the two"));
    }
    if from == to {
        return wrong("to", format!("the range from {from} to {to} is empty: give the value under [fixed]"));
    }
    Ok(())
}

/// Checks that the logarithms of a range can be taken, if its spacing needs them.
pub(super) fn check_log(key: &str, spacing: Spacing, from: f64) -> Result<(), DefinitionError> {
    if spacing == Spacing::Log && from <= 0.0 {
        let problem =
            format!("logarithmic spacing from {from} is not possible: begin above 0, or use spacing = 'linear'");
        return Err(DefinitionError::value(&format!("{key}.from"), problem));
    }
    Ok(())
}

/// A number with so many significant digits as people would write.
fn rounded(number: f64) -> f64 {
    format!("{number:.*e}", DIGITS - 1).parse().unwrap_or(number)
}
