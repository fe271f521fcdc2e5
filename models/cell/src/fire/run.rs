//! Runs of a fire, and the choice of the engine.

use super::calendar::Calendar;
use super::device;
use super::error::FireError;
use super::outcome::{NEVER, Outcome};
use super::rule::FireRule;
use super::scan::Scan;
use super::scenario::Fire;
use crate::outcome::{Engine, Spent};
use crate::sequential;
use crate::space::{Border, CellSpace};
use imminent_core::clock::Instant;
use imminent_core::{Device, Progress};
use std::ops::ControlFlow;

/// Outcome of a run, with the steps that its engine took.
///
/// Steps are distinct times of the engine `step`, time 0 included; of windows they are the launches on a device, or
/// windows on a host.
pub type Run = crate::Run<Outcome>;

impl Fire {
    /// Runs the fire on a device.
    ///
    /// [`Engine::Auto`] takes windows. Where rows are native structs the engines for hosts run: a calendar of burning
    /// cells, or scans of next-event times. Elsewhere tiles run. All engines give the same outcome and digest.
    /// Determinism class: exact.
    ///
    /// # Errors
    /// [`FireError::Device`], [`FireError::Cancelled`].
    pub fn run(
        &self,
        device: &Device,
        engine: Engine,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Run, FireError> {
        let mut spent = Spent::default();
        let native = device.capabilities().native_rows;
        let ((ignition, steps), engine) = match engine {
            Engine::Sequential => return self.run_sequentially_while(progress),
            Engine::Step if native => (self.by_scans(progress, &mut spent)?, Engine::Step),
            Engine::Step => (device::by_steps(device, self, progress, &mut spent)?, Engine::Step),
            _ if native => (self.by_calendar(progress, &mut spent)?, Engine::Window),
            _ => (device::by_windows(device, self, progress, &mut spent)?, Engine::Window),
        };
        let began = Instant::now();
        let outcome = Outcome::new(self.height, self.width, self.horizon, ignition);
        spent.reading = began.elapsed();
        Ok(Run { outcome, engine, spent, steps })
    }

    /// Runs the fire by tiles on any device, hosts included: by windows, or for [`Engine::Step`] by steps.
    ///
    /// # Errors
    /// As for [`Fire::run`].
    pub fn run_by_tiles(
        &self,
        device: &Device,
        engine: Engine,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Run, FireError> {
        let mut spent = Spent::default();
        let by_tiles = if engine == Engine::Step { device::by_steps } else { device::by_windows };
        let (ignition, steps) = by_tiles(device, self, progress, &mut spent)?;
        let began = Instant::now();
        let outcome = Outcome::new(self.height, self.width, self.horizon, ignition);
        spent.reading += began.elapsed();
        Ok(Run { outcome, engine: if engine == Engine::Step { engine } else { Engine::Window }, spent, steps })
    }

    fn by_scans(
        &self,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
        spent: &mut Spent,
    ) -> Result<(Vec<u32>, u64), FireError> {
        let began = Instant::now();
        let mut scan = Scan::new(self.height, self.width, self.horizon, &self.ignitions);
        spent.set_up = began.elapsed();
        let began = Instant::now();
        let times = match scan.run(|steps| progress(Progress { steps })) {
            ControlFlow::Continue(times) => times,
            ControlFlow::Break(steps) => return Err(FireError::Cancelled { steps }),
        };
        spent.simulation = began.elapsed();
        Ok((scan.ignition(), times))
    }

    fn by_calendar(
        &self,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
        spent: &mut Spent,
    ) -> Result<(Vec<u32>, u64), FireError> {
        let began = Instant::now();
        let mut calendar = Calendar::new(self.height, self.width, self.horizon, &self.ignitions);
        spent.set_up = began.elapsed();
        let began = Instant::now();
        let windows = match calendar.run(|steps| progress(Progress { steps })) {
            ControlFlow::Continue(windows) => windows,
            ControlFlow::Break(steps) => return Err(FireError::Cancelled { steps }),
        };
        spent.simulation = began.elapsed();
        Ok((calendar.ignition(), windows))
    }

    /// Runs the fire by the sequential event list, with values in floating-point minutes.
    ///
    /// # Errors
    /// [`FireError::Space`], [`FireError::Rule`].
    pub fn run_sequentially(&self) -> Result<Run, FireError> {
        self.run_sequentially_while(&mut |_| ControlFlow::Continue(()))
    }

    /// Runs the fire by the sequential event list, as long as the progress function goes on.
    ///
    /// # Errors
    /// [`FireError::Space`], [`FireError::Rule`], [`FireError::Cancelled`].
    pub fn run_sequentially_while(
        &self,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Run, FireError> {
        let began = Instant::now();
        let space = CellSpace::plane(self.height, self.width, Border::Open)?;
        let mut initial = vec![0.0; space.cells()];
        for &(row, column) in &self.ignitions {
            if let Some(value) = space.cell(&[row, column]).and_then(|cell| initial.get_mut(cell as usize)) {
                *value = 1.0;
            }
        }
        let mut spent = Spent { set_up: began.elapsed(), ..Spent::default() };
        let began = Instant::now();
        let delay = sequential::Delay::Inertial;
        let go_on = &mut |steps| progress(Progress { steps });
        let (history, flow) = sequential::simulate_watched(
            &space,
            delay,
            &mut FireRule,
            &initial,
            &[],
            self.horizon,
            &mut |_| (),
            go_on,
        )?;
        if flow.is_break() {
            return Err(FireError::Cancelled { steps: history.distinct_times });
        }
        spent.simulation = began.elapsed();
        let began = Instant::now();
        let burnt = |(&value, &time): (&f64, &u32)| if value > 0.0 { time } else { NEVER };
        let ignition = history.values.iter().zip(&history.times).map(burnt).collect();
        let outcome = Outcome::new(self.height, self.width, self.horizon, ignition);
        spent.reading = began.elapsed();
        Ok(Run { outcome, engine: Engine::Sequential, spent, steps: history.distinct_times })
    }
}
