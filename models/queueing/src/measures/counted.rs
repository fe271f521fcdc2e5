//! Choice of the visits whose times are averaged.

use crate::outcome::{NodeStatistics, VisitSums};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Visits whose times are averaged, in a span of time such as a run after its warm-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Counted {
    /// Visits that ended in the span, also those that had begun before.
    #[default]
    Ended,
    /// Visits whose service started in the span, with their whole service, even if it ends after the span.
    Started,
    /// Visits that ended in the span and whose token arrived after the warm-up.
    Arrived,
}

impl Counted {
    /// Returns the name in options, configurations and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ended => "ended",
            Self::Started => "started",
            Self::Arrived => "arrived",
        }
    }

    /// Describes the counted visits in reports.
    #[must_use]
    pub const fn described(self) -> &'static str {
        match self {
            Self::Ended => "visits that ended in the observed time",
            Self::Started => "visits whose service started in the observed time",
            Self::Arrived => "visits that arrived and ended in the observed time",
        }
    }

    /// Returns the sums over the counted visits.
    pub(super) const fn sums(self, node: &NodeStatistics) -> VisitSums {
        match self {
            Self::Ended => VisitSums { visits: node.completed, waiting: node.waiting_sum, sojourn: node.sojourn_sum },
            Self::Started => node.started,
            Self::Arrived => node.arrived,
        }
    }
}
