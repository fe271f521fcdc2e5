//! Those who carry out a study: devices of this machine, or ranks of MPI.

use super::ranks::Ranks;
use super::{StudyArgs, Task};
use crate::Failure;
use crate::selection::DeviceArgs;
use imminent::models::study::Laboratory;
use imminent::models::study::catalogue::Means;
use imminent::models::study::spread::{Spread, Station, Tally, Who};

/// What carries out runs, and says who did what.
pub(super) trait Team: Laboratory {
    fn tallies(&self) -> &[Tally];
}

impl Team for Spread {
    fn tallies(&self) -> &[Tally] {
        self.tallies()
    }
}

/// A device with a laboratory, and why it was taken.
pub(super) fn station(task: &Task, means: &Means, args: &DeviceArgs) -> Result<(Station, String), Failure> {
    let (device, why) = args.open()?;
    let laboratory = (task.model.open)(&task.source(), &device, means).map_err(Failure::run)?;
    Ok((Station { who: Who::is(device.info()), laboratory }, why))
}

/// Those who carry out a study, and why the first device was taken.
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
