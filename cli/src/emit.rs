//! `imminent emit`.

use clap::{Args, ValueEnum};
use imminent::models::cell;
use imminent::models::events;
use imminent::models::manet;
use imminent::models::queueing::kernels;
use imminent::models::traffic::fluid;
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
    /// Model: torus and network, which share kernels, fluid traffic by its floating-point type, an ad hoc network, an
    /// event model, or a cell space.
    #[arg(value_enum)]
    model: Model,
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
enum Model {
    Torus,
    Network,
    /// Fluid traffic in f32.
    Fluids,
    /// Fluid traffic in f64.
    FluidsF64,
    /// Mobile ad hoc networks.
    Manet,
    Lcg,
    Phold,
    Mesh,
    /// The benchmark of the overhead of events.
    Overhead,
    /// The benchmark of events with large payloads.
    Laden,
    Fire,
    Flood,
    /// Cell spaces from rule files.
    Cells,
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
    pub(crate) fn run(self) -> Result<(), Failure> {
        if self.emulate_int64 && !matches!(self.lang, Language::Wgsl) {
            let problem = "other languages than WGSL have 64-bit integers: give --lang wgsl, or leave this out";
            return Err(Failure::option("--emulate-int64", problem));
        }
        let modules = self.model.sources().into_iter().map(|source| source.ir().map_err(Failure::run));
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
                Language::Cuda => c_text(module, kernel, &COptions::cuda())?,
                Language::Opencl => c_text(module, kernel, &COptions::opencl())?,
                _ => wgsl_text(module, kernel, self.emulate_int64)?,
            };
            texts.push(format!("// {}\n{}\n", name(module, kernel), code.trim_end()));
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

impl Model {
    /// Returns the modules with kernels of a model.
    fn sources(self) -> Vec<&'static ModuleSource> {
        let simple = || {
            vec![
                kernels::boundary::source(),
                kernels::relaxation::source(),
                kernels::tiles::source(),
                kernels::clustered::source(),
            ]
        };
        let general = || {
            vec![
                kernels::general::steps::source(),
                kernels::general::enclosed::source(),
                kernels::general::clustering::source(),
            ]
        };
        // All event models share the kernels of lists, links and safe events.
        let of_events = |own: &'static ModuleSource| {
            vec![
                own,
                events::kernels::list::source(),
                events::kernels::links::source(),
                events::kernels::search::source(),
                events::kernels::speculation::source(),
            ]
        };
        match self {
            Model::Torus => simple(),
            Model::Network => [simple(), general()].concat(),
            Model::Fluids => vec![
                fluid::kernels::single::fluids::source(),
                fluid::kernels::single::ways::source(),
                fluid::kernels::single::meeting::source(),
                fluid::kernels::single::meters::source(),
            ],
            Model::FluidsF64 => vec![
                fluid::kernels::double::fluids::source(),
                fluid::kernels::double::ways::source(),
                fluid::kernels::double::meeting::source(),
                fluid::kernels::double::meters::source(),
            ],
            Model::Manet => vec![
                manet::kernels::node::source(),
                manet::kernels::motion::source(),
                manet::kernels::grid::source(),
                manet::kernels::medium::source(),
                manet::kernels::attempt::source(),
                manet::kernels::arrival::source(),
            ],
            Model::Lcg => of_events(events::lcg::lcg::source()),
            Model::Phold => of_events(events::phold::phold::source()),
            Model::Mesh => of_events(events::mesh::mesh::source()),
            Model::Overhead => of_events(events::overhead::overhead::source()),
            Model::Laden => of_events(events::laden::laden::source()),
            Model::Fire => vec![
                cell::fire::kernels::window::source(),
                cell::fire::kernels::step::source(),
                cell::landscape::kernels::tiles::source(),
            ],
            Model::Flood => {
                vec![cell::flood::kernels::levelling::source(), cell::flood::terrain::kernels::runoff::source()]
            }
            Model::Cells => vec![
                cell::rules::kernels::cells::advance::source(),
                cell::rules::kernels::cells::batch::source(),
                cell::rules::kernels::cells::change::source(),
            ],
        }
    }
}

fn c_text(module: &Module, kernel: &Kernel, options: &COptions) -> Result<String, Failure> {
    let flat = imminent_core::ir::flatten(module, kernel).map_err(Failure::run)?;
    Ok(c::lower(&flat, options).map_err(Failure::run)?.code)
}

fn wgsl_text(module: &Module, kernel: &Kernel, emulate_int64: bool) -> Result<String, Failure> {
    let int64 = if emulate_int64 { Int64::Emulated } else { Int64::Native };
    let flat = imminent_core::ir::flatten(module, kernel).map_err(Failure::run)?;
    Ok(wgsl::lower(&flat, &WgslOptions { int64, ..WgslOptions::default() }).map_err(Failure::run)?.code)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::Model;
    use clap::ValueEnum;
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
        for model in ["cell", "events", "manet", "queueing", "traffic"] {
            count(&models.join(model).join("src"), &mut declared);
        }
        let sources = Model::value_variants().iter().flat_map(|model| model.sources());
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
