//! A run as the engines are given it, and its end.

use super::contract::CellKernels;
use super::kernels::feeds::When;
use crate::outcome::{Cancelled, Engine};
use crate::sequential::{Delay, History, InputSource, RuleError};
use crate::space::CellSpace;
use imminent_core::random::Pcg32;
use imminent_core::{Determinism, Error};
use thiserror::Error;

/// Parts of a run that do not depend on the type of a value.
pub(crate) struct Setting<'a> {
    pub(crate) space: &'a CellSpace,
    pub(crate) delay: Delay,
    /// Zone of each cell; cells beyond the end have zone 0.
    pub(crate) zones: &'a [u32],
    /// Smallest delay of a rule, in milliseconds, if it is known: it makes the windows of the engine on a host.
    pub(crate) lookahead: Option<u32>,
    /// `true` if the rule draws random numbers.
    pub(crate) draws: bool,
    pub(crate) seed: u64,
    /// Cells after which their streams of random numbers begin again: cells whose numbers differ by it draw alike.
    pub(crate) streams: u32,
    /// Number of values that a cell keeps for itself.
    pub(crate) kept: u32,
    /// Last time that is simulated, in milliseconds.
    pub(crate) horizon: u32,
    /// Class of the results, which a device has to be able to give; none for results that all devices give.
    pub(crate) class: Option<Determinism>,
}

impl Setting<'_> {
    /// Returns the zone of a cell.
    pub(crate) fn zone(&self, cell: u32) -> u32 {
        self.zones.get(cell as usize).copied().unwrap_or(0)
    }

    /// Returns the random numbers of a cell at the start.
    pub(crate) fn random(&self, cell: u32) -> Pcg32 {
        Pcg32::new(self.seed, u64::from(cell % self.streams.max(1)))
    }
}

/// Everything that a run depends on.
pub(crate) struct Task<'a, M: CellKernels> {
    pub(crate) setting: Setting<'a>,
    /// Parameters of the rule.
    pub(crate) model: &'a M,
    /// The model's table, of at least one row.
    pub(crate) facts: &'a [M::Facts],
    pub(crate) initial: &'a [M::Value],
    /// Values that cells keep for themselves at the start, cell by cell.
    pub(crate) kept: &'a [M::Value],
    /// External inputs. Of several at one time for a cell the first counts.
    pub(crate) sources: &'a [InputSource<M::Input>],
}

impl<M: CellKernels> Task<'_, M> {
    /// Lists the values that cells keep for themselves at the start.
    pub(crate) fn kepts(&self) -> impl Iterator<Item = M::Kept> {
        self.kept.chunks(self.setting.kept.max(1) as usize).map(|values| M::kept(values.to_vec()))
    }

    /// Lists the external inputs, sorted by numbers that `by` gives to cells.
    pub(crate) fn feeds(&self, by: impl Fn(u32) -> u32) -> Vec<M::Feed> {
        let mut sources: Vec<&InputSource<M::Input>> = self.sources.iter().collect();
        // Several of one cell stay in their order, since the first one counts.
        sources.sort_by_key(|source| by(source.cell));
        let feed = |source: &InputSource<M::Input>| {
            let InputSource { cell, first, period, late, input } = *source;
            M::feed(When { cell, first, period, late: u32::from(late) }, input)
        };
        sources.into_iter().map(feed).collect()
    }
}

/// Reasons why a run of an engine ends early.
#[derive(Clone, Debug, PartialEq, Error)]
pub(crate) enum Failure {
    #[error(transparent)]
    Device(#[from] Error),
    #[error(transparent)]
    Rule(#[from] RuleError),
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// End of a run by tables, its number of rounds, and the engine that took most of them.
pub(crate) type Ended<V> = (End<V>, u64, Engine);

/// Final state of all cells, and the statistics of a run.
#[derive(Clone, Debug)]
pub(crate) struct End<V> {
    /// Value that each cell emitted last.
    pub(crate) values: Vec<V>,
    /// Time of each cell's last output, in milliseconds.
    pub(crate) times: Vec<u32>,
    /// Distinct times after 0 at which cells emitted or had external inputs.
    pub(crate) distinct_times: u64,
    /// Outputs after the initial ones.
    pub(crate) outputs: u64,
}

impl<V> From<History<V>> for End<V> {
    fn from(History { values, times, distinct_times, outputs, .. }: History<V>) -> Self {
        End { values, times, distinct_times, outputs }
    }
}
