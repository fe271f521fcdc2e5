//! Traffic as fluids: rates that follow differential equations, computed step by step.
//!
//! Implements equations 1 to 10 of the paper, with the choices below where the paper leaves room. Time advances in
//! steps of `δ`. All right-hand sides are taken at the beginning of a step.
//!
//! | quantity | unit | at step `s` |
//! | --- | --- | --- |
//! | window `W` of a session | packets | 1 at the start of the flow; then `dW/dt = 1/R - Wλ/2` (1) by a fourth-order Runge-Kutta step with constant `R` and `λ`, limited to the range from 1 to the largest window. [`Recovery`] changes `λ` for NewReno and SACK |
//! | first arrivals `A` of a flow | bytes/s | `N W P / R` (6), or a constant rate for UDP |
//! | arrivals at the next queue | bytes/s | departures `D` from the previous queue, one link delay earlier (7) |
//! | sum `Λ` of a queue's arrivals | bytes/s | sum over all hops that enter the queue |
//! | loss `ℓ` of a queue | share | share `ρ` that RED drops by the average length, and of the rest the share that does not fit: `(Λ' - C)(δ - f) / Λ'δ`, where the queue is full after `f` and `Λ' = Λ(1 - ρ)` |
//! | departures `D` | bytes/s | `A(1 - ℓ)` if `Λ(1 - ℓ) <= C`, else `A C / Λ`; they leave `q/C` later (8), rounded up to a step. Over a link that loses a share `e`, `D(1 - e)` arrives |
//! | delay `d` and losses `r` on the path | s, bytes/s | values at arrival, plus the link's delay and `q/C` (3), and plus `A ℓ + D e` (4, 5); they leave with `D` |
//! | queue `q` | bytes | `dq/dt = Λ(1 - ℓ) - C` (2), kept from 0 to the capacity |
//! | average queue `x` of RED | bytes | `dx/dt = -ln(1 - w) (C/P) (q - x)`, a sample for each packet time |
//! | round-trip time `R` | s | delay `d` at the end of the last link, as long ago as that link and the path back take, plus the path back (9) |
//! | losses `λ` of a session | packets/s | `r / NP` at the same time in the past (10) |
//!
//! A departure rate holds until the next change. If two departures fall on the same step, the later arrival counts.
//! Link delays are rounded to steps. Before the first step the network is empty: there are no arrivals and no losses,
//! and all delays are those of the links.
//!
//! [`Sequential`] computes these equations directly. [`Engine`] exploits that a queue treats the fluid of all flows
//! alike; see [`kernels::single::paths`].

// Both precisions share one source.
#[allow(clippy::duplicate_mod)]
mod double;
mod either;
mod error;
pub mod kernels;
mod memory;
mod precision;
mod rules;
mod sequential;
#[allow(clippy::duplicate_mod)]
mod single;
mod states;
mod tree;

pub use either::Engine;
pub(crate) use either::SharedQueues;
pub use error::FluidError;
pub use memory::Memory;
pub use precision::Precision;
pub use rules::{Recovery, RuleError, Rules};
pub use sequential::Sequential;
pub use states::{FlowMeans, FlowState, Means, QueueMeans, QueueState};
