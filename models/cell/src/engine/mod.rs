//! The engines of cell spaces, for rule files and for models with a rule in a kernel module.
//!
//! | module | contents |
//! | --- | --- |
//! | [`kernels`] | queues, tournaments, blocks and lanes of cells, and the templates of kernels for a type of value |
//! | [`CellKernels`] | what the engines ask of a model |
//! | `device` | tables and programs: a launch for each round of outputs, or many rounds in a launch |
//! | `host` | active cells only, in the order of time |

mod contract;
mod contract_macro;
pub(crate) mod device;
pub(crate) mod host;
pub mod kernels;
mod run;
mod shape;
mod task;

pub use contract::{Answer, CellKernels, Change, Lanes, Rounds, Scenario, Step, View};
pub(crate) use run::by_tables;
pub(crate) use shape::{offsets, shape};
pub(crate) use task::{End, Ended, Failure, Setting, Task};
