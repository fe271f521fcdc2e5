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
    pub use super::passages::ways::single as ways;
}

/// The kernels in 64-bit numbers.
pub mod double {
    pub use super::equations::fluids::double as fluids;
    pub use super::known::double::known;
    pub use super::meeting::meeting::double as meeting;
    pub use super::meters::meters::double as meters;
    pub use super::passages::ways::double as ways;
}
