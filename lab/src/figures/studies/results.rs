//! Results of the figures on parameter studies.

use super::budget::StudyTimes;
use super::part::Part;
use super::setting::Setting;
use crate::figures::measured;
use crate::figures::place::Place;

pub(super) type Point = measured::Point<Setting, StudyTimes>;
pub(super) type Measured = measured::Measured<Part, Setting, StudyTimes>;

/// Place of the paper's comparison: four cores.
pub(super) const FOUR_CORES: Place = Place::Cpu(Some(4));
