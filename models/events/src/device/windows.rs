//! Search for the earliest event of each simulation.

use crate::kernels::list::{Earliest, EarliestColumns as _, Terms};
use crate::kernels::search;
use imminent_core::{Condition, Device, ProgramBuilder, Result, Table};

/// Mean number of modules that each module would look through, above which the earliest events are reduced.
const MAX_SEARCHED_MODULES: u64 = 32;

/// Earliest event of each simulation. In a step of all modules, those of small simulations look through the modules of
/// their simulation, which takes no launch of its own. Otherwise the earliest events are reduced before the step.
#[derive(Debug)]
pub struct Windows {
    simulations: Table<Earliest>,
    /// End of the simulation if it is the only one, in ticks.
    end: Option<u64>,
    /// Segments of simulations whose rows are side by side.
    segments: Option<Segments>,
}

/// Rows of simulations that lie side by side.
#[derive(Debug)]
struct Segments {
    earliest: Table<u64>,
    /// First row of each simulation, and the number of rows.
    firsts: Table<u32>,
}

/// Returns `true` if the earliest events of simulations with these numbers of modules are always reduced.
pub(super) fn reduces(modules: impl Iterator<Item = u64>) -> bool {
    let (rows, looks) = modules.fold((0, 0), |(rows, looks), modules| (rows + modules, looks + modules * modules));
    looks > MAX_SEARCHED_MODULES * rows
}

impl Windows {
    /// Creates windows for simulations, given by their numbers of modules and their ends. If they are always reduced,
    /// the rows of a simulation are side by side.
    pub(super) fn new(device: &Device, all: &[(u32, u64)], reduces: bool) -> Result<Self> {
        let simulations = Table::zeroed(device, all.len())?;
        let end = if let [(_, end)] = all { Some(*end) } else { None };
        if !reduces {
            return Ok(Windows { simulations, end, segments: None });
        }
        let mut firsts = vec![0];
        for (modules, _) in all {
            firsts.push(firsts.last().copied().unwrap_or(0) + modules);
        }
        let segments =
            Segments { earliest: Table::zeroed(device, all.len())?, firsts: Table::from_rows(device, &firsts)? };
        Ok(Windows { simulations, end, segments: Some(segments) })
    }

    /// Returns `true` if each module looks through the modules of its simulation in a step of all modules.
    #[must_use]
    pub fn looks(&self) -> bool {
        self.segments.is_none()
    }

    /// Returns the earliest event of each simulation, if they have been reduced.
    #[must_use]
    pub fn of_simulations(&self) -> &Table<Earliest> {
        &self.simulations
    }

    /// Records the reduction of the earliest events that modules know.
    pub(super) fn record(
        &mut self,
        step: &mut ProgramBuilder,
        modules: &Table<Earliest>,
        terms: &Table<Terms>,
    ) -> Result<()> {
        let Windows { simulations, segments, .. } = self;
        match segments {
            _ if simulations.len() == 1 => step.min_into(modules.time(), simulations).map(drop),
            Some(Segments { earliest, firsts }) => {
                step.segmented_min(modules.time(), &*firsts, earliest)?;
                step.copy_column(&*earliest, simulations.time())
            }
            None => step.launch::<search::reduce>((simulations, terms, modules)).map(drop),
        }
    }

    /// Records the same reduction. The condition holds if no simulation has an event before its end.
    pub(super) fn record_with_end(
        &mut self,
        step: &mut ProgramBuilder,
        modules: &Table<Earliest>,
        terms: &Table<Terms>,
    ) -> Result<Condition> {
        if let Some(end) = self.end {
            return Ok(step.min_into(modules.time(), &mut self.simulations)?.at_least(end));
        }
        self.record(step, modules, terms)?;
        Ok(step.launch::<search::goes_on>((&self.simulations, terms))?.equals(false))
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
