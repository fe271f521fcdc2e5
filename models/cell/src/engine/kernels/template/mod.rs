//! The kernels that depend on the type of a cell's value.
//!
//! The kernel language has no generics, so macros write these kernels for each type: in a module that has the constants
//! `UNDEFINED` and `NO_INPUT`, which are the value of a missing neighbour and the input of a cell to which none comes.
//! All else is in ordinary kernel modules. The types are names that `types`, a list of imports, brings into scope.
//! `rule` are the items of the model: these imports, and three functions.
//!
//! | function | purpose |
//! | --- | --- |
//! | `by_rows(here, own, input, cells, offsets, facts, space, model, random) -> Next` | evaluates the rule with the values of neighbours in rows of cells, after the outputs of `here.time` |
//! | `by_lanes(here, own, input, seen, first, offsets, facts, space, model, random) -> Next` | evaluates the rule with the values of neighbours in the lanes of `seen`, from `first` on |
//! | `same(a, b, model) -> bool` | `true` if two values are equal |

mod advance;
mod batch;
mod change;
mod values;

/// Writes the kernel modules `values`, `advance`, `batch` and `change` of a model.
#[doc(hidden)]
#[macro_export]
macro_rules! __cell_kernels {
    (
        value: $Value:ident,
        input: $Input:ident,
        facts: $Facts:ident,
        model: $Model:ident,
        types: { $($types:tt)* },
        rule: { $($rule:tt)* },
    ) => {
        $crate::__cell_values! { $Value, $Input; $($rule)* }
        $crate::__cell_advance! { $Value, $Input, $Facts, $Model; $($types)* }
        $crate::__cell_batch! { $Value, $Input, $Facts, $Model; $($types)* }
        $crate::__cell_change! { $Value; $($types)* }
    };
}

/// Writes the implementation of [`CellKernels`](crate::engine::CellKernels) for a model whose kernels stand in modules
/// beside it.
#[doc(hidden)]
#[macro_export]
macro_rules! __cell_contract {
    (
        value: $Value:ty,
        input: $Input:ty,
        facts: $Facts:ty,
        model: $Model:ty,
        { $($more:tt)* }
    ) => {
        impl $crate::engine::CellKernels for $Model {
            type Value = $Value;
            type Input = $Input;
            type Facts = $Facts;
            type Cell = values::Cell;
            type Waits = values::Waits;
            type Held = values::Held;
            type Seen = values::Seen;
            type Feed = values::Feed;
            type Step = advance::step;
            type Rounds = batch::rounds;
            type Enter = change::enter;
            type Leave = change::leave;

            const UNDEFINED: $Value = UNDEFINED;
            const NO_INPUT: $Input = NO_INPUT;

            fn cell(value: $Value, pending: $Value, due: u32) -> values::Cell {
                values::Cell { value, pending, due }
            }

            fn parts(cell: &values::Cell) -> ($Value, $Value, u32) {
                (cell.value, cell.pending, cell.due)
            }

            fn feed(when: $crate::engine::kernels::feeds::When, input: $Input) -> values::Feed {
                values::Feed { when, input }
            }

            fn same(&self, a: $Value, b: $Value) -> bool {
                values::same(a, b, self)
            }

            fn evaluate(
                &self,
                here: $crate::engine::kernels::here::Here,
                own: $Value,
                input: $Input,
                view: &$crate::engine::View<'_, Self>,
                random: &mut $crate::__core::random::Pcg32,
            ) -> $crate::engine::Answer<$Value> {
                let $crate::engine::View { cells, offsets, facts, space } = *view;
                let values::Next { value, delay, state } =
                    values::by_rows(here, own, input, cells, offsets, facts, space, self, random);
                $crate::engine::Answer { value, delay, state }
            }

            $($more)*
        }
    };
}
