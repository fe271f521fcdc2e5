//! The papers' network: a grid with periodic boundaries.

use super::column::Column;
use super::edges::Servers;
use super::lists::{Lists, check_sizes, reserve};
use super::{Network, NetworkError};
use crate::law::{Law, tick_of};
use imminent_common::parallel;
use imminent_common::time::TimeError;
use imminent_core::grid::wrapped;
use thiserror::Error;

impl Network {
    /// Builds a torus of `width` x `height` nodes, each with edges to its left, right, upper and lower neighbour, in
    /// that order.
    ///
    /// Node numbers are `row * width + column`. Every node has exactly four out-edges. On a side of length 2 the left
    /// and the right neighbour are the same node, to which two edges lead. On a side of length 1 both are the node
    /// itself. A single node is therefore a server with feedback, and the stationary law is uniform in every case.
    ///
    /// `mean_service` is in ticks; every node starts with `tokens` tokens.
    ///
    /// # Errors
    /// [`NetworkError`] for a side of 0, a size beyond the limits of this module, or a mean service without ticks.
    pub fn torus(width: u32, height: u32, mean_service: u32, tokens: u32) -> Result<Self, NetworkError> {
        if width == 0 || height == 0 {
            return Err(NetworkError::EmptyTorus { width, height });
        }
        let too_many = usize::MAX / 4;
        let count = (width as usize).checked_mul(height as usize).unwrap_or(too_many).min(too_many);
        check_sizes(count, count * 4)?;
        let cells = Cells { width, height };
        let servers = Servers {
            means: &[mean_service],
            tokens: Column::All(tokens),
            labels: vec![],
            torus: Some((width, height)),
        };
        // On sides longer than 2 the four neighbours of a node are distinct.
        let incoming =
            (width > 2 && height > 2).then(|| cells.in_fours(count, Cells::sorted_neighbours)).transpose()?;
        Self::of_servers(servers, cells.in_fours(count, Cells::neighbours)?, incoming)
    }

    /// Returns width and height of a network of equal servers with the routes of a [`torus`](Self::torus).
    pub(crate) fn as_torus(&self) -> Option<(u32, u32)> {
        self.grid.filter(|_| self.torus)
    }

    /// Returns `true` if the nodes are equal servers, and the routes those of a torus on the grid.
    pub(super) fn has_edges_of_torus(&self) -> bool {
        let (Some(simple), Some((width, height))) = (self.simple(), self.grid) else { return false };
        let cells = Cells { width, height };
        let differs = |node: usize| simple.out_edges(node as u32) != cells.neighbours(node as u32);
        let is_filled = u64::from(width) * u64::from(height) == self.nodes as u64;
        is_filled && matches!(self.service, Column::All(_)) && parallel::find_first(self.nodes, differs).is_none()
    }

    /// Builds a [`torus`](Self::torus) whose mean service is given in time units; its tick is [chosen](tick_of) by that
    /// mean.
    ///
    /// # Errors
    /// [`TorusError`] if the mean is not a duration, if there are no tokens, and for errors of [`torus`](Self::torus).
    pub fn torus_of_mean(width: u32, height: u32, mean: f64, tokens: u32) -> Result<Self, TorusError> {
        let tick = tick_of(&[Law::Exponential { mean }]);
        let torus = Self::torus(width, height, tick.mean_service(mean)?, tokens)?;
        if tokens == 0 {
            return Err(NetworkError::Empty.into());
        }
        Ok(torus.counted_in(tick))
    }
}

/// The cells of a torus.
#[derive(Clone, Copy)]
struct Cells {
    width: u32,
    height: u32,
}

impl Cells {
    /// Returns the neighbours of a node: left, right, above and below.
    fn neighbours(self, node: u32) -> [u32; 4] {
        [(-1, 0), (1, 0), (0, -1), (0, 1)].map(|(dx, dy)| wrapped(node, dx, dy, self.width, self.height))
    }

    fn sorted_neighbours(self, node: u32) -> [u32; 4] {
        let mut neighbours = self.neighbours(node);
        neighbours.sort_unstable();
        neighbours
    }

    /// Builds lists of four nodes for each of `count` nodes, on all threads.
    fn in_fours(self, count: usize, of_node: fn(Self, u32) -> [u32; 4]) -> Result<Lists, NetworkError> {
        let (mut start, mut values) = (reserve(count + 1)?, reserve(4 * count)?);
        start.resize(count + 1, 0);
        parallel::update(&mut start, |node, start| *start = 4 * node as u32);
        values.resize(4 * count, 0);
        parallel::update(values.as_chunks_mut::<4>().0, |node, four| *four = of_node(self, node as u32));
        Ok(Lists { start, values })
    }
}

/// Reasons why a torus cannot be built.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TorusError {
    /// The mean service is not a duration.
    #[error(transparent)]
    Mean(#[from] TimeError),
    /// The network cannot be built.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

/// Returns the edges of a torus, in the order of [`Network::torus`].
pub(super) fn torus_edges(width: u32, height: u32) -> impl Iterator<Item = (u32, u32)> {
    let cells = Cells { width, height };
    (0..width * height).flat_map(move |node| cells.neighbours(node).map(|to| (node, to)))
}
