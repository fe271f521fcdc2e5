//! Imminent's reference backend: the functions of a kernel module as rustc compiled them, over a thread pool.
//!
//! Tables are arrays of the native structs, so a debugger, a profiler and the sanitizers see a model's own types. Rows
//! are split among threads by position alone and partial results are combined in row order, so every result is
//! independent of the number of threads.
//!
//! # Contracts
//! * **Calls.** [`Device`](imminent_core::Device) alone calls the backend, and kernels are functions of the program: a
//!   debugger stops in them.
//! * **Threads.** Any thread may call. A launch runs on the calling thread with the helpers of the backend's team, and
//!   has ended when the call returns. Queues have no work of their own to wait for.
//! * **Results.** Integers are exact, floats `Reproducible`. No result depends on the number of threads.
//! * **Memory.** Rows lie in tables as structs: `Table::with_native_rows` gives them in place.
//! * **Errors.** Faults are reported with their operands. Work behind a failed launch is left out until a call has
//!   returned the error.
//! * **Ends.** The helpers end with the backend's last object.
//!
//! ```
//! use imminent_core::{Device, Table};
//! use imminent_cpu::{CpuBackend, Options};
//!
//! let device = Device::open(CpuBackend::open(&Options::default())?)?;
//! let table = Table::from_rows(&device, &[3_u64, 1, 2])?;
//! assert_eq!(table.read()?, [3, 1, 2]);
//! # Ok::<(), imminent_core::Error>(())
//! ```

mod backend;
mod execute;
mod launch;
mod memory;
mod module;
mod options;
mod primitives;
mod team;
mod weight;

pub use backend::CpuBackend;
pub use options::Options;
