//! `--mpi`: a study over ranks of MPI.

#[cfg(feature = "mpi")]
pub(super) use with::{Ranks, assemble, run};
#[cfg(not(feature = "mpi"))]
pub(super) use without::{Ranks, assemble, run};

#[cfg(feature = "mpi")]
mod with {
    use crate::study::args::StudyArgs;
    use crate::study::checkpoints;
    use crate::study::task::Task;
    use crate::study::team::{self, Team};
    use imminent::models::study::spread::mpi::Across;
    pub(in crate::study) use imminent::models::study::spread::mpi::Ranks;
    use imminent::models::study::spread::{Station, Tally};
    use imminent::models::study::{Catalogue, Means};
    use imminent_console::Failure;

    /// Function that carries out a study as rank 0.
    type Lead<'l> = &'l mut dyn FnMut(&Task, &Ranks) -> Result<(), Failure>;

    impl Team for Across<'_> {
        fn tallies(&self) -> &[Tally] {
            self.tallies()
        }
    }

    /// Carries out the study as rank 0 by `lead`, or the orders of rank 0 as another rank.
    pub(in crate::study) fn run(args: &StudyArgs, catalogue: &Catalogue, lead: Lead<'_>) -> Result<(), Failure> {
        let ranks = Ranks::join().map_err(Failure::run)?;
        if ranks.rank() == 0 {
            return lead(&Task::of(args, catalogue)?, &ranks);
        }
        // Errors of this step are reported by rank 0, once for all ranks.
        let task = Task::of(args, catalogue).map_err(|failure| failure.to_string());
        let checkpoints = task.as_ref().ok().and_then(|task| checkpoints::open(args, task.study()));
        let ready = match &task {
            Ok(task) => own(args, task, &task.means(checkpoints.clone()), &ranks)
                .map(|(station, _)| (task.study(), station))
                .map_err(|failure| failure.to_string()),
            Err(problem) => Err(problem.clone()),
        };
        let served = ranks.serve(ready).map_err(Failure::run);
        if let Some(checkpoints) = checkpoints {
            checkpoints::report_problems(&checkpoints);
        }
        served
    }

    /// Opens the device of this rank, with a laboratory: the ranks of a machine take the devices of the list in turn.
    fn own(args: &StudyArgs, task: &Task, means: &Means, ranks: &Ranks) -> Result<(Station, String), Failure> {
        let devices = args.device.each()?;
        let own = devices.get(ranks.on_machine() % devices.len().max(1));
        let own = own.ok_or_else(|| Failure::run("the backend has no device: see `imminent devices`"))?;
        team::station(task, means, own)
    }

    /// Joins all ranks with the device of this one; also returns the reason why it was chosen.
    pub(in crate::study) fn assemble<'a>(
        args: &StudyArgs,
        task: &'a Task,
        means: &Means,
        ranks: &'a Ranks,
    ) -> Result<(Box<dyn Team + 'a>, String), Failure> {
        let (station, why) = own(args, task, means, ranks)?;
        Ok((Box::new(ranks.across(task.study(), station).map_err(Failure::run)?), why))
    }
}

#[cfg(not(feature = "mpi"))]
mod without {
    use crate::absent::Absent;
    use crate::study::args::StudyArgs;
    use crate::study::task::Task;
    use crate::study::team::Team;
    use imminent::models::study::{Catalogue, Means};
    use imminent_console::Failure;

    /// MPI ranks, which this build does not support.
    pub(in crate::study) enum Ranks {}

    /// Function that carries out a study as rank 0.
    type Lead<'l> = &'l mut dyn FnMut(&Task, &Ranks) -> Result<(), Failure>;

    pub(in crate::study) fn run(_: &StudyArgs, _: &Catalogue, _: Lead<'_>) -> Result<(), Failure> {
        Err(Failure::usage(Absent::Mpi))
    }

    pub(in crate::study) fn assemble<'a>(
        _: &StudyArgs,
        _: &'a Task,
        _: &Means,
        ranks: &'a Ranks,
    ) -> Result<(Box<dyn Team + 'a>, String), Failure> {
        match *ranks {}
    }
}
