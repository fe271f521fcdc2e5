//! The fluid equations in `f64`, one flow, queue and hop after the other: the reference for tests of other engines.

mod means;
mod series;
mod streams;
mod window;

use super::{Means, Recovery, Rules};
use crate::Traffic;
use crate::network::flow::Fluid;
use crate::network::{Discipline, Flow};
use crate::units::seconds;
use means::Meters;
use streams::{Hop, Queue, Stream};
use window::{once, runge_kutta};

/// Fluid part of some traffic, simulated one flow after the other.
///
/// Determinism: `Reproducible` on one machine and build, because logarithms depend on the platform.
#[derive(Debug, Clone)]
pub struct Sequential<'t> {
    traffic: &'t Traffic,
    rules: Rules,
    /// Length of a step, in nanoseconds.
    step: u64,
    now: u64,
    streams: Vec<Stream>,
    /// Queue of each link.
    queues: Vec<Queue>,
    meters: Option<Meters>,
}

impl<'t> Sequential<'t> {
    /// Creates an empty network. `step` is the length of a step in nanoseconds, as allowed by [`Traffic::step`].
    #[must_use]
    pub fn new(traffic: &'t Traffic, step: u64, rules: Rules) -> Self {
        let queues = traffic.network().links().iter().map(|link| Queue {
            bandwidth: link.bandwidth as f64 / 8.0,
            delay: seconds(link.delay),
            link_loss: link.loss,
            length: 0.0,
            average: 0.0,
            arrivals: 0.0,
            loss: 0.0,
            used: 0.0,
        });
        let queues = queues.collect();
        let streams = (0..).zip(traffic.flows().all());
        let streams = streams.filter_map(|(number, flow)| Some(Stream::new(traffic, step, number, flow.kind.fluid()?)));
        Self { traffic, rules, step, now: 0, streams: streams.collect(), queues, meters: None }
    }

    /// Estimates the memory of a simulation of some traffic, in bytes. `step` is in nanoseconds. Waits in queues add to
    /// it.
    #[must_use]
    pub fn bytes(traffic: &Traffic, step: u64) -> u64 {
        let of_hop = |&link: &u32| {
            // Three series change at most once a step, and last until the fluid has arrived.
            let steps = traffic.network().link(link).map_or(0, |link| link.delay / step.max(1) + 2);
            size_of::<Hop>() as u64 + 3 * 16 * steps.next_power_of_two().max(4)
        };
        let flows = (0..).zip(traffic.flows().all()).filter(|(_, flow)| flow.kind.fluid().is_some());
        let hops = flows.clone().flat_map(|(number, _)| traffic.routes().links(number)).map(of_hop).sum::<u64>();
        hops + (flows.count() * size_of::<Stream>() + size_of_val(traffic.network().links())) as u64
    }

    /// Number of steps so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.now
    }

    /// Advances by the given number of steps.
    pub fn advance(&mut self, steps: u64) {
        for _ in 0..steps {
            self.send();
            self.arrive();
            self.lose();
            self.depart();
            self.fill();
            self.now += 1;
            if let Some(meters) = &mut self.meters {
                meters.add(&self.streams, &self.queues);
            }
        }
    }

    /// Starts measuring for [`Sequential::means`], step by step, and discards earlier measurements.
    pub fn measure(&mut self) {
        self.meters = Some(Meters::new(&self.streams, &self.queues));
    }

    /// Returns means over the steps since measuring began; `None` without such steps.
    #[must_use]
    pub fn means(&self) -> Option<Means> {
        let meters = self.meters.as_ref()?;
        meters.means(&self.streams, &self.traffic.used_links())
    }

    /// Adds `bytes` from outside the flows to a link's queue, as far as they fit. `bytes` is not negative.
    pub(crate) fn join(&mut self, link: u32, bytes: f64) {
        let capacity = self.traffic.network().link(link).map_or(0.0, |link| link.queue.capacity as f64);
        if let Some(queue) = self.queues.get_mut(link as usize) {
            queue.length = (queue.length + bytes).min(capacity);
        }
    }

    /// Returns the window of a session of a flow, in packets; `None` if the flow is no fluid TCP.
    #[must_use]
    pub fn window(&self, flow: u32) -> Option<f64> {
        self.stream(flow).filter(|stream| matches!(stream.fluid, Fluid::Tcp(_))).map(|stream| stream.window)
    }

    /// Returns the round-trip time of a flow at the last step, in seconds; `None` if the flow is no fluid.
    #[must_use]
    pub fn round_trip(&self, flow: u32) -> Option<f64> {
        self.stream(flow).map(|stream| stream.round_trip)
    }

    /// Returns the sending rate of a flow at the last step, over all sessions, in bytes per second; `None` if the flow
    /// is no fluid.
    #[must_use]
    pub fn rate(&self, flow: u32) -> Option<f64> {
        self.stream(flow).map(|stream| stream.arrivals)
    }

    /// Returns the losses that a session of a flow saw at the last step, in packets per second; `None` if the flow is
    /// no fluid.
    #[must_use]
    pub fn losses(&self, flow: u32) -> Option<f64> {
        self.stream(flow).map(|stream| stream.losses)
    }

    /// Returns the length of a link's queue, in bytes; `None` for an unknown link.
    #[must_use]
    pub fn queue(&self, link: u32) -> Option<f64> {
        self.queues.get(link as usize).map(|queue| queue.length)
    }

    /// Returns the share of the arrivals at a link's queue that was lost at the last step; `None` for an unknown link.
    #[must_use]
    pub fn loss(&self, link: u32) -> Option<f64> {
        self.queues.get(link as usize).map(|queue| queue.loss)
    }

    /// Returns the arrivals at a link's queue at the last step, in bytes per second; `None` for an unknown link.
    #[must_use]
    pub fn arrivals(&self, link: u32) -> Option<f64> {
        self.queues.get(link as usize).map(|queue| queue.arrivals)
    }

    fn stream(&self, flow: u32) -> Option<&Stream> {
        let place = self.streams.binary_search_by_key(&flow, |stream| stream.flow).ok()?;
        self.streams.get(place)
    }

    /// Equations 1, 6, 9 and 10: computes the sending rates.
    fn send(&mut self) {
        let (length, packet) = (seconds(self.step), f64::from(self.traffic.tcp().packet));
        let largest = f64::from(self.traffic.tcp().window);
        let time = self.now.saturating_mul(self.step);
        let now = self.now as i64;
        for stream in &mut self.streams {
            let Some(flow) = self.traffic.flows().all().get(stream.flow as usize) else { continue };
            let back: i64 = stream.hops.iter().map(|hop| hop.steps).sum();
            let way: f64 =
                stream.hops.iter().filter_map(|hop| self.queues.get(hop.link as usize)).map(|q| q.delay).sum();
            let Some(last) = stream.hops.last_mut() else { continue };
            let left = now - last.steps - back;
            stream.round_trip = last.delay.at(left) + way;
            let lost = last.losses.at(left);
            if !is_on(flow, time) {
                (stream.window, stream.arrivals, stream.losses) = (0.0, 0.0, 0.0);
                continue;
            }
            match stream.fluid {
                Fluid::Udp(rate) => stream.arrivals = rate as f64 / 8.0,
                Fluid::Tcp(sessions) => {
                    let sessions = f64::from(sessions);
                    stream.losses = self.rules.losses_seen * lost / (sessions * packet);
                    stream.window = stream.window.clamp(1.0, largest);
                    stream.sent_window = stream.window;
                    stream.arrivals = sessions * stream.window * packet / stream.round_trip;
                    let losses = match self.rules.recovery {
                        Recovery::Reno => stream.losses,
                        Recovery::NewReno | Recovery::Sack => once(stream.losses, stream.window, stream.round_trip),
                    };
                    let slope = |window: f64| 1.0 / stream.round_trip - window * losses / self.rules.divisor;
                    stream.window = runge_kutta(stream.window, length, slope).clamp(1.0, largest);
                }
            }
        }
    }

    /// Equation 7: moves fluid to the next queues, and sums their arrivals.
    fn arrive(&mut self) {
        self.queues.iter_mut().for_each(|queue| queue.arrivals = 0.0);
        let now = self.now as i64;
        for stream in &mut self.streams {
            // The departures of the last link are read when the sender learns of them.
            let mut left = [stream.arrivals, 0.0, 0.0];
            let last = stream.hops.len().saturating_sub(1);
            for (place, hop) in stream.hops.iter_mut().enumerate() {
                hop.arrived = left;
                if let Some(queue) = self.queues.get_mut(hop.link as usize) {
                    queue.arrivals += left[0];
                }
                if place < last {
                    let step = now - hop.steps;
                    left = [hop.departures.at(step), hop.delay.at(step), hop.losses.at(step)];
                }
            }
        }
    }

    /// Computes the losses of the queues.
    fn lose(&mut self) {
        let length = seconds(self.step);
        for (queue, link) in self.queues.iter_mut().zip(self.traffic.network().links()) {
            let dropped = match link.queue.discipline {
                Discipline::Red(red) => red.drop_probability(queue.average, link.queue.capacity),
                // No fluid passes queues of other disciplines than drop-tail.
                _ => 0.0,
            };
            let rest = queue.arrivals * (1.0 - dropped);
            let excess = rest - queue.bandwidth;
            let spilt = if excess > 0.0 {
                let full_after = ((link.queue.capacity as f64 - queue.length) / excess).clamp(0.0, length);
                excess * (length - full_after) / (rest * length)
            } else {
                0.0
            };
            queue.loss = dropped + (1.0 - dropped) * spilt;
        }
    }

    /// Equations 3, 4, 5 and 8: computes the departures.
    fn depart(&mut self) {
        let length = seconds(self.step);
        for hop in self.streams.iter_mut().flat_map(|stream| &mut stream.hops) {
            let Some(queue) = self.queues.get(hop.link as usize) else { continue };
            let [arrivals, delay, losses] = hop.arrived;
            let waiting = queue.length / queue.bandwidth;
            let kept = 1.0 - queue.loss;
            let departures = if queue.arrivals * kept <= queue.bandwidth {
                arrivals * kept
            } else {
                arrivals * queue.bandwidth / queue.arrivals
            };
            let leaves = self.now as i64 + (waiting / length).ceil() as i64;
            hop.departures.change(leaves, departures * (1.0 - queue.link_loss));
            hop.delay.change(leaves, delay + queue.delay + waiting);
            hop.losses.change(leaves, losses + arrivals * queue.loss + departures * queue.link_loss);
        }
    }

    /// Equation 2: updates the lengths, and RED's averages.
    fn fill(&mut self) {
        let (length, packet) = (seconds(self.step), f64::from(self.traffic.tcp().packet));
        for (queue, link) in self.queues.iter_mut().zip(self.traffic.network().links()) {
            if let Discipline::Red(red) = link.queue.discipline {
                let packets = queue.bandwidth / packet * length;
                queue.average += (1.0 - (1.0 - red.weight).powf(packets)) * (queue.length - queue.average);
            }
            let growth = queue.arrivals * (1.0 - queue.loss) - queue.bandwidth;
            let before = queue.length;
            queue.length = (before + growth * length).clamp(0.0, link.queue.capacity as f64);
            // Fluid that was in the queue or arrived, and is no longer there, has left.
            let left = before - queue.length + queue.arrivals * (1.0 - queue.loss) * length;
            queue.used = left / (queue.bandwidth * length);
        }
    }
}

fn is_on(flow: &Flow, time: u64) -> bool {
    (flow.start..flow.stop).contains(&time)
}

#[cfg(test)]
mod tests;
