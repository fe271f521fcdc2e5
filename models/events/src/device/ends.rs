//! Outcomes and states of simulations, read from their tables.

use super::layout::Layout;
use super::tables::Tables;
use crate::contract::Events;
use crate::error::Outcome;
use crate::kernels::list::{self, EventList, Standing, StandingColumns as _, Terms};
use crate::simulation::{Bounds, End};
use crate::state::{Rows, State};
use crate::trouble::{Trouble, Whereabouts};
use imminent_core::{Result, Row, Table};

/// Returns the outcomes of the given simulations, in that order; one that is not over has its current state.
/// Unknown numbers are skipped.
///
/// # Errors
/// Errors of the device.
pub(super) fn outcomes<E: Events>(
    tables: &Tables<E>,
    layout: &Layout,
    modules: &[u32],
    simulations: &mut dyn Iterator<Item = usize>,
) -> Result<Vec<Outcome<E>>> {
    let mut states = tables.modules.read()?;
    let standings = Standings::read(&tables.lists, &tables.terms)?;
    let simulations: Vec<usize> = simulations.filter(|simulation| *simulation < modules.len()).collect();
    // The last request for a simulation moves its rows out instead of copying them.
    let mut times = vec![0_u32; modules.len()];
    simulations.iter().for_each(|simulation| times[*simulation] += 1);
    let outcome = |simulation: usize| {
        let rows = || (0..modules[simulation]).map(|module| layout.row(simulation, module));
        times[simulation] -= 1;
        if let Some(trouble) = standings.first_trouble::<E>(simulation, rows()) {
            return Err(trouble);
        }
        let is_last = times[simulation] == 0;
        let state = |row: usize| match is_last {
            true => std::mem::replace(&mut states[row], E::Module::zeroed(0)),
            false => states[row].clone(),
        };
        Ok(End {
            // One simulation alone has all rows, in the order of its modules.
            modules: if is_last && modules.len() == 1 {
                std::mem::take(&mut states)
            } else {
                rows().map(state).collect()
            },
            handled: rows().map(|row| standings.handled[row]).sum(),
            waiting: rows().map(|row| u64::from(standings.waiting[row])).sum(),
        })
    };
    Ok(simulations.into_iter().map(outcome).collect())
}

/// Returns the states of simulations, given by their numbers and their numbers of modules, in that order; `None` for a
/// simulation with trouble. No event may be on its way, and no list may wait for room.
pub(super) fn states<E: Events>(
    tables: &Tables<E>,
    layout: &Layout,
    simulations: impl Iterator<Item = (usize, u32)>,
) -> Result<Vec<Option<State<E>>>> {
    let Tables { modules, lists, payloads, terms, .. } = tables;
    let (modules, lists, payloads, terms) = (modules.read()?, lists.read()?, payloads.read()?, terms.read()?);
    let state = |(simulation, count): (usize, u32)| {
        let rows = || (0..count).map(|module| layout.row(simulation, module));
        let terms = terms.get(simulation)?;
        if rows().any(|row| lists[row].trouble > 0) {
            return None;
        }
        let bounds = Bounds { modules: count, lookahead: terms.lookahead, end: terms.end };
        let rows = Rows {
            modules: rows().map(|row| modules[row].clone()).collect(),
            lists: rows().map(|row| lists[row].clone()).collect(),
            payloads: rows().map(|row| payloads[row].clone()).collect(),
        };
        Some(State::new(bounds, terms.most, rows))
    };
    Ok(simulations.map(state).collect())
}

/// Standings of modules, by row.
struct Standings {
    handled: Vec<u64>,
    waiting: Vec<u32>,
    trouble: Vec<u32>,
    /// Time and kind of the last event; empty if no module has trouble.
    last: Vec<(u64, u32)>,
    /// Terms of each simulation; empty if no module has trouble.
    terms: Vec<Terms>,
}

impl Standings {
    fn read(lists: &Table<EventList>, terms: &Table<Terms>) -> Result<Self> {
        let mut standings = Table::<Standing>::zeroed(lists.device(), lists.len())?;
        lists.device().queue().launch::<list::stand>((&mut standings, lists))?;
        let (handled, waiting) = (standings.handled().read()?, standings.waiting().read()?);
        let (trouble, mut last, mut of_all) = (standings.trouble().read()?, Vec::new(), Vec::new());
        if trouble.iter().any(|trouble| *trouble > 0) {
            last = standings.now().read()?.into_iter().zip(standings.happening().read()?).collect();
            of_all = terms.read()?;
        }
        Ok(Standings { handled, waiting, trouble, last, terms: of_all })
    }

    /// Returns the first error in time, and by module, of a simulation that has these rows.
    fn first_trouble<E: Events>(&self, simulation: usize, rows: impl Iterator<Item = usize>) -> Option<Trouble> {
        if self.last.is_empty() {
            return None;
        }
        let troubled = (0..).zip(rows).filter(|&(_, row)| self.trouble[row] > 0);
        let (module, row) = troubled.min_by_key(|&(module, row)| (self.last[row].0, module))?;
        let (time, kind) = self.last[row];
        let event = E::NAMES.get(kind as usize).copied().unwrap_or("none yet");
        let terms = self.terms.get(simulation)?;
        let at = Whereabouts { simulation, module, time, event };
        Trouble::numbered(self.trouble[row], at, (terms.most, terms.lookahead))
    }
}
