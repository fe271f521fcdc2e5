//! Fault slots: words of device memory in which kernels record their faults.
//!
//! A launch has one slot for each place where its kernel can fault. A slot holds [`NO_FAULT`] until a row with a fault
//! puts the minimum of its number there. So the lowest row is found without locks, in whatever order rows run. With the
//! device option `faults=operands` further slots hold the operands of that row.
//!
//! [`FaultSlots`] does everything for a backend that can set words of a buffer ([`WordMemory`]). [`LaunchSlots`] is the
//! bookkeeping alone, for a backend that keeps the slots in another way.
//!
//! The slots of a queue are used one after another, and become free together, when all were looked at. So the earliest
//! launch has the first slots, and the first slots with a fault belong to the launch whose fault is reported.

mod launches;
mod layout;
mod memory;
mod operands;
mod ring;

pub use launches::LaunchSlots;
pub use layout::{HEAD_WORDS, NO_FAULT, slot_bytes};
pub use memory::{FaultSlots, QUEUE_SLOTS, WordMemory};
pub use operands::launch_slots;
pub use ring::SlotWindow;
