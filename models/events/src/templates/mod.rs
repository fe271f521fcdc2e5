//! The kernels of event models: templates, which [`event_model!`](crate::event_model) includes in a user's model.
//!
//! They use the types `Module`, `Payload` and `Point` of the model, its enum `Kind`, and its functions `handle` and
//! `handle_prepared`. Each uses the names of those above it.
//!
//! | template | kernels |
//! | --- | --- |
//! | [`agenda`] | none: events, and what handlers schedule them by |
//! | [`delivery`] | `receive`, `catch_up` |
//! | [`steps`] | `step`, `advance` |
//! | [`coprocessor`] | `execute` |
//! | [`preparation`] | `choose`, `prepare`, `step_prepared` |
//! | [`speculation`] | `speculate`, `publish`, `commit` |

mod delivering;
mod preparing;
mod requests;
mod scheduling;
mod speculating;
mod stepping;

pub use delivering::delivery;
pub use preparing::preparation;
pub use requests::coprocessor;
pub use scheduling::agenda;
pub use speculating::speculation;
pub use stepping::steps;
