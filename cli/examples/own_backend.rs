//! The program with a backend of one's own: every command takes `--backend interpreter`.
//!
//! ```text
//! cargo run -p imminent-cli --features conformance --example own_backend -- conform --backend interpreter
//! ```

use imminent::{AnyBackend, BackendProvider, Backends, DeviceInfo, Error, Result, models};
use imminent_core::Backend;
use std::process::ExitCode;

// The smallest backend, whose kernels the interpreter of the intermediate representation runs.
#[allow(clippy::unwrap_used)]
#[path = "../../conformance/tests/all/smallest/backend.rs"]
mod backend;
#[allow(clippy::unwrap_used, clippy::panic)]
#[path = "../../conformance/tests/all/smallest/launch.rs"]
mod launch;
#[allow(clippy::unwrap_used)]
#[path = "../../conformance/tests/all/smallest/memory.rs"]
mod memory;

#[derive(Debug)]
struct Interpreters;

impl BackendProvider for Interpreters {
    fn name(&self) -> &str {
        "interpreter"
    }

    fn devices(&self) -> Result<Vec<DeviceInfo>> {
        Ok(vec![backend::Interpreter::new().info().clone()])
    }

    fn open(&self, index: u32, options: &[(String, String)]) -> Result<AnyBackend> {
        if let Some((key, _)) = options.first() {
            return Err(Error::invalid(format!("interpreter option `{key}`"), "it has no options"));
        }
        match index {
            0 => Ok(AnyBackend::other(backend::Interpreter::new())),
            _ => Err(Error::NoDevice { backend: self.name().to_owned(), index, available: "1 device".to_owned() }),
        }
    }

    fn loads_drivers(&self) -> bool {
        false
    }
}

fn main() -> ExitCode {
    let backends = Backends::standard().with(Interpreters);
    imminent_cli::Program::new(&models::catalogue()).backends(backends).package("interpreter", "7.8.9").main()
}
