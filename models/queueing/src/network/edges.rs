//! Networks of single exponential servers, from lists of nodes and edges.

use super::column::Column;
use super::limits::MAX_TOKENS;
use super::lists::{Lists, check_sizes, group};
use super::routes::Table;
use super::{Network, NetworkError, Node, Profile, Role, Routing, Station};
use crate::law::{Law, Sampler};
use imminent_common::parallel;
use imminent_common::time::Tick;
use std::collections::HashMap;

impl Network {
    /// Builds a closed network of `nodes`, each a single exponential server with an unbounded first-come, first-served
    /// line. Directed `edges` are pairs of node numbers, from and to; the out-edges of a node are equally likely.
    ///
    /// # Errors
    /// [`NetworkError`] if there is no node, if a limit of this module is exceeded, if an edge names a node that does
    /// not exist, if a node has no out-edge, or if a mean service has no tick.
    pub fn from_edges(nodes: Vec<Node>, edges: &[(u32, u32)]) -> Result<Self, NetworkError> {
        check_sizes(nodes.len(), edges.len())?;
        let count = nodes.len();
        for (edge, &(from, to)) in edges.iter().enumerate() {
            if let Some(&node) = [from, to].iter().find(|&&node| node as usize >= count) {
                return Err(NetworkError::UnknownNode { edge, node, nodes: count });
            }
        }
        let means: Vec<u32> = nodes.iter().map(|node| node.mean_service).collect();
        let tokens = Column::of(nodes.iter().map(|node| node.tokens).collect());
        let mut labels = vec![];
        if nodes.iter().any(|node| node.label.is_some()) {
            let named = nodes.into_iter().enumerate();
            labels = named.map(|(number, node)| node.label.unwrap_or_else(|| number.to_string())).collect();
        }
        let out = group(count, edges.iter().copied())?;
        Self::of_servers(Servers { means: &means, tokens, labels, torus: None }, out, None)
    }

    /// Builds a network of single exponential servers from their out-edges, which must be valid. In-neighbours, each
    /// once and in ascending order, are computed if they are not given.
    pub(super) fn of_servers(servers: Servers<'_>, out: Lists, incoming: Option<Lists>) -> Result<Self, NetworkError> {
        let Lists { start, values: to } = out;
        let count = start.len() - 1;
        let Servers { means, tokens, labels, torus } = servers;
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let mut samplers = vec![];
        let mut service = |mean: u32| {
            *numbers.entry(mean).or_insert_with(|| {
                samplers.push(Sampler::Exponential(mean));
                samplers.len() as u32 - 1
            })
        };
        let service = match means {
            // One mean for all needs no list.
            [mean] => Column::All(service(*mean)),
            means => Column::of(means.iter().map(|&mean| service(mean)).collect()),
        };
        let profile = Profile { role: Role::Station(Station::default()), routing: Routing::Random };
        let mut network = Self {
            nodes: count,
            classes: vec!["token".to_owned()],
            profiles: vec![profile],
            profile: Column::All(0),
            laws: vec![],
            samplers,
            service,
            priority: Column::All(0),
            tokens,
            routes: Table { start, to, ..Table::default() },
            behaviours: std::collections::BTreeMap::new(),
            conducts: std::collections::BTreeMap::new(),
            passes: vec![],
            weights: std::collections::BTreeMap::new(),
            regions: vec![],
            resources: vec![],
            in_start: vec![],
            in_neighbours: vec![],
            labels,
            positions: vec![],
            grid: torus,
            torus: torus.is_some(),
            tick: Tick::DEFAULT,
            simple: true,
            left_out: 0,
            scaled: vec![],
        }
        .counted_in(Tick::DEFAULT);
        let total = network.total_tokens();
        if total > MAX_TOKENS {
            return Err(NetworkError::TooManyTokens { tokens: total, limit: MAX_TOKENS });
        }
        let serves = |node: u32| network.mean_service(node) > 0;
        let leads_on = |node: u32| !network.routes(node, 0).is_empty();
        let at_fault = parallel::find_first(count, |node| !serves(node as u32) || !leads_on(node as u32));
        if let Some(node) = at_fault.map(|node| node as u32) {
            let label = network.label(node);
            return Err(if serves(node) { NetworkError::DeadEnd { label } } else { NetworkError::NoService { label } });
        }
        let incoming = incoming.map_or_else(|| network.find_in_neighbours(), Ok)?;
        network.set_in_neighbours(incoming);
        Ok(network)
    }

    /// Returns the network of single exponential servers with another tick: its means keep their numbers of ticks.
    #[must_use]
    pub(super) fn counted_in(mut self, tick: Tick) -> Self {
        self.tick = tick;
        let ticks = |sampler: &Sampler| match sampler {
            Sampler::Exponential(mean) => u64::from(*mean),
            other => other.mean_ticks().round() as u64,
        };
        self.laws = self.samplers.iter().map(|sampler| Law::Exponential { mean: tick.units(ticks(sampler)) }).collect();
        self
    }
}

/// Nodes for [`Network::of_servers`].
pub(super) struct Servers<'a> {
    /// Mean service times in ticks, by node; a single entry holds for all.
    pub(super) means: &'a [u32],
    /// Numbers of tokens, by node.
    pub(super) tokens: Column,
    /// Labels by node; may be empty.
    pub(super) labels: Vec<String>,
    /// Width and height of the torus whose cells the nodes are.
    pub(super) torus: Option<(u32, u32)>,
}
