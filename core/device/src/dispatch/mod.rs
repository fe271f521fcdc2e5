//! Dispatch of launches to kernels: the part common to all devices whose kernels are lowered from the IR.
//!
//! A lowered kernel reads a *launch block* with the sizes of all its arguments ([`LaunchLayout`]). It stays inside its
//! buffers because that block is true. So a backend reads a launch's arguments only through [`bind`], which checks
//! them, and [`describe`]s the result. [`groups`] and [`listed`] do this for the extent of the launch.
//!
//! [`KernelModule`] keeps the kernels of a module, which a [`Compiler`] lowers and compiles. A [`Planner`] turns
//! launches of them into calls ([`Work`]) for a [`Launcher`]. [`RuntimeKernels`] keeps the kernels that a device needs
//! beside those of users.

mod ahead;
mod bind;
mod block;
mod extent;
mod module;
mod planner;
mod runtime;
mod variants;

pub use ahead::{compile_ahead, cores};
pub use bind::{Bound, bind, misfit, own_rows, result, variant};
pub use block::{begin, describe};
pub use extent::{Listed, check_rows, groups, launched, listed};
pub use imminent_ir::launch::{
    EVERY_TURN, EXTENT_WORD, HEADER_WORDS, LAUNCH_WORDS, LaunchLayout, ParamsBlock, ROWS_PER_GROUP, TURN_WORD,
    ZERO_WORD,
};
pub use module::{Compiler, Form, Kernel, KernelModule, decoded, flattened, generated, location};
pub use planner::{Destination, LaunchInputs, Launcher, Planner, STORE_WORDS, Signature, Work, WorkOf};
pub use runtime::{RuntimeKernel, RuntimeKernels};
pub use variants::{Variant, Variants};
