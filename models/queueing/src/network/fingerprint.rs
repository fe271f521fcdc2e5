//! Digest of the parts of a network that determine the results of a simulation.

use super::{Network, Overflow, Region, Role};
use crate::law::Sampler;
use crate::outcome::{Digest, Hasher};
use imminent_common::time::Tick;

impl Network {
    /// Returns a digest of everything that determines an outcome. It covers nodes, routes and their thresholds, tokens,
    /// and the laws as compiled, with their quantile tables. Behaviour beyond that is covered as well. The tick is
    /// included if it is not the [default](Tick::DEFAULT). Hosts whose networks have the same fingerprint get the same
    /// outcomes. Labels and positions are not included.
    #[must_use]
    pub fn fingerprint(&self) -> Digest {
        let mut hasher = Hasher::new("imminent queueing network 1");
        hasher.words(&[self.len() as u64, self.classes() as u64, self.samplers.len() as u64]);
        for sampler in &self.samplers {
            let (kind, numbers): (u64, &[u64]) = match sampler {
                Sampler::Constant(ticks) => (0, &[*ticks]),
                Sampler::Exponential(mean) => (1, &[u64::from(*mean)]),
                Sampler::Uniform { low, span } => (2, &[*low, *span]),
                Sampler::Empirical(values) => (3, values),
                Sampler::Quantiles(table) => (4, table.ticks()),
            };
            hasher.words(&[kind, numbers.len() as u64]);
            hasher.words(numbers);
        }
        for node in 0..self.len() as u32 {
            let routing = self.routing(node).number();
            match self.role(node) {
                Role::Source => hasher.words(&[0, routing]),
                Role::Station(station) => hasher.words(&[
                    u64::from(station.servers),
                    routing,
                    station.discipline as u64,
                    station.capacity.map_or(u64::MAX, u64::from),
                    u64::from(station.overflow == Overflow::Block),
                ]),
            }
            for class in 0..self.classes() as u32 {
                let routes = self.routes(node, class);
                hasher.words(&[
                    self.service(node, class).map_or(u64::MAX, u64::from),
                    u64::from(self.priority(node, class)),
                    u64::from(self.tokens(node, class)),
                    routes.len() as u64,
                ]);
                for route in routes.iter() {
                    let to = route.to.map_or(u64::MAX, u64::from);
                    hasher.words(&[to, u64::from(route.class), route.threshold.map_or(u64::MAX, u64::from)]);
                }
            }
        }
        if self.tick() != Tick::DEFAULT {
            hasher.words(&[i64::from(self.tick().bits()) as u64]);
        }
        // Their parts in words, in the order of the nodes.
        let conducts = self.conducts.iter().map(|of| format!("{of:?}"));
        let regions = self.regions.iter().map(|Region { nodes, capacity, classes, overflow }| {
            let classes = if classes.is_empty() { String::new() } else { format!(", classes: {classes:?}") };
            format!("Region {{ nodes: {nodes:?}, capacity: {capacity}, overflow: {overflow:?}{classes} }}")
        });
        let weights = self.weights.iter().map(|of| format!("{of:?}"));
        let resources = self.resources.iter().map(|of| format!("{of:?}"));
        for text in conducts.chain(regions).chain(weights).chain(resources) {
            hasher.words(&text.bytes().map(u64::from).collect::<Vec<_>>());
        }
        hasher.finish()
    }
}
