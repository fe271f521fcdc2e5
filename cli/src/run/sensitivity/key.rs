//! Keys of which measures are differentiated.

use super::super::trials::Variant;
use imminent::models::study::Value;
use imminent::models::study::description::Domain;
use imminent_console::Failure;

/// Option that names a key.
pub(super) const OF: &str = "of";

/// Key whose value is lowered and raised.
#[derive(Debug, Clone)]
pub(super) struct Varied {
    pub(super) key: String,
    /// Value in the configuration; 1 for a factor.
    pub(super) value: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) kind: Kind,
}

/// Kind of the value that is lowered and raised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Whole number.
    Whole,
    /// Any number.
    Number,
    /// Factor of all numbers of a list.
    Factor,
}

/// Reads a key that is given as `KEY` or `KEY=STEP`.
pub(super) fn varied(base: &Variant, text: &str, share: f64) -> Result<Varied, Failure> {
    let wrong = |problem: String| Failure::usage(format!("--{OF} {text}: {problem}"));
    let (key, step) = text.split_once('=').map_or((text, None), |(key, step)| (key, Some(step)));
    let domain = base.configuration.keys().key(key).and_then(|key| key.domain);
    let (value, kind) = match base.configuration.value(key) {
        Some(Value::Integer(value)) if !matches!(domain, Some(Domain::Number { .. })) => (value as f64, Kind::Whole),
        Some(Value::Integer(value)) => (value as f64, Kind::Number),
        Some(Value::Number(value)) => (value, Kind::Number),
        Some(other) => return Err(wrong(format!("its value is {other}, and no number that could be raised"))),
        None => match base.configuration.scaled(key, 1.0) {
            Ok(_) => (1.0, Kind::Factor),
            Err(Some(what)) => {
                let problem = format!("its value is {what}, and no number that could be raised: name a key in it");
                return Err(wrong(problem));
            }
            Err(None) => {
                let problem = format!("{} gives it no value: give one by --set {key}=VALUE", base.name);
                return Err(wrong(problem));
            }
        },
    };
    let is_whole = kind == Kind::Whole;
    let step = match step {
        Some(step) => {
            let step = step.parse().ok().filter(|step: &f64| step.is_finite() && *step > 0.0);
            step.ok_or_else(|| wrong("give a step above 0".to_owned()))?
        }
        None if is_whole => 1.0,
        None => share * value.abs(),
    };
    if is_whole && step.fract() != 0.0 {
        return Err(wrong("it takes whole numbers: give a whole step".to_owned()));
    }
    if step == 0.0 {
        return Err(wrong("a share of 0 is no step: give one as KEY=STEP".to_owned()));
    }
    Ok(Varied { key: key.to_owned(), value, low: value - step, high: value + step, kind })
}

impl Varied {
    /// Returns the configuration with the lower value.
    pub(super) fn low(&self, base: &Variant) -> Result<Variant, Failure> {
        self.at(base, self.low)
    }

    /// Returns the configuration with the higher value.
    pub(super) fn high(&self, base: &Variant) -> Result<Variant, Failure> {
        self.at(base, self.high)
    }

    /// Takes the value itself for the lower one.
    pub(super) fn begin_at_value(&mut self) {
        self.low = self.value;
    }

    /// Returns `true` if the lower value is that of the configuration.
    pub(super) fn begins_at_value(&self) -> bool {
        self.low == self.value
    }

    fn at(&self, base: &Variant, value: f64) -> Result<Variant, Failure> {
        let text = match self.kind {
            Kind::Factor => base.configuration.scaled(&self.key, value).unwrap_or_default(),
            Kind::Whole | Kind::Number => value.to_string(),
        };
        base.with(format!("{}={text}", self.key), vec![(self.key.clone(), text)], OF)
    }
}
