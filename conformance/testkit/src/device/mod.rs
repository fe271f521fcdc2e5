//! Requirements on every device, beside the conformance suite: cases that take an open device, or its backend, and
//! panic if a requirement is not met.
//!
//! A backend runs them on devices opened with each of its options that must not affect results.

pub mod abilities;
pub mod arguments;
pub mod columns;
pub mod faults;
pub mod groups;
pub mod lanes;
pub mod large;
pub mod launches;
pub mod loops;
pub mod machines;
pub mod memory;
pub mod pool;
pub mod programs;
pub mod threads;

use imminent_core::{Device, Row, Table};
use machines::machines::{Machine, Rule};

/// Passes every case that takes an open [`Device`] to another macro, as `module: case, case; ...`.
///
/// Cases of module `large` take long, and one way of opening a device is enough for them.
#[macro_export]
macro_rules! device_cases {
    ($with:ident) => {
        $with! {
            abilities:
                a_kernel_that_the_device_cannot_run_does_not_stop_the_others,
                doubles_run_where_the_device_has_them,
                a_wide_minimum_runs_where_the_device_has_it_and_is_a_typed_error_elsewhere;
            arguments:
                a_parameter_block_larger_than_the_arguments_may_be_is_passed_all_the_same,
                a_fault_in_a_kernel_with_a_large_block_finds_its_slot,
                a_table_can_be_bound_many_times_for_reading;
            faults:
                a_slot_past_the_end_of_a_tally_is_a_fault,
                the_lowest_row_of_the_earliest_launch_is_reported_and_data_is_poisoned,
                a_fault_quotes_the_expression_and_its_values_on_request,
                a_fault_in_a_program_has_its_values_on_request;
            groups:
                groups_relax_to_what_a_plain_loop_gives,
                tiles_cover_a_grid_with_its_edges,
                float_sums_over_groups_follow_the_tree_of_their_number,
                the_lowest_row_of_all_phases_reports_its_fault,
                a_launch_of_fewer_rows_cuts_its_last_group,
                what_does_not_fit_is_refused,
                a_launch_over_a_subset_runs_its_rows_and_no_others,
                a_fault_of_a_subset_names_the_row_of_the_table,
                an_empty_subset_gives_the_identity,
                a_selection_from_the_host_lists_rows_of_the_table_once,
                groups_take_part_in_loops_on_the_device;
            lanes:
                lanes_are_written_read_and_grown,
                lanes_of_the_host_and_the_device_are_the_same;
            large:
                more_groups_than_one_dimension_holds_are_dispatched,
                a_transfer_larger_than_a_staging_buffer_goes_in_parts,
                a_fault_is_found_after_more_launches_than_there_are_slots,
                results_of_many_launches_share_little_memory,
                many_steps_are_counted_right;
            launches:
                rows_are_changed_as_by_the_native_function,
                a_launch_sees_what_the_one_before_wrote,
                other_rows_can_be_read,
                returned_values_are_reduced,
                tallies_gather_contributions,
                fewer_rows_than_a_table_has_can_be_visited,
                floats_are_summed_over_the_fixed_tree;
            memory:
                a_column_is_read_as_it_was_written,
                every_scalar_type_is_stored,
                tallies_are_stored,
                a_table_takes_over_another;
            programs:
                a_loop_takes_as_many_steps_as_a_plain_loop,
                compiling_a_program_does_not_run_it,
                the_step_limit_leaves_the_state_of_that_step,
                a_cancelled_loop_leaves_the_state_of_the_step_it_reports,
                conditions_reach_beyond_32_bits,
                copies_and_repetitions_are_part_of_a_step,
                a_fault_ends_a_loop_and_poisons_what_it_writes,
                a_program_that_failed_can_be_run_again,
                a_fault_in_a_repetition_is_that_of_the_earliest_launch,
                a_fault_before_a_program_is_not_the_programs,
                a_program_goes_on_with_a_table_that_has_grown;
            threads:
                a_device_can_be_used_by_several_threads,
                several_threads_write_and_read_tables_of_their_own;
        }
    };
}

/// Passes the cases that take a [`Backend`](imminent_core::backend::Backend) to another macro. They use layouts that do
/// not correspond to a Rust struct, so they are not for a backend that stores native structs.
#[macro_export]
macro_rules! backend_cases {
    ($with:ident) => {
        $with! {
            columns:
                columns_and_lanes_do_not_overlap,
                part_of_a_column_can_be_written_and_read,
                a_table_grows_without_losing_anything,
                a_result_is_zero_even_where_its_memory_was_used_before,
                spans_and_lengths_that_do_not_fit_are_typed_errors,
                released_memory_is_counted_off;
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
        }
    };
}

/// Parameters that mix well.
pub(crate) const RULE: Rule = Rule { factor: 0x5851_f42d_4c95_7f2d, shift: 17, limit: 13 };

/// Returns lengths at the edges of groups, and a long one if the device can store such a table in one piece.
fn lengths<R: Row>(device: &Device) -> Vec<usize> {
    let mut lengths = vec![0, 1, 2, 62, 255, 256, 257, 511, 1000, 1300, 2500, 4991];
    if Table::<R>::zeroed(device, 70_000).is_ok() {
        lengths.push(70_000);
    }
    lengths
}

fn machines_of(rows: usize) -> Vec<Machine> {
    let mix = |i: u64| (i + 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (i << 17);
    (0..rows as u64)
        .map(|i| Machine {
            clock: mix(i),
            step: i as u32 % 7,
            past: [i as u32, 0, 9],
            balance: mix(i + 99).cast_signed(),
        })
        .collect()
}
