//! Laws as times until a Markov chain ends.

use super::Law;

/// Markov chain of a few transient states, the phases, in each of which it may end. The law is that of the time until
/// it does.
///
/// Rates are kept apart from one another, so that nothing is subtracted and small ones keep their digits.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Phases {
    /// Probability of each phase at the beginning.
    pub(super) initial: Vec<f64>,
    /// Rates from phase to phase, row by row; 0 on the diagonal.
    pub(super) rates: Vec<Vec<f64>>,
    /// Rate at which the chain ends, by phase.
    pub(super) exits: Vec<f64>,
}

/// Largest rounding error of a row of a generator whose sum should be 0, relative to the row's diagonal.
pub(super) const ROUNDING: f64 = 1e-9;

impl Law {
    /// Returns the probabilities of phases at the beginning, and the sub-generator, of a law of phases or a
    /// hyper-exponential law; `None` for other laws.
    #[must_use]
    pub fn sub_generator(&self) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
        if let Self::HyperExponential { branches } = self {
            let diagonal = |(phase, (_, mean)): (usize, &(f64, f64))| {
                (0..branches.len()).map(|to| if to == phase { -1.0 / mean } else { 0.0 }).collect()
            };
            let initial = branches.iter().map(|(probability, _)| *probability).collect();
            return Some((initial, branches.iter().enumerate().map(diagonal).collect()));
        }
        let phases = self.phases()?;
        let leaving = phases.leaving();
        let mut generator = phases.rates;
        for (phase, (row, leaving)) in generator.iter_mut().zip(leaving).enumerate() {
            if let Some(entry) = row.get_mut(phase) {
                *entry = -leaving;
            }
        }
        Some((phases.initial, generator))
    }

    /// Returns the chain of a law of phases; `None` for other laws.
    pub(super) fn phases(&self) -> Option<Phases> {
        match self {
            Self::HypoExponential { means } => Some(Phases::in_a_row(means, &vec![1.0; means.len().saturating_sub(1)])),
            Self::Coxian { means, onward } => Some(Phases::in_a_row(means, onward)),
            Self::PhaseType { initial, generator } => Some(Phases::of_generator(initial, generator)),
            _ => None,
        }
    }
}

impl Phases {
    /// Creates a chain of phases in a row; `onward` has the probabilities to go on, for each phase but the last.
    fn in_a_row(means: &[f64], onward: &[f64]) -> Self {
        let size = means.len();
        let mut initial = vec![0.0; size];
        if let Some(first) = initial.first_mut() {
            *first = 1.0;
        }
        let goes_on = |phase: usize| onward.get(phase).copied().unwrap_or(0.0);
        let row = |(phase, mean): (usize, &f64)| {
            (0..size).map(|to| if to == phase + 1 { goes_on(phase) / mean } else { 0.0 }).collect()
        };
        let rates = means.iter().enumerate().map(row).collect();
        let exits = means.iter().enumerate().map(|(phase, mean)| (1.0 - goes_on(phase)) / mean).collect();
        Self { initial, rates, exits }
    }

    fn of_generator(initial: &[f64], generator: &[Vec<f64>]) -> Self {
        let mut exits = vec![];
        let mut rates = vec![];
        for (phase, row) in generator.iter().enumerate() {
            let sum: f64 = row.iter().sum();
            let leaving = row.get(phase).copied().unwrap_or(0.0).abs();
            exits.push(if -sum > ROUNDING * leaving { -sum } else { 0.0 });
            rates.push(row.iter().enumerate().map(|(to, &rate)| if to == phase { 0.0 } else { rate }).collect());
        }
        Self { initial: initial.to_vec(), rates, exits }
    }

    /// Returns the rate at which the chain leaves each phase.
    pub(super) fn leaving(&self) -> Vec<f64> {
        self.rates.iter().zip(&self.exits).map(|(row, exit)| row.iter().sum::<f64>() + exit).collect()
    }

    /// Returns mean and mean square of the time until the chain ends; not a number if it may never end.
    pub(super) fn moments(&self) -> (f64, f64) {
        let not_a_number = |_| vec![f64::NAN; self.exits.len()];
        let means = self.until_the_end(&vec![1.0; self.exits.len()]).unwrap_or_else(not_a_number);
        // A mean square is twice the integral of the mean time that is left.
        let squares = self.until_the_end(&means).unwrap_or_else(not_a_number);
        let sum = |of: &[f64]| self.initial.iter().zip(of).map(|(share, value)| share * value).sum::<f64>();
        (sum(&means), 2.0 * sum(&squares))
    }

    /// Returns the mean reward until the chain ends, by the phase at the beginning; `per_time` is the reward in each
    /// phase for a time unit. Eliminates the phases one by one without a subtraction (Grassmann, Taksar and Heyman).
    ///
    /// # Errors
    /// Number of a phase from which the chain cannot end.
    pub(super) fn until_the_end(&self, per_time: &[f64]) -> Result<Vec<f64>, usize> {
        let (mut rates, mut exits, mut rewards) = (self.rates.clone(), self.exits.clone(), per_time.to_vec());
        let mut leaving = vec![0.0; exits.len()];
        for phase in (0..exits.len()).rev() {
            let (before, rest) = rates.split_at_mut(phase);
            let row = rest.first().and_then(|row| row.get(..phase)).unwrap_or(&[]);
            let exit = exits.get(phase).copied().unwrap_or(0.0);
            let reward = rewards.get(phase).copied().unwrap_or(0.0);
            let sum = row.iter().sum::<f64>() + exit;
            if sum <= 0.0 || sum.is_nan() {
                return Err(phase);
            }
            if let Some(entry) = leaving.get_mut(phase) {
                *entry = sum;
            }
            for ((from, exit_of), reward_of) in before.iter_mut().zip(&mut exits).zip(&mut rewards) {
                let share = from.get(phase).copied().unwrap_or(0.0) / sum;
                from.iter_mut().zip(row).for_each(|(entry, rate)| *entry += share * rate);
                *exit_of += share * exit;
                *reward_of += share * reward;
            }
        }
        let mut means: Vec<f64> = vec![];
        for (phase, row) in rates.iter().enumerate() {
            let lower: f64 = row.iter().zip(&means).map(|(rate, mean)| rate * mean).sum();
            let reward = rewards.get(phase).copied().unwrap_or(0.0);
            means.push((reward + lower) / leaving.get(phase).copied().unwrap_or(1.0));
        }
        Ok(means)
    }
}
