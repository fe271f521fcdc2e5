//! Failures of links of a configuration: `[[topology.failure]]`.

use super::error::{ConfigError, instant, time};
use super::flow::unknown;
use super::unit;
use crate::network::{Failure, Failures, Network};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Time during which the links between two nodes carry nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FailureShape {
    /// Name of one end.
    pub from: String,
    /// Name of the other end.
    pub to: String,
    /// Time from which they carry nothing, in seconds.
    #[serde(default, deserialize_with = "unit::seconds")]
    #[schemars(range(min = 0.0, max = 5e6), extend("unit" = "s"))]
    pub start: f64,
    /// Time from which they carry packets again, in seconds. Without it they never do.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "unit::some_seconds")]
    #[schemars(range(min = 1e-9, max = 5e6), extend("unit" = "s"))]
    pub stop: Option<f64>,
    /// `true` if the links back go on.
    #[serde(default)]
    pub one_way: bool,
}

/// Returns the failures of a configuration. Routes take account of them after `convergence` seconds.
pub(super) fn failures(shapes: &[FailureShape], convergence: f64, network: &Network) -> Result<Failures, ConfigError> {
    let convergence = instant("traffic.convergence", convergence)?;
    let mut all = vec![];
    for (index, shape) in shapes.iter().enumerate() {
        shape.add(index, network, &mut all)?;
    }
    Failures::new(network, all, convergence).map_err(|error| ConfigError::value("topology.failure", error.to_string()))
}

impl FailureShape {
    fn add(&self, index: usize, network: &Network, all: &mut Vec<Failure>) -> Result<(), ConfigError> {
        let key = |name: &str| format!("topology.failure[{index}].{name}");
        let node = |end: &str, name: &str| network.node(name).ok_or_else(|| unknown(&key(end), name, network));
        let (from, to) = (node("from", &self.from)?, node("to", &self.to)?);
        let start = instant(&key("start"), self.start)?;
        let stop = self.stop.map_or(Ok(crate::units::NEVER), |stop| time(&key("stop"), stop))?;
        if stop <= start {
            let problem = format!("a failure from {} s on stops later: give a time after its start", self.start);
            return Err(ConfigError::value(&key("stop"), problem));
        }
        let between = |from: u32, to: u32| {
            let links = network.out_links(from).iter().copied();
            links.filter(move |&link| network.link(link).is_some_and(|link| link.to == to))
        };
        let before = all.len();
        all.extend(between(from, to).map(|link| Failure { link, start, stop }));
        if !self.one_way {
            all.extend(between(to, from).map(|link| Failure { link, start, stop }));
        }
        if all.len() == before {
            let problem = format!("no link leads from '{}' to '{}': name the two ends of one", self.from, self.to);
            return Err(ConfigError::value(&key("to"), problem));
        }
        Ok(())
    }
}
