//! OpenCL's objects and calls, as far as this backend needs them.
//!
//! Bindings and types are those of `ocl`. Its own calls are not used: they panic at a status that they do not know, and
//! some drivers return such statuses. They also panic if an object cannot be released. Here every status becomes a
//! [`Failure`].

mod device;
mod memory;
mod objects;
mod program;
mod status;

pub(crate) use device::{DeviceId, PlatformId, device_ids, platform_ids};
pub(crate) use memory::{
    copy, create_buffer, create_pinned, create_sub_buffer, create_words, fill, map, read, unmap, write,
};
pub(crate) use objects::{CommandQueue, Context, Event, Kernel, Mem, Program};
pub(crate) use program::{
    build, create_kernel, enqueue, kernel_work_group, program_binary, program_from_binary, program_from_source,
};
pub(crate) use program::{set_arg_mem, set_arg_words};
pub(crate) use status::{Failure, code};
