//! Tables of models that have none.

/// The table of a model without one.
#[imminent_core::kernels]
pub mod facts {
    /// A row that no rule reads.
    #[derive(Row)]
    pub struct Nothing {
        /// Always zero.
        pub nothing: u32,
    }
}
