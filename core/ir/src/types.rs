//! Scalars, types, the identifiers that index a module, and the kinds of fault.

use serde::{Deserialize, Serialize};

/// A scalar type of the kernel language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Scalar {
    /// `bool`, stored as one word that is 0 or 1.
    Bool,
    /// `u32`.
    U32,
    /// `i32`.
    I32,
    /// `u64`.
    U64,
    /// `i64`.
    I64,
    /// `f32`.
    F32,
    /// `f64`, if the device has it.
    F64,
}

impl Scalar {
    /// Every scalar type.
    pub const ALL: [Scalar; 7] =
        [Scalar::Bool, Scalar::U32, Scalar::I32, Scalar::U64, Scalar::I64, Scalar::F32, Scalar::F64];

    /// Returns the name in Rust.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::U32 => "u32",
            Scalar::I32 => "i32",
            Scalar::U64 => "u64",
            Scalar::I64 => "i64",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// Returns the number of 32-bit words of one value in a table: 1 or 2.
    #[must_use]
    pub const fn words(self) -> u32 {
        match self {
            Scalar::Bool | Scalar::U32 | Scalar::I32 | Scalar::F32 => 1,
            Scalar::U64 | Scalar::I64 | Scalar::F64 => 2,
        }
    }

    /// Returns `true` for the four integer types.
    #[must_use]
    pub const fn is_integer(self) -> bool {
        matches!(self, Scalar::U32 | Scalar::I32 | Scalar::U64 | Scalar::I64)
    }

    /// Returns `true` for `f32` and `f64`.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }

    /// Returns `true` for `i32` and `i64`.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        matches!(self, Scalar::I32 | Scalar::I64)
    }

    /// Returns the width in bits as an operand (`bool` counts as 1).
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::U32 | Scalar::I32 | Scalar::F32 => 32,
            Scalar::U64 | Scalar::I64 | Scalar::F64 => 64,
        }
    }
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// Returns the position as an index.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(/** Position of a struct in [`Module::structs`](crate::Module::structs). */ StructId);
id!(/** Position of an enum in [`Module::enums`](crate::Module::enums). */ EnumId);
id!(/** Position of a constant in [`Module::consts`](crate::Module::consts). */ ConstId);
id!(/** Position of a function in [`Module::functions`](crate::Module::functions). */ FunctionId);
id!(/** Position of a fault site in [`Module::sites`](crate::Module::sites). */ SiteId);
id!(/** Position of a parameter in [`Function::params`](crate::Function::params). */ ParamId);
id!(/** Position of a local in [`Function::locals`](crate::Function::locals). */ LocalId);

/// The type of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Type {
    /// `()`, as the result of a function.
    Unit,
    /// A scalar.
    Scalar(Scalar),
    /// A field-less enum, stored as its discriminant, a `u32`.
    Enum(EnumId),
    /// A struct without lanes.
    Struct(StructId),
    /// `[T; N]`, `N` at least 1.
    Array(Box<Type>, u32),
}

impl Type {
    /// Returns the scalar, if this is one.
    #[must_use]
    pub const fn scalar(&self) -> Option<Scalar> {
        match self {
            Type::Scalar(s) => Some(*s),
            _ => None,
        }
    }
}

impl From<Scalar> for Type {
    fn from(scalar: Scalar) -> Self {
        Type::Scalar(scalar)
    }
}

/// Kind of a fault. Execution continues with the value stated here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FaultKind {
    /// `x / 0`, an integer division: the result is 0.
    DivisionByZero,
    /// `x % 0`, an integer remainder: the result is 0.
    RemainderByZero,
    /// An array index past the end: a read gives zero, a write is dropped.
    IndexOutOfRange,
    /// `Rows::get` past the end: a zeroed row.
    RowOutOfRange,
    /// A lane past the table's capacity: a read gives zero, a write is dropped.
    LaneOutOfRange,
    /// A tally slot past the end: the contribution is dropped.
    TallyOutOfRange,
    /// An element of a group's scratch past the group's size: a read gives zero.
    ScratchOutOfRange,
    /// A step of a history that may be written by its own row in this launch: zero is read.
    HistoryTooYoung,
    /// A step of a history whose place may already hold a later step: zero is read.
    HistoryTooOld,
    /// A write to a history before the launch's first step: dropped.
    HistoryTooEarly,
    /// A write to a history further ahead than it reaches, which would overwrite a step that may be read: dropped.
    HistoryTooFar,
    /// An `assert!` whose condition is false: execution continues.
    Assertion,
    /// The device ended a loop before the loop's own condition did: its later iterations are missing.
    LoopCut,
}

impl FaultKind {
    /// Returns `true` if a fault of this kind has operands: all except failed assertions and cut loops.
    #[must_use]
    pub const fn has_operands(self) -> bool {
        !matches!(self, FaultKind::Assertion | FaultKind::LoopCut)
    }

    /// Returns a sentence for people: the event, and the value used instead.
    #[must_use]
    pub const fn explanation(self) -> &'static str {
        match self {
            FaultKind::DivisionByZero => "integer division by zero (the result was taken as 0)",
            FaultKind::RemainderByZero => "integer remainder by zero (the result was taken as 0)",
            FaultKind::IndexOutOfRange => "array index out of range (a read gave 0, a write was dropped)",
            FaultKind::RowOutOfRange => "row index past the end of the table (a zeroed row was read)",
            FaultKind::LaneOutOfRange => "lane index past the table's capacity (a read gave 0, a write was dropped)",
            FaultKind::TallyOutOfRange => "tally slot out of range (the contribution was dropped)",
            FaultKind::ScratchOutOfRange => "scratch element past the size of the group (0 was read)",
            FaultKind::HistoryTooYoung => "a step of a history was read that this launch may still write (0 was read)",
            FaultKind::HistoryTooOld => "a step of a history was read that is older than what it keeps (0 was read)",
            FaultKind::HistoryTooEarly => {
                "a step of a history was written that is before the launch's first (the write was dropped)"
            }
            FaultKind::HistoryTooFar => {
                "a step of a history was written that is further ahead than it reaches (the write was dropped)"
            }
            FaultKind::Assertion => "assertion failed",
            FaultKind::LoopCut => {
                "the device ended a loop that exceeded its limit of iterations (later iterations are missing; run the kernel on another device)"
            }
        }
    }
}

impl std::fmt::Display for FaultKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.explanation())
    }
}
