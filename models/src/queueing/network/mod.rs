//! Directed graphs of single-server nodes.
//!
//! A [`Network`] is checked when it is made and cannot be changed afterwards, so engines need not check again: it has at
//! least one node, every edge ends at a node, every node has a way out, every mean service is at least one tick.

mod error;
mod torus;

pub use error::NetworkError;

/// The most nodes a network may have: 2^26, a torus of 8,192 x 8,192.
///
/// The limit turns a mistyped size into an error instead of an exhausted machine.
pub const MAX_NODES: usize = 1 << 26;

/// The most edges a network may have: 2^28.
pub const MAX_EDGES: usize = 1 << 28;

/// The most tokens a network may hold: 2^28.
pub const MAX_TOKENS: u64 = 1 << 28;

/// What a node is, apart from its edges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// A name for people; `None` means the node's number.
    pub label: Option<String>,
    /// Mean service time in ticks, at least 1 ([`crate::time::mean_service_ticks`] converts).
    pub mean_service: u32,
    /// Tokens at the node when the simulation starts.
    pub tokens: u32,
}

/// A closed queueing network: who sends to whom, how fast each node serves, and where the tokens start.
///
/// Out-edges keep the order in which they were given: a random word chooses among them by index. Two edges between the
/// same nodes are two choices, so they double the probability; an edge from a node to itself sends the token to the end
/// of the line it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    out_start: Vec<u32>,
    out: Vec<u32>,
    in_start: Vec<u32>,
    in_neighbours: Vec<u32>,
    mean_service: Vec<u32>,
    tokens: Vec<u32>,
    labels: Vec<String>,
    /// Width and height, where the nodes are the cells of a grid, row by row.
    grid: Option<(u32, u32)>,
}

impl Network {
    /// Makes a network of `nodes` and directed `edges` given as pairs of node numbers, from and to.
    ///
    /// # Errors
    /// A [`NetworkError`] when there is no node, when something exceeds the limits of this module, when an edge names a
    /// node that does not exist, when a node has no edge leaving it, or a mean service of no tick.
    pub fn from_edges(nodes: Vec<Node>, edges: &[(u32, u32)]) -> Result<Self, NetworkError> {
        check_sizes(nodes.len(), edges.len())?;
        let labelled = nodes.iter().any(|node| node.label.is_some());
        let mut network = Self {
            out_start: vec![],
            out: vec![],
            in_start: vec![],
            in_neighbours: vec![],
            mean_service: nodes.iter().map(|node| node.mean_service).collect(),
            tokens: nodes.iter().map(|node| node.tokens).collect(),
            labels: vec![],
            grid: None,
        };
        if labelled {
            network.labels = nodes
                .into_iter()
                .enumerate()
                .map(|(number, node)| node.label.unwrap_or_else(|| number.to_string()))
                .collect();
        }
        let count = network.mean_service.len();
        for (edge, &(from, to)) in edges.iter().enumerate() {
            if let Some(&node) = [from, to].iter().find(|&&node| node as usize >= count) {
                return Err(NetworkError::UnknownNode { edge, node, nodes: count });
            }
        }
        (network.out_start, network.out) = group(count, edges.iter().copied())?;
        network.check_nodes()?;
        network.derive_in_neighbours()?;
        Ok(network)
    }

    /// Number of nodes, at least 1.
    #[must_use]
    pub fn len(&self) -> usize {
        self.mean_service.len()
    }

    /// Whether the network has no node: never, since such a network cannot be made.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.mean_service.is_empty()
    }

    /// Width and height of the grid whose cells the nodes are, row by row; `None` where there is no such grid.
    #[must_use]
    pub fn grid(&self) -> Option<(u32, u32)> {
        self.grid
    }

    /// Number of directed edges.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.out.len()
    }

    /// The nodes at the ends of `node`'s out-edges, in their order; empty for a node that does not exist.
    #[must_use]
    pub fn out_edges(&self, node: u32) -> &[u32] {
        slice(&self.out_start, &self.out, node)
    }

    /// The nodes with an edge to `node`, each once, in ascending order.
    #[must_use]
    pub fn in_neighbours(&self, node: u32) -> &[u32] {
        slice(&self.in_start, &self.in_neighbours, node)
    }

    /// Where each node's out-edges begin in [`targets`](Self::targets), and one more entry for where the last end.
    #[must_use]
    pub fn out_start(&self) -> &[u32] {
        &self.out_start
    }

    /// The ends of all edges, grouped by the node they leave.
    #[must_use]
    pub fn targets(&self) -> &[u32] {
        &self.out
    }

    /// Where each node's in-neighbours begin in [`sources`](Self::sources), and one more entry for where the last end.
    #[must_use]
    pub fn in_start(&self) -> &[u32] {
        &self.in_start
    }

    /// All in-neighbour lists, one after the other.
    #[must_use]
    pub fn sources(&self) -> &[u32] {
        &self.in_neighbours
    }

    /// Mean service times in ticks, by node.
    #[must_use]
    pub fn mean_service(&self) -> &[u32] {
        &self.mean_service
    }

    /// Tokens at the start, by node.
    #[must_use]
    pub fn tokens(&self) -> &[u32] {
        &self.tokens
    }

    /// Tokens in the whole network, the same at every time.
    #[must_use]
    pub fn total_tokens(&self) -> u64 {
        self.tokens.iter().map(|&tokens| u64::from(tokens)).sum()
    }

    /// The node's label, or its number where it has none.
    #[must_use]
    pub fn label(&self, node: u32) -> String {
        self.labels.get(node as usize).cloned().unwrap_or_else(|| node.to_string())
    }

    /// The largest number of in-neighbours of any node.
    #[must_use]
    pub fn max_in_neighbours(&self) -> usize {
        longest(&self.in_start)
    }

    /// The largest number of out-edges of any node.
    #[must_use]
    pub fn max_out_edges(&self) -> usize {
        longest(&self.out_start)
    }

    /// Whether the uniform law over all placements of the tokens is stationary.
    ///
    /// It is exactly when the flow that would keep every node equally busy balances: at each node, what arrives when
    /// every node sends at the rate of its server equals what its own server sends. That holds for a torus with equal
    /// means, and for few networks that were not made to have it. Compared to one part in 10^9.
    #[must_use]
    pub fn is_balanced(&self) -> bool {
        self.unbalanced_node().is_none()
    }

    /// The first node at which the flow of [`is_balanced`](Self::is_balanced) does not balance.
    pub(crate) fn unbalanced_node(&self) -> Option<u32> {
        let mut inflow = vec![0.0_f64; self.len()];
        for (node, &mean) in self.mean_service.iter().enumerate() {
            let targets = self.out_edges(node as u32);
            let share = 1.0 / (f64::from(mean) * targets.len() as f64);
            for &to in targets {
                if let Some(flow) = inflow.get_mut(to as usize) {
                    *flow += share;
                }
            }
        }
        inflow
            .iter()
            .zip(&self.mean_service)
            .position(|(flow, &mean)| (flow * f64::from(mean) - 1.0).abs() > 1e-9)
            .map(|node| node as u32)
    }

    fn check_nodes(&self) -> Result<(), NetworkError> {
        let total = self.total_tokens();
        if total > MAX_TOKENS {
            return Err(NetworkError::TooManyTokens { tokens: total, limit: MAX_TOKENS });
        }
        for (node, &mean) in self.mean_service.iter().enumerate() {
            let node = node as u32;
            if mean == 0 {
                return Err(NetworkError::NoService { label: self.label(node) });
            }
            if self.out_edges(node).is_empty() {
                return Err(NetworkError::DeadEnd { label: self.label(node) });
            }
        }
        Ok(())
    }

    fn derive_in_neighbours(&mut self) -> Result<(), NetworkError> {
        let count = self.len();
        let (start, sources) = {
            let network = &*self;
            let reversed = (0..count as u32).flat_map(|from| network.out_edges(from).iter().map(move |&to| (to, from)));
            group(count, reversed)?
        };
        // Sources come in ascending order, so the copies of one stand side by side.
        self.in_start = reserve(count + 1)?;
        self.in_neighbours = reserve(sources.len())?;
        self.in_start.push(0);
        for node in 0..count as u32 {
            let mut last = None;
            for &from in slice(&start, &sources, node) {
                if last != Some(from) {
                    self.in_neighbours.push(from);
                }
                last = Some(from);
            }
            self.in_start.push(self.in_neighbours.len() as u32);
        }
        Ok(())
    }
}

fn check_sizes(nodes: usize, edges: usize) -> Result<(), NetworkError> {
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

fn reserve(entries: usize) -> Result<Vec<u32>, NetworkError> {
    let mut memory = Vec::new();
    memory.try_reserve_exact(entries).map_err(|_| NetworkError::OutOfMemory { bytes: entries * size_of::<u32>() })?;
    Ok(memory)
}

/// Groups pairs by their first member (below `count`), keeping their order: starts of the groups, then second members.
fn group(count: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Result<(Vec<u32>, Vec<u32>), NetworkError> {
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
    Ok((start, values))
}

fn slice<'a>(start: &[u32], values: &'a [u32], node: u32) -> &'a [u32] {
    let node = node as usize;
    match (start.get(node), start.get(node + 1)) {
        (Some(&from), Some(&to)) => values.get(from as usize..to as usize).unwrap_or(&[]),
        _ => &[],
    }
}

fn longest(start: &[u32]) -> usize {
    start.iter().zip(start.iter().skip(1)).map(|(from, to)| (to - from) as usize).max().unwrap_or(0)
}

#[cfg(test)]
mod tests;
