//! Traffic as the rows that the kernels work on.

use super::FluidError;
use super::Rules;
use super::kernels::fluids::{Bundle, Entry, Flow, Hop, Leaving, Net, Queue};
use crate::traffic::network::flow::Fluid;
use crate::traffic::network::{Discipline, Link};
use crate::traffic::units::{NEVER, seconds};
use crate::traffic::{StepSize, Traffic};
use imminent_core::Reach;

/// Entries that one invocation sums, one after the other.
const BUNDLE: usize = 32;

/// The rows of all tables, and how far the histories reach.
#[derive(Debug)]
pub(super) struct Plan {
    /// By row: the number of a flow.
    pub(super) numbers: Vec<u32>,
    pub(super) flows: Vec<Flow>,
    pub(super) hops: Vec<Hop>,
    /// By row: the number of a link.
    pub(super) links: Vec<u32>,
    pub(super) queues: Vec<Queue>,
    pub(super) bundles: Vec<Bundle>,
    pub(super) entries: Vec<Entry>,
    pub(super) net: Net,
    /// The clock at the beginning: the longest that anyone looks back.
    pub(super) first: u32,
    /// Of what leaves queues.
    pub(super) left: Reach,
    /// Of what senders know.
    pub(super) known: Reach,
}

impl Plan {
    pub(super) fn new(traffic: &Traffic, size: StepSize, rules: Rules) -> Result<Plan, FluidError> {
        let links = traffic.used_links();
        let of = |&link: &u32| traffic.network().link(link).copied();
        let ways: Vec<Link> = links.iter().filter_map(of).collect();
        let lag = |link: &Link| steps(link.delay.saturating_add(size.step / 2) / size.step);
        let longest = ways.iter().map(lag).max().unwrap_or(1);
        let lookahead = steps(size.lookahead);
        let wait = |link: &Link| link.queue.capacity as f64 * 8.0 / link.bandwidth as f64 / seconds(size.step);
        let longest_wait = ways.iter().map(wait).fold(0.0, f64::max);
        // Two more, since kernels round in `f32`.
        let ahead = longest_wait.ceil() + f64::from(lookahead) + 2.0;
        if ahead + f64::from(longest) > f64::from(Reach::MOST) {
            return Err(FluidError::TooSlow { seconds: longest_wait * seconds(size.step), step: seconds(size.step) });
        }
        let mut plan = Plan {
            numbers: Vec::new(),
            flows: Vec::new(),
            hops: Vec::new(),
            queues: ways.iter().map(|link| queue(link, traffic, size.step)).collect(),
            links,
            bundles: Vec::new(),
            entries: Vec::new(),
            net: Net {
                steps: lookahead,
                step: seconds(size.step) as f32,
                largest: traffic.tcp().window as f32,
                divisor: rules.divisor as f32,
                losses_seen: rules.losses_seen as f32,
            },
            first: longest,
            left: Reach { past: longest, ahead: ahead as u32 },
            known: Reach { past: 0, ahead: lookahead },
        };
        for (number, flow) in (0..).zip(traffic.flows().all()) {
            let Some(fluid) = flow.kind.fluid() else { continue };
            let times = [flow.start, flow.stop].map(|time| match time {
                NEVER => u32::MAX,
                time => steps(time.div_ceil(size.step)).saturating_add(longest),
            });
            plan.add(traffic, number, (fluid, times), &lag);
        }
        plan.enter();
        Ok(plan)
    }

    /// Adds a flow and its hops.
    fn add(
        &mut self,
        traffic: &Traffic,
        number: u32,
        (fluid, [start, stop]): (Fluid, [u32; 2]),
        lag: &dyn Fn(&Link) -> u32,
    ) {
        let row = self.flows.len() as u32;
        let (mut before, mut late, mut back, mut way) = (row, 0, 0_u32, 0);
        for &number in traffic.routes().links(number) {
            let (Some(link), Ok(queue)) = (traffic.network().link(number), self.links.binary_search(&number)) else {
                continue;
            };
            let latest = Leaving { rate: 0.0, waited: 0.0, lost: 0.0 };
            self.hops.push(Hop { queue: queue as u32, before, lag: late, until: self.first - 1, latest });
            (before, late) = (self.hops.len() as u32 - 1, lag(link));
            back = back.saturating_add(late);
            way += link.delay;
        }
        let (packets, rate) = match fluid {
            Fluid::Tcp(sessions) => (f64::from(sessions) * f64::from(traffic.tcp().packet), 0.0),
            Fluid::Udp(rate) => (0.0, rate as f64 / 8.0),
        };
        self.known.ahead = self.known.ahead.max(self.net.steps.saturating_add(back));
        self.numbers.push(number);
        self.flows.push(Flow {
            window: 0.0,
            window_rest: 0.0,
            packets: packets as f32,
            rate: rate as f32,
            way: 2.0 * seconds(way) as f32,
            start,
            stop,
            last: before,
            lag: late,
            back,
            round_trip: 2.0 * seconds(way) as f32,
            losses: 0.0,
        });
    }

    /// Finds out what enters each queue, by the order of hops.
    fn enter(&mut self) {
        let mut order: Vec<u32> = (0..self.hops.len() as u32).collect();
        order.sort_by_key(|&hop| self.hops[hop as usize].queue);
        for entering in order.chunk_by(|a, b| self.hops[*a as usize].queue == self.hops[*b as usize].queue) {
            let queue = self.hops[entering[0] as usize].queue as usize;
            self.queues[queue].first = self.bundles.len() as u32;
            for bundle in entering.chunks(BUNDLE) {
                let first = self.entries.len() as u32;
                let entries = bundle.iter().map(|&hop| &self.hops[hop as usize]);
                self.entries.extend(entries.map(|hop| Entry { before: hop.before, lag: hop.lag }));
                self.bundles.push(Bundle { first, end: self.entries.len() as u32 });
            }
            self.queues[queue].end = self.bundles.len() as u32;
        }
    }
}

fn queue(link: &Link, traffic: &Traffic, step: u64) -> Queue {
    let (capacity, bandwidth) = (link.queue.capacity as f64, link.bandwidth as f64 / 8.0);
    let mut queue = Queue {
        bandwidth: bandwidth as f32,
        capacity: capacity as f32,
        weight: 0.0,
        least: f32::INFINITY,
        most: f32::INFINITY,
        slope: 0.0,
        first: 0,
        end: 0,
        length: 0.0,
        length_rest: 0.0,
        average: 0.0,
        loss: 0.0,
        arrivals: 0.0,
    };
    if let Discipline::Red(red) = link.queue.discipline {
        let packets = bandwidth * seconds(step) / f64::from(traffic.tcp().packet);
        let [least, most] = [red.least, red.most].map(|share| share * capacity);
        queue.weight = -(packets * (-red.weight).ln_1p()).exp_m1() as f32;
        queue.slope = (red.probability / (most - least)) as f32;
        (queue.least, queue.most) = (least as f32, most as f32);
    }
    queue
}

fn steps(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
