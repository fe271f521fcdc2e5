//! The macro that implements the contract between the engines and a model.

/// Implements [`CellKernels`](crate::engine::CellKernels) for a model. Its kernel module `cells`, which includes the
/// [templates](crate::engine::kernels::templates), and the constants `UNDEFINED` and `NO_INPUT` stand beside it.
#[doc(hidden)]
#[macro_export]
macro_rules! __cell_contract {
    (value: $Value:ty, input: $Input:ty, facts: $Facts:ty, model: $Model:ty, { $($more:tt)* }) => {
        impl $crate::engine::CellKernels for $Model {
            type Value = $Value;
            type Input = $Input;
            type Facts = $Facts;
            type Cell = cells::Cell;
            type Waits = cells::Waits;
            type Kept = cells::Kept;
            type Held = cells::Held;
            type Seen = cells::Seen;
            type Feed = cells::Feed;
            type Step = cells::step;

            const UNDEFINED: $Value = UNDEFINED;
            const NO_INPUT: $Input = NO_INPUT;

            fn cell(value: $Value, pending: $Value, due: u32) -> cells::Cell {
                cells::Cell { value, pending, due }
            }

            fn parts(cell: &cells::Cell) -> ($Value, $Value, u32) {
                (cell.value, cell.pending, cell.due)
            }

            fn kept(values: ::std::vec::Vec<$Value>) -> cells::Kept {
                cells::Kept { values: values.into() }
            }

            fn feed(when: $crate::engine::kernels::feeds::When, input: $Input) -> cells::Feed {
                cells::Feed { when, input }
            }

            fn same(&self, a: $Value, b: $Value) -> bool {
                cells::same(a, b, self)
            }

            fn evaluate(
                &self,
                here: $crate::engine::kernels::here::Here,
                own: $Value,
                input: $Input,
                view: &$crate::engine::View<'_, Self>,
                random: &mut $crate::__core::random::Pcg32,
                kept: &mut cells::Kept,
            ) -> $crate::engine::Answer<$Value> {
                let $crate::engine::View { cells, offsets, facts, space } = *view;
                let scenario = cells::Scenario { facts, offsets, space, model: self };
                let next = cells::by_rows(here, own, input, cells, &scenario, random, kept);
                let cells::Next { value, delay, state } = next;
                $crate::engine::Answer { value, delay, state }
            }

            fn record_step(
                program: &mut $crate::__core::ProgramBuilder,
                step: $crate::engine::Step<'_, Self>,
            ) -> $crate::__core::Result<$crate::__core::Scalar<u64>> {
                let $crate::engine::Step { owns, waits, kepts, cells, before, state, tables, feeds, scenario, next } =
                    step;
                let $crate::engine::Scenario { facts, offsets, space, model } = scenario;
                let rows = cells::CellRowsArgs { owns, waits, kepts, cells, before };
                let scenario = cells::ScenarioArgs { facts, offsets, space, model };
                program.launch_into::<cells::step, _>((rows, state, tables, feeds, scenario), next)
            }

            fn record_rounds(
                program: &mut $crate::__core::ProgramBuilder,
                rounds: $crate::engine::Rounds<'_, Self>,
            ) -> $crate::__core::Result<$crate::__core::Scalar<u32>> {
                let $crate::engine::Rounds { lanes, hours, edges, feeds, fullest, tiling, scenario } = rounds;
                let $crate::engine::Lanes { places, helds, seens, queues, waits, kepts } = lanes;
                let $crate::engine::Scenario { facts, offsets, space, model } = scenario;
                let rows = cells::LaneRowsArgs { places, helds, seens, queues, waits, kepts };
                let tables = cells::LaneTablesArgs { edges, feeds, fullest, tiling };
                let scenario = cells::ScenarioArgs { facts, offsets, space, model };
                program.launch::<cells::rounds>((rows, hours, tables, scenario))
            }

            fn record_enter(
                program: &mut $crate::__core::ProgramBuilder,
                change: $crate::engine::Change<'_, Self>,
            ) -> $crate::__core::Result<()> {
                let $crate::engine::Change { lanes, owns, waits, kepts, cells, feeds, hours, offsets, space, tiling } =
                    change;
                let from = cells::CellTablesArgs { owns, waits, kepts, cells };
                let $crate::engine::Lanes { places: me, helds: held, seens: seen, queues, waits, kepts: kept } = lanes;
                let to = cells::LaneCellsArgs { me, held, seen, queues, waits, kept };
                program.launch::<cells::enter>((to, from, feeds, hours, offsets, space, tiling)).map(drop)
            }

            fn record_leave(
                program: &mut $crate::__core::ProgramBuilder,
                change: $crate::engine::Change<'_, Self>,
            ) -> $crate::__core::Result<()> {
                let $crate::engine::Change { lanes, owns, waits: own_waits, kepts: kept, cells, space, tiling, .. } =
                    change;
                let $crate::engine::Lanes { places, helds, queues, waits, kepts, .. } = &*lanes;
                let from = cells::FilledLanesArgs { places, helds, queues, waits, kepts };
                program.launch::<cells::leave>((owns, own_waits, kept, cells, from, space, tiling)).map(drop)
            }

            $($more)*
        }
    };
}
