//! `--out`: a folder with all results of a run.
//!
//! | file | contents |
//! | --- | --- |
//! | `result.json` | the object that `--json` prints |
//! | `queues.csv`, `queues.parquet` | a row for each queue: length, utilization, loss in the queue and on the link |
//! | `flows.csv`, `flows.parquet` | a row for the fluid, and one for the packets, of each flow: rate, window, round-trip time |
//! | `packets.csv`, `packets.parquet` | if there are packets, a row for each flow with some: delays, loss, goodput |
//! | `delays.csv`, `delays.parquet` | if there are packets, the distribution of delays of each flow |
//! | `queue_series.csv`, `.parquet` | lengths of queues over time |
//! | `flow_series.csv`, `.parquet` | windows, round-trip times and rates of flows over time |
//! | `report.html` | the report for people, self-contained |

use super::report::Report;
use imminent::models::sheet::{Kind, Of, Records, Sheet, Value};
use imminent::models::traffic::Traffic;
use imminent::models::traffic::packet::FlowReport;
use imminent::models::traffic::simulation::delays::{self, DelayBar};
use imminent::models::traffic::simulation::record::{FlowPoint, QueuePoint};
use imminent::models::traffic::simulation::results::{FlowRow, QueueRow};
use imminent::models::traffic::simulation::{Record, Results};
use imminent_report::folder::{Draft, FolderError, Names};

/// Names of the files of a run.
pub(super) const NAMES: Names<'_> = Names {
    written: &[
        "result.json",
        "queues.csv",
        "queues.parquet",
        "flows.csv",
        "flows.parquet",
        "packets.csv",
        "packets.parquet",
        "delays.csv",
        "delays.parquet",
        "queue_series.csv",
        "queue_series.parquet",
        "flow_series.csv",
        "flow_series.parquet",
        "report.html",
    ],
    kept: &[],
};

/// Writes all files.
pub(super) fn write(
    folder: &Draft,
    report: &Report,
    traffic: &Traffic,
    rows: &Results,
    record: &Record,
) -> Result<(), FolderError> {
    folder.json(report)?;
    folder.sheet(&Records { name: "queues", columns: &QUEUES, rows: &rows.queues })?;
    folder.sheet(&Records { name: "flows", columns: &FLOWS, rows: &rows.flows })?;
    if record.packets.is_some() {
        folder.sheet(&Records { name: "packets", columns: &PACKETS, rows: &rows.packets })?;
        folder.sheet(&Records { name: "delays", columns: &DELAYS, rows: &delays::bars(traffic, record) })?;
    }
    folder.sheet(&QueueSeries { traffic, points: &record.queue_series })?;
    folder.sheet(&FlowSeries { traffic, points: &record.flow_series })?;
    #[cfg(feature = "report")]
    folder.page(super::html::page(report, traffic, rows, record))?;
    Ok(())
}

/// Columns of queues. Rates are in bits per second, lengths in bytes.
pub(super) const QUEUES: [(&str, Of<QueueRow>); 14] = [
    ("link", Of::Count(|row| row.link.into())),
    ("label", Of::Text(|row| row.label.clone())),
    ("from", Of::Text(|row| row.from.clone())),
    ("to", Of::Text(|row| row.to.clone())),
    ("bandwidth", Of::Count(|row| row.bandwidth)),
    ("offered", Of::Number(|row| Some(row.offered))),
    ("carried", Of::Number(|row| Some(row.carried))),
    ("capacity", Of::Count(|row| row.capacity)),
    ("mean_length", Of::Number(|row| Some(row.mean_length))),
    ("greatest_length", Of::Number(|row| Some(row.greatest_length))),
    ("utilization", Of::Number(|row| Some(row.utilization))),
    ("loss", Of::Number(|row| Some(row.loss))),
    ("link_loss", Of::Number(|row| Some(row.link_loss))),
    ("lost", Of::Number(|row| Some(row.lost))),
];

/// Columns of flows. Rates are in bits per second, windows in packets, times in seconds.
pub(super) const FLOWS: [(&str, Of<FlowRow>); 10] = [
    ("flow", Of::Count(|row| row.flow.into())),
    ("label", Of::Text(|row| row.label.clone())),
    ("from", Of::Text(|row| row.from.clone())),
    ("to", Of::Text(|row| row.to.clone())),
    ("kind", Of::Text(|row| row.kind.to_owned())),
    ("part", Of::Text(|row| row.part.name().to_owned())),
    ("sessions", Of::Count(|row| row.sessions.into())),
    ("rate", Of::Number(|row| Some(row.rate))),
    ("window", Of::Number(|row| row.window)),
    ("round_trip", Of::Number(|row| row.round_trip)),
];

/// Columns of packets. Counts are of packets, goodput is in bits per second, delays are in seconds.
pub(super) const PACKETS: [(&str, Of<FlowReport>); 18] = [
    ("flow", Of::Count(|row| row.flow.into())),
    ("label", Of::Text(|row| row.label.clone())),
    ("sent", Of::Count(|row| row.sent)),
    ("again", Of::Count(|row| row.again)),
    ("delivered", Of::Count(|row| row.delivered)),
    ("dropped", Of::Count(|row| row.dropped)),
    ("lost", Of::Count(|row| row.lost)),
    ("loss", Of::Number(|row| row.loss)),
    ("goodput", Of::Number(|row| Some(row.goodput))),
    ("mean_delay", Of::Number(|row| row.delay.map(|delay| delay.mean))),
    ("least_delay", Of::Number(|row| row.delay.map(|delay| delay.least))),
    ("median_delay", Of::Number(|row| row.delay.map(|delay| delay.median))),
    ("p90_delay", Of::Number(|row| row.delay.map(|delay| delay.p90))),
    ("p95_delay", Of::Number(|row| row.delay.map(|delay| delay.p95))),
    ("p99_delay", Of::Number(|row| row.delay.map(|delay| delay.p99))),
    ("greatest_delay", Of::Number(|row| row.delay.map(|delay| delay.greatest))),
    ("timeouts", Of::Count(|row| row.timeouts)),
    ("answers", Of::Count(|row| row.answers)),
];

/// Columns of delays, in seconds.
const DELAYS: [(&str, Of<DelayBar>); 5] = [
    ("flow", Of::Count(|row| row.flow.into())),
    ("label", Of::Text(|row| row.label.clone())),
    ("from", Of::Number(|row| Some(row.from))),
    ("to", Of::Number(|row| Some(row.to))),
    ("packets", Of::Count(|row| row.packets)),
];

/// Queues over time, in seconds, bytes, bits per second, and shares.
struct QueueSeries<'a> {
    traffic: &'a Traffic,
    points: &'a [QueuePoint],
}

impl Sheet for QueueSeries<'_> {
    fn name(&self) -> &'static str {
        "queue_series"
    }

    fn columns(&self) -> Vec<(String, Kind)> {
        named([
            ("time", Kind::Number),
            ("link", Kind::Count),
            ("label", Kind::Text),
            ("length", Kind::Number),
            ("arrivals", Kind::Number),
            ("loss", Kind::Number),
        ])
    }

    fn rows(&self) -> usize {
        self.points.len()
    }

    fn value(&self, row: usize, column: usize) -> Value {
        let Some(QueuePoint { time, sample }) = self.points.get(row).copied() else { return Value::Number(None) };
        match column {
            0 => Value::Number(Some(time)),
            1 => Value::Count(sample.link.into()),
            2 => Value::Text(self.traffic.network().link_label(sample.link)),
            3 => Value::Number(Some(sample.length)),
            4 => Value::Number(sample.passing.map(|(arrivals, _)| arrivals)),
            _ => Value::Number(sample.passing.map(|(_, loss)| loss)),
        }
    }
}

/// Flows over time, in seconds, packets, and bits per second.
struct FlowSeries<'a> {
    traffic: &'a Traffic,
    points: &'a [FlowPoint],
}

impl Sheet for FlowSeries<'_> {
    fn name(&self) -> &'static str {
        "flow_series"
    }

    fn columns(&self) -> Vec<(String, Kind)> {
        named([
            ("time", Kind::Number),
            ("flow", Kind::Count),
            ("label", Kind::Text),
            ("part", Kind::Text),
            ("window", Kind::Number),
            ("round_trip", Kind::Number),
            ("rate", Kind::Number),
        ])
    }

    fn rows(&self) -> usize {
        self.points.len()
    }

    fn value(&self, row: usize, column: usize) -> Value {
        let Some(FlowPoint { time, sample }) = self.points.get(row).copied() else { return Value::Number(None) };
        match column {
            0 => Value::Number(Some(time)),
            1 => Value::Count(sample.flow.into()),
            2 => Value::Text(self.traffic.flows().label(sample.flow)),
            3 => Value::Text(sample.part.name().to_owned()),
            4 => Value::Number(sample.window),
            5 => Value::Number(sample.round_trip),
            _ => Value::Number(Some(sample.rate)),
        }
    }
}

fn named<const N: usize>(columns: [(&str, Kind); N]) -> Vec<(String, Kind)> {
    columns.into_iter().map(|(name, kind)| (name.to_owned(), kind)).collect()
}
