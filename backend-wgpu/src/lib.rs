//! The WebGPU backend: kernels are lowered to WGSL and run through wgpu, on Vulkan.
//!
//! [`WgpuBackend::open`] gives a device for [`Device::open`](imminent_core::Device::open); [`WgpuBackend::list`] lists
//! the devices, or explains why there are none.
//!
//! # How it works
//! | idea | module |
//! | --- | --- |
//! | buffers and devices of other libraries | [`AdoptWgpu`], [`WgpuBackend::adopt`] |
//! | adapters, options, limits, errors of the driver | `device`, [`Options`] |
//! | tables as word columns in one or more buffers, or in buffers that they share | `memory` |
//! | kernels to WGSL | [`imminent_lowering::wgsl`] |
//! | compiled kernels, by the shape of their tables | `module` |
//! | shaders of the runtime itself | `runtime` |
//! | a launch as dispatches, including its reduction | `launch` |
//! | batches of commands, transfers, faults | `queue` |
//! | programs: many steps in a submission, stopped by the device | `program` |
//!
//! # Contracts
//! * **Calls.** [`Device`](imminent_core::Device) alone calls the backend. A program opens, lists, and adopts devices
//!   and buffers of other libraries; wgpu checks what both do with them.
//! * **Threads.** Any thread may call. All queues of a device submit to its one queue, so they take turns on the
//!   device.
//! * **Launches.** Work on a queue is gathered and submitted in batches, at the latest before a read or a wait.
//! * **Memory.** Tables that exceed the largest binding of the device are cut into pieces, invisibly to callers. Where
//!   a kernel can bind fewer than 24 storage buffers, tables share buffers, and so do tallies; launch blocks tell
//!   where they lie.
//! * **Results.** Integers are exact, natively or as pairs of words. Floats are as exact as the device's probes show.
//! * **Errors.** Errors of the driver, its validation and the loss of the device are returned as errors, never as
//!   panics. After a loss every call returns `Error::DeviceLost`. A loop that the driver cut short is a fault.
//! * **Ends.** Buffers are released when wgpu has done the work that uses them.

mod adopt;
mod backend;
mod device;
mod launch;
mod memory;
mod module;
mod options;
mod primitives;
mod program;
mod queue;
mod runtime;

pub use adopt::AdoptWgpu;
pub use backend::WgpuBackend;
pub use device::Adapter;
pub use imminent_device::kernel_cache::first_run;
pub use options::{Int64Option, Options, Switch};
