//! A simulation on the host.

use super::sorting::Sorter;
use crate::contract::Events;
use crate::event_types::Scheduled;
use crate::host_rows::{HostRows, empty};
use crate::kernels::list::Terms;
use crate::lookahead::Lookahead;
use crate::sequential::Entry;
use crate::simulation::{Bounds, End, Start};
use crate::state::{Rows, State, StateError};
use crate::trouble::{Trouble, Whereabouts};
use imminent_core::{Row, fault};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// Progress of a module that is not part of its state.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seat {
    /// Number of events that the module has scheduled.
    scheduled: u64,
    /// Time of the last event.
    now: u64,
    /// Number of events executed at that time.
    repeated: u32,
}

/// Constants of a simulation.
#[derive(Debug)]
pub(super) struct Rules<E: Events> {
    /// Number of the simulation in errors.
    pub(super) number: usize,
    point: Arc<E::Point>,
    lookahead: Lookahead,
    pub(super) terms: Terms,
}

impl<E: Events> Clone for Rules<E> {
    fn clone(&self) -> Self {
        Rules {
            number: self.number,
            point: Arc::clone(&self.point),
            lookahead: self.lookahead.clone(),
            terms: self.terms,
        }
    }
}

/// Trouble of a simulation, with its time and module.
pub(super) type Stop = (u64, u32, Trouble);

/// Simulation between two stretches of its run.
#[derive(Debug)]
pub(super) struct Simulation<E: Events> {
    pub(super) rules: Rules<E>,
    pub(super) modules: Vec<E::Module>,
    pub(super) seats: Vec<Seat>,
    /// Pending events in lists, in no order.
    pub(super) pending: Vec<Vec<Scheduled<E>>>,
    pub(super) handled: u64,
    pub(super) stop: Option<Stop>,
}

impl<E: Events> Simulation<E> {
    /// Creates a checked simulation before its first event.
    pub(super) fn new(start: Start<E>, number: usize, most: u32) -> Self {
        let Bounds { modules, lookahead, end } = start.bounds();
        let has_links = start.lookahead.has_links();
        let (pending, numbers) = start.agenda();
        Simulation {
            rules: Rules {
                number,
                point: start.point,
                terms: Terms { point: 0, modules, first: 0, stride: 1, window: 0, most, lookahead, has_links, end },
                lookahead: start.lookahead,
            },
            modules: start.modules,
            seats: numbers.into_iter().map(|scheduled| Seat { scheduled, ..Seat::default() }).collect(),
            pending: vec![pending],
            handled: 0,
            stop: None,
        }
    }

    /// Returns `true` if modules send events to one another.
    pub(super) fn sends(&self) -> bool {
        self.rules.terms.lookahead > 0
    }

    /// Returns `true` if nothing is left to do.
    pub(super) fn is_over(&self) -> bool {
        self.next() >= self.rules.terms.end
    }

    /// Returns the time of the next event; the greatest time if there is none, and after trouble.
    pub(super) fn next(&self) -> u64 {
        match self.stop {
            Some(_) => u64::MAX,
            None => self.pending.iter().flatten().map(|event| event.time).min().unwrap_or(u64::MAX),
        }
    }

    pub(super) fn outcome(&self) -> Result<End<E::Module>, Trouble> {
        match self.stop {
            Some((_, _, trouble)) => Err(trouble),
            None => {
                let waiting = self.pending.iter().map(Vec::len).sum::<usize>() as u64;
                Ok(End { modules: self.modules.clone(), handled: self.handled, waiting })
            }
        }
    }

    /// Returns the state; `None` after trouble.
    pub(super) fn state(&self) -> Option<State<E>> {
        if self.stop.is_some() {
            return None;
        }
        let mut counts = vec![0_u32; self.modules.len()];
        self.pending.iter().flatten().for_each(|event| counts[event.to as usize] += 1);
        let list = |((module, seat), count): ((u32, &Seat), &u32)| {
            let mut list = empty(0, module, seat.scheduled, *count);
            (list.now, list.repeated) = (seat.now, seat.repeated);
            list
        };
        let mut lists: Vec<_> = (0..).zip(&self.seats).zip(&counts).map(list).collect();
        let mut payloads: Vec<_> = counts.iter().map(|count| E::Payloads::zeroed(*count)).collect();
        for event in self.pending.iter().flatten() {
            E::expect(&mut lists[event.to as usize], &mut payloads[event.to as usize], event);
        }
        if let Some(first) = lists.first_mut() {
            first.handled = self.handled;
        }
        let Terms { modules, lookahead, end, most, .. } = self.rules.terms;
        let rows = Rows { modules: self.modules.clone(), lists, payloads };
        Some(State::new(Bounds { modules, lookahead, end }, most, rows))
    }

    /// Returns the simulation as it was in a state of it.
    pub(super) fn resumed(mut self, state: State<E>) -> Result<Self, StateError> {
        let Terms { modules, lookahead, end, most, .. } = self.rules.terms;
        let Rows { modules, lists, payloads } = state.into_rows(&Bounds { modules, lookahead, end }, most)?;
        self.modules = modules;
        self.handled = lists.iter().map(|list| list.handled).sum();
        let mut pending = Vec::new();
        for ((seat, list), payloads) in self.seats.iter_mut().zip(lists).zip(payloads) {
            *seat = Seat { scheduled: list.scheduled, now: list.now, repeated: list.repeated };
            E::pending(&list, &payloads, |event| pending.push(event));
        }
        self.pending = vec![pending];
        Ok(self)
    }
}

/// Execution of the events of some modules, which are numbered from `first` on.
pub(super) struct Bench<'s, E: Events> {
    rules: &'s Rules<E>,
    first: u32,
    modules: &'s mut [E::Module],
    seats: &'s mut [Seat],
    host_rows: HostRows<E>,
    sorter: Sorter<E>,
    /// Events of the present module in the present window, beside those that were known at its beginning.
    own: BinaryHeap<Reverse<Entry<E>>>,
    pub(super) handled: u64,
    pub(super) stop: Option<Stop>,
}

impl<'s, E: Events> Bench<'s, E> {
    pub(super) fn new(rules: &'s Rules<E>, first: u32, modules: &'s mut [E::Module], seats: &'s mut [Seat]) -> Self {
        let host_rows = HostRows::new(0, 0, 0, rules.terms.most);
        let sorter = Sorter::new(first, modules.len());
        Bench { rules, first, modules, seats, host_rows, sorter, own: BinaryHeap::new(), handled: 0, stop: None }
    }

    /// Executes the events of a window, which ends at `end`: those of each module in their order, at most `most` of a
    /// module. All other events go to `later`. After trouble only events before it are executed; a module drops the
    /// others.
    pub(super) fn execute(
        &mut self,
        events: &mut Vec<Scheduled<E>>,
        end: u64,
        most: u64,
        mut later: impl FnMut(Scheduled<E>),
    ) {
        self.sorter.sort(events);
        for of_module in events.chunk_by(|a, b| a.to == b.to) {
            self.module(of_module, end, most, &mut later);
        }
        events.clear();
    }

    /// Executes the known events of a module, which are in order, and those that they schedule.
    fn module(&mut self, known: &[Scheduled<E>], end: u64, most: u64, later: &mut impl FnMut(Scheduled<E>)) {
        let mut next = 0;
        for _ in 0..most {
            let own = self.own.peek().map(|Reverse(Entry(event))| (event.time, event.tie));
            let event = match known.get(next) {
                Some(known) if own.is_none_or(|own| (known.time, known.tie) < own) => {
                    next += 1;
                    Some(*known)
                }
                _ => self.own.pop().map(|Reverse(own)| own.0),
            };
            let Some(event) = event else { return };
            if self.stop.is_some_and(|(time, module, _)| (time, module) <= (event.time, event.to)) {
                self.own.clear();
                return;
            }
            self.event(&event, end, later);
        }
        self.own.drain().map(|Reverse(own)| own.0).chain(known.iter().skip(next).copied()).for_each(later);
    }

    fn event(&mut self, event: &Scheduled<E>, end: u64, later: &mut impl FnMut(Scheduled<E>)) {
        fault::enter_row(event.to);
        let place = (event.to - self.first) as usize;
        let (seat, own, list) = (&mut self.seats[place], &mut self.own, &mut self.host_rows.list);
        (list.module, list.scheduled) = (event.to, seat.scheduled);
        (list.now, list.repeated, list.trouble) = (seat.now, seat.repeated, 0);
        let (me, rules) = (&mut self.modules[place], self.rules);
        let links = rules.lookahead.links_of(event.to);
        E::happen(event, me, &rules.point, &mut self.host_rows, links, &rules.terms, |scheduled| {
            if scheduled.to == event.to && scheduled.time < end {
                own.push(Reverse(Entry(scheduled)));
            } else {
                later(scheduled);
            }
        });
        let list = &self.host_rows.list;
        *seat = Seat { scheduled: list.scheduled, now: list.now, repeated: list.repeated };
        self.handled += 1;
        if list.trouble != 0 {
            let name = E::NAMES.get(event.kind as usize).copied().unwrap_or("unknown");
            let at = Whereabouts { simulation: rules.number, module: event.to, time: event.time, event: name };
            let trouble = Trouble::numbered(list.trouble, at, (rules.terms.most, rules.terms.lookahead));
            self.stop = trouble.map(|trouble| (event.time, event.to, trouble));
        }
    }
}
