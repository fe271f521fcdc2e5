//! Texts of the kernels, assembled from parts.

use super::dialect::Dialect;
use super::kernel::{Fold, Kernel, SortStep};
use imminent_ir::Scalar;
use std::fmt::Write as _;

const CUDA: &str = include_str!("text/cuda.h");
const OPENCL: &str = include_str!("text/opencl.h");
/// Replacement for `KERNEL(NAME)`. Not a macro: a host that runs the text finds its kernels by their declarations.
const CUDA_KERNEL: &str = "extern \"C\" __global__ void __launch_bounds__(BOUNDS) NAME(u32 *state, \
     const __grid_constant__ imminent_launch launch, u32 *scratch, u32 *counters)";
const OPENCL_KERNEL: &str = "__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void NAME(__global u32 *state, \
     imminent_launch launch, __global u32 *a, __global u32 *b, __global u32 *c, __global u32 *d, __global u32 *scratch, \
     __global u32 *counters)";
const VALUES: &str = include_str!("text/values.h");
const TEST: &str = include_str!("text/test.h");
const FOLD: &str = include_str!("text/fold.h");
const GROUP: &str = include_str!("text/group.h");
const PARTIALS: &str = include_str!("text/partials.h");
const LAST: &str = include_str!("text/last.h");
const REDUCE: &str = include_str!("text/reduce.c");
const CENSUS: &str = include_str!("text/census.c");
const LOOKBACK: &str = include_str!("text/lookback.h");
const TOTALS: &str = include_str!("text/totals.c");
const SCAN: &str = include_str!("text/scan.c");
const SELECT: &str = include_str!("text/select.c");
const SORT: &str = include_str!("text/sort.h");
const SUMS: &str = include_str!("text/sums.h");
const PLACE: &str = include_str!("text/place.h");
const RANK: &str = include_str!("text/rank.h");
const SORT_COUNT: &str = include_str!("text/sort_count.c");
const SORT_OFFSETS: &str = include_str!("text/sort_offsets.c");
const SORT_PLACE: &str = include_str!("text/sort_place.c");
const SORT_SMALL: &str = include_str!("text/sort_small.c");
const SORT_DIGITS: &str = include_str!("text/sort_digits.c");
const SORT_SWEEP: &str = include_str!("text/sort_sweep.c");
const SORT_TILE: &str = include_str!("text/sort_tile.c");
const SORT_COMPARE: &str = include_str!("text/sort_compare.c");
const MOVE: &str = include_str!("text/move.c");
const SEGMENTS: &str = include_str!("text/segments.c");
const HISTOGRAM: &str = include_str!("text/histogram.c");
const TREE: &str = include_str!("text/tree.c");

impl Kernel {
    /// Returns the launch bounds for CUDA: threads of a group, and the least number of groups that a multiprocessor
    /// should hold.
    fn bounds(self) -> String {
        match self {
            Kernel::Sort(SortStep::Sweep | SortStep::NarrowSweep, _) => format!("{}, 2", self.threads()),
            Kernel::Scan(..) => format!("{}, 4", self.threads()),
            // Forces registers for all the loads of a part, which the compiler would otherwise spare.
            Kernel::Tree(scalar) => format!("{}, {}", self.threads(), if scalar.words() == 2 { 3 } else { 4 }),
            Kernel::Sort(SortStep::Compare, _) => format!("{}, 8", self.threads()),
            _ => self.threads().to_string(),
        }
    }

    /// Returns the text in a dialect.
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
        let _ = writeln!(text, "#define THREADS {}u", self.threads());
        if let Kernel::Sort(step, scalar) = self {
            let _ = writeln!(text, "#define ITEMS {}u", step.items(scalar.words()));
        }
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
        let kernel = kernel.replace("BOUNDS", &self.bounds()).replace("NAME", self.entry());
        text.replace(&format!("KERNEL({})", self.entry()), &kernel)
    }

    /// Returns the parts of the text, behind the definitions on which it rests.
    fn parts(self, dialect: Dialect) -> Vec<&'static str> {
        let (mut parts, body) = match self {
            Kernel::Reduce(..) => (vec![FOLD, GROUP, PARTIALS, LAST], REDUCE),
            Kernel::Tree(_) => (vec![FOLD, GROUP, PARTIALS, LAST], TREE),
            Kernel::Totals(..) => (vec![FOLD, GROUP, PARTIALS], TOTALS),
            Kernel::Scan(..) => (vec![FOLD, GROUP, PARTIALS], SCAN),
            Kernel::Census(_) => (vec![TEST, FOLD, GROUP, PARTIALS, LAST], CENSUS),
            Kernel::Counts(_) => (vec![TEST, FOLD, GROUP, PARTIALS], TOTALS),
            Kernel::Select(_) => (vec![TEST, FOLD, GROUP, PARTIALS], SELECT),
            Kernel::Sort(step, _) => match step {
                SortStep::Count => (vec![SORT], SORT_COUNT),
                SortStep::Offsets => (vec![SORT, SUMS], SORT_OFFSETS),
                SortStep::ColumnLocation => (vec![SORT, SUMS, PLACE], SORT_PLACE),
                SortStep::Small => (vec![SORT, SUMS, PLACE], SORT_SMALL),
                SortStep::Digits => (vec![SORT, SUMS, LAST], SORT_DIGITS),
                SortStep::Sweep | SortStep::NarrowSweep => (vec![SORT, SUMS, RANK], SORT_SWEEP),
                SortStep::Tile => (vec![SORT, SUMS, RANK], SORT_TILE),
                SortStep::Compare => (vec![], SORT_COMPARE),
            },
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Other groups count the same word up by atomics: a plain store beside them would be a data race.
    #[test]
    fn the_last_group_leaves_the_counter_by_an_atomic() {
        assert!(LAST.contains("ATOMIC_EXCHANGE(counter, 0u)") && !LAST.contains("*counter ="), "{LAST}");
        assert!([CUDA, OPENCL].iter().all(|text| text.contains("#define ATOMIC_EXCHANGE(")));
    }
}
