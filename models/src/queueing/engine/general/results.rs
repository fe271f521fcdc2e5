//! Rows as outcomes.

use super::layout::{Home, Layout};
use crate::output::Histogram;
use crate::output::histogram::bucket;
use crate::queueing::kernels::general::facility::Facility;
use crate::queueing::kernels::general::line::{FIFO, Line};
use crate::queueing::kernels::general::servers::Servers;
use crate::queueing::outcome::{NodeState, NodeStatistics, Outcome, WaitingLines, add_in_flight};
use crate::queueing::scenario::Scenario;
use crate::queueing::trace::Times;

/// A token on its way to a row.
pub(super) struct InFlight {
    pub(super) row: u32,
    pub(super) time: u64,
}

/// The rows of one node when nothing can happen before the horizon any more.
#[derive(Clone, Copy)]
pub(super) struct Final<'r> {
    pub(super) facility: &'r Facility,
    pub(super) line: &'r Line,
    pub(super) servers: &'r Servers,
}

/// The outcome of one network of an ensemble, up to `horizon`; `row` gives the rows of a row's number.
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
        waiting.extend(rows.tokens().map(|arrival| (node, arrival)));
        states.push(rows.state(scenario));
        statistics.push(rows.statistics(horizon));
    }
    add_in_flight(&mut statistics, &sent, horizon);
    Outcome { horizon, states, statistics, waiting: WaitingLines::from_pairs(nodes.len(), &waiting) }
}

/// How long visits waited and stayed that ended by `horizon`: what was counted when services started, network-wide, less those still under way.
pub(super) fn times<'r>(
    counts: &[u64],
    horizon: u64,
    nodes: impl Iterator<Item = (&'r Facility, &'r Servers)>,
) -> Times {
    let (waiting, sojourn) = counts.split_at(counts.len() / 2);
    let (mut waiting, mut sojourn) = (waiting.to_vec(), sojourn.to_vec());
    let uncount = |counts: &mut Vec<u64>, time: u64| {
        if let Some(count) = counts.get_mut(bucket(time)) {
            *count = count.saturating_sub(1);
        }
    };
    for (_, servers) in nodes.filter(|(facility, _)| facility.servers > 0) {
        let services = servers.services.as_slice().iter().take(servers.busy as usize);
        for service in services.filter(|service| service.end > horizon) {
            uncount(&mut waiting, service.started - service.arrived);
            uncount(&mut sojourn, service.end - service.arrived);
        }
    }
    Times { waiting: Histogram::from_counts(&waiting), sojourn: Histogram::from_counts(&sojourn) }
}

impl Final<'_> {
    fn is_source(&self) -> bool {
        self.facility.servers == 0
    }

    /// The arrivals of all tokens here that no server has taken.
    fn tokens(&self) -> impl Iterator<Item = u64> {
        let expected = self.line.inbox.as_slice().iter().take(self.line.expected as usize).map(|token| token.time);
        let (first, count) = if self.is_source() { (0, 0) } else { (self.line.first, self.line.waiting) };
        let places = self.line.places.max(1);
        let ring = self.facility.discipline == FIFO;
        let place = move |number: u32| if ring { (first + number) % places } else { number };
        let queue = self.line.queue.as_slice();
        let waiting = (0..count).filter_map(move |number| queue.get(place(number) as usize));
        expected.chain(waiting.map(|token| token.arrived))
    }

    fn state(&self, scenario: &Scenario<'_>) -> NodeState {
        let coming = self.servers.coming.as_slice().get(self.servers.turn as usize).copied();
        NodeState {
            free_at: self.facility.last_end,
            next_service: coming.filter(|&least| least != u64::MAX).unwrap_or(0),
            rng_state: scenario.key().node(self.facility.number).state_after(2 * self.facility.served + 1),
        }
    }

    /// The sums up to the horizon: those of whole services, less what lies beyond it of those under way.
    fn statistics(&self, horizon: u64) -> NodeStatistics {
        let facility = self.facility;
        let services = self.servers.services.as_slice().iter().take(self.servers.busy as usize);
        let mut under_way = 0;
        let mut node = NodeStatistics {
            served: facility.served,
            completed: facility.served,
            busy: facility.service_sum,
            sojourn_sum: facility.waiting_sum + facility.service_sum,
            waiting_sum: facility.waiting_sum,
            number_integral: facility.waiting_sum + facility.service_sum,
            arrivals: facility.arrivals,
            lost: facility.lost,
            most_waiting: Some(facility.most_waiting),
            ..NodeStatistics::default()
        };
        for service in services.filter(|service| service.end > horizon) {
            under_way += 1;
            node.busy -= service.end - horizon;
            node.number_integral -= service.end - horizon;
            node.sojourn_sum -= service.end - service.arrived;
            node.waiting_sum -= service.started - service.arrived;
        }
        node.completed -= under_way;
        if self.is_source() {
            let NodeStatistics { served, completed, most_waiting, .. } = node;
            return NodeStatistics { served, completed, most_waiting, ..NodeStatistics::default() };
        }
        // Tokens that wait in the line have arrived; those expected before the horizon have entered.
        node.number_integral += self.tokens().map(|arrival| horizon.saturating_sub(arrival)).sum::<u64>();
        node
    }
}
