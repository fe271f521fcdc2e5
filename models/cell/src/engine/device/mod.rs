//! The engines on a device: two schedules of the paper's advance, and the choice between them.

mod batches;
mod common;
mod group;
mod launches;
mod layout;
mod levels;
mod tiles;

use super::{CellKernels, Ended, Failure, Task};
use crate::outcome::{Cancelled, Engine};
use crate::runner::{Phase, Runner};
use batches::Batches;
use imminent_core::{Device, Error, Program, Stop};
use launches::{TURNS, Tables};
pub(crate) use levels::levels;

/// Most cells of a space whose rounds are batches from the start.
const MAX_CELLS_TO_BEGIN_BATCHES: usize = 1024;

/// Most cells of a space whose rounds stay batches: two for each lane.
const MAX_CELLS_TO_STAY_BATCHES: usize = 512;

/// Pairs of launches after which the activity is looked at for the first time.
const PAIRS: u64 = 128;

/// Growth of that number with each return from batches, so that a dense model is seldom asked.
const PATIENCE: u64 = 4;

/// Launches of batches after which the activity is looked at: some milliseconds.
const BATCHES: u64 = 1;

/// Most blocks of 256 cells that are looked at in a round, on average, for rounds to become batches.
const MAX_BLOCKS_TO_BECOME_BATCHES: u64 = 24;

/// Most turns of emitting in a round, on average, for rounds to stay batches.
const MAX_TURNS_TO_STAY_BATCHES: u64 = 3;

/// A schedule of rounds of outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Schedule {
    /// One launch over all blocks of cells for each round.
    Launches,
    /// Many rounds in a launch, by one group.
    Batches,
}

/// A run on a device.
struct Run<'a, M: CellKernels> {
    device: &'a Device,
    task: &'a Task<'a, M>,
    tables: Tables<'a, M>,
    batches: Option<Batches<M>>,
    schedule: Schedule,
    /// `true` if the schedule follows the activity.
    free: bool,
    /// Rounds by launches, and rounds in batches.
    rounds: [u64; 2],
    /// Pairs of launches after which the activity is looked at.
    pairs: u64,
}

impl<M: CellKernels> Run<'_, M> {
    /// Records a program of the schedule. It ends at intervals if the schedule follows the activity.
    fn program(&mut self) -> Result<Program, Failure> {
        let looks = |steps| if self.free { steps } else { u64::MAX };
        match (self.schedule, &mut self.batches) {
            (Schedule::Batches, Some(batches)) => batches.program(self.device, &self.tables, looks(BATCHES)),
            _ => self.tables.program(self.device, looks(self.pairs)),
        }
    }

    /// Makes the tables of batches. Without room for them a schedule that is free stays with launches.
    fn prepare(&mut self) -> Result<(), Failure> {
        match Batches::new(self.device, self.task, &mut self.tables) {
            Ok(mut batches) => {
                batches.compile(self.device, &self.tables)?;
                self.batches = Some(batches);
            }
            Err(Failure::Device(Error::OutOfMemory { .. } | Error::Limit { .. })) if self.free => self.batches = None,
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Lets batches take over. `false` if there are none.
    fn enter(&mut self) -> Result<bool, Failure> {
        let Some(batches) = &mut self.batches else { return Ok(false) };
        batches.enter(&self.tables)?;
        self.schedule = Schedule::Batches;
        Ok(true)
    }

    fn leave(&mut self) -> Result<(), Failure> {
        if let Some(batches) = &mut self.batches {
            self.rounds[1] += batches.work()?.0;
            batches.leave(&mut self.tables)?;
        }
        self.schedule = Schedule::Launches;
        Ok(())
    }

    /// Makes room in queues. Returns `false` if one has too many outputs.
    fn grow(&mut self) -> Result<bool, Failure> {
        let batches = self.schedule == Schedule::Batches;
        if batches {
            self.leave()?;
        }
        if !self.tables.grow()? {
            return Ok(false);
        }
        if self.batches.take().is_some() {
            self.prepare()?;
        }
        if batches {
            self.enter()?;
        }
        Ok(true)
    }

    /// Changes the schedule if the activity asks for the other one. `steps` were done since the last look.
    fn look(&mut self, steps: u64, activity: &mut [u64; 2]) -> Result<bool, Failure> {
        match (self.schedule, &self.batches) {
            (Schedule::Batches, Some(batches)) => {
                let (rounds, turns) = batches.work()?;
                let dense = turns - activity[1] > MAX_TURNS_TO_STAY_BATCHES * (rounds - activity[0]);
                *activity = [rounds, turns];
                if dense {
                    self.leave()?;
                    self.pairs = self.pairs.saturating_mul(PATIENCE);
                }
                Ok(dense)
            }
            _ => {
                let active = self.tables.common.active()?;
                let sparse = active - activity[1] <= MAX_BLOCKS_TO_BECOME_BATCHES * TURNS * steps;
                *activity = [0, active];
                Ok(sparse && self.enter()?)
            }
        }
    }

    /// Runs to the end. Returns `false` if a queue has too many outputs.
    fn go(&mut self, runner: &mut Runner<'_>, program: Program) -> Result<bool, Failure> {
        let mut program = program;
        let mut activity = [0; 2];
        // Rounds before the present stay in a schedule.
        let mut steps = 0;
        loop {
            let (schedule, before) = (self.schedule, self.rounds[0] + self.rounds[1]);
            let each = match (schedule, &self.batches) {
                (Schedule::Batches, Some(batches)) => batches.rounds(),
                _ => TURNS,
            };
            let outcome = program.run_with(|now| runner.look(before + each * (steps + now.steps)))?;
            if let (Schedule::Batches, Some(batches)) = (schedule, &self.batches) {
                batches.check()?;
                steps += outcome.steps;
            } else {
                self.rounds[0] += TURNS * outcome.steps;
            }
            let changed = match outcome.stop {
                Stop::Condition(0) => return Ok(true),
                Stop::Cancelled => return Err(Cancelled { steps: before + each * (steps + outcome.steps) }.into()),
                Stop::Condition(_) if !self.grow()? => return Ok(false),
                Stop::Condition(_) => true,
                Stop::StepLimit | Stop::End => self.look(outcome.steps, &mut activity)?,
            };
            if changed {
                // Batches count anew whenever they take over, launches whenever they do so from batches.
                if [schedule, self.schedule].contains(&Schedule::Batches) {
                    activity = [0; 2];
                }
                steps = 0;
                program = self.program()?;
            }
        }
    }
}

/// Runs a model on a device. Returns its end, the number of rounds, and the engine: [`Engine::Window`] if most rounds
/// were in batches, [`Engine::Step`] otherwise. Returns `None` if a cell has more than
/// [`MAX_PENDING`](crate::sequential::MAX_PENDING) outputs.
///
/// `engine` forces the schedule: launches by [`Engine::Step`], batches by [`Engine::Window`]. Otherwise it follows the
/// activity.
pub(crate) fn by_rounds<M: CellKernels>(
    device: &Device,
    task: &Task<'_, M>,
    engine: Engine,
    runner: &mut Runner<'_>,
) -> Result<Option<Ended<M::Value>>, Failure> {
    if let Some(class) = task.setting.class {
        device.require(class)?;
    }
    let tables = Tables::new(device, task)?;
    // A group's rounds take more loops than a device does that cuts them.
    let chooses = engine != Engine::Window && engine != Engine::Step && device.capabilities().long_loops;
    let small = task.setting.space.cells() <= MAX_CELLS_TO_BEGIN_BATCHES;
    let mut run = Run {
        device,
        task,
        tables,
        batches: None,
        schedule: Schedule::Launches,
        free: chooses && task.setting.space.cells() > MAX_CELLS_TO_STAY_BATCHES,
        rounds: [0; 2],
        pairs: PAIRS,
    };
    if engine == Engine::Window || chooses {
        run.prepare()?;
    }
    if engine == Engine::Window || chooses && small {
        run.enter()?;
    }
    let program = run.program()?;
    program.compile()?;
    runner.enter(Phase::Simulation);
    if !run.go(runner, program)? {
        return Ok(None);
    }
    if run.schedule == Schedule::Batches {
        run.leave()?;
    }
    runner.enter(Phase::Reading);
    let end = run.tables.end()?;
    let [launches, batches] = run.rounds;
    let used = if batches > launches { Engine::Window } else { Engine::Step };
    Ok(Some((end, launches + batches, used)))
}
