//! Run that is over, with everything that was recorded of it.

use crate::analysis::{ClassFindings, Period};
use crate::experiment::{Experiment, Findings};
use crate::measures::Measures;
use crate::nodes::{Busiest, Cycles};
use crate::tally::{Distribution, Passage, PoolLoad, RunTally, TimesAtNode};
use crate::theory::known;
use crate::trace::{ReplayError, RunTimes};
use imminent_core::Error;
use imminent_study::experiment::Detail;
use std::sync::Arc;

/// Run that is over.
#[derive(Debug)]
pub(super) struct FinishedRun {
    pub(super) experiment: Arc<Experiment>,
    pub(super) findings: Findings,
    /// The busiest nodes. Those of a network that was left on a device are all that is known of nodes if results are
    /// only printed.
    pub(super) busiest: Busiest,
    /// Times between two visits of a token to a node, where they are defined.
    pub(super) cycles: Cycles,
    /// Exact measures of the nodes that theory knows.
    pub(super) theory: Vec<Option<Measures>>,
    /// Tallies of visits and numbers.
    pub(super) tally: Option<RunTally>,
    /// Results for each class of tokens, if requested.
    pub(super) classes: Option<ClassFindings>,
    /// Missing part of a run that was interrupted.
    pub(super) partial: Option<String>,
}

impl FinishedRun {
    /// Takes the results over, and reads those of nodes that the detail of the outcome needs.
    pub(super) fn new(experiment: &Arc<Experiment>, findings: Findings, detail: Detail) -> Result<Self, Error> {
        if detail.has_data() {
            findings.nodes.read()?;
        }
        let busiest = Busiest::of(&experiment.network, &findings)?;
        let partial = partial(experiment, &findings);
        let (experiment, network) = (Arc::clone(experiment), &experiment.network);
        let (cycles, theory) = (Cycles::of(network), known(network));
        Ok(Self { experiment, findings, busiest, cycles, theory, tally: None, classes: None, partial })
    }

    /// Returns the times of all visits, if they were wanted.
    pub(super) fn times(&self) -> Option<&RunTimes> {
        self.tally.as_ref()?.times().filter(|_| self.experiment.plan.wanted.times)
    }

    /// Returns the times of visits at stations, if they were wanted.
    pub(super) fn at_stations(&self) -> Option<Vec<TimesAtNode>> {
        let (network, findings) = (&self.experiment.network, &self.findings);
        self.tally.as_ref()?.at_stations(network, findings.tick, findings.confidence)
    }

    /// Returns the times from source to exit, if they were wanted.
    pub(super) fn end_to_end(&self) -> Option<Vec<Passage>> {
        let (network, findings) = (&self.experiment.network, &self.findings);
        self.tally.as_ref()?.end_to_end(network, findings.tick, findings.confidence)
    }

    /// Returns the load of each pool of servers, if there are any.
    pub(super) fn pools(&self) -> Option<Vec<PoolLoad>> {
        let (network, confidence) = (&self.experiment.network, self.findings.confidence);
        self.tally.as_ref()?.pools(network, confidence)
    }

    /// Returns the distributions of the number of tokens, if they were wanted.
    pub(super) fn distributions(&self) -> Option<Vec<Distribution>> {
        let (network, findings) = (&self.experiment.network, &self.findings);
        self.tally.as_ref()?.distributions(network, findings.tick, findings.confidence)
    }

    /// Returns the results by period, if the run has periods.
    pub(super) fn periods(&self) -> Option<Vec<Period>> {
        let (network, findings) = (&self.experiment.network, &self.findings);
        let periods = findings.periods.as_ref()?;
        Some(periods.report(network, self.tally.as_ref(), findings.tick, findings.confidence))
    }

    /// Counts classes, unless the run was interrupted before they were counted.
    pub(super) fn count_classes(&mut self) -> Result<(), ReplayError> {
        if self.partial.is_none() || self.findings.classes.is_some() {
            self.classes = Some(ClassFindings::of(&self.experiment, &self.findings)?);
        }
        Ok(())
    }
}

/// Describes the missing part of a run that was stopped.
fn partial(experiment: &Experiment, findings: &Findings) -> Option<String> {
    let (kept, asked) = (findings.replications.len() as u64, experiment.replications);
    // With several threads, later replications may have ended before earlier ones.
    let numbers: Vec<u64> = findings.replications.iter().map(|replication| replication.number).collect();
    let missing = (experiment.first..numbers.last().copied().unwrap_or(0))
        .filter(|number| numbers.binary_search(number).is_err());
    let missing: Vec<String> = missing.map(|number| number.to_string()).collect();
    let without = match missing.as_slice() {
        [] => String::new(),
        missing => {
            format!(" (without {} of those numbered from 0 to {})", missing.join(", "), numbers.last().unwrap_or(&0))
        }
    };
    let ends = findings.replications.iter().filter_map(|replication| replication.record.looks().last());
    let short = ends.filter(|look| look.time < experiment.horizon).map(|look| findings.tick.units(look.time));
    findings.partial.then(|| match short.reduce(f64::min) {
        Some(time) => {
            let horizon = findings.tick.units(experiment.horizon);
            format!(
                "{kept} of {asked} replications{without}, the shortest of them until {time} of {horizon} time units"
            )
        }
        None => format!("{kept} of {asked} replications{without}"),
    })
}
