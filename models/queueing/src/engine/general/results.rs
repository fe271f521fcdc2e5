//! Conversion of rows to outcomes.

use super::layout::{Home, Layout};
use crate::kernels::general::departures::Departures;
use crate::kernels::general::facility::{CLASS_SUMS, Facility};
use crate::kernels::general::line::{FIFO, Line};
use crate::kernels::general::servers::Servers;
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

/// Rows of one node when nothing more can happen before the horizon.
#[derive(Clone, Copy)]
pub(super) struct Final<'r> {
    pub(super) facility: &'r Facility,
    pub(super) line: &'r Line,
    pub(super) servers: &'r Servers,
    pub(super) departures: &'r Departures,
}

/// Returns the outcome of one network of an ensemble, up to `horizon`; `row` returns the data of a row.
pub(super) fn outcome<'r>(
    scenario: &Scenario<'_>,
    network: u32,
    horizon: u64,
    layout: &Layout,
    row: impl Fn(u32) -> Option<Final<'r>>,
    in_flight: &[InFlight],
) -> Outcome {
    let home = |row: u32| layout.homes().get(row as usize).copied().flatten();
    let nodes = layout.rows_of(network);
    let sent: Vec<(u32, u64)> = in_flight
        .iter()
        .filter_map(|token| home(token.row).map(|Home { network: of, node }| (of, node, token.time)))
        .filter_map(|(of, node, time)| (of == network).then_some((node, time)))
        .collect();
    let mut waiting = sent.clone();
    let (mut states, mut statistics) = (Vec::with_capacity(nodes.len()), Vec::with_capacity(nodes.len()));
    for (node, rows) in (0..).zip(nodes.iter().filter_map(|&number| row(number))) {
        waiting.extend(rows.tokens().map(|(arrival, _)| (node, arrival)));
        waiting.extend(rows.pending(scenario.network()));
        states.push(rows.state(scenario));
        statistics.push(rows.statistics(horizon));
    }
    add_in_flight(&mut statistics, &sent, horizon);
    Outcome { horizon, states, statistics, waiting: WaitingLines::from_pairs(nodes.len(), &waiting) }
}

/// Returns the statistics by node and class of one network of an ensemble, up to `horizon`. They come from the sums of
/// all classes at all rows, in the order of visits.
pub(super) fn by_class<'r>(
    network: u32,
    horizon: u64,
    layout: &Layout,
    row: impl Fn(u32) -> Option<Final<'r>>,
    in_flight: &[InFlight],
    sums: &[u64],
) -> Vec<NodeStatistics> {
    let rows: Vec<Final<'r>> = layout.rows_of(network).iter().filter_map(|&number| row(number)).collect();
    let classes = rows.first().map_or(0, |rows| rows.facility.classes);
    let of_row = |rows: &Final<'r>| (0..classes).map(|class| rows.of_class(class, horizon, sums)).collect::<Vec<_>>();
    let mut statistics: Vec<NodeStatistics> = rows.iter().flat_map(of_row).collect();
    let sent: Vec<(u32, u64)> = in_flight
        .iter()
        .filter_map(|token| {
            let home = layout.homes().get(token.row as usize).copied().flatten()?;
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

impl Final<'_> {
    fn is_source(&self) -> bool {
        self.facility.servers == 0
    }

    /// Iterates over arrival and class of every token here that is not in a server.
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

    /// Returns next node and arrival time of the pending departures, if no more service starts. None arrives before the
    /// horizon; routes are taken in turn in the order of the services' ends.
    fn pending(&self, network: &Network) -> Vec<(u32, u64)> {
        let node = self.facility.number;
        let pending = self.departures.pending.as_slice().iter().take(self.departures.count as usize);
        let mut pending: Vec<_> = pending.map(|token| (token.end, token.number, token.class)).collect();
        pending.sort_unstable();
        let mut turns = self.departures.turns.as_slice().to_vec();
        let mut onward = |(end, _, class): (u64, u64, u32)| {
            let turn = turns.get_mut(network.route_list(node, class) as usize)?;
            let routes = network.routes(node, class);
            let route = routes.get(*turn as usize)?;
            *turn = (*turn + 1) % routes.len() as u32;
            Some((route.to?, end))
        };
        pending.into_iter().filter_map(&mut onward).collect()
    }

    fn state(&self, scenario: &Scenario<'_>) -> NodeState {
        let coming = self.servers.coming.as_slice().get(self.servers.turn as usize).copied();
        NodeState {
            free_at: self.facility.last_end,
            next_service: coming.filter(|&least| least != u64::MAX).unwrap_or(0),
            rng_state: scenario.key().node(self.facility.number).state_after(2 * self.facility.served + 1),
        }
    }

    /// Returns the node's statistics up to the horizon.
    fn statistics(&self, horizon: u64) -> NodeStatistics {
        let Facility { served, service_sum, waiting_sum, arrivals, lost, .. } = *self.facility;
        let sums = Sums { served, service: service_sum, waiting: waiting_sum, arrivals, lost, ..Sums::default() };
        let all = self.cut(sums, horizon, |_| true);
        NodeStatistics { most_waiting: Some(self.facility.most_waiting), ..all }
    }

    /// Returns the node's statistics up to the horizon for one class.
    fn of_class(&self, class: u32, horizon: u64, sums: &[u64]) -> NodeStatistics {
        let first = (CLASS_SUMS * (self.facility.first_visit + class)) as usize;
        let sums = match sums.get(first..first + CLASS_SUMS as usize) {
            Some(&[served, service, waiting, arrivals, lost, visits, waiting_of_visits, sojourn]) => {
                let arrived = VisitSums { visits, waiting: waiting_of_visits, sojourn };
                Sums { served, service, waiting, arrivals, lost, arrived }
            }
            _ => Sums::default(),
        };
        self.cut(sums, horizon, |other| other == class)
    }

    /// Returns the sums of whole services of some classes, less the part beyond the horizon of those under way.
    fn cut(&self, sums: Sums, horizon: u64, counts: impl Fn(u32) -> bool) -> NodeStatistics {
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
        let counted_from = if sums.arrived.visits > 0 { self.facility.counted_from } else { u64::MAX };
        let services = self.servers.services.as_slice().iter().take(self.servers.busy as usize);
        for service in services.filter(|service| service.end > horizon && counts(service.class)) {
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
        if self.is_source() {
            return NodeStatistics { served: node.served, completed: node.completed, ..NodeStatistics::default() };
        }
        // Tokens in the line have arrived; those expected before the horizon have entered.
        let tokens = self.tokens().filter(|(_, class)| counts(*class));
        node.number_integral += tokens.map(|(arrival, _)| horizon.saturating_sub(arrival)).sum::<u64>();
        node
    }
}

/// Sums over all services that were started, and all tokens that arrived.
#[derive(Default)]
struct Sums {
    served: u64,
    service: u64,
    waiting: u64,
    arrivals: u64,
    lost: u64,
    arrived: VisitSums,
}
