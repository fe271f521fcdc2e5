//! In-neighbours of rows, in the form that the relaxation kernels read.

use super::EngineError;
use super::placement::Placement;
use crate::kernels::relaxation::{Far, NEAR, Reach, SIZE};
use crate::network::Network;
use imminent_common::parallel;
use std::ops::Range;

/// In-neighbours of every row: up to [`NEAR`] in the same group by their places there, the others in lists.
#[derive(Default)]
pub(super) struct Reaches {
    pub(super) reaches: Vec<Reach>,
    pub(super) fars: Vec<Far>,
    /// Number of the first row.
    first_row: u32,
}

impl Reaches {
    /// Adds the next row, which receives tokens from the rows `from`.
    pub(super) fn push(&mut self, from: impl Iterator<Item = u32>) -> Result<(), EngineError> {
        let row = self.first_row + index(self.reaches.len(), "nodes")?;
        let first_far = index(self.fars.len(), "edges between groups")?;
        let (mut places, mut near) = ([None; NEAR as usize], 0);
        for from in from {
            match places.get_mut(near as usize).filter(|_| from / SIZE == row / SIZE) {
                Some(place) => (*place, near) = (Some(from % SIZE), near + 1),
                None => self.fars.push(Far { node: from }),
            }
        }
        let far = index(self.fars.len(), "edges between groups")? - first_far;
        let rest = places.first().copied().flatten().unwrap_or(row % SIZE);
        let places = places.iter().rev().fold(0, |word, place| word << 8 | place.unwrap_or(rest));
        self.reaches.push(Reach { places, near, first_far, far });
        Ok(())
    }

    /// Appends the rows that follow.
    fn followed_by(mut self, next: Self) -> Result<Self, EngineError> {
        let before = index(self.fars.len(), "edges between groups")?;
        index(self.fars.len() + next.fars.len(), "edges between groups")?;
        let moved = next.reaches.into_iter().map(|reach| Reach { first_far: reach.first_far + before, ..reach });
        self.reaches.extend(moved);
        self.fars.extend(next.fars);
        Ok(self)
    }
}

/// Returns a number of items as an index of 32 bits.
pub(super) fn index(length: usize, what: &'static str) -> Result<u32, EngineError> {
    u32::try_from(length).map_err(|_| EngineError::TooLarge { what })
}

/// Returns the in-neighbours of every row of a network.
pub(super) fn reaches(network: &Network, placement: &Placement) -> Result<(Vec<Reach>, Vec<Far>), EngineError> {
    let of_rows = |rows: Range<usize>| {
        let mut found = Reaches { first_row: index(rows.start, "nodes")?, ..Reaches::default() };
        for row in rows {
            let node = placement.node(row as u32);
            found.push(network.in_neighbours(node).iter().map(|&from| placement.row(from)))?;
        }
        Ok(found)
    };
    let parts = parallel::ranges(network.len(), of_rows).into_iter();
    let Reaches { reaches, mut fars, .. } =
        parts.reduce(|all, next| all?.followed_by(next?)).unwrap_or_else(|| Ok(Reaches::default()))?;
    if fars.is_empty() {
        // A table has at least one row; no list refers to this one.
        fars.push(Far { node: 0 });
    }
    Ok((reaches, fars))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Node;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_in_neighbour_is_found_once(
            nodes in 1usize..600,
            edges in prop::collection::vec((0u32..600, 0u32..600), 0..1500),
        ) {
            let count = nodes as u32;
            // Every node needs an edge that leaves it.
            let ring = (0..count).map(|node| (node, (node + 1) % count));
            let edges: Vec<_> = edges.into_iter().map(|(a, b)| (a % count, b % count)).chain(ring).collect();
            let node = Node { mean_service: 1, tokens: 1, label: None };
            let network = Network::from_edges(vec![node; nodes], &edges).unwrap();
            let placement = Placement::in_groups(&network, SIZE);
            let (reaches, fars) = reaches(&network, &placement).unwrap();
            prop_assert_eq!(reaches.len(), nodes);
            for (row, reach) in (0..count).zip(&reaches) {
                let first = row - row % SIZE;
                let near = (0..reach.near).map(|k| first + reach.place(k));
                let far = (reach.first_far..reach.first_far + reach.far).map(|edge| fars[edge as usize].node);
                let mut found: Vec<u32> = near.chain(far).map(|row| placement.node(row)).collect();
                found.sort_unstable();
                prop_assert_eq!(&found[..], network.in_neighbours(placement.node(row)));
                let spare = if reach.near == 0 { row % SIZE } else { reach.place(0) };
                let repeats = (reach.near..NEAR).all(|k| reach.place(k) == spare);
                prop_assert!(repeats);
            }
        }
    }
}
