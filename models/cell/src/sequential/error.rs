//! Errors of rules.

use imminent_core::fault::NativeFault;
use thiserror::Error;

/// A rule whose evaluation failed, or that keeps time from advancing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("cell {cell} at {time} ms: {reason}")]
pub struct RuleError {
    /// Number of the cell.
    pub cell: u32,
    /// Time, in milliseconds.
    pub time: u64,
    /// The fault of the rule.
    pub reason: Reason,
}

/// Faults of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Reason {
    /// The evaluation failed.
    #[error("{0}")]
    Rule(String),
    /// Pending outputs of a cell add up.
    #[error(
        "{pending} outputs of the cell would be pending, and {most} are the most: give the model the delay `inertial`, or the rule shorter delays"
    )]
    QueueTooLong {
        /// Pending outputs of the cell.
        pending: usize,
        /// Most pending outputs.
        most: usize,
    },
    /// Outputs follow one another at one time without end. The cell is the first of those that are due.
    #[error(
        "time stands still after {rounds} rounds of outputs: give the rule a delay above 0, or the model the delay `inertial` if outputs of transport cells add up"
    )]
    StandsStill {
        /// Rounds of outputs at this time.
        rounds: u32,
    },
}

impl From<String> for Reason {
    fn from(text: String) -> Self {
        Reason::Rule(text)
    }
}

impl Reason {
    /// Describes a fault of a kernel function that was called on the host, with its place in the source.
    pub(crate) fn of_fault(fault: &NativeFault) -> Self {
        let at = fault.at;
        Reason::Rule(format!("{}, at {}:{}:{}: {}", fault.kind, at.file, at.line, at.column, at.text))
    }
}
