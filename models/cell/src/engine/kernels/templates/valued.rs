//! Values of cells.

/// Rows that contain values, and the results of evaluations.
#[imminent_core::kernels(template)]
pub mod values {
    use crate::__core::random::Pcg32;
    use crate::engine::kernels::feeds::{Round, When};
    use crate::engine::kernels::here::Here;
    use crate::engine::kernels::space::{NEVER, Offset, Space};

    /// State of an evaluation that changes nothing.
    pub const NOTHING: u32 = 0;
    /// State of an evaluation that gives a value and a delay. Greater values are kinds of failure.
    pub const FOUND: u32 = 1;

    /// Result of an evaluation.
    pub struct Next {
        /// New value.
        pub value: Value,
        /// Milliseconds until the output.
        pub delay: u32,
        /// End of the evaluation: [`NOTHING`], [`FOUND`], or a failure.
        pub state: u32,
    }

    /// State of a cell that its neighbours see.
    #[derive(Row)]
    pub struct Cell {
        /// Value emitted last.
        pub value: Value,
        /// Value that is emitted next.
        pub pending: Value,
        /// Time of the next output, in milliseconds; `u32::MAX` if nothing is pending.
        pub due: u32,
    }

    /// Values of the outputs in a queue.
    #[derive(Row)]
    pub struct Waits {
        /// Values at the places of their times.
        pub values: Lanes<Value>,
    }

    /// Values of a lane's cells.
    #[derive(Row)]
    pub struct Held {
        /// Value emitted last.
        pub value: Lanes<Value>,
        /// Value that is emitted next.
        pub pending: Lanes<Value>,
    }

    /// Values that the neighbours of a lane's cells emitted last.
    #[derive(Row)]
    pub struct Seen {
        /// Values by neighbour, cell by cell.
        pub values: Lanes<Value>,
    }

    /// Values that a cell keeps for itself, or the cells of a lane, cell by cell: no other cell sees them.
    #[derive(Row)]
    pub struct Kept {
        /// Values by their number.
        pub values: Lanes<Value>,
    }

    /// Everything that all evaluations read.
    #[derive(Bundle)]
    pub struct Scenario {
        /// The model's table.
        pub facts: &Rows<Facts>,
        /// Offsets of the neighbourhood.
        pub offsets: &Rows<Offset>,
        /// Shape of the space.
        pub space: &Space,
        /// Parameters of the model.
        pub model: &Model,
    }

    impl Cell {
        /// Returns the value once the outputs of this time have reached the neighbours.
        pub fn seen(&self, now: u32) -> Value {
            if self.due == now { self.pending } else { self.value }
        }
    }
}
