//! What must hold of every lowering: the text that it makes of a kernel, run on a device, does what Rust would do.

mod data;
pub mod groups;
pub mod indices;
pub mod operands;
pub mod operations;
pub mod ranges;
pub mod reductions;
pub mod run;
pub mod subsets;
pub mod tallies;
pub mod totals;

pub use data::{Data, layout};

use crate::modules::kernels::Built;
use imminent_ir::flatten::FlatKernel;
use imminent_ir::{Scalar, flatten};
use std::fmt::Debug;

/// What a launch left behind.
pub struct Outcome {
    /// The words of every binding.
    pub data: Vec<Vec<u32>>,
    /// The least row of each fault site; `u32::MAX` if none.
    pub faults: Vec<u32>,
    /// The reduced result.
    pub result: Option<Vec<u32>>,
}

/// What a launch runs over.
#[derive(Clone, Copy, Debug, Default)]
pub struct Run<'r> {
    /// Rows, or the most rows of a subset.
    pub rows: u32,
    /// Columns of the grid.
    pub width: u32,
    /// What the halt flag holds.
    pub halt: u32,
    /// The rows listed.
    pub subset: Option<&'r [u32]>,
}

/// How far a float result may be from Rust's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Not at all.
    Exact,
    /// By the units in the last place that the operation states.
    Within,
    /// The same, and where it states any, subnormal results may be flushed.
    WithinOrFlushed,
}

/// A lowering, and a device that runs its text with the bare calls of its interface.
pub trait Machine {
    /// Options of the lowering.
    type Options: Debug;

    /// The ways of lowering a kernel over this data between which no result may differ.
    fn ways(&self, flat: &FlatKernel, data: &[Data]) -> Vec<Self::Options>;

    /// The ways of lowering operations of a type.
    fn arithmetic(&self, scalar: Scalar) -> Vec<Self::Options>;

    /// How closely float operations of a type are compared.
    fn rounding(&self, options: &Self::Options, scalar: Scalar) -> Rounding;

    /// Whether kernels lowered so may use `f64`.
    fn has_float64(&self, options: &Self::Options) -> bool;

    /// Whether they may use minima and maxima of 64-bit tallies.
    fn has_wide_tallies(&self, options: &Self::Options) -> bool;

    /// The text of the typed error with which a kernel that uses what is not there is refused.
    ///
    /// Panics if it is lowered, or refused for another reason.
    fn refusal(&self, flat: &FlatKernel, options: &Self::Options) -> String;

    /// Lowers a kernel and launches it.
    fn launch_as(&self, flat: &FlatKernel, options: &Self::Options, run: &Run<'_>, data: &[Data]) -> Outcome;

    /// Over `n` rows, with this word in the halt flag.
    fn launch_with(&self, flat: &FlatKernel, options: &Self::Options, n: u32, data: &[Data], halt: u32) -> Outcome {
        self.launch_as(flat, options, &Run { rows: n, halt, ..Run::default() }, data)
    }

    /// Over `n` rows, with nothing halted.
    fn launch(&self, flat: &FlatKernel, options: &Self::Options, n: u32, data: &[Data]) -> Outcome {
        self.launch_with(flat, options, n, data, 0)
    }
}

/// Makes a test of each case, for the machine that the expression opens.
#[macro_export]
macro_rules! lowering_cases {
    ($machine:expr) => {
        $crate::lowering_cases! { $machine;
            ranges::every_kind_of_range_visits_what_rusts_does,
            indices::checked_indices_read_zero_and_write_nothing_past_the_end,
            run::calls_copy_in_and_out_and_reach_the_right_rows,
            run::a_halted_launch_does_nothing,
            run::a_facility_gives_the_same_words_in_every_mode_and_shape,
            run::odd_names_and_values_mean_what_they_say,
            groups::phases_see_what_the_one_before_left,
            groups::faults_between_phases_are_those_of_the_first_row,
            groups::halted_groups_do_nothing,
            groups::groups_without_elements_run_their_rows,
            groups::elements_of_every_type_are_shared,
            subsets::only_listed_rows_are_run,
            subsets::results_are_those_of_the_listed_rows,
            tallies::tallies_add_up,
            totals::a_row_of_the_group_can_be_read_for_what_is_stored_and_contributed,
            reductions::reductions_follow_the_fixed_tree,
            operations::bool_operations_give_rusts_results,
            operations::u32_operations_give_rusts_results,
            operations::i32_operations_give_rusts_results,
            operations::u64_operations_give_rusts_results,
            operations::i64_operations_give_rusts_results,
            operations::f32_operations_give_rusts_results,
            operations::f64_operations_give_rusts_results_or_the_typed_error,
        }
    };
    ($machine:expr; $($module:ident::$case:ident,)+) => {$(
        #[test]
        fn $case() {
            $crate::lowering::$module::$case(&$machine);
        }
    )+};
}

fn flat(built: &Built) -> FlatKernel {
    flatten(&built.module, &built.kernel).unwrap_or_else(|e| panic!("{e}"))
}

/// Numbers without a pattern, the same in every run.
fn mix(x: u64) -> u64 {
    let z = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
