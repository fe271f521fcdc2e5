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
//! | tables as word columns; page-locked memory for transfers | `memory` |
//! | kernels to CUDA C++ to functions of the device; on disk between runs | `module` |
//! | kernels of the runtime itself | `runtime` |
//! | kernels compiled before a program came to its user | `shipped` |
//! | a launch as kernels, its reduction included | `launch` |
//! | streams with their transfers and faults | `queue` |
//! | reductions and other primitives over columns | `primitives` |
//! | programs: graphs of many steps, halted by the device | `program` |
//!
//! # Contracts
//! * **Calls.** [`Device`](imminent_core::Device) alone calls the backend. A program opens, lists, and adopts streams
//!   and memory of other libraries ([`AdoptCuda`]), for whose validity it answers.
//! * **Threads.** Any thread may call. The device's primary context is made current on it for each call, so other
//!   libraries of the process can use the device, too. Streams of several queues run at once.
//! * **Launches.** A launch allocates nothing and copies nothing but its parameters, once its kernel is compiled.
//! * **Results.** Integers are exact. Floats are neither contracted nor flushed, and division and square root are
//!   rounded correctly: all kernels with floats are of the class `Reproducible`.
//! * **Errors.** A missing or old library, a device without memory or lost to an error: typed errors, never panics.
//!   After an error that the driver calls sticky every call returns `Error::DeviceLost`.
//! * **Ends.** Memory is freed in the order of the streams that used it. The primary context is released with the last
//!   object of the backend.
//! * **Cache.** A kernel cache that cannot be read or written makes a run slower, never different.

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
mod shipped;

pub use adopt::AdoptCuda;
pub use backend::CudaBackend;
pub use device::Adapter;
pub use imminent_device::kernel_cache::{first_run, shipped::beside_program};
pub use offline::{CompiledKernel, OfflineCompiler};
pub use options::{Cache, Loops, Options, Workgroup};
pub use shipped::recorded;
