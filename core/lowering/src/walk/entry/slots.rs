//! Names of the results of a kernel in an entry point.

use imminent_ir::{Reduction, Reductions};

/// A result of a kernel: one element for each row of a workgroup, and the value of the whole group.
pub(crate) struct Slot {
    pub(crate) reduction: Reduction,
    /// Array of the elements.
    pub(crate) results: String,
    /// Array of the rows of an arg-min.
    pub(crate) rows: Option<String>,
    /// Variable of the group's value.
    pub(crate) value: String,
    /// First word among those of all results.
    pub(crate) word: u32,
}

/// Returns the results in order. One that is alone needs no number.
pub(crate) fn slots(of: &Reductions) -> Vec<Slot> {
    let alone = of.single().is_some();
    let mut word = 0;
    let slot = |(at, reduction): (usize, Reduction)| {
        let named = |name: &str| if alone { name.to_owned() } else { format!("{name}_{at}") };
        let first = word;
        word += reduction.words();
        Slot {
            reduction,
            results: named("results"),
            rows: reduction.with_row().then(|| named("result_rows")),
            value: named("value"),
            word: first,
        }
    };
    of.iter().enumerate().map(slot).collect()
}
