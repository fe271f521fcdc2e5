//! Load of the nodes of an open network.

use super::{Objection, TheoryError};
use crate::network::{Beyond, Network, Role};

/// Largest number of steps, sweeps times routes, for solving the traffic equations: 2^30, some seconds.
const MAX_STEPS: u64 = 1 << 30;

/// Arrival rates from the traffic equations of an open network, by class.
///
/// A node sends on its arrivals, but no more than its servers can serve. These are the equations of Goodman and Massey,
/// which hold for unstable networks too. Loss at full stations is ignored, so rates behind one are upper bounds. Tokens
/// that circulate for ever without coming from a source are not included.
#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    classes: usize,
    /// Arrival rates by node and class.
    rates: Vec<f64>,
    /// Offered load by node: mean work per time unit, divided by the number of servers.
    offered: Vec<f64>,
}

impl Load {
    /// Solves the traffic equations of a network.
    ///
    /// # Errors
    /// [`TheoryError::NoProductForm`] if tokens go otherwise than by laws and routes, [`TheoryError::NeverLeaves`] if
    /// tokens come in that can never leave, [`TheoryError::TooManySteps`] if the equations take too long.
    pub fn of(network: &Network) -> Result<Self, TheoryError> {
        let classes = network.classes();
        let pairs = network.len() * classes;
        let mut load = Self { classes, rates: vec![0.0; pairs], offered: vec![0.0; network.len()] };
        if !network.has_sources() {
            return Ok(load);
        }
        if let Some(Beyond { node, what }) = network.beyond_sequential().filter(|_| network.flows_otherwise()) {
            return Err(TheoryError::NoProductForm { label: network.label(node), reason: Objection::Beyond { what } });
        }
        if let Some((node, class)) = trapped(network) {
            return Err(TheoryError::NeverLeaves { label: network.label(node), class: network.class_name(class) });
        }
        let mut steps = 0;
        let mut flows = vec![0.0; pairs];
        loop {
            // Rates are used as soon as they change (Gauss-Seidel): along stations in the order of their numbers one
            // sweep is enough, where simultaneous updates would need one for each station.
            let change = load.sweep(network, &mut flows);
            if change <= 1e-12 {
                return Ok(load);
            }
            steps += network.edges() as u64 + network.len() as u64;
            if steps > MAX_STEPS {
                return Err(TheoryError::TooManySteps { steps, limit: MAX_STEPS });
            }
        }
    }

    /// Lets every node send on its arrivals once; returns the greatest relative change of a rate.
    ///
    /// `flows` holds the flow that each node and class sent in the previous sweep, so only the change is passed on.
    fn sweep(&mut self, network: &Network, flows: &mut [f64]) -> f64 {
        let mut change = 0.0_f64;
        for node in 0..network.len() as u32 {
            let (passing, offered) = self.passing(network, node);
            if let Some(entry) = self.offered.get_mut(node as usize) {
                *entry = offered;
            }
            for class in 0..self.classes as u32 {
                let pair = node as usize * self.classes + class as usize;
                let flow = if network.role(node) == Role::Source {
                    network
                        .service(node, class)
                        .and_then(|law| network.laws().get(law as usize))
                        .map_or(0.0, |law| 1.0 / law.mean())
                } else {
                    self.rates.get(pair).copied().unwrap_or(0.0) * passing
                };
                let Some(sent) = flows.get_mut(pair) else { continue };
                let more = flow - std::mem::replace(sent, flow);
                if more == 0.0 {
                    continue;
                }
                change = change.max((more / flow.max(f64::MIN_POSITIVE)).abs());
                let routes = network.routes(node, class);
                for (index, route) in routes.iter().enumerate() {
                    let to = route.to.map(|to| to as usize * self.classes + route.class as usize);
                    if let Some(rate) = to.and_then(|to| self.rates.get_mut(to)) {
                        *rate += more * routes.probability(index);
                    }
                }
            }
        }
        change
    }

    /// Returns the part of a station's arrivals that it can send on, and its offered load.
    fn passing(&self, network: &Network, node: u32) -> (f64, f64) {
        let Some(station) = network.station(node) else { return (1.0, 0.0) };
        let work = (0..self.classes as u32).filter_map(|class| {
            let law = network.laws().get(network.service(node, class)? as usize)?;
            Some(self.arrival_rate(node, class) * law.mean())
        });
        let at_once = network.conduct(node).and_then(|conduct| conduct.bulk).map_or(1, |bulk| bulk.most);
        let offered = work.sum::<f64>() / (f64::from(station.servers) * f64::from(at_once));
        (if offered > 1.0 { 1.0 / offered } else { 1.0 }, offered)
    }

    /// Returns the number of tokens of a class that come to a node per time unit.
    #[must_use]
    pub fn arrival_rate(&self, node: u32, class: u32) -> f64 {
        self.rates.get(node as usize * self.classes + class as usize).copied().unwrap_or(0.0)
    }

    /// Returns the number of tokens of all classes that come to a node per time unit.
    #[must_use]
    pub fn total_rate(&self, node: u32) -> f64 {
        (0..self.classes as u32).map(|class| self.arrival_rate(node, class)).sum()
    }

    /// Returns the work that comes to a node per time unit, divided by its servers: above 1 the node is overloaded.
    #[must_use]
    pub fn offered(&self, node: u32) -> f64 {
        self.offered.get(node as usize).copied().unwrap_or(0.0)
    }

    /// Returns the expected utilization of a node's servers, if none of its tokens are lost.
    #[must_use]
    pub fn utilization(&self, node: u32) -> f64 {
        self.offered(node).min(1.0)
    }
}

/// Finds a node and class to which tokens come from a source and from which no path leads out.
fn trapped(network: &Network) -> Option<(u32, u32)> {
    let classes = network.classes() as u32;
    let leaves = leaving(network);
    let mut comes = vec![false; leaves.len()];
    let mut open: Vec<(u32, u32)> =
        (0..network.len() as u32).filter_map(|node| Some((node, network.source_class(node)?))).collect();
    while let Some((node, class)) = open.pop() {
        if comes.get_mut((node * classes + class) as usize).is_some_and(|mark| !std::mem::replace(mark, true)) {
            open.extend(network.routes(node, class).iter().filter_map(|route| Some((route.to?, route.class))));
        }
    }
    let stuck = comes.iter().zip(&leaves).position(|(comes, leaves)| *comes && !leaves)? as u32;
    Some((stuck / classes, stuck % classes))
}

/// Returns by node and class: `true` if a path leads out of the network from there.
pub(super) fn leaving(network: &Network) -> Vec<bool> {
    let classes = network.classes() as u32;
    let pairs = (0..network.len() as u32).flat_map(|node| (0..classes).map(move |class| (node, class)));
    let count = network.len() * network.classes();
    let (mut exits, mut edges) = (vec![], vec![]);
    for (from, (node, class)) in (0_u32..).zip(pairs) {
        for route in network.routes(node, class).iter() {
            match route.to {
                None => exits.push(from),
                Some(to) => edges.push((to * classes + route.class, from)),
            }
        }
    }
    // One list of all edges by their ends: a list for each node would take many times its edges.
    edges.sort_unstable();
    let mut leaves = vec![false; count];
    while let Some(at) = exits.pop() {
        if leaves.get_mut(at as usize).is_some_and(|mark| !std::mem::replace(mark, true)) {
            let first = edges.partition_point(|(to, _)| *to < at);
            let into = edges.iter().skip(first).take_while(|(to, _)| *to == at);
            exits.extend(into.map(|(_, from)| *from));
        }
    }
    leaves
}
