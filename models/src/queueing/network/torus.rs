//! The papers' network: a grid whose borders meet.

use super::column::Column;
use super::edges::Servers;
use super::lists::{check_sizes, group};
use super::{Network, NetworkError};

impl Network {
    /// A torus of `width` x `height` nodes, each with edges to its left, right, upper and lower neighbour, in that order.
    ///
    /// Node `row * width + column`. Every node has exactly four out-edges, whatever the size: on a side of length 2 the
    /// left and the right neighbour are the same node, which two edges lead to; on a side of length 1 both are the node
    /// itself. So one node alone is a server with feedback, and the stationary law is uniform in every case.
    ///
    /// `mean_service` is in ticks; every node starts with `tokens` tokens.
    ///
    /// # Errors
    /// [`NetworkError`] for a side of 0, a size beyond the limits of this module, or a mean service of no tick.
    pub fn torus(width: u32, height: u32, mean_service: u32, tokens: u32) -> Result<Self, NetworkError> {
        if width == 0 || height == 0 {
            return Err(NetworkError::EmptyTorus { width, height });
        }
        let too_many = usize::MAX / 4;
        let count = (width as usize).checked_mul(height as usize).unwrap_or(too_many).min(too_many);
        check_sizes(count, count * 4)?;
        let edges = torus_edges(width, height);
        let (start, to) = group(count, edges)?;
        let servers = Servers {
            means: &[mean_service],
            tokens: Column::All(tokens),
            labels: vec![],
            grid: Some((width, height)),
        };
        Self::of_servers(servers, start, to)
    }
}

/// The edges of a torus, as [`Network::torus`] orders them.
pub(super) fn torus_edges(width: u32, height: u32) -> impl Iterator<Item = (u32, u32)> + Clone {
    (0..height).flat_map(move |row| {
        (0..width).flat_map(move |column| {
            let from = row * width + column;
            let left = row * width + (column + width - 1) % width;
            let right = row * width + (column + 1) % width;
            let up = (row + height - 1) % height * width + column;
            let down = (row + 1) % height * width + column;
            [(from, left), (from, right), (from, up), (from, down)]
        })
    })
}
