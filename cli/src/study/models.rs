//! `--models`: the models that can be studied.

use crate::{Failure, print_json, print_text};
use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use imminent::models::study::Description;
use imminent::models::study::catalogue::{MODELS, Source};
use imminent::models::study::{Definition, DefinitionError};
use std::fmt::Write;
use std::path::Path;

/// Lists every model; those that depend on a study only by name.
pub(super) fn list(json: bool) -> Result<(), Failure> {
    let (mut described, mut dependent) = (vec![], vec![]);
    for model in MODELS {
        let definition = Definition::new(model.name);
        match (model.describe)(&Source { definition: &definition, folder: Path::new("") }) {
            Ok(description) => described.push(description),
            Err(error) => dependent.push((model.name, error)),
        }
    }
    if json {
        return print_json(&described);
    }
    let mut text = text(&described.iter().collect::<Vec<_>>());
    for (name, error) in dependent {
        let why = match error {
            DefinitionError::Toml(error) => error.to_string(),
            other => other.to_string(),
        };
        let _ = writeln!(text, "{name}: depends on the study ({why}); `imminent study FILE --models` describes it");
    }
    print_text(&text)
}

/// Describes these models.
pub(super) fn describe(models: &[&Description], json: bool) -> Result<(), Failure> {
    if json { print_json(&models) } else { print_text(&text(models)) }
}

fn text(models: &[&Description]) -> String {
    let mut text = String::new();
    for model in models {
        let _ = writeln!(text, "{}: {}", model.name, model.about);
        let mut table = Table::new();
        table.load_style(UTF8_FULL_CONDENSED).set_header(["parameter", "takes", "default", ""]);
        for parameter in &model.parameters {
            let default = parameter.default.as_ref().map_or_else(|| "none".to_owned(), ToString::to_string);
            let about = &parameter.about;
            let length = if model.length.as_ref() == Some(&parameter.name) { " Also `length`." } else { "" };
            table.add_row([parameter.label(), parameter.domain.expectation(), default, format!("{about}{length}")]);
        }
        let _ = writeln!(text, "{table}");
        let mut table = Table::new();
        table.load_style(UTF8_FULL_CONDENSED).set_header(["measure", ""]);
        for measure in &model.measures {
            table.add_row([measure.label(), measure.about.clone()]);
        }
        let _ = writeln!(text, "{table}");
        for note in &model.notes {
            let _ = writeln!(text, "note: {note}");
        }
    }
    text
}
