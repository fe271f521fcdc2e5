//! Modules of one simulation on the host.

use super::contract::Events;
use super::event_types::Scheduled;
use super::host_rows::HostRows;
use super::kernels::list::Terms;
use super::lookahead::Lookahead;
use super::simulation::Start;
use super::trouble::{Trouble, Whereabouts};

/// Simulation on the host. Its owner chooses the order of events.
pub(super) struct Alone<'s, E: Events> {
    point: &'s E::Point,
    lookahead: &'s Lookahead,
    terms: Terms,
    /// Number of the simulation in errors.
    simulation: usize,
    pub(super) modules: Vec<E::Module>,
    rows: Vec<HostRows<E>>,
}

impl<'s, E: Events> Alone<'s, E> {
    /// Creates a checked simulation, and returns it with its first events.
    pub(super) fn new(start: &'s Start<E>, most: u32, simulation: usize) -> (Self, Vec<Scheduled<E>>) {
        let Start { point, modules, lookahead, end, .. } = start;
        let most = most.max(1);
        let (first, numbers) = start.agenda();
        let rows = (0..).zip(numbers).map(|(module, number)| HostRows::new(0, module, number, most)).collect();
        let modules = modules.clone();
        let terms = Terms {
            point: 0,
            modules: modules.len() as u32,
            first: 0,
            stride: 1,
            window: 0,
            most,
            lookahead: lookahead.least(),
            has_links: lookahead.has_links(),
            end: *end,
        };
        (Alone { point, lookahead, terms, simulation, modules, rows }, first)
    }

    /// Executes an event, and passes the events that its handler schedules to `scheduled`.
    pub(super) fn happen(&mut self, event: &Scheduled<E>, scheduled: impl FnMut(Scheduled<E>)) -> Result<(), Trouble> {
        let module = event.to as usize;
        let (me, host_rows) = (&mut self.modules[module], &mut self.rows[module]);
        E::happen(event, me, self.point, host_rows, self.lookahead.links_of(event.to), &self.terms, scheduled);
        let at = Whereabouts {
            simulation: self.simulation,
            module: event.to,
            time: event.time,
            event: E::NAMES.get(event.kind as usize).copied().unwrap_or("unknown"),
        };
        Trouble::numbered(host_rows.list.trouble, at, (self.terms.most, self.terms.lookahead)).map_or(Ok(()), Err)
    }
}
