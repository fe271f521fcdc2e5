//! The fluid equations as kernels, in 32-bit and 64-bit numbers.

mod equations;
mod known;
mod meeting;
mod meters;
mod passages;

/// The kernels in 32-bit numbers.
pub mod single {
    pub use super::equations::single::fluids;
    pub use super::known::single::known;
    pub use super::meeting::single::meeting;
    pub use super::meters::single::meters;
    pub use super::passages::single::ways;
}

/// The kernels in 64-bit numbers.
pub mod double {
    pub use super::equations::double::fluids;
    pub use super::known::double::known;
    pub use super::meeting::double::meeting;
    pub use super::meters::double::meters;
    pub use super::passages::double::ways;
}
