//! Comma-separated values, as RFC 4180 has them, with a line of names.

use super::columns::{Nodes, Value};
use imminent::models::queueing::analysis::Replication;
use imminent::models::queueing::experiment::Findings;
use imminent::models::queueing::measures::Measure;
use imminent::models::queueing::trace::Times;
use imminent::models::time::units_from_ticks;
use std::io::{Result, Write};

/// One line for each node, or class at a node.
pub(super) fn nodes(file: &mut impl Write, nodes: &Nodes<'_>) -> Result<()> {
    let columns = nodes.columns();
    let names: Vec<_> = columns.iter().map(|column| column.name()).collect();
    writeln!(file, "{}", names.join(","))?;
    for node in nodes.places() {
        for (position, column) in columns.iter().enumerate() {
            let comma = if position == 0 { "" } else { "," };
            match column.value(nodes, node) {
                Value::Count(count) => write!(file, "{comma}{count}")?,
                Value::Number(Some(number)) => write!(file, "{comma}{number}")?,
                Value::Number(None) => write!(file, "{comma}")?,
                Value::Text(text) => write!(file, "{comma}\"{}\"", text.replace('"', "\"\""))?,
            }
        }
        writeln!(file)?;
    }
    Ok(())
}

/// One line for each bucket that is not empty: its least and greatest time, in time units, and how many visits fell into it.
pub(super) fn histogram(file: &mut impl Write, times: &Times) -> Result<()> {
    writeln!(file, "time,least,greatest,visits")?;
    for (name, histogram) in [("waiting", &times.waiting), ("sojourn", &times.sojourn)] {
        for (least, greatest, count) in histogram.filled() {
            writeln!(file, "{name},{},{},{count}", units_from_ticks(least), units_from_ticks(greatest))?;
        }
    }
    Ok(())
}

/// One line for each cell of each replication: when it ended, whether it counts, and the average node's measures in it.
pub(super) fn series(file: &mut impl Write, findings: &Findings) -> Result<()> {
    writeln!(file, "replication,time,counted,completed,{}", Measure::ALL.map(Measure::name).join(","))?;
    for (number, replication) in findings.replications.iter().enumerate() {
        for cell in 0..replication.record.looks().len().saturating_sub(1) {
            write_cell(file, number, replication, cell)?;
        }
    }
    Ok(())
}

fn write_cell(file: &mut impl Write, number: usize, replication: &Replication, cell: usize) -> Result<()> {
    let sample = replication.record.between(cell, cell + 1);
    let end = replication.record.looks().get(cell + 1).map_or(0, |look| look.time);
    let counted = replication.cut.ends.first().is_some_and(|first| cell >= *first);
    write!(file, "{number},{},{counted},{}", units_from_ticks(end), sample.sums.completed)?;
    for measure in Measure::ALL {
        match sample.value(measure) {
            Some(value) => write!(file, ",{value}")?,
            None => write!(file, ",")?,
        }
    }
    writeln!(file)
}
