//! Results of the figures on parameter studies.

use super::budget::StudyTimes;
use super::figure::Figure;
use super::setting::Setting;
use crate::figures::measured;
use crate::figures::target::Target;

pub(super) type Point = measured::Point<Setting, StudyTimes>;
pub(super) type Measured = measured::Measured<Figure, Setting, StudyTimes>;

/// Target with which the paper compares: four cores.
pub(super) const FOUR_CORES: Target = Target::Cpu(Some(4));
