//! Sums over the steps, and the means computed from them.

use super::streams::{Queue, Stream};
use crate::fluid::{FlowMeans, Means, QueueMeans};

/// Sums over steps.
#[derive(Debug, Clone)]
pub(super) struct Meters {
    steps: u64,
    /// Sums of each link's queue.
    queues: Vec<OfQueue>,
    /// Sums of each stream.
    flows: Vec<OfFlow>,
}

#[derive(Debug, Clone, Copy, Default)]
struct OfQueue {
    length: f64,
    greatest: f64,
    idle: u64,
    used: f64,
    arrivals: f64,
    losses: f64,
}

#[derive(Debug, Clone, Copy, Default)]
struct OfFlow {
    /// Number of steps at which the flow was active.
    on: u64,
    rate: f64,
    window: f64,
    round_trip: f64,
}

impl Meters {
    /// Creates empty sums.
    pub(super) fn new(streams: &[Stream], queues: &[Queue]) -> Self {
        Self { steps: 0, queues: vec![OfQueue::default(); queues.len()], flows: vec![OfFlow::default(); streams.len()] }
    }

    /// Adds a completed step.
    pub(super) fn add(&mut self, streams: &[Stream], queues: &[Queue]) {
        self.steps += 1;
        for (sums, queue) in self.queues.iter_mut().zip(queues) {
            sums.length += queue.length;
            sums.greatest = sums.greatest.max(queue.length);
            sums.idle += u64::from(queue.length == 0.0);
            sums.used += queue.used;
            sums.arrivals += queue.arrivals;
            sums.losses += queue.arrivals * queue.loss;
        }
        for (sums, stream) in self.flows.iter_mut().zip(streams).filter(|(_, stream)| stream.arrivals > 0.0) {
            sums.on += 1;
            sums.rate += stream.arrivals;
            sums.window += stream.sent_window;
            sums.round_trip += stream.round_trip;
        }
    }

    /// Computes the means, with the queues of the given links; `None` without steps.
    pub(super) fn means(&self, streams: &[Stream], links: &[u32]) -> Option<Means> {
        let steps = (self.steps > 0).then_some(self.steps as f64)?;
        let queue = |&link: &u32| {
            let sums = self.queues.get(link as usize)?;
            Some(QueueMeans {
                link,
                length: sums.length / steps,
                greatest: sums.greatest,
                idle: sums.idle as f64 / steps,
                used: sums.used / steps,
                arrivals: sums.arrivals / steps,
                losses: sums.losses / steps,
            })
        };
        let flow = |(stream, sums): (&Stream, &OfFlow)| {
            let while_on = |sum: f64| (sum > 0.0).then(|| sum / sums.on as f64);
            FlowMeans {
                flow: stream.flow,
                on: sums.on as f64 / steps,
                rate: sums.rate / steps,
                window: while_on(sums.window),
                round_trip: while_on(sums.round_trip),
            }
        };
        Some(Means {
            steps: self.steps,
            queues: links.iter().filter_map(queue).collect(),
            flows: streams.iter().zip(&self.flows).map(flow).collect(),
        })
    }
}
