//! Device of a run, and the times before it, for people and programs.

use crate::memory::MemoryFigures;
use imminent::models::study::Outcome;
use imminent_console::clock;
use serde_json::{Map, Value as Json, json};
use std::time::Duration;

/// Device of a run.
pub(in crate::run) struct RunDevice {
    pub(super) backend: String,
    pub(super) device: String,
    /// Reason for the choice of the device.
    pub(super) why: Option<String>,
    /// Memory of the device at the end of the run, and its peak; `None` without a device.
    pub(super) memory: Option<MemoryFigures>,
    /// Wall times before the run.
    pub(super) before: Before,
}

/// Wall times before a run. The device is opened while the model is prepared.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Before {
    /// Time of opening the device; 0 if it was open before.
    pub(super) device: Duration,
    /// Time of preparing the experiment.
    pub(super) model: Duration,
    /// Time from the start of the process to the start of the run.
    pub(super) all: Duration,
}

impl RunDevice {
    /// Creates the device of runs that are not timed apart.
    pub(in crate::run) fn new(backend: &str, device: &str, why: Option<String>) -> Self {
        let (backend, device) = (backend.to_owned(), device.to_owned());
        Self { backend, device, why, memory: None, before: Before::default() }
    }

    /// Returns the times of a run for programs.
    pub(super) fn times(&self, outcome: &Outcome) -> Map<String, Json> {
        let (mut times, total) = (Map::new(), clock::elapsed());
        let mut add = |key: &str, value: Json| times.insert(key.to_owned(), value);
        if let Some(phases) = outcome.phases {
            let Before { device, model, all } = self.before;
            add("wall_s", json!(phases.simulation.as_secs_f64()));
            add("set_up_s", json!((all + phases.set_up).as_secs_f64()));
            add("read_s", json!(phases.reading.as_secs_f64()));
            add("files_s", json!(phases.files.as_secs_f64()));
            let [device, model, engine] = [device, model, phases.set_up].map(|time| time.as_secs_f64());
            add("set_up", json!({ "device_s": device, "model_s": model, "engine_s": engine }));
        }
        add("total_s", json!(total.as_secs_f64()));
        times
    }

    /// Says how the process spent its time, in detail if most of it was set-up.
    pub(super) fn said(&self, outcome: &Outcome) -> String {
        let (total, speed) = (clock::elapsed().as_secs_f64(), &outcome.speed);
        let Some(phases) = outcome.phases else {
            return format!("{speed}; {total:.3} s from the start of the process");
        };
        let set_up = self.before.all + phases.set_up;
        let (simulation, reading) = (phases.simulation.as_secs_f64(), phases.reading.as_secs_f64());
        let mut said = format!(
            "{speed}\nset-up {:.3} s, simulation {simulation:.3} s, reading {reading:.3} s{}: {total:.3} s from the start of the process",
            set_up.as_secs_f64(),
            match phases.files {
                Duration::ZERO => String::new(),
                files => format!(", files {:.3} s", files.as_secs_f64()),
            }
        );
        if set_up > phases.simulation {
            let [device, model, engine] =
                [self.before.device, self.before.model, phases.set_up].map(|time| time.as_secs_f64());
            said += &format!(
                "\nset-up took longer than the simulation: {device:.3} s to open the device beside {model:.3} s to build the model, then {engine:.3} s for tables and kernels"
            );
        }
        said
    }
}
