//! Series and histograms of a run as comma-separated values, with a header.

use imminent::models::queueing::analysis::Replication;
use imminent::models::queueing::experiment::Findings;
use imminent::models::queueing::measures::Measure;
use imminent::models::queueing::trace::RunTimes;
use imminent::models::time::Tick;
use std::io::{Result, Write};

/// Writes one line per non-empty bucket: its least and greatest time, in time units, and its number of visits.
pub(super) fn histogram(file: &mut impl Write, times: &RunTimes, tick: Tick) -> Result<()> {
    writeln!(file, "time,least,greatest,visits")?;
    for (name, histogram) in [("waiting", times.waiting.all()), ("sojourn", times.sojourn.all())] {
        for (least, greatest, count) in histogram.filled() {
            writeln!(file, "{name},{},{},{count}", tick.units(least), tick.units(greatest))?;
        }
    }
    Ok(())
}

/// Writes one line per cell of each replication: its end, whether it counts, and the measures of the average node.
pub(super) fn series(file: &mut impl Write, findings: &Findings) -> Result<()> {
    writeln!(file, "replication,time,counted,completed,{}", Measure::ALL.map(Measure::name).join(","))?;
    for (number, replication) in findings.replications.iter().enumerate() {
        for cell in 0..replication.record.looks().len().saturating_sub(1) {
            write_cell(file, (number, replication), cell, findings.tick)?;
        }
    }
    Ok(())
}

fn write_cell(
    file: &mut impl Write,
    (number, replication): (usize, &Replication),
    cell: usize,
    tick: Tick,
) -> Result<()> {
    let sample = replication.record.between(cell, cell + 1);
    let end = replication.record.looks().get(cell + 1).map_or(0, |look| look.time);
    let counted = replication.cut.ends.first().is_some_and(|first| cell >= *first);
    write!(file, "{number},{},{counted},{}", tick.units(end), sample.sums.completed)?;
    for measure in Measure::ALL {
        match sample.value(measure) {
            Some(value) => write!(file, ",{value}")?,
            None => write!(file, ",")?,
        }
    }
    writeln!(file)
}
