//! The CUDA backend: kernels are lowered to CUDA C++, compiled by NVRTC when they are first launched, and run by the
//! driver.
//!
//! [`CudaBackend::open`] gives a device for [`Device::open`](imminent_core::Device::open). [`CudaBackend::list`] lists
//! the devices, or the reason why there are none. Driver and compiler are loaded at run time: a program with this crate
//! starts on a machine that has neither. [`OfflineCompiler`] needs the compiler alone.
//!
//! # How it works
//! | idea | module |
//! | --- | --- |
//! | the driver library, contexts, streams, events, errors | `driver` |
//! | devices: listing, opening, limits | `device`, [`Options`] |
//! | NVRTC, found and called | `nvrtc`, [`OfflineCompiler`] |
//! //! | tables as word columns; page-locked memory for transfers | `memory` |
//! | kernels to CUDA C++ to functions of the device; on disk between runs | `module` |
//! | kernels of the runtime itself | `runtime` |
//! | a launch as kernels, its reduction included | `launch` |
//! | streams with their transfers and faults | `queue` |
//! | reductions and other primitives over columns | `primitives` |
//! | programs: graphs of many steps, halted by the device | `program` |
//!
//! # Contracts
//! * A missing or old library, a device without memory or lost to an error: typed errors, never panics.
//! * A launch allocates nothing and copies nothing but its parameters.
//! * Floats are neither contracted nor flushed, and division and square root are rounded correctly.
//! * A kernel cache that cannot be read or written makes a run slower, never different.

mod adopt;
mod backend;
mod device;
mod driver;
mod launch;
mod memory;
mod module;
mod nvrtc;
mod offline;
mod options;
mod primitives;
mod program;
mod queue;
mod runtime;

pub use adopt::AdoptCuda;
pub use backend::CudaBackend;
pub use device::Adapter;
pub use offline::{CompiledKernel, OfflineCompiler};
pub use options::{Cache, Loops, Options, Workgroup};
