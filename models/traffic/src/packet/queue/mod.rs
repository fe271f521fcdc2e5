//! Queues from which a link takes its packets one by one, as CoDel and FqCoDel need: they decide about a packet when it
//! leaves.
//!
//! | module | contents |
//! | --- | --- |
//! | [`codel`] | control law of CoDel (RFC 8289) |
//! | [`lane`] | packets in order of arrival, with their times of arrival |
//! | [`fair`] | lanes by flow, served in turn (RFC 8290) |
//! | [`longest`] | the longest of these lanes |
//! | [`signals`] | packets that were dropped or marked |

mod codel;
mod fair;
mod lane;
mod longest;
mod signals;

use super::clock::picoseconds;
use super::wire::Packet;
use crate::network::{Discipline, FqCodel};
use codel::{Controller, Law};
use fair::Fair;
use lane::Lane;
pub(super) use signals::Signals;

/// Packets that wait for a link.
#[derive(Debug, Clone)]
pub(super) enum Queue {
    /// CoDel on one lane.
    Codel(Law, Lane, Controller),
    /// CoDel on a lane for each flow.
    Fair(Fair),
}

impl Queue {
    /// Creates the queue of a discipline for packets of a standard size; `None` for a discipline that knows all
    /// departures on arrival.
    pub(super) fn new(discipline: Discipline, packet: u32) -> Option<Self> {
        let law = |target, interval| Law::new(picoseconds(target), picoseconds(interval), packet);
        match discipline {
            Discipline::DropTail | Discipline::Red(_) => None,
            Discipline::Codel(codel) => {
                Some(Self::Codel(law(codel.target, codel.interval), Lane::default(), Controller::default()))
            }
            Discipline::FqCodel(FqCodel { codel, quantum, queues }) => {
                let quantum = quantum.unwrap_or(packet);
                Some(Self::Fair(Fair::new(law(codel.target, codel.interval), quantum, queues)))
            }
        }
    }

    /// Adds a packet. `hash` is that of the flow to which it belongs.
    pub(super) fn add(&mut self, packet: Packet, now: u64, hash: u64) {
        match self {
            Self::Codel(_, lane, _) => lane.add(packet, now),
            Self::Fair(fair) => fair.add(packet, now, hash),
        }
    }

    /// Removes the next packet to send. Packets before it may be dropped.
    pub(super) fn take(&mut self, now: u64, signals: &mut Signals) -> Option<Packet> {
        match self {
            Self::Codel(law, lane, controller) => controller.take(law, lane, now, signals),
            Self::Fair(fair) => fair.take(now, signals),
        }
    }

    /// Removes packets after an arrival that did not fit: the arrived packet, or many of the longest lane.
    pub(super) fn shed(&mut self, signals: &mut Signals) {
        match self {
            Self::Codel(_, lane, _) => signals.dropped.extend(lane.remove_last()),
            Self::Fair(fair) => fair.shed(signals),
        }
    }

    /// Removes and returns all packets. The discipline begins anew.
    pub(super) fn empty(&mut self) -> Vec<Packet> {
        match self {
            Self::Codel(_, lane, controller) => {
                *controller = Controller::default();
                std::mem::take(lane).into_packets()
            }
            Self::Fair(fair) => fair.empty(),
        }
    }

    /// Number of packets that wait.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Codel(_, lane, _) => lane.len(),
            Self::Fair(fair) => fair.len(),
        }
    }
}

#[cfg(test)]
mod tests;
