//! Single visits, and what is gathered of them. They are recorded by simulating a completed run once more in the
//! sequential engine, unless the engine has gathered all that is wanted.

use super::options::{Options, RECORD};
use super::watching::Watcher;
use crate::experiment::{Experiment, Findings};
use crate::tally::RunTally;
use crate::trace::{Sampling, Visit, replay_until};
use imminent_study::experiment::{ExperimentError, OptionValues, RecordColumn, RecordForm, Records};
use imminent_study::laboratory::Fault;

/// Form of visits: 48 bytes each in a binary file, times in ticks. `to` is missing if the token left the network.
const VISITS: RecordForm = RecordForm {
    name: "visits",
    magic: b"IMTRACE1",
    columns: &[
        column("replication", 4),
        column("node", 4),
        column("class", 4),
        RecordColumn { is_optional: true, ..column("to", 4) },
        column("number", 8),
        column("arrived", 8),
        column("started", 8),
        column("left", 8),
    ],
};

const fn column(name: &'static str, bytes: usize) -> RecordColumn {
    RecordColumn { name, bytes, is_optional: false }
}

/// Recorder of visits, whose file is begun before the run.
pub(super) struct Recorder {
    file: Option<Box<dyn Records>>,
    sampling: Sampling,
}

/// Records of a run.
#[derive(Default)]
pub(super) struct Recorded {
    /// Tallies, if any are wanted.
    pub(super) tally: Option<RunTally>,
    /// Description of missing records, if recording was interrupted.
    pub(super) missing: Option<String>,
    /// Error of a file that could not be written. The run has its results without it.
    pub(super) trouble: Option<String>,
}

impl Recorder {
    /// Begins the file that an option names.
    pub(super) fn begin(given: &OptionValues, options: &Options) -> Result<Self, Fault> {
        Ok(Self { file: given.begin(RECORD, &VISITS)?, sampling: options.sampling })
    }

    /// Simulates a run once more, if needed, until its end or until the watch breaks.
    pub(super) fn record(
        &mut self,
        experiment: &Experiment,
        findings: &Findings,
        watcher: &Watcher<'_>,
    ) -> Result<Recorded, ExperimentError> {
        let wanted = &experiment.plan.wanted;
        let gathered = findings.tally.clone().filter(|tally| tally.wanted().covers(wanted));
        let mut file = self.file.take();
        if file.is_none() && (gathered.is_some() || !wanted.is_any()) {
            return Ok(Recorded { tally: gathered, ..Recorded::default() });
        }
        let (mut trouble, mut reached) = (None, None);
        let tally = replay_until(
            experiment,
            findings,
            wanted,
            |replication, visit| {
                if reached != Some(replication) {
                    reached = Some(replication);
                    watcher.say(format!("recording replication {replication}"));
                }
                if let Some(file) = &mut file
                    && trouble.is_none()
                    && self.sampling.keeps(replication, visit)
                {
                    trouble = file.add(&record(replication, visit)).err();
                }
            },
            &|| watcher.stops(),
        );
        let tally = tally.map_err(|error| ExperimentError::Failed(error.into()))?;
        let whole = tally.is_some();
        let mut missing = (!whole).then(|| "times and visits were not recorded to the end".to_owned());
        if let Some(file) = file.filter(|_| trouble.is_none()) {
            match file.finish(whole) {
                Ok(kept) => {
                    missing = missing.map(|missing| format!("{missing}; the visits so far are in {}", kept.display()));
                }
                Err(error) => trouble = Some(error),
            }
        }
        let tally = gathered.or(tally).or_else(|| findings.tally.clone());
        Ok(Recorded { tally, missing, trouble: trouble.map(|trouble| trouble.to_string()) })
    }
}

/// Returns the record of a visit.
fn record(replication: u64, visit: &Visit) -> [Option<u64>; VISITS.columns.len()] {
    [
        Some(replication),
        Some(visit.node.into()),
        Some(visit.class.into()),
        visit.to.map(u64::from),
        Some(visit.number),
        Some(visit.arrived),
        Some(visit.started),
        Some(visit.left),
    ]
}
