//! Terminal side of Imminent's programs, `imminent` and `lab`.
//!
//! | module | contents |
//! | --- | --- |
//! | [`Failure`] | reason why a command failed, with its exit status |
//! | [`selection`], [`backends`] | options that choose a device, among the backends of the program |
//! | [`print`](mod@print) | output, warnings and errors |
//! | [`progress`] | progress bars |
//! | [`interrupt`] | Ctrl-C |
//! | [`clock`] | wall time since the start of the process |
//! | [`last_resort`] | end of a process without memory |
//! | [`name`] | name of the program in its messages |
//! | [`process`] | command line of the program, and how it is run again |
//! | [`display`] | silence of a layer of the Vulkan loader |

pub mod backends;
pub mod clock;
pub mod display;
#[cfg(test)]
mod error_texts;
mod failure;
pub mod interrupt;
pub mod last_resort;
pub mod name;
pub mod print;
pub mod process;
pub mod progress;
pub mod selection;

pub use failure::Failure;
