//! Results by class of tokens, counted after a run.

use super::replay::ReplayError;
use crate::analysis::{ClassFindings, Findings, WarmUp, half_of};
use crate::experiment::Experiment;
use crate::outcome::NodeStatistics;
use crate::sequential;

impl ClassFindings {
    /// Returns the classes of a run that is over, as the run [counted](Findings::classes) them. If it did not, they are
    /// [counted afterwards](Self::replayed).
    ///
    /// # Errors
    /// [`ReplayError`], for instance for a run that clustered events.
    pub fn of(experiment: &Experiment, findings: &Findings) -> Result<Self, ReplayError> {
        match &findings.classes {
            Some(counted) => Ok(counted.clone()),
            None => Self::replayed(experiment, findings),
        }
    }

    /// Counts the classes of a run that is over, sample by sample.
    ///
    /// All exact engines carry out the same services. The oracle therefore simulates the replications once more, and
    /// its digests must equal those of the run.
    ///
    /// # Errors
    /// [`ReplayError`], for instance for a run that clustered events.
    pub fn replayed(experiment: &Experiment, findings: &Findings) -> Result<Self, ReplayError> {
        let network = &experiment.network;
        // Halves are added up in the same order as by the run.
        let mut halves = vec![Self::none(experiment); if experiment.plan.warm_up == WarmUp::Mser5 { 2 } else { 1 }];
        for replication in &findings.replications {
            let number = replication.number;
            let looks = replication.record.looks();
            let times: Vec<u64> = replication.cut.ends.iter().filter_map(|&end| Some(looks.get(end)?.time)).collect();
            let scenario = experiment.scenario(number)?.until(times.last().copied().unwrap_or(0));
            let mut before: Option<(u64, Vec<NodeStatistics>)> = None;
            let mut digest = None;
            let half = half_of(number).min(halves.len() - 1);
            sequential::by_class(&scenario, &times, &mut |outcome, by_class| {
                if let (Some((from, earlier)), Some(counted)) = (&before, halves.get_mut(half)) {
                    counted.add(network, outcome.horizon - from, earlier, &by_class);
                }
                before = Some((outcome.horizon, by_class));
                digest = Some(outcome.digest());
            })?;
            if digest != Some(replication.digest) {
                return Err(ReplayError::OtherRun { replication: number });
            }
        }
        let none = Self::none(experiment);
        Ok(halves.into_iter().reduce(|all, half| all.and_all(&half)).unwrap_or(none))
    }
}
