//! The table of a model without data of its own.

/// A table for models without data of their own.
#[imminent_core::kernels]
pub mod facts {
    /// A row that no rule reads.
    #[derive(Row)]
    pub struct Nothing {
        /// Always zero.
        pub nothing: u32,
    }
}
