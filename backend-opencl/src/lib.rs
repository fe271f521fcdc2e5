//! The OpenCL backend: kernels are lowered to OpenCL C 1.2 and run on any device with an OpenCL driver.
//!
//! [`OpenClBackend::open`] gives a device for [`Device::open`](imminent_core::Device::open). [`OpenClBackend::list`]
//! lists the devices, or the reason why there are none.
//!
//! # How it works
//! | idea | module |
//! | --- | --- |
//! | libOpenCL, found at run time | `loader` |
//! | OpenCL's objects and calls, with errors for statuses | `cl` |
//! | platforms, devices, options, limits | `device`, [`Options`] |
//! | tables as words in one buffer | `memory` |
//! | kernels to OpenCL C | [`imminent_lowering::c`] |
//! | compiled kernels, in memory and on disk | `module` |
//! | kernels of the runtime itself | `runtime` |
//! | a launch as calls of kernels, its reduction included | `launch` |
//! | commands in order, transfers, faults | `queue` |
//! | programs: many steps enqueued at a time, halted by the device | `program` |
//!
//! # Contracts
//! * **Calls.** [`Device`](imminent_core::Device) alone calls the backend. A program opens, lists, and adopts queues
//!   and memory of other libraries ([`AdoptOpenCl`]), for whose validity it answers.
//! * **Absence.** A program with this backend builds and starts where OpenCL is not installed, and reports its absence.
//!   A driver that fails when queried for its devices is skipped and reported; the others work.
//! * **Threads.** Any thread may call. Drivers are first queried and opened by one thread at a time, since some crash
//!   otherwise. A kernel object, the only one that two threads must not use at once, belongs to one queue or program.
//! * **Results.** Integers are exact. Floats are as exact as the device's probes show.
//! * **Errors.** Errors of the driver are returned, never panics, also statuses that OpenCL does not define. The
//!   compiler's output reaches the caller whole.
//! * **Ends.** A transfer's host memory is kept until the device is done with it, also if its submission is dropped.
//! * **Cache.** The cache of compiled programs can be missing, damaged or read-only: that only costs time.

mod adopt;
mod backend;
mod cl;
mod device;
mod launch;
mod loader;
mod memory;
mod module;
mod options;
mod primitives;
mod program;
mod queue;
mod runtime;

pub use adopt::AdoptOpenCl;
pub use backend::OpenClBackend;
pub use device::{Adapter, Platform};
pub use imminent_device::kernel_cache::first_run;
pub use options::{Cache, Options, Switch};
