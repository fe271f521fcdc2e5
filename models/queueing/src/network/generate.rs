//! Networks by a rule.

use super::lists::check_sizes;
use super::torus::torus_edges;
use super::{Builder, MAX_NODES, Network, NetworkError, Onward, Routing, Station};
use crate::law::{Law, Sampler, tick_of};
use imminent_common::streams::{StreamKey, below};

/// What every station of a generated network is like.
#[derive(Debug, Clone, PartialEq)]
pub struct Template {
    /// The station.
    pub station: Station,
    /// Its service law.
    pub service: Law,
    /// How it chooses among its routes.
    pub routing: Routing,
    /// Tokens that it starts with.
    pub tokens: u32,
}

/// A rule by which nodes are connected.
#[derive(Debug, Clone, PartialEq)]
pub enum Topology {
    /// [`Network::torus`]: a grid whose borders meet.
    Torus {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// Lines of stations in tandem, which tokens enter at the first and leave at the last: the papers' open network.
    ///
    /// Station `s` of line `l` sends to station `s + 1`. Each line has a source of its own, in front of its first station, and the nodes are the
    /// cells of a grid, a line in each row. With `shared`, one source (the first node) serves all lines and sends each token to any line alike,
    /// its times being shorter by the number of lines; for exponential times that is the same process.
    Lines {
        /// Lines.
        lines: u32,
        /// Stations in a line.
        stations: u32,
        /// Time between the tokens of one line.
        interarrival: Law,
        /// Whether one source serves all lines.
        shared: bool,
    },
    /// Layers of stations, each of which sends to some of the next layer; the first layer has a source for each station, the last layer lets
    /// tokens leave.
    ///
    /// Between two layers there are `degree` random one-to-one assignments, which a token takes alike; so all stations are equally loaded.
    FeedForward {
        /// Layers.
        layers: u32,
        /// Stations in a layer.
        width: u32,
        /// Ways onward from a station.
        degree: u32,
        /// Time between the tokens of one source.
        interarrival: Law,
        /// Seed of the assignments.
        seed: u64,
    },
    /// Every node sends to every other alike.
    Complete {
        /// Nodes, at least 2.
        nodes: u32,
    },
}

impl Topology {
    /// The network of this shape whose stations are all like `template`, in ticks that [fit](Builder::fit_tick) its laws.
    ///
    /// # Errors
    /// [`NetworkError`] for a shape without nodes, one too large, and for what [`Builder::build`] objects to.
    pub fn network(&self, template: &Template) -> Result<Network, NetworkError> {
        let mut draft = Draft { builder: Builder::new(), template };
        match self {
            Self::Torus { width, height } => return torus(*width, *height, draft),
            Self::Lines { lines, stations, interarrival, shared } => {
                limit(&[("lines", *lines, 1), ("servers", *stations, 1)], u64::from(*stations) + 1)?;
                if *shared {
                    draft.lines_of_one(*lines, *stations, interarrival);
                } else {
                    draft.lines(*lines, *stations, interarrival);
                }
            }
            Self::FeedForward { layers, width, degree, interarrival, seed } => {
                let edges = u64::from((*degree).max(1)) + 1;
                limit(&[("layers", *layers, 1), ("width", *width, 1), ("degree", *degree, 1)], edges)?;
                draft.layers(*layers, *width, *degree, interarrival, *seed);
            }
            Self::Complete { nodes } => {
                limit(&[("nodes", *nodes, 2)], u64::from(*nodes))?;
                draft.complete(*nodes);
            }
        }
        draft.builder.fit_tick();
        draft.builder.build()
    }
}

/// Refuses sizes that are too small, and those whose nodes and edges are too many before they are made.
fn limit(sizes: &[(&'static str, u32, u32)], edges_per_node: u64) -> Result<(), NetworkError> {
    if let Some(&(what, given, least)) = sizes.iter().find(|(_, given, least)| given < least) {
        return Err(NetworkError::TooSmall { what, given, least });
    }
    let nodes = sizes.iter().filter(|(what, ..)| *what != "degree").try_fold(1_u64, |product, (_, size, _)| {
        product.checked_mul(u64::from(*size)).filter(|&product| product <= MAX_NODES as u64)
    });
    // A product that does not fit is too large by any measure.
    let nodes = nodes.unwrap_or(u64::from(u32::MAX));
    check_sizes(nodes as usize, nodes.saturating_mul(edges_per_node).min(u64::MAX / 4) as usize)
}

fn torus(width: u32, height: u32, mut draft: Draft<'_>) -> Result<Network, NetworkError> {
    let template = draft.template;
    if template.tokens == 0 && width > 0 && height > 0 {
        return Err(NetworkError::Empty);
    }
    let plain = template.station == Station::default() && template.routing == Routing::Random;
    let tick = tick_of(std::slice::from_ref(&template.service));
    if let (true, Ok(Sampler::Exponential(mean))) = (plain, template.service.sampler_at(tick)) {
        return Ok(Network::torus(width, height, mean, template.tokens)?.counted_in(tick));
    }
    if width == 0 || height == 0 {
        return Err(NetworkError::EmptyTorus { width, height });
    }
    limit(&[("width", width, 1), ("height", height, 1)], 4)?;
    for _ in 0..width * height {
        draft.station();
    }
    for (from, to) in torus_edges(width, height) {
        draft.builder.edge(from, to);
    }
    draft.builder.on_grid(width, height).tick(tick);
    draft.builder.build()
}

struct Draft<'a> {
    builder: Builder,
    template: &'a Template,
}

impl Draft<'_> {
    fn station(&mut self) -> u32 {
        let Template { station, service, routing, tokens } = self.template;
        let node = self.builder.station("", *station);
        self.builder.serve_all(node, service.clone()).routing(node, *routing);
        if *tokens > 0 {
            self.builder.tokens(node, 0, *tokens);
        }
        node
    }

    fn lines(&mut self, lines: u32, stations: u32, interarrival: &Law) {
        for _ in 0..lines {
            let mut last = self.builder.source("", 0, interarrival.clone());
            for _ in 0..stations {
                let next = self.station();
                self.builder.edge(last, next);
                last = next;
            }
            self.builder.exit(last);
        }
        self.builder.on_grid(stations + 1, lines);
    }

    fn lines_of_one(&mut self, lines: u32, stations: u32, interarrival: &Law) {
        let source = self.builder.source("", 0, interarrival.with_mean(interarrival.mean() / f64::from(lines)));
        for _ in 0..lines {
            let mut last = source;
            for _ in 0..stations {
                let next = self.station();
                self.builder.edge(last, next);
                last = next;
            }
            self.builder.exit(last);
        }
    }

    fn layers(&mut self, layers: u32, width: u32, degree: u32, interarrival: &Law, seed: u64) {
        let mut random = StreamKey::new(seed, 0).start().generator();
        for _ in 0..width {
            self.builder.source("", 0, interarrival.clone());
        }
        for layer in 0..layers {
            for _ in 0..width {
                self.station();
            }
            let (before, here) = (layer * width, (layer + 1) * width);
            if layer == 0 {
                for column in 0..width {
                    self.builder.edge(column, here + column);
                }
                continue;
            }
            for _ in 0..degree {
                // A shuffle by Fisher and Yates.
                let mut columns: Vec<u32> = (0..width).collect();
                for place in (1..width as usize).rev() {
                    columns.swap(place, below(&mut random, place as u64 + 1) as usize);
                }
                for (from, to) in (before..).zip(columns) {
                    self.builder.edge(from, here + to);
                }
            }
        }
        for column in 0..width {
            self.builder.exit(layers * width + column);
        }
        self.builder.on_grid(width, layers + 1);
    }

    fn complete(&mut self, nodes: u32) {
        for _ in 0..nodes {
            self.station();
        }
        for from in 0..nodes {
            for to in (0..nodes).filter(|&to| to != from) {
                self.builder.route_all(from, Onward::to(to));
            }
        }
    }
}
