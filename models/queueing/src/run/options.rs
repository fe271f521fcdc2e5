//! Options of a run that are no keys of its configuration.

use crate::analysis::{Ending, Plan, WarmUp};
use crate::config::Engine;
use crate::engine::Schedule;
use crate::experiment::Experiment;
use crate::network::Network;
use crate::tally::{Threshold, Wanted};
use crate::trace::Sampling;
use imminent_study::experiment::{OptionValues, RunOption};
use imminent_study::laboratory::Fault;

/// Option with the file of visits.
pub(super) const RECORD: &str = "record";
const SAMPLE: &str = "record-sample";
const HISTOGRAM: &str = "histogram";
const END_TO_END: &str = "end-to-end";
pub(super) const BEYOND: &str = "beyond";
const QUANTILES: &str = "quantiles";
const DISTRIBUTION: &str = "distribution";
pub(super) const BY_CLASS: &str = "by-class";
const SCHEDULE: &str = "schedule";

/// All options.
pub(super) const ALL: [RunOption; 9] = [
    RunOption {
        name: RECORD,
        value: Some("FILE"),
        about: "Write the visits of tokens to nodes into FILE, which ends in .parquet or .bin. The sequential engine simulates the run once more for it.",
    },
    RunOption {
        name: SAMPLE,
        value: Some("SHARE"),
        about: "Share of the visits that --record keeps, above 0 [default: 1].",
    },
    RunOption {
        name: HISTOGRAM,
        value: None,
        about: "Record the distributions of waiting and sojourn times, for their quantiles: within 0.8 %, with intervals over replications or batches. All engines but `interval` count during the run.",
    },
    RunOption {
        name: END_TO_END,
        value: None,
        about: "Record the times of tokens from their source to the exit, by source and class, with quantiles. Engines of the host count during the run; on a named device the sequential engine simulates the run once more for it.",
    },
    RunOption {
        name: BEYOND,
        value: Some("TIME..."),
        about: "Report the share of visits that wait longer than TIME time units, and of those that wait at all, at each station, and with --by-class at each class there; may be given several times. Counted as --end-to-end is.",
    },
    RunOption {
        name: QUANTILES,
        value: None,
        about: "Report quantiles of waiting and sojourn times at each station, and with --by-class at each class there. Counted as --end-to-end is.",
    },
    RunOption {
        name: DISTRIBUTION,
        value: None,
        about: "Report the distribution of the number of tokens in the whole network and at each station: shares of the time. Counted as --end-to-end is.",
    },
    RunOption { name: BY_CLASS, value: None, about: "Also report statistics of each class of tokens." },
    RunOption {
        name: SCHEDULE,
        value: Some("SCHEDULE"),
        about: "Schedule of the exact engine: auto, tiles or events. The result is the same [default: auto].",
    },
];

/// Values of the options.
#[derive(Debug, Clone)]
pub(super) struct Options {
    pub(super) sampling: Sampling,
    pub(super) histogram: bool,
    end_to_end: bool,
    /// Times, in time units, of which the shares of longer waits are wanted.
    beyond: Vec<f64>,
    quantiles: bool,
    distribution: bool,
    pub(super) by_class: bool,
    pub(super) schedule: Schedule,
}

impl Options {
    /// Reads the options for a run by an engine.
    pub(super) fn of(given: &OptionValues, engine: Engine) -> Result<Self, Fault> {
        let options = Self {
            sampling: sampling(given)?,
            histogram: given.is_given(HISTOGRAM),
            end_to_end: given.is_given(END_TO_END),
            beyond: given.values(BEYOND).map(beyond).collect::<Result<_, _>>()?,
            quantiles: given.is_given(QUANTILES),
            distribution: given.is_given(DISTRIBUTION),
            by_class: given.is_given(BY_CLASS),
            schedule: schedule(given.value(SCHEDULE))?,
        };
        if options.by_class && engine == Engine::Interval {
            return Err("--by-class: the engine `interval` does not count classes: choose an exact engine, or leave the option out".into());
        }
        let visits = [
            (BEYOND, !options.beyond.is_empty()),
            (QUANTILES, options.quantiles),
            (DISTRIBUTION, options.distribution),
            (END_TO_END, options.end_to_end),
        ];
        for (option, is_given) in visits {
            if is_given && engine == Engine::Interval {
                let problem = "the engine `interval` clusters events, so its run has no single visits: choose another engine, or leave the option out";
                return Err(format!("--{option}: {problem}").into());
            }
        }
        check_schedule(options.schedule, engine)?;
        Ok(options)
    }

    /// Checks that a run of a network can have what the options ask for.
    pub(super) fn check(&self, experiment: &Experiment) -> Result<(), Fault> {
        if self.end_to_end && !experiment.network.has_sources() {
            return Err("--end-to-end: this network has no source, so no token comes in: leave the option out".into());
        }
        if self.end_to_end
            && let Some(node) = experiment.network.leaves_in_parts()
        {
            let label = experiment.network.label(node);
            return Err(format!("--end-to-end: parts of a forked token can leave the network at '{label}' one by one, so its time there is not defined: join them before, or leave the option out").into());
        }
        self.wanted(&experiment.network)?.check(&experiment.network)?;
        Ok(())
    }

    /// Returns `true` if the options ask for something that engines of the host gather as they run, and others by a
    /// second run.
    pub(super) fn suits_host(&self) -> bool {
        let is_asked = self.end_to_end || self.quantiles || self.distribution || !self.beyond.is_empty();
        is_asked && self.schedule == Schedule::Auto
    }

    /// Returns what is gathered of visits and numbers.
    pub(super) fn wanted(&self, network: &Network) -> Result<Wanted, Fault> {
        let threshold = |units: &f64| {
            Threshold::new(*units, network.tick()).map_err(|error| format!("--{BEYOND} {units}: {error}"))
        };
        let beyond = self.beyond.iter().map(threshold).collect::<Result<_, _>>()?;
        Ok(Wanted {
            times: self.histogram,
            beyond,
            quantiles: self.quantiles,
            by_class: self.by_class && network.classes() > 1,
            end_to_end: self.end_to_end,
            numbers: self.distribution,
            pools: network.has_pools(),
        })
    }
}

/// Reads a time of which longer waits are counted.
fn beyond(text: &str) -> Result<f64, Fault> {
    let time = text.parse().ok().filter(|time: &f64| time.is_finite() && *time >= 0.0);
    let number = text.trim_end_matches(char::is_alphabetic);
    let has_unit = number != text && number.trim_end().parse::<f64>().is_ok();
    let remedy = match has_unit {
        true => "times have the unit of those in the file, such as a minute: convert it, and give the number alone",
        false => "give a number of time units, 0 or more",
    };
    time.ok_or_else(|| format!("--{BEYOND}: `{text}` is no time: {remedy}").into())
}

/// Returns the schedule that an option names.
///
/// # Errors
/// A fault that begins with the option.
pub fn schedule(given: Option<&str>) -> Result<Schedule, Fault> {
    match given {
        None | Some("auto") => Ok(Schedule::Auto),
        Some("tiles") => Ok(Schedule::Tiles),
        Some("events") => Ok(Schedule::Events),
        Some(_) => Err("--schedule: use `auto`, `tiles` or `events`".into()),
    }
}

/// Fails for a schedule of an engine that has none.
///
/// # Errors
/// A fault that begins with the option.
pub fn check_schedule(schedule: Schedule, engine: Engine) -> Result<(), Fault> {
    if matches!(engine, Engine::Auto | Engine::Exact) || schedule == Schedule::Auto {
        return Ok(());
    }
    let problem = format!("the engine `{engine}` has no schedules: choose the engine `exact`, or leave the option out");
    Err(format!("--schedule: {problem}").into())
}

/// Fails for a measure that an option names although nothing of a run's output depends on it.
///
/// # Errors
/// A fault that begins with the key.
pub fn check_measure(plan: &Plan, has_report: bool) -> Result<(), Fault> {
    let by_plan = plan.warm_up == WarmUp::Mser5 || matches!(plan.ending, Ending::Precision(_));
    if by_plan || plan.batches.is_some() || has_report {
        return Ok(());
    }
    Err(format!(
        "run.measure: it is for --warm-up mser5, --precision, --batches and the report of --out: give one of them, or leave it out; `{}` is among the results anyway",
        plan.measure.name()
    )
    .into())
}

fn sampling(given: &OptionValues) -> Result<Sampling, Fault> {
    let Some(text) = given.value(SAMPLE) else { return Ok(Sampling::ALL) };
    if !given.is_given(RECORD) {
        return Err(format!("--{SAMPLE}: it is of no use without --{RECORD}: give that too, or leave it out").into());
    }
    let share: f64 = text.parse().map_err(|_| format!("--{SAMPLE}: give a number above 0 and at most 1"))?;
    Ok(Sampling::new(share).map_err(|error| format!("--{SAMPLE}: {error}"))?)
}
