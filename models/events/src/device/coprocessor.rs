//! Many simulations with event lists on the host, where the device only runs handlers (the paper's co-processor,
//! section IV).

use super::layout::Layout;
use super::links::Links;
use super::order::Order;
use super::tables::Tables;
use super::uploads::{even_table, table};
use super::windows::Windows;
use crate::contract::Events;
use crate::error::{EngineError, Outcome};
use crate::event_types::Scheduled;
use crate::horizons::Horizons;
use crate::host_rows::empty;
use crate::kernels::list::NEAR;
use crate::points::Points;
use crate::sequential::Entry;
use crate::simulation::{End, Start};
use crate::start_error::{MAX_SCHEDULED, StartError};
use crate::trouble::{Trouble, Whereabouts};
use imminent_common::threads::each;
use imminent_core::{Device, MailTable, Queue, Row, Table, TallyTable};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Simulations with event lists on the host and modules on the device. In each round, every module with a safe next
/// event gets it as a row of an upload. An event is safe if no unknown event can come before it. The handlers run in
/// parallel. The events that they schedule are downloaded and added to the lists.
///
/// The simulations are divided into parts. Each part has its own thread and queue: while one part is transferred, the
/// handlers of another run, and a third is on the host. Outcomes equal those of [`Engine`](crate::Engine) and
/// [`sequential`](crate::sequential()), to the bit. Determinism class: that of the handlers.
#[derive(Debug)]
pub struct Coprocessor<'s, E: Events> {
    parts: Vec<RoundGroup<'s, E>>,
}

impl<'s, E: Events> Coprocessor<'s, E> {
    /// Creates simulations before their first event, in `streams` parts. Handlers schedule at most `most` events each,
    /// at most [`MAX_SCHEDULED`].
    ///
    /// # Errors
    /// [`EngineError`].
    pub fn new(device: &Device, starts: &'s [Start<E>], most: u32, streams: usize) -> Result<Self, EngineError> {
        if most > MAX_SCHEDULED {
            return Err(StartError::TooManyPromised { most }.into());
        }
        for (simulation, start) in starts.iter().enumerate() {
            start.check(simulation)?;
        }
        let length = starts.len().div_ceil(streams.max(1)).max(1);
        let parts = (0..).step_by(length).zip(starts.chunks(length));
        let parts = parts.map(|(first, part)| RoundGroup::new(device, part, first, most.max(1)));
        Ok(Coprocessor { parts: parts.collect::<Result<_, _>>()? })
    }

    /// Sets whether the states of modules are transferred to the device and back in every round, as in the paper. The
    /// default is `false`. Outcomes do not depend on it.
    pub fn set_copying(&mut self, copies: bool) {
        self.parts.iter_mut().for_each(|part| part.copies = copies);
    }

    /// Runs all simulations to their ends. A simulation with [`Trouble`] stops there, and others continue.
    ///
    /// # Errors
    /// [`EngineError`].
    pub fn run(self) -> Result<Vec<Outcome<E>>, EngineError> {
        let outcomes = each(self.parts, RoundGroup::run).into_iter().collect::<Result<Vec<_>, EngineError>>()?;
        Ok(outcomes.into_iter().flatten().collect())
    }
}

/// Runs simulations as a [`Coprocessor`] with `streams` parts.
///
/// # Errors
/// [`EngineError`].
pub fn coprocess<E: Events>(
    device: &Device,
    starts: &[Start<E>],
    most: u32,
    streams: usize,
) -> Result<Vec<Outcome<E>>, EngineError> {
    Coprocessor::new(device, starts, most, streams)?.run()
}

/// Simulations that share their rounds.
#[derive(Debug)]
struct RoundGroup<'s, E: Events> {
    simulations: Vec<Simulation<'s, E>>,
    layout: Layout,
    queue: Queue,
    tables: Tables<E>,
    requests: Table<E::Request>,
    responses: Table<E::Response>,
    /// `true` if states are transferred to the device and back in every round.
    copies: bool,
}

/// Simulation on the host.
#[derive(Debug)]
struct Simulation<'s, E: Events> {
    start: &'s Start<E>,
    /// Number of the simulation in errors.
    number: usize,
    /// Largest number of events that a handler schedules.
    most: u32,
    /// Event list of each module.
    lists: Vec<BinaryHeap<Reverse<Entry<E>>>>,
    handled: u64,
    /// First trouble, in the order of time and module.
    trouble: Option<(u64, u32, Trouble)>,
}

impl<'s, E: Events> Simulation<'s, E> {
    fn new(start: &'s Start<E>, (number, most): (usize, u32), first: Vec<Scheduled<E>>) -> Self {
        let lists = start.modules.iter().map(|_| BinaryHeap::new()).collect();
        let mut simulation = Simulation { start, number, most, lists, handled: 0, trouble: None };
        first.into_iter().for_each(|event| simulation.expect(event));
        simulation
    }

    fn expect(&mut self, event: Scheduled<E>) {
        if let Some(list) = self.lists.get_mut(event.to as usize) {
            list.push(Reverse(Entry(event)));
        }
    }

    /// Removes the safe events from the lists: at most one per module, none of which an unknown event can precede.
    fn imminent(&mut self, mut each: impl FnMut(Scheduled<E>)) {
        let next = |list: &BinaryHeap<Reverse<Entry<E>>>| list.peek().map_or(u64::MAX, |Reverse(entry)| entry.0.time);
        let horizons = Horizons::new(&self.start.lookahead, self.lists.iter().map(next));
        for (module, list) in (0..).zip(&mut self.lists) {
            let time = next(list);
            let is_before_trouble = self.trouble.is_none_or(|(stop, at, _)| (time, module) < (stop, at));
            if time < horizons.of(module).min(self.start.end) && is_before_trouble {
                each_of(list.pop(), &mut each);
                self.handled += 1;
            }
        }
    }

    /// Adds the events of a response to the lists.
    fn take_in(&mut self, event: &Scheduled<E>, response: &E::Response) {
        E::scheduled(response, |scheduled| self.expect(scheduled));
        let Scheduled { time, to: module, kind, .. } = *event;
        let event = E::NAMES.get(kind as usize).copied().unwrap_or("unknown");
        let at = Whereabouts { simulation: self.number, module, time, event };
        let limits = (self.most, self.start.lookahead.least());
        if let Some(trouble) = Trouble::numbered(E::trouble_of(response), at, limits) {
            let earlier = self.trouble.filter(|(stop, at, _)| (*stop, *at) < (time, module));
            self.trouble = earlier.or(Some((time, module, trouble)));
        }
    }
}

fn each_of<E: Events>(popped: Option<Reverse<Entry<E>>>, each: &mut impl FnMut(Scheduled<E>)) {
    if let Some(Reverse(Entry(event))) = popped {
        each(event);
    }
}

impl<'s, E: Events> RoundGroup<'s, E> {
    fn new(device: &Device, starts: &'s [Start<E>], first: usize, most: u32) -> Result<Self, EngineError> {
        let layout = Layout::of(starts, Order::Interleaved)?;
        let mut points = Points::<E>::new();
        let mut modules = vec![E::Module::zeroed(0); layout.rows];
        let mut lists: Vec<_> = (0..layout.rows).map(|_| empty(0, 0, 0, most)).collect();
        let (mut simulations, mut terms) = (Vec::with_capacity(starts.len()), Vec::with_capacity(starts.len()));
        for (simulation, start) in starts.iter().enumerate() {
            let (events, numbers) = start.agenda();
            let point = points.add(&start.point).0;
            terms.push(layout.terms(simulation, point, start, most));
            simulations.push(Simulation::new(start, (first + simulation, most), events));
            for ((module, state), number) in (0..).zip(&start.modules).zip(numbers) {
                let row = layout.row(simulation, module);
                modules[row] = state.clone();
                lists[row] = empty(simulation as u32, module, number, most);
            }
        }
        let lookaheads: Vec<_> = starts.iter().map(|start| (start.bounds().modules, start.lookahead.clone())).collect();
        let sends = starts.iter().any(|start| start.lookahead.least() > 0);
        let post = |rows| Table::with_capacity(device, rows, if sends { most } else { 1 });
        let earliest = |rows| Table::zeroed(device, rows);
        Ok(RoundGroup {
            simulations,
            queue: device.new_queue()?,
            tables: Tables {
                prepared: None,
                guesses: None,
                payloads: Table::with_capacity(device, layout.rows, most.max(NEAR))?,
                posts: [post(layout.rows)?, post(0)?],
                earliest: [earliest(layout.rows)?, earliest(0)?],
                mail: MailTable::new(device, 0, 0)?,
                windows: Windows::new(device, &[], (layout.order, 0))?,
                links: Links::new(device, layout.links(&lookaheads))?,
                halts: TallyTable::new(device, &[0; 2])?,
                owners: Table::zeroed(device, 0)?,
                terms: Table::from_rows(device, &terms)?,
                modules: table(device, modules)?,
                lists: even_table(device, lists)?,
                points: table(device, points.rows())?,
            },
            requests: Table::zeroed(device, layout.rows)?,
            responses: Table::with_capacity(device, layout.rows, most)?,
            layout,
            copies: false,
        })
    }

    fn run(mut self) -> Result<Vec<Outcome<E>>, EngineError> {
        let (mut events, mut responses) = (Vec::new(), Vec::new());
        let mut requests = vec![E::request(None); self.layout.rows];
        let mut states = if self.copies { self.tables.modules.read()? } else { Vec::new() };
        loop {
            for (simulation, state) in self.simulations.iter_mut().enumerate() {
                state.imminent(|event| {
                    let row = self.layout.row(simulation, event.to);
                    requests[row] = E::request(Some(&event));
                    events.push((simulation, row, event));
                });
            }
            if events.is_empty() {
                return self.outcomes();
            }
            if self.copies {
                self.tables.modules.write(&states)?;
            }
            self.requests.write(&requests)?;
            E::execute(&self.queue, &mut self.tables, &self.requests, &mut self.responses)?;
            if self.copies {
                self.tables.modules.read_into(&mut states)?;
            }
            self.responses.read_into(&mut responses)?;
            for (simulation, row, event) in events.drain(..) {
                self.simulations[simulation].take_in(&event, &responses[row]);
                requests[row] = E::request(None);
            }
        }
    }

    fn outcomes(self) -> Result<Vec<Outcome<E>>, EngineError> {
        let states = self.tables.modules.read()?;
        let outcome = |(simulation, state): (usize, &Simulation<'_, E>)| match state.trouble {
            Some((_, _, trouble)) => Err(trouble),
            None => Ok(End {
                modules: (0..state.lists.len() as u32)
                    .map(|module| states[self.layout.row(simulation, module)].clone())
                    .collect(),
                handled: state.handled,
                waiting: state.lists.iter().map(|list| list.len() as u64).sum(),
            }),
        };
        Ok(self.simulations.iter().enumerate().map(outcome).collect())
    }
}
