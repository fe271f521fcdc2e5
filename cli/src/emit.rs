//! `imminent emit`.

use crate::describe::get;
use clap::{Args, ValueEnum};
use imminent::models::study::Catalogue;
use imminent_console::{
    Failure,
    print::{print_json, print_text},
};
use imminent_core::ModuleSource;
use imminent_core::ir::{Kernel, Module};
use imminent_lowering::c::{self, COptions};
use imminent_lowering::wgsl::{self, Int64, WgslOptions};

/// Options of `imminent emit`.
#[derive(Debug, Args)]
pub(crate) struct Emit {
    /// Model of the catalogue.
    model: String,
    /// Language of the generated code.
    #[arg(long, value_enum)]
    lang: Language,
    /// Print only this kernel: KERNEL, or MODULE::KERNEL where several modules have one of that name.
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Emulate 64-bit integers by pairs of 32-bit words (WGSL).
    #[arg(long)]
    emulate_int64: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Language {
    /// The portable intermediate representation, as JSON.
    Ir,
    /// WebGPU's shading language.
    Wgsl,
    /// OpenCL C.
    Opencl,
    /// CUDA C++.
    Cuda,
}

impl Emit {
    pub(crate) fn run(self, catalogue: &Catalogue) -> Result<(), Failure> {
        if self.emulate_int64 && !matches!(self.lang, Language::Wgsl) {
            let problem = "other languages than WGSL have 64-bit integers: give --lang wgsl, or leave this out";
            return Err(Failure::option("--emulate-int64", problem));
        }
        let modules = sources(&self.model, catalogue)?.into_iter().map(|source| source.ir().map_err(Failure::run));
        let modules = modules.collect::<Result<Vec<&Module>, _>>()?;
        let chosen = choose(&modules, self.kernel.as_deref())?;
        if matches!(self.lang, Language::Ir) {
            let mut printed: Vec<&Module> = chosen.iter().map(|(module, _)| *module).collect();
            printed.dedup_by_key(|module| &module.name);
            return match printed.as_slice() {
                [module] => print_json(module),
                modules => print_json(&modules),
            };
        }
        let mut texts = Vec::new();
        for (module, kernel) in chosen {
            let code = match self.lang {
                Language::Cuda => c_text(module, kernel, &COptions::cuda()),
                Language::Opencl => c_text(module, kernel, &COptions::opencl()),
                _ => wgsl_text(module, kernel, self.emulate_int64),
            };
            // Among many kernels one may be of numbers that the language lacks.
            let text = match code {
                Err(why) if self.kernel.is_none() => format!("// Not in this language: {why}"),
                code => code.map_err(Failure::run)?,
            };
            texts.push(format!("// {}\n{}\n", name(module, kernel), text.trim_end()));
        }
        print_text(&texts.join("\n"))
    }
}

/// Returns the name of a kernel with its module.
fn name(module: &Module, kernel: &Kernel) -> String {
    format!("{}::{}", module.name, kernel.name)
}

/// Returns the kernels with their modules: all, or the one of a name, which is `KERNEL` or `MODULE::KERNEL`.
fn choose<'m>(modules: &[&'m Module], wanted: Option<&str>) -> Result<Vec<(&'m Module, &'m Kernel)>, Failure> {
    let all = modules.iter().flat_map(|module| module.kernels.iter().map(|kernel| (*module, kernel)));
    let Some(wanted) = wanted else { return Ok(all.collect()) };
    let found: Vec<_> =
        all.clone().filter(|(module, kernel)| kernel.name == wanted || name(module, kernel) == wanted).collect();
    let (several, listed) = match found.len() {
        1 => return Ok(found),
        0 => ("no kernel of this model has this name", all.collect()),
        _ => ("several modules have a kernel of this name", found),
    };
    let names: Vec<_> = listed.into_iter().map(|(module, kernel)| name(module, kernel)).collect();
    Err(Failure::usage(format!("--kernel {wanted}: {several}; give one of {}", names.join(", "))))
}

/// Returns the modules with kernels of a model.
fn sources(name: &str, catalogue: &Catalogue) -> Result<Vec<&'static ModuleSource>, Failure> {
    let kernels = get(catalogue, name)?.kernels();
    if kernels.is_empty() {
        return Err(Failure::usage(format!("MODEL {name}: this model has no kernels: it runs on the host")));
    }
    Ok(kernels)
}

fn c_text(module: &Module, kernel: &Kernel, options: &COptions) -> Result<String, String> {
    let flat = imminent_core::ir::flatten(module, kernel).map_err(|error| error.to_string())?;
    c::lower(&flat, options).map(|text| text.code).map_err(|error| error.to_string())
}

fn wgsl_text(module: &Module, kernel: &Kernel, emulate_int64: bool) -> Result<String, String> {
    let int64 = if emulate_int64 { Int64::Emulated } else { Int64::Native };
    let options = WgslOptions { int64, float64: !emulate_int64, ..WgslOptions::default() };
    let flat = imminent_core::ir::flatten(module, kernel).map_err(|error| error.to_string())?;
    wgsl::lower(&flat, &options).map(|text| text.code).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use imminent::models::catalogue;
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::Path;

    /// Counts the kernels that the files of a folder declare, by their names.
    fn count(folder: &Path, kernels: &mut BTreeMap<String, usize>) {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                count(&entry, kernels);
            } else if entry.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&entry).unwrap();
                let lines = text.lines().map(str::trim_start).collect::<Vec<_>>();
                for (at, _) in lines.iter().enumerate().filter(|(_, line)| line.starts_with("#[kernel")) {
                    let declared = lines[at + 1..].iter().find_map(|line| line.strip_prefix("pub fn "));
                    let name = declared.unwrap().split(['(', '<']).next().unwrap();
                    *kernels.entry(name.to_owned()).or_default() += 1;
                }
            }
        }
    }

    #[test]
    fn every_kernel_of_the_models_is_printed() {
        let mut declared = BTreeMap::new();
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models");
        for model in std::fs::read_dir(models).unwrap().map(|model| model.unwrap().path()) {
            count(&model.join("src"), &mut declared);
        }
        let catalogue = catalogue();
        let sources = catalogue.iter().flat_map(|model| model.kernels());
        let modules: Vec<_> = sources.map(|source| source.ir().unwrap()).collect();
        let kernels =
            modules.iter().flat_map(|module| module.kernels.iter().map(|kernel| (&module.name, &kernel.name)));
        let printed: BTreeSet<_> = kernels.collect();
        let lacking: Vec<_> = declared
            .iter()
            .filter(|(name, count)| printed.iter().filter(|(_, kernel)| kernel == name).count() < **count)
            .collect();
        assert!(lacking.is_empty() && declared.len() > 50, "declared more often than printed: {lacking:?}");
    }
}
