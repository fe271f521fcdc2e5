//! `run network`.

use super::{ConfigError, RunOptions, from_toml};
use crate::queueing::experiment::Experiment;
use crate::queueing::graphml::{self, Defaults};
use crate::queueing::network::{Network, Node};
use crate::time::mean_service_ticks;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A run of a network model: the sections `[network]` and `[run]`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NetworkConfig {
    /// The model.
    pub network: NetworkShape,
    /// What is done with it.
    pub run: RunOptions,
}

/// The `[network]` section: a GraphML file, or links and edges between nodes that are called by name.
///
/// A node exists once it is named, in a `[[network.node]]` entry or by a link or an edge; nodes are numbered in that
/// order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NetworkShape {
    /// Tokens at every node that does not say otherwise.
    pub tokens: u32,
    /// Mean service of every node that does not say otherwise, in time units.
    pub mean: f64,
    /// A GraphML file; relative to the folder of the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<PathBuf>,
    /// Pairs of nodes that are joined both ways.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<[String; 2]>,
    /// Pairs of nodes that are joined one way, from the first to the second.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<[String; 2]>,
    /// Nodes that differ from the others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub node: Vec<NodeShape>,
}

/// A `[[network.node]]` entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeShape {
    /// The node's name.
    pub name: String,
    /// Its tokens at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u32>,
    /// Its mean service in time units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
}

impl Default for NetworkShape {
    fn default() -> Self {
        Self { tokens: 1, mean: 10.0, graph: None, links: vec![], edges: vec![], node: vec![] }
    }
}

impl NetworkConfig {
    /// The configuration for a file of either kind: TOML, or GraphML with every option at its default.
    ///
    /// A file that begins with `<` is taken for GraphML, whatever its name.
    ///
    /// # Errors
    /// [`ConfigError`] for a file that cannot be read or is not valid TOML. What is wrong with the network itself comes
    /// to light in [`experiment`](Self::experiment).
    pub fn from_file(path: &Path) -> Result<Self, ConfigError> {
        let file = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| ConfigError::Unreadable { file: file.clone(), reason: error.to_string() })?;
        let graphml = path.extension().is_some_and(|extension| extension == "graphml")
            || text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).starts_with('<');
        if graphml {
            let network = NetworkShape { graph: Some(path.to_owned()), ..NetworkShape::default() };
            return Ok(Self { network, run: RunOptions::default() });
        }
        Self::from_toml(&text, &file)
    }

    /// Reads a configuration from TOML text; `file` is its path, for errors and for finding the graph beside it.
    ///
    /// # Errors
    /// [`ConfigError::Toml`], with line and key, for what is not TOML, unknown keys and values of the wrong type.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, ConfigError> {
        let mut config: Self = from_toml(text, file)?;
        if let Some(graph) = &mut config.network.graph
            && let Some(folder) = Path::new(file).parent()
        {
            *graph = folder.join(&*graph);
        }
        Ok(config)
    }

    /// What this configuration describes; reads the graph's file if there is one.
    ///
    /// # Errors
    /// [`ConfigError`], which names the key at fault ([`ConfigError::located`] finds its line in a file), or says what is
    /// wrong in the graph's file.
    pub fn experiment(&self) -> Result<Experiment, ConfigError> {
        self.run.experiment(self.network.network()?)
    }
}

impl NetworkShape {
    fn network(&self) -> Result<Network, ConfigError> {
        let mean =
            mean_service_ticks(self.mean).map_err(|error| ConfigError::value("network.mean", error.to_string()))?;
        if let Some(path) = &self.graph {
            if !(self.links.is_empty() && self.edges.is_empty() && self.node.is_empty()) {
                let problem = "a graph's file has the nodes and links: remove 'links', 'edges' and 'node', or 'graph'";
                return Err(ConfigError::value("network.graph", problem.to_owned()));
            }
            let defaults = Defaults { service_mean: self.mean, tokens: self.tokens };
            return Ok(graphml::read(path, defaults)?);
        }
        let mut names = Names { numbers: HashMap::new(), nodes: vec![], mean, tokens: self.tokens };
        for shape in &self.node {
            if names.numbers.contains_key(shape.name.as_str()) {
                let problem = format!("a second node has the name '{}': names must differ", shape.name);
                return Err(ConfigError::value("network.node", problem));
            }
            let mean_service = match shape.mean {
                None => mean,
                Some(units) => mean_service_ticks(units).map_err(|error| {
                    ConfigError::value("network.node", format!("'mean' of node '{}': {error}", shape.name))
                })?,
            };
            names.add(&shape.name, mean_service, shape.tokens.unwrap_or(self.tokens));
        }
        let mut edges = vec![];
        for [a, b] in &self.links {
            let (a, b) = (names.number(a), names.number(b));
            edges.push((a, b));
            if a != b {
                edges.push((b, a));
            }
        }
        for [from, to] in &self.edges {
            edges.push((names.number(from), names.number(to)));
        }
        Network::from_edges(names.nodes, &edges).map_err(|error| ConfigError::value("network.links", error.to_string()))
    }
}

/// Nodes by name, in the order in which they are first named.
struct Names<'a> {
    numbers: HashMap<&'a str, u32>,
    nodes: Vec<Node>,
    mean: u32,
    tokens: u32,
}

impl<'a> Names<'a> {
    fn number(&mut self, name: &'a str) -> u32 {
        match self.numbers.get(name) {
            Some(&number) => number,
            None => self.add(name, self.mean, self.tokens),
        }
    }

    fn add(&mut self, name: &'a str, mean_service: u32, tokens: u32) -> u32 {
        let number = self.nodes.len() as u32;
        self.numbers.insert(name, number);
        self.nodes.push(Node { label: Some(name.to_owned()), mean_service, tokens });
        number
    }
}
