//! The interpreter of the rule buffer.

/// Evaluates rules in postfix.
///
/// A `Machine` does all operations but those that look at neighbours, whose values each schedule keeps elsewhere.
#[imminent_core::kernels]
pub mod interpreter {
    use crate::engine::kernels::space::{Position, Space};
    use crate::rules::kernels::codes::*;
    use crate::rules::kernels::numbers::{and, compare, draw, exponential, normal, one, poisson, two};
    use imminent_core::random::Pcg32;

    /// Elements of the stack.
    pub const DEPTH: usize = 24;
    /// Longest delay, in milliseconds.
    const LONGEST: f64 = 2147483647.0;

    /// State of a machine that has not come to an end.
    pub const RUNNING: u32 = 0;
    /// A rule is true.
    pub const FOUND: u32 = 1;
    /// The cell does nothing: no rule is true and one is undefined, or the true one emits nothing.
    pub const UNDECIDED: u32 = 2;
    /// The delay of the rule that is true is undefined, negative or too long.
    pub const BAD_DELAY: u32 = 3;
    /// All rules are false.
    pub const NO_RULE: u32 = 4;

    /// An operation of the rule buffer: 16 bytes, the paper's two numbers for each node.
    #[derive(Row)]
    pub struct Operation {
        /// Number to be put on the stack, or second operand.
        pub value: f64,
        /// Code of the operation.
        pub code: u32,
        /// Index of a neighbour, or target of a jump.
        pub arg: u32,
    }

    /// An evaluation in progress.
    pub struct Machine {
        /// Elements below the last one.
        pub stack: [f64; DEPTH],
        /// Number of those elements. One below the first number is there at the start, and means nothing.
        pub top: u32,
        /// Last element, which most operations need.
        pub last: f64,
        /// Place of the next operation.
        pub at: u32,
        /// `true` if the condition of a rule was undefined.
        pub undefined: bool,
        /// State of the machine: [`RUNNING`], or how the evaluation ended.
        pub state: u32,
        /// New value.
        pub value: f64,
        /// Delay, in milliseconds.
        pub delay: u32,
    }

    impl Machine {
        /// Makes a machine that begins with the operation at `start`.
        pub fn begin(start: u32) -> Machine {
            Machine {
                stack: [0.0; DEPTH],
                top: 0,
                last: 0.0,
                at: start,
                undefined: false,
                state: RUNNING,
                value: 0.0,
                delay: 0,
            }
        }

        fn push(&mut self, value: f64) {
            self.stack[self.top as usize] = self.last;
            self.top += 1;
            self.last = value;
        }

        fn discard(&mut self) {
            self.top -= 1;
            self.last = self.stack[self.top as usize];
        }

        /// Takes the last element.
        pub fn pop(&mut self) -> f64 {
            let last = self.last;
            self.discard();
            last
        }

        /// Takes the truth of a part of a rule's condition.
        fn take_part(&mut self, code: u32, part: f64) {
            let mut truth = part;
            if (code & JOINED) != 0 {
                truth = and(self.pop(), part);
            }
            let mut skips = truth == 0.0;
            if (code & LAST) != 0 {
                skips = truth != 1.0;
                if truth.is_nan() {
                    self.undefined = true;
                }
            } else if !skips {
                self.push(truth);
            }
            if skips {
                self.at += code / SKIP;
            }
        }

        /// Executes an operation for the cell at `place`; the caller executes [`COUNT`] and [`STORE`]. `seen` is the
        /// value of the neighbour or variable if the code has the flag [`CELL`], `input` that of the external input.
        pub fn step(
            &mut self,
            space: &Space,
            place: &Position,
            random: &mut Pcg32,
            next: Operation,
            seen: f64,
            input: f64,
            now: u32,
        ) {
            let code = next.code;
            let arg = next.arg;
            let number = next.value;
            let operation = code % FLAGS;
            if (code & PART) != 0 {
                self.take_part(code, compare(operation, seen, number));
                return;
            }
            if (code & CELL) != 0 {
                self.push(seen);
            }
            if operation >= FIRST_OF_TWO {
                let mut a = self.last;
                let mut b = number;
                if code < FLAGS {
                    b = self.pop();
                    a = self.last;
                }
                self.last = two(operation, a, b);
                return;
            }
            if code == CELL {
                return;
            }
            match operation {
                PUSH => self.push(number),
                TIME => self.push(now as f64),
                INPUT => self.push(input),
                POSITION => {
                    let dimension = self.last;
                    self.last = f64::NAN;
                    // Dimensions before those of the rule file are not counted.
                    let first = 4 - space.dimensions + arg;
                    if dimension >= 0.0 && dimension < (4 - first) as f64 {
                        self.last = place.at[(dimension as u32 + first) as usize] as f64;
                    }
                }
                RANDOM => self.push(draw(random)),
                RANDOM_SIGN => self.push(if draw(random) < 0.5 { 1.0 } else { -1.0 }),
                RANDOM_INTEGER => self.last = (draw(random) * (self.last + 1.0)).floor(),
                UNIFORM => {
                    let high = self.pop();
                    let low = self.last;
                    self.last = low + (high - low) * draw(random);
                }
                NORMAL => {
                    let deviation = self.pop();
                    self.last = normal(random, self.last, deviation);
                }
                EXPONENTIAL => self.last = exponential(random, self.last),
                POISSON => self.last = poisson(random, self.last),
                JUMP => self.at = arg,
                JUMP_UNLESS => {
                    if self.pop() != 1.0 {
                        self.at = arg;
                    }
                }
                JUMP_IF_UNDEFINED => {
                    if self.last.is_nan() {
                        self.at = arg;
                    }
                }
                JUMP_IF_FALSE => {
                    if self.last == 0.0 {
                        self.at = arg;
                    }
                }
                JUMP_IF_TRUE => {
                    if self.last == 1.0 {
                        self.at = arg;
                    }
                }
                DROP => self.discard(),
                NEXT_IF_FALSE => {
                    if self.last == 0.0 {
                        self.discard();
                        self.at = arg;
                    }
                }
                NEXT_UNLESS => {
                    let condition = self.pop();
                    if condition.is_nan() {
                        self.undefined = true;
                    }
                    if condition != 1.0 {
                        self.at = arg;
                    }
                }
                STOP => {
                    self.value = self.pop();
                    let delay = self.last;
                    let short = delay <= LONGEST;
                    let allowed = short && delay >= 0.0;
                    self.delay = delay as u32;
                    self.state = if allowed { FOUND } else { BAD_DELAY };
                }
                QUIET => self.state = UNDECIDED,
                NOTHING => self.state = if self.undefined { UNDECIDED } else { NO_RULE },
                _ => self.last = one(operation, self.last),
            }
        }
    }
}
