//! Comparison of two outcomes of a launch.

use super::given::{ArgumentData, Launched};
use super::oracle::{After, Outcome};
use imminent_core::ir::interpret::Field;
use imminent_core::ir::{Scalar, SiteId, Value};

/// Describes the first difference; `None` if there is none. A NaN equals every other NaN.
pub(super) fn difference(launched: &Launched, expected: &Outcome, found: &Outcome) -> Option<String> {
    if expected.fault != found.fault {
        let (expected, found) = (fault(launched, expected.fault), fault(launched, found.fault));
        return Some(format!("the fault: expected {expected}, found {found}"));
    }
    let module = &launched.module;
    let function = module.functions.get(module.kernels.first()?.function.index())?;
    for ((param, given), (expected, found)) in
        function.params.iter().zip(&launched.given).zip(expected.after.iter().zip(&found.after))
    {
        let name = &param.name;
        match (expected, found, given) {
            (After::Rows(expected), After::Rows(found), ArgumentData::Table { of, .. }) => {
                let fields = &module.structs.get(of.index())?.fields;
                for (row, (expected, found)) in expected.iter().zip(found).enumerate() {
                    for ((expected, found), field) in expected.fields.iter().zip(&found.fields).zip(fields) {
                        let equal = match (expected, found) {
                            (Field::Value(a), Field::Value(b)) => same(a, b),
                            (Field::Lanes(a), Field::Lanes(b)) => a.len() == b.len() && all_same(a, b),
                            _ => false,
                        };
                        if !equal {
                            let place = format!("`{name}`, row {row}, field `{}`", field.name);
                            return Some(format!("{place}: expected {expected:?}, found {found:?}"));
                        }
                    }
                }
            }
            (After::Slots(expected), After::Slots(found), _) if expected != found => {
                return Some(format!("`{name}`: expected {expected:?}, found {found:?}"));
            }
            _ => {}
        }
    }
    let results = module.kernels.first().and_then(|kernel| module.results(kernel));
    let scalars = results.map(|results| results.scalars()).unwrap_or_default();
    let mut pairs = scalars.iter().zip(expected.result.iter().zip(&found.result));
    let equal = expected.result.len() == found.result.len() && pairs.all(|((_, of), (a, b))| same_bits(of, *a, *b));
    (!equal).then(|| format!("the result: expected {:x?}, found {:x?}", expected.result, found.result))
}

fn fault(launched: &Launched, fault: Option<(u32, SiteId)>) -> String {
    let Some((row, site)) = fault else { return "none".to_owned() };
    match launched.module.sites.get(site.index()) {
        Some(found) => format!("row {row}, site {} ({}, line {})", site.0, found.kind, found.line),
        None => format!("row {row}, site {}, which there is not", site.0),
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
