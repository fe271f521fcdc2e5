//! Portable compute backends for discrete-event simulation.
//!
//! A model is written once, in ordinary safe Rust, and runs on every backend that is compiled in. All decisions in
//! integers or fixed point have the same bits everywhere. This crate unites Imminent under one name: the core API and
//! the kernel language, and, by feature, the backends, the models of the papers, and the conformance suite.
//!
//! ```
//! #[imminent::kernels]
//! mod decay {
//!     use imminent::random::Pcg32;
//!
//!     /// An atom, with its own stream of random numbers.
//!     #[derive(Row)]
//!     pub struct Atom {
//!         pub rng: Pcg32,
//!         pub half_lives: u32,
//!         pub decayed: bool,
//!     }
//!
//!     /// One half-life of one atom; counts those that are left.
//!     #[kernel(reduce = count)]
//!     pub fn wait(me: &mut Atom) -> bool {
//!         if !me.decayed {
//!             me.half_lives += 1;
//!             me.decayed = me.rng.below(2) == 0;
//!         }
//!         !me.decayed
//!     }
//! }
//!
//! # fn main() -> imminent::Result<()> {
//! use decay::Atom;
//! use imminent::{Row, Table, random::Pcg32};
//!
//! let device = imminent::open(&imminent::DeviceSelection::default())?;
//! let rows: Vec<Atom> = (0..1000).map(|i| Atom { rng: Pcg32::new(7, i), ..Atom::zeroed(0) }).collect();
//! let mut atoms = Table::from_rows(&device, &rows)?;
//! let mut left = 1000;
//! while left > 0 {
//!     left = device.queue().launch::<decay::wait>((&mut atoms,))?.read()?;
//! }
//! let oldest = atoms.read()?.iter().map(|atom| atom.half_lives).max();
//! assert!(oldest > Some(5));
//! # Ok(())
//! # }
//! ```
//!
//! Authors of a backend use the crate `imminent-core`, which adds the contract that a backend implements.
//!
//! # Features
//! | feature | contents |
//! | --- | --- |
//! | `cpu` (default) | native code over a thread pool |
//! | `wgpu` | WebGPU, through Vulkan where there is no browser |
//! | `cuda` | CUDA; driver and NVRTC are loaded at run time |
//! | `opencl` | OpenCL 1.2 and later; the loader is loaded at run time |
//! | `queueing` | queueing networks: `imminent::models::queueing` |
//! | `models` | queueing networks, network traffic, event models, parameter studies, cell spaces: `imminent::models` |
//! | `maps` | rasters from ESRI ASCII grids and GeoTIFF, pictures, isochrones: `imminent::models::maps` |
//! | `parquet` | arrivals of queueing networks from Parquet files |
//! | `conformance` | the suite that checks on one's own hardware that backends agree |
//! | `full` | all of these |
//! | `mpi` | studies over ranks of MPI |
//! | `lab` | benchmarks and figures of models, for the package `imminent-lab` |

extern crate self as imminent;

#[cfg(not(any(feature = "cpu", feature = "wgpu", feature = "cuda", feature = "opencl")))]
compile_error!("imminent needs a backend: enable the feature `cpu`, `wgpu`, `cuda`, `opencl` or `full`");

mod any_backend;
mod backends;
#[cfg(all(doctest, feature = "full"))]
mod book;
#[cfg(feature = "conformance")]
pub mod conformance;
mod discovery;
#[cfg(feature = "queueing")]
pub mod models;
mod prediction;
mod selection;

pub use any_backend::{AnyBackend, OpenDevice};
#[doc(hidden)]
pub use backends::not_compiled_in;
pub use backends::{BackendProvider, Backends};
pub use discovery::{BackendDevices, devices, devices_of, open, open_for, select, select_for};
#[doc(inline)]
pub use imminent_core::{
    ArgMin, Batch, Bundle, Capabilities, Clock, ClockTable, Column, Condition, Data, Determinism, Device, DeviceInfo,
    DeviceKind, Each, Error, Event, Extent, Fault, Faults, FloatProbe, GAP, Group, Histories, History, HistoryTable,
    Holder, Int64, Kernel, Lane, Lanes, Limit, Limits, MailTable, MemoryStatistics, Outcome, Output, Params, Pipeline,
    Plain, Program, ProgramBuilder, Progress, Queue, Reach, Reducible, Reproducible, Result, Row, Rows, RowsBuf,
    Scalar, Selection, Stages, Staging, Stop, Submission, Table, Tally, TallyScalar, TallyTable, Unordered, Work,
    WorkUnit, fault, fixed, grid, kernels, mail, primitives, random,
};
/// Items that the code written by [`kernels`] refers to.
#[doc(hidden)]
pub use imminent_core::{KernelSource, ModuleSource, bind, data, ir, kernel, lang, native, reduce};
#[cfg(feature = "cpu")]
pub use imminent_cpu as cpu;
#[cfg(feature = "cuda")]
pub use imminent_cuda as cuda;
#[cfg(feature = "opencl")]
pub use imminent_opencl as opencl;
#[cfg(feature = "wgpu")]
pub use imminent_wgpu as wgpu;
pub use prediction::Prediction;
pub use selection::DeviceSelection;
