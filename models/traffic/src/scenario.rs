//! Complete input of a traffic simulation.

pub use super::network::routing::Metric;

use super::error::TrafficError;
use super::network::{Failures, Flows, Network, Routes};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Parameters that all TCP sessions share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Tcp {
    /// Size of a packet, in bytes.
    #[schemars(range(min = 1, max = 1048576), extend("unit" = "B"))]
    pub packet: u32,
    /// Largest window, in packets.
    #[schemars(range(min = 1, max = 1048576), extend("unit" = "packets"))]
    pub window: u32,
}

impl Default for Tcp {
    /// Returns packets of 1000 bytes and windows of 128 packets: the paper's 128 KB.
    fn default() -> Self {
        Self { packet: 1000, window: 128 }
    }
}

/// Step of the fluid equations, and the delays from which it follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepSize {
    /// Length of the step, in nanoseconds.
    pub step: u64,
    /// Smallest delay of a link that some flow uses, in nanoseconds.
    pub smallest_delay: u64,
    /// Longest step that the rule allows, in nanoseconds: a tenth of the smallest delay.
    pub longest: u64,
    /// Number of steps that a queue may be ahead of its neighbours: the smallest delay over the step (the paper's τ).
    pub lookahead: u64,
    /// Number of links used by flows whose delay is below ten steps. It is above 0 only if a longer step was accepted.
    pub links_below_ten_steps: u64,
}

/// Network with flows and their routes.
#[derive(Debug, Clone, PartialEq)]
pub struct Traffic {
    network: Network,
    flows: Flows,
    routes: Routes,
    metric: Metric,
    tcp: Tcp,
    has_ecmp: bool,
    failures: Failures,
}

impl Traffic {
    /// Finds the routes of flows, and checks all input.
    ///
    /// # Errors
    /// [`TrafficError`] for invalid flows, for ends without a path, and for queues that take no packet.
    pub fn new(network: Network, flows: Flows, metric: Metric, tcp: Tcp) -> Result<Self, TrafficError> {
        for (parameter, value, most) in [("packet", tcp.packet, 1 << 20), ("window", tcp.window, 1 << 20)] {
            if !(1..=most).contains(&value) {
                return Err(TrafficError::Tcp { parameter, value, most });
            }
        }
        flows.check(&network)?;
        let pairs: Vec<_> = flows.all().iter().map(|flow| (flow.from, flow.to)).collect();
        let routes = Routes::find(&network, &pairs, metric)?;
        let (has_ecmp, failures) = (false, Failures::default());
        let traffic = Self { network, flows, routes, metric, tcp, has_ecmp, failures };
        let small = |link: &u32| {
            let capacity = traffic.network.link(*link).map_or(0, |link| link.queue.capacity);
            capacity < u64::from(tcp.packet)
        };
        if let Some(link) = traffic.used_links().into_iter().find(small) {
            let capacity = traffic.network.link(link).map_or(0, |link| link.queue.capacity);
            let [from, to] = traffic.network.ends(link);
            return Err(TrafficError::QueueBelowPacket { from, to, capacity, packet: tcp.packet });
        }
        Ok(traffic)
    }

    /// Returns the traffic with packet sessions that take one of several shortest paths each, by a hash (ECMP).
    #[must_use]
    pub fn with_ecmp(self) -> Self {
        Self { has_ecmp: true, ..self }
    }

    /// Returns the traffic with links that fail, which packets alone know.
    ///
    /// # Errors
    /// [`TrafficError::Network`] for a failure of a link that the network does not have.
    pub fn with_failures(self, failures: Failures) -> Result<Self, TrafficError> {
        failures.check(&self.network)?;
        Ok(Self { failures, ..self })
    }

    /// Returns `true` if packet sessions are spread over shortest paths.
    #[must_use]
    pub fn has_ecmp(&self) -> bool {
        self.has_ecmp
    }

    /// Returns the failures of links.
    #[must_use]
    pub fn failures(&self) -> &Failures {
        &self.failures
    }

    /// Returns the network.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Returns the flows.
    #[must_use]
    pub fn flows(&self) -> &Flows {
        &self.flows
    }

    /// Returns the route of each flow, by the flow's number.
    #[must_use]
    pub fn routes(&self) -> &Routes {
        &self.routes
    }

    /// Returns the metric of the routes.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Returns the parameters that TCP sessions share.
    #[must_use]
    pub fn tcp(&self) -> Tcp {
        self.tcp
    }

    /// Returns the links that some flow uses, in ascending order.
    #[must_use]
    pub fn used_links(&self) -> Vec<u32> {
        let mut used = vec![false; self.network.links().len()];
        for &link in self.routes.hops() {
            if let Some(used) = used.get_mut(link as usize) {
                *used = true;
            }
        }
        (0..).zip(used).filter_map(|(link, used)| used.then_some(link)).collect()
    }

    /// Checks that the fluid equations may advance by `step` nanoseconds at a time. The limit is a tenth of the
    /// smallest delay of a link that some flow uses, for numerical stability (section 4.1 of the paper). With `accept`
    /// the limit is that delay itself, which the lookahead needs.
    ///
    /// Without flows, all links count.
    ///
    /// # Errors
    /// [`TrafficError::FluidRoutes`] for fluids in a network with failures or ECMP; [`TrafficError::FluidDiscipline`]
    /// for a queue on the path of a fluid whose discipline fluids do not know;
    /// [`TrafficError::NoDelay`] for a link without a delay; [`TrafficError::StepTooLong`], with the longest step, for
    /// a step that the rule does not allow; [`TrafficError::NoStep`] for a step that is 0 or longer than the delay.
    pub fn step(&self, step: u64, accept: bool) -> Result<StepSize, TrafficError> {
        self.check_fluids()?;
        let used = self.timed_links();
        let delay = |link: &u32| self.delay(*link);
        let Some(link) = used.iter().copied().min_by_key(delay) else {
            return Err(TrafficError::NoStep { step, delay: 0 });
        };
        let smallest_delay = delay(&link);
        if smallest_delay == 0 {
            let [from, to] = self.network.ends(link);
            return Err(TrafficError::NoDelay { from, to });
        }
        let longest = smallest_delay / 10;
        if step > longest && !accept && longest > 0 {
            let link = self.network.link_label(link);
            return Err(TrafficError::StepTooLong { step, longest, link, delay: smallest_delay });
        }
        if step == 0 || step > smallest_delay || (step > longest && !accept) {
            return Err(TrafficError::NoStep { step, delay: smallest_delay });
        }
        let below = used.iter().filter(|link| delay(link) / 10 < step).count() as u64;
        Ok(StepSize { step, smallest_delay, longest, lookahead: smallest_delay / step, links_below_ten_steps: below })
    }

    /// Checks that a launch of this many steps is possible: nothing that leaves a queue may reach the next one within a
    /// launch. [`Traffic::step`] returns the largest lookahead; smaller ones are allowed. The step, the
    /// lookahead, and the disciplines of queues, are checked.
    ///
    /// # Errors
    /// [`TrafficError::Launch`] for a step or a lookahead of 0, or steps that together take longer than the smallest
    /// delay; [`TrafficError::FluidRoutes`] and [`TrafficError::FluidDiscipline`] as for [`Traffic::step`].
    pub fn check_lookahead(&self, size: StepSize) -> Result<(), TrafficError> {
        self.check_fluids()?;
        let StepSize { step, lookahead, .. } = size;
        let delay = self.timed_links().into_iter().map(|link| self.delay(link)).min().unwrap_or(0);
        let fits = step.checked_mul(lookahead).is_some_and(|launch| (1..=delay).contains(&launch));
        if fits { Ok(()) } else { Err(TrafficError::Launch { lookahead, step, delay }) }
    }

    /// Checks that fluids keep their routes, and pass queues of disciplines alone that they know.
    fn check_fluids(&self) -> Result<(), TrafficError> {
        let fluids = (0..).zip(self.flows.all()).filter(|(_, flow)| flow.kind.fluid().is_some());
        if fluids.clone().next().is_some() {
            for (is_given, what) in [(!self.failures.is_empty(), "failures of links"), (self.has_ecmp, "ECMP")] {
                if is_given {
                    return Err(TrafficError::FluidRoutes { what });
                }
            }
        }
        let mut links = fluids.flat_map(|(number, _)| self.routes.links(number));
        let is_managed = |link: &&u32| self.network.link(**link).is_some_and(|link| link.queue.discipline.is_managed());
        let Some(&link) = links.find(is_managed) else { return Ok(()) };
        let discipline = self.network.link(link).map_or("", |link| link.queue.discipline.kind().name());
        let [from, to] = self.network.ends(link);
        Err(TrafficError::FluidDiscipline { from, to, discipline })
    }

    fn delay(&self, link: u32) -> u64 {
        self.network.link(link).map_or(0, |link| link.delay)
    }

    /// Returns the links whose delays count: those that some flow uses, or all links if there are no flows.
    fn timed_links(&self) -> Vec<u32> {
        let used = self.used_links();
        if used.is_empty() { (0..self.network.links().len() as u32).collect() } else { used }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{Builder, Campus, Discipline, Flow, Kind, Link, Queue, validation};
    use crate::units::NEVER;

    fn validation() -> Traffic {
        Traffic::new(validation::network().unwrap(), validation::flows(10).unwrap(), Metric::Hops, Tcp::default())
            .unwrap()
    }

    #[test]
    fn the_papers_step_fits_its_validation_network() {
        let traffic = validation();
        let step = traffic.step(500_000, false).unwrap();
        assert_eq!((step.lookahead, step.longest, step.links_below_ten_steps), (20, 1_000_000, 0));
        // The links to hosts 0, 1, 6 and 5, and all links back, carry nothing.
        assert_eq!(traffic.used_links().len(), 11);
    }

    #[test]
    fn a_step_too_long_is_told_with_the_longest_and_may_be_accepted() {
        let campus = Campus::new(1);
        let (network, flows) = (campus.network().unwrap(), campus.flows().unwrap());
        let traffic = Traffic::new(network, flows, Metric::Hops, Tcp::default()).unwrap();
        let error = traffic.step(500_000, false).unwrap_err().to_string();
        assert!(
            error.starts_with(
                "a step of 0.0005 s is too long: the link from 0.lan0.gateway -> 0.lan0.h0 has a delay of 0.001 s"
            ),
            "{error}"
        );
        assert!(error.contains("a tenth of that, 0.0001 s;"), "{error}");
        let step = traffic.step(500_000, true).unwrap();
        assert_eq!((step.lookahead, step.links_below_ten_steps, step.longest), (2, 504, 100_000));
        assert_eq!(traffic.step(100_000, false).unwrap().lookahead, 10);
        for (step, accept) in [(0, false), (0, true), (1_000_001, true)] {
            assert_eq!(traffic.step(step, accept), Err(TrafficError::NoStep { step, delay: 1_000_000 }));
        }
    }

    #[test]
    fn what_cannot_be_simulated_is_told() {
        let build = |capacity, delay, back| {
            let mut builder = Builder::new();
            let [from, to] = ["a", "b"].map(|label| builder.node(label));
            let queue = Queue::of_bytes(capacity, Discipline::DropTail);
            builder.link(Link { from, to, delay, bandwidth: 1_000, queue, loss: 0.0 });
            let ends = if back { (to, from) } else { (from, to) };
            let mut flows = Flows::new();
            flows.add(Flow {
                from: ends.0,
                to: ends.1,
                kind: Kind::Tcp { fluid: 1, packets: 0 },
                start: 0,
                stop: NEVER,
            });
            Traffic::new(builder.build().unwrap(), flows, Metric::Hops, Tcp::default())
        };
        let error = |traffic: Result<Traffic, TrafficError>| traffic.unwrap_err().to_string();
        assert_eq!(
            error(build(5_000, 1, true)),
            "no path of links leads from 'b' to 'a': add a link, or remove the flow (1 such pairs in all)"
        );
        let small = "the queue of the link from 'a' to 'b' has room for 999 bytes, and a packet has 1000: give it room for several packets";
        assert_eq!(error(build(999, 1, false)), small);
        let still = build(5_000, 0, false).unwrap();
        let no_delay = TrafficError::NoDelay { from: "a".to_owned(), to: "b".to_owned() };
        assert_eq!([true, false].map(|accept| still.step(1, accept)), [Err(no_delay.clone()), Err(no_delay)]);
        for tcp in [Tcp { packet: 0, ..Tcp::default() }, Tcp { window: u32::MAX, ..Tcp::default() }] {
            let traffic = Traffic::new(validation::network().unwrap(), Flows::new(), Metric::Hops, tcp);
            assert!(matches!(traffic, Err(TrafficError::Tcp { .. })));
        }
        let none = Traffic::new(validation::network().unwrap(), Flows::new(), Metric::Hops, Tcp::default()).unwrap();
        assert_eq!(none.step(500_000, false).unwrap().lookahead, 20);
    }
}
