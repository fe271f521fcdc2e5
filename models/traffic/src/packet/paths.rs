//! Paths of packets: each flow's route, and the route back.

use super::error::PacketError;
use super::tcp::TcpRules;
use crate::Traffic;
use crate::network::{Kind, Routes};

/// Path of packets: a range of [`Paths::links`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Path {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// Paths of all flows with packets.
#[derive(Debug, Clone, Default)]
pub(super) struct Paths {
    /// Links of all paths, one after the other.
    pub(super) links: Vec<u32>,
    /// Numbers of the flows with packets.
    pub(super) flows: Vec<u32>,
    /// Forward path and path back of each of these flows.
    pub(super) of_flows: Vec<[Path; 2]>,
}

impl Paths {
    pub(super) fn of(traffic: &Traffic, rules: &TcpRules) -> Result<Self, PacketError> {
        let all = traffic.flows().all();
        let flows = (0..).zip(all).filter_map(|(number, flow)| flow.kind.has_packets().then_some(number)).collect();
        let mut paths = Self { flows, ..Self::default() };
        let pairs: Vec<_> = paths.flows.iter().map(|&flow| (all[flow as usize].to, all[flow as usize].from)).collect();
        let back = Routes::find(traffic.network(), &pairs, traffic.metric())?;
        for (index, &flow) in (0..).zip(&paths.flows) {
            let there = append(&mut paths.links, traffic.routes().links(flow));
            let kind = all[flow as usize].kind;
            let bytes = match kind {
                Kind::Tcp { .. } => rules.ack,
                // Requests are data packets.
                Kind::Requests { .. } => traffic.tcp().packet.max(rules.ack),
                _ => 0,
            };
            let back = back.links(index);
            fits(traffic, back, bytes)?;
            let back = append(&mut paths.links, back);
            paths.of_flows.push([there, back]);
        }
        Ok(paths)
    }
}

fn append(links: &mut Vec<u32>, route: &[u32]) -> Path {
    let start = links.len() as u32;
    links.extend_from_slice(route);
    Path { start, end: links.len() as u32 }
}

/// Checks that every queue of a route takes a packet of this size.
fn fits(traffic: &Traffic, route: &[u32], bytes: u32) -> Result<(), PacketError> {
    for &link in route {
        let capacity = traffic.network().link(link).map_or(0, |link| link.queue.capacity);
        if capacity < u64::from(bytes) {
            let [from, to] = traffic.network().ends(link);
            return Err(PacketError::QueueBelowPacket { from, to, capacity, bytes });
        }
    }
    Ok(())
}
