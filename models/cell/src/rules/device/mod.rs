//! Rule files on a device: two schedules of the paper's advance, and the choice between them.

mod batches;
mod launches;

use super::model::Model;
use super::outcome::Outcome;
use super::postfix::{Code, compile};
use super::run::RunError;
use crate::outcome::{Engine, Spent};
use batches::Batches;
use imminent_core::{Determinism, Device, Error, Program, Progress, Stop};
use launches::{TURNS, Tables};
use std::ops::ControlFlow;
use std::time::Instant;

/// Most cells of a space whose rounds are batches from the start.
const SMALL: usize = 1024;

/// Most cells of a space whose rounds stay batches: two for each lane.
const SMALLEST: usize = 512;

/// Pairs of launches after which the activity is looked at for the first time.
const PAIRS: u64 = 128;

/// Growth of that number with each return from batches, so that a dense model is seldom asked.
const PATIENCE: u64 = 4;

/// Launches of batches after which the activity is looked at: some milliseconds.
const BATCHES: u64 = 1;

/// Most blocks of 256 cells that are looked at in a round, on average, for rounds to become batches.
const FEW_BLOCKS: u64 = 24;

/// Most turns of emitting in a round, on average, for rounds to stay batches.
const FEW_TURNS: u64 = 3;

/// A schedule of rounds of outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Schedule {
    /// One launch over all blocks of cells for each round.
    Launches,
    /// Many rounds in a launch, by one group.
    Batches,
}

/// A run on a device.
struct Run<'a> {
    device: &'a Device,
    model: &'a Model,
    code: Code,
    tables: Tables,
    batches: Option<Batches>,
    schedule: Schedule,
    /// `true` if the schedule follows the activity.
    free: bool,
    /// Rounds by launches, and rounds in batches.
    rounds: [u64; 2],
    /// Pairs of launches after which the activity is looked at.
    pairs: u64,
}

impl Run<'_> {
    /// Records a program of the schedule. It ends at intervals if the schedule follows the activity.
    fn program(&mut self) -> Result<Program, RunError> {
        let looks = |steps| if self.free { steps } else { u64::MAX };
        match (self.schedule, &mut self.batches) {
            (Schedule::Batches, Some(batches)) => batches.program(self.device, &self.tables, looks(BATCHES)),
            _ => self.tables.program(self.device, looks(self.pairs)),
        }
    }

    /// Makes the tables of batches. Without room for them a schedule that is free stays with launches.
    fn prepare(&mut self) -> Result<(), RunError> {
        match Batches::new(self.device, self.model, &self.code, &mut self.tables) {
            Ok(mut batches) => {
                batches.compile(self.device, &self.tables)?;
                self.batches = Some(batches);
            }
            Err(RunError::Device(Error::OutOfMemory { .. } | Error::Limit { .. })) if self.free => self.batches = None,
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Lets batches take over. `false` if there are none.
    fn enter(&mut self) -> Result<bool, RunError> {
        let Some(batches) = &mut self.batches else { return Ok(false) };
        batches.enter(&self.tables)?;
        self.schedule = Schedule::Batches;
        Ok(true)
    }

    fn leave(&mut self) -> Result<(), RunError> {
        if let Some(batches) = &mut self.batches {
            self.rounds[1] += batches.work()?.0;
            batches.leave(&mut self.tables)?;
        }
        self.schedule = Schedule::Launches;
        Ok(())
    }

    /// Makes room in queues.
    fn grow(&mut self) -> Result<(), RunError> {
        let batches = self.schedule == Schedule::Batches;
        if batches {
            self.leave()?;
        }
        self.tables.grow()?;
        if self.batches.take().is_some() {
            self.prepare()?;
        }
        if batches {
            self.enter()?;
        }
        Ok(())
    }

    /// Changes the schedule if the activity asks for the other one. `steps` were done since the last look.
    fn look(&mut self, steps: u64, activity: &mut [u64; 2]) -> Result<bool, RunError> {
        match (self.schedule, &self.batches) {
            (Schedule::Batches, Some(batches)) => {
                let (rounds, turns) = batches.work()?;
                let dense = turns - activity[1] > FEW_TURNS * (rounds - activity[0]);
                *activity = [rounds, turns];
                if dense {
                    self.leave()?;
                    self.pairs = self.pairs.saturating_mul(PATIENCE);
                }
                Ok(dense)
            }
            _ => {
                let active = self.tables.active()?;
                let sparse = active - activity[1] <= FEW_BLOCKS * TURNS * steps;
                *activity = [0, active];
                Ok(sparse && self.enter()?)
            }
        }
    }

    /// Runs to the end.
    fn go(&mut self, progress: &mut dyn FnMut(Progress) -> ControlFlow<()>, program: Program) -> Result<(), RunError> {
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
            let outcome = program.run_with(|now| progress(Progress { steps: before + each * (steps + now.steps) }))?;
            if let (Schedule::Batches, Some(batches)) = (schedule, &self.batches) {
                batches.check()?;
                steps += outcome.steps;
            } else {
                self.rounds[0] += TURNS * outcome.steps;
            }
            let changed = match outcome.stop {
                Stop::Condition(0) => return Ok(()),
                Stop::Cancelled => return Err(RunError::Cancelled { steps: before + each * (steps + outcome.steps) }),
                Stop::Condition(_) => {
                    self.grow()?;
                    true
                }
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

/// Runs a model on a device. Returns its outcome, the number of rounds, and the engine: [`Engine::Window`] if most
/// rounds were
/// in batches, [`Engine::Step`] otherwise.
///
/// `engine` forces the schedule: launches by [`Engine::Step`], batches by [`Engine::Window`]. Otherwise it follows the
/// activity.
pub(super) fn by_rounds(
    device: &Device,
    model: &Model,
    engine: Engine,
    seed: u64,
    horizon: u32,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    spent: &mut Spent,
) -> Result<(Outcome, u64, Engine), RunError> {
    device.require(Determinism::Reproducible)?;
    let began = Instant::now();
    let code = compile(model)?;
    let tables = Tables::new(device, model, &code, seed, horizon)?;
    // A group's rounds take more loops than a device does that cuts them.
    let chooses = engine != Engine::Window && engine != Engine::Step && device.capabilities().long_loops;
    let small = model.space().cells() <= SMALL;
    let mut run = Run {
        device,
        model,
        code,
        tables,
        batches: None,
        schedule: Schedule::Launches,
        free: chooses && model.space().cells() > SMALLEST,
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
    spent.set_up = began.elapsed();
    let began = Instant::now();
    run.go(progress, program)?;
    if run.schedule == Schedule::Batches {
        run.leave()?;
    }
    spent.simulation = began.elapsed();
    let began = Instant::now();
    let outcome = run.tables.outcome(model, horizon)?;
    spent.reading = began.elapsed();
    let [launches, batches] = run.rounds;
    let used = if batches > launches { Engine::Window } else { Engine::Step };
    Ok((outcome, launches + batches, used))
}
