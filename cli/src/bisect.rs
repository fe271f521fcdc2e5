//! `imminent bisect`.

use super::run::ModelRun;
use clap::Args;
use imminent::Device;
use imminent::conformance::Twin;
use imminent::models::study::Catalogue;
use imminent_console::selection::{DeviceArgs, key_value, numbered};
use imminent_console::{Failure, print::print_text};

/// Options of `imminent bisect`.
///
/// Both devices run the whole model, and are compared after each launch: choose a small model.
#[derive(Debug, Args)]
pub(crate) struct Bisect {
    /// Reference device: a backend, with a number if it is not the first, as in `opencl:1`.
    #[arg(long, value_name = "BACKEND[:K]", default_value = "cpu", value_parser = numbered)]
    left: (String, Option<u32>),
    /// Device to compare with the reference.
    #[arg(long, value_name = "BACKEND[:K]", value_parser = numbered)]
    right: (String, Option<u32>),
    /// Option of the right device's backend, for instance int64=emulated or faults=operands; may be given several
    /// times.
    #[arg(long, value_name = "KEY=VALUE", value_parser = key_value)]
    right_option: Vec<(String, String)>,
    #[command(subcommand)]
    model: ModelRun,
}

fn open((backend, device): &(String, Option<u32>), options: &[(String, String)]) -> Result<Device, Failure> {
    let args = DeviceArgs {
        backend: backend.clone(),
        device: *device,
        device_options: options.to_vec(),
        ..DeviceArgs::default()
    };
    args.open().map(|(device, _)| device)
}

impl Bisect {
    pub(crate) fn run(self, catalogue: &Catalogue) -> Result<(), Failure> {
        let (left, right) = (open(&self.left, &[])?, open(&self.right, &self.right_option)?);
        let twin = Twin::new(&left, &right);
        let device = twin.open().map_err(Failure::run)?;
        let ran = self.model.run(catalogue, Some(device));
        match twin.divergence() {
            Some(divergence) => {
                let info = right.info();
                let options = self.right_option.iter().map(|(key, value)| format!(" --device-option {key}={value}"));
                Err(Failure::run(format!(
                    "{divergence}\n`imminent conform --backend {} --device {}{}` tests the right device by itself, and `imminent emit` prints the kernel; report the difference with what they print",
                    info.backend,
                    info.index,
                    options.collect::<String>()
                )))
            }
            None => {
                ran?;
                print_text(&format!("no difference in {} launches, primitives and copies\n", twin.compared()))
            }
        }
    }
}
