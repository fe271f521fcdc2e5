//! `imminent emit`.

use super::{Failure, print_text};
use clap::{Args, ValueEnum};
use imminent::models::cell;
use imminent::models::events;
use imminent::models::queueing::kernels;
use imminent::models::traffic::fluid;
use imminent_core::ir::{Kernel, Module};
use imminent_lowering::c::{self, COptions};
use imminent_lowering::wgsl::{self, Int64, WgslOptions};

/// Options of `imminent emit`.
#[derive(Debug, Args)]
pub(crate) struct Emit {
    /// Model: torus and network, which share kernels, fluid traffic, an event model, or a cell space.
    #[arg(value_enum)]
    model: Model,
    /// Language of the generated code.
    #[arg(long, value_enum)]
    lang: Language,
    /// Print only this kernel.
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
    Fluids,
    Lcg,
    Phold,
    Mesh,
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
        let sources = match self.model {
            Model::Torus => vec![kernels::relaxation::source(), kernels::tiles::source(), kernels::clustered::source()],
            Model::Network => vec![
                kernels::relaxation::source(),
                kernels::tiles::source(),
                kernels::clustered::source(),
                kernels::general::steps::source(),
                kernels::general::enclosed::source(),
            ],
            Model::Fluids => {
                vec![
                    fluid::kernels::single::fluids::source(),
                    fluid::kernels::single::ways::source(),
                    fluid::kernels::single::meeting::source(),
                ]
            }
            Model::Lcg => vec![events::lcg::lcg::source()],
            Model::Phold => vec![events::phold::phold::source()],
            Model::Mesh => vec![events::mesh::mesh::source()],
            Model::Fire => {
                vec![
                    cell::fire::kernels::window::source(),
                    cell::fire::kernels::step::source(),
                    cell::landscape::kernels::tiles::source(),
                ]
            }
            Model::Flood => {
                vec![cell::flood::kernels::levelling::source(), cell::flood::terrain::kernels::runoff::source()]
            }
            Model::Cells => vec![
                cell::rules::kernels::cells::advance::source(),
                cell::rules::kernels::cells::batch::source(),
                cell::rules::kernels::cells::change::source(),
            ],
        };
        let mut known = Vec::new();
        let mut text = String::new();
        for source in sources {
            let module = source.ir().map_err(Failure::run)?;
            let chosen = |name: &str| self.kernel.as_deref().is_none_or(|kernel| kernel == name);
            known.extend(module.kernels.iter().map(|kernel| kernel.name.clone()));
            if !module.kernels.iter().any(|kernel| chosen(&kernel.name)) {
                continue;
            }
            match self.lang {
                Language::Ir => text += &(serde_json::to_string_pretty(module).map_err(Failure::run)? + "\n"),
                language => {
                    for kernel in module.kernels.iter().filter(|kernel| chosen(&kernel.name)) {
                        text += &match language {
                            Language::Cuda => c_text(module, kernel, &COptions::cuda())?,
                            Language::Opencl => c_text(module, kernel, &COptions::opencl())?,
                            _ => wgsl_text(module, kernel, self.emulate_int64)?,
                        };
                    }
                }
            }
        }
        if text.is_empty() {
            let kernel = self.kernel.unwrap_or_default();
            return Err(Failure::usage(format!(
                "kernel `{kernel}`: this model has none of that name: give one of {}",
                known.join(", ")
            )));
        }
        print_text(&text)
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
