//! A weather that fires may have.

use imminent_cell::landscape::Weather;
use std::path::PathBuf;

/// Weather that fires may have.
pub(in super::super) struct Scenario {
    /// File of the weather; `None` if it was drawn or is constant.
    pub(in super::super) file: Option<PathBuf>,
    /// States by the hour.
    pub(in super::super) weather: Vec<Weather>,
}
