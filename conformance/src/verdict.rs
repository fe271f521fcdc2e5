//! Verdicts of cases.

use imminent_core::Error;
use imminent_core::ir::Scalar;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Reason why a case was not executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SkipReason {
    /// The device does not advertise `f64`.
    LacksFloat64,
    /// The device does not advertise `min` and `max` of 64-bit tallies.
    LacksTallyMinMax64,
    /// The device advertises `f64`, so there is no refusal to check.
    HasFloat64,
    /// The device advertises `min` and `max` of 64-bit tallies, so there is no refusal to check.
    HasTallyMinMax64,
    /// The probe found that subnormal `f32` are flushed.
    FlushesSubnormals32,
    /// The probe found that subnormal `f64` are flushed.
    FlushesSubnormals64,
    /// The probe found that NaN or infinities of `f32` are not kept.
    LacksNonFinite32,
    /// The probe found that NaN or infinities of `f64` are not kept.
    LacksNonFinite64,
    /// The probe found that `f32` is rounded incorrectly, fused or rearranged, so this result has no fixed bits.
    RoundsOtherwise32,
    /// The probe found that `f64` is rounded incorrectly, fused or rearranged, so this result has no fixed bits.
    RoundsOtherwise64,
    /// Every value that the case could compare needs a property that the float probe denies.
    NothingComparable,
    /// The device binds fewer tables and tallies at once than the case needs.
    LacksBindings,
    /// The platform starts no threads, which programs that are started and submissions that are awaited need.
    LacksThreads,
    /// The device ends loops of many rounds early, and reports this as a fault.
    CutsLongLoops,
    /// An [`Expectation`](crate::Expectation) tells that the case does not end, or ends the process. The note of the
    /// case is its reference.
    KnownNotToEnd,
    /// The case takes long and belongs to a full run.
    QuickMode,
}

impl SkipReason {
    /// Returns the reason as a clause for display.
    #[must_use]
    pub const fn explanation(self) -> &'static str {
        match self {
            SkipReason::LacksFloat64 => "the device has no f64",
            SkipReason::LacksTallyMinMax64 => "the device has no min and max for 64-bit tallies",
            SkipReason::HasFloat64 => "the device has f64, so there is no refusal to check",
            SkipReason::HasTallyMinMax64 => {
                "the device has min and max for 64-bit tallies, so there is no refusal to check"
            }
            SkipReason::FlushesSubnormals32 => "the device flushes subnormal f32",
            SkipReason::FlushesSubnormals64 => "the device flushes subnormal f64",
            SkipReason::LacksNonFinite32 => "the device does not keep NaN or infinity of f32",
            SkipReason::LacksNonFinite64 => "the device does not keep NaN or infinity of f64",
            SkipReason::RoundsOtherwise32 => {
                "the device does not round f32 correctly, or fuses or rearranges operations"
            }
            SkipReason::RoundsOtherwise64 => {
                "the device does not round f64 correctly, or fuses or rearranges operations"
            }
            SkipReason::NothingComparable => "the float probe denies everything that could be compared",
            SkipReason::LacksBindings => "the device binds fewer tables and tallies to a kernel than the case needs",
            SkipReason::LacksThreads => "the platform has one thread, and a queue needs another for it",
            SkipReason::CutsLongLoops => "the device ends loops of many rounds early (a fault tells so)",
            SkipReason::KnownNotToEnd => "the driver is known not to end it, or to end the process (see the notes)",
            SkipReason::QuickMode => "it takes long: run the full suite",
        }
    }

    pub(crate) const fn flushes_subnormals(scalar: Scalar) -> SkipReason {
        match scalar {
            Scalar::F64 => SkipReason::FlushesSubnormals64,
            _ => SkipReason::FlushesSubnormals32,
        }
    }

    pub(crate) const fn lacks_non_finite(scalar: Scalar) -> SkipReason {
        match scalar {
            Scalar::F64 => SkipReason::LacksNonFinite64,
            _ => SkipReason::LacksNonFinite32,
        }
    }

    pub(crate) const fn rounds_otherwise(scalar: Scalar) -> SkipReason {
        match scalar {
            Scalar::F64 => SkipReason::RoundsOtherwise64,
            _ => SkipReason::RoundsOtherwise32,
        }
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.explanation())
    }
}

/// Reasons for a case to end early.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// The case failed; the text names the expected and the found value.
    Fail(String),
    /// The case cannot be tried here.
    Skip(SkipReason),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        match error {
            Error::NoThreads { .. } => Stop::Skip(SkipReason::LacksThreads),
            error => Stop::Fail(format!("an error where there should be none: {error}")),
        }
    }
}

pub(crate) type Verdict = Result<(), Stop>;

/// Returns a failure.
pub(crate) fn fail<T>(message: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Fail(message.into()))
}

/// Fails unless `condition`.
pub(crate) fn ensure(condition: bool, message: impl FnOnce() -> String) -> Verdict {
    if condition { Ok(()) } else { Err(Stop::Fail(message())) }
}

/// Fails unless the two are equal.
pub(crate) fn equal<T: PartialEq + fmt::Debug>(what: &str, found: &T, expected: &T) -> Verdict {
    ensure(found == expected, || format!("{what}: expected {expected:?}, found {found:?}"))
}

/// Fails unless the two are equal element by element; names the first that differs.
pub(crate) fn equal_slices<T: PartialEq + fmt::Debug>(what: &str, found: &[T], expected: &[T]) -> Verdict {
    if let Some(row) = found.iter().zip(expected).position(|(f, e)| f != e) {
        let differing = found.iter().zip(expected).filter(|(f, e)| f != e).count();
        return fail(format!(
            "{what}, row {row}: expected {:?}, found {:?} ({differing} of {} rows differ)",
            expected[row],
            found[row],
            expected.len()
        ));
    }
    equal(&format!("{what}: number of rows"), &found.len(), &expected.len())
}

/// Fails unless the call failed; returns its error.
pub(crate) fn error_of<T>(what: &str, result: Result<T, Error>) -> Result<Error, Stop> {
    match result {
        Ok(_) => fail(format!("{what}: expected an error, found that it succeeded")),
        Err(error) => Ok(error),
    }
}

/// Fails unless the call failed with the right kind of error.
pub(crate) fn refused<T>(what: &str, result: Result<T, Error>, kind: &str, right: impl Fn(&Error) -> bool) -> Verdict {
    let error = error_of(what, result)?;
    ensure(right(&error), || format!("{what}: expected {kind}, found: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_that_needs_threads_is_skipped_where_there_are_none() {
        let (what, remedy) = ("a program".to_owned(), "run it".to_owned());
        let stop = Stop::from(Error::NoThreads { what, remedy });
        assert!(matches!(stop, Stop::Skip(SkipReason::LacksThreads)), "{stop:?}");
        assert!(matches!(Stop::from(Error::invalid("thread", "the system has too many")), Stop::Fail(_)));
    }
}
