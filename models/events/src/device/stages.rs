//! Steps of large simulations in two stages: modules with safe events, then modules with messages.
//!
//! In a step of a large simulation few modules have an event, and few others a message. In a stage all lanes that do
//! anything do the same. Between two steps no message is under way.

use super::tables::Tables;
use crate::contract::Events;
use crate::kernels::list::{self, Plan};
use crate::kernels::search::{self, Due, DueColumns as _};
use imminent_core::{Condition, Device, ProgramBuilder, Result, Selection, Table};

/// Modules that the stages of a step visit.
pub(super) enum Stages {
    /// All modules. The steps end when every simulation is at its end, so they must stop if one has failed.
    All,
    /// Modules that have something to do, listed before each stage.
    Due {
        /// Result of the search for these modules.
        found: Table<Due>,
        /// Modules with safe events.
        safe: Selection,
        /// Modules with messages.
        addressed: Selection,
    },
}

impl Stages {
    pub(super) fn due(device: &Device, rows: usize) -> Result<Self> {
        let list = || Selection::with_capacity(device, rows);
        Ok(Stages::Due { found: Table::zeroed(device, rows)?, safe: list()?, addressed: list()? })
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
        let needs_room = tables.halts.at_least(list::NEEDS_ROOM, 1);
        match self {
            Stages::All => {
                let is_done = tables.windows.record_with_end(step, &tables.earliest[0], &tables.terms)?;
                record_bounds(step, tables)?;
                E::record_advance(step, tables, None, plan)?;
                E::record_receipt(step, tables, None)?;
                Ok(vec![is_done, needs_room, tables.halts.at_least(list::HAS_FAILED, 1)])
            }
            Stages::Due { found, safe, addressed } => {
                if sends {
                    tables.windows.record(step, &tables.earliest[0], &tables.terms)?;
                    record_bounds(step, tables)?;
                }
                let (earliest, windows) = (&tables.earliest[0], tables.windows.of_simulations());
                let args = (
                    &mut *found,
                    earliest,
                    &tables.owners,
                    &tables.lists,
                    &tables.terms,
                    windows,
                    tables.links.bounds(),
                );
                step.launch::<search::find_safe>(args)?;
                step.select_into(found.due(), safe)?;
                E::record_advance(step, tables, Some(safe), plan)?;
                if sends {
                    step.launch::<search::find_addressed>((&mut *found, tables.mail.undelivered()))?;
                    step.select_into(found.due(), addressed)?;
                    E::record_receipt(step, tables, Some(addressed))?;
                }
                Ok(vec![safe.count_scalar()?.equals(0), needs_room])
            }
        }
    }
}

/// Records the bounds of modules whose links are declared.
fn record_bounds<E: Events>(step: &mut ProgramBuilder, tables: &mut Tables<E>) -> Result<()> {
    let Tables { links, earliest: [earliest, _], owners, terms, windows, .. } = tables;
    links.record(step, earliest, owners, terms, windows.of_simulations())
}
