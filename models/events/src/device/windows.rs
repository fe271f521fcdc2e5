//! Search for the earliest event of each simulation.

use super::order::Order;
use crate::kernels::list::{Earliest, EarliestColumns as _, EventList, Owner, Terms};
use crate::kernels::search;
use imminent_core::{Condition, Device, ProgramBuilder, Result, Table};

/// Mean number of modules that each module would look through, above which the earliest events are reduced.
const MAX_SEARCHED_MODULES: u64 = 32;

/// Earliest event of each simulation. In a step of all modules, those of small simulations look through the modules of
/// their simulation, which takes no launch of its own. Otherwise the earliest events are reduced before the step.
#[derive(Debug)]
pub struct Windows {
    /// A row for each simulation; of simulations in groups a row for each module, of which the first one's counts.
    earliest: Table<Earliest>,
    /// End of the simulation if it is the only one, in ticks.
    end: Option<u64>,
    search: Search,
}

/// Search for the earliest events.
#[derive(Debug)]
enum Search {
    /// Of simulations whose rows are side by side: a reduction by segments.
    Reduction(Segments),
    /// Of small simulations: each is looked through.
    EachSimulation,
    /// Of small simulations in groups: their first modules look through them.
    InGroups,
}

/// Rows of simulations that lie side by side.
#[derive(Debug)]
struct Segments {
    times: Table<u64>,
    /// First row of each simulation, and the number of rows.
    firsts: Table<u32>,
}

/// Returns `true` if the earliest events of simulations with these numbers of modules are always reduced.
pub(super) fn reduces(modules: impl Iterator<Item = u64>) -> bool {
    let (rows, looks) = modules.fold((0, 0), |(rows, looks), modules| (rows + modules, looks + modules * modules));
    looks > MAX_SEARCHED_MODULES * rows
}

impl Windows {
    /// Creates windows for simulations, given by their numbers of modules and their ends, and by the order and number
    /// of all rows.
    pub(super) fn new(device: &Device, all: &[(u32, u64)], (order, rows): (Order, usize)) -> Result<Self> {
        let (search, rows) = match order {
            Order::InSequence => (Search::Reduction(Segments::new(device, all)?), all.len()),
            Order::Interleaved => (Search::EachSimulation, all.len()),
            Order::InGroups { .. } => (Search::InGroups, rows),
        };
        let end = if let ([(_, end)], false) = (all, order.is_in_groups()) { Some(*end) } else { None };
        Ok(Windows { earliest: Table::zeroed(device, rows)?, end, search })
    }

    /// Returns `true` if each module looks through the modules of its simulation in a step of all modules.
    #[must_use]
    pub fn looks(&self) -> bool {
        !matches!(self.search, Search::Reduction(_))
    }

    /// Returns `true` if each simulation lies within a group of rows.
    pub(super) fn are_in_groups(&self) -> bool {
        matches!(self.search, Search::InGroups)
    }

    /// Returns the earliest event of each simulation, at the row that its [`Terms`] name, if they have been reduced.
    #[must_use]
    pub fn earliest(&self) -> &Table<Earliest> {
        &self.earliest
    }

    /// Records the reduction of the earliest events that modules know.
    pub(super) fn record(
        &mut self,
        step: &mut ProgramBuilder,
        modules: &Table<Earliest>,
        owners: &Table<Owner>,
        terms: &Table<Terms>,
    ) -> Result<()> {
        let Windows { earliest, search, .. } = self;
        match search {
            _ if earliest.len() == 1 => step.min_into(modules.time(), earliest).map(drop),
            Search::Reduction(Segments { times, firsts }) => {
                step.segmented_min(modules.time(), &*firsts, times)?;
                step.copy_column(&*times, earliest.time())
            }
            Search::EachSimulation => step.launch::<search::reduce>((earliest, terms, modules)).map(drop),
            Search::InGroups => step.launch::<search::reduce_apart>((earliest, modules, owners, terms)).map(drop),
        }
    }

    /// Records the same reduction. The condition holds if no simulation has an event before its end.
    pub(super) fn record_with_end(
        &mut self,
        step: &mut ProgramBuilder,
        modules: &Table<Earliest>,
        lists: &Table<EventList>,
        owners: &Table<Owner>,
        terms: &Table<Terms>,
    ) -> Result<Condition> {
        if let Some(end) = self.end {
            return Ok(step.min_into(modules.time(), &mut self.earliest)?.at_least(end));
        }
        self.record(step, modules, owners, terms)?;
        match self.search {
            Search::InGroups => Self::record_end(step, modules, lists, owners, terms),
            _ => Ok(step.launch::<search::goes_on>((&self.earliest, terms))?.equals(false)),
        }
    }

    /// Records a look at all modules. The condition holds if none has an event before the end of its simulation, or
    /// needs room.
    pub(super) fn record_end(
        step: &mut ProgramBuilder,
        modules: &Table<Earliest>,
        lists: &Table<EventList>,
        owners: &Table<Owner>,
        terms: &Table<Terms>,
    ) -> Result<Condition> {
        Ok(step.launch::<search::is_pending>((modules, lists, owners, terms))?.equals(false))
    }
}

impl Segments {
    fn new(device: &Device, all: &[(u32, u64)]) -> Result<Self> {
        let mut firsts = vec![0];
        for (modules, _) in all {
            firsts.push(firsts.last().copied().unwrap_or(0) + modules);
        }
        Ok(Segments { times: Table::zeroed(device, all.len())?, firsts: Table::from_rows(device, &firsts)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_many_modules_are_reduced() {
        let of = |modules: &[u64]| reduces(modules.iter().copied());
        assert!(!of(&[]) && !of(&[32; 1000]));
        assert!(of(&[33]) && of(&[2, 1_000_000]));
    }
}
