//! Regions of limited capacity.

use super::token::Move;
use crate::network::{Network, Overflow};
use std::collections::VecDeque;

/// A region, the number of tokens in it, and those that wait outside.
#[derive(Debug)]
struct Region {
    capacity: u64,
    overflow: Overflow,
    inside: u64,
    waiting: VecDeque<Move>,
}

/// Regions of a network.
#[derive(Debug)]
pub(super) struct Regions {
    regions: Vec<Region>,
    /// Region of each node.
    of_node: Vec<Option<usize>>,
}

impl Regions {
    pub(super) fn of(network: &Network) -> Self {
        let mut of_node = vec![None; if network.regions().is_empty() { 0 } else { network.len() }];
        for (number, region) in network.regions().iter().enumerate() {
            for &node in &region.nodes {
                if let Some(entry) = of_node.get_mut(node as usize) {
                    *entry = Some(number);
                }
            }
        }
        let regions = network.regions().iter().map(|region| Region {
            capacity: u64::from(region.capacity),
            overflow: region.overflow,
            inside: 0,
            waiting: VecDeque::new(),
        });
        Self { regions: regions.collect(), of_node }
    }

    /// Returns the region of a node.
    pub(super) fn of_node(&self, node: u32) -> Option<usize> {
        self.of_node.get(node as usize).copied().flatten()
    }

    /// Counts a token of the start.
    pub(super) fn place(&mut self, node: u32) {
        if let Some(region) = self.of_node(node).and_then(|region| self.regions.get_mut(region)) {
            region.inside += 1;
        }
    }

    /// Counts a token that leaves a region.
    pub(super) fn leave(&mut self, region: Option<usize>) {
        if let Some(region) = region.and_then(|region| self.regions.get_mut(region)) {
            region.inside = region.inside.saturating_sub(1);
        }
    }

    /// Lets a token into the region to which it goes: `Ok` if it is in, `Err` if it is lost, `None` if it waits.
    pub(super) fn admit(&mut self, token: Move) -> Option<Result<Move, Move>> {
        let to = self.of_node(token.to);
        if to == token.from_region {
            return Some(Ok(token));
        }
        self.leave(token.from_region);
        let token = Move { from_region: None, ..token };
        let Some(region) = to.and_then(|region| self.regions.get_mut(region)) else { return Some(Ok(token)) };
        if region.inside < region.capacity && region.waiting.is_empty() {
            region.inside += 1;
            return Some(Ok(token));
        }
        match region.overflow {
            Overflow::Lose => {
                // Whoever counts the loss counts that it leaves.
                region.inside += 1;
                Some(Err(token))
            }
            Overflow::Block => {
                region.waiting.push_back(token);
                None
            }
        }
    }

    /// Returns the next token that waits outside of a region with room, which it enters.
    pub(super) fn next_admitted(&mut self) -> Option<Move> {
        let region =
            self.regions.iter_mut().find(|region| region.inside < region.capacity && !region.waiting.is_empty())?;
        region.inside += 1;
        region.waiting.pop_front()
    }
}
