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
//! | [`pool`] | reuses device memory that no queue uses any more | [`Allocator`] |
//! | [`c_primitives`] | kernels of primitives in CUDA C++ and OpenCL C, and plans of their launches | [`Machine`] |
//! | [`kernel_cache`] | keeps compiled kernels on disk between processes | |
//! | [`options`] | options that several backends take | [`SharedOptions`](options::SharedOptions) |
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
//! # Who may do what
//! | who | may | leaves to others |
//! | --- | --- | --- |
//! | this crate | call the traits above with checked arguments; keep texts, codes and places of memory | every call of a driver |
//! | the backend | implement these traits, own buffers, streams and events, decide when a queue is waited for | forms of kernels, fault slots, turns of loops |
//! | core | call [`Backend`](imminent_core::Backend), as [its page](imminent_core::backend) says | all of this |
//!
//! # What this crate promises
//! * **Memory safety of kernels.** [`Planner`] writes launch blocks from the shapes of arguments that it has checked. A
//!   lowered kernel trusts its block: it stays inside its buffers as long as nobody changes the block, other than its
//!   words for fault slot and turn.
//! * **Determinism.** No function here decides by time, addresses or the order of threads, with one exception:
//!   [`replay`] paces chunks of steps by the clock. Chunks change when progress is reported, never a result. A kernel's
//!   form depends on its arguments' shapes, and gives the same bits as the ordinary form.
//! * **Order.** Nothing here puts anything on a queue by itself. The calls of a launch are listed in the order in which
//!   they are to run.
//! * **Threads.** [`KernelModule`], [`RuntimeKernels`], [`Pool`] and [`KernelCache`] may be used by several threads at
//!   once; a form is compiled by one of them. A planner and fault slots belong to one queue or program, behind its
//!   lock.
//! * **Ownership.** A loan returns its memory to the [`Pool`] when it is dropped. The place gets a new owner when the
//!   owner's queue is the only one that used it, or the work of all others is over.
//! * **Errors.** Failures of a driver pass through unchanged. Errors of this crate name the kernel or the limit
//!   ([`Error::Launch`], [`Error::Limit`]); nothing panics. A kernel that a device cannot run fails its launch, not its
//!   module. A damaged [`KernelCache`] costs time, never a result.
//!
//! # What a backend promises
//! * **Texts.** [`Compiler::lower`](dispatch::Compiler::lower) gives the same text for the same kernel and variant, on
//!   every call. The text is compiled without what would change results: fused operations, fast division, flushed
//!   subnormals.
//! * **Order.** The calls of one launch are put on a queue in their order, and no other call between them that uses the
//!   same scratch memory. [`WordMemory::fill`](fault_slots::WordMemory::fill) takes effect in that order too.
//! * **Faults.** Slots are read behind the work that writes them, and looked at before [`FaultSlots::claim`] would run
//!   out of them ([`has_room`](fault_slots::FaultSlots::has_room)). So the earliest fault is the one reported.
//! * **Programs.** [`Steps::start`](replay::Steps::start) puts passes and a copy of the head on the queue, in this
//!   order. The head is read after the copy is done.
//! * **Memory.** Every owner clears what it takes from the [`Pool`], as places keep old contents, and notes each queue
//!   that uses it ([`Loan::used_by`](pool::Loan::used_by)).
//!
//! # A table of options
//! A backend lists its own options, and adds those of all device backends:
//!
//! ```
//! use imminent_core::Faults;
//! use imminent_core::backend::{DeviceOption, OptionTable};
//! use imminent_device::options::{Shared, SharedOptions, shared};
//!
//! #[derive(Default)]
//! struct Options {
//!     lanes: u32,
//!     memory_limit: Option<u64>,
//!     portable_primitives: bool,
//!     faults: Faults,
//! }
//!
//! impl SharedOptions for Options {
//!     fn shared(&mut self) -> Shared<'_> {
//!         let Options { memory_limit, portable_primitives, faults, .. } = self;
//!         Shared { memory_limit, portable_primitives, faults }
//!     }
//! }
//!
//! const SHARED: [DeviceOption<Options>; 3] = shared();
//! const TABLE: OptionTable<Options> = OptionTable::<Options>::new(
//!     "mine",
//!     &[DeviceOption::choice("lanes", "8|16", |to, value| {
//!         to.lanes = value.parse().ok()?;
//!         Some(())
//!     })],
//! )
//! .and(&SHARED);
//!
//! let mut options = Options::default();
//! TABLE.set_all(&mut options, "lanes=16 memory-limit=4096")?;
//! assert_eq!((options.lanes, options.memory_limit), (16, Some(4096)));
//! assert_eq!(TABLE.known(), "lanes=8|16, memory-limit=BYTES, primitives=native|portable, faults=places|operands");
//! # Ok::<(), imminent_core::Error>(())
//! ```
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
//! [`Allocator`]: pool::Allocator
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
