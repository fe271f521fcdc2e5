//! Collection of results while replications end, one after the other.
//!
//! If the warm-up is a fixed time, every replication is cut at it when it ends. MSER-5 finds the cut after all have
//! ended, from series averaged over replications. Node statistics of all replications at all observations would not fit
//! into memory, so they are summed for every possible cut. A cut that is found in the data that are then averaged
//! prefers quiet data, and times would be too short. The replications are therefore divided into halves, those with
//! even and those with odd numbers. The series of either half finds the cut of the other.

use super::classes::ClassFindings;
use super::findings::{Findings, Replication};
use super::mser::{BATCH, NotSettled, half_of, truncation};
use super::periods::Periods;
use super::plan::{Ending, Plan, WarmUp};
use super::record::{Cut, Record};
use super::sample::{NodeSums, Sample};
use crate::experiment::{Experiment, ExperimentError};
use crate::measures::{Basis, Measure};
use crate::nodes::MAX_LISTED;
use crate::outcome::{Ended, NodeResults, NodeStatistics, Statistics as _};
use crate::spent::Spent;
use crate::tally::{RunTally, Tally};
use imminent_common::output::Truncation;
use imminent_core::Error;
use std::borrow::Cow;
use std::time::Duration;

/// Sums over some replications, each from its cut on.
#[derive(Debug, Clone, Default)]
struct Gathered {
    replications: u64,
    nodes: NodeResults,
    observed: u64,
    node_sums: Vec<NodeSums>,
    tally: Option<RunTally>,
    classes: Option<ClassFindings>,
}

impl Gathered {
    /// Adds the part after a cut of a replication that ended at `horizon` with these statistics of its nodes.
    fn add(
        &mut self,
        experiment: &Experiment,
        record: &Record,
        (horizon, ends): (u64, Cow<'_, NodeResults>),
        cut: &Cut,
    ) -> Result<(), Error> {
        let first = record.first_of_nodes(cut);
        let began = record.looks.get(first).map_or(0, |look| look.time);
        self.observed += horizon.saturating_sub(began);
        let before = record.nodes.get(first).map_or(&[] as &[_], Vec::as_slice);
        let done = |node: usize, end: &NodeStatistics| before.get(node).map_or(*end, |before| end.since(before));
        if self.replications == 0 {
            // Statistics of a large network fill new memory slowly, so those of an only replication stay where they
            // are.
            self.nodes = ends.into_owned();
            if !before.is_empty() {
                self.nodes.update(|node, end| *end = done(node, end))?;
            }
        } else {
            let ends = ends.read()?;
            let of_node = |node| ends.of(node).map_or_else(NodeStatistics::default, |end| done(node, &end));
            self.nodes.update(|node, sum| *sum += of_node(node))?;
        }
        if record.keeps_nodes() && experiment.has_samples() {
            self.add_node_sums(experiment, record, cut);
        }
        self.tally = match (self.tally.take(), record.tallies(cut)) {
            (Some(sum), Some(tallies)) => Some((sum, tallies)),
            (None, Some(tallies)) if self.replications == 0 => Some((RunTally::new(record.gathered.clone()), tallies)),
            _ => None,
        }
        .map(|(mut sum, tallies)| {
            tallies.iter().for_each(|sample| sum.add(sample));
            if experiment.plan.every.is_some() {
                sum.add_periods(record.cells_gathered());
            }
            sum
        });
        self.replications += 1;
        Ok(())
    }

    fn add_node_sums(&mut self, experiment: &Experiment, record: &Record, cut: &Cut) {
        let network = &experiment.network;
        self.node_sums.resize(network.len(), NodeSums::default());
        for ends in cut.ends.windows(2) {
            let look = |end: Option<&usize>| end.and_then(|&end| record.nodes.get(end).zip(record.looks.get(end)));
            let Some(((before, from), (after, to))) = look(ends.first()).zip(look(ends.last())) else { continue };
            let span = to.time.saturating_sub(from.time);
            for ((node, sums), (before, after)) in (0..).zip(&mut self.node_sums).zip(before.iter().zip(after)) {
                let basis = Basis::of_node(network, node).counting(experiment.plan.counted);
                sums.add(&Sample { sums: after.since(before), basis, span, flow: None, spending: None });
            }
        }
    }

    /// Adds the statistics by class of the latest replication.
    fn add_classes(&mut self, experiment: &Experiment, record: &Record, cut: &Cut) {
        let network = &experiment.network;
        self.classes = match self.classes.take() {
            Some(classes) => classes.and(network, record, cut),
            None if self.replications == 1 => ClassFindings::first(experiment, record, cut),
            None => None,
        };
    }

    /// Merges the sums of other replications.
    fn and(mut self, other: Self) -> Result<Self, Error> {
        if other.replications == 0 {
            return Ok(self);
        }
        let others = other.nodes.read()?;
        self.nodes.update(|node, sum| *sum += others.of(node).unwrap_or_default())?;
        for (sums, others) in self.node_sums.iter_mut().zip(&other.node_sums) {
            sums.add_all(others);
        }
        self.tally = self.tally.zip(other.tally).map(|(mut sum, tally)| {
            sum.add_all(&tally);
            sum
        });
        self.classes = self.classes.zip(other.classes).map(|(classes, others)| classes.and_all(&others));
        self.observed += other.observed;
        self.replications += other.replications;
        Ok(self)
    }
}

/// Largest number of nodes times replications whose statistics are kept: 16 MB.
const MAX_KEPT: u64 = 1 << 16;

/// Returns the statistics of each node after the warm-up of a replication, from those at its end.
fn of_nodes(record: &Record, cut: &Cut, ends: &NodeResults) -> Result<Vec<NodeStatistics>, Error> {
    let before = record.nodes.get(record.first_of_nodes(cut)).map_or(&[] as &[_], Vec::as_slice);
    let ends = ends.read()?.to_rows();
    let since = |(node, end): (usize, NodeStatistics)| before.get(node).map_or(end, |before| end.since(before));
    Ok(ends.into_iter().enumerate().map(since).collect())
}

/// Returns the tally after the warm-up of a replication; an empty one if nothing was gathered.
fn tally(record: &Record, cut: &Cut) -> Tally {
    let mut all = Tally::default();
    record.tallies(cut).into_iter().flatten().for_each(|sample| all += &sample);
    all
}

/// Half of the replications: the sum of their cells, and their sums for each cut.
#[derive(Debug, Clone, Default)]
struct Half {
    replications: u64,
    cells: Vec<Sample>,
    gathered: Vec<Gathered>,
}

impl Half {
    /// Adds the cells of a replication; cells that another replication lacks are left out.
    fn add_cells(&mut self, record: &Record) {
        let cells = record.cells();
        if self.replications == 0 {
            self.cells = cells;
        } else {
            self.cells.truncate(cells.len());
            for (sum, cell) in self.cells.iter_mut().zip(&cells) {
                sum.sums += cell.sums;
                sum.span += cell.span;
                if let Some((sum, more)) = sum.spending.as_mut().zip(cell.spending) {
                    *sum += more;
                }
                if let Some((sum, more)) = sum.flow.as_mut().zip(cell.flow) {
                    *sum += more;
                }
            }
        }
        self.replications += 1;
    }

    /// Applies MSER-5 to the series averaged over these replications; `None` without a replication.
    fn truncation(&self, measure: Measure) -> Option<Truncation> {
        (self.replications > 0).then(|| truncation(&self.cells, measure))
    }
}

/// Rule by which the warm-up is deleted.
#[derive(Debug)]
enum Rule {
    /// Deletion up to a known time.
    Known(Box<Gathered>),
    /// Deletion by MSER-5.
    Mser(Box<[Half; 2]>),
}

/// Collected results of a run whose replications end one after the other.
#[derive(Debug)]
pub(crate) struct Gathering<'e> {
    experiment: &'e Experiment,
    findings: Findings,
    rule: Rule,
}

impl<'e> Gathering<'e> {
    /// Creates an empty collection for a run.
    pub(crate) fn new(experiment: &'e Experiment) -> Self {
        let rule = match experiment.plan.warm_up {
            WarmUp::Time(_) => Rule::Known(Box::default()),
            WarmUp::Mser5 => Rule::Mser(Box::default()),
        };
        let Plan { counted, confidence, every, .. } = experiment.plan;
        let (tick, periods) = (experiment.network.tick(), every.map(|_| Periods::new(counted)));
        let findings = Findings { tick, counted, confidence, periods, ..Findings::default() };
        Self { experiment, findings, rule }
    }

    /// Returns the number of replications that have ended.
    pub(crate) fn replications(&self) -> u64 {
        self.findings.replications.len() as u64
    }

    /// Adds wall time of reading results that was measured elsewhere.
    pub(crate) fn read_for(&mut self, time: Duration) {
        self.findings.spent.reading += time;
    }

    /// Adds the replication of this number, which has ended.
    ///
    /// # Errors
    /// Errors of the device on which the statistics of its nodes are.
    pub(crate) fn add(&mut self, number: u64, mut record: Record, ended: Ended, spent: Spent) -> Result<(), Error> {
        let (experiment, plan) = (self.experiment, &self.experiment.plan);
        let Ended { horizon, events, digest, nodes: mut ends } = ended;
        self.findings.events += events;
        self.findings.spent += spent;
        let whole = record.cut_after(plan, 0);
        let (nodes, tally) = if self.keeps_nodes() {
            (of_nodes(&record, &whole, &ends)?, tally(&record, &whole))
        } else {
            (vec![], Tally::default())
        };
        // Numbers of cells that MSER-5 may delete, by candidate.
        let mut known = vec![];
        let candidates: &mut Vec<Gathered> = match &mut self.rule {
            Rule::Known(gathered) => {
                known.push(std::mem::take(&mut **gathered));
                &mut known
            }
            Rule::Mser(halves) => {
                let [even, odd] = &mut **halves;
                let half = if half_of(number) == 0 { even } else { odd };
                half.add_cells(&record);
                let most = plan.most_cells(experiment.horizon) as usize / BATCH / 2;
                half.gathered.resize_with(most + 1, Gathered::default);
                &mut half.gathered
            }
        };
        let cuts: Vec<Cut> = (0..candidates.len()).map(|candidate| record.cut_after(plan, candidate * BATCH)).collect();
        let several = cuts.len() > 1;
        for (gathered, cut) in candidates.iter_mut().zip(&cuts) {
            let ends = if several { Cow::Borrowed(&ends) } else { Cow::Owned(std::mem::take(&mut ends)) };
            gathered.add(experiment, &record, (horizon, ends), cut)?;
        }
        if plan.by_class {
            record.take_only_class(&experiment.network);
            for (gathered, cut) in candidates.iter_mut().zip(&cuts) {
                gathered.add_classes(experiment, &record, cut);
            }
        }
        if let (Rule::Known(gathered), Some(sums)) = (&mut self.rule, known.pop()) {
            **gathered = sums;
            self.findings.samples.extend(record.samples(&whole));
        }
        if let Some(periods) = &mut self.findings.periods {
            periods.add(experiment, &record);
        }
        record.forget_nodes();
        let waits = tally.waits();
        self.findings.replications.push(Replication {
            number,
            record,
            cut: whole,
            nodes,
            waits,
            pools: tally.pools,
            digest,
        });
        Ok(())
    }

    /// Returns `true` if the statistics of nodes are kept for each replication.
    fn keeps_nodes(&self) -> bool {
        let nodes = self.experiment.network.len() as u64;
        let is_small = nodes <= MAX_LISTED as u64 && nodes.saturating_mul(self.experiment.replications) <= MAX_KEPT;
        is_small && matches!(self.rule, Rule::Known(_))
    }

    /// Returns the truncation of either half, found from the series of the other half. A single replication uses its
    /// own series.
    fn truncations(&self) -> Option<[Truncation; 2]> {
        let Rule::Mser(halves) = &self.rule else { return None };
        let measure = self.experiment.plan.measure;
        let [even, odd] = (**halves).each_ref().map(|half| half.truncation(measure));
        Some([odd.or(even)?, even?])
    }

    /// Cuts every replication at the truncation of MSER-5.
    fn cut(&mut self, truncations: [Truncation; 2]) {
        self.findings.samples.clear();
        for replication in &mut self.findings.replications {
            let removed = truncations.get(half_of(replication.number)).map_or(0, |truncation| truncation.removed);
            replication.cut = replication.record.cut_after(&self.experiment.plan, removed);
            self.findings.samples.extend(replication.record.samples(&replication.cut));
        }
    }

    /// Returns `true` if the precision is reached, for runs that add replications until then.
    pub(crate) fn is_precise(&mut self) -> bool {
        let plan: &Plan = &self.experiment.plan;
        let Ending::Precision(precision) = plan.ending else { return false };
        if plan.batches.is_some() {
            return false;
        }
        if let Some(truncations) = self.truncations() {
            if !truncations.iter().all(|truncation| truncation.settled) {
                return false;
            }
            self.cut(truncations);
        }
        let estimate = Sample::estimate(&self.findings.samples, plan.measure, plan.confidence);
        precision.met(&estimate, self.findings.samples.len())
    }

    /// Ends the run and returns its findings.
    ///
    /// # Errors
    /// MSER-5 found no steady state, or the statistics of nodes cannot be read.
    pub(crate) fn conclude<E>(mut self) -> Result<Findings, ExperimentError<E>> {
        let truncations = self.truncations();
        if let Some(truncations) = truncations {
            if !truncations.iter().all(|truncation| truncation.settled) {
                let (measure, replications) = (self.experiment.plan.measure, self.replications());
                return Err(NotSettled { measure, replications }.into());
            }
            self.cut(truncations);
        }
        let sums = match self.rule {
            Rule::Known(gathered) => *gathered,
            Rule::Mser(halves) => {
                let removed = truncations.map_or([0; 2], |of| of.map(|truncation| truncation.removed));
                let [even, odd] = *halves;
                let at =
                    |half: Half, removed: usize| half.gathered.into_iter().nth(removed / BATCH).unwrap_or_default();
                let [first, second] = removed;
                at(even, first).and(at(odd, second))?
            }
        };
        let Gathered { nodes, observed, node_sums, tally, classes, .. } = sums;
        let mut findings = Findings { nodes, observed, node_sums, tally, classes, ..self.findings };
        findings.conclude(&self.experiment.plan);
        Ok(findings)
    }
}
