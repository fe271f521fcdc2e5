//! Flows with their paths, and queues, of the sequential simulation.

use super::series::Series;
use crate::Traffic;
use crate::network::flow::Fluid;
use crate::units::seconds;

/// Flow that is a fluid.
#[derive(Debug, Clone)]
pub(super) struct Stream {
    /// Number of the flow.
    pub(super) flow: u32,
    pub(super) fluid: Fluid,
    pub(super) window: f64,
    /// Window at the beginning of the last step, which set the sending rate.
    pub(super) sent_window: f64,
    pub(super) round_trip: f64,
    pub(super) losses: f64,
    pub(super) arrivals: f64,
    pub(super) hops: Vec<Hop>,
}

/// Link on the path of a flow, and the flow's departures from its queue.
#[derive(Debug, Clone)]
pub(super) struct Hop {
    pub(super) link: u32,
    /// Delay of the link, in steps.
    pub(super) steps: i64,
    pub(super) departures: Series,
    pub(super) delay: Series,
    pub(super) losses: Series,
    /// Arrivals of the current step, with their delay and losses.
    pub(super) arrived: [f64; 3],
}

/// Queue of a link.
#[derive(Debug, Clone)]
pub(super) struct Queue {
    /// Rate of the link, in bytes per second.
    pub(super) bandwidth: f64,
    /// Delay of the link, in seconds.
    pub(super) delay: f64,
    /// Share of the departures that the link loses.
    pub(super) link_loss: f64,
    pub(super) length: f64,
    pub(super) average: f64,
    pub(super) arrivals: f64,
    pub(super) loss: f64,
    /// Share of the bandwidth that was used.
    pub(super) used: f64,
}

impl Stream {
    pub(super) fn new(traffic: &Traffic, step: u64, flow: u32, fluid: Fluid) -> Self {
        let mut way = 0.0;
        let links = traffic.routes().links(flow).iter();
        let hops = links.filter_map(|&link| {
            let delay = traffic.network().link(link)?.delay;
            way += seconds(delay);
            Some(Hop {
                link,
                steps: ((delay + step / 2) / step) as i64,
                departures: Series::new(0.0),
                delay: Series::new(way),
                losses: Series::new(0.0),
                arrived: [0.0; 3],
            })
        });
        let hops = hops.collect();
        Self { flow, fluid, window: 0.0, sent_window: 0.0, round_trip: 0.0, losses: 0.0, arrivals: 0.0, hops }
    }
}
