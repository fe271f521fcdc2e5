//! Programs on devices that run steps without the host: the part common to all of them.
//!
//! A loop becomes a list of [`Operation`]s that are prepared once and put on the device many times ([`LoopPlan`]).
//! Every operation belongs to a *turn*, and word 0 of the loop's state holds the current turn: an operation of another
//! turn does nothing. So a loop inside a loop needs no host, and operations after the end have no effect. Control
//! operations pass the turn on: each counts, looks for faults, evaluates its tests, and sets the next turn
//! ([`Control`]).
//!
//! A backend prepares operations and starts them. [`Recorded`] drives them, and everything outside loops; it chooses
//! the number of operations of a submission.

mod calls;
mod command;
mod control;
mod head;
mod pace;
mod plan;
mod recorded;
mod run;

pub use crate::fault_slots::HEAD_WORDS;
pub use calls::{Calls, Operations};
pub use control::{BLOCK_HEAD, Control, TEST_WORDS};
pub use head::{FIRST_COUNTER, HALTED, Head, INNER_COUNTERS, MAX_INNER, OWN, Reason, STOP};
pub use plan::{Alone, LoopPlan, MAX_OPERATIONS, Operation, Piece, Task, not_a_command};
pub use recorded::{Player, Recorded};
pub use run::Steps;
