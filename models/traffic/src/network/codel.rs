//! Controlled delay: CoDel (RFC 8289), and CoDel on a queue for each flow, FqCoDel (RFC 8290).

use super::error::NetworkError;
use crate::units::seconds;
use serde::{Deserialize, Serialize};

/// Longest target and interval, in nanoseconds.
const LONGEST: u64 = 1000 * crate::units::NANOSECONDS;

/// Smallest quantum, in bytes. A link looks at each of its queues once for every quantum of a packet.
pub const MIN_QUANTUM: u32 = 64;

/// Largest quantum, in bytes: the largest packet.
pub const MAX_QUANTUM: u32 = 1 << 20;

/// Largest number of queues of a link.
pub const MAX_QUEUES: u32 = 1 << 16;

/// CoDel: once packets have waited longer than a target for a whole interval, packets are dropped as they leave the
/// queue, at growing frequency, until one has waited for less. Times are in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Codel {
    /// Wait that is accepted for longer than an interval.
    pub target: u64,
    /// Time within which the shortest wait is looked for. It is about the longest round trip of the flows.
    pub interval: u64,
}

impl Default for Codel {
    /// Returns the 5 ms and 100 ms of RFC 8289.
    fn default() -> Self {
        Self { target: 5_000_000, interval: 100_000_000 }
    }
}

/// FqCoDel: each flow has a queue of its own, by a hash, and the queues are served in turn, new ones first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FqCodel {
    /// CoDel of each queue.
    pub codel: Codel,
    /// Number of bytes that a queue sends in its turn; those of a standard packet if not given.
    pub quantum: Option<u32>,
    /// Number of queues. Flows with the same hash share one.
    pub queues: u32,
}

impl Default for FqCodel {
    /// Returns the 1,024 queues of RFC 8290.
    fn default() -> Self {
        Self { codel: Codel::default(), quantum: None, queues: 1024 }
    }
}

impl Codel {
    /// Checks that the times are in range.
    ///
    /// # Errors
    /// [`NetworkError::Codel`] for an interval that is 0 or above 1000 s, and for a target that is 0 or longer.
    pub fn check(&self) -> Result<(), NetworkError> {
        let Self { target, interval } = *self;
        if !(1..=LONGEST).contains(&interval) {
            let expected = "above 0 and at most 1000 s, about the longest round trip";
            return Err(NetworkError::Codel {
                parameter: "interval",
                value: format!("{} s", seconds(interval)),
                expected,
            });
        }
        if !(1..=interval).contains(&target) {
            let expected = "above 0 and at most 'interval', such as a twentieth of it";
            return Err(NetworkError::Codel { parameter: "target", value: format!("{} s", seconds(target)), expected });
        }
        Ok(())
    }
}

impl FqCodel {
    /// Checks that the parameters are in range.
    ///
    /// # Errors
    /// [`NetworkError::Codel`] for times that [`Codel::check`] refuses, a quantum outside of 64 bytes to 1 MiB, and no
    /// or more than 65,536 queues.
    pub fn check(&self) -> Result<(), NetworkError> {
        self.codel.check()?;
        if let Some(quantum) = self.quantum.filter(|quantum| !(MIN_QUANTUM..=MAX_QUANTUM).contains(quantum)) {
            let expected = "64 to 1048576 bytes, such as those of a packet";
            return Err(NetworkError::Codel { parameter: "quantum", value: format!("{quantum} bytes"), expected });
        }
        if !(1..=MAX_QUEUES).contains(&self.queues) {
            let expected = "from 1 to 65536";
            return Err(NetworkError::Codel { parameter: "queues", value: self.queues.to_string(), expected });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_parameters_are_told() {
        assert_eq!(FqCodel::default().check(), Ok(()));
        let codel = |target, interval| FqCodel { codel: Codel { target, interval }, ..FqCodel::default() };
        assert_eq!(codel(7, 7).check(), Ok(()));
        for (wrong, expected) in [
            (codel(1, 0), "'interval' of CoDel is 0 s: it must be above 0"),
            (codel(1, LONGEST + 1), "'interval' of CoDel is 1000.000000001 s: it must be above 0"),
            (codel(0, 7), "'target' of CoDel is 0 s: it must be above 0 and at most 'interval'"),
            (codel(8_000_000_000, 7), "'target' of CoDel is 8 s"),
            (FqCodel { quantum: Some(63), ..FqCodel::default() }, "'quantum' of CoDel is 63 bytes: it must be 64"),
            (FqCodel { quantum: Some(MAX_QUANTUM + 1), ..FqCodel::default() }, "'quantum' of CoDel is 1048577 bytes"),
            (FqCodel { queues: 0, ..FqCodel::default() }, "'queues' of CoDel is 0: it must be from 1 to 65536"),
            (FqCodel { queues: MAX_QUEUES + 1, ..FqCodel::default() }, "'queues' of CoDel is 65537"),
        ] {
            let error = wrong.check().unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}\ninstead of\n{expected}");
        }
    }
}
