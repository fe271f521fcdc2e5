//! The kernels that all event models share.

mod keys;
mod linking;
mod lists;
mod preparing;
mod searching;
mod speculating;

pub use keys::order;
pub use linking::links;
pub use lists::list;
pub use preparing::ready;
pub use searching::search;
pub use speculating::speculation;

/// Returns the modules with kernels that all event models share, for those who print or compile them.
#[must_use]
pub fn sources() -> Vec<&'static imminent_core::ModuleSource> {
    vec![list::source(), links::source(), search::source(), speculation::source()]
}
