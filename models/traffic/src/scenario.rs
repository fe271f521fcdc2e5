//! Everything that a simulation of traffic needs to know.

pub use super::network::routing::Metric;

use super::error::TrafficError;
use super::network::{Flows, Network, Routes};
use serde::{Deserialize, Serialize};

/// What all sessions of TCP have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tcp {
    /// Bytes of a packet.
    pub packet: u32,
    /// The largest window, in packets.
    pub window: u32,
}

impl Default for Tcp {
    /// Packets of 1000 bytes, and windows of 128 of them: the paper's 128 KB.
    fn default() -> Self {
        Self { packet: 1000, window: 128 }
    }
}

/// A step of the fluid equations that fits the delays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepSize {
    /// Its length, in nanoseconds.
    pub step: u64,
    /// The smallest delay of a link that some flow takes, in nanoseconds.
    pub smallest_delay: u64,
    /// The longest step that the rule allows, in nanoseconds: a tenth of that delay.
    pub longest: u64,
    /// How many steps a queue may be ahead of its neighbours: the delay over the step (the paper's τ).
    pub lookahead: u64,
    /// Links that some flow takes whose delay is below ten steps. More than none where a longer step was accepted.
    pub links_below_ten_steps: u64,
}

/// A network, what flows over it, and by which links.
#[derive(Debug, Clone, PartialEq)]
pub struct Traffic {
    network: Network,
    flows: Flows,
    routes: Routes,
    metric: Metric,
    tcp: Tcp,
}

impl Traffic {
    /// Finds the routes of flows, and checks everything.
    ///
    /// # Errors
    /// [`TrafficError`] for flows that cannot be, ends that no path joins, and queues that take no packet.
    pub fn new(network: Network, flows: Flows, metric: Metric, tcp: Tcp) -> Result<Self, TrafficError> {
        for (parameter, value, most) in [("packet", tcp.packet, 1 << 20), ("window", tcp.window, 1 << 20)] {
            if !(1..=most).contains(&value) {
                return Err(TrafficError::Tcp { parameter, value, most });
            }
        }
        flows.check(&network)?;
        let pairs: Vec<_> = flows.all().iter().map(|flow| (flow.from, flow.to)).collect();
        let routes = Routes::find(&network, &pairs, metric)?;
        let traffic = Self { network, flows, routes, metric, tcp };
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

    /// The network.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The flows.
    #[must_use]
    pub fn flows(&self) -> &Flows {
        &self.flows
    }

    /// The route of each flow, by the flow's number.
    #[must_use]
    pub fn routes(&self) -> &Routes {
        &self.routes
    }

    /// How routes are chosen.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// What sessions of TCP have in common.
    #[must_use]
    pub fn tcp(&self) -> Tcp {
        self.tcp
    }

    /// The links that some flow takes, in ascending order.
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

    /// Whether the fluid equations may advance by `step` nanoseconds at a time: by a tenth of the smallest delay of a link that some flow takes, for numerical stability
    /// (section 4.1 of the paper), or where `accept` is set by that delay itself, which the lookahead needs.
    ///
    /// Without flows, all links count.
    ///
    /// # Errors
    /// [`TrafficError::NoDelay`] for a link without a delay; [`TrafficError::StepTooLong`], which states the largest step, for one that the rule does not allow; [`TrafficError::NoStep`] for
    /// one that is 0 or longer than the delay.
    pub fn step(&self, step: u64, accept: bool) -> Result<StepSize, TrafficError> {
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

    /// Whether launches may have as many steps as this says: what leaves a queue may not reach the next one within a launch. [`Traffic::step`] gives as many as
    /// can be; fewer are possible. Only the step and the lookahead are looked at.
    ///
    /// # Errors
    /// [`TrafficError::Launch`] for a step or a lookahead of 0, or steps that together take longer than the smallest delay.
    pub fn check_lookahead(&self, size: StepSize) -> Result<(), TrafficError> {
        let StepSize { step, lookahead, .. } = size;
        let delay = self.timed_links().into_iter().map(|link| self.delay(link)).min().unwrap_or(0);
        let fits = step.checked_mul(lookahead).is_some_and(|launch| (1..=delay).contains(&launch));
        if fits { Ok(()) } else { Err(TrafficError::Launch { lookahead, step, delay }) }
    }

    fn delay(&self, link: u32) -> u64 {
        self.network.link(link).map_or(0, |link| link.delay)
    }

    /// The links whose delays count: those that some flow takes, or without flows all.
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
        // The ways out to 0, 1, 6 and 5 and all ways back carry nothing.
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
            let queue = Queue { capacity, discipline: Discipline::DropTail };
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
        let small = "the queue of the link from 'a' to 'b' takes 999 bytes, and a packet has 1000: give it room for some packets";
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
