//! Modules of one simulation on the host.

use super::contract::{Events, Place, Scheduled};
use super::simulation::Start;
use super::trouble::{Trouble, Whereabouts};

/// Simulation on the host. Its owner chooses the order of events.
pub(super) struct Alone<'s, E: Events> {
    point: &'s E::Point,
    /// Number of the simulation in errors.
    simulation: usize,
    pub(super) modules: Vec<E::Module>,
    agendas: Vec<E::Agenda>,
    post: E::Post,
}

impl<'s, E: Events> Alone<'s, E> {
    /// Creates a checked simulation, and returns it with its first events.
    pub(super) fn new(start: &'s Start<E>, most: u32, simulation: usize) -> (Self, Vec<Scheduled<E>>) {
        let Start { point, modules, lookahead, end, .. } = start;
        let (most, count) = (most.max(1), modules.len() as u32);
        let (first, numbers) = start.agenda();
        let agenda = |(module, number)| {
            let (lookahead, end) = (*lookahead, *end);
            let place =
                Place { simulation: 0, module, modules: count, window: 0, first: 0, stride: 1, lookahead, most, end };
            let mut agenda = E::agenda(&place, most);
            E::number_from(&mut agenda, number);
            agenda
        };
        let agendas: Vec<_> = (0..).zip(numbers).map(agenda).collect();
        let post = E::post(&agendas[0], most);
        (Alone { point, simulation, modules: modules.clone(), agendas, post }, first)
    }

    /// Executes an event, and passes the events that its handler schedules to `scheduled`.
    pub(super) fn happen(&mut self, event: &Scheduled<E>, scheduled: impl FnMut(Scheduled<E>)) -> Result<(), Trouble> {
        let module = event.to as usize;
        let (me, agenda) = (&mut self.modules[module], &mut self.agendas[module]);
        E::happen(event, me, self.point, agenda, &mut self.post, scheduled);
        let at = Whereabouts {
            simulation: self.simulation,
            module: event.to,
            time: event.time,
            event: E::NAMES.get(event.kind as usize).copied().unwrap_or("unknown"),
        };
        Trouble::numbered(E::trouble(agenda), at).map_or(Ok(()), Err)
    }
}
