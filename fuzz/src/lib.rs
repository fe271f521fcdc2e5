//! Tools of the targets.

use imminent_study::definition::{Axis, Definition};
use imminent_study::description::{Description, Measure, Parameter};
use imminent_study::{Results, Study};

/// Replaces a few bytes of a whole file: the first two bytes of `data` are the place, the third the number of bytes
/// that the others replace. Files with checksums are read further than with random bytes.
#[must_use]
pub fn damaged(whole: &[u8], data: &[u8]) -> Vec<u8> {
    let [low, high, removed, new @ ..] = data else { return whole.to_vec() };
    let from = usize::from(u16::from_le_bytes([*low, *high])) % (whole.len() + 1);
    let to = (from + usize::from(*removed)).min(whole.len());
    [&whole[..from], new, &whole[to..]].concat()
}

/// A model's description for studies.
#[must_use]
pub fn description() -> Description {
    Description::new("queue", "1", "Customers that wait for one server.")
        .parameter(Parameter::number("load", "", 0.0..=0.99, "Mean service over mean time between arrivals."))
        .parameter(Parameter::integer("customers", "", 1..=10_000, "Customers of a run.").default(100))
        .parameter(Parameter::choice("service", ["random", "constant"], "Law of the services.").default("random"))
        .measure(Measure::new("wait", "s", "Mean wait."))
}

/// A study of a few runs, and its results.
///
/// # Panics
/// Never: the study is right.
#[must_use]
pub fn study() -> (Study, Results) {
    let definition = Definition::new("queue").repetitions(2).axis(Axis::values("load", [0.2, 0.5, 0.8]));
    let study = definition.plan(description()).expect("the study is right");
    let results = Results::new(&study).expect("they are few");
    (study, results)
}
