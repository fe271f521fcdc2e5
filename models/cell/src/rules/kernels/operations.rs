//! Operations of the rule buffer.

/// Codes of operations: an operation in the lower 7 bits, and above them where its operands come from.
///
/// Most conditions compare a neighbour with a number. One operation does that instead of three, since fetching an
/// operation takes longer than most operations. In a condition of several such parts it also joins the parts, and
/// leads to the next rule.
#[imminent_core::kernels]
pub mod codes {
    /// Puts a number on the stack.
    pub const PUSH: u32 = 0;
    /// Puts the time on the stack.
    pub const TIME: u32 = 2;
    /// A coordinate of the cell.
    pub const POSITION: u32 = 3;
    /// Number of neighbours with a value, among as many as the number says from an index on.
    pub const COUNT: u32 = 4;
    /// A number from 0 up to 1.
    pub const RANDOM: u32 = 5;
    /// 1 or -1.
    pub const RANDOM_SIGN: u32 = 6;
    /// A whole number up to another.
    pub const RANDOM_INTEGER: u32 = 7;
    /// A number between two others.
    pub const UNIFORM: u32 = 8;
    /// Goes on elsewhere.
    pub const JUMP: u32 = 9;
    /// Goes on elsewhere unless a condition is true.
    pub const JUMP_UNLESS: u32 = 10;
    /// Goes on elsewhere if a condition is undefined, and keeps it.
    pub const JUMP_IF_UNDEFINED: u32 = 11;
    /// Takes an element off the stack.
    pub const DROP: u32 = 12;
    /// Goes on with the next rule unless a condition is true.
    pub const NEXT_UNLESS: u32 = 13;
    /// Ends with a value and a delay.
    pub const STOP: u32 = 14;
    /// Ends without a rule that is true.
    pub const NOTHING: u32 = 15;
    /// Goes on elsewhere if a condition is false, and keeps it: `and` then has its result.
    pub const JUMP_IF_FALSE: u32 = 1;
    /// Goes on elsewhere if a condition is true, and keeps it: `or` then has its result.
    pub const JUMP_IF_TRUE: u32 = 30;
    /// Goes on with the next rule if a part of the condition is false: the whole then is.
    pub const NEXT_IF_FALSE: u32 = 31;
    /// Puts the value of the external input on the stack.
    pub const INPUT: u32 = 29;
    /// `abs`.
    pub const ABS: u32 = 16;
    /// `sqrt`.
    pub const SQRT: u32 = 17;
    /// `floor`.
    pub const FLOOR: u32 = 18;
    /// `ceil`.
    pub const CEIL: u32 = 19;
    /// `round`.
    pub const ROUND: u32 = 20;
    /// `fractional`.
    pub const FRACTIONAL: u32 = 21;
    /// `sign`.
    pub const SIGN: u32 = 22;
    /// `negate`.
    pub const NEGATE: u32 = 23;
    /// `not`.
    pub const NOT: u32 = 24;
    /// `is undefined`.
    pub const IS_UNDEFINED: u32 = 25;
    /// `is integer`.
    pub const IS_INTEGER: u32 = 26;
    /// `is even`.
    pub const IS_EVEN: u32 = 27;
    /// `is odd`.
    pub const IS_ODD: u32 = 28;
    /// `exp`.
    pub const EXP: u32 = 32;
    /// `ln`.
    pub const LN: u32 = 33;
    /// `log`, to the base 10.
    pub const LOG: u32 = 34;
    /// `sin`.
    pub const SIN: u32 = 35;
    /// `cos`.
    pub const COS: u32 = 36;
    /// `tan`.
    pub const TAN: u32 = 37;
    /// `asin`.
    pub const ASIN: u32 = 38;
    /// `acos`.
    pub const ACOS: u32 = 39;
    /// `atan`.
    pub const ATAN: u32 = 40;
    /// `sinh`.
    pub const SINH: u32 = 41;
    /// `cosh`.
    pub const COSH: u32 = 42;
    /// `tanh`.
    pub const TANH: u32 = 43;
    /// A number of the normal distribution with a mean and a deviation.
    pub const NORMAL: u32 = 44;
    /// A number of the exponential distribution with a mean.
    pub const EXPONENTIAL: u32 = 45;
    /// A number of the Poisson distribution with a mean.
    pub const POISSON: u32 = 46;
    /// Takes an element off the stack, and gives it to a state variable.
    pub const STORE: u32 = 47;
    /// Ends with nothing to emit, although a rule is true.
    pub const QUIET: u32 = 48;
    /// First code of the operations of two numbers.
    pub const FIRST_OF_TWO: u32 = 64;
    /// `add`.
    pub const ADD: u32 = 64;
    /// `subtract`.
    pub const SUBTRACT: u32 = 65;
    /// `multiply`.
    pub const MULTIPLY: u32 = 66;
    /// `divide`.
    pub const DIVIDE: u32 = 67;
    /// `min`.
    pub const MIN: u32 = 68;
    /// `max`.
    pub const MAX: u32 = 69;
    /// `remainder`.
    pub const REMAINDER: u32 = 70;
    /// `power`.
    pub const POWER: u32 = 71;
    /// `root`.
    pub const ROOT: u32 = 83;
    /// `hip`.
    pub const HYPOTENUSE: u32 = 84;
    /// `equal`.
    pub const EQUAL: u32 = 72;
    /// `differs`.
    pub const DIFFERS: u32 = 73;
    /// `less`.
    pub const LESS: u32 = 74;
    /// `at most`.
    pub const AT_MOST: u32 = 75;
    /// `greater`.
    pub const GREATER: u32 = 76;
    /// `at least`.
    pub const AT_LEAST: u32 = 77;
    /// `and`.
    pub const AND: u32 = 78;
    /// `or`.
    pub const OR: u32 = 79;
    /// `xor`.
    pub const XOR: u32 = 80;
    /// `implies`.
    pub const IMPLIES: u32 = 81;
    /// `equivalent`.
    pub const EQUIVALENT: u32 = 82;
    /// Puts the value of a neighbour, or after those a state variable, on the stack. Added to an operation of two
    /// numbers, the operation takes this value and the number that comes with it.
    pub const CELL: u32 = 128;
    /// Added to an operation of two numbers, the operation takes the last element and the number that comes with it.
    pub const WITH_NUMBER: u32 = 256;
    /// Added to a comparison of a [cell](CELL) with a number: the comparison is a part of a rule's condition. If it is
    /// false, so is the condition, and operations are [skipped](SKIP). Otherwise it is put on the stack.
    pub const PART: u32 = 512;
    /// Added to a part that is not the first one: `and` joins it and the last element, which it replaces.
    pub const JOINED: u32 = 1024;
    /// Added to the last part: operations are skipped unless the condition is true, and nothing is put on the stack.
    pub const LAST: u32 = 2048;
    /// Number of operations that a part skips, in the bits from this one on.
    pub const SKIP: u32 = 4096;
    /// Codes below the flags.
    pub const FLAGS: u32 = 128;
}
