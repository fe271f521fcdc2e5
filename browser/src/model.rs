//! Runs of models.

use crate::{devices, thrown};
use imminent::models::catalogue;
use imminent::models::input;
use imminent::models::study::experiment::{Detail, OptionValues, Progress, RunsOn};
use imminent::models::study::outcome::Content;
use imminent::models::study::{Configuration, Experiments, MeasuredExperiments, Model, Outcome};
use imminent_core::clock::Instant;
use js_sys::Function;
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::Path;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Lists the models as JSON: name and sentence.
#[wasm_bindgen]
pub fn models() -> String {
    let all = catalogue();
    let listed = all.iter().map(|model| {
        let description = model.description();
        json!({ "name": description.name, "about": description.about, "needs_file": model.needs_file() })
    });
    json!(listed.collect::<Vec<_>>()).to_string()
}

/// Gives the models a file, which configurations may name.
#[wasm_bindgen]
pub fn give_file(name: &str, contents: Vec<u8>) {
    input::give(Path::new(name), contents);
}

thread_local! {
    /// Function that is told of progress.
    static TOLD: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Tells how much of a run is done.
fn tell(done: u64, all: u64, now: &str) {
    TOLD.with_borrow(|told| {
        let told = told.as_ref()?;
        told.call3(&JsValue::NULL, &(done as f64).into(), &(all as f64).into(), &now.into()).ok()
    });
}

/// Runs a model on a device of a backend and returns the outcome as JSON. `file` is the name of a file that was given,
/// or empty for the defaults of the model.
///
/// # Errors
/// Texts for people: faults of the file, of the device, and of the run.
#[wasm_bindgen(jspi)]
pub fn run(model: &str, file: &str, backend: &str, progress: Function) -> Result<String, JsValue> {
    let began = Instant::now();
    let all = catalogue();
    let found = all.get(model).ok_or_else(|| thrown(format!("there is no model `{model}`")))?;
    TOLD.set(Some(progress));
    let measured = MeasuredExperiments::new(found);
    let experiments = found.experiments().unwrap_or(&measured);
    let ran = experiment(&**found, experiments, file, backend);
    TOLD.set(None);
    let mut object = ran?;
    object.insert("model".to_owned(), json!(model));
    object.insert("backend".to_owned(), json!(backend));
    object.insert("total_s".to_owned(), json!(began.elapsed().as_secs_f64()));
    Ok(Value::Object(object).to_string())
}

/// Executes all replications of an experiment.
fn experiment(
    model: &dyn Model,
    experiments: &dyn Experiments,
    file: &str,
    backend: &str,
) -> Result<Map<String, Value>, JsValue> {
    let file = (!file.is_empty()).then(|| Path::new(file));
    let mut configuration = Configuration::read(model, file).map_err(thrown)?;
    let mut experiment = experiments.prepare(&mut configuration, &OptionValues::default()).map_err(thrown)?;
    let device = match experiment.place() {
        RunsOn::Device(_) => Some(devices::open(backend)?),
        RunsOn::Host(_) | RunsOn::Threads(_) => None,
    };
    experiment.check_memory(device.as_ref(), Detail::Printed).map_err(thrown)?;
    let mut watch = |now: Progress| {
        tell(now.done, now.all, &now.now);
        ControlFlow::Continue(())
    };
    let outcome = experiment.run(device.as_ref(), Detail::Printed, &mut watch).map_err(thrown)?;
    let name = device.as_ref().map_or("the host", |device| &device.info().name);
    let mut object = object(&outcome);
    object.insert("device".to_owned(), json!(name));
    Ok(object)
}

/// Returns an outcome for programs, and its tables for people.
fn object(outcome: &Outcome) -> Map<String, Value> {
    let mut object = outcome.values.clone();
    let mut add = |key: &str, value: Value| object.insert(key.to_owned(), value);
    add("digest", json!(outcome.digest));
    add("notes", json!(outcome.notes));
    add("warnings", json!(outcome.warnings));
    add("partial", json!(outcome.partial));
    add("failures", json!(outcome.failures));
    add("speed", json!(outcome.speed));
    if let Some(phases) = outcome.phases {
        add("set_up_s", json!(phases.set_up.as_secs_f64()));
        add("wall_s", json!(phases.simulation.as_secs_f64()));
        add("read_s", json!(phases.reading.as_secs_f64()));
    }
    let tables = outcome.sections.iter().filter_map(|section| match &section.content {
        Content::Table { columns, rows } | Content::Excerpt { columns, rows } => {
            Some(json!({ "heading": section.heading, "columns": columns, "rows": rows }))
        }
        _ => None,
    });
    add("tables", json!(tables.collect::<Vec<_>>()));
    object
}
