//! Fluids on the host, one flow after the other: the reference for tests of the hybrid scheme.

use super::fluids::{Fluids, Level};
use crate::fluid::{FlowState, FluidError, Means, QueueState, Rules, Sequential};
use crate::units::seconds;
use crate::{StepSize, Traffic};

/// Fluids on the host in `f64`, which advance step by step as packets ask for them.
#[derive(Debug, Clone)]
pub struct OnHost<'t> {
    fluids: Sequential<'t>,
    /// The shared queues.
    links: Vec<Shared>,
    flows: Vec<u32>,
    used: Vec<u32>,
    /// Steps per batch.
    batch: u64,
}

/// Queue that packets share.
#[derive(Debug, Clone, Copy)]
struct Shared {
    link: u32,
    /// Largest number of bytes that the link sends in a step.
    most: f64,
    /// Length of a step, in seconds.
    step: f64,
    /// Bytes in the queue before the step.
    before: f64,
}

impl<'t> OnHost<'t> {
    pub(super) fn new(traffic: &'t Traffic, (size, batch): (StepSize, u64), rules: Rules, links: &[u32]) -> Self {
        let step = seconds(size.step);
        let bandwidth = |link| traffic.network().link(link).map_or(0.0, |link| link.bandwidth as f64 / 8.0);
        let shared = |&link| Shared { link, most: bandwidth(link) * step, step, before: 0.0 };
        let flows = (0..).zip(traffic.flows().all());
        Self {
            fluids: Sequential::new(traffic, size.step, rules),
            links: links.iter().map(shared).collect(),
            flows: flows.filter_map(|(number, flow)| flow.kind.fluid().map(|_| number)).collect(),
            used: traffic.used_links(),
            batch,
        }
    }

    /// Returns the fluids at the last step that packets asked for.
    #[must_use]
    pub fn sequential(&self) -> &Sequential<'t> {
        &self.fluids
    }
}

impl Fluids for OnHost<'_> {
    fn join(&mut self, bytes: &[u64]) -> Result<(), FluidError> {
        for (shared, &bytes) in self.links.iter().zip(bytes) {
            self.fluids.join(shared.link, bytes as f64);
        }
        Ok(())
    }

    fn begin(&mut self) -> Result<(), FluidError> {
        // If packets share no queue, nothing else advances the fluids.
        if self.links.is_empty() {
            self.fluids.advance(self.batch);
        }
        Ok(())
    }

    fn fetch(&mut self, levels: &mut Vec<Level>) -> Result<(), FluidError> {
        for shared in &mut self.links {
            shared.before = self.fluids.queue(shared.link).unwrap_or_default();
        }
        self.fluids.advance(1);
        levels.extend(self.links.iter().map(|shared| {
            let of = |value: Option<f64>| value.unwrap_or_default();
            let length = of(self.fluids.queue(shared.link));
            let arrived = of(self.fluids.arrivals(shared.link)) * shared.step;
            let spare = if length > 0.0 { 0.0 } else { (shared.most - arrived - shared.before).max(0.0) };
            Level { length, loss: of(self.fluids.loss(shared.link)), spare }
        }));
        Ok(())
    }

    fn measure(&mut self) -> Result<(), FluidError> {
        self.fluids.measure();
        Ok(())
    }

    fn means(&self) -> Result<Option<Means>, FluidError> {
        Ok(self.fluids.means())
    }

    fn flows(&self) -> Result<Vec<FlowState>, FluidError> {
        let of = |value: Option<f64>| value.unwrap_or_default();
        let state = |&flow: &u32| FlowState {
            flow,
            window: of(self.fluids.window(flow)),
            round_trip: of(self.fluids.round_trip(flow)),
            losses: of(self.fluids.losses(flow)),
        };
        Ok(self.flows.iter().map(state).collect())
    }

    fn queues(&self) -> Result<Vec<QueueState>, FluidError> {
        let of = |value: Option<f64>| value.unwrap_or_default();
        let state = |&link: &u32| QueueState {
            link,
            length: of(self.fluids.queue(link)),
            loss: of(self.fluids.loss(link)),
            arrivals: of(self.fluids.arrivals(link)),
        };
        Ok(self.used.iter().map(state).collect())
    }
}
