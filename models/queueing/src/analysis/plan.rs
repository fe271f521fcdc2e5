//! What is done with the output of a run.

use crate::measures::Measure;
use crate::outcome::NodeStatistics;
use imminent_common::output::{Precision, mser};
use thiserror::Error;

/// The part of a run's beginning that is not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WarmUp {
    /// So many ticks; 0 for none.
    Time(u64),
    /// As much as MSER-5 says ([`imminent_common::output::warmup`]), at most half: one cut for the replications with even and one for those with odd numbers, each from the
    /// series of the measure averaged over the others. A single replication is cut by its own series.
    Mser5,
}

/// When a run ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ending {
    /// At its horizon.
    Horizon,
    /// When the measure of the plan is precise enough.
    ///
    /// With batches, one run goes on until it is: it is looked at after 1/16, 1/8, 1/4 and 1/2 of the time between warm-up and horizon, and
    /// ends at the horizon. Without batches, replications are added one by one, up to their number.
    Precision(Precision),
    /// At the first multiple of `check` ticks after the warm-up by which `completions` services have been completed since then, or
    /// at the horizon.
    ///
    /// The time does not depend on the engine, nor on how often it could have been asked.
    Count {
        /// Services to complete.
        completions: u64,
        /// Ticks between two looks.
        check: u64,
    },
}

/// How the output of a run is made and analysed.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What is deleted.
    pub warm_up: WarmUp,
    /// Number of batches that each replication is cut into; `None` for none.
    pub batches: Option<u32>,
    /// Number of looks after the warm-up, at least 1; raised to the next multiple of the batches.
    pub observations: u32,
    /// The measure that MSER-5 and the precision are about.
    pub measure: Measure,
    /// When the run ends.
    pub ending: Ending,
    /// Whether what is done for each class of tokens is wanted too.
    pub by_class: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            warm_up: WarmUp::Time(0),
            batches: None,
            observations: 1,
            measure: Measure::Sojourn,
            ending: Ending::Horizon,
            by_class: false,
        }
    }
}

/// A plan that cannot be carried out.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum PlanError {
    /// The warm-up takes the whole run.
    #[error("a warm-up of {warm_up} ticks leaves nothing of a horizon of {horizon}: give a longer horizon")]
    NothingLeft {
        /// Warm-up in ticks.
        warm_up: u64,
        /// Horizon in ticks.
        horizon: u64,
    },
    /// A number of batches without meaning.
    #[error("{batches} batches are not possible: give 2 to {}", Plan::MOST_BATCHES)]
    Batches {
        /// Batches asked for.
        batches: u32,
    },
    /// No looks, or more than are kept, or than there are ticks.
    #[error("{looks} looks at a run of {ticks} ticks are not possible: give 1 to {}", Plan::MOST_LOOKS)]
    Looks {
        /// Looks asked for.
        looks: u64,
        /// Ticks between warm-up and horizon.
        ticks: u64,
    },
    /// MSER-5 over too few cells.
    #[error("MSER-5 needs {} looks at a run or more, not {looks}", Plan::LEAST_FOR_MSER)]
    TooFewForMser {
        /// Looks planned.
        looks: u64,
    },
    /// Every node's statistics at every look would be too much.
    #[error(
        "MSER-5 needs every node's statistics at all of {looks} looks, {bytes} bytes for this network: \
         give the warm-up as a time"
    )]
    TooManyNodes {
        /// Looks planned.
        looks: u64,
        /// Bytes needed.
        bytes: u64,
    },
    /// Batches of several replications, to be lengthened.
    #[error(
        "a precision with batches lengthens one run, and here are {replications}: give one replication, or no batches"
    )]
    LengthenMany {
        /// Replications asked for.
        replications: u64,
    },
    /// No replications to add.
    #[error(
        "a precision without batches adds replications, at least {}, and here {replications} at most: \
         allow more, or cut one run into batches",
        Precision::LEAST_VALUES
    )]
    AddNone {
        /// Replications asked for.
        replications: u64,
    },
}

impl Plan {
    /// The most batches of a run.
    pub const MOST_BATCHES: u32 = 10_000;
    /// The most looks at a run.
    pub const MOST_LOOKS: u64 = 100_000;
    /// Looks to plan for MSER-5, at least.
    pub const LEAST_FOR_MSER: u64 = 50;
    /// The most bytes of nodes' statistics that are kept over the looks of one replication.
    pub const MOST_BYTES: u64 = 1 << 28;
    /// Cells of a batch when a run that ends by precision has reached its horizon.
    pub(super) const LENGTHENED: u64 = 16;

    /// Ticks that are deleted whatever happens.
    #[must_use]
    pub fn fixed_warm_up(&self) -> u64 {
        match self.warm_up {
            WarmUp::Time(ticks) => ticks,
            WarmUp::Mser5 => 0,
        }
    }

    /// The most cells between warm-up and `horizon`.
    #[must_use]
    pub fn most_cells(&self, horizon: u64) -> u64 {
        let batches = u64::from(self.batches.unwrap_or(1)).max(1);
        match self.ending {
            Ending::Count { check, .. } => horizon.saturating_sub(self.fixed_warm_up()).div_ceil(check.max(1)),
            Ending::Precision(_) if self.batches.is_some() => batches * Self::LENGTHENED,
            _ => u64::from(self.observations).next_multiple_of(batches),
        }
    }

    /// Whether the statistics of `nodes` nodes are kept at every look, so that nodes have intervals of their own.
    #[must_use]
    pub fn keeps_nodes(&self, nodes: usize, horizon: u64) -> bool {
        self.bytes(nodes, horizon) <= Self::MOST_BYTES
    }

    /// Whether what is done for each class at each of `nodes` nodes is wanted, apart from what is done at the node, and kept at every look.
    #[must_use]
    pub fn keeps_classes(&self, nodes: usize, classes: usize, horizon: u64) -> bool {
        self.by_class && classes > 1 && self.keeps_nodes(nodes.saturating_mul(classes), horizon)
    }

    /// Bytes of statistics that are kept over the looks at one replication, about.
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

    /// Whether this plan can be carried out.
    ///
    /// # Errors
    /// [`PlanError`].
    pub fn check(&self, nodes: usize, horizon: u64, replications: u64) -> Result<(), PlanError> {
        let warm_up = self.fixed_warm_up();
        if warm_up > 0 && warm_up >= horizon {
            return Err(PlanError::NothingLeft { warm_up, horizon });
        }
        if let Some(batches) = self.batches
            && !(2..=Self::MOST_BATCHES).contains(&batches)
        {
            return Err(PlanError::Batches { batches });
        }
        let (looks, ticks) = (self.most_cells(horizon), horizon - warm_up);
        if !(1..=Self::MOST_LOOKS).contains(&looks) || looks > ticks.max(1) {
            return Err(PlanError::Looks { looks, ticks });
        }
        if self.warm_up == WarmUp::Mser5 {
            if looks < Self::LEAST_FOR_MSER || mser(&vec![0.0; looks as usize], 5).is_none() {
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
            if self.batches.is_none() && replications < Precision::LEAST_VALUES as u64 {
                return Err(PlanError::AddNone { replications });
            }
        }
        Ok(())
    }
}
