//! Regions of limited capacity.

use super::token::{Move, Token};
use crate::network::{self, Network, Overflow};
use std::collections::VecDeque;

/// A region, the numbers of tokens in it, and those that wait outside.
#[derive(Debug)]
struct Region {
    capacity: u64,
    overflow: Overflow,
    inside: u64,
    /// Largest number of tokens of each class, and the number inside; empty if no class is limited.
    classes: Vec<(u64, u64)>,
    waiting: VecDeque<Move>,
}

impl Region {
    fn of(region: &network::Region, classes: u32) -> Self {
        let limit = |class: u32| (u64::from(region.of_class(class)), 0);
        let capacity =
            if region.capacity == network::Region::UNLIMITED { u64::MAX } else { u64::from(region.capacity) };
        Self {
            capacity,
            overflow: region.overflow,
            inside: 0,
            classes: if region.classes.is_empty() { vec![] } else { (0..classes).map(limit).collect() },
            waiting: VecDeque::new(),
        }
    }

    /// Returns `true` if a token of a class has room.
    fn has_room(&self, class: u32) -> bool {
        let of_class = self.classes.get(class as usize);
        self.inside < self.capacity && of_class.is_none_or(|(limit, inside)| inside < limit)
    }

    fn enter(&mut self, class: u32) {
        self.inside += 1;
        if let Some((_, inside)) = self.classes.get_mut(class as usize) {
            *inside += 1;
        }
    }

    fn leave(&mut self, class: u32) {
        self.inside = self.inside.saturating_sub(1);
        if let Some((_, inside)) = self.classes.get_mut(class as usize) {
            *inside = inside.saturating_sub(1);
        }
    }

    /// Returns the place of the first token that waits outside and has room.
    fn next(&self) -> Option<usize> {
        if self.inside >= self.capacity {
            return None;
        }
        self.waiting.iter().position(|waiting| self.has_room(waiting.token.class))
    }
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
        let regions = network.regions().iter().map(|region| Region::of(region, network.classes() as u32));
        Self { regions: regions.collect(), of_node }
    }

    /// Returns the region of a node.
    pub(super) fn of_node(&self, node: u32) -> Option<usize> {
        self.of_node.get(node as usize).copied().flatten()
    }

    /// Counts a token of the start.
    pub(super) fn place(&mut self, node: u32, class: u32) {
        if let Some(region) = self.of_node(node).and_then(|region| self.regions.get_mut(region)) {
            region.enter(class);
        }
    }

    /// Counts a token that leaves a region.
    pub(super) fn leave(&mut self, region: Option<usize>, token: &Token) {
        if let Some(region) = region.and_then(|region| self.regions.get_mut(region)) {
            region.leave(token.counts_as);
        }
    }

    /// Lets a token into the region to which it goes: `Ok` if it is in, `Err` if it is lost, `None` if it waits.
    pub(super) fn admit(&mut self, token: Move) -> Option<Result<Move, Move>> {
        let to = self.of_node(token.to);
        if to == token.from_region {
            return Some(Ok(token));
        }
        self.leave(token.from_region, &token.token);
        let class = token.token.class;
        let token = Move { from_region: None, token: Token { counts_as: class, ..token.token }, ..token };
        let Some(region) = to.and_then(|region| self.regions.get_mut(region)) else { return Some(Ok(token)) };
        // Those that wait already and have room since this tick come first.
        if region.has_room(class) && region.next().is_none() {
            region.enter(class);
            return Some(Ok(token));
        }
        match region.overflow {
            Overflow::Lose => {
                // Whoever counts the loss counts that it leaves.
                region.enter(class);
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
        let (region, place) = self.regions.iter_mut().find_map(|region| region.next().map(|place| (region, place)))?;
        let admitted = region.waiting.remove(place)?;
        region.enter(admitted.token.class);
        Some(admitted)
    }
}
