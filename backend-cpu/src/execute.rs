//! Execution of programs.

use crate::launch::launch;
use crate::memory::cpu_buffer;
use crate::primitives::{self, Workers};
use crate::team::Team;
use imminent_core::backend::{Buffer, Commands, Launch, Primitive, Test};
use imminent_core::clock::Instant;
use imminent_core::{Error, Result};
use std::time::Duration;

/// Default interval between progress reports of a running program.
pub(crate) const PROGRESS_EVERY: Duration = Duration::from_millis(20);

/// The commands of a program being replayed.
pub(crate) struct Execution<'p> {
    team: &'p Team,
    /// Time of the last report.
    reported: Instant,
    /// Interval between progress reports.
    every: Duration,
}

impl<'p> Execution<'p> {
    pub(crate) fn new(team: &'p Team, every: Duration) -> Self {
        Execution { team, reported: Instant::now(), every }
    }
}

impl Commands for Execution<'_> {
    fn launch(&mut self, one: &Launch) -> Result<()> {
        launch(self.team, one)
    }

    fn primitive(&mut self, one: &Primitive) -> Result<()> {
        primitives::run(Workers::new(self.team), one)
    }

    fn copy(&mut self, from: &Buffer, to: &Buffer) -> Result<()> {
        copy(from, to)
    }

    fn clear(&mut self, buffer: &Buffer) -> Result<()> {
        cpu_buffer(buffer)?.clear();
        Ok(())
    }

    fn tested(&mut self, test: &Test) -> Result<u64> {
        Ok(cpu_buffer(&test.buffer)?.leaf(test.row, None, test.word))
    }

    fn is_due(&mut self) -> bool {
        let is_due = self.reported.elapsed() >= self.every;
        if is_due {
            self.reported = Instant::now();
        }
        is_due
    }
}

pub(crate) fn copy(from: &Buffer, to: &Buffer) -> Result<()> {
    if from.is(to) {
        return Ok(());
    }
    let (from, to) = (cpu_buffer(from)?, cpu_buffer(to)?);
    if to.table_mut()?.copy_from(from.table()?.as_ref()) {
        Ok(())
    } else {
        Err(Error::invalid("copy", "the two tables have different rows or lengths"))
    }
}
