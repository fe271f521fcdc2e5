//! The kernels and their texts.

use crate::c_dialect::Dialect;
use imminent_ir::Scalar;
use std::fmt::Write as _;

/// Threads of a group of every kernel.
pub const THREADS: u32 = 256;

/// Bytes of memory that a group of any kernel shares, at most.
pub const LOCAL_BYTES: u64 = 24 << 10;

/// What rows are folded to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// The least value.
    Least,
    /// The greatest value.
    Greatest,
    /// The least value and its row.
    LeastRow,
    /// The greatest value and its row.
    GreatestRow,
    /// The sum; floats in any order.
    Sum,
}

/// A kernel. Two scalars of as many words whose kernels are the same have one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// Reduces a column.
    Reduce(Fold, Scalar),
    /// Sums a column of floats over the fixed tree.
    Tree(Scalar),
    /// Counts the rows of a column that pass a test.
    Census(Scalar),
}

const CUDA: &str = include_str!("text/cuda.h");
const OPENCL: &str = include_str!("text/opencl.h");
const VALUES: &str = include_str!("text/values.h");
const TEST: &str = include_str!("text/test.h");
const FOLD: &str = include_str!("text/fold.h");
const GROUP: &str = include_str!("text/group.h");
const PARTIALS: &str = include_str!("text/partials.h");
const REDUCE: &str = include_str!("text/reduce.c");
const CENSUS: &str = include_str!("text/census.c");
const TREE: &str = include_str!("text/tree.c");

impl Kernel {
    /// The function's symbol.
    #[must_use]
    pub const fn entry(self) -> &'static str {
        match self {
            Kernel::Reduce(..) => "imminent_reduce",
            Kernel::Tree(_) => "imminent_tree",
            Kernel::Census(_) => "imminent_census",
        }
    }

    /// The kernel that has this one's text, for one scalar of several.
    pub(super) fn canonical(self) -> Kernel {
        match self {
            // Sums of integers wrap whether they have a sign or not.
            Kernel::Reduce(Fold::Sum, Scalar::I32) => Kernel::Reduce(Fold::Sum, Scalar::U32),
            Kernel::Reduce(Fold::Sum, Scalar::I64) => Kernel::Reduce(Fold::Sum, Scalar::U64),
            Kernel::Census(Scalar::Bool) => Kernel::Census(Scalar::U32),
            other => other,
        }
    }

    fn scalar(self) -> Scalar {
        match self {
            Kernel::Reduce(_, scalar) | Kernel::Tree(scalar) | Kernel::Census(scalar) => scalar,
        }
    }

    /// Whether it calculates with `f64`; minima and tests look at bits.
    pub(super) fn needs_float64(self) -> bool {
        matches!(self, Kernel::Reduce(Fold::Sum, Scalar::F64) | Kernel::Tree(Scalar::F64))
    }

    /// The text in a dialect.
    #[must_use]
    pub fn text(self, dialect: Dialect) -> String {
        let mut text = String::new();
        if dialect == Dialect::OpenCl && self.needs_float64() {
            text.push_str("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
        }
        let scalar = self.scalar();
        let kind = match scalar {
            Scalar::Bool | Scalar::U32 | Scalar::U64 => 0,
            Scalar::I32 | Scalar::I64 => 1,
            Scalar::F32 | Scalar::F64 => 2,
        };
        let (form, flip) = match self {
            Kernel::Reduce(Fold::Least, _) => ("LEAST", 0),
            Kernel::Reduce(Fold::Greatest, _) => ("LEAST", 1),
            Kernel::Reduce(Fold::LeastRow, _) => ("LEAST_ROW", 0),
            Kernel::Reduce(Fold::GreatestRow, _) => ("LEAST_ROW", 1),
            Kernel::Reduce(Fold::Sum, _) if kind == 2 => ("SUM_FLOAT", 0),
            Kernel::Reduce(Fold::Sum, _) => ("SUM", 0),
            Kernel::Tree(_) | Kernel::Census(_) => ("COUNT", 0),
        };
        let wide = u32::from(scalar.words() == 2);
        // Writing to a string cannot fail.
        let _ = write!(text, "#define WIDE {wide}\n#define KIND {kind}\n#define FLIP {flip}\n#define FORM {form}\n");
        text.push_str(match dialect {
            Dialect::Cuda => CUDA,
            Dialect::OpenCl => OPENCL,
        });
        text.push_str(VALUES);
        let parts: &[&str] = match self {
            Kernel::Reduce(..) => &[FOLD, GROUP, PARTIALS, REDUCE],
            Kernel::Tree(_) => &[TEST, FOLD, GROUP, PARTIALS, TREE],
            Kernel::Census(_) => &[TEST, FOLD, GROUP, PARTIALS, CENSUS],
        };
        parts.iter().for_each(|part| text.push_str(part));
        text
    }
}

const NUMBERS: [Scalar; 6] = [Scalar::U32, Scalar::I32, Scalar::U64, Scalar::I64, Scalar::F32, Scalar::F64];

impl Kernel {
    /// Every kernel that a plan may have.
    #[must_use]
    pub fn all() -> Vec<Kernel> {
        let mut all = Vec::new();
        for scalar in NUMBERS {
            let folds = [Fold::Least, Fold::Greatest, Fold::LeastRow, Fold::GreatestRow, Fold::Sum];
            all.extend(folds.map(|fold| Kernel::Reduce(fold, scalar)));
            all.push(Kernel::Census(scalar));
            if matches!(scalar, Scalar::F32 | Scalar::F64) {
                all.push(Kernel::Tree(scalar));
            }
        }
        all.retain(|kernel| kernel.canonical() == *kernel);
        all
    }
}
