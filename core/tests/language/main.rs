//! The native functions and the IR of a kernel mean the same: a broad set of kernels is run both ways on random rows.

#[path = "../support/mod.rs"]
mod support;

mod aggregates;
mod calls;
mod control;
mod floats;
mod harness;
mod integers;
mod order;
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

mod same {
    compare!(integers: arithmetic, shifts, bits, comparisons, builtins, casts, powers, saturating, division, literals);
    compare!(floats: arithmetic, rounding, comparisons, conversions, extremes);
    compare!(control: branches, matches, guards, loops, ranges, breaks, returns, whiles, short_circuits, blocks, shadows);
    compare!(aggregates: structs, arrays, nested, checked_reads, checked_writes, updates, constants, lanes, rows, tallies, enums);
    compare!(calls: by_value, by_reference, methods, resources, lent_elements, associated, rows_as_values, lanes_passed);
    compare!(order: operands, indices, arguments, assignments, conditions, struct_fields, lent, mutated_operands);
}
