//! Outcomes and states of simulations, read from their tables.

use super::layout::Layout;
use super::tables::Tables;
use crate::contract::Events;
use crate::error::Outcome;
use crate::kernels::list::{self, EventList, Standing};
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
    let standings = standings(&tables.lists)?;
    let simulations: Vec<usize> = simulations.filter(|simulation| *simulation < modules.len()).collect();
    // The last request for a simulation moves its rows out instead of copying them.
    let mut times = vec![0_u32; modules.len()];
    simulations.iter().for_each(|simulation| times[*simulation] += 1);
    let outcome = |simulation: usize| {
        let rows = || (0..modules[simulation]).map(|module| (module, layout.row(simulation, module)));
        times[simulation] -= 1;
        let first_trouble = rows()
            .filter(|&(_, row)| standings[row].trouble > 0)
            .min_by_key(|&(module, row)| (standings[row].now, module));
        let trouble = first_trouble.and_then(|(module, row)| {
            let event = E::NAMES.get(standings[row].happening as usize).copied().unwrap_or("none yet");
            let at = Whereabouts { simulation, module, time: standings[row].now, event };
            Trouble::numbered(standings[row].trouble, at)
        });
        let mut state = |row: usize| match times[simulation] {
            0 => std::mem::replace(&mut states[row], E::Module::zeroed(0)),
            _ => states[row].clone(),
        };
        match trouble {
            Some(trouble) => Err(trouble),
            None => Ok(End {
                modules: rows().map(|(_, row)| state(row)).collect(),
                handled: rows().map(|(_, row)| standings[row].handled).sum(),
                waiting: rows().map(|(_, row)| u64::from(standings[row].waiting)).sum(),
            }),
        }
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

/// Returns the standings of modules, by row.
fn standings(lists: &Table<EventList>) -> Result<Vec<Standing>> {
    let mut standings = Table::zeroed(lists.device(), lists.len())?;
    lists.device().queue().launch::<list::stand>((&mut standings, lists))?;
    standings.read()
}
