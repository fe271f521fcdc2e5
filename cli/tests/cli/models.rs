//! Models of the catalogue: what each of them has on the command line.

use super::{imminent, json, text};
use imminent::models::catalogue;
use imminent::models::study::Configuration;
use imminent::models::study::experiment::OptionValues;
use std::fs;

#[test]
fn descriptions_are_right_and_names_unique() {
    use imminent::models::cell::{fire::Fire, study::model};
    let catalogue = catalogue();
    assert_eq!(catalogue.check(), Ok(()));
    for model in catalogue.iter() {
        let keys = model.keys();
        assert_eq!(model.description().check_length(|key| keys.key(key).is_some()), Ok(()), "{model:?}");
    }
    let twice = catalogue.clone().with(model::<Fire>()).check().unwrap_err().to_string();
    assert!(twice.starts_with("model `fire`: another model of the catalogue has this name"), "{twice}");
    assert_eq!(catalogue.without("fire").with(model::<Fire>()).check(), Ok(()));
}

/// A model that tells outcomes is run with a folder: it has the tables, the result and the report of the same run.
#[test]
fn outcomes_are_written_whole() {
    let catalogue = catalogue();
    let models = catalogue.iter().filter(|model| !model.needs_file());
    let (mut seen, mut without_default) = (0, vec![]);
    for (model, experiments) in models.filter_map(|model| Some((model, model.experiments()?))) {
        let name = model.description().name;
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let run = ["run", &name, "--backend", "cpu", "--json", "--out", out.to_str().unwrap()];
        // Traffic has no network by default, and the others are large.
        let more: &[&str] = match name.as_str() {
            "traffic" => &["--generate", "validation", "--horizon", "1"],
            "fire" => &["--width", "40", "--height", "30"],
            "levelling" => &["--width", "8", "--height", "6"],
            _ => &[],
        };
        // Rule files and landscapes have no default either.
        let mut configuration = Configuration::read(model, None).unwrap();
        if more.is_empty() && experiments.prepare(&mut configuration, &OptionValues::default()).is_err() {
            without_default.push(name);
            continue;
        }
        let printed = json(&[&run[..], more].concat());
        assert_eq!(printed["model"], name.as_str());
        let written = fs::read_to_string(out.join("result.json")).unwrap();
        let written: serde_json::Value = serde_json::from_str(&written).unwrap();
        assert_eq!((&written["digest"], &written["partial"]), (&printed["digest"], &serde_json::Value::Null), "{name}");
        // Every part takes some time.
        let times = ["set_up_s", "wall_s", "read_s", "files_s", "total_s"].map(|part| printed[part].as_f64());
        assert!(times.iter().all(|time| time.is_some_and(|time| time > 0.0)), "{name}: {times:?}");
        assert!(written["digest"].as_str().is_some_and(|digest| digest.len() > 16), "{name}: {written}");
        let tables = experiments.tables().iter().map(|table| format!("{table}.csv"));
        let files = tables.chain(experiments.files().iter().map(|file| (*file).to_owned()));
        assert!(files.filter(|file| out.join(file).exists()).count() > 0, "{name}");
        let page = fs::read_to_string(out.join("report.html")).unwrap();
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
        let page = roxmltree::Document::parse_with_options(&page, options).unwrap();
        assert!(page.descendants().any(|node| node.has_tag_name("table")), "{name}");
        seen += 1;
    }
    assert_eq!((seen, &without_default[..]), (6, &["cells", "wildfire", "flood"].map(str::to_owned)[..]));
}

/// The schema of each model is JSON Schema with the keys that its configuration has.
#[test]
fn every_model_is_described() {
    for model in catalogue().iter() {
        let name = model.description().name;
        let schema = json(&["describe", &name, "--json"]);
        assert!(schema["properties"].as_object().is_some_and(|keys| !keys.is_empty()), "{name}: {schema}");
        let told = text(&imminent(&["describe", &name]).stdout);
        let keys = model.keys().all();
        assert!(keys.iter().all(|key| told.contains(&key.name)), "{name}: {told}");
    }
}

/// All kernels of all modules of a model are printed, each under its full name.
#[test]
fn every_kernel_is_printed() {
    for model in catalogue().iter().filter(|model| !model.kernels().is_empty()) {
        let name = model.description().name;
        let code = text(&imminent(&["emit", &name, "--lang", "cuda"]).stdout);
        for module in model.kernels() {
            let module = module.ir().unwrap();
            for kernel in &module.kernels {
                assert!(code.contains(&format!("// {}::{}\n", module.name, kernel.name)), "{name}: {}", kernel.name);
            }
        }
    }
}
