//! Options of the models: each replaces a value of the configuration file, or a default.

use clap::Args;
use imminent::models::queueing::Start;
use imminent::models::queueing::analysis::{Ending, Plan, WarmUp};
use imminent::models::queueing::config::{Engine, RunOptions, TorusShape, WarmUpOption};
use imminent::models::queueing::engine::Schedule;
use imminent::models::queueing::measures::{Counted, Measure};
use imminent_console::Failure;
use std::path::PathBuf;

/// Options of the torus.
#[derive(Debug, Args)]
pub(crate) struct TorusArgs {
    /// Columns [default: 64].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    width: Option<u32>,
    /// Rows [default: 64].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    height: Option<u32>,
    /// Tokens per station [default: 1].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    tokens: Option<u32>,
    /// Mean service time, in time units [default: 10].
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    mean: Option<f64>,
}

impl TorusArgs {
    pub(super) fn apply(&self, shape: &mut TorusShape) {
        replace(&mut shape.width, self.width);
        replace(&mut shape.height, self.height);
        replace(&mut shape.tokens, self.tokens);
        replace(&mut shape.mean, self.mean);
    }
}

/// Options of every run.
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// Configuration file (TOML); options replace its values.
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Seed of all random numbers [default: 1].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Number of independent replications; with --precision the largest number [default: 1].
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    replications: Option<u64>,
    #[arg(long, hide = true, value_parser = |_: &str| earlier("--replications"))]
    reps: Option<String>,
    /// Engine: exact, interval or sequential [default: exact].
    #[arg(long, value_name = "E", value_parser = parse_engine)]
    engine: Option<Engine>,
    /// Interval of the engine `interval`, in time units.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    interval: Option<f64>,
    /// Simulated time, in time units; with --precision or --until-count the longest [default: 1000].
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    horizon: Option<f64>,
    /// Initial state of the tokens: one (each node has its own) or stationary [default: one].
    #[arg(long, value_name = "START", value_parser = parse_start)]
    start: Option<Start>,
    #[command(flatten)]
    output: OutputArgs,
    /// Schedule of the exact engine: auto, tiles or events. The result is the same.
    #[arg(long, value_name = "SCHEDULE", value_parser = parse_schedule, default_value = "auto")]
    pub(super) schedule: Schedule,
}

/// Options for the analysis of a run's output.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output analysis")]
struct OutputArgs {
    /// Warm-up that statistics leave out: a number of time units, or mser5 [default: 0].
    #[arg(long, value_name = "T|mser5", allow_negative_numbers = true)]
    warm_up: Option<WarmUpOption>,
    #[arg(long, hide = true, value_parser = |_: &str| earlier("--warm-up"))]
    warmup: Option<String>,
    /// Cut each replication into B batches, whose means give the intervals.
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    batches: Option<u32>,
    /// Number of looks at each replication after the warm-up [default: 1; 250 for mser5].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    observations: Option<u32>,
    /// Measure for mser5 and --precision [default: sojourn].
    #[arg(long, value_name = "NAME")]
    measure: Option<Measure>,
    /// Visits over which waiting and sojourn times are means: ended, started or arrived, after the warm-up [default:
    /// ended].
    #[arg(long, value_name = "VISITS")]
    count: Option<Counted>,
    /// End when the measure's relative error is below P: with --batches by a longer run, else by more replications.
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    precision: Option<f64>,
    /// End each replication when N services have been completed since the warm-up.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    until_count: Option<u64>,
    /// Interval at which the count is checked, in time units [default: a thousandth of the horizon].
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    check: Option<f64>,
}

impl OutputArgs {
    fn apply(&self, run: &mut RunOptions) {
        replace(&mut run.measure, self.measure);
        replace(&mut run.count, self.count);
        run.warm_up = self.warm_up.or(run.warm_up);
        run.batches = self.batches.or(run.batches);
        run.observations = self.observations.or(run.observations);
        run.precision = self.precision.or(run.precision);
        run.until_count = self.until_count.or(run.until_count);
        run.check = self.check.or(run.check);
    }
}

impl RunArgs {
    /// Fails for a schedule of an engine that has none.
    pub(super) fn check_schedule(&self, engine: Engine) -> Result<(), Failure> {
        if engine == Engine::Exact || self.schedule == Schedule::Auto {
            return Ok(());
        }
        Err(Failure::option(
            "--schedule",
            format!("the engine `{engine}` has no schedules: choose the engine `exact`, or leave the option out"),
        ))
    }

    /// Fails for a measure that is named and that nothing of a run's output depends on. The report of a run shows it.
    pub(super) fn check_measure(&self, plan: &Plan, has_report: bool) -> Result<(), Failure> {
        let by_plan = plan.warm_up == WarmUp::Mser5 || matches!(plan.ending, Ending::Precision(_));
        let is_used = by_plan || plan.batches.is_some() || has_report;
        match self.output.measure {
            Some(measure) if !is_used => Err(Failure::option(
                "--measure",
                format!(
                    "it is for --warm-up mser5, --precision, --batches and the report of --out: give one of them, or leave it out; `{}` is among the results anyway",
                    measure.name()
                ),
            )),
            _ => Ok(()),
        }
    }

    pub(super) fn apply(&self, run: &mut RunOptions) {
        replace(&mut run.seed, self.seed);
        replace(&mut run.replications, self.replications);
        replace(&mut run.engine, self.engine);
        replace(&mut run.horizon, self.horizon);
        replace(&mut run.start, self.start);
        self.output.apply(run);
        if self.interval.is_some() {
            run.interval = self.interval;
        }
    }
}

pub(super) fn replace<T>(value: &mut T, by: Option<T>) {
    if let Some(by) = by {
        *value = by;
    }
}

/// Refuses an option by its earlier name.
fn earlier(now: &str) -> Result<String, String> {
    Err(format!("it is called {now} now"))
}

fn parse_engine(text: &str) -> Result<Engine, String> {
    text.parse().map_err(|error: imminent::models::queueing::config::ConfigError| error.to_string())
}

fn parse_start(text: &str) -> Result<Start, String> {
    match text {
        "one" => Ok(Start::One),
        "stationary" => Ok(Start::Stationary),
        _ => Err("use `one` or `stationary`".to_owned()),
    }
}

fn parse_schedule(text: &str) -> Result<Schedule, String> {
    match text {
        "auto" => Ok(Schedule::Auto),
        "tiles" => Ok(Schedule::Tiles),
        "events" => Ok(Schedule::Events),
        _ => Err("use `auto`, `tiles` or `events`".to_owned()),
    }
}
