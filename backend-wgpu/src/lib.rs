//! The WebGPU backend: kernels are lowered to WGSL and run through wgpu, on Vulkan.
//!
//! [`WgpuBackend::open`] gives a device for [`Device::open`](imminent_core::Device::open); [`WgpuBackend::list`] says which
//! devices there are, or why there are none.
//!
//! # How it works
//! | idea | module |
//! | --- | --- |
//! | buffers and devices of other libraries | [`AdoptWgpu`], [`WgpuBackend::adopt`] |
//! | adapters, options, limits, errors of the driver | `device`, [`Options`] |
//! | tables as word columns in one or more buffers | `memory` |
//! | kernels to WGSL | [`imminent_lowering::wgsl`] |
//! | compiled kernels, by the shape of their tables | `module` |
//! | a launch as dispatches, its reduction included | `launch` |
//! | batches of commands, transfers, faults | `queue` |
//! | programs: many steps a submission, halted by the device | `program` |
//!
//! # Contracts
//! * Errors of the driver, its validation and the loss of the device are returned, never panics.
//! * Tables larger than the device binds are cut into pieces; no caller sees it.
//! * Work on a queue is gathered and submitted in batches: at the latest when something is read or waited for.

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

pub use adopt::AdoptWgpu;
pub use backend::WgpuBackend;
pub use device::Adapter;
pub use options::{Float64Option, Int64Option, Options};
