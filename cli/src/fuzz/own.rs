//! Kernels of the program's models on random rows, compared with their native functions.

use imminent::conformance::{KernelCheck, KernelReport};
use imminent::models::study::{Catalogue, Model};
use imminent::{Device, ModuleSource};
use imminent_console::Failure;
use imminent_console::print::{print_json, print_text};
use imminent_console::selection::DeviceArgs;

/// Tries the modules that are named, on the given device or on every one.
pub(super) fn run(
    names: &[String],
    device: &DeviceArgs,
    check: KernelCheck,
    is_json: bool,
    catalogue: &Catalogue,
) -> Result<(), Failure> {
    let modules = chosen(names, catalogue)?;
    let devices: Vec<Device> = match device.backend.as_str() {
        "auto" => device.every().devices,
        _ => vec![device.open()?.0],
    };
    let mut reports = Vec::new();
    for device in &devices {
        for module in &modules {
            let of_module = check.run(device, module).map_err(Failure::run)?;
            if !is_json {
                of_module.iter().try_for_each(|report| print_text(&format!("{report}\n")))?;
            }
            reports.extend(of_module);
        }
    }
    if is_json {
        print_json(&reports)?;
    }
    match reports.iter().any(KernelReport::is_failure) {
        false => Ok(()),
        true => Err(Failure::run("a kernel differs from its native function: see the launch above")),
    }
}

/// Returns the modules of which a name is the model's, the module's, or the last part of that.
fn chosen(names: &[String], catalogue: &Catalogue) -> Result<Vec<&'static ModuleSource>, Failure> {
    let of_model = |model: &dyn Model| {
        let name = model.description().name;
        model.kernels().into_iter().map(move |module| (name.clone(), module))
    };
    let all: Vec<(String, &'static ModuleSource)> = catalogue.iter().flat_map(of_model).collect();
    let last = |module: &ModuleSource| module.name().rsplit("::").next().unwrap_or_default().to_owned();
    let mut modules: Vec<&'static ModuleSource> = Vec::new();
    for name in names {
        let is_meant = |(model, module): &&(String, &ModuleSource)| {
            name == model || name == module.name() || *name == last(module)
        };
        let found: Vec<_> = all.iter().filter(is_meant).map(|(_, module)| *module).collect();
        if found.is_empty() {
            let mut known: Vec<String> = all.iter().map(|(_, module)| last(module)).collect();
            known.sort();
            known.dedup();
            let known = known.join(", ");
            return Err(Failure::usage(format!("--module {name}: no model has such a module: known are {known}")));
        }
        modules.extend(found);
    }
    modules.sort_by_key(|module| module.name());
    modules.dedup_by_key(|module| module.name());
    Ok(modules)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn modules_are_named_by_their_models_or_themselves() {
        let catalogue = imminent::models::catalogue();
        let names = |of: &str| {
            let modules = chosen(&[of.to_owned()], &catalogue);
            modules.map(|modules| modules.into_iter().map(ModuleSource::name).collect::<Vec<_>>())
        };
        let of_model = names("phold").unwrap();
        assert!(!of_model.is_empty());
        assert_eq!(names(of_model[0]).unwrap(), [of_model[0]]);
        let error = names("nothing").unwrap_err().to_string();
        assert!(error.contains("--module nothing") && error.contains("known are"), "{error}");
    }
}
