//! Lists of lists in two vectors.

use super::error::NetworkError;
use super::limits::{MAX_EDGES, MAX_NODES};
use imminent_common::parallel;

/// Lists of node numbers, stored one after the other.
pub(super) struct Lists {
    /// Start of each list, and one more entry for the end of the last.
    pub(super) start: Vec<u32>,
    pub(super) values: Vec<u32>,
}

pub(super) fn check_sizes(nodes: usize, edges: usize) -> Result<(), NetworkError> {
    if nodes == 0 {
        return Err(NetworkError::NoNodes);
    }
    if nodes > MAX_NODES {
        return Err(NetworkError::TooManyNodes { nodes, limit: MAX_NODES });
    }
    if edges > MAX_EDGES {
        return Err(NetworkError::TooManyEdges { edges, limit: MAX_EDGES });
    }
    Ok(())
}

pub(super) fn reserve(entries: usize) -> Result<Vec<u32>, NetworkError> {
    let mut memory = Vec::new();
    memory.try_reserve_exact(entries).map_err(|_| NetworkError::OutOfMemory { bytes: entries * size_of::<u32>() })?;
    Ok(memory)
}

/// Groups pairs by their first member (below `count`) into lists of second members, keeping their order.
pub(super) fn group(count: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Result<Lists, NetworkError> {
    let mut start = reserve(count + 1)?;
    start.resize(count + 1, 0);
    for (key, _) in pairs.clone() {
        if let Some(entry) = start.get_mut(key as usize + 1) {
            *entry += 1;
        }
    }
    let mut sum = 0;
    for entry in &mut start {
        sum += *entry;
        *entry = sum;
    }
    let mut values = reserve(sum as usize)?;
    values.resize(sum as usize, 0);
    let mut next = start.clone();
    for (key, value) in pairs {
        if let Some(position) = next.get_mut(key as usize) {
            if let Some(place) = values.get_mut(*position as usize) {
                *place = value;
            }
            *position += 1;
        }
    }
    Ok(Lists { start, values })
}

/// Returns list number `index`; empty past the end.
pub(super) fn group_slice<'a>(start: &[u32], values: &'a [u32], index: u32) -> &'a [u32] {
    let index = index as usize;
    match (start.get(index), start.get(index + 1)) {
        (Some(&from), Some(&to)) => values.get(from as usize..to as usize).unwrap_or(&[]),
        _ => &[],
    }
}

/// Returns the length of all lists, if they have equal lengths.
pub(super) fn common_length(start: &[u32]) -> Option<u32> {
    let first = *start.get(1)?;
    let begins =
        |index: usize| start.get(index).is_some_and(|&begins| u64::from(begins) == u64::from(first) * index as u64);
    parallel::find_first(start.len(), |index| !begins(index)).is_none().then_some(first)
}

pub(super) fn longest(start: &[u32]) -> usize {
    start.iter().zip(start.iter().skip(1)).map(|(from, to)| (to - from) as usize).max().unwrap_or(0)
}

/// Returns for each of `nodes` nodes the nodes with an edge to it, each once, in ascending order. `out(from)` are the
/// targets of a node's edges.
pub(super) fn in_neighbours<I: Iterator<Item = u32> + Clone>(
    nodes: usize,
    out: impl Fn(u32) -> I + Clone,
) -> Result<Lists, NetworkError> {
    let reversed = (0..nodes as u32).flat_map(|from| out(from).map(move |to| (to, from)));
    let Lists { start, values: sources } = group(nodes, reversed)?;
    // Sources come in ascending order, so copies of one are adjacent.
    let mut once_start = reserve(nodes + 1)?;
    let mut once = reserve(sources.len())?;
    once_start.push(0);
    for node in 0..nodes as u32 {
        let mut last = None;
        for &from in group_slice(&start, &sources, node) {
            if last != Some(from) {
                once.push(from);
            }
            last = Some(from);
        }
        once_start.push(once.len() as u32);
    }
    Ok(Lists { start: once_start, values: once })
}
