//! Comparison of rows: integers bit by bit, floats as precisely as the device's probe allows.

use crate::case::{SkipReason, Stop, Verdict, fail};
use crate::context::Context;
use imminent_core::ir::{Column, Scalar};
use imminent_core::{Determinism, FloatProbe, Row};
use std::collections::BTreeMap;

/// Kinds of float operations of a kernel, which determine the precision of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Floats {
    /// No rounding: the bits are those of the CPU.
    Exact,
    /// Bits of a float as an integer: the language only guarantees that a NaN is a NaN.
    Bits,
    /// `+ - *` and conversions: one rounding.
    Basic,
    /// `/`.
    Division,
    /// `sqrt`.
    SquareRoot,
    /// Several operations, which must not be fused.
    Several,
}

impl Floats {
    /// Returns `true` if the probe guarantees the exact bits.
    pub(crate) fn fixed(self, probe: &FloatProbe) -> bool {
        match self {
            Floats::Exact | Floats::Bits => true,
            Floats::Basic => probe.basic_correct,
            Floats::Division => probe.division_correct,
            Floats::SquareRoot => probe.sqrt_correct,
            Floats::Several => {
                probe.basic_correct
                    && probe.division_correct
                    && probe.sqrt_correct
                    && !probe.contracts
                    && !probe.rearranges
            }
        }
    }
}

/// Special values of a float type that not every device keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Special {
    non_finite: bool,
    /// Subnormal number, or the least normal number, to which a subnormal may round up before or after it is flushed.
    subnormal: bool,
}

impl Special {
    fn of(scalar: Scalar, bits: u64) -> Special {
        match scalar {
            Scalar::F32 => {
                let x = f32::from_bits(bits as u32);
                Special { non_finite: !x.is_finite(), subnormal: x.is_subnormal() || x.abs() == f32::MIN_POSITIVE }
            }
            Scalar::F64 => {
                let x = f64::from_bits(bits);
                Special { non_finite: !x.is_finite(), subnormal: x.is_subnormal() || x.abs() == f64::MIN_POSITIVE }
            }
            _ => Special::default(),
        }
    }

    /// Returns the reason why such a value cannot be compared, if there is one.
    fn denied(self, scalar: Scalar, probe: &FloatProbe) -> Option<SkipReason> {
        if self.non_finite && !probe.non_finite {
            Some(SkipReason::lacks_non_finite(scalar))
        } else if self.subnormal && !probe.subnormals {
            Some(SkipReason::flushes_subnormals(scalar))
        } else {
            None
        }
    }
}

fn is_nan(scalar: Scalar, bits: u64) -> bool {
    match scalar {
        Scalar::F32 | Scalar::U32 => f32::from_bits(bits as u32).is_nan(),
        Scalar::F64 | Scalar::U64 => f64::from_bits(bits).is_nan(),
        _ => false,
    }
}

/// Returns the distance in units of the last place, with zeros of both signs equal; `None` for a NaN.
fn ulps(scalar: Scalar, a: u64, b: u64) -> Option<u64> {
    if is_nan(scalar, a) || is_nan(scalar, b) {
        return None;
    }
    let line = |bits: u64| match scalar {
        Scalar::F32 => {
            let magnitude = i128::from(bits as u32 & 0x7fff_ffff);
            if bits & 0x8000_0000 == 0 { magnitude } else { -magnitude }
        }
        _ => {
            let magnitude = i128::from(bits & (u64::MAX >> 1));
            if bits >> 63 == 0 { magnitude } else { -magnitude }
        }
    };
    u64::try_from(line(a).abs_diff(line(b))).ok()
}

/// Compares one value; `probe` is that of its float type.
fn same(floats: Floats, scalar: Scalar, probe: &FloatProbe, found: u64, expected: u64) -> bool {
    if found == expected {
        return true;
    }
    if scalar.is_float() && is_nan(scalar, expected) {
        // The sign and payload of a NaN are not part of the language.
        return is_nan(scalar, found);
    }
    if floats == Floats::Bits {
        return is_nan(scalar, expected) && is_nan(scalar, found);
    }
    if !scalar.is_float() || floats.fixed(probe) {
        return false;
    }
    match probe.class() {
        Determinism::Bounded { ulp } => {
            ulps(scalar, found, expected).is_some_and(|distance| distance <= u64::from(ulp))
        }
        _ => false,
    }
}

/// Formats a value: a float with its bits.
pub(crate) fn show(scalar: Scalar, bits: u64) -> String {
    match scalar {
        Scalar::Bool => (bits != 0).to_string(),
        Scalar::U32 => (bits as u32).to_string(),
        Scalar::I32 => (bits as i32).to_string(),
        Scalar::U64 => bits.to_string(),
        Scalar::I64 => (bits as i64).to_string(),
        Scalar::F32 => format!("{:?} ({:#010x})", f32::from_bits(bits as u32), bits as u32),
        Scalar::F64 => format!("{:?} ({bits:#018x})", f64::from_bits(bits)),
    }
}

/// Formats a row: `a = 1, b = 2`.
pub(crate) fn show_row<R: Row>(row: &R) -> String {
    let fixed = R::layout().columns.iter().filter(|column| !column.lane);
    fixed
        .map(|column| format!("{} = {}", column.name, show(column.scalar, row.leaf(column.word))))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Compares the output of a kernel with the expected rows. Rows with values that the device's probe denies are left
/// out, with a note.
pub(crate) fn compare_rows<I: Row, O: Row>(
    context: &Context<'_>,
    kernel: &str,
    floats: Floats,
    inputs: &[I],
    found: &[O],
    expected: &[O],
) -> Verdict {
    if found.len() != expected.len() {
        return fail(format!("kernel `{kernel}`: expected {} rows, found {}", expected.len(), found.len()));
    }
    let mut left_out: BTreeMap<&'static str, usize> = BTreeMap::new();
    let (mut compared, mut differing, mut first) = (0_usize, 0_usize, None);
    for (number, (input, (found, expected))) in inputs.iter().zip(found.iter().zip(expected)).enumerate() {
        let reason = denied(context, input).or_else(|| denied(context, expected));
        if let Some(reason) = reason.or_else(|| loosely_divided(context, floats, input)) {
            *left_out.entry(reason.explanation()).or_default() += 1;
            continue;
        }
        compared += 1;
        let probe = |column: &Column| context.probe(column.scalar);
        let wrong = O::layout().columns.iter().filter(|column| !column.lane).find(|column| {
            let (found, expected) = (found.leaf(column.word), expected.leaf(column.word));
            found != expected && !same(floats, column.scalar, &probe(column), found, expected)
        });
        if let Some(column) = wrong {
            differing += 1;
            first.get_or_insert_with(|| {
                format!(
                    "kernel `{kernel}`, row {number} ({}): expected {} = {}, found {}",
                    show_row(input),
                    column.name,
                    show(column.scalar, expected.leaf(column.word)),
                    show(column.scalar, found.leaf(column.word)),
                )
            });
        }
    }
    if let Some(first) = first {
        return fail(format!("{first} ({differing} of {compared} rows differ)"));
    }
    for (reason, rows) in left_out {
        context.note(format!("{rows} of {} rows not compared: {reason}", inputs.len()));
    }
    if compared == 0 { Err(Stop::Skip(SkipReason::NothingComparable)) } else { Ok(()) }
}

/// If division is not correctly rounded, its error is stated only for `f32` divisors between 2^-126 and 2^126, as in
/// the WGSL standard. Outside, the reciprocal of the divisor is flushed or infinite.
fn loosely_divided<R: Row>(context: &Context<'_>, floats: Floats, row: &R) -> Option<SkipReason> {
    let mut singles = R::layout().columns.iter().filter(|column| !column.lane && column.scalar == Scalar::F32);
    let stated = 2_f32.powi(-126)..=2_f32.powi(126);
    let loose = floats == Floats::Division
        && !context.probe(Scalar::F32).division_correct
        && singles.any(|column| !stated.contains(&f32::from_bits(row.leaf(column.word) as u32).abs()));
    loose.then_some(SkipReason::RoundsOtherwise32)
}

/// Returns the reason why a row with these values cannot be compared on this device, if there is one.
fn denied<R: Row>(context: &Context<'_>, row: &R) -> Option<SkipReason> {
    let floats = R::layout().columns.iter().filter(|column| !column.lane && column.scalar.is_float());
    floats
        .map(|column| (column.scalar, Special::of(column.scalar, row.leaf(column.word))))
        .filter(|(_, special)| *special != Special::default())
        .find_map(|(scalar, special)| special.denied(scalar, &context.probe(scalar)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: FloatProbe = FloatProbe {
        basic_correct: true,
        division_correct: true,
        sqrt_correct: true,
        contracts: false,
        rearranges: false,
        subnormals: true,
        non_finite: true,
    };

    fn bits(x: f32) -> u64 {
        u64::from(x.to_bits())
    }

    #[test]
    fn reproducible_floats_are_compared_bit_by_bit() {
        let next = bits(1.0_f32.next_up());
        assert!(same(Floats::Basic, Scalar::F32, &GOOD, bits(1.0), bits(1.0)));
        assert!(!same(Floats::Basic, Scalar::F32, &GOOD, next, bits(1.0)));
        assert!(!same(Floats::Basic, Scalar::F32, &GOOD, bits(-0.0), bits(0.0)));
        assert!(same(Floats::Basic, Scalar::F32, &GOOD, bits(f32::NAN), bits(-f32::NAN)));
        assert!(!same(Floats::Basic, Scalar::F32, &GOOD, bits(f32::INFINITY), bits(f32::NAN)));
    }

    #[test]
    fn bounded_floats_are_compared_within_the_bound_of_their_class() {
        let loose = FloatProbe { division_correct: false, ..GOOD };
        let away = |n: u64| bits(1.0) + n;
        let Determinism::Bounded { ulp } = loose.class() else { unreachable!("a wrong division is a defect") };
        assert!(same(Floats::Division, Scalar::F32, &loose, away(ulp.into()), bits(1.0)));
        assert!(!same(Floats::Division, Scalar::F32, &loose, away(u64::from(ulp) + 1), bits(1.0)));
        // Operations that the probe found to be correct must be exact, and so must those that do not round.
        assert!(!same(Floats::Basic, Scalar::F32, &loose, away(1), bits(1.0)));
        assert!(!same(Floats::Exact, Scalar::F32, &loose, away(1), bits(1.0)));
    }

    #[test]
    fn distances_cross_zero() {
        assert_eq!(ulps(Scalar::F32, bits(-0.0), bits(0.0)), Some(0));
        assert_eq!(ulps(Scalar::F32, bits(-f32::from_bits(1)), 1), Some(2));
        assert_eq!(ulps(Scalar::F64, f64::NAN.to_bits(), 0), None);
    }

    #[test]
    fn special_values_are_denied_by_the_probe_alone() {
        let flushes = FloatProbe { subnormals: false, ..GOOD };
        let tiny = Special::of(Scalar::F32, 1);
        assert_eq!(tiny.denied(Scalar::F32, &GOOD), None);
        assert_eq!(tiny.denied(Scalar::F32, &flushes), Some(SkipReason::FlushesSubnormals32));
        let infinite = Special::of(Scalar::F64, f64::INFINITY.to_bits());
        let lacks = FloatProbe { non_finite: false, ..GOOD };
        assert_eq!(infinite.denied(Scalar::F64, &lacks), Some(SkipReason::LacksNonFinite64));
        assert_eq!(infinite.denied(Scalar::F64, &flushes), None);
    }
}
