//! Parameters of rule files, and inputs of their cells.

/// Data of a rule file beside its operations.
#[imminent_core::kernels]
pub mod parameters {
    /// Parameters of a rule file.
    #[derive(Params)]
    pub struct RuleFile {
        /// Steps in which values are compared; 0 if they are compared as they are.
        pub quantum: f64,
    }

    /// An input to a port of a cell.
    pub struct PortInput {
        /// First operation of the rules that the cell evaluates instead of its own.
        pub start: u32,
        /// Value of the source's first input; NaN if it is undefined.
        pub value: f64,
        /// Increment of the value from one input to the next.
        pub increment: f64,
    }

    impl PortInput {
        /// Returns the value of an input before which `sent` others came.
        pub fn value_after(&self, sent: u32) -> f64 {
            self.value + self.increment * sent as f64
        }
    }
}
