//! Imminent's reference backend: the functions of a kernel module as rustc compiled them, over a thread pool.
//!
//! Tables are arrays of the native structs, so a debugger, a profiler and the sanitizers see a model's own types. Rows
//! are split among threads by position alone and partial results are combined in row order, so every result is
//! independent of the number of threads.
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
