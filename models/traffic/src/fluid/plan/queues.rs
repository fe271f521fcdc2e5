//! Links as queues.

use super::super::Number;
use super::super::kernels::fluids::Queue;
use super::super::kernels::paths::nothing;
use super::steps;
use crate::Traffic;
use crate::network::{Discipline, Link};
use crate::units::seconds;

/// Delays of a link and its queue, in steps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch {
    /// Delay of the link.
    pub(super) lag: u32,
    /// Longest queueing delay plus a few steps, since kernels round in `f32`.
    pub(super) wait: u32,
}

/// Computes the delays of some links and their queues.
pub(super) fn stretches(traffic: &Traffic, links: &[u32], step: u64) -> Vec<Stretch> {
    let of = |link: &Link| {
        let wait = link.queue.capacity as f64 * 8.0 / link.bandwidth as f64 / seconds(step);
        Stretch { lag: lag(link, step), wait: wait.ceil() as u32 + 2 }
    };
    links.iter().filter_map(|&link| traffic.network().link(link)).map(of).collect()
}

/// Creates empty queues for some links; nothing has left them by step `until`.
pub(super) fn queues(traffic: &Traffic, links: &[u32], step: u64, until: u32) -> Vec<Queue> {
    let links = links.iter().filter_map(|&link| traffic.network().link(link));
    links.map(|link| Queue { until, ..queue(link, traffic, step) }).collect()
}

/// Returns the delay of a link, in steps.
fn lag(link: &Link, step: u64) -> u32 {
    steps(link.delay.saturating_add(step / 2) / step)
}

fn queue(link: &Link, traffic: &Traffic, step: u64) -> Queue {
    let (capacity, bandwidth) = (link.queue.capacity as f64, link.bandwidth as f64 / 8.0);
    let mut queue = Queue {
        bandwidth: bandwidth as Number,
        lag: lag(link, step),
        link_loss: link.loss as Number,
        capacity: capacity as Number,
        weight: 0.0,
        least: Number::INFINITY,
        most: Number::INFINITY,
        slope: 0.0,
        length: 0.0,
        length_rest: 0.0,
        average: 0.0,
        loss: 0.0,
        arrivals: 0.0,
        until: 0,
        latest: nothing(),
    };
    if let Discipline::Red(red) = link.queue.discipline {
        let packets = bandwidth * seconds(step) / f64::from(traffic.tcp().packet);
        let [least, most] = [red.least, red.most].map(|share| share * capacity);
        queue.weight = -(packets * (-red.weight).ln_1p()).exp_m1() as Number;
        queue.slope = (red.probability / (most - least)) as Number;
        (queue.least, queue.most) = (least as Number, most as Number);
    }
    queue
}
