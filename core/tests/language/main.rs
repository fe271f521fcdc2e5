//! The native functions and the IR of a kernel mean the same: a broad set of kernels is run both ways on random rows.
#![allow(clippy::unwrap_used, clippy::panic, unreachable_code)]
// The kernels are written for what they exercise, not for beauty.
#![allow(
    clippy::needless_late_init,
    clippy::manual_swap,
    clippy::match_overlapping_arm,
    clippy::reversed_empty_ranges,
    clippy::unusual_byte_groupings,
    clippy::needless_return,
    clippy::unnecessary_cast,
    clippy::never_loop,
    clippy::manual_range_patterns
)]

#[path = "../support/mod.rs"]
mod support;

mod aggregates;
mod calls;
mod control;
mod dense;
mod floats;
mod groups;
mod groups_harness;
mod harness;
mod histories;
mod integers;
mod order;
mod outside;
mod shared;

/// One test for each kernel of a module.
macro_rules! compare {
    ($module:ident: $($kernel:ident),* $(,)?) => {
        mod $module {
            $(
                #[test]
                fn $kernel() {
                    crate::harness::compare(stringify!($kernel), crate::$module::kernels::source(), crate::$module::kernels::$kernel);
                }
            )*
        }
    };
}

/// One test for each kernel of a module whose kernels run in groups.
macro_rules! compare_groups {
    ($($kernel:ident),* $(,)?) => {
        mod in_groups {
            $(
                #[test]
                fn $kernel() {
                    crate::groups_harness::compare(stringify!($kernel), crate::groups::kernels::source());
                }
            )*
        }
    };
}

mod same {
    compare_groups!(
        neighbours,
        votes,
        loops,
        uniform_rows,
        captures,
        tiles,
        single,
        faults,
        helpers,
        structs,
        wide,
        returns
    );
    compare!(integers: arithmetic, shifts, bits, comparisons, builtins, casts, powers, saturating, division, literals);
    compare!(floats: arithmetic, rounding, comparisons, conversions, extremes);
    compare!(control: branches, matches, guards, loops, ranges, breaks, returns, whiles, short_circuits, blocks, shadows, diverging);
    compare!(aggregates: structs, arrays, nested, checked_reads, checked_writes, updates, constants, lanes, rows, tallies, enums);
    compare!(calls: by_value, by_reference, methods, resources, lent_elements, associated, rows_as_values, lanes_passed);
    compare!(outside: values, patterns, indices);
    compare!(dense: deep, expressions, algorithms);
    compare!(order: operands, indices, arguments, assignments, conditions, struct_fields, lent, mutated_operands);
}
