//! The kernels.

use crate::c_dialect::Dialect;
use imminent_ir::Scalar;

/// Threads of a group of every kernel but [`wide`](Kernel::threads) ones on CUDA.
pub const THREADS: u32 = 256;

/// Bytes of memory that a group of any kernel in OpenCL shares, at most.
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
    /// OpenCL: counts a digit in every chunk.
    Count,
    /// OpenCL: sums the counts up.
    Offsets,
    /// OpenCL: moves keys and payloads.
    Place,
    /// OpenCL: all passes at once, by one group.
    Small,
    /// CUDA: counts all digits, and says what the passes are to do.
    Digits,
    /// CUDA: a pass over tiles of `items` rows for each thread.
    Sweep,
    /// CUDA: a pass over small tiles, for columns that would be few large ones.
    NarrowSweep,
    /// CUDA: all passes over one tile.
    Tile,
    /// CUDA: every key is compared with all others.
    Compare,
}

impl SortStep {
    /// The steps of a dialect.
    const fn of(dialect: Dialect) -> &'static [SortStep] {
        match dialect {
            Dialect::Cuda => {
                &[SortStep::Digits, SortStep::Sweep, SortStep::NarrowSweep, SortStep::Tile, SortStep::Compare]
            }
            Dialect::OpenCl => &[SortStep::Count, SortStep::Offsets, SortStep::Place, SortStep::Small],
        }
    }

    /// Rows of a tile for each thread, by the words of a key: as many as its registers and the memory of a group hold.
    pub(super) const fn items(self, words: u32) -> u32 {
        match (self, words) {
            (SortStep::NarrowSweep, _) => 4,
            (SortStep::Sweep | SortStep::Tile, 2) => 10,
            _ => 16,
        }
    }
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
            Kernel::Sort(SortStep::Digits, _) => "imminent_sort_digits",
            Kernel::Sort(SortStep::Sweep | SortStep::NarrowSweep, _) => "imminent_sort_sweep",
            Kernel::Sort(SortStep::Tile, _) => "imminent_sort_tile",
            Kernel::Sort(SortStep::Compare, _) => "imminent_sort_compare",
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

    /// Whether it calculates with `f64`; minima and tests look at bits.
    pub(super) fn needs_float64(self) -> bool {
        self.subject() == (Some(Fold::Sum), Scalar::F64)
    }

    /// Threads of a group.
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
    /// Every kernel that a plan may have in a dialect.
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
