//! Where the authors' simulator, or another TCP, differs from the paper.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What a loss does to a window.
///
/// The defaults are the paper's. The authors' simulator, PRIME, has [`Rules::prime`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// By what a window is divided, so to speak: it shrinks by `W / divisor` at a loss (equation 1).
    pub divisor: f64,
    /// How many losses a session sees for each that a queue makes.
    pub losses_seen: f64,
    /// Whether losses of one round trip count one by one.
    pub recovery: Recovery,
}

/// How a session gets over several losses.
///
/// With `a = W/R` packets per second of a session, of which `λ` are lost, `1 - (1 - λ/a)^(aR)` of its round trips lose something. Where one decrease is all that the losses of a round trip
/// bring about, equation 1 has `λ' = [1 - (1 - λ/a)^(aR)] / R` instead of `λ`. (PRIME has in place of `a` what came and what was lost at the last link when `λ` was, which is the same
/// while nothing changes.)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recovery {
    /// Every loss makes the window smaller: the paper's.
    #[default]
    Reno,
    /// Losses of one round trip make it smaller once.
    NewReno,
    /// The same: what SACK has beyond NewReno, that it is over sooner, a fluid does not know.
    Sack,
}

impl Recovery {
    /// Whether losses of one round trip count once.
    pub(super) const fn is_once(self) -> bool {
        matches!(self, Self::NewReno | Self::Sack)
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self { divisor: 2.0, losses_seen: 1.0, recovery: Recovery::Reno }
    }
}

/// A rule that makes no sense.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("a rule '{rule}' of {value} is not possible: give {expected}")]
pub struct RuleError {
    /// Its name.
    pub rule: &'static str,
    /// Its value.
    pub value: f64,
    /// What it may be.
    pub expected: &'static str,
}

impl Rules {
    /// What the authors' simulator does: a window shrinks by two thirds, and every loss counts twice.
    #[must_use]
    pub const fn prime() -> Self {
        Self { divisor: 1.5, losses_seen: 2.0, recovery: Recovery::Reno }
    }

    /// Whether the rules make sense.
    ///
    /// # Errors
    /// [`RuleError`] for a divisor below 1 or above 1000, and for losses seen that are not above 0 and at most 1000.
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
