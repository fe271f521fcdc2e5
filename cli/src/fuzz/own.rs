//! Kernels of the program's models on random rows, compared with their native functions.

use imminent::ModuleSource;
use imminent::conformance::{KernelCheck, KernelReports};
use imminent::models::study::{Catalogue, Model};
use imminent_console::Failure;
use imminent_console::print::{print_json, print_text, tell};
use imminent_console::selection::{DeviceArgs, Opened};

/// Tries the modules that are named, on the given device or on every one.
pub(super) fn run(
    names: &[String],
    device: &DeviceArgs,
    check: KernelCheck,
    is_json: bool,
    catalogue: &Catalogue,
) -> Result<(), Failure> {
    let modules = chosen(names, catalogue)?;
    let opened = match device.backend.as_str() {
        "auto" => device.every(),
        _ => Opened { devices: vec![device.open()?.0], ..Opened::default() },
    };
    opened.refused.iter().for_each(|reason| tell(&format!("ignored: {reason}")));
    let mut printed = Ok(());
    let all = check.run_on(&opened.devices, &modules, &mut |report| {
        if !is_json && printed.is_ok() {
            printed = print_text(&format!("{report}\n"));
        }
    });
    printed?;
    if is_json {
        print_json(&all.reports)?;
    }
    judge(&all)
}

/// Fails for kernels that differ, for errors, and if no kernel was compared.
fn judge(all: &KernelReports) -> Result<(), Failure> {
    let is_told = all.errors.is_empty() && all.failures().next().is_some();
    match all.problem() {
        None => Ok(()),
        Some(_) if is_told => {
            let lost = all.failures().find(|report| report.is_lost());
            let what =
                if lost.is_some() { "a device stopped working" } else { "a kernel differs from its native function" };
            Err(Failure::run(format!("{what}: see the launch above")))
        }
        Some(problem) => Err(Failure::run(problem)),
    }
}

/// Returns the modules of which a name is the model's, the module's, or a part of that.
fn chosen(names: &[String], catalogue: &Catalogue) -> Result<Vec<&'static ModuleSource>, Failure> {
    let of_model = |model: &dyn Model| {
        let name = model.description().name;
        model.kernels().into_iter().map(move |module| (name.clone(), module))
    };
    let all: Vec<(String, &'static ModuleSource)> = catalogue.iter().flat_map(of_model).collect();
    let mut modules: Vec<&'static ModuleSource> = Vec::new();
    for name in names {
        let is_meant = |(model, module): &&(String, &ModuleSource)| {
            name == model || name == module.name() || module.name().split("::").any(|part| part == name)
        };
        let found: Vec<_> = all.iter().filter(is_meant).map(|(_, module)| *module).collect();
        if found.is_empty() {
            let mut known: Vec<&str> = all.iter().map(|(_, module)| module.name()).collect();
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
    use imminent::DeviceSelection;

    #[imminent::kernels]
    mod waiting {
        #[derive(Row)]
        pub struct Clerk {
            pub value: u32,
        }

        #[kernel]
        pub fn wait(me: &mut Clerk) {
            while me.value != 12_345 {
                me.value %= 7;
            }
        }
    }

    #[test]
    fn a_comparison_without_a_kernel_that_ran_fails() {
        let devices = [imminent::open(&DeviceSelection::backend("cpu")).unwrap()];
        let check = KernelCheck::new().launches(2);
        for (devices, reports) in [(&devices[..], 1), (&[], 0)] {
            let all = check.run_on(devices, &[waiting::source()], &mut |_| {});
            let failure = judge(&all).unwrap_err().to_string();
            assert!(failure.contains("no kernel ran") && all.reports.len() == reports, "{failure}");
        }
    }

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
