//! The whole program with the backend: every command takes `--backend skeleton`.

use backend_skeleton::{NAME, Skeleton};
use imminent::{AnyBackend, BackendProvider, Backends, DeviceInfo, Error, Result, models};
use imminent_core::Backend;
use std::process::ExitCode;

#[derive(Debug)]
struct Provider;

impl BackendProvider for Provider {
    fn name(&self) -> &str {
        NAME
    }

    fn devices(&self) -> Result<Vec<DeviceInfo>> {
        Ok(vec![Skeleton::open().info().clone()])
    }

    fn open(&self, index: u32, options: &[(String, String)]) -> Result<AnyBackend> {
        if let Some((key, _)) = options.first() {
            return Err(Error::invalid(format!("{NAME} option `{key}`"), "it has no options"));
        }
        match index {
            0 => Ok(AnyBackend::other(Skeleton::open())),
            _ => Err(Error::NoDevice { backend: NAME.to_owned(), index, available: "1 device".to_owned() }),
        }
    }

    /// Says that looking for devices cannot crash. Leave it out for a backend that loads a driver.
    fn loads_drivers(&self) -> bool {
        false
    }
}

fn main() -> ExitCode {
    let (backends, models) = (Backends::standard().with(Provider), models::catalogue());
    let program = imminent_cli::Program::new(&models).backends(backends);
    program.package(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")).main()
}
