//! Checks of the parameters of laws, independent of the tick.

use super::phases::ROUNDING;
use super::{Law, LawError, MAX_PHASES, MAX_SHAPE, MAX_VALUES, MAX_VARIATION, MIN_PARETO_SHAPE, MIN_SHAPE};

/// Largest ratio of the longest mean time until the end of a law of phases to the shortest mean of a phase: 2^24.
const MAX_STIFFNESS: f64 = 16_777_216.0;

impl Law {
    /// Checks the parameters of the law, independent of the length of a tick.
    ///
    /// # Errors
    /// [`LawError`] for a parameter that makes no sense.
    pub fn check(&self) -> Result<(), LawError> {
        let name = self.name();
        match self {
            Self::Exponential { mean } => positive(name, "mean", *mean),
            Self::Deterministic { value } => positive(name, "value", *value),
            Self::Uniform { low, high } => {
                let right = 0.0 <= *low && low <= high && high.is_finite();
                if right { Ok(()) } else { Err(LawError::Interval { low: *low, high: *high }) }
            }
            Self::Empirical { values } => {
                if values.is_empty() || values.len() > MAX_VALUES {
                    return Err(LawError::Values { values: values.len(), limit: MAX_VALUES });
                }
                let wrong = (1..).zip(values).find(|(_, value)| !(value.is_finite() && **value >= 0.0));
                wrong.map_or(Ok(()), |(number, &value)| Err(LawError::Value { number, value }))
            }
            Self::Erlang { stages, mean } => {
                positive(name, "mean", *mean)?;
                within(name, "stages", f64::from(*stages), 1.0, MAX_SHAPE)
            }
            Self::Gamma { shape, mean } | Self::Weibull { shape, mean } => {
                positive(name, "mean", *mean)?;
                within(name, "shape", *shape, MIN_SHAPE, MAX_SHAPE)
            }
            Self::LogNormal { mean, cv } => {
                positive(name, "mean", *mean)?;
                within(name, "cv", *cv, 1e-6, MAX_VARIATION)
            }
            Self::Pareto { shape, mean } => {
                // The mean follows from the shape where another parameter was given.
                within(name, "shape", *shape, MIN_PARETO_SHAPE, MAX_SHAPE)?;
                positive(name, "mean", *mean)
            }
            Self::Triangular { low, mode, high } => {
                let right = 0.0 <= *low && low <= mode && mode <= high && high.is_finite();
                let ends = LawError::Triangle { low: *low, mode: *mode, high: *high };
                if right { positive(name, "high", *high) } else { Err(ends) }
            }
            Self::Normal { location, deviation } => {
                positive(name, "deviation", *deviation)?;
                within(name, "location", *location, 0.0, MAX_SHAPE * deviation)
            }
            Self::HypoExponential { means } => self.check_phases(means.len()).and_then(|()| self.check_means(means)),
            Self::Coxian { means, onward } => {
                self.check_phases(means.len())?;
                self.check_length("onward", onward.len(), means.len() - 1)?;
                self.check_entries("onward", onward, "more than 0 and at most 1", |p| p > 0.0 && p <= 1.0)?;
                self.check_means(means)
            }
            Self::PhaseType { initial, generator } => self.check_generator(initial, generator),
            Self::HyperExponential { branches } => {
                let sum: f64 = branches.iter().map(|(probability, _)| probability).sum();
                let all_positive = branches.iter().all(|(probability, _)| *probability > 0.0);
                if !all_positive || sum.is_nan() || (sum - 1.0).abs() > 1e-9 {
                    return Err(LawError::Branches { sum });
                }
                branches.iter().try_for_each(|(_, mean)| positive(name, "mean", *mean))
            }
        }
    }
}

/// Checks of the lists of laws of phases.
impl Law {
    fn check_phases(&self, phases: usize) -> Result<(), LawError> {
        let right = (1..=MAX_PHASES).contains(&phases);
        if right { Ok(()) } else { Err(LawError::Phases { law: self.name(), phases, limit: MAX_PHASES }) }
    }

    fn check_length(&self, list: &'static str, given: usize, expected: usize) -> Result<(), LawError> {
        if given == expected { Ok(()) } else { Err(LawError::Length { law: self.name(), list, given, expected }) }
    }

    fn check_entries(
        &self,
        list: &'static str,
        entries: &[f64],
        rule: &'static str,
        is_right: impl Fn(f64) -> bool,
    ) -> Result<(), LawError> {
        let wrong = (1..).zip(entries).find(|&(_, &value)| !is_right(value));
        wrong.map_or(Ok(()), |(number, &value)| Err(LawError::Entry { law: self.name(), list, number, value, rule }))
    }

    fn check_means(&self, means: &[f64]) -> Result<(), LawError> {
        self.check_entries("means", means, "a finite number of time units above 0", |mean| {
            mean.is_finite() && mean > 0.0
        })?;
        self.check_ends()
    }

    fn check_generator(&self, initial: &[f64], generator: &[Vec<f64>]) -> Result<(), LawError> {
        self.check_phases(initial.len())?;
        self.check_entries("initial", initial, "a probability, 0 to 1", |p| (0.0..=1.0).contains(&p))?;
        let sum: f64 = initial.iter().sum();
        if (sum - 1.0).abs() > 1e-9 {
            return Err(LawError::Sum { law: self.name(), list: "initial", sum });
        }
        self.check_length("generator", generator.len(), initial.len())?;
        for (phase, row) in generator.iter().enumerate() {
            self.check_length("generator", row.len(), initial.len())?;
            let (number, leaving) = (phase + 1, -row.get(phase).copied().unwrap_or(0.0));
            let rates = row.iter().enumerate().filter(|(to, _)| *to != phase);
            let right = leaving.is_finite() && leaving > 0.0 && rates.into_iter().all(|(_, &rate)| rate >= 0.0);
            let sum: f64 = row.iter().sum();
            if !right || sum.is_nan() || sum > ROUNDING * leaving {
                return Err(LawError::Generator { row: number, sum });
            }
        }
        self.check_ends()
    }

    /// Checks that every phase leads to the end, in a time that can be computed.
    fn check_ends(&self) -> Result<(), LawError> {
        let Some(phases) = self.phases() else { return Ok(()) };
        let leaving = phases.leaving();
        let left = phases
            .until_the_end(&vec![1.0; leaving.len()])
            .map_err(|phase| LawError::NeverEnds { law: self.name(), phase: phase + 1 })?;
        let (longest, fastest) = (left.into_iter().fold(0.0, f64::max), leaving.into_iter().fold(0.0, f64::max));
        let ratio = longest * fastest;
        if ratio <= MAX_STIFFNESS {
            return Ok(());
        }
        Err(LawError::Stiff { law: self.name(), ratio, limit: MAX_STIFFNESS })
    }
}

fn positive(law: &'static str, parameter: &'static str, value: f64) -> Result<(), LawError> {
    if value.is_finite() && value > 0.0 { Ok(()) } else { Err(LawError::NotPositive { law, parameter, value }) }
}

fn within(law: &'static str, parameter: &'static str, value: f64, low: f64, high: f64) -> Result<(), LawError> {
    if (low..=high).contains(&value) { Ok(()) } else { Err(LawError::OutOfRange { law, parameter, value, low, high }) }
}
