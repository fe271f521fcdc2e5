//! Workers of a study: devices of this machine, or MPI ranks.

use super::ranks::Ranks;
use super::{StudyArgs, Task};
use imminent::models::study::Laboratory;
use imminent::models::study::Means;
use imminent::models::study::spread::{Identity, Spread, Station, Tally};
use imminent_console::Failure;
use imminent_console::selection::DeviceArgs;

/// A laboratory with records of the work of each device.
pub(super) trait Team: Laboratory {
    fn tallies(&self) -> &[Tally];
}

impl Team for Spread {
    fn tallies(&self) -> &[Tally] {
        self.tallies()
    }
}

/// Opens a device with a laboratory; also returns the reason why it was chosen.
pub(super) fn station(task: &Task, means: &Means, args: &DeviceArgs) -> Result<(Station, String), Failure> {
    let (device, why) = args.open()?;
    let planned = &task.planned;
    let laboratory = planned.model.open(&planned.base, &device, means).map_err(Failure::run)?;
    Ok((Station { identity: Identity::of(device.info()), laboratory }, why))
}

/// Assembles the workers of a study; also returns the reason why the first device was chosen.
pub(super) fn assemble<'a>(
    args: &StudyArgs,
    task: &'a Task,
    means: &Means,
    ranks: Option<&'a Ranks>,
) -> Result<(Box<dyn Team + 'a>, String), Failure> {
    if let Some(ranks) = ranks {
        return super::ranks::assemble(args, task, means, ranks);
    }
    let (mut stations, mut first) = (vec![], None);
    for args in args.device.each()? {
        let (station, why) = station(task, means, &args)?;
        stations.push(station);
        first.get_or_insert(why);
    }
    match first {
        Some(why) => Ok((Box::new(Spread::over(stations)), why)),
        None => Err(Failure::run("the backend has no device: see `imminent devices`")),
    }
}
