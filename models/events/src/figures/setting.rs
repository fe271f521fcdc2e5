//! Studies to be run in one place.

use super::budget::{self, StudyTimes};
use super::options::Options;
use crate::benchmarks::timed::{Strategy, Timed, TimedRun, meshes};
use crate::laden;
use crate::lcg::{self, LcgStudy};
use crate::{Execution, Mapping, MappingChoice};
use imminent_core::Device;
use imminent_study::figures::Place;
use imminent_study::laboratory::Fault;
use serde::Serialize;

/// A study, and the strategy by which it is run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(into = "Columns")]
pub(super) struct Setting {
    pub(super) work: Work,
    pub(super) simulations: u32,
    pub(super) modules: u32,
    pub(super) strategy: Strategy,
}

/// Columns of a setting.
#[derive(Serialize)]
struct Columns {
    what: String,
    simulations: u32,
    modules: u32,
    state_bytes: Option<u32>,
    lists: String,
    mapping: String,
}

impl From<Setting> for Columns {
    fn from(setting: Setting) -> Self {
        let Setting { work, simulations, modules, .. } = setting;
        let (lists, mapping) = (setting.lists(), setting.mapping());
        Columns { what: work.name(), simulations, modules, state_bytes: work.bytes(), lists, mapping }
    }
}

/// Events of the simulations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// Linear congruential generators, this many; successive simulations use different ones.
    Lcg(u32),
    /// Four kinds of events that do nothing.
    Kinds,
    /// Events of one kind that process states of this many bytes.
    Laden(u32),
    /// Wireless mesh.
    Mesh,
    /// One simulation of a mesh, alone on one core: the one of all points that takes longest.
    MeshAlone,
}

/// Returns the strategy with the given mapping, and lists on the device.
pub(super) const fn by(mapping: MappingChoice) -> Strategy {
    Strategy::Lists { execution: Execution::Device, mapping, per_step: None, window: None }
}

/// Number of nodes of a mesh.
const NODES: u32 = 5;

/// Iterations of a generator, and simulations, when engines are warmed up.
const WARM: (u32, u32) = (10, 4);

impl Work {
    pub(super) fn name(self) -> String {
        match self {
            Work::Lcg(generators) => format!("lcg {generators}"),
            Work::Kinds => "kinds".to_owned(),
            Work::Laden(_) => "laden".to_owned(),
            Work::Mesh => "mesh".to_owned(),
            Work::MeshAlone => "mesh alone".to_owned(),
        }
    }

    /// Returns the size of a state in bytes, if it is varied.
    pub(super) fn bytes(self) -> Option<u32> {
        match self {
            Work::Laden(bytes) => Some(bytes),
            _ => None,
        }
    }
}

impl Setting {
    /// Returns the place of the lists of events.
    pub(super) fn lists(&self) -> String {
        match self.strategy {
            Strategy::Lists { .. } => "on the device".to_owned(),
            Strategy::Streams { parts, copies } => {
                let streams = if parts == 1 { "stream" } else { "streams" };
                let states = if copies { ", states copied" } else { "" };
                format!("on the host, {parts} {streams}{states}")
            }
        }
    }

    /// Returns the name of the requested mapping; empty with lists on the host.
    pub(super) fn mapping(&self) -> String {
        match self.strategy {
            Strategy::Lists { mapping, .. } => mapping.to_string(),
            Strategy::Streams { .. } => String::new(),
        }
    }

    /// Returns `true` if the setting is run in a place. On the host simulations run one after the other, so there are
    /// neither transfers nor mappings to compare.
    pub(super) fn is_for(&self, place: &Place) -> bool {
        let unmapped = [MappingChoice::Auto, MappingChoice::Always(Mapping::InOrder)];
        match (self.work, self.strategy, &place.device) {
            (Work::MeshAlone, _, device) => device.is_none(),
            (_, _, Some(_)) => true,
            (_, Strategy::Lists { mapping, .. }, None) => unmapped.contains(&mapping),
            (_, Strategy::Streams { .. }, None) => false,
        }
    }

    /// Measures the setting as far as the budget allows.
    pub(super) fn measure(&self, device: Option<&Device>, amounts: &Options) -> Result<StudyTimes, Fault> {
        let modules = f64::from(self.simulations) * f64::from(self.modules);
        let (whole, events_of_all) = match self.work {
            Work::Lcg(_) => {
                let whole = (amounts.events / self.modules.max(1)).max(1);
                (whole, modules * f64::from(whole))
            }
            Work::Kinds | Work::Laden(_) => {
                ((f64::from(amounts.events_in_all) / modules).max(1.0) as u32, f64::from(amounts.events_in_all))
            }
            Work::Mesh | Work::MeshAlone => {
                let (ran, runs) = budget::measure(1, amounts.budget, |_| self.run(device, 1, amounts))?;
                return Ok(StudyTimes { ran, runs, events_of_all: ran.events as f64 });
            }
        };
        self.warm_up(device, amounts)?;
        let (ran, runs) = budget::measure(whole, amounts.budget, |events| self.run(device, events, amounts))?;
        Ok(StudyTimes { ran, runs, events_of_all })
    }

    /// Compiles the kernels of a run by simulating a part of it.
    fn warm_up(&self, device: Option<&Device>, amounts: &Options) -> Result<(), Fault> {
        let (iterations, simulations) = WARM;
        let few = Setting { simulations: self.simulations.min(simulations), ..*self };
        few.run(device, 1, &Options { iterations, ..amounts.clone() })?;
        Ok(())
    }

    /// Runs the setting once, with a number of events at each module.
    fn run(&self, device: Option<&Device>, per_module: u32, amounts: &Options) -> Result<TimedRun, Fault> {
        let Setting { work, simulations, modules, strategy } = *self;
        let timed = Timed { device, strategy };
        let draw = |generators, iterations| {
            let events = per_module.saturating_mul(modules);
            let study = LcgStudy { simulations, modules, events, iterations, generators };
            timed.run(&study.starts(), lcg::MAX_SCHEDULED)
        };
        match work {
            Work::Lcg(generators) => draw(generators, amounts.iterations),
            Work::Kinds => draw(4, 0),
            Work::Laden(bytes) => {
                let starts: Vec<_> = (0..simulations).map(|_| laden::start(modules, per_module, bytes)).collect();
                timed.run(&starts, laden::MAX_SCHEDULED)
            }
            Work::Mesh => {
                let (starts, most) = meshes(simulations, NODES, amounts.seconds)?;
                timed.run(&starts, most)
            }
            Work::MeshAlone => {
                let (starts, most) = meshes(simulations, NODES, amounts.seconds)?;
                let mut longest: Option<TimedRun> = None;
                for start in &starts {
                    let ran = timed.run(std::slice::from_ref(start), most)?;
                    longest = longest.filter(|other| other.seconds >= ran.seconds).or(Some(ran));
                }
                longest.ok_or_else(|| "there is no simulation of a mesh in the study".into())
            }
        }
    }
}
