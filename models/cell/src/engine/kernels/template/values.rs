//! Values of cells, and the model's rule.

/// Writes the kernel module `values`: rows that contain values, and the items of the model.
#[doc(hidden)]
#[macro_export]
macro_rules! __cell_values {
    ($Value:ident, $Input:ident; $($items:tt)*) => {
        /// Values of cells, and the rule that gives new ones.
        #[allow(unused_imports)]
        #[$crate::__core::kernels]
        pub mod values {
            use $crate::engine::kernels::feeds::When;
            use $crate::engine::kernels::here::Here;
            use $crate::engine::kernels::space::{NEVER, Offset, Space};

            $($items)*

            /// State of an evaluation that changes nothing.
            pub const NOTHING: u32 = 0;
            /// State of an evaluation that gives a value and a delay. Greater values are kinds of failure.
            pub const FOUND: u32 = 1;

            /// Result of an evaluation.
            pub struct Next {
                /// New value.
                pub value: $Value,
                /// Milliseconds until the output.
                pub delay: u32,
                /// End of the evaluation: [`NOTHING`], [`FOUND`], or a failure.
                pub state: u32,
            }

            /// State of a cell that its neighbours see.
            #[derive(Row)]
            pub struct Cell {
                /// Value emitted last.
                pub value: $Value,
                /// Value that is emitted next.
                pub pending: $Value,
                /// Time of the next output, in milliseconds; `u32::MAX` if nothing is pending.
                pub due: u32,
            }

            /// Values of the outputs in a queue.
            #[derive(Row)]
            pub struct Waits {
                /// Values at the places of their times.
                pub values: Lanes<$Value>,
            }

            /// Values of a lane's cells.
            #[derive(Row)]
            pub struct Held {
                /// Value emitted last.
                pub value: Lanes<$Value>,
                /// Value that is emitted next.
                pub pending: Lanes<$Value>,
            }

            /// Values that the neighbours of a lane's cells emitted last.
            #[derive(Row)]
            pub struct Seen {
                /// Values by neighbour, cell by cell.
                pub values: Lanes<$Value>,
            }

            /// External inputs of a cell.
            #[derive(Row)]
            pub struct Feed {
                /// Cell and times.
                pub when: When,
                /// Contents of the first one.
                pub input: $Input,
            }

            impl Cell {
                /// Returns the value once the outputs of this time have reached the neighbours.
                pub fn seen(&self, now: u32) -> $Value {
                    if self.due == now { self.pending } else { self.value }
                }
            }
        }
    };
}
