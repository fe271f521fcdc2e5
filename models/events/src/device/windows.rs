//! Search for the earliest event of each simulation.

use crate::kernels::list::{Earliest, EarliestColumns as _};
use imminent_core::{Device, ProgramBuilder, Result, Table};

/// Mean number of modules that each module would look through, above which the earliest events are reduced.
const MANY: u64 = 32;

/// Earliest event of each simulation. In simulations of few modules each module looks through those of all modules,
/// which takes no launch of its own. Those of larger simulations are reduced before the step.
#[derive(Debug)]
pub struct Windows {
    simulations: Table<Earliest>,
    reduced: Option<Reduced>,
}

/// Rows of simulations that lie side by side.
#[derive(Debug)]
struct Reduced {
    earliest: Table<u64>,
    /// First row of each simulation, and the number of rows.
    firsts: Table<u32>,
}

/// Returns `true` if the earliest events of simulations with these numbers of modules are reduced.
pub(super) fn reduces(modules: impl Iterator<Item = u64>) -> bool {
    let (rows, looks) = modules.fold((0, 0), |(rows, looks), modules| (rows + modules, looks + modules * modules));
    looks > MANY * rows
}

impl Windows {
    /// Creates windows for simulations with these numbers of modules. If they are reduced, the rows of a simulation are
    /// side by side.
    pub(super) fn new(device: &Device, modules: &[u32], reduces: bool) -> Result<Self> {
        if !reduces {
            return Ok(Windows { simulations: Table::zeroed(device, 0)?, reduced: None });
        }
        let mut firsts = vec![0];
        for count in modules {
            firsts.push(firsts.last().copied().unwrap_or(0) + count);
        }
        let reduced =
            Reduced { earliest: Table::zeroed(device, modules.len())?, firsts: Table::from_rows(device, &firsts)? };
        Ok(Windows { simulations: Table::zeroed(device, modules.len())?, reduced: Some(reduced) })
    }

    /// Returns `true` if each module looks through the modules of its simulation.
    #[must_use]
    pub fn looks(&self) -> bool {
        self.reduced.is_none()
    }

    /// Returns the earliest event of each simulation, if they are reduced.
    #[must_use]
    pub fn of_simulations(&self) -> &Table<Earliest> {
        &self.simulations
    }

    /// Records the reduction of the earliest events that modules know.
    pub(super) fn record(&mut self, step: &mut ProgramBuilder, modules: &Table<Earliest>) -> Result<()> {
        let Windows { simulations, reduced: Some(Reduced { earliest, firsts }) } = self else { return Ok(()) };
        if simulations.len() == 1 {
            return step.min_into(modules.time(), simulations).map(drop);
        }
        step.segmented_min(modules.time(), &*firsts, earliest)?;
        step.copy_column(&*earliest, simulations.time())
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
