//! Requirements of a CUDA device beyond those of every device, case by case. Run by `cargo test` (tests/device.rs) and
//! by the program examples/selftest, which can be copied to a machine without Rust.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/mod.rs"]
pub(crate) mod common;

pub(crate) mod errors;
pub(crate) mod models;
pub(crate) mod nodes;
pub(crate) mod queues;
pub(crate) mod sorts;
pub(crate) mod sums;

/// Options with which every test of results is run: results must not depend on them.
const VARIANTS: [&str; 5] =
    ["", "workgroup=128", "workgroup=64", "cache=off,workgroup=256", "workgroup=128,faults=operands"];

/// Returns the options with which the cases of every device are run: a single one for large cases, and for a quick run.
/// Cases with programs also run with loops in one launch, and in WHILE nodes if the driver has them; those about faults
/// with operands.
pub(crate) fn ways(module: &str) -> impl Iterator<Item = &'static str> {
    let quick = module == "large" || !imminent_testkit::needs::everything();
    let variants = if quick { &VARIANTS[..1] } else { &VARIANTS[..] };
    let loops = ["groups", "loops", "programs"].contains(&module);
    let nodes = (loops && common::has_while_nodes()).then_some("loops=conditional");
    let operands = (quick && module == "faults").then_some("faults=operands");
    let more = nodes.into_iter().chain(loops.then_some("loops=resident")).chain(operands);
    variants.iter().copied().chain(more)
}

/// Hands every case of this backend alone to another macro, as `module: case, case; ...`.
macro_rules! for_each_case {
    ($with:ident) => {
        $with! {
            errors:
                what_is_switched_off_is_a_typed_error_that_stops_nothing_else,
                doubles_and_wide_minima_are_there,
                floats_are_rounded_correctly_as_the_probes_find,
                what_does_not_fit_is_a_typed_error_and_the_device_goes_on,
                a_cache_that_cannot_be_used_does_no_harm,
                the_generated_text_names_the_rust_source;
            nodes:
                a_driver_without_while_nodes_is_a_typed_error,
                steps_are_counted_right_over_bodies_and_chunks,
                a_loop_that_runs_for_long_goes_on_in_one_launch;
            models:
                tori_give_the_oracles_outcomes;
            queues:
                two_queues_see_each_other_s_work_on_the_same_memory,
                what_belongs_to_another_device_is_refused,
                every_device_of_the_machine_computes,
                devices_are_listed_and_opened_by_number;
            sorts:
                a_sort_may_be_in_place;
            sums:
                the_fixed_tree_is_the_host_s_however_groups_share_it;
        }
    };
}
pub(crate) use for_each_case;
