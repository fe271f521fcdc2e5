//! Table of a run's observations: a row for each cell of each replication.

use super::finished::FinishedRun;
use crate::measures::Measure;
use imminent_common::sheet::{Kind, Sheet, Value};
use std::sync::Arc;

/// Name of the table.
pub(super) const SERIES: &str = "series";

/// Columns before the measures.
const FIRST: [(&str, Kind); 4] =
    [("replication", Kind::Count), ("time", Kind::Number), ("counted", Kind::Count), ("completed", Kind::Count)];

/// Observations of a run: the end of each cell, 1 if it counts and 0 in the warm-up, and measures of the average node.
pub(super) struct Series {
    run: Arc<FinishedRun>,
    /// First row of each replication, and the number of all rows.
    starts: Vec<usize>,
    measures: Vec<Measure>,
}

impl Series {
    pub(super) fn of(run: &Arc<FinishedRun>) -> Self {
        let mut starts = vec![0];
        for replication in &run.findings.replications {
            let rows = replication.record.looks().len().saturating_sub(1);
            starts.push(starts.last().copied().unwrap_or(0) + rows);
        }
        let network = &run.experiment.network;
        let measures = Measure::ALL.into_iter().filter(|measure| measure.is_of(network)).collect();
        Self { run: Arc::clone(run), starts, measures }
    }
}

impl Sheet for Series {
    fn name(&self) -> &'static str {
        SERIES
    }

    fn columns(&self) -> Vec<(String, Kind)> {
        let measures = self.measures.iter().map(|measure| (measure.name(), Kind::Number));
        FIRST.into_iter().chain(measures).map(|(name, kind)| (name.to_owned(), kind)).collect()
    }

    fn rows(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    fn value(&self, row: usize, column: usize) -> Value {
        let number = self.starts.partition_point(|start| *start <= row).saturating_sub(1);
        let cell = row - self.starts.get(number).copied().unwrap_or(0);
        let Some(replication) = self.run.findings.replications.get(number) else { return Value::Number(None) };
        let (record, tick) = (&replication.record, self.run.findings.tick);
        match column {
            0 => Value::Count(number as u64),
            1 => Value::Number(record.looks().get(cell + 1).map(|look| tick.units(look.time))),
            2 => Value::Count(replication.cut.ends.first().is_some_and(|first| cell >= *first).into()),
            3 => Value::Count(record.between(cell, cell + 1).sums.completed),
            _ => {
                let measure = self.measures.get(column - FIRST.len());
                Value::Number(measure.and_then(|measure| record.between(cell, cell + 1).value(*measure)))
            }
        }
    }
}
