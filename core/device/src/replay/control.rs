//! Control operations, which pass the turn on.

use super::head::{FIRST_COUNTER, INNER_COUNTERS};
use imminent_core::backend::Test;
use imminent_core::{Error, Limit, Result};
use imminent_ir::Scalar;

/// Words of a control kernel's launch block before the tests: number of fault slots, number of tests, step limit (two
/// words), turn, turn if the loop continues, turn if it is done, first word of its counter in the head (0: it counts
/// nothing and continues).
pub const BLOCK_HEAD: u32 = 8;
/// Words of a test in the launch block: position of the value (three words, defined by the backend), scalar,
/// comparison, constant (two words), 0.
pub const TEST_WORDS: u32 = 8;
/// Largest number of tests of one loop: their words must fit into the parameters of a launch.
const MAX_TESTS: usize = 64;

/// Loop whose step a control operation ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// None: the operation stands before a loop, and lets it begin.
    Before,
    /// The outermost loop: its end halts everything.
    Outermost,
    /// The inner loop of this number.
    Inner(u32),
}

/// A control operation: ends a step, or stands before a loop.
#[derive(Clone, Debug)]
pub struct Control {
    pub(super) level: Level,
    /// The tests, in order.
    pub tests: Vec<Test>,
    pub(super) max_steps: u64,
    pub(super) again: u32,
    pub(super) done: u32,
}

impl Control {
    /// Returns the launch block of the control kernel, for a loop with `slots` fault slots. `place` gives the position
    /// of a test's value.
    ///
    /// # Errors
    /// [`Error::Limit`] for too many tests; errors of `place`.
    pub fn block(&self, slots: u32, turn: u32, mut place: impl FnMut(&Test) -> Result<[u32; 3]>) -> Result<Vec<u32>> {
        if self.tests.len() > MAX_TESTS {
            return Err(Error::limit(Limit::Conditions, self.tests.len() as u64, MAX_TESTS as u64));
        }
        let counter = match self.level {
            Level::Before => 0,
            Level::Outermost => FIRST_COUNTER,
            Level::Inner(slot) => INNER_COUNTERS + 4 * slot,
        };
        let limit = halves(self.max_steps);
        let tests = u32::try_from(self.tests.len()).unwrap_or(0);
        let mut block = vec![slots, tests, limit[0], limit[1], turn, self.again, self.done, counter];
        for test in &self.tests {
            block.extend(place(test)?);
            block.extend([scalar_code(test.scalar), test.comparison.code()]);
            block.extend(halves(test.constant));
            block.push(0);
        }
        Ok(block)
    }
}

fn halves(value: u64) -> [u32; 2] {
    [value as u32, (value >> 32) as u32]
}

fn scalar_code(scalar: Scalar) -> u32 {
    match scalar {
        Scalar::Bool | Scalar::U32 => 0,
        Scalar::I32 => 1,
        Scalar::U64 => 2,
        Scalar::I64 => 3,
        Scalar::F32 => 4,
        Scalar::F64 => 5,
    }
}
