//! Kernels of the primitives.

use super::dialect::Dialect;
use imminent_ir::Scalar;

/// Threads of a group of every kernel, except [`wide`](Kernel::threads) ones on CUDA.
pub const THREADS: u32 = 256;

/// Largest number of bytes of memory that a group of any kernel in OpenCL shares.
pub const LOCAL_BYTES: u64 = 24 << 10;

/// Value to which rows are folded.
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
    /// Returns the scalar type whose fold replaces this one.
    fn canonical(self, scalar: Scalar) -> Scalar {
        match (self, scalar) {
            // Sums of signed and unsigned integers wrap alike.
            (Fold::Sum, Scalar::I32) => Scalar::U32,
            (Fold::Sum, Scalar::I64) => Scalar::U64,
            (_, scalar) => scalar,
        }
    }
}

/// A kernel. Two scalars with as many words and the same kernels share one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// Reduces a column.
    Reduce(Fold, Scalar),
    /// Sums a column of floats over the fixed tree.
    Tree(Scalar),
    /// Counts the rows of a column that pass a test.
    Census(Scalar),
    /// Stores the fold of each chunk of a column.
    Totals(Fold, Scalar),
    /// Stores the number of rows of each chunk that pass a test.
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
    /// Moves a column, in words or pairs of words: in order, or by a list of rows.
    Move(MoveKind, Scalar),
}

/// A launch of a sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SortStep {
    /// OpenCL: counts a digit in every chunk.
    Count,
    /// OpenCL: sums the counts up.
    Offsets,
    /// OpenCL: moves keys and payloads.
    ColumnLocation,
    /// OpenCL: all passes at once, by one group.
    Small,
    /// CUDA: counts all digits, and writes the schedule of the passes.
    Digits,
    /// CUDA: a pass over tiles of `items` rows for each thread.
    Sweep,
    /// CUDA: a pass over small tiles, for columns that have few large ones.
    NarrowSweep,
    /// CUDA: all passes over one tile.
    Tile,
    /// CUDA: every key is compared with all others.
    Compare,
}

impl SortStep {
    /// Returns the steps of a dialect.
    const fn of(dialect: Dialect) -> &'static [SortStep] {
        match dialect {
            Dialect::Cuda => {
                &[SortStep::Digits, SortStep::Sweep, SortStep::NarrowSweep, SortStep::Tile, SortStep::Compare]
            }
            Dialect::OpenCl => &[SortStep::Count, SortStep::Offsets, SortStep::ColumnLocation, SortStep::Small],
        }
    }

    /// Returns the rows of a tile for each thread, by the words of a key: limited by its registers and the memory of a
    /// group.
    pub(super) const fn items(self, words: u32) -> u32 {
        match (self, words) {
            (SortStep::NarrowSweep, _) => 4,
            (SortStep::Sweep | SortStep::Tile, 2) => 10,
            _ => 16,
        }
    }
}

/// Ways of moving a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// Every value goes to its own row.
    Copy,
    /// Every row takes the value of the row that a list names.
    Gather,
    /// Every row takes one value.
    Fill,
}

impl Kernel {
    /// Returns the symbol of the function.
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
            Kernel::Sort(SortStep::ColumnLocation, _) => "imminent_sort_place",
            Kernel::Sort(SortStep::Small, _) => "imminent_sort_small",
            Kernel::Sort(SortStep::Digits, _) => "imminent_sort_digits",
            Kernel::Sort(SortStep::Sweep | SortStep::NarrowSweep, _) => "imminent_sort_sweep",
            Kernel::Sort(SortStep::Tile, _) => "imminent_sort_tile",
            Kernel::Sort(SortStep::Compare, _) => "imminent_sort_compare",
            Kernel::Move(..) => "imminent_move",
            Kernel::Segments(..) => "imminent_segments",
            Kernel::Histogram(_) => "imminent_histogram",
        }
    }

    /// Returns the kernel whose text serves this one too.
    pub(super) fn canonical(self) -> Kernel {
        match self {
            Kernel::Reduce(fold, scalar) => Kernel::Reduce(fold, fold.canonical(scalar)),
            Kernel::Totals(fold, scalar) => Kernel::Totals(fold, fold.canonical(scalar)),
            Kernel::Scan(fold, scalar) => Kernel::Scan(fold, fold.canonical(scalar)),
            Kernel::Segments(fold, scalar) => Kernel::Segments(fold, fold.canonical(scalar)),
            Kernel::Census(Scalar::Bool) => Kernel::Census(Scalar::U32),
            Kernel::Counts(Scalar::Bool) => Kernel::Counts(Scalar::U32),
            Kernel::Select(Scalar::Bool) => Kernel::Select(Scalar::U32),
            // The sums of counts do not depend on the keys, and a move depends only on the width of its values.
            Kernel::Sort(SortStep::Offsets, _) => Kernel::Sort(SortStep::Offsets, Scalar::U32),
            Kernel::Move(kind, scalar) if scalar.words() == 2 => Kernel::Move(kind, Scalar::U64),
            Kernel::Move(kind, _) => Kernel::Move(kind, Scalar::U32),
            other => other,
        }
    }

    /// Returns the fold, if any, and the type of the column.
    pub(super) fn subject(self) -> (Option<Fold>, Scalar) {
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

    /// Returns `true` if the kernel calculates with `f64`; minima and tests look at bits.
    pub(super) fn needs_float64(self) -> bool {
        self.subject() == (Some(Fold::Sum), Scalar::F64)
    }

    /// Returns the threads of a group.
    #[must_use]
    pub const fn threads(self) -> u32 {
        match self {
            Kernel::Sort(SortStep::Sweep | SortStep::NarrowSweep | SortStep::Tile, _) => 512,
            _ => THREADS,
        }
    }
}

const NUMBERS: [Scalar; 6] = [Scalar::U32, Scalar::I32, Scalar::U64, Scalar::I64, Scalar::F32, Scalar::F64];

impl Kernel {
    /// Returns every kernel that a plan may have in a dialect.
    #[must_use]
    pub fn all(dialect: Dialect) -> Vec<Kernel> {
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
            all.extend(SortStep::of(dialect).iter().map(|step| Kernel::Sort(*step, scalar)));
            all.extend([MoveKind::Copy, MoveKind::Gather, MoveKind::Fill].map(|kind| Kernel::Move(kind, scalar)));
            if matches!(scalar, Scalar::F32 | Scalar::F64) {
                all.push(Kernel::Tree(scalar));
            }
        }
        all.retain(|kernel| kernel.canonical() == *kernel);
        all
    }
}
