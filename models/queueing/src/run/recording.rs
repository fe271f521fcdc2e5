//! Single visits and whole passages. They are recorded by simulating a completed run once more in the sequential
//! engine, unless the engine has counted the times of visits.

use super::options::{Options, RECORD};
use super::watching::Watcher;
use crate::end_to_end::EndToEnd;
use crate::experiment::{Experiment, Findings};
use crate::network::Network;
use crate::trace::{AtNodes, Counter, RunTimes, Sampling, TimesAtNode, Visit, Wanted, replay_until};
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
    histogram: bool,
    end_to_end: bool,
    wanted: Wanted,
}

/// Records of a run.
#[derive(Default)]
pub(super) struct Recorded {
    pub(super) times: Option<RunTimes>,
    pub(super) end_to_end: Option<EndToEnd>,
    pub(super) at_nodes: Option<Vec<TimesAtNode>>,
    /// Description of missing records, if recording was interrupted.
    pub(super) missing: Option<String>,
    /// Error of a file that could not be written. The run has its results without it.
    pub(super) trouble: Option<String>,
}

impl Recorder {
    /// Begins the file that an option names.
    pub(super) fn begin(given: &OptionValues, options: &Options, network: &Network) -> Result<Self, Fault> {
        let Options { sampling, histogram, end_to_end, .. } = *options;
        let wanted = options.wanted(network)?;
        Ok(Self { file: given.begin(RECORD, &VISITS)?, sampling, histogram, end_to_end, wanted })
    }

    /// Simulates a run once more, if needed, until its end or until the watch breaks.
    pub(super) fn record(
        &mut self,
        experiment: &Experiment,
        findings: &Findings,
        watcher: &Watcher<'_>,
    ) -> Result<Recorded, ExperimentError> {
        let counted = findings.times.clone().filter(|_| self.histogram);
        let (mut file, end_to_end) = (self.file.take(), self.end_to_end);
        if file.is_none() && !end_to_end && !self.wanted.is_any() && (!self.histogram || counted.is_some()) {
            return Ok(Recorded { times: counted, ..Recorded::default() });
        }
        let mut times = Counter::new(experiment, findings);
        let mut passages = EndToEnd::of(findings);
        let (network, is_any) = (&experiment.network, self.wanted.is_any());
        let at_nodes = AtNodes::new(network, findings, self.wanted.clone());
        let mut at_nodes = at_nodes.map_err(|error| ExperimentError::Invalid(error.into()))?;
        let (mut trouble, mut reached) = (None, None);
        let whole = replay_until(
            experiment,
            findings,
            |replication, sample, visit| {
                if reached != Some(replication) {
                    reached = Some(replication);
                    watcher.say(format!("recording replication {replication}"));
                }
                times.add(replication, visit);
                if let Some(sample) = sample.filter(|_| end_to_end) {
                    passages.add(replication, sample, visit);
                }
                if let Some(sample) = sample.filter(|_| is_any && network.station(visit.node).is_some()) {
                    at_nodes.add(replication, sample, visit);
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
        let whole = whole.map_err(|error| ExperimentError::Failed(error.into()))?;
        let mut missing = (!whole).then(|| "times and visits were not recorded to the end".to_owned());
        if let Some(file) = file.filter(|_| trouble.is_none()) {
            match file.finish(whole) {
                Ok(kept) => {
                    missing = missing.map(|missing| format!("{missing}; the visits so far are in {}", kept.display()));
                }
                Err(error) => trouble = Some(error),
            }
        }
        Ok(Recorded {
            times: counted.or_else(|| (whole && self.histogram).then(|| times.finish())),
            end_to_end: (whole && end_to_end).then_some(passages),
            at_nodes: (whole && is_any).then(|| at_nodes.report(network)),
            missing,
            trouble: trouble.map(|trouble| trouble.to_string()),
        })
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
