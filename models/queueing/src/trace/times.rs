//! Distributions of the times of visits.

use super::visit::Visit;
use imminent_common::output::{Sections, Sketch};
use std::ops::AddAssign;

/// Distributions of the times of visits to stations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Times {
    /// Times from arrival to start of service.
    pub waiting: Sketch,
    /// Times from arrival to departure.
    pub sojourn: Sketch,
}

impl Times {
    /// Counts a visit to a station.
    pub fn add(&mut self, visit: &Visit) {
        self.waiting.add(visit.started - visit.arrived);
        self.sojourn.add(visit.left - visit.arrived);
    }
}

impl AddAssign<&Self> for Times {
    fn add_assign(&mut self, other: &Self) {
        self.waiting += &other.waiting;
        self.sojourn += &other.sojourn;
    }
}

/// Distributions of the times of a run's visits that ended after the warm-up, and their quantiles by sample (batch or
/// replication).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunTimes {
    /// Times from arrival to start of service.
    pub waiting: Sections,
    /// Times from arrival to departure.
    pub sojourn: Sections,
}

impl RunTimes {
    /// Adds the visits of a sample.
    pub fn add(&mut self, sample: &Times) {
        self.waiting.add(&sample.waiting);
        self.sojourn.add(&sample.sojourn);
    }

    /// Adds the visits of other samples.
    pub(crate) fn add_all(&mut self, others: &Self) {
        self.waiting.add_all(&others.waiting);
        self.sojourn.add_all(&others.sojourn);
    }
}
