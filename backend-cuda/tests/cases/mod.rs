//! What a CUDA device must do, case by case: run by `cargo test` (tests/device.rs) and by the program examples/selftest, which can
//! be carried to a machine without Rust.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/mod.rs"]
pub(crate) mod common;
#[path = "../common/machines.rs"]
pub(crate) mod machine_kernels;

pub(crate) mod errors;
pub(crate) mod launches;
pub(crate) mod loops;
pub(crate) mod memory;
pub(crate) mod models;
pub(crate) mod programs;
pub(crate) mod queues;

/// Hands every case to another macro, as `module: case, case; ...`.
macro_rules! for_each_case {
    ($with:ident) => {
        $with! {
            errors:
                a_kernel_that_the_device_cannot_run_does_not_stop_the_others,
                doubles_and_wide_minima_are_there,
                floats_are_rounded_correctly_as_the_probes_find,
                what_does_not_fit_is_a_typed_error_and_the_device_goes_on,
                released_memory_is_counted_off,
                a_cache_that_cannot_be_used_does_no_harm,
                the_generated_text_names_the_rust_source;
            launches:
                rows_are_changed_as_by_the_native_function,
                a_launch_sees_what_the_one_before_wrote,
                other_rows_can_be_read,
                returned_values_are_reduced,
                tallies_gather_contributions,
                a_slot_past_the_end_of_a_tally_is_a_fault,
                lanes_are_written_read_and_grown,
                fewer_rows_than_a_table_has_can_be_visited,
                floats_are_summed_over_the_fixed_tree,
                more_groups_than_one_dimension_holds_are_dispatched,
                the_lowest_row_of_the_earliest_launch_is_reported_and_data_is_poisoned,
                a_fault_is_found_after_more_launches_than_there_are_slots,
                results_of_many_launches_share_little_memory,
                lanes_of_the_host_and_the_device_are_the_same;
            loops:
                every_comparison_of_every_scalar_means_what_it_means_on_the_host,
                the_first_of_several_conditions_is_reported,
                the_step_limit_is_kept_exactly,
                steps_after_the_end_change_nothing,
                nodes_outside_loops_and_repetitions_are_done_in_order,
                a_loop_inside_a_repetition_runs_every_time,
                a_loop_without_an_end_can_be_cancelled,
                a_program_can_be_replayed_but_not_twice_at_once,
                memory_can_be_read_while_a_program_makes_progress,
                a_condition_on_a_row_that_does_not_exist_is_a_typed_error;
            memory:
                a_column_is_read_as_it_was_written,
                every_scalar_type_is_stored,
                tallies_are_stored,
                a_table_takes_over_another,
                columns_and_lanes_do_not_overlap_however_a_table_is_cut,
                part_of_a_column_can_be_written_and_read,
                a_table_grows_without_losing_anything,
                a_result_is_zero_even_where_its_memory_was_used_before,
                a_transfer_larger_than_a_staging_buffer_goes_in_parts,
                spans_and_lengths_that_do_not_fit_are_typed_errors,
                devices_are_listed_and_opened_by_number;
            models:
                tori_give_the_oracles_outcomes;
            programs:
                a_loop_takes_as_many_steps_as_a_plain_loop,
                the_step_limit_leaves_the_state_of_that_step,
                a_cancelled_loop_leaves_the_state_of_the_step_it_reports,
                conditions_reach_beyond_32_bits,
                copies_and_repetitions_are_part_of_a_step,
                a_fault_ends_a_loop_and_poisons_what_it_writes,
                a_program_that_failed_can_be_run_again,
                a_fault_in_a_repetition_is_that_of_the_earliest_launch,
                a_fault_before_a_program_is_not_the_programs,
                a_program_goes_on_with_a_table_that_has_grown,
                many_steps_are_counted_right;
            queues:
                two_queues_see_each_other_s_work_on_the_same_memory,
                what_belongs_to_another_device_is_refused,
                every_device_of_the_machine_computes,
                a_device_can_be_used_from_several_threads;
        }
    };
}
pub(crate) use for_each_case;
