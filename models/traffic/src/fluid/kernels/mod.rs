//! The fluid equations as kernels, in 32-bit and 64-bit numbers.

mod equations;
mod known;
mod meeting;
mod meters;
mod passages;

/// The kernels in 32-bit numbers.
pub mod single {
    pub use super::equations::fluids::single as fluids;
    pub use super::known::single::known;
    pub use super::meeting::meeting::single as meeting;
    pub use super::meters::meters::single as meters;
    pub use super::passages::paths::single as paths;
}

/// The kernels in 64-bit numbers.
pub mod double {
    pub use super::equations::fluids::double as fluids;
    pub use super::known::double::known;
    pub use super::meeting::meeting::double as meeting;
    pub use super::meters::meters::double as meters;
    pub use super::passages::paths::double as paths;
}

/// Returns the modules with kernels in `f32`, for those who print or compile them.
#[must_use]
pub fn sources() -> Vec<&'static imminent_core::ModuleSource> {
    use single::{fluids, meeting, meters, paths};
    vec![fluids::source(), paths::source(), meeting::source(), meters::source()]
}

/// Returns the modules with kernels in `f64`, for those who print or compile them.
#[must_use]
pub fn double_sources() -> Vec<&'static imminent_core::ModuleSource> {
    use double::{fluids, meeting, meters, paths};
    vec![fluids::source(), paths::source(), meeting::source(), meters::source()]
}
