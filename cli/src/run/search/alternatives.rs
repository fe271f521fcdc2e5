//! Alternatives of a search: all combinations of the values of some keys.

use super::super::trials::{TrialArgs, Variant, separated};
use super::linked::Linked;
use imminent_console::Failure;

/// Option with a key and its values.
pub(super) const OVER: &str = "over";

/// Largest number of alternatives, each of which is compared with each.
const MAX_ALTERNATIVES: usize = 1_000;

/// Returns the alternatives, the values of the last key varying fastest.
pub(super) fn alternatives(base: &Variant, args: &TrialArgs) -> Result<Vec<Variant>, Failure> {
    let axes = args.all(OVER).map(axis).collect::<Result<Vec<_>, _>>()?;
    let count = axes.iter().map(|(_, values)| values.len()).fold(1, usize::saturating_mul);
    if count > MAX_ALTERNATIVES {
        let problem = "each is compared with each: give fewer values";
        return Err(Failure::usage(format!(
            "--{OVER}: {count} alternatives are more than {MAX_ALTERNATIVES}, and {problem}"
        )));
    }
    let mut all = vec![Draft::default()];
    for (keys, values) in &axes {
        let with = |before: &Draft| values.iter().map(|value| before.and(keys, value)).collect::<Vec<_>>();
        all = all.iter().flat_map(with).collect::<Result<_, _>>()?;
    }
    all.into_iter().map(|Draft { names, values }| base.with(names.join(", "), values, OVER)).collect()
}

/// Alternative of which some keys have their values.
#[derive(Default)]
struct Draft {
    /// First of the keys of each axis, with its value.
    names: Vec<String>,
    values: Vec<(String, String)>,
}

impl Draft {
    /// Returns this alternative with a value of more keys.
    fn and(&self, keys: &Linked, value: &str) -> Result<Self, Failure> {
        let more = keys.values(value).ok_or_else(|| {
            let problem =
                "nothing can be added to what is no whole number: give whole numbers, or the keys without sums";
            Failure::usage(format!("--{OVER} {value}: {problem}"))
        })?;
        let name = more.first().map(|(key, value)| format!("{key}={value}"));
        let names = self.names.iter().cloned().chain(name).collect();
        Ok(Self { names, values: self.values.iter().cloned().chain(more).collect() })
    }
}

/// Reads keys and their values.
fn axis(text: &str) -> Result<(Linked, Vec<String>), Failure> {
    let wrong = |problem: &str| Failure::usage(format!("--{OVER} {text}: {problem}"));
    let form = "write it as KEY=FROM..TO, KEY=FROM..TO..STEP or KEY=VALUE,VALUE,..., for instance network.node[0].servers=8..14";
    let (keys, values) = text.split_once('=').ok_or_else(|| wrong(form))?;
    let keys = Linked::read(keys).ok_or_else(|| wrong("write linked keys as KEY & KEY or KEY & KEY - 2"))?;
    let ends: Vec<&str> = values.split("..").collect();
    let values = match ends.as_slice() {
        [list] => {
            separated(list).into_iter().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty()).collect()
        }
        [from, to, step @ ..] if step.len() < 2 => {
            let whole = |text: &str| text.trim().parse::<i64>().map_err(|_| wrong(form));
            let (from, to, step) = (whole(from)?, whole(to)?, step.first().map_or(Ok(1), |step| whole(step))?);
            if step <= 0 || to < from {
                return Err(wrong("the first value is the least, and the step is above 0"));
            }
            if (i128::from(to) - i128::from(from)) / i128::from(step) >= MAX_ALTERNATIVES as i128 {
                return Err(wrong("these are more than 1000 values, each of which is compared with each: give fewer"));
            }
            (from..=to).step_by(step.unsigned_abs() as usize).map(|value| value.to_string()).collect()
        }
        _ => return Err(wrong(form)),
    };
    let values: Vec<String> = values;
    if values.is_empty() { Err(wrong("give at least one value")) } else { Ok((keys, values)) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn ranges_and_lists_have_values() {
        let values = |text: &str| axis(text).map(|(_, values)| values).map_err(|error| error.to_string());
        assert_eq!(values("a[0].b=8..10").unwrap(), ["8", "9", "10"]);
        assert_eq!(values("a=10..35..10").unwrap(), ["10", "20", "30"]);
        assert_eq!(values("a=1, 2.5,[1, 2]").unwrap(), ["1", "2.5", "[1, 2]"]);
        for wrong in ["a", "a=3..2", "a=1..5..0", "a=1..2..3..4", "a=x..2", "a=", "a=0..9000000000000000000"] {
            assert!(values(wrong).unwrap_err().starts_with(&format!("--over {wrong}: ")), "{wrong}");
        }
    }
}
