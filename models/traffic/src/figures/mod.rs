//! Figures of the paper on hybrid traffic, measured anew.

mod hybrid;
mod validation;

use imminent_study::Figures;

/// Returns the figures of campus networks, and those of the validation network.
pub(crate) fn all() -> Vec<Figures> {
    vec![hybrid::publication().into(), validation::publication().into()]
}
