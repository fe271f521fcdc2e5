//! The interpreter of the rule buffer.

/// Evaluates rules in postfix.
#[imminent_core::kernels]
pub mod interpreter {
    use crate::rules::kernels::codes::*;
    use crate::rules::kernels::numbers::{draw, one, same, two};
    use crate::rules::kernels::space::{Cell, Offset, Space, coordinate, value_of};
    use imminent_core::random::Pcg32;

    /// Elements of the stack.
    pub const DEPTH: usize = 24;
    /// Longest delay, in milliseconds.
    const LONGEST: f64 = 2147483647.0;

    /// An operation of the rule buffer: 16 bytes, the paper's two numbers for each node.
    #[derive(Row)]
    pub struct Operation {
        /// Number to be put on the stack.
        pub value: f64,
        /// What to do.
        pub code: u32,
        /// Neighbour, or where to go on.
        pub arg: u32,
    }

    /// What an evaluation gives.
    pub struct Next {
        /// New value.
        pub value: f64,
        /// Delay, in milliseconds.
        pub delay: u32,
        /// Whether a rule was true.
        pub found: bool,
    }

    /// Evaluates the rules that begin at `start` for a cell. `input` is the value of its external input, NaN where it
    /// has none.
    pub fn evaluate(
        operations: &Rows<Operation>,
        offsets: &Rows<Offset>,
        cells: &Rows<Cell>,
        space: &Space,
        random: &mut Pcg32,
        start: u32,
        input: f64,
        id: u32,
        now: u32,
    ) -> Next {
        let mut stack: [f64; DEPTH] = [0.0; DEPTH];
        let mut top = 0u32;
        let mut at = start;
        let mut undefined = false;
        let mut going = true;
        let mut next = Next { value: 0.0, delay: 0, found: false };
        while going {
            let operation = operations.get(at);
            at += 1;
            match operation.code {
                PUSH => {
                    stack[top as usize] = operation.value;
                    top += 1;
                }
                CELL => {
                    stack[top as usize] = value_of(space, offsets, cells, id, operation.arg, now);
                    top += 1;
                }
                TIME => {
                    stack[top as usize] = now as f64;
                    top += 1;
                }
                INPUT => {
                    stack[top as usize] = input;
                    top += 1;
                }
                POSITION => {
                    let dimension = stack[(top - 1) as usize];
                    let mut position = f64::NAN;
                    if dimension >= 0.0 && dimension < space.dimensions as f64 {
                        position = coordinate(space, id, dimension as u32 + 4 - space.dimensions) as f64;
                    }
                    stack[(top - 1) as usize] = position;
                }
                COUNT => {
                    let value = stack[(top - 1) as usize];
                    let mut count = 0u32;
                    for which in 0..space.neighbours {
                        if same(value_of(space, offsets, cells, id, which, now), value) {
                            count += 1;
                        }
                    }
                    stack[(top - 1) as usize] = count as f64;
                }
                RANDOM => {
                    stack[top as usize] = draw(random);
                    top += 1;
                }
                RANDOM_SIGN => {
                    stack[top as usize] = if draw(random) < 0.5 { 1.0 } else { -1.0 };
                    top += 1;
                }
                RANDOM_INTEGER => {
                    stack[(top - 1) as usize] = (draw(random) * (stack[(top - 1) as usize] + 1.0)).floor();
                }
                UNIFORM => {
                    top -= 1;
                    let low = stack[(top - 1) as usize];
                    stack[(top - 1) as usize] = low + (stack[top as usize] - low) * draw(random);
                }
                JUMP => at = operation.arg,
                JUMP_UNLESS => {
                    top -= 1;
                    if stack[top as usize] != 1.0 {
                        at = operation.arg;
                    }
                }
                JUMP_IF_UNDEFINED => {
                    if stack[(top - 1) as usize].is_nan() {
                        at = operation.arg;
                    }
                }
                DROP => top -= 1,
                NEXT_UNLESS => {
                    top -= 1;
                    let condition = stack[top as usize];
                    if condition.is_nan() {
                        undefined = true;
                    }
                    if condition != 1.0 {
                        at = operation.arg;
                    }
                }
                STOP => {
                    let delay = stack[(top - 1) as usize];
                    let short = delay <= LONGEST;
                    let allowed = short && delay >= 0.0;
                    assert!(allowed, "the delay of a rule is defined, not negative, and at most 2147483647 ms");
                    next.value = stack[(top - 2) as usize];
                    next.delay = delay as u32;
                    next.found = allowed;
                    going = false;
                }
                NOTHING => {
                    assert!(undefined, "a rule is true: end the rules with `rule : {(0,0)} 0 {t}`");
                    going = false;
                }
                _ => {
                    if operation.code < FIRST_OF_TWO {
                        stack[(top - 1) as usize] = one(operation.code, stack[(top - 1) as usize]);
                    } else {
                        top -= 1;
                        stack[(top - 1) as usize] = two(operation.code, stack[(top - 1) as usize], stack[top as usize]);
                    }
                }
            }
        }
        next
    }
}
