//! Machinery that backends for devices share: everything between the [`Backend`](imminent_core::Backend) trait and a
//! driver that does not depend on the driver.
//!
//! A device has memory of its own, runs kernels that are compiled from text while the program runs, and works beside
//! the host. The backends for CUDA, OpenCL and WebGPU are such backends. A backend of yours may use any of these
//! modules: they know each other's types at most. A program that runs on the CPU alone compiles none of them.
//!
//! | module | what it does | what the backend implements |
//! | --- | --- | --- |
//! | [`dispatch`] | keeps modules of kernels; turns launches into calls of compiled kernels | [`Compiler`], [`Launcher`] |
//! | [`fault_slots`] | assigns words of memory to launches; decodes the faults recorded there | [`WordMemory`] |
//! | [`replay`] | plans, paces and drives programs with loops | [`Operations`], [`Player`], [`Steps`] |
//! | [`pool`] | reuses device memory that no queue uses any more | [`Source`] |
//! | [`c_primitives`] | kernels of primitives in CUDA C++ and OpenCL C, and plans of their launches | [`Machine`] |
//! | [`kernel_cache`] | keeps compiled kernels on disk between processes | |
//! | [`options`] | types of option values that several backends take | |
//!
//! # Order of calls
//! 1. `Backend::build` makes a [`KernelModule`]: kernels are flattened and lowered, not yet compiled.
//! 2. `Backend::launch` gives the launch to the queue's [`Planner`]. It checks the arguments, picks the kernel's form
//!    for them, compiles it when it comes first, and returns calls ([`Work`]).
//! 3. The queue takes fault slots for each call that can fault ([`FaultSlots::claim`]), writes the first slot into the
//!    launch block, and starts the call.
//! 4. Whoever waits for the queue reads the slots that were not read before ([`FaultSlots::unseen`]), and gives them to
//!    [`FaultSlots::look`].
//!
//! A program takes the same way once, when it is recorded, with fault slots of its own.
//!
//! # Contracts
//! * **Memory safety of kernels.** A lowered kernel trusts its launch block. [`Planner`] writes the block from the
//!   shapes of the arguments after it has checked them. A backend that changes a block, other than its words for fault
//!   slot and turn, lets kernels write outside their buffers.
//! * **Order.** The backend puts the calls of one launch on a queue in their order, and no other call between them that
//!   uses the same scratch memory. Nothing here puts anything on a queue by itself.
//! * **Threads.** [`KernelModule`], [`RuntimeKernels`], [`Pool`] and [`KernelCache`] may be used by several threads at
//!   once. A planner and fault slots belong to one queue or program, behind its lock.
//! * **Determinism.** No function here decides by time, addresses or the order of threads, with one exception:
//!   [`replay`] paces chunks of steps by the clock. Chunks change when progress is reported, never a result.
//! * **Errors.** Failures of a driver pass through unchanged. Errors of this crate name the kernel or the limit
//!   ([`Error::Launch`], [`Error::Limit`]); nothing panics.
//!
//! [`Compiler`]: dispatch::Compiler
//! [`Launcher`]: dispatch::Launcher
//! [`KernelModule`]: dispatch::KernelModule
//! [`Planner`]: dispatch::Planner
//! [`RuntimeKernels`]: dispatch::RuntimeKernels
//! [`Work`]: dispatch::Work
//! [`FaultSlots::claim`]: fault_slots::FaultSlots::claim
//! [`FaultSlots::unseen`]: fault_slots::FaultSlots::unseen
//! [`FaultSlots::look`]: fault_slots::FaultSlots::look
//! [`WordMemory`]: fault_slots::WordMemory
//! [`Operations`]: replay::Operations
//! [`Player`]: replay::Player
//! [`Steps`]: replay::Steps
//! [`Source`]: pool::Source
//! [`Pool`]: pool::Pool
//! [`Machine`]: c_primitives::Machine
//! [`KernelCache`]: kernel_cache::KernelCache
//! [`Error::Launch`]: imminent_core::Error::Launch
//! [`Error::Limit`]: imminent_core::Error::Limit

pub mod c_primitives;
pub mod dispatch;
pub mod fault_slots;
pub mod kernel_cache;
pub mod options;
pub mod pool;
pub mod replay;
