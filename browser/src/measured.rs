//! Runs of models that measure values only: studies of one run.

use crate::{devices, thrown};
use imminent::models::study::{Catalogue, Runs};
use imminent::models::study::{Definition, Means, Results, Update};
use imminent_core::clock::Instant;
use serde_json::{Map, Value, json};
use std::ops::ControlFlow;
use std::path::Path;
use wasm_bindgen::JsValue;

/// Executes one run with seed 1, the default of the native program, and returns its values. `tell` gets the share of
/// the run that is done, in percent.
pub(crate) fn run(
    (catalogue, model, file): (&Catalogue, &str, &str),
    (backend, options): (&str, &str),
    tell: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Map<String, Value>, JsValue> {
    let definition = Definition::new(model).repetitions(1).seed(1);
    let definition = if file.is_empty() { definition } else { definition.fix("file", file) };
    let planned = catalogue.plan(&definition, Path::new("")).map_err(thrown)?;
    let study = &planned.study;
    let device = devices::open(backend, options)?;
    let mut results = Results::new(study).map_err(thrown)?;
    let mut laboratory = planned.model.open(&planned.base, &device, &Means::default()).map_err(thrown)?;
    let runs: Runs<'_> = study.select(0..study.runs());
    let (began, mut fault) = (Instant::now(), None);
    let ran = laboratory.run(&runs, &mut |update| match update {
        Update::Progress { share } => tell((share * 100.0) as u64),
        Update::Finished(finished) => {
            fault = results.insert(&finished).err().map(|error| error.to_string());
            ControlFlow::Continue(())
        }
        Update::Failed(failed) => {
            fault = Some(failed.to_string());
            ControlFlow::Continue(())
        }
    });
    let took = began.elapsed().as_secs_f64();
    ran.map_err(thrown)?;
    if let Some(fault) = fault {
        return Err(thrown(fault));
    }
    if results.done() == 0 {
        return Err(thrown("the run was ended before it had values"));
    }
    let measures = planned.model.description().measures;
    let value = |place: usize| results.value(0, place).map_or("none".to_owned(), |value| value.to_string());
    let rows: Vec<_> =
        measures.iter().enumerate().map(|(place, measure)| [measure.name.clone(), value(place)]).collect();
    let mut object = Map::new();
    object.insert("digest".to_owned(), json!(results.digest()));
    object.insert("events".to_owned(), json!(results.events(0)));
    object.insert("wall_s".to_owned(), json!(took));
    object.insert("tables".to_owned(), json!([{ "heading": model, "columns": ["measure", "value"], "rows": rows }]));
    object.insert("device".to_owned(), json!(device.info().name));
    Ok(object)
}
