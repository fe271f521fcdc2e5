//! Forms of reductions and their WGSL text.

use imminent_core::ir::Scalar;

const NARROW: &str = include_str!("text/narrow.wgsl");
const WIDE: &str = include_str!("text/wide.wgsl");
const KEYS: &str = include_str!("text/keys.wgsl");
const LEAST: &str = include_str!("text/least.wgsl");
const LEAST_ROW: &str = include_str!("text/least_row.wgsl");
const SUM: &str = include_str!("text/sum.wgsl");
const SUM_FLOAT: &str = include_str!("text/sum_float.wgsl");
const COUNT: &str = include_str!("text/count.wgsl");

/// Quantity to which rows are reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    /// The least value.
    Least,
    /// The greatest value.
    Greatest,
    /// The least value and its row.
    LeastRow,
    /// The greatest value and its row.
    GreatestRow,
    /// The sum of integers.
    Sum,
    /// The sum of `f32` in any order.
    SumFloat,
    /// Number of rows that pass a test.
    Count,
}

impl Form {
    /// Returns the declarations with which both dispatches begin.
    pub(super) fn text(self, scalar: Scalar) -> String {
        let form = match self {
            Form::Least | Form::Greatest => LEAST,
            Form::LeastRow | Form::GreatestRow => LEAST_ROW,
            Form::Sum => SUM,
            Form::SumFloat => SUM_FLOAT,
            Form::Count => COUNT,
        };
        beginning(scalar, matches!(self, Form::Greatest | Form::GreatestRow)) + form
    }

    /// Returns the expression for the bits of the reduced value.
    pub(super) fn value(self, acc: &str) -> String {
        match self {
            Form::Least | Form::Greatest => format!("bits_of({acc})"),
            Form::LeastRow | Form::GreatestRow => format!("bits_of({acc}.key)"),
            Form::Sum | Form::Count => acc.to_owned(),
            Form::SumFloat => format!("bitcast<u32>({acc})"),
        }
    }

    /// Returns the statements that write the result.
    pub(super) fn result(self, scalar: Scalar) -> String {
        if self == Form::Count {
            return "let answers = array<u32, 3>(acc, min(acc, 1u), select(0u, 1u, acc == rows));
        output[launch[8]] = answers[min(launch[20], 2u)];"
                .to_owned();
        }
        let value = self.value("acc");
        let mut text = format!(
            "var bits = of_words(launch[20], launch[21]);
        if (rows > 0u) {{ bits = {value}; }}
        output[launch[8]] = low_word(bits);"
        );
        if scalar.words() == 2 {
            text.push_str("\n        output[launch[8] + 1u] = high_word(bits);");
        }
        if matches!(self, Form::LeastRow | Form::GreatestRow) {
            // If the least key is the greatest possible key, all rows have it, and not every row that has it was noted.
            text.push_str(
                "
        var row = acc.row;
        if (is_same(acc.key, ALL_ONES) && rows > 0u) { row = 0u; }
        output[launch[10]] = row;",
            );
        }
        text
    }
}

/// Returns the scalar whose text computes the same form.
pub(super) fn canonical(form: Form, scalar: Scalar) -> Scalar {
    match (form, scalar) {
        (Form::Sum, Scalar::I32) | (_, Scalar::Bool) => Scalar::U32,
        (Form::Sum, Scalar::I64) => Scalar::U64,
        (_, scalar) => scalar,
    }
}

/// Returns the declarations of texts that compare values and keys but reduce nothing.
pub(super) fn keys(scalar: Scalar) -> String {
    beginning(scalar, false)
}

fn beginning(scalar: Scalar, flip: bool) -> String {
    let kind = match scalar {
        Scalar::Bool | Scalar::U32 | Scalar::U64 => 0,
        Scalar::I32 | Scalar::I64 => 1,
        Scalar::F32 | Scalar::F64 => 2,
    };
    let width = if scalar.words() == 2 { WIDE } else { NARROW };
    format!("const KIND = {kind}u;\nconst FLIP = {}u;\n{width}{KEYS}", u32::from(flip))
}
