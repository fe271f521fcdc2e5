//! `--trace` and `--histogram`: single visits, of a run that is over, by simulating it once more in the sequential engine; or times of visits as the engine
//! counted them.

use crate::cli::Failure;
use clap::Args;
use imminent::models::queueing::experiment::{Experiment, Findings};
use imminent::models::queueing::trace::{Sampling, Times, Visit, replay};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Which visits are recorded, and where.
#[derive(Debug, Args)]
#[command(next_help_heading = "Single visits")]
pub(super) struct TraceArgs {
    /// Write the visits of tokens to nodes into FILE, which ends in .parquet or .bin. The run is simulated once more for it, by the sequential engine.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Share of the visits that the trace keeps [default: 1].
    #[arg(long, value_name = "SHARE", requires = "trace", value_parser = share)]
    trace_sample: Option<Sampling>,
    /// Record histograms of waiting and sojourn times, for their quantiles. The exact engine counts while it runs; after the engine `sequential`, and the
    /// schedule `sweep`, the run is simulated once more.
    #[arg(long)]
    histogram: bool,
}

fn share(text: &str) -> Result<Sampling, String> {
    let share = text.parse().map_err(|_| "give a number above 0 and at most 1".to_owned())?;
    Sampling::new(share).map_err(|error| error.to_string())
}

/// A trace that was opened before the run, so that no work is lost for a mistyped name.
pub(super) struct Recorder {
    sink: Option<(PathBuf, Sink)>,
    sampling: Sampling,
    histogram: bool,
}

enum Sink {
    Binary(BufWriter<File>),
    #[cfg(feature = "report")]
    Parquet(Box<super::folder::VisitWriter<BufWriter<File>>>),
}

/// What a binary trace begins with: a name and the version of the form.
const MAGIC: &[u8; 8] = b"IMTRACE1";

impl TraceArgs {
    /// Whether times of visits are to be counted.
    pub(super) fn asks_for_times(&self) -> bool {
        self.histogram
    }

    /// Opens what was asked for.
    pub(super) fn open(&self) -> Result<Recorder, Failure> {
        let sink = self.trace.as_ref().map(|path| Ok::<_, Failure>((path.clone(), open(path)?))).transpose()?;
        Ok(Recorder { sink, sampling: self.trace_sample.unwrap_or(Sampling::ALL), histogram: self.histogram })
    }
}

fn open(path: &Path) -> Result<Sink, Failure> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let create = || File::create(path).map(BufWriter::new).map_err(|error| failed(path, &error));
    match extension {
        "bin" => {
            let mut file = create()?;
            file.write_all(MAGIC).map_err(|error| failed(path, &error))?;
            Ok(Sink::Binary(file))
        }
        #[cfg(feature = "report")]
        "parquet" => super::folder::VisitWriter::new(create()?)
            .map(|writer| Sink::Parquet(Box::new(writer)))
            .map_err(|error| failed(path, &error)),
        _ => Err(Failure::usage(format!("--trace {}: a trace ends in .parquet or .bin", path.display()))),
    }
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::run(format!("{}: cannot be written: {error}", path.display()))
}

impl Recorder {
    /// Simulates once more what was found, if that is needed; gives the histograms that were asked for, which the engine may have counted.
    pub(super) fn record(self, experiment: &Experiment, findings: &Findings) -> Result<Option<Times>, Failure> {
        let Self { mut sink, sampling, histogram } = self;
        if sink.is_none() && !histogram {
            return Ok(None);
        }
        if sink.is_none() && findings.times.is_some() {
            return Ok(findings.times.clone());
        }
        let mut times = Times::default();
        let mut trouble = None;
        replay(experiment, findings, |replication, counted, visit| {
            if counted && experiment.network.station(visit.node).is_some() {
                times.add(visit);
            }
            if let Some((path, sink)) = &mut sink
                && trouble.is_none()
                && sampling.keeps(replication, visit)
            {
                trouble = sink.write(replication, visit).err().map(|error| failed(path, &error));
            }
        })
        .map_err(Failure::run)?;
        if let Some(trouble) = trouble {
            return Err(trouble);
        }
        if let Some((path, sink)) = sink {
            sink.finish().map_err(|error| failed(&path, &error))?;
        }
        Ok(histogram.then_some(times))
    }
}

impl Sink {
    fn write(&mut self, replication: u64, visit: &Visit) -> std::io::Result<()> {
        match self {
            Self::Binary(file) => file.write_all(&binary(replication, visit)),
            #[cfg(feature = "report")]
            Self::Parquet(writer) => writer.write(replication, visit).map_err(std::io::Error::other),
        }
    }

    fn finish(self) -> std::io::Result<()> {
        match self {
            Self::Binary(mut file) => file.flush(),
            #[cfg(feature = "report")]
            Self::Parquet(writer) => writer.finish().map_err(std::io::Error::other),
        }
    }
}

/// A visit as 48 bytes, little-endian: replication, node, class, destination (all ones: out of the network) as 32 bits each, then number, arrival, start and
/// departure as 64 bits each, times in ticks.
fn binary(replication: u64, visit: &Visit) -> Vec<u8> {
    let words = [replication as u32, visit.node, visit.class, visit.to.unwrap_or(u32::MAX)];
    let longs = [visit.number, visit.arrived, visit.started, visit.left];
    words.iter().flat_map(|word| word.to_le_bytes()).chain(longs.iter().flat_map(|long| long.to_le_bytes())).collect()
}
