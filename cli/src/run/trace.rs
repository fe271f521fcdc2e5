//! `--trace`, `--histogram` and `--end-to-end`: single visits and whole passages. They are recorded by simulating a
//! completed run once more in the sequential engine, unless the engine has counted the times of visits.

use super::engine::Stop;
use clap::Args;
use imminent::models::queueing::end_to_end::EndToEnd;
use imminent::models::queueing::experiment::{Experiment, Findings};
use imminent::models::queueing::trace::{Counter, RunTimes, Sampling, Visit, replay_until};
use imminent_console::Failure;
use imminent_console::progress::Bar;
use imminent_report::file::{NewFile, WriteError};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Options for recording visits.
#[derive(Debug, Args)]
#[command(next_help_heading = "Single visits")]
pub(super) struct TraceArgs {
    /// Write the visits of tokens to nodes into FILE, which ends in .parquet or .bin. The sequential engine simulates
    /// the run once more for it.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Share of the visits that the trace keeps [default: 1].
    #[arg(long, value_name = "SHARE", requires = "trace", value_parser = share)]
    trace_sample: Option<Sampling>,
    /// Record the distributions of waiting and sojourn times, for their quantiles: within 0.8 %, with intervals over
    /// replications or batches. The exact engine counts during the run; after the engine `sequential` the run is
    /// simulated once more.
    #[arg(long)]
    histogram: bool,
    /// Record the times of tokens from their source to the exit, by source and class. The sequential engine simulates
    /// the run once more for it.
    #[arg(long)]
    end_to_end: bool,
}

fn share(text: &str) -> Result<Sampling, String> {
    let share = text.parse().map_err(|_| "give a number above 0 and at most 1".to_owned())?;
    Sampling::new(share).map_err(|error| error.to_string())
}

/// Trace that is opened before the run, so that a mistyped name costs no work.
pub(super) struct Recorder {
    sink: Option<(PathBuf, Sink)>,
    sampling: Sampling,
    histogram: bool,
    end_to_end: bool,
}

/// Records of a run.
#[derive(Default)]
pub(super) struct Recorded {
    pub(super) times: Option<RunTimes>,
    pub(super) end_to_end: Option<EndToEnd>,
    /// Description of missing records, if recording was interrupted.
    pub(super) missing: Option<String>,
}

enum Sink {
    Binary(NewFile),
    #[cfg(feature = "parquet")]
    Parquet(Box<super::folder::VisitWriter<NewFile>>),
}

/// First bytes of a binary trace: a name and the version of the format.
const MAGIC: &[u8; 8] = b"IMTRACE1";

impl TraceArgs {
    /// Returns `true` if the times of visits must be counted.
    pub(super) fn asks_for_times(&self) -> bool {
        self.histogram
    }

    /// Opens the requested outputs.
    pub(super) fn open(&self, experiment: &Experiment) -> Result<Recorder, Failure> {
        if self.end_to_end && !experiment.network.has_sources() {
            return Err(Failure::usage(
                "--end-to-end: this network has no source, so no token comes in: leave the option out",
            ));
        }
        let sink = self.trace.as_ref().map(|path| Ok::<_, Failure>((path.clone(), open(path)?))).transpose()?;
        let sampling = self.trace_sample.unwrap_or(Sampling::ALL);
        Ok(Recorder { sink, sampling, histogram: self.histogram, end_to_end: self.end_to_end })
    }
}

fn open(path: &Path) -> Result<Sink, Failure> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let create = || NewFile::begin(path).map_err(|error| WriteError::new(path, &error));
    match extension {
        "bin" => {
            let mut file = create()?;
            file.write_all(MAGIC).map_err(|error| WriteError::new(path, &error))?;
            Ok(Sink::Binary(file))
        }
        #[cfg(feature = "parquet")]
        "parquet" => super::folder::VisitWriter::new(create()?)
            .map(|writer| Sink::Parquet(Box::new(writer)))
            .map_err(|error| WriteError::new(path, &error).into()),
        #[cfg(not(feature = "parquet"))]
        "parquet" => Err(Failure::usage(crate::absent::Absent::Parquet { file: path.to_owned() })),
        _ => Err(Failure::usage(format!(
            "--trace {}: the name of a trace ends in .parquet or .bin: rename it",
            path.display()
        ))),
    }
}

impl Recorder {
    /// Returns the requested times if the engine counted them.
    pub(super) fn counted(&self, findings: &Findings) -> Option<RunTimes> {
        findings.times.clone().filter(|_| self.histogram)
    }

    /// Simulates a run once more, if needed, until its end or until `stop` returns `true`.
    pub(super) fn record(self, experiment: &Experiment, findings: &Findings, stop: Stop) -> Result<Recorded, Failure> {
        let counted = self.counted(findings);
        let Self { mut sink, sampling, histogram, end_to_end } = self;
        if sink.is_none() && !end_to_end && (!histogram || counted.is_some()) {
            return Ok(Recorded { times: counted, ..Recorded::default() });
        }
        let bar = Bar::new(findings.replications.len() as u64, "replications recorded");
        let mut times = Counter::new(experiment, findings);
        let mut passages = EndToEnd::of(findings);
        let (mut trouble, mut reached) = (None, 0);
        let whole = replay_until(
            experiment,
            findings,
            |replication, sample, visit| {
                if reached != replication {
                    reached = replication;
                    bar.done(reached);
                }
                times.add(replication, visit);
                if let Some(sample) = sample.filter(|_| end_to_end) {
                    passages.add(replication, sample, visit);
                }
                if let Some((path, sink)) = &mut sink
                    && trouble.is_none()
                    && sampling.keeps(replication, visit)
                {
                    trouble = sink.write(replication, visit).err().map(|error| WriteError::new(path, &error));
                }
            },
            &stop,
        );
        let whole = whole.map_err(Failure::run)?;
        drop(bar);
        if let Some(trouble) = trouble {
            return Err(trouble.into());
        }
        let mut missing = (!whole).then(|| "times and visits were not recorded to the end".to_owned());
        if let Some((path, sink)) = sink {
            let kept = sink.finish(whole).map_err(|error| WriteError::new(&path, &error))?;
            missing = missing.map(|missing| format!("{missing}; the visits so far are in {}", kept.display()));
        }
        Ok(Recorded {
            times: counted.or_else(|| (whole && histogram).then(|| times.finish())),
            end_to_end: (whole && end_to_end).then_some(passages),
            missing,
        })
    }
}

impl Sink {
    fn write(&mut self, replication: u64, visit: &Visit) -> std::io::Result<()> {
        match self {
            Self::Binary(file) => file.write_all(&binary(replication, visit)),
            #[cfg(feature = "parquet")]
            Self::Parquet(writer) => writer.write(replication, visit).map_err(std::io::Error::other),
        }
    }

    /// Completes the file, and moves it to its path if it is whole, otherwise beside it. Returns the path.
    fn finish(self, whole: bool) -> std::io::Result<PathBuf> {
        let file = match self {
            Self::Binary(file) => file,
            #[cfg(feature = "parquet")]
            Self::Parquet(writer) => writer.finish().map_err(std::io::Error::other)?,
        };
        if whole { file.finish() } else { file.finish_partial() }
    }
}

/// Encodes a visit as 48 bytes, little-endian. Replication, node, class and destination have 32 bits each; a
/// destination of all ones means out of the network. Number, arrival, start and departure have 64 bits each, times in
/// ticks.
fn binary(replication: u64, visit: &Visit) -> Vec<u8> {
    let words = [replication as u32, visit.node, visit.class, visit.to.unwrap_or(u32::MAX)];
    let longs = [visit.number, visit.arrived, visit.started, visit.left];
    words.iter().flat_map(|word| word.to_le_bytes()).chain(longs.iter().flat_map(|long| long.to_le_bytes())).collect()
}
