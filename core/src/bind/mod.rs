//! Binding of tables to the parameters of kernels, and launches on a queue.

mod binder;
mod bundle;
mod kernel;
mod launch;
mod visit;

pub use binder::Binder;
pub use bundle::{Bundle, BundleField};
pub use kernel::Kernel;
pub(crate) use visit::Visit;
