//! Options of `imminent study`.

use super::devices::DevicesArgs;
use crate::results::ResultsArgs;
use clap::Args;
use imminent::models::estimate::Confidence;
use std::path::PathBuf;
use std::time::Duration;

/// Options of `imminent study`.
#[derive(Debug, Args)]
pub(crate) struct StudyArgs {
    /// Study file (TOML).
    #[arg(required_unless_present = "models")]
    pub(super) file: Option<PathBuf>,
    /// Earlier spelling of `imminent describe`.
    #[arg(long, hide = true)]
    pub(super) models: bool,
    /// Carry out the study together with the other processes that `mpirun` has started, each of which takes the device
    /// with its number on its machine among those of --device.
    #[arg(long, conflicts_with = "plan")]
    pub(super) mpi: bool,
    /// Say how many points and runs the study has, and list the points, without running any.
    #[arg(long, conflicts_with = "out")]
    pub(super) plan: bool,
    /// Keep the runs of event models that are under way in --out every so many seconds, and at Ctrl-C, to go on with
    /// them later; 0 to keep none. No more than a fiftieth of the time goes into it.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = interval, requires = "out")]
    pub(super) checkpoint: Duration,
    /// Which runs of an event model a device has side by side, whatever the study says; it changes no result.
    #[arg(long, value_name = "none|due|apart|spread|sort|pad|compact|auto")]
    pub(super) mapping: Option<String>,
    /// Confidence of the intervals of means, whatever the study says; it changes no run [default: 0.95].
    #[arg(long, value_name = "P", value_parser = confidence)]
    pub(super) confidence: Option<Confidence>,
    /// Number that the study's file gives.
    #[arg(long = "replications", hide = true, value_name = "N", value_parser = of_file)]
    _replications: Option<u64>,
    /// Print on standard error how long the study is predicted to take on the host and on GPUs.
    #[arg(long)]
    pub(super) explain: bool,
    #[command(flatten)]
    pub(super) device: DevicesArgs,
    #[command(flatten)]
    pub(super) results: ResultsArgs,
}

/// Refuses a number of replications, which a study has in its file.
fn of_file(text: &str) -> Result<u64, String> {
    Err(format!("a study says it in its file: write `repetitions = {text}` there"))
}

/// Parses a confidence.
fn confidence(text: &str) -> Result<Confidence, String> {
    let level = text.parse().map_err(|_| "give a number such as 0.95".to_owned())?;
    Confidence::new(level).map_err(|error| error.to_string())
}

/// Parses a number of seconds.
fn interval(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "give a number of seconds, such as 60; with 0 no states are saved".to_owned())
}
