//! The fluid equations as kernels, in numbers of 32 and of 64 bits.

mod equations;
mod known;
mod meeting;
mod meters;
mod passages;

/// In numbers of 32 bits.
pub mod single {
    pub use super::equations::single::fluids;
    pub use super::known::single::known;
    pub use super::meeting::single::meeting;
    pub use super::meters::single::meters;
    pub use super::passages::single::ways;
}

/// In numbers of 64 bits.
pub mod double {
    pub use super::equations::double::fluids;
    pub use super::known::double::known;
    pub use super::meeting::double::meeting;
    pub use super::meters::double::meters;
    pub use super::passages::double::ways;
}
