//! `imminent describe`: the models, and the keys of their configurations.

use crate::absent::Absent;
use clap::Args;
use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use imminent::models::study::{Catalogue, Key, Model};
use imminent::models::toml_text::nearest;
use imminent_console::{
    Failure,
    print::{print_json, print_text},
};
use std::fmt::Write;
use std::sync::Arc;

/// Options of `imminent describe`.
#[derive(Debug, Args)]
pub(crate) struct Describe {
    /// Model, whose keys and measures are listed. Without it, the models are.
    model: Option<String>,
    /// Print JSON: of a MODEL the JSON Schema of its configurations, from which editors complete TOML files.
    #[arg(long)]
    json: bool,
}

impl Describe {
    pub(crate) fn run(self, catalogue: &Catalogue) -> Result<(), Failure> {
        match &self.model {
            None if self.json => print_json(&catalogue.iter().map(Model::description).collect::<Vec<_>>()),
            None => print_text(&list(catalogue)),
            Some(name) => {
                let model = &**get(catalogue, name)?;
                if self.json { print_json(&model.schema()) } else { print_text(&text(model)) }
            }
        }
    }
}

/// Returns the model with a name.
pub(crate) fn get<'c>(catalogue: &'c Catalogue, name: &str) -> Result<&'c Arc<dyn Model>, Failure> {
    catalogue.get(name).ok_or_else(|| {
        let names = catalogue.names();
        let told = match (needs_maps(name), nearest(name, names.iter().map(String::as_str))) {
            (Some(absent), _) => absent.to_string(),
            (None, Some(meant)) => format!("did you mean `{meant}`?"),
            (None, None) if cfg!(feature = "models") => format!("`describe` knows {}", names.join(", ")),
            (None, None) => format!("`describe` knows {}; {}", names.join(", "), Absent::Models),
        };
        Failure::usage(format!("there is no model `{name}`: {told}"))
    })
}

/// Returns the part of the program that a model needs, if this build has the other models alone.
fn needs_maps(model: &str) -> Option<Absent> {
    let of_maps = ["wildfire", "flood"].into_iter().find(|name| *name == model);
    let is_absent = cfg!(all(feature = "models", not(feature = "maps")));
    of_maps.filter(|_| is_absent).map(|what| Absent::Maps { what })
}

fn list(catalogue: &Catalogue) -> String {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header(["model", ""]);
    for model in catalogue.iter() {
        let description = model.description();
        table.add_row([description.name, description.about]);
    }
    format!("{table}\n")
}

fn text(model: &dyn Model) -> String {
    let (description, mut text) = (model.description(), String::new());
    let _ = writeln!(text, "{}: {}", description.name, description.about);
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header(["key", "takes", "default", ""]);
    for key in model.keys().all() {
        let length = if description.length.as_ref() == Some(&key.name) { " Also `length`." } else { "" };
        let (takes, default) = (takes(&key), default(&key));
        table.add_row([label(&key), takes, default, format!("{}{length}", key.about)]);
    }
    let _ = writeln!(text, "{table}");
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header(["measure", ""]);
    for measure in &description.measures {
        table.add_row([measure.label(), measure.about.clone()]);
    }
    let _ = writeln!(text, "{table}");
    for note in &description.notes {
        let _ = writeln!(text, "note: {note}");
    }
    text
}

fn label(key: &Key) -> String {
    if key.unit.is_empty() { key.name.clone() } else { format!("{} in {}", key.name, key.unit) }
}

/// Says which values a key takes.
pub(crate) fn takes(key: &Key) -> String {
    match &key.domain {
        _ if key.is_path => "a file".to_owned(),
        Some(domain) => domain.expectation(),
        None if key.is_list => "a list".to_owned(),
        None => "a list or a table".to_owned(),
    }
}

/// Says which value a key has by default.
pub(crate) fn default(key: &Key) -> String {
    key.default
        .as_ref()
        .map(ToString::to_string)
        .filter(|default| !default.is_empty())
        .unwrap_or_else(|| "-".to_owned())
}
