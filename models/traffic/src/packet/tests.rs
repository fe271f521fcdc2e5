//! Tests of whole runs: against closed forms, by hand, and by conservation laws.

use super::clock::SECOND;
use super::*;
use crate::network::{Builder, Discipline, Failure, Failures, Flow, Flows, Kind, Link, OwnTcp, Queue, Variant};
use crate::units::NEVER;
use crate::{Metric, Tcp, Traffic};
use imminent_common::estimate::Estimate;
use std::collections::BTreeSet;

mod conservation;
mod coupling;
mod cubic;
mod laws;
mod protocol;
mod queues;
mod routes;
mod warm_up;

const MILLISECOND: u64 = 1_000_000;

/// Creates two nodes joined in both directions by links of this bandwidth and delay (nanoseconds), with drop-tail
/// queues of this many bytes.
fn pipe(bandwidth: u64, delay: u64, capacity: u64, kind: Kind, tcp: Tcp) -> Traffic {
    lossy_pipe([0.0; 2], bandwidth, delay, capacity, kind, tcp)
}

/// Creates a [`pipe`] whose two links lose these shares.
fn lossy_pipe(losses: [f64; 2], bandwidth: u64, delay: u64, capacity: u64, kind: Kind, tcp: Tcp) -> Traffic {
    let mut builder = Builder::new();
    let [from, to] = ["a", "b"].map(|label| builder.node(label));
    let queue = Queue::of_bytes(capacity, Discipline::DropTail);
    builder.link(Link { from, to, delay, bandwidth, queue, loss: losses[0] });
    builder.link(Link { from: to, to: from, delay, bandwidth, queue, loss: losses[1] });
    let mut flows = Flows::new();
    flows.add(Flow { from, to, kind, start: 0, stop: NEVER });
    Traffic::new(builder.build().unwrap(), flows, Metric::Hops, tcp).unwrap()
}

const ONE_SESSION: Kind = Kind::Tcp { fluid: 0, packets: 1 };

/// Drops the packets with these numbers among those that arrive at link 0.
struct Lose {
    numbers: BTreeSet<u64>,
    come: u64,
}

impl Lose {
    fn new(numbers: impl IntoIterator<Item = u64>) -> Self {
        Lose { numbers: numbers.into_iter().collect(), come: 0 }
    }
}

impl Background for Lose {
    fn shares(&self, _: u32) -> bool {
        false
    }

    fn influence(&mut self, link: u32, _: u64) -> Influence {
        let number = self.come;
        self.come += u64::from(link == 0);
        let lost = link == 0 && self.numbers.contains(&number);
        Influence { drop: if lost { 1.0 } else { 0.0 }, ..Influence::default() }
    }
}

/// Has links fail from a time to a time, and routes follow after a time, all in milliseconds.
fn failing(traffic: Traffic, failures: &[(u32, u64, u64)], convergence: u64) -> Traffic {
    let failure =
        |&(link, start, stop): &(u32, u64, u64)| Failure { link, start: start * MILLISECOND, stop: stop * MILLISECOND };
    let all = failures.iter().map(failure).collect();
    let failures = Failures::new(traffic.network(), all, convergence * MILLISECOND).unwrap();
    traffic.with_failures(failures).unwrap()
}

/// Returns settings without random starts.
fn settings(seed: u64) -> Settings {
    Settings { seed, stagger: 0, ..Settings::default() }
}
