//! Steps of large simulations in two stages: modules with safe events, then modules with messages.
//!
//! In a step of a large simulation few modules have an event, and few others a message. In a stage all lanes that do
//! anything do the same. Between two steps no message is under way.

use super::tables::Tables;
use super::windows::Windows;
use crate::contract::Events;
use crate::kernels::list::{self, EarliestColumns as _, Plan};
use crate::kernels::search::{self, Due, DueColumns as _};
use imminent_core::{Condition, ProgramBuilder, Result, Selection, Table};

/// Modules that the stages of a step visit.
pub(super) enum Stages {
    /// All modules. The steps end when every simulation is at its end, so they must stop if one has failed.
    All,
    /// All modules, of simulations that lie in groups: each group makes at most this number of steps before one looks
    /// whether every simulation is at its end.
    InGroups(u64),
    /// Modules that have something to do, listed before each stage.
    Due {
        /// Search for the modules with safe events.
        search: Search,
        /// Modules with safe events.
        safe: Selection,
        /// Modules with messages.
        addressed: Selection,
    },
}

/// Search for the modules with safe events.
pub(super) enum Search {
    /// By the earliest events of modules alone: those of one simulation without links and errors have one limit. The
    /// steps must stop if a module has failed, since its event would be found again and again.
    ByTime {
        /// Place of that limit, for devices whose primitives compare columns only.
        limit: Table<u64>,
    },
    /// By a kernel, which leaves its result here.
    ByKernel(Table<Due>),
}

impl Stages {
    /// Creates the lists of modules. `failed`: a module has failed.
    pub(super) fn due<E: Events>(tables: &Tables<E>, failed: bool) -> Result<Self> {
        let (device, rows) = (tables.lists.device(), tables.lists.len());
        let search = match tables.terms.len() == 1 && !tables.links.exist() && !failed {
            true => Search::ByTime { limit: Table::zeroed(device, 1)? },
            false => Search::ByKernel(Table::zeroed(device, rows)?),
        };
        let list = || Selection::with_capacity(device, rows);
        Ok(Stages::Due { search, safe: list()?, addressed: list()? })
    }

    /// Records a step. Returns the conditions that end the steps: nothing is left to do, a module needs room, and a
    /// module has failed.
    pub(super) fn record<E: Events>(
        &mut self,
        step: &mut ProgramBuilder,
        tables: &mut Tables<E>,
        plan: &Plan,
        sends: bool,
    ) -> Result<Vec<Condition>> {
        let [needs_room, has_failed] = [list::NEEDS_ROOM, list::HAS_FAILED].map(|slot| tables.halts.at_least(slot, 1));
        match self {
            Stages::All => {
                let Tables { windows, earliest: [earliest, _], lists, owners, terms, .. } = tables;
                let is_done = windows.record_with_end(step, earliest, lists, owners, terms)?;
                record_both(step, tables, plan)?;
                Ok(vec![is_done, needs_room, has_failed])
            }
            Stages::InGroups(steps) => {
                let record = |step: &mut ProgramBuilder| {
                    let Tables { windows, earliest: [earliest, _], owners, terms, .. } = tables;
                    windows.record(step, earliest, owners, terms)?;
                    record_both(step, tables, plan)?;
                    Ok([list::NEEDS_ROOM, list::HAS_FAILED].map(|slot| tables.halts.at_least(slot, 1)).into())
                };
                // SAFETY: each simulation lies within a group, and its modules read and write the rows of one another
                // alone, and tallies that are conditions.
                unsafe { step.loop_in_groups(*steps, record) }?;
                let Tables { earliest: [earliest, _], lists, owners, terms, .. } = tables;
                Ok(vec![Windows::record_end(step, earliest, lists, owners, terms)?, needs_room, has_failed])
            }
            Stages::Due { search, safe, addressed } => {
                if sends {
                    let Tables { windows, earliest: [earliest, _], owners, terms, .. } = tables;
                    windows.record(step, earliest, owners, terms)?;
                    record_bounds(step, tables)?;
                }
                search.record(step, tables, safe)?;
                E::record_advance(step, tables, Some(safe), plan)?;
                if sends {
                    step.select_into(tables.mail.addressed()?, addressed)?;
                    E::record_receipt(step, tables, Some(addressed))?;
                }
                let mut conditions = vec![safe.count_scalar()?.equals(0), needs_room];
                conditions.extend(matches!(search, Search::ByTime { .. }).then_some(has_failed));
                Ok(conditions)
            }
        }
    }
}

impl Search {
    /// Records the search, which lists the modules that it finds.
    fn record<E: Events>(&mut self, step: &mut ProgramBuilder, tables: &Tables<E>, safe: &mut Selection) -> Result<()> {
        let Tables { earliest: [earliest, _], owners, lists, terms, windows, links, .. } = tables;
        let windows = windows.earliest();
        match self {
            Search::ByTime { limit } => {
                let limit = step.launch_into::<search::limit, _>((terms, windows), limit)?;
                step.select_into(earliest.time().below(&limit)?, safe)
            }
            Search::ByKernel(found) => {
                step.launch::<search::find_safe>((
                    &mut *found,
                    earliest,
                    owners,
                    lists,
                    terms,
                    windows,
                    links.bounds(),
                ))?;
                step.select_into(found.due(), safe)
            }
        }
    }
}

/// Records the two stages of all modules, for windows that are known.
fn record_both<E: Events>(step: &mut ProgramBuilder, tables: &mut Tables<E>, plan: &Plan) -> Result<()> {
    record_bounds(step, tables)?;
    E::record_advance(step, tables, None, plan)?;
    E::record_receipt(step, tables, None)
}

/// Records the bounds of modules whose links are declared.
fn record_bounds<E: Events>(step: &mut ProgramBuilder, tables: &mut Tables<E>) -> Result<()> {
    let Tables { links, earliest: [earliest, _], owners, terms, windows, .. } = tables;
    links.record(step, earliest, owners, terms, windows.earliest())
}
