//! Results of the whole network, for a report: all of it, its sources, and its classes if they were counted.

use crate::analysis::ClassFindings;
use crate::experiment::Findings;
use crate::measures::Measure;
use crate::network::Network;
use crate::nodes::{MAX_LISTED, estimate_of};
use imminent_common::estimate::Estimate;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Estimates of measures by their [names](Measure::name_in_system), those that are defined.
pub type Stats = BTreeMap<String, Estimate>;

/// Results of the whole network.
///
/// Keys of estimates are `number`, `arrival_rate`, `throughput`, `response`, `drop_rate`, `loss` and, where the file
/// gives costs, `cost`. A closed network has `number` and `cost` alone.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct System {
    /// Estimates of the whole network.
    #[serde(flatten)]
    pub all: Stats,
    /// Results of each source, at most [`MAX_LISTED`] of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Part>,
    /// Results of each class, if requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<Part>,
    /// Results of each chain of several classes that turn into each other, if requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chains: Vec<Part>,
}

/// Results of a part of the tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Name of the source or class, or the names of a chain's classes, joined by `, `.
    pub name: String,
    /// Estimates of the part. A source has an `arrival_rate` alone. A class that is one of several of its chain has
    /// `number`, `arrival_rate` and `drop_rate`; the chain has the others.
    #[serde(flatten)]
    pub stats: Stats,
}

impl System {
    /// Returns the results of the whole network and of its sources.
    #[must_use]
    pub fn of(network: &Network, findings: &Findings) -> Self {
        let all = defined(|measure| findings.estimates.get(measure.name()).copied());
        let sources = if network.has_sources() {
            let sources = (0..network.len() as u32).filter(|node| network.station(*node).is_none());
            sources.take(MAX_LISTED).map(|node| source(network, findings, node)).collect()
        } else {
            vec![]
        };
        Self { all, sources, ..Self::default() }
    }

    /// Adds the results of classes, and of chains of several classes.
    pub fn add_classes(&mut self, network: &Network, findings: &ClassFindings) {
        let class = |class: u32| Part {
            name: network.class_name(class),
            stats: defined(|measure| Some(findings.estimate(class, measure))),
        };
        self.classes = (0..network.classes() as u32).map(class).collect();
        let chain = |chain: &Vec<u32>| Part {
            name: chain.iter().map(|class| network.class_name(*class)).collect::<Vec<_>>().join(", "),
            stats: defined(|measure| Some(findings.estimate_of_chain(chain, measure))),
        };
        self.chains = findings.chains().iter().filter(|chain| chain.len() > 1).map(chain).collect();
    }
}

/// Returns the estimates of the measures of the whole network that have a value.
fn defined(estimate: impl Fn(Measure) -> Option<Estimate>) -> Stats {
    let of = |measure: Measure| {
        let estimate = estimate(measure).filter(|estimate| estimate.mean.is_some())?;
        Some((measure.name_in_system().to_owned(), estimate))
    };
    Measure::SYSTEM.into_iter().filter_map(of).collect()
}

fn source(network: &Network, findings: &Findings, node: u32) -> Part {
    let rate = estimate_of(network, findings, node, Measure::Throughput);
    let stats = rate.into_iter().map(|rate| (Measure::SystemArrivalRate.name_in_system().to_owned(), rate));
    Part { name: network.label(node), stats: stats.collect() }
}

#[cfg(test)]
mod tests;
