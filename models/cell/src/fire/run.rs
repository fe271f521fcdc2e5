//! Engines of a fire.

use super::calendar::Calendar;
use super::device;
use super::error::FireError;
use super::outcome::{Counts, NEVER, Outcome};
use super::rule::FireRule;
use super::scan::Scan;
use super::scenario::Fire;
use crate::outcome::{Cancelled, Engine};
use crate::runner::{Advance, Ended, Phase, Runner, Simulation};
use crate::sequential::{Delay, History};
use crate::space::{Border, CellSpace};

/// Outcome of a run, with the steps that its engine took.
///
/// Steps are distinct times of the engine `step`, time 0 included; of windows they are the launches on a device, or
/// windows on a host.
pub type Run = crate::Run<Outcome>;

/// [`Engine::Auto`] takes windows. On hosts they are a calendar of burning cells; steps scan next-event times there.
impl Simulation for Fire {
    type Outcome = Outcome;
    type Error = FireError;
    type Report = imminent_core::Progress;

    fn advance(&self, by: Advance<'_>, runner: &mut Runner<'_>) -> Result<Ended<Outcome>, FireError> {
        let (height, width, horizon) = (self.height, self.width, self.horizon);
        let counted = |(ignition, counts, steps)| (Outcome::counted(height, width, horizon, ignition, counts), steps);
        let read = |(ignition, steps)| (Outcome::new(height, width, horizon, ignition), steps);
        let ((outcome, steps), engine) = match by {
            Advance::Sequential => (read(self.by_event_list(runner)?), Engine::Sequential),
            Advance::Host(Engine::Step, _) => (counted(self.by_scans(runner)?), Engine::Step),
            Advance::Host(..) => (counted(self.by_calendar(runner)?), Engine::Window),
            Advance::Tiles(Engine::Step, device) => (read(device::by_steps(device, self, runner)?), Engine::Step),
            Advance::Tiles(_, device) => (read(device::by_windows(device, self, runner)?), Engine::Window),
        };
        Ok(Ended { outcome, engine, steps })
    }
}

impl Fire {
    fn by_scans(&self, runner: &mut Runner<'_>) -> Result<(Vec<u32>, Counts, u64), Cancelled> {
        let mut scan = Scan::new(self.height, self.width, self.horizon, &self.ignitions);
        runner.enter(Phase::Simulation);
        let times = scan.run(runner)?;
        runner.enter(Phase::Reading);
        let (ignition, counts) = scan.ignition();
        Ok((ignition, counts, times))
    }

    fn by_calendar(&self, runner: &mut Runner<'_>) -> Result<(Vec<u32>, Counts, u64), Cancelled> {
        let mut calendar = Calendar::new(self.height, self.width, self.horizon, &self.ignitions);
        runner.enter(Phase::Simulation);
        let windows = calendar.run(runner)?;
        runner.enter(Phase::Reading);
        let (ignition, counts) = calendar.ignition();
        Ok((ignition, counts, windows))
    }

    /// Burns by the sequential event list, with values in floating-point minutes.
    fn by_event_list(&self, runner: &mut Runner<'_>) -> Result<(Vec<u32>, u64), FireError> {
        let space = CellSpace::plane(self.height, self.width, Border::Open)?;
        let mut initial = vec![0.0; space.cells()];
        for &(row, column) in &self.ignitions {
            if let Some(value) = space.cell(&[row, column]).and_then(|cell| initial.get_mut(cell as usize)) {
                *value = 1.0;
            }
        }
        let (space, values) = ((&space, Delay::Inertial), (&initial[..], &[][..]));
        let History { values, times, distinct_times, .. } =
            runner.by_event_list::<_, FireError>(space, &mut FireRule, values, self.horizon, &mut |_| ())?;
        let burnt = |(&value, &time): (&f64, &u32)| if value > 0.0 { time } else { NEVER };
        Ok((values.iter().zip(&times).map(burnt).collect(), distinct_times))
    }
}
