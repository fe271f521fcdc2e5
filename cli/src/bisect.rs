//! `imminent bisect`.

use super::run::Model;
use super::selection::DeviceArgs;
use super::{Failure, print_text};
use clap::Args;
use imminent::Device;
use imminent::conformance::Twin;

/// Options of `imminent bisect`.
///
/// Both devices run the whole model, and are compared after each launch: choose a small model.
#[derive(Debug, Args)]
pub(crate) struct Bisect {
    /// Reference device: a backend, with a number if it is not the first, as in `opencl:1`.
    #[arg(long, value_name = "BACKEND[:K]", default_value = "cpu")]
    left: String,
    /// Device to compare with the reference.
    #[arg(long, value_name = "BACKEND[:K]")]
    right: String,
    /// Option of the right device's backend, for instance int64=emulated or faults=operands; may be given several
    /// times.
    #[arg(long, value_name = "KEY=VALUE", value_parser = super::selection::key_value)]
    right_option: Vec<(String, String)>,
    #[command(subcommand)]
    model: Model,
}

fn open(name: &str, options: &[(String, String)]) -> Result<Device, Failure> {
    let (backend, number) = match name.split_once(':') {
        Some((backend, number)) => {
            let number =
                number.parse().map_err(|_| Failure::usage(format!("`{name}`: write it as opencl or opencl:1")))?;
            (backend, Some(number))
        }
        None => (name, None),
    };
    let args = DeviceArgs {
        backend: backend.to_owned(),
        device: number,
        device_options: options.to_vec(),
        ..DeviceArgs::default()
    };
    args.open().map(|(device, _)| device)
}

impl Bisect {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let (left, right) = (open(&self.left, &[])?, open(&self.right, &self.right_option)?);
        let twin = Twin::new(&left, &right);
        let device = twin.open().map_err(Failure::run)?;
        let ran = self.model.run(Some(device));
        match twin.divergence() {
            Some(divergence) => Err(Failure::run(divergence)),
            None => {
                ran?;
                print_text(&format!("no difference in {} launches, primitives and copies\n", twin.compared()))
            }
        }
    }
}
