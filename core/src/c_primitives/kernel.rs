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

impl Fold {
    /// The scalar by which the fold of this one goes.
    fn canonical(self, scalar: Scalar) -> Scalar {
        match (self, scalar) {
            // Sums of integers wrap whether they have a sign or not.
            (Fold::Sum, Scalar::I32) => Scalar::U32,
            (Fold::Sum, Scalar::I64) => Scalar::U64,
            (_, scalar) => scalar,
        }
    }
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
    /// Leaves what each chunk of a column gives.
    Totals(Fold, Scalar),
    /// Leaves how many rows of each chunk pass a test.
    Counts(Scalar),
    /// Scans a column.
    Scan(Fold, Scalar),
    /// Lists the rows that pass a test.
    Select(Scalar),
    /// Reduces segments of a column.
    Segments(Fold, Scalar),
    /// Counts values by slots.
    Histogram(Scalar),
    /// A step of a sort by keys of a type.
    Sort(SortStep, Scalar),
    /// Moves a column, words or pairs of words: as it is, or row by row as a list says.
    Move(MoveKind, Scalar),
}

/// A launch of a sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SortStep {
    /// Counts the digits of every chunk.
    Count,
    /// Sums the counts up.
    Offsets,
    /// Moves keys and payloads.
    Place,
    /// All passes at once, by one group.
    Small,
}

/// How a column is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// Every value goes to its own row.
    Copy,
    /// Every row takes the value of the row that a list names.
    Gather,
    /// Every row takes one value.
    Fill,
}

const CUDA: &str = include_str!("text/cuda.h");
const OPENCL: &str = include_str!("text/opencl.h");
/// What `KERNEL(NAME)` stands for. Not a macro: a host that runs the text finds its kernels by their declarations.
const CUDA_KERNEL: &str = "extern \"C\" __global__ void __launch_bounds__(256) NAME(u32 *state, \
     const __grid_constant__ imminent_launch launch, u32 *scratch, u32 *counters)";
const OPENCL_KERNEL: &str = "__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void NAME(__global u32 *state, \
     imminent_launch launch, __global u32 *a, __global u32 *b, __global u32 *c, __global u32 *d, __global u32 *scratch, \
     __global u32 *counters)";
const VALUES: &str = include_str!("text/values.h");
const TEST: &str = include_str!("text/test.h");
const FOLD: &str = include_str!("text/fold.h");
const GROUP: &str = include_str!("text/group.h");
const PARTIALS: &str = include_str!("text/partials.h");
const REDUCE: &str = include_str!("text/reduce.c");
const CENSUS: &str = include_str!("text/census.c");
const LOOKBACK: &str = include_str!("text/lookback.h");
const TOTALS: &str = include_str!("text/totals.c");
const SCAN: &str = include_str!("text/scan.c");
const SELECT: &str = include_str!("text/select.c");
const SORT: &str = include_str!("text/sort.h");
const PLACE: &str = include_str!("text/place.h");
const SORT_COUNT: &str = include_str!("text/sort_count.c");
const SORT_OFFSETS: &str = include_str!("text/sort_offsets.c");
const SORT_PLACE: &str = include_str!("text/sort_place.c");
const SORT_SMALL: &str = include_str!("text/sort_small.c");
const MOVE: &str = include_str!("text/move.c");
const SEGMENTS: &str = include_str!("text/segments.c");
const HISTOGRAM: &str = include_str!("text/histogram.c");
const TREE: &str = include_str!("text/tree.c");

impl Kernel {
    /// The function's symbol.
    #[must_use]
    pub const fn entry(self) -> &'static str {
        match self {
            Kernel::Reduce(..) => "imminent_reduce",
            Kernel::Tree(_) => "imminent_tree",
            Kernel::Census(_) => "imminent_census",
            Kernel::Totals(..) | Kernel::Counts(_) => "imminent_totals",
            Kernel::Scan(..) => "imminent_scan",
            Kernel::Select(_) => "imminent_select",
            Kernel::Sort(SortStep::Count, _) => "imminent_sort_count",
            Kernel::Sort(SortStep::Offsets, _) => "imminent_sort_offsets",
            Kernel::Sort(SortStep::Place, _) => "imminent_sort_place",
            Kernel::Sort(SortStep::Small, _) => "imminent_sort_small",
            Kernel::Move(..) => "imminent_move",
            Kernel::Segments(..) => "imminent_segments",
            Kernel::Histogram(_) => "imminent_histogram",
        }
    }

    /// The kernel that has this one's text, for one scalar of several.
    pub(super) fn canonical(self) -> Kernel {
        match self {
            Kernel::Reduce(fold, scalar) => Kernel::Reduce(fold, fold.canonical(scalar)),
            Kernel::Totals(fold, scalar) => Kernel::Totals(fold, fold.canonical(scalar)),
            Kernel::Scan(fold, scalar) => Kernel::Scan(fold, fold.canonical(scalar)),
            Kernel::Segments(fold, scalar) => Kernel::Segments(fold, fold.canonical(scalar)),
            Kernel::Census(Scalar::Bool) => Kernel::Census(Scalar::U32),
            Kernel::Counts(Scalar::Bool) => Kernel::Counts(Scalar::U32),
            Kernel::Select(Scalar::Bool) => Kernel::Select(Scalar::U32),
            // The sums of counts know nothing of the keys, and a move nothing of what it moves but how wide it is.
            Kernel::Sort(SortStep::Offsets, _) => Kernel::Sort(SortStep::Offsets, Scalar::U32),
            Kernel::Move(kind, scalar) if scalar.words() == 2 => Kernel::Move(kind, Scalar::U64),
            Kernel::Move(kind, _) => Kernel::Move(kind, Scalar::U32),
            other => other,
        }
    }

    /// What is folded, if anything, and the type of the column.
    fn subject(self) -> (Option<Fold>, Scalar) {
        match self {
            Kernel::Reduce(fold, scalar)
            | Kernel::Totals(fold, scalar)
            | Kernel::Scan(fold, scalar)
            | Kernel::Segments(fold, scalar) => (Some(fold), scalar),
            Kernel::Tree(scalar) => (Some(Fold::Sum), scalar),
            Kernel::Census(scalar)
            | Kernel::Counts(scalar)
            | Kernel::Select(scalar)
            | Kernel::Histogram(scalar)
            | Kernel::Sort(_, scalar)
            | Kernel::Move(_, scalar) => (None, scalar),
        }
    }

    /// Whether it calculates with `f64`; minima and tests look at bits.
    pub(super) fn needs_float64(self) -> bool {
        self.subject() == (Some(Fold::Sum), Scalar::F64)
    }

    /// The text in a dialect.
    #[must_use]
    pub fn text(self, dialect: Dialect) -> String {
        let mut text = String::new();
        if dialect == Dialect::OpenCl && self.needs_float64() {
            text.push_str("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
        }
        let (fold, scalar) = self.subject();
        let kind = match scalar {
            Scalar::Bool | Scalar::U32 | Scalar::U64 => 0,
            Scalar::I32 | Scalar::I64 => 1,
            Scalar::F32 | Scalar::F64 => 2,
        };
        let (form, flip) = match fold {
            Some(Fold::Least) => ("LEAST", 0),
            Some(Fold::Greatest) => ("LEAST", 1),
            Some(Fold::LeastRow) => ("LEAST_ROW", 0),
            Some(Fold::GreatestRow) => ("LEAST_ROW", 1),
            Some(Fold::Sum) if kind == 2 => ("SUM_FLOAT", 0),
            Some(Fold::Sum) => ("SUM", 0),
            // Kernels that fold nothing count.
            None => ("COUNT", 0),
        };
        let wide = u32::from(scalar.words() == 2);
        // Writing to a string cannot fail.
        let _ = write!(text, "#define WIDE {wide}\n#define KIND {kind}\n#define FLIP {flip}\n#define FORM {form}\n");
        if let Kernel::Move(kind, _) = self {
            let _ = writeln!(text, "#define MOVE {}", kind as u32);
        }
        text.push_str(match dialect {
            Dialect::Cuda => CUDA,
            Dialect::OpenCl => OPENCL,
        });
        text.push_str(VALUES);
        let kernel = match dialect {
            Dialect::Cuda => CUDA_KERNEL,
            Dialect::OpenCl => OPENCL_KERNEL,
        };
        for part in self.parts(dialect) {
            text.push_str(part);
        }
        text.replace(&format!("KERNEL({})", self.entry()), &kernel.replace("NAME", self.entry()))
    }

    /// What the text is made of, after the definitions that it rests on.
    fn parts(self, dialect: Dialect) -> Vec<&'static str> {
        let (mut parts, body) = match self {
            Kernel::Reduce(..) => (vec![FOLD, GROUP, PARTIALS], REDUCE),
            Kernel::Tree(_) => (vec![FOLD, GROUP, PARTIALS], TREE),
            Kernel::Totals(..) => (vec![FOLD, GROUP, PARTIALS], TOTALS),
            Kernel::Scan(..) => (vec![FOLD, GROUP, PARTIALS], SCAN),
            Kernel::Census(_) => (vec![TEST, FOLD, GROUP, PARTIALS], CENSUS),
            Kernel::Counts(_) => (vec![TEST, FOLD, GROUP, PARTIALS], TOTALS),
            Kernel::Select(_) => (vec![TEST, FOLD, GROUP, PARTIALS], SELECT),
            Kernel::Sort(SortStep::Count, _) => (vec![SORT], SORT_COUNT),
            Kernel::Sort(SortStep::Offsets, _) => (vec![SORT, PLACE], SORT_OFFSETS),
            Kernel::Sort(SortStep::Place, _) => (vec![SORT, PLACE], SORT_PLACE),
            Kernel::Sort(SortStep::Small, _) => (vec![SORT, PLACE], SORT_SMALL),
            Kernel::Segments(..) => (vec![FOLD, GROUP, PARTIALS], SEGMENTS),
            Kernel::Histogram(_) => (vec![], HISTOGRAM),
            Kernel::Move(..) => (vec![], MOVE),
        };
        if dialect == Dialect::Cuda && matches!(self, Kernel::Scan(..) | Kernel::Select(_)) {
            parts.push(LOOKBACK);
        }
        parts.push(body);
        parts
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
            for fold in [Fold::Least, Fold::Greatest, Fold::Sum] {
                all.extend([Kernel::Totals(fold, scalar), Kernel::Scan(fold, scalar), Kernel::Segments(fold, scalar)]);
            }
            all.extend([
                Kernel::Census(scalar),
                Kernel::Counts(scalar),
                Kernel::Select(scalar),
                Kernel::Histogram(scalar),
            ]);
            let steps = [SortStep::Count, SortStep::Offsets, SortStep::Place, SortStep::Small];
            all.extend(steps.map(|step| Kernel::Sort(step, scalar)));
            all.extend([MoveKind::Copy, MoveKind::Gather, MoveKind::Fill].map(|kind| Kernel::Move(kind, scalar)));
            if matches!(scalar, Scalar::F32 | Scalar::F64) {
                all.push(Kernel::Tree(scalar));
            }
        }
        all.retain(|kernel| kernel.canonical() == *kernel);
        all
    }
}
