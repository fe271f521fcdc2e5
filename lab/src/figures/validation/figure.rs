//! Figures of the validation network, and the simulations of each.

use super::case::Case;
use clap::ValueEnum;

/// A figure of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(super) enum Figure {
    /// Length of a queue over time, by the number of packet sessions.
    #[value(name = "6")]
    Mixtures,
    /// Windows of the flows over time, by the size of batches.
    #[value(name = "7")]
    Batches,
}

impl Figure {
    pub(super) fn title(self) -> &'static str {
        match self {
            Figure::Mixtures => "Figure 6: length of the queue from node 4 to node 7, in kB",
            Figure::Batches => "Figure 7: mean window of the sessions of each flow, in packets",
        }
    }

    /// Returns the simulations of the figure: the numbers of packet sessions and the batches of the paper.
    pub(super) fn cases(self) -> [Case; 3] {
        match self {
            Figure::Mixtures => [0, 10, 20].map(|packets| Case { packets, batch: 1, lookahead: 20 }),
            Figure::Batches => {
                [(1, 1), (1, 20), (20, 20)].map(|(batch, lookahead)| Case { packets: 10, batch, lookahead })
            }
        }
    }
}
