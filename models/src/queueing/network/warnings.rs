//! What is odd about a network that can be simulated all the same.

use super::Network;
use crate::queueing::theory::{Load, TheoryError};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Something about a network that its modeller should know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "warning", rename_all = "kebab-case")]
pub enum Warning {
    /// More work comes to a station without limit than its servers can do.
    Unstable {
        /// The node's label or number.
        node: String,
        /// The work that comes in a time unit, over the servers.
        load: f64,
        /// How many other nodes are as bad.
        others: usize,
    },
    /// Tokens come from a source and can never leave.
    NeverLeaves {
        /// The node's label or number.
        node: String,
        /// Name of the class.
        class: String,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unstable { node, load, others } => {
                write!(f, "the network is unstable: node '{node}' is offered {load:.4} times what its servers can do")?;
                match others {
                    0 => {}
                    1 => write!(f, ", and another node is overloaded too")?,
                    _ => write!(f, ", and {others} others are overloaded too")?,
                }
                write!(
                    f,
                    "; lines grow as long as the run lasts, and means say nothing of a steady state: add servers, shorten services or \
                     arrivals' rates, or limit the capacity"
                )
            }
            Self::NeverLeaves { node, class } => write!(
                f,
                "the network is unstable: tokens of class '{class}' come to node '{node}' from a source and can never leave; give them a \
                 way out"
            ),
        }
    }
}

impl Network {
    /// What a modeller should know before reading results: whether an open network is unstable.
    ///
    /// Of the overloaded nodes the worst is named. Nothing is said of a network whose traffic equations take too long.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        if !self.has_sources() {
            return vec![];
        }
        let load = match Load::of(self) {
            Ok(load) => load,
            Err(TheoryError::NeverLeaves { label, class }) => return vec![Warning::NeverLeaves { node: label, class }],
            Err(_) => return vec![],
        };
        let unlimited = |node: &u32| self.station(*node).is_some_and(|station| station.capacity.is_none());
        // A load of 1 has no steady state either; the equations are solved to a part in 10^12.
        let overloaded = (0..self.len() as u32).filter(unlimited).filter(|&node| load.offered(node) >= 1.0 - 1e-9);
        let overloaded: Vec<u32> = overloaded.collect();
        let worst =
            overloaded.iter().copied().max_by(|&a, &b| load.offered(a).total_cmp(&load.offered(b)).then(b.cmp(&a)));
        let warning =
            |node| Warning::Unstable { node: self.label(node), load: load.offered(node), others: overloaded.len() - 1 };
        worst.map(warning).into_iter().collect()
    }
}
