//! General engine on a host: one service start at a time, in the order of time.
//!
//! The earliest possible start in the whole network can always be carried out: every arrival before it is known. Starts
//! are taken in order of time and given to their node's handler, the one that the device's steps use. Departures with
//! round-robin routing are events too: all tokens sent in a tick are known before a service starts in it.

use super::layout::Layout;
use super::model::{NodeRows, Shared, lanes, rows};
use super::results::{Final, by_class, outcome, times};
use crate::engine::EngineError;
use crate::kernels::general::facility::{
    BUCKETS, CLASS_SUMS, Departure, Entrance, Network, Node, Route, Visit, next_start,
};
use crate::kernels::general::line::Token;
use crate::kernels::law::{LawRow, Quantile};
use crate::outcome::{NodeStatistics, Outcome};
use crate::scenario::Scenario;
use crate::trace::Times;
use imminent_core::{Data, Lanes, RowsBuf, Tally};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Time of an event, and `true` for the start of a service or `false` for a pending departure.
type Event = (u64, bool);

/// Event later than all others.
const NEVER: Event = (u64::MAX, true);

/// One network in the rows of the kernels, in the memory of the host.
pub(super) struct OnHost {
    layout: Layout,
    nodes: Vec<NodeRows>,
    /// Earliest event of each node in the calendar.
    planned: Vec<Event>,
    /// Events by time, departures before starts, and node. Obsolete events stay in it.
    calendar: BinaryHeap<Reverse<(Event, u32)>>,
    visits: RowsBuf<Visit>,
    routes: RowsBuf<Route>,
    laws: RowsBuf<LawRow>,
    quantiles: RowsBuf<Quantile>,
    /// Buckets of the times of visits that ended since they were last taken; one slot if times are not counted.
    times: Tally<u64>,
    /// Sums by class, in the order of visits; one slot if classes are not counted.
    classes: Tally<u64>,
    horizon: u64,
}

impl OnHost {
    pub(super) fn new(scenario: &Scenario<'_>) -> Result<Self, EngineError> {
        let layout = Layout::by_number(scenario);
        let (nodes, shared) = rows(std::slice::from_ref(scenario), &layout, |tokens, _, _| tokens.max(4))?;
        let Shared { visits, routes, laws, quantiles, .. } = shared;
        let mut host = Self {
            layout,
            planned: vec![NEVER; nodes.len()],
            nodes,
            calendar: BinaryHeap::new(),
            visits: visits.into(),
            routes: routes.into(),
            laws: laws.into(),
            quantiles: quantiles.into(),
            times: Tally::new(&[0]),
            classes: Tally::new(&[0]),
            horizon: 0,
        };
        for node in 0..host.nodes.len() as u32 {
            host.plan(node);
        }
        Ok(host)
    }

    /// Carries out the events before `horizon`, at most `most` starts of them. Returns the number of starts, and `true`
    /// if the horizon is reached.
    pub(super) fn run(&mut self, horizon: u64, most: u64) -> Result<(u64, bool), EngineError> {
        if horizon > self.horizon {
            self.horizon = horizon;
            for NodeRows { facility, servers, .. } in &mut self.nodes {
                facility.extend(horizon, servers, &self.times);
            }
        }
        let mut done = 0;
        while let Some(&Reverse((event, node))) = self.calendar.peek() {
            let (time, is_start) = event;
            if time >= horizon {
                break;
            }
            if done == most {
                return Ok((done, false));
            }
            self.calendar.pop();
            // A heap cannot move an entry: the node has planned an earlier event since this one was entered.
            if self.planned.get(node as usize) != Some(&event) {
                continue;
            }
            if is_start {
                done += 1;
                self.start(node, time)?;
            } else {
                self.depart(node)?;
            }
        }
        self.settle()?;
        Ok((done, true))
    }

    fn start(&mut self, node: u32, start: u64) -> Result<(), EngineError> {
        let Some(rows) = self.nodes.get_mut(node as usize) else { return Ok(()) };
        rows.make_room_to_enter()?;
        let NodeRows { facility, lookahead, line, servers, departures } = rows;
        let net = Network {
            visits: &self.visits,
            routes: &self.routes,
            laws: &self.laws,
            quantiles: &self.quantiles,
            times: &self.times,
            classes: &self.classes,
        };
        let sent = Node { me: facility, lookahead, line, servers, departures }.advance(start, &net);
        self.send(node, sent)
    }

    /// Chooses the route of a node's first pending departure; all earlier ends are known.
    fn depart(&mut self, node: u32) -> Result<(), EngineError> {
        let Some(rows) = self.nodes.get_mut(node as usize) else { return Ok(()) };
        let sent = rows.facility.depart(&mut rows.departures, &self.visits, &self.routes);
        self.send(node, sent)
    }

    /// Adds a departure to the expected tokens of its next node, and plans the next events of both nodes.
    fn send(&mut self, node: u32, sent: Departure) -> Result<(), EngineError> {
        // The node's own event has been carried out, so any next one is to be entered.
        if let Some(planned) = self.planned.get_mut(node as usize) {
            *planned = NEVER;
        }
        self.plan(node);
        if let Some(to) = sent.to.checked_sub(1)
            && let Some(rows) = self.nodes.get_mut(to as usize)
        {
            rows.make_room_to_expect()?;
            rows.line.expect(Token { time: sent.time, number: sent.number, from: node, class: sent.class });
            self.plan(to);
        }
        Ok(())
    }

    /// Enters the node's next event into the calendar, if it is earlier than the planned one.
    fn plan(&mut self, node: u32) {
        let (Some(rows), Some(planned)) = (self.nodes.get(node as usize), self.planned.get_mut(node as usize)) else {
            return;
        };
        let event = (rows.departures.next, false).min((next_start(&rows.lookahead, &rows.line), true));
        if event < *planned {
            *planned = event;
            self.calendar.push(Reverse((event, node)));
        }
    }

    /// Lets tokens enter that arrive before the horizon without a service starting after them.
    fn settle(&mut self) -> Result<(), EngineError> {
        let Some(through) = self.horizon.checked_sub(1) else { return Ok(()) };
        for rows in self.nodes.iter_mut().filter(|rows| rows.facility.servers > 0) {
            if rows.line.next_arrival() <= through {
                rows.make_room_to_enter()?;
                let NodeRows { facility, line, servers, .. } = rows;
                let entrance = Entrance { visits: &self.visits, classes: &self.classes };
                facility.admit(through, self.horizon, line, servers, &entrance);
            }
        }
        Ok(())
    }

    /// Counts waiting and sojourn times of visits from now on.
    pub(super) fn count_times(&mut self) {
        self.times = Tally::new(&vec![0; 2 * BUCKETS as usize]);
    }

    /// Takes the times of the visits that ended in the last run.
    pub(super) fn take_times(&mut self) -> Times {
        let counts: Vec<u64> = (0..self.times.len()).map(|slot| self.times.load(slot)).collect();
        (0..self.times.len()).for_each(|slot| self.times.store(slot, 0));
        times(&counts, self.nodes.iter().map(|rows| &rows.facility))
    }

    /// Counts statistics by class from now on.
    pub(super) fn count_classes(&mut self) -> Result<(), EngineError> {
        let slots = self.visits.len().checked_mul(CLASS_SUMS);
        let slots = slots.ok_or(EngineError::TooLarge { what: "sums of classes" })?;
        self.classes = Tally::new(&vec![0; slots as usize]);
        Ok(())
    }

    /// Returns the statistics by node and class up to the horizon of the last run.
    pub(super) fn by_class(&self) -> Vec<NodeStatistics> {
        let sums: Vec<u64> = (0..self.classes.len()).map(|slot| self.classes.load(slot)).collect();
        by_class(0, self.horizon, &self.layout, |row| self.row(row), &[], &sums)
    }

    /// Returns the outcome up to the horizon of the last run.
    pub(super) fn outcome(&self, scenario: &Scenario<'_>) -> Outcome {
        outcome(scenario, 0, self.horizon, &self.layout, |row| self.row(row), &[])
    }

    fn row(&self, row: u32) -> Option<Final<'_>> {
        let NodeRows { facility, line, servers, departures, .. } = self.nodes.get(row as usize)?;
        Some(Final { facility, line, servers, departures })
    }
}

impl NodeRows {
    /// Makes room for one more expected token.
    #[inline]
    fn make_room_to_expect(&mut self) -> Result<(), EngineError> {
        if self.line.expected < self.line.inbox.capacity() {
            return Ok(());
        }
        self.line.inbox = grown(&self.line.inbox, u64::from(self.line.expected) + 1)?;
        Ok(())
    }

    /// Makes room among the waiting tokens for all that are expected.
    #[inline]
    fn make_room_to_enter(&mut self) -> Result<(), EngineError> {
        let needed = u64::from(self.line.waiting) + u64::from(self.line.expected);
        if needed <= u64::from(self.line.queue.capacity()) {
            return Ok(());
        }
        self.line.queue = grown(&self.line.queue, needed)?;
        Ok(())
    }
}

/// Returns a larger copy of lanes, with room for `needed` and for at least twice as many as before.
fn grown<T: Data>(lanes_now: &Lanes<T>, needed: u64) -> Result<Lanes<T>, EngineError> {
    let capacity = lanes(needed.max(2 * u64::from(lanes_now.capacity())).max(4))?;
    let mut elements = lanes_now.as_slice().to_vec();
    elements.resize(capacity as usize, T::zeroed());
    Ok(Lanes::from(elements))
}
