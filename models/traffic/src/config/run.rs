//! The `[run]` section.

use super::error::{ConfigError, instant, time};
use super::unit;
use crate::Traffic;
use crate::coupling::{Coupling, MAX_LAUNCHES, Scheme};
use crate::fluid::{Memory, Precision, RuleError, Rules};
use crate::units::{nanoseconds, seconds};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Largest number of replications.
const MAX_REPLICATIONS: u32 = 100_000;

/// Largest number of looks of a run.
const MAX_LOOKS: u64 = 10_000_000;

/// The `[run]` section. Times are in seconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RunShape {
    /// Length of the simulation.
    #[serde(deserialize_with = "unit::seconds")]
    #[schemars(range(min = 1e-9, max = 5e6), extend("unit" = "s"))]
    pub horizon: f64,
    /// Length of the warm-up, which statistics leave out.
    #[serde(deserialize_with = "unit::seconds")]
    #[schemars(range(min = 0.0, max = 5e6), extend("unit" = "s"))]
    pub warm_up: f64,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Number of replications. They have the same traffic, and the seed and those after it for packets.
    #[schemars(range(min = 1, max = 100000))]
    pub replications: u32,
    /// Engine of the simulation. If not given, it depends on whether there are fluids, packets or both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<Engine>,
    /// Step of the fluid equations. The default is 0.5 ms, or a tenth of the smallest delay if that is shorter.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "unit::some_seconds")]
    #[schemars(range(min = 1e-9, max = 5e6), extend("unit" = "s"))]
    pub step: Option<f64>,
    /// `true` if a step above a tenth of the smallest delay is accepted.
    pub accept_step: bool,
    /// Synchronization of fluids and packets, for the engine `hybrid`; `asynchronous` if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheme: Option<SchemeName>,
    /// Launches per batch, for the scheme `asynchronous`; 3 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub batch: Option<u32>,
    /// Longest total queueing delay of fluid on its path, for the engine `fluid`; 2 s if not given.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "unit::some_seconds")]
    #[schemars(range(min = 1e-9, max = 5e6), extend("unit" = "s"))]
    pub waiting: Option<f64>,
    /// Floating-point type in which a device simulates fluids; `f32` if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision: Option<Precision>,
    /// Effect of losses on a fluid's window.
    #[serde(skip_serializing_if = "is_usual")]
    pub rules: Rules,
    /// Interval at which queues and flows are sampled.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "unit::some_seconds")]
    #[schemars(range(min = 1e-9, max = 5e6), extend("unit" = "s"))]
    pub sample: Option<f64>,
}

fn is_usual(rules: &Rules) -> bool {
    *rules == Rules::default()
}

impl Default for RunShape {
    fn default() -> Self {
        Self {
            horizon: 90.0,
            warm_up: 0.0,
            seed: 1,
            replications: 1,
            engine: None,
            step: None,
            accept_step: false,
            scheme: None,
            batch: None,
            waiting: None,
            precision: None,
            rules: Rules::default(),
            sample: None,
        }
    }
}

/// Engine that simulates traffic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// Fluid equations on a device ([`fluid::Engine`](crate::fluid::Engine)).
    Fluid,
    /// Fluid equations on the host, one flow after the other ([`fluid::Sequential`](crate::fluid::Sequential)).
    Sequential,
    /// Packets only ([`packet::Simulator`](crate::packet::Simulator)).
    Packets,
    /// Fluids on a device and packets on the host that share queues ([`coupling::Coupled`](crate::coupling::Coupled)).
    Hybrid,
}

/// Synchronization of fluids and packets ([`coupling::Scheme`](Scheme)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SchemeName {
    /// Fluids and packets take turns at every step.
    LockStep,
    /// Fluids and packets run concurrently within a batch.
    Asynchronous,
}

impl Engine {
    /// Returns the engine's name in options, configurations and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fluid => "fluid",
            Self::Sequential => "sequential",
            Self::Packets => "packets",
            Self::Hybrid => "hybrid",
        }
    }
}

/// Times of a run, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// Length of the simulation.
    pub horizon: u64,
    /// Length of the warm-up, which is shorter than the horizon.
    pub warm_up: u64,
    /// Sampling interval of queues and flows, if given.
    pub sample: Option<u64>,
}

impl RunShape {
    /// Returns the keys that are given and that an engine does not use.
    #[must_use]
    pub fn unused_by(&self, engine: Engine) -> Vec<&'static str> {
        let fluids = engine != Engine::Packets;
        let device = matches!(engine, Engine::Fluid | Engine::Hybrid);
        let keys = [
            ("step", self.step.is_some(), fluids),
            ("accept_step", self.accept_step, fluids),
            ("rules", !is_usual(&self.rules), fluids),
            ("waiting", self.waiting.is_some(), device),
            ("precision", self.precision.is_some(), device),
            ("scheme", self.scheme.is_some(), engine == Engine::Hybrid),
            ("batch", self.batch.is_some(), engine == Engine::Hybrid),
            ("replications", self.replications != 1, matches!(engine, Engine::Packets | Engine::Hybrid)),
        ];
        keys.into_iter().filter(|(_, given, used)| *given && !used).map(|(key, ..)| key).collect()
    }

    /// Returns the times of the run.
    ///
    /// # Errors
    /// [`ConfigError::Toml`] for an invalid time, or for a warm-up that is not shorter than the horizon.
    pub fn times(&self) -> Result<Times, ConfigError> {
        let horizon = time("run.horizon", self.horizon)?;
        let warm_up = instant("run.warm_up", self.warm_up)?;
        if warm_up >= horizon {
            let problem = format!(
                "a warm-up of {} s leaves nothing of a run of {} s: give a shorter one, or a longer horizon",
                self.warm_up, self.horizon
            );
            return Err(ConfigError::value("run.warm_up", problem));
        }
        let sample = self.sample.map(|sample| time("run.sample", sample)).transpose()?;
        if let Some(sample) = sample.filter(|sample| *sample > horizon - warm_up) {
            let problem = format!(
                "{} s between two looks is longer than the {} s that are counted: give less",
                seconds(sample),
                seconds(horizon - warm_up)
            );
            return Err(ConfigError::value("run.sample", problem));
        }
        if let Some((sample, looks)) = sample.map(|sample| (sample, horizon.div_ceil(sample)))
            && looks > MAX_LOOKS
        {
            let problem = format!(
                "{:e} s between two looks makes {looks} of them, more than {MAX_LOOKS}: give at least {:e} s",
                seconds(sample),
                seconds(horizon.div_ceil(MAX_LOOKS))
            );
            return Err(ConfigError::value("run.sample", problem));
        }
        Ok(Times { horizon, warm_up, sample })
    }

    /// Returns the number of replications.
    ///
    /// # Errors
    /// [`ConfigError::Toml`] for none, or more than 100,000.
    pub fn replications(&self) -> Result<u32, ConfigError> {
        if (1..=MAX_REPLICATIONS).contains(&self.replications) {
            return Ok(self.replications);
        }
        let problem = format!("{} replications are not possible: give 1 to {MAX_REPLICATIONS}", self.replications);
        Err(ConfigError::value("run.replications", problem))
    }
}

impl RunShape {
    /// Returns the step of the fluid equations in nanoseconds, if it is given.
    pub(super) fn step(&self) -> Result<Option<u64>, ConfigError> {
        let wrong = |problem| Err(ConfigError::value("run.step", problem));
        match self.step.map(|seconds| (seconds, nanoseconds(seconds))) {
            None => Ok(None),
            Some((_, Some(step @ 1..))) => Ok(Some(step)),
            Some((seconds, Some(0))) if seconds > 0.0 => {
                wrong(format!("{seconds:e} s is less than the nanosecond in which time is counted: give at least 1e-9"))
            }
            Some((seconds, _)) => wrong(format!("{seconds} s is not a time: give seconds above 0")),
        }
    }

    /// Returns how fluids and packets are synchronized.
    pub(super) fn coupling(&self) -> Result<Coupling, ConfigError> {
        let scheme = match (self.scheme, self.batch) {
            (Some(SchemeName::LockStep), Some(_)) => {
                let problem = "the scheme 'lock-step' has batches of one step: remove it, or use 'asynchronous'";
                return Err(ConfigError::value("run.batch", problem.to_owned()));
            }
            (Some(SchemeName::LockStep), None) => Scheme::LockStep,
            (_, None) => Scheme::default(),
            (_, Some(batch)) if (1..=MAX_LAUNCHES).contains(&batch) => Scheme::Asynchronous { batch },
            (_, Some(batch)) => {
                let problem = format!("a batch of {batch} launches is not possible: give 1 to {MAX_LAUNCHES}");
                return Err(ConfigError::value("run.batch", problem));
            }
        };
        let (rules, memory, precision) = (self.rules()?, self.memory()?, self.precision.unwrap_or_default());
        Ok(Coupling { scheme, rules, memory, precision })
    }

    /// Returns the rules for the effect of losses on a fluid's window.
    pub(super) fn rules(&self) -> Result<Rules, ConfigError> {
        let wrong = |error: RuleError| ConfigError::value(&format!("run.rules.{}", error.rule), error.to_string());
        self.rules.check().map(|()| self.rules).map_err(wrong)
    }

    /// Returns the length of the history that fluids on a device keep.
    pub(super) fn memory(&self) -> Result<Memory, ConfigError> {
        let usual = Memory::default();
        let waiting = self.waiting.map(|waiting| time("run.waiting", waiting)).transpose()?;
        Ok(waiting.map_or(usual, |waiting| Memory { waiting: seconds(waiting), ..usual }))
    }
}

/// Chooses the engine for some traffic.
pub(super) fn engine(given: Option<Engine>, traffic: &Traffic) -> Result<Engine, ConfigError> {
    let flows = traffic.flows().all();
    let (fluids, packets) =
        (flows.iter().any(|flow| flow.kind.fluid().is_some()), flows.iter().any(|flow| flow.kind.has_packets()));
    if flows.is_empty() {
        let problem = "nothing flows: give [[traffic.flow]], 'gravity', 'matrix' or [[traffic.demand]]".to_owned();
        return Err(ConfigError::value("traffic", problem));
    }
    let nothing = |what: &str, other: &str| {
        let problem = format!("no flow has {what}: use the engine '{other}', or give flows that do");
        Err(ConfigError::value("run.engine", problem))
    };
    match given {
        Some(Engine::Fluid | Engine::Sequential | Engine::Hybrid) if !fluids => nothing("fluids", "packets"),
        Some(Engine::Packets | Engine::Hybrid) if !packets => nothing("packets", "fluid"),
        Some(engine) => Ok(engine),
        None if fluids && packets => Ok(Engine::Hybrid),
        None if fluids => Ok(Engine::Fluid),
        None => Ok(Engine::Packets),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TrafficConfig;
    use crate::fluid::Recovery;

    #[test]
    fn times_that_leave_nothing_to_count_are_told() {
        let times = |run: RunShape| run.times().map_err(|error| error.to_string());
        let usual = RunShape::default();
        let whole = Times { horizon: 90_000_000_000, warm_up: 0, sample: None };
        assert_eq!(times(usual.clone()), Ok(whole));
        let later = RunShape { warm_up: 89.5, sample: Some(0.5), ..usual.clone() };
        assert_eq!(times(later), Ok(Times { warm_up: 89_500_000_000, sample: Some(500_000_000), ..whole }));
        for (run, expected) in [
            (RunShape { horizon: 0.0, ..usual.clone() }, "run.horizon: 0 s is not possible"),
            (RunShape { warm_up: 90.0, ..usual.clone() }, "run.warm_up: a warm-up of 90 s leaves nothing"),
            (RunShape { warm_up: -1.0, ..usual.clone() }, "run.warm_up: -1 s is not possible"),
            (RunShape { sample: Some(0.0), ..usual.clone() }, "run.sample: 0 s is not possible"),
            (
                RunShape { sample: Some(1e-9), ..usual.clone() },
                "run.sample: 1e-9 s between two looks makes 90000000000 of them, more than 10000000: give at least 9e-6 s",
            ),
            (
                RunShape { warm_up: 80.0, sample: Some(11.0), ..usual },
                "run.sample: 11 s between two looks is longer than the 10 s",
            ),
        ] {
            let error = times(run).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn batches_that_cannot_be_are_told() {
        let coupling = |scheme, batch| {
            RunShape { scheme, batch, ..RunShape::default() }
                .coupling()
                .map(|coupling| coupling.scheme)
                .map_err(|error| error.to_string())
        };
        let (turns, beside) = (Some(SchemeName::LockStep), Some(SchemeName::Asynchronous));
        assert_eq!(coupling(turns, None), Ok(Scheme::LockStep));
        assert_eq!(coupling(None, Some(7)), Ok(Scheme::Asynchronous { batch: 7 }));
        assert_eq!((coupling(None, None), coupling(beside, None)), (Ok(Scheme::default()), Ok(Scheme::default())));
        assert!(coupling(turns, Some(1)).unwrap_err().starts_with("run.batch: the scheme 'lock-step'"));
        assert!(coupling(beside, Some(0)).unwrap_err().starts_with("run.batch: a batch of 0 launches"));
        let memory = |waiting| RunShape { waiting: Some(waiting), ..RunShape::default() }.memory();
        assert_eq!(memory(5.0), Ok(Memory { waiting: 5.0, ..Memory::default() }));
        assert!(memory(0.0).unwrap_err().to_string().starts_with("run.waiting: 0 s"));
        let rules = |text: &str| TrafficConfig::from_toml(text, "t").unwrap().run.coupling().map(|told| told.rules);
        let once = Rules { losses_seen: 2.0, recovery: Recovery::NewReno, ..Rules::default() };
        assert_eq!(rules("[run.rules]\nrecovery = 'new-reno'\nlosses_seen = 2\n"), Ok(once));
        let text = rules("[run.rules]\ndivisor = 0.5\n").unwrap_err().to_string();
        assert_eq!(text, "run.rules.divisor: a rule 'divisor' of 0.5 is not possible: give 1 to 1000");
    }

    #[test]
    fn the_engine_follows_from_what_there_is_to_simulate() {
        let engine = |keys: &str, given: Option<Engine>| {
            let text = format!("[topology]\ngenerate = 'campus'\ncampuses = 1\n[traffic]\n{keys}");
            let mut config = TrafficConfig::from_toml(&text, "t").unwrap();
            config.run.engine = given;
            config.engine(&config.traffic().unwrap()).map_err(|error| error.to_string())
        };
        assert_eq!(engine("", None), Ok(Engine::Fluid));
        assert_eq!(engine("packet_share = 1", None), Ok(Engine::Packets));
        assert_eq!(engine("packet_share = 0.5", None), Ok(Engine::Hybrid));
        assert_eq!(engine("packet_share = 0.5", Some(Engine::Packets)), Ok(Engine::Packets));
        for (keys, given, expected) in [
            ("", Engine::Packets, "run.engine: no flow has packets: use the engine 'fluid'"),
            ("packet_share = 1", Engine::Fluid, "run.engine: no flow has fluids: use the engine 'packets'"),
            ("", Engine::Hybrid, "run.engine: no flow has packets: use the engine 'fluid'"),
            ("packet_share = 1", Engine::Hybrid, "run.engine: no flow has fluids: use the engine 'packets'"),
            ("packet_share = 1", Engine::Sequential, "run.engine: no flow has fluids: use the engine 'packets'"),
        ] {
            let error = engine(keys, Some(given)).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
