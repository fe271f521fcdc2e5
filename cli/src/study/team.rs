//! Workers of a study: devices of this machine, or MPI ranks.

use super::args::StudyArgs;
use super::task::Task;
use crate::run::explained;
use imminent::DeviceInfo;
use imminent::models::study::laboratory::{Fault, Laboratory, Update};
use imminent::models::study::spread::{Identity, Spread, Station, Tally};
use imminent::models::study::{Means, Runs};
use imminent::models::threads::each;
use imminent_console::backends::backends;
use imminent_console::print::tell;
use imminent_console::selection::DeviceArgs;
use imminent_console::{Failure, interrupt};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A laboratory with records of the work of each device.
pub(super) trait Team: Laboratory {
    fn tallies(&self) -> &[Tally];
}

impl Team for Spread {
    fn tallies(&self) -> &[Tally] {
        self.tallies()
    }
}

/// Laboratories at work that have not been told to end, for the answer to an interruption.
static UNTOLD: AtomicUsize = AtomicUsize::new(0);

/// A laboratory that answers an interruption, once it and all others at work know of it, and notes that the kernels of
/// its model have run.
struct Answering {
    laboratory: Box<dyn Laboratory + Send>,
    device: DeviceInfo,
    model: String,
}

impl Laboratory for Answering {
    fn run(&mut self, runs: &Runs<'_>, observer: &mut dyn FnMut(Update) -> ControlFlow<()>) -> Result<(), Fault> {
        UNTOLD.fetch_add(1, Ordering::Relaxed);
        let mut is_told = false;
        let mut told = |()| {
            if !std::mem::replace(&mut is_told, true) && UNTOLD.fetch_sub(1, Ordering::Relaxed) == 1 {
                interrupt::answer();
            }
        };
        let ended = self.laboratory.run(runs, &mut |update| observer(update).map_break(&mut told));
        told(());
        if ended.is_ok() {
            backends().note_run(&self.device, &self.model);
        }
        ended
    }
}

/// Opens a device with a laboratory; also returns the reason why it was chosen.
pub(super) fn station(task: &Task, means: &Means, args: &DeviceArgs) -> Result<(Station, String), Failure> {
    let planned = &task.planned;
    let model = &planned.study.description().name;
    let (device, why) = args.open_for(model, planned.work())?;
    let laboratory = planned.model.open(&planned.base, &device, means).map_err(Failure::run)?;
    let laboratory = Box::new(Answering { laboratory, device: device.info().clone(), model: model.clone() });
    Ok((Station { identity: Identity::of(device.info()), laboratory }, why))
}

/// Assembles the workers of a study; also returns the reason why the first device was chosen.
pub(super) fn assemble<'a>(
    args: &StudyArgs,
    task: &'a Task,
    means: &Means,
) -> Result<(Box<dyn Team + 'a>, String), Failure> {
    let (mut stations, mut first) = (vec![], None);
    let devices = args.device.each()?;
    if let (true, Some(args)) = (args.explain, devices.first()) {
        tell(&explained(&task.study().description().name, task.planned.work(), args));
    }
    // Drivers take some tenths of a second to open a device.
    for opened in each(devices, |args| station(task, means, &args)) {
        let (station, why) = opened?;
        stations.push(station);
        first.get_or_insert(why);
    }
    match first {
        Some(why) => Ok((Box::new(Spread::over(stations)), why)),
        None => Err(Failure::run("the backend has no device: see `imminent devices`")),
    }
}
