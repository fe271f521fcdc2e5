//! Plan for the analysis of a run's output.

use crate::costs::Costs;
use crate::measures::{Counted, Measure};
use crate::outcome::NodeStatistics;
use crate::tally::Wanted;
use imminent_common::estimate::Confidence;
use imminent_common::output::{Precision, mser};
use std::sync::Arc;
use thiserror::Error;

/// Part at the beginning of a run that is not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WarmUp {
    /// Fixed number of ticks; 0 for none.
    Time(u64),
    /// Number of cells found by MSER-5 ([`imminent_common::output::warmup`]), at most half. Replications with even and
    /// with odd numbers have one cut each, found from the series of the measure averaged over the others. A single
    /// replication is cut by its own series.
    Mser5,
}

/// Condition that ends a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ending {
    /// End at the horizon.
    Horizon,
    /// End when the measure of the plan is precise enough.
    ///
    /// With batches, one run is lengthened until it is precise. It is observed after 1/16, 1/8, 1/4 and 1/2 of the time
    /// between warm-up and horizon, and ends at the horizon at the latest. Without batches, replications are added one
    /// by one, up to their number.
    Precision(Precision),
    /// End at the first multiple of `check` ticks after the warm-up by which `completions` services have been completed
    /// since then, or at the horizon.
    ///
    /// The end does not depend on the engine.
    Count {
        /// Number of services to complete.
        completions: u64,
        /// Number of ticks between two observations.
        check: u64,
    },
}

/// Plan for producing and analysing the output of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Rule for deleting the warm-up.
    pub warm_up: WarmUp,
    /// Number of batches into which each replication is cut; `None` for none.
    pub batches: Option<u32>,
    /// Number of observations after the warm-up, at least 1; raised to the next multiple of the batches.
    pub observations: u32,
    /// Length of the periods whose results are told one by one, in ticks; they are the cells then.
    pub every: Option<u64>,
    /// Measure to which MSER-5 and the precision apply.
    pub measure: Measure,
    /// Visits whose times are averaged. Visits that [arrived](Counted::Arrived) are counted by
    /// [`watched`](crate::engine::watched) and by the oracle alone.
    pub counted: Counted,
    /// Condition that ends the run.
    pub ending: Ending,
    /// Confidence of all intervals.
    pub confidence: Confidence,
    /// `true` if statistics by class of tokens are wanted too.
    pub by_class: bool,
    /// Costs, if the run has any. Costs that differ by class need statistics by class.
    pub costs: Option<Arc<Costs>>,
    /// Tallies of visits and numbers that are wanted. Engines that go event by event make them while they run.
    pub wanted: Wanted,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            warm_up: WarmUp::Time(0),
            batches: None,
            observations: 1,
            every: None,
            measure: Measure::Sojourn,
            counted: Counted::Ended,
            ending: Ending::Horizon,
            confidence: Confidence::DEFAULT,
            by_class: false,
            costs: None,
            wanted: Wanted::default(),
        }
    }
}

/// Reasons why a plan cannot be carried out.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum PlanError {
    /// The warm-up takes the whole run.
    #[error("a warm-up of {warm_up} ticks leaves nothing of a horizon of {horizon}: give a longer horizon")]
    NothingLeft {
        /// Warm-up, in ticks.
        warm_up: u64,
        /// Horizon, in ticks.
        horizon: u64,
    },
    /// The number of batches is not allowed.
    #[error("{batches} batches are not possible: give 2 to {}", Plan::MAX_BATCHES)]
    Batches {
        /// Number of batches requested.
        batches: u32,
    },
    /// The number of observations is zero, or exceeds the limit or the number of ticks.
    #[error(
        "{looks} observations of a run of {ticks} ticks are not possible: give 1 to {}, and at most one for each tick",
        Plan::MAX_LOOKS
    )]
    Looks {
        /// Number of observations requested.
        looks: u64,
        /// Number of ticks between warm-up and horizon.
        ticks: u64,
    },
    /// There are too many periods, for this number of nodes.
    #[error(
        "{periods} periods of a network of {nodes} nodes are not possible: their product must not exceed {}; give longer periods",
        Plan::MAX_PERIOD_ROWS
    )]
    TooManyPeriods {
        /// Number of periods.
        periods: u64,
        /// Number of nodes, and one for the whole network.
        nodes: u64,
    },
    /// MSER-5 has too few cells.
    #[error(
        "MSER-5 needs at least {} observations of a run, and {looks} are given: give more, or the warm-up as a time",
        Plan::MIN_FOR_MSER
    )]
    TooFewForMser {
        /// Number of observations planned.
        looks: u64,
    },
    /// The statistics of every node at every observation would take too much memory.
    #[error(
        "MSER-5 needs the statistics of every node at all {looks} observations, {bytes} bytes for this network: give the warm-up as a time"
    )]
    TooManyNodes {
        /// Number of observations planned.
        looks: u64,
        /// Number of bytes needed.
        bytes: u64,
    },
    /// MSER-5 finds the warm-up after the run, but the visits that arrive after it are counted during the run.
    #[error(
        "visits are counted by their arrival after the warm-up, which MSER-5 finds after the run: count those that 'ended' or 'started', or give the warm-up as a time"
    )]
    ArrivedByMser,
    /// A precision with batches lengthens one run, but there are several replications.
    #[error(
        "a precision with batches lengthens one replication, and {replications} are given: give one replication, or no batches"
    )]
    LengthenMany {
        /// Number of replications requested.
        replications: u64,
    },
    /// A precision without batches adds replications, but too few are allowed.
    #[error(
        "a precision without batches needs at least {} replications, and at most {replications} are allowed: allow more, or cut one replication into batches",
        Precision::MIN_VALUES
    )]
    AddNone {
        /// Number of replications requested.
        replications: u64,
    },
}

impl Plan {
    /// Largest number of batches of a run.
    pub const MAX_BATCHES: u32 = 10_000;
    /// Largest number of observations of a run.
    pub const MAX_LOOKS: u64 = 100_000;
    /// Largest number of rows of results by period: one for each node and for the whole network in each period.
    pub const MAX_PERIOD_ROWS: u64 = 100_000;
    /// Smallest number of observations for MSER-5.
    pub const MIN_FOR_MSER: u64 = 50;
    /// Largest size, in bytes, of nodes' statistics that are kept over the observations of one replication.
    pub const MAX_BYTES: u64 = 1 << 28;
    /// Number of cells of a batch when a run that ends by precision has reached its horizon.
    pub(super) const LENGTHENED: u64 = 16;

    /// Returns the number of ticks that are always deleted.
    #[must_use]
    pub fn fixed_warm_up(&self) -> u64 {
        match self.warm_up {
            WarmUp::Time(ticks) => ticks,
            WarmUp::Mser5 => 0,
        }
    }

    /// Returns `true` if an observation between the first and the last may begin a sample or a period.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.batches.is_some() || self.warm_up == WarmUp::Mser5 || self.every.is_some()
    }

    /// Returns the largest number of cells between warm-up and `horizon`.
    #[must_use]
    pub fn most_cells(&self, horizon: u64) -> u64 {
        let batches = u64::from(self.batches.unwrap_or(1)).max(1);
        let rest = horizon.saturating_sub(self.fixed_warm_up());
        if let Some(every) = self.every {
            return rest.div_ceil(every.max(1));
        }
        match self.ending {
            Ending::Count { check, .. } => rest.div_ceil(check.max(1)),
            Ending::Precision(_) if self.batches.is_some() => batches * Self::LENGTHENED,
            _ => u64::from(self.observations).next_multiple_of(batches),
        }
    }

    /// Returns `true` if the statistics of `nodes` nodes are kept at every observation, which gives nodes their own
    /// intervals.
    #[must_use]
    pub fn keeps_nodes(&self, nodes: usize, horizon: u64) -> bool {
        self.bytes(nodes, horizon) <= Self::MAX_BYTES
    }

    /// Returns `true` if statistics by class at each of `nodes` nodes are wanted separately from the node's, and kept
    /// at every observation.
    #[must_use]
    pub fn keeps_classes(&self, nodes: usize, classes: usize, horizon: u64) -> bool {
        self.by_class && classes > 1 && self.keeps_nodes(nodes.saturating_mul(classes), horizon)
    }

    /// Returns the approximate number of bytes of statistics kept over the observations of one replication.
    #[must_use]
    pub fn bytes_kept(&self, nodes: usize, classes: usize, horizon: u64) -> u64 {
        let mut rows = 0;
        if self.keeps_nodes(nodes, horizon) {
            rows += nodes;
        }
        if self.keeps_classes(nodes, classes, horizon) {
            rows += nodes * classes;
        }
        self.bytes(rows, horizon)
    }

    fn bytes(&self, nodes: usize, horizon: u64) -> u64 {
        let look = nodes as u64 * size_of::<NodeStatistics>() as u64;
        look.saturating_mul(self.most_cells(horizon) + 1)
    }

    /// Checks that this plan can be carried out.
    ///
    /// # Errors
    /// [`PlanError`].
    pub fn check(&self, nodes: usize, horizon: u64, replications: u64) -> Result<(), PlanError> {
        let warm_up = self.fixed_warm_up();
        if warm_up > 0 && warm_up >= horizon {
            return Err(PlanError::NothingLeft { warm_up, horizon });
        }
        if let Some(batches) = self.batches
            && !(2..=Self::MAX_BATCHES).contains(&batches)
        {
            return Err(PlanError::Batches { batches });
        }
        let (looks, ticks) = (self.most_cells(horizon), horizon - warm_up);
        let rows = looks.saturating_mul(1 + nodes as u64);
        if self.every.is_some() && (rows > Self::MAX_PERIOD_ROWS || !self.keeps_nodes(nodes, horizon)) {
            return Err(PlanError::TooManyPeriods { periods: looks, nodes: 1 + nodes as u64 });
        }
        if !(1..=Self::MAX_LOOKS).contains(&looks) || looks > ticks.max(1) {
            return Err(PlanError::Looks { looks, ticks });
        }
        if self.warm_up == WarmUp::Mser5 {
            if self.counted == Counted::Arrived {
                return Err(PlanError::ArrivedByMser);
            }
            if looks < Self::MIN_FOR_MSER || mser(&vec![0.0; looks as usize], 5).is_none() {
                return Err(PlanError::TooFewForMser { looks });
            }
            if !self.keeps_nodes(nodes, horizon) {
                return Err(PlanError::TooManyNodes { looks, bytes: self.bytes(nodes, horizon) });
            }
        }
        if matches!(self.ending, Ending::Precision(_)) {
            if self.batches.is_some() && replications != 1 {
                return Err(PlanError::LengthenMany { replications });
            }
            if self.batches.is_none() && replications < Precision::MIN_VALUES as u64 {
                return Err(PlanError::AddNone { replications });
            }
        }
        Ok(())
    }
}
