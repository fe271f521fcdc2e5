//! Comparison of two outcomes of a launch.

use super::given::{ArgumentData, Launched};
use super::oracle::{After, Outcome};
use super::text;
use imminent_core::ir::interpret::Field;
use imminent_core::ir::{Scalar, SiteId, Value};
use std::fmt;

/// A difference between two outcomes of a launch.
#[derive(Debug)]
pub(crate) struct Difference {
    /// Row of the launch at which the outcomes differ, if it is at one.
    pub(crate) row: Option<u32>,
    place: String,
    expected: String,
    found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, found {}", self.place, self.expected, self.found)
    }
}

/// Returns the first difference; `None` if there is none. A NaN equals every other NaN.
pub(crate) fn difference(launched: &Launched, expected: &Outcome, found: &Outcome) -> Option<Difference> {
    if !same_fault(launched, expected.fault, found.fault) {
        let row = expected.fault.or(found.fault).map(|(row, _)| row);
        let (expected, found) = (fault(launched, expected.fault), fault(launched, found.fault));
        return Some(Difference { row, place: "the fault".to_owned(), expected, found });
    }
    let module = &launched.module;
    let (kernel, function) = launched.entry()?;
    for ((param, given), (expected, found)) in
        function.params.iter().zip(&launched.given).zip(expected.after.iter().zip(&found.after))
    {
        let name = &param.name;
        match (expected, found, given) {
            (After::Rows(expected), After::Rows(found), ArgumentData::Table { of, .. }) => {
                let fields = &module.structs.get(of.index())?.fields;
                for (row, (expected, found)) in (0..).zip(expected.iter().zip(found)) {
                    for ((expected, found), field) in expected.fields.iter().zip(&found.fields).zip(fields) {
                        let equal = match (expected, found) {
                            (Field::Value(a), Field::Value(b)) => same(a, b),
                            (Field::Lanes(a), Field::Lanes(b)) => all_same(a, b),
                            _ => false,
                        };
                        if !equal {
                            let place = format!("`{name}`, row {row}, field `{}`", field.name);
                            let [expected, found] = [expected, found].map(|of| text::field(module, &field.ty, of));
                            return Some(Difference { row: Some(row), place, expected, found });
                        }
                    }
                }
            }
            (After::Slots(expected), After::Slots(found), _) if expected != found => {
                let [expected, found] = [expected, found].map(|slots| text::list(module, None, slots));
                return Some(Difference { row: None, place: format!("`{name}`"), expected, found });
            }
            _ => {}
        }
    }
    let scalars = module.results(kernel).map(|results| results.scalars()).unwrap_or_default();
    let mut pairs = scalars.iter().zip(expected.result.iter().zip(&found.result));
    let equal = expected.result.len() == found.result.len() && pairs.all(|((_, of), (a, b))| same_bits(of, *a, *b));
    let [expected, found] = [expected, found].map(|outcome| format!("{:x?}", outcome.result));
    (!equal).then(|| Difference { row: None, place: "the result".to_owned(), expected, found })
}

/// Returns `true` for faults of one row at one place of the source, which may have several sites.
fn same_fault(launched: &Launched, a: Option<(u32, SiteId)>, b: Option<(u32, SiteId)>) -> bool {
    let place = |(row, site): (u32, SiteId)| (row, launched.module.sites.get(site.index()));
    a.map(place) == b.map(place)
}

fn fault(launched: &Launched, fault: Option<(u32, SiteId)>) -> String {
    let Some((row, site)) = fault else { return "none".to_owned() };
    match launched.module.sites.get(site.index()) {
        Some(found) => format!("row {row}, {} at line {}", found.kind, found.line),
        None => format!("row {row}, at a site that there is not"),
    }
}

fn same_bits(scalar: Scalar, a: u64, b: u64) -> bool {
    let value = |bits: u64| match scalar {
        Scalar::F32 => Value::F32(bits as u32),
        Scalar::F64 => Value::F64(bits),
        _ => Value::U64(bits),
    };
    same(&value(a), &value(b))
}

fn all_same(a: &[Value], b: &[Value]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::F32(a), Value::F32(b)) => a == b || (f32::from_bits(*a).is_nan() && f32::from_bits(*b).is_nan()),
        (Value::F64(a), Value::F64(b)) => a == b || (f64::from_bits(*a).is_nan() && f64::from_bits(*b).is_nan()),
        (Value::Struct(a), Value::Struct(b)) | (Value::Array(a), Value::Array(b)) => all_same(a, b),
        _ => a == b,
    }
}
