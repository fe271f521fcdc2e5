//! Conversion of rows to outcomes.

use super::layout::{Home, Layout};
use crate::kernels::general::departures::Departures;
use crate::kernels::general::facility::{CLASS_SUMS, Facility};
use crate::kernels::general::line::{FIFO, Line};
use crate::kernels::general::servers::{Servers, Service};
use crate::network::Network;
use crate::outcome::{NodeState, NodeStatistics, Outcome, VisitSums, WaitingLines, add_in_flight};
use crate::scenario::Scenario;
use crate::trace::Times;
use imminent_common::output::Sketch;

/// A token in flight to a row.
pub(super) struct InFlight {
    pub(super) row: u32,
    pub(super) time: u64,
    pub(super) class: u32,
}

/// A node when nothing more can happen before the horizon.
pub(super) trait NodeAtEnd {
    fn is_source(&self) -> bool;

    /// Returns the number of classes of its network.
    fn classes(&self) -> u32;

    /// Returns the place of the first sum of a class in the list of sums by class.
    fn first_sum(&self, class: u32) -> usize;

    /// Returns the time from which arrivals are counted apart, if classes are counted.
    fn counted_from(&self) -> u64;

    /// Returns the sums over all classes.
    fn sums(&self) -> Sums;

    /// Returns the greatest number of tokens that waited at the end of a tick.
    fn most_waiting(&self) -> u32;

    /// Iterates over arrival and class of every token here that is not in a server.
    fn tokens(&self) -> impl Iterator<Item = (u64, u32)>;

    /// Iterates over the services started, but those that have ended and whose token has left.
    fn under_way(&self) -> impl Iterator<Item = UnderWay>;

    /// Returns next node and arrival time of the tokens in service that no node expects, if no more service starts.
    fn onward(&self, network: &Network) -> Vec<(u32, u64)>;

    fn state(&self, scenario: &Scenario<'_>) -> NodeState;
}

/// A service under way.
pub(super) struct UnderWay {
    pub(super) arrived: u64,
    pub(super) started: u64,
    pub(super) end: u64,
    /// Class of its token during the service.
    pub(super) class: u32,
}

/// Rows of one node of a device.
#[derive(Clone, Copy)]
pub(super) struct Rows<'r> {
    pub(super) facility: &'r Facility,
    pub(super) line: &'r Line,
    pub(super) servers: &'r Servers,
    pub(super) departures: &'r Departures,
}

/// Returns the outcome of one network of an ensemble, up to `horizon`; `row` returns the data of a row.
pub(super) fn outcome<N: NodeAtEnd>(
    scenario: &Scenario<'_>,
    network: u32,
    horizon: u64,
    layout: &Layout,
    row: impl Fn(u32) -> Option<N>,
    in_flight: &[InFlight],
) -> Outcome {
    let nodes = layout.rows_of(network);
    let sent: Vec<(u32, u64)> = in_flight
        .iter()
        .filter_map(|token| layout.home(token.row).map(|Home { network: of, node }| (of, node, token.time)))
        .filter_map(|(of, node, time)| (of == network).then_some((node, time)))
        .collect();
    let mut waiting = sent.clone();
    let (mut states, mut statistics) = (Vec::with_capacity(nodes.len()), Vec::with_capacity(nodes.len()));
    for (node, rows) in (0..).zip(nodes.clone().filter_map(row)) {
        waiting.extend(rows.tokens().map(|(arrival, _)| (node, arrival)));
        waiting.extend(rows.onward(scenario.network()));
        states.push(rows.state(scenario));
        statistics.push(of_node(&rows, horizon));
    }
    add_in_flight(&mut statistics, &sent, horizon);
    Outcome { horizon, states, statistics, waiting: WaitingLines::from_pairs(nodes.len(), &waiting) }
}

/// Returns the statistics by node and class of one network of an ensemble, up to `horizon`. They come from the sums of
/// all classes at all rows, in the order of visits.
pub(super) fn by_class<N: NodeAtEnd>(
    network: u32,
    horizon: u64,
    layout: &Layout,
    row: impl Fn(u32) -> Option<N>,
    in_flight: &[InFlight],
    sums: &[u64],
) -> Vec<NodeStatistics> {
    let rows: Vec<N> = layout.rows_of(network).filter_map(row).collect();
    let classes = rows.first().map_or(0, NodeAtEnd::classes);
    let of_row = |node: &N| (0..classes).map(|class| of_class(node, class, horizon, sums)).collect::<Vec<_>>();
    let mut statistics: Vec<NodeStatistics> = rows.iter().flat_map(of_row).collect();
    let sent: Vec<(u32, u64)> = in_flight
        .iter()
        .filter_map(|token| {
            let home = layout.home(token.row)?;
            (home.network == network).then_some((home.node * classes + token.class, token.time))
        })
        .collect();
    add_in_flight(&mut statistics, &sent, horizon);
    statistics
}

/// Returns the times of a network's visits, from the counts of a tally and the extremes of its nodes.
pub(super) fn times<'r>(counts: &[u64], nodes: impl Iterator<Item = &'r Facility>) -> Times {
    let (waiting, sojourn) = counts.split_at(counts.len() / 2);
    let stations = nodes.filter(|facility| facility.servers > 0).map(|facility| facility.extremes);
    let [a, b, c, d] = stations
        .fold([u64::MAX, 0, u64::MAX, 0], |[a, b, c, d], [e, f, g, h]| [a.min(e), b.max(f), c.min(g), d.max(h)]);
    Times { waiting: Sketch::from_counts(waiting, (a, b)), sojourn: Sketch::from_counts(sojourn, (c, d)) }
}

/// Returns next node and arrival time of tokens whose `ends`, with their classes, take turns of a node's routes in this
/// order.
pub(super) fn in_turn(
    network: &Network,
    node: u32,
    turns: &[u32],
    ends: impl Iterator<Item = (u64, u32)>,
) -> Vec<(u32, u64)> {
    let mut turns = turns.to_vec();
    let onward = |(end, class): (u64, u32)| {
        let turn = turns.get_mut(network.route_list(node, class) as usize)?;
        let routes = network.routes(node, class);
        let route = routes.get(*turn as usize)?;
        *turn = (*turn + 1) % routes.len() as u32;
        Some((route.to?, end))
    };
    ends.filter_map(onward).collect()
}

/// Returns the node's statistics up to the horizon.
fn of_node(node: &impl NodeAtEnd, horizon: u64) -> NodeStatistics {
    NodeStatistics { most_waiting: Some(node.most_waiting()), ..cut(node, node.sums(), horizon, |_| true) }
}

/// Returns the node's statistics up to the horizon for one class.
fn of_class(node: &impl NodeAtEnd, class: u32, horizon: u64, sums: &[u64]) -> NodeStatistics {
    let first = node.first_sum(class);
    let sums = match sums.get(first..first + CLASS_SUMS as usize) {
        Some(&[served, service, waiting, arrivals, lost, visits, waiting_of_visits, sojourn]) => {
            let arrived = VisitSums { visits, waiting: waiting_of_visits, sojourn };
            Sums { served, service, waiting, arrivals, lost, arrived }
        }
        _ => Sums::default(),
    };
    cut(node, sums, horizon, |other| other == class)
}

/// Returns the sums of whole services of some classes, less the part beyond the horizon of those under way.
fn cut(of: &impl NodeAtEnd, sums: Sums, horizon: u64, counts: impl Fn(u32) -> bool) -> NodeStatistics {
    let mut node = NodeStatistics {
        served: sums.served,
        completed: sums.served,
        busy: sums.service,
        sojourn_sum: sums.waiting + sums.service,
        waiting_sum: sums.waiting,
        number_integral: sums.waiting + sums.service,
        arrivals: sums.arrivals,
        lost: sums.lost,
        started: VisitSums { visits: sums.served, waiting: sums.waiting, sojourn: sums.waiting + sums.service },
        arrived: sums.arrived,
        ..NodeStatistics::default()
    };
    // Without counts of classes there are none to take back.
    let counted_from = if sums.arrived.visits > 0 { of.counted_from() } else { u64::MAX };
    for service in of.under_way().filter(|service| service.end > horizon && counts(service.class)) {
        node.completed -= 1;
        node.busy -= service.end - horizon;
        node.number_integral -= service.end - horizon;
        node.sojourn_sum -= service.end - service.arrived;
        node.waiting_sum -= service.started - service.arrived;
        if service.arrived >= counted_from {
            node.arrived.visits -= 1;
            node.arrived.waiting -= service.started - service.arrived;
            node.arrived.sojourn -= service.end - service.arrived;
        }
    }
    if of.is_source() {
        return NodeStatistics { served: node.served, completed: node.completed, ..NodeStatistics::default() };
    }
    // Tokens in the line have arrived; those expected before the horizon have entered.
    let tokens = of.tokens().filter(|(_, class)| counts(*class));
    node.number_integral += tokens.map(|(arrival, _)| horizon.saturating_sub(arrival)).sum::<u64>();
    node
}

impl NodeAtEnd for Rows<'_> {
    fn is_source(&self) -> bool {
        self.facility.servers == 0
    }

    fn classes(&self) -> u32 {
        self.facility.classes
    }

    fn first_sum(&self, class: u32) -> usize {
        (CLASS_SUMS * (self.facility.first_count + class)) as usize
    }

    fn counted_from(&self) -> u64 {
        self.facility.counted_from
    }

    fn sums(&self) -> Sums {
        let Facility { served, service_sum, waiting_sum, arrivals, lost, .. } = *self.facility;
        Sums { served, service: service_sum, waiting: waiting_sum, arrivals, lost, ..Sums::default() }
    }

    fn most_waiting(&self) -> u32 {
        self.facility.most_waiting
    }

    fn tokens(&self) -> impl Iterator<Item = (u64, u32)> {
        let expected = self.line.inbox.as_slice().iter().take(self.line.expected as usize);
        let (first, count) = if self.is_source() { (0, 0) } else { (self.line.first, self.line.waiting) };
        let places = self.line.places.max(1);
        let ring = self.facility.discipline == FIFO;
        let place = move |number: u32| if ring { (first + number) % places } else { number };
        let queue = self.line.queue.as_slice();
        let waiting = (0..count).filter_map(move |number| queue.get(place(number) as usize));
        expected.map(|token| (token.time, token.class)).chain(waiting.map(|token| (token.arrived, token.class)))
    }

    fn under_way(&self) -> impl Iterator<Item = UnderWay> {
        let services = self.servers.services.as_slice().iter().take(self.servers.busy as usize);
        services.map(|&Service { arrived, started, end, class }| UnderWay { arrived, started, end, class })
    }

    /// Pending departures: none arrives before the horizon, and routes are taken in turn in the order of the ends.
    fn onward(&self, network: &Network) -> Vec<(u32, u64)> {
        let pending = self.departures.pending.as_slice().iter().take(self.departures.count as usize);
        let mut pending: Vec<_> = pending.map(|token| (token.end, token.number, token.class)).collect();
        pending.sort_unstable();
        let ends = pending.into_iter().map(|(end, _, class)| (end, class));
        in_turn(network, self.facility.number, self.departures.turns.as_slice(), ends)
    }

    fn state(&self, scenario: &Scenario<'_>) -> NodeState {
        let coming = self.servers.coming.as_slice().get(self.servers.turn as usize).copied();
        NodeState {
            free_at: self.facility.last_end,
            next_service: coming.filter(|&least| least != u64::MAX).unwrap_or(0),
            rng_state: scenario.key().node(self.facility.number).state_after(2 * self.facility.served + 1),
        }
    }
}

/// Sums over all services that were started, and all tokens that arrived.
#[derive(Default)]
pub(super) struct Sums {
    pub(super) served: u64,
    pub(super) service: u64,
    pub(super) waiting: u64,
    pub(super) arrivals: u64,
    pub(super) lost: u64,
    pub(super) arrived: VisitSums,
}
