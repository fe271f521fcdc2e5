//! Measures of fires.

use imminent_study::description::Measure;

/// Returns the measures of a run.
pub(super) fn measures() -> [Measure; 3] {
    [
        Measure::new("burnt", "ha", "Burnt area of the average fire of a run."),
        Measure::new("largest", "ha", "Burnt area of the largest fire of a run."),
        Measure::new("large_fires", "", "Share of the fires of a run that are larger than `large`."),
    ]
}
