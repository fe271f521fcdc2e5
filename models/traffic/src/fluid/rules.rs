//! Rules in which the authors' simulator, or another TCP, differs from the paper.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Effect of losses on a window.
///
/// The defaults are those of the paper. [`Rules::prime`] has those of the authors' simulator, PRIME.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Divisor of the window at a loss: the window shrinks by `W / divisor` (equation 1).
    #[schemars(range(min = 1.0, max = 1000.0))]
    pub divisor: f64,
    /// Number of losses that a session sees for each loss in a queue.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub losses_seen: f64,
    /// Counting of several losses in one round trip.
    pub recovery: Recovery,
}

/// Reaction of a session to several losses in one round trip.
///
/// Suppose a session sends `a = W/R` packets per second, of which `λ` are lost. Then a share of `1 - (1 - λ/a)^(aR)` of
/// its round trips has a loss. If all losses of a round trip cause one decrease, equation 1 has
/// `λ' = [1 - (1 - λ/a)^(aR)] / R` instead of `λ`. (In place of `a`, PRIME uses the arrivals and losses at the last
/// link at the time of `λ`. Both are equal in a steady state.)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Recovery {
    /// Every loss shrinks the window, as in the paper.
    #[default]
    Reno,
    /// Several losses of one round trip shrink the window once.
    NewReno,
    /// Same as NewReno: a fluid does not show that SACK recovers faster.
    Sack,
}

impl Recovery {
    /// Returns `true` if the losses of one round trip count once.
    pub(super) const fn is_once(self) -> bool {
        matches!(self, Self::NewReno | Self::Sack)
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self { divisor: 2.0, losses_seen: 1.0, recovery: Recovery::Reno }
    }
}

/// Error of a rule whose value is out of range.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("a rule '{rule}' of {value} is not possible: give {expected}")]
pub struct RuleError {
    /// Name of the rule.
    pub rule: &'static str,
    /// Value of the rule.
    pub value: f64,
    /// Allowed values.
    pub expected: &'static str,
}

impl Rules {
    /// Returns the rules of the authors' simulator: a window shrinks by two thirds, and every loss counts twice.
    #[must_use]
    pub const fn prime() -> Self {
        Self { divisor: 1.5, losses_seen: 2.0, recovery: Recovery::Reno }
    }

    /// Checks that the values of the rules are in range.
    ///
    /// # Errors
    /// [`RuleError`] for a divisor below 1 or above 1000, and for `losses_seen` not above 0 or above 1000.
    pub fn check(&self) -> Result<(), RuleError> {
        if !(1.0..=1000.0).contains(&self.divisor) {
            return Err(RuleError { rule: "divisor", value: self.divisor, expected: "1 to 1000" });
        }
        if !(self.losses_seen > 0.0 && self.losses_seen <= 1000.0) {
            return Err(RuleError {
                rule: "losses_seen",
                value: self.losses_seen,
                expected: "a number above 0 and at most 1000",
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_make_no_sense_are_told() {
        assert_eq!((Rules::default().check(), Rules::prime().check()), (Ok(()), Ok(())));
        let told = |rules: Rules| rules.check().unwrap_err().to_string();
        for divisor in [0.5, f64::NAN, 1001.0] {
            let text = told(Rules { divisor, ..Rules::default() });
            assert_eq!(text, format!("a rule 'divisor' of {divisor} is not possible: give 1 to 1000"));
        }
        for losses_seen in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let text = told(Rules { losses_seen, ..Rules::default() });
            assert!(text.starts_with(&format!("a rule 'losses_seen' of {losses_seen} is not possible: ")), "{text}");
        }
    }
}
