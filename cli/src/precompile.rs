//! `imminent precompile`.

use clap::Args;
use imminent::cuda::{OfflineCompiler, Options, beside_program, recorded};
use imminent_console::Failure;
use imminent_console::print::print_text;
use std::path::PathBuf;
use std::time::Instant;

/// Compute capabilities of the devices that most people have, from the generation of 2018 on.
const USUAL: [u32; 7] = [75, 80, 86, 89, 90, 100, 120];

/// Options of `imminent precompile`.
#[derive(Debug, Args)]
pub(crate) struct Precompile {
    /// Folder with the texts of kernels, which runs with `--backend cuda --device-option record=FOLDER` write.
    #[arg(value_name = "TEXTS")]
    texts: PathBuf,
    /// Folder for the compiled kernels; `kernels` beside this program if left out, where it looks for them.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Compute capabilities of the devices, as 90 for 9.0.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = USUAL)]
    devices: Vec<u32>,
    /// NVRTC library, 12.3 or later, or its folder, instead of a search.
    #[arg(long, value_name = "PATH")]
    nvrtc: Option<PathBuf>,
}

impl Precompile {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let texts = recorded(&self.texts).map_err(Failure::usage)?;
        let nowhere = || Failure::option("--out", "the folder of this program is not known: name one");
        let out = self.out.or_else(beside_program).ok_or_else(nowhere)?;
        let options = Options { nvrtc: self.nvrtc, ..Options::default() };
        for capability in self.devices {
            let begun = Instant::now();
            let compiler = OfflineCompiler::new(capability, &options).map_err(Failure::run)?;
            let bytes = compiler.ship(&out, &texts).map_err(Failure::run)?;
            let (megabytes, seconds) = (bytes as f64 / 1e6, begun.elapsed().as_secs_f64());
            print_text(&format!("sm_{capability}: {} kernels, {megabytes:.1} MB, {seconds:.1} s\n", texts.len()))?;
        }
        print_text(&format!("They lie in {}.\n", out.display()))
    }
}
