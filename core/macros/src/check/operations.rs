//! Methods of scalars, and substitutes for missing ones.

use imminent_ir::{BinaryOp, Builtin};

/// Computation of a scalar's method.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Builtin(Builtin),
    Binary(BinaryOp),
    Neg,
    Abs,
    Power,
    /// `pow` under a name that needs no rewriting.
    WrappingPower,
    Clamp,
    Min,
    Max,
    TrailingOnes,
    LeadingOnes,
    CountZeros,
    IsPowerOfTwo,
    Identity,
}

/// Operands of a scalar's method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operands {
    None,
    Same,
    TwoSame,
    Count,
}

/// Requirement on the receiver.
#[derive(Clone, Copy, Debug)]
pub(super) enum Receiver {
    Integer,
    Unsigned,
    SignedInteger,
    Signed,
    Number,
    Float,
}

/// Type of the result.
#[derive(Clone, Copy, Debug)]
pub(super) enum Gives {
    Same,
    U32,
    Bool,
    /// Unsigned integer of the same width.
    Unsigned,
}

pub(super) fn operation(name: &str) -> Option<(Receiver, Operands, Gives, Op)> {
    use Builtin as B;
    Some(match name {
        "min" => (Receiver::Number, Operands::Same, Gives::Same, Op::Min),
        "max" => (Receiver::Number, Operands::Same, Gives::Same, Op::Max),
        "clamp" => (Receiver::Number, Operands::TwoSame, Gives::Same, Op::Clamp),
        "abs" => (Receiver::Signed, Operands::None, Gives::Same, Op::Abs),
        "wrapping_abs" => (Receiver::SignedInteger, Operands::None, Gives::Same, Op::Builtin(B::Abs)),
        "abs_diff" => (Receiver::Integer, Operands::Same, Gives::Unsigned, Op::Builtin(B::AbsDiff)),
        "signum" => (Receiver::SignedInteger, Operands::None, Gives::Same, Op::Builtin(B::Signum)),
        "count_ones" => (Receiver::Integer, Operands::None, Gives::U32, Op::Builtin(B::CountOnes)),
        "count_zeros" => (Receiver::Integer, Operands::None, Gives::U32, Op::CountZeros),
        "leading_zeros" => (Receiver::Integer, Operands::None, Gives::U32, Op::Builtin(B::LeadingZeros)),
        "leading_ones" => (Receiver::Integer, Operands::None, Gives::U32, Op::LeadingOnes),
        "trailing_zeros" => (Receiver::Integer, Operands::None, Gives::U32, Op::Builtin(B::TrailingZeros)),
        "trailing_ones" => (Receiver::Integer, Operands::None, Gives::U32, Op::TrailingOnes),
        "is_power_of_two" => (Receiver::Unsigned, Operands::None, Gives::Bool, Op::IsPowerOfTwo),
        "reverse_bits" => (Receiver::Integer, Operands::None, Gives::Same, Op::Builtin(B::ReverseBits)),
        "swap_bytes" => (Receiver::Integer, Operands::None, Gives::Same, Op::Builtin(B::SwapBytes)),
        "rotate_left" => (Receiver::Integer, Operands::Count, Gives::Same, Op::Builtin(B::RotateLeft)),
        "rotate_right" => (Receiver::Integer, Operands::Count, Gives::Same, Op::Builtin(B::RotateRight)),
        "saturating_add" => (Receiver::Integer, Operands::Same, Gives::Same, Op::Builtin(B::SaturatingAdd)),
        "saturating_sub" => (Receiver::Integer, Operands::Same, Gives::Same, Op::Builtin(B::SaturatingSub)),
        "wrapping_add" => (Receiver::Integer, Operands::Same, Gives::Same, Op::Binary(BinaryOp::Add)),
        "wrapping_sub" => (Receiver::Integer, Operands::Same, Gives::Same, Op::Binary(BinaryOp::Sub)),
        "wrapping_mul" => (Receiver::Integer, Operands::Same, Gives::Same, Op::Binary(BinaryOp::Mul)),
        "wrapping_shl" => (Receiver::Integer, Operands::Count, Gives::Same, Op::Binary(BinaryOp::Shl)),
        "wrapping_shr" => (Receiver::Integer, Operands::Count, Gives::Same, Op::Binary(BinaryOp::Shr)),
        "wrapping_neg" => (Receiver::Integer, Operands::None, Gives::Same, Op::Neg),
        "pow" => (Receiver::Integer, Operands::Count, Gives::Same, Op::Power),
        "wrapping_pow" => (Receiver::Integer, Operands::Count, Gives::Same, Op::WrappingPower),
        "sqrt" => (Receiver::Float, Operands::None, Gives::Same, Op::Builtin(B::Sqrt)),
        "floor" => (Receiver::Float, Operands::None, Gives::Same, Op::Builtin(B::Floor)),
        "ceil" => (Receiver::Float, Operands::None, Gives::Same, Op::Builtin(B::Ceil)),
        "trunc" => (Receiver::Float, Operands::None, Gives::Same, Op::Builtin(B::Trunc)),
        "round_ties_even" => (Receiver::Float, Operands::None, Gives::Same, Op::Builtin(B::RoundTiesEven)),
        "copysign" => (Receiver::Float, Operands::Same, Gives::Same, Op::Builtin(B::CopySign)),
        "is_nan" => (Receiver::Float, Operands::None, Gives::Bool, Op::Builtin(B::IsNan)),
        "is_finite" => (Receiver::Float, Operands::None, Gives::Bool, Op::Builtin(B::IsFinite)),
        "to_bits" => (Receiver::Float, Operands::None, Gives::Unsigned, Op::Builtin(B::ToBits)),
        "clone" => (Receiver::Number, Operands::None, Gives::Same, Op::Identity),
        _ => return None,
    })
}

/// Suggests a substitute for a method that exists in Rust and not here.
pub(super) fn method_advice(name: &str) -> String {
    match name {
        "mul_add" => {
            "nothing is fused in the kernel language, so that every device rounds alike: write `a * b + c`".to_owned()
        }
        "powi" => "write the product, as in `x * x * x`".to_owned(),
        "hypot" => "write `(x * x + y * y).sqrt()`".to_owned(),
        "recip" => "write `1.0 / x`".to_owned(),
        "to_radians" | "to_degrees" => "multiply by a constant, as in `x * (std::f32::consts::PI / 180.0)`".to_owned(),
        "powf" | "exp" | "exp2" | "exp_m1" | "ln" | "ln_1p" | "log" | "log2" | "log10" | "sin" | "cos" | "sin_cos"
        | "tan" | "asin" | "acos" | "atan" | "tanh" | "sinh" | "cosh" | "atan2" | "cbrt" => format!(
            "`{name}` gives other bits on other devices: compute it on the host into a field, a parameter block, or a table `&Rows<T>` that the kernel reads, or write a polynomial"
        ),
        "round" => "use `round_ties_even()`, or `(x + 0.5).floor()`".to_owned(),
        "fract" => "write `x - x.trunc()`".to_owned(),
        "is_infinite" => "write `!x.is_finite() && !x.is_nan()`".to_owned(),
        "total_cmp" | "cmp" | "partial_cmp" => "compare with `<`, `<=` and `==`".to_owned(),
        "rem_euclid" | "div_euclid" => {
            "write it with `/` and `%`, whose meaning for a zero divisor is defined".to_owned()
        }
        "wrapping_div" | "wrapping_rem" => "operators wrap already: write `a / b` or `a % b`".to_owned(),
        "saturating_mul" => "use `mul_high(a, b)` to see whether the product overflows".to_owned(),
        "into" => "write `u64::from(x)`, or `x as u64`".to_owned(),
        "unwrap" | "expect" | "map" | "unwrap_or" => "there is no Option or Result in the kernel language".to_owned(),
        "iter" | "iter_mut" | "into_iter" => {
            "loop over the indices: `for i in 0..N { .. array[i as usize] .. }`".to_owned()
        }
        _ if name.starts_with("checked_") || name.starts_with("overflowing_") => {
            "operators wrap and never panic: test the operands, or use `saturating_add` and `saturating_sub`".to_owned()
        }
        _ if name.starts_with("is_") => format!("`{name}` is outside the kernel language: compare with operators"),
        _ => format!("`{name}` is not a method of the kernel language (its reference lists them)"),
    }
}
