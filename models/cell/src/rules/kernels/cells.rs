//! Kernels of the cells of a rule file: values are reals, and the rule is the interpreter.

use super::interpreter::{BAD_DELAY, Operation};
use super::parameters::{PortInput, RuleFile};

/// Value of a neighbour beyond an open border, and of a cell whose value is undefined.
pub const UNDEFINED: f64 = f64::NAN;
/// Input of a cell to which none comes.
pub const NO_INPUT: PortInput = PortInput { start: 0, value: f64::NAN, increment: 0.0 };

#[imminent_core::kernels(Value = [f64 as cells], with(
    crate::engine::kernels::templates::values,
    crate::engine::kernels::templates::advance,
    crate::engine::kernels::templates::batch,
    crate::engine::kernels::templates::change
))]
mod kernels {
    use crate::rules::kernels::codes::{CELL, COUNT, STORE};
    use crate::rules::kernels::interpreter::{
        BAD_DELAY, FOUND as TRUE, Machine, NO_RULE, Operation as Facts, RUNNING, UNDECIDED,
    };
    use crate::rules::kernels::numbers::{same as equal, unchanged};
    use crate::rules::kernels::parameters::{PortInput as Input, RuleFile as Model};

    /// Value that stands for an undefined one.
    const UNDEFINED: f64 = super::UNDEFINED;
    /// Input of a cell to which none comes.
    const NO_INPUT: Input = super::NO_INPUT;

    /// External inputs of a cell.
    #[derive(Row)]
    pub struct Feed {
        /// Cell and times.
        pub when: When,
        /// Contents of the first one.
        pub input: Input,
    }

    /// Compares two values in steps of the quantum.
    pub fn same(a: f64, b: f64, model: &Model) -> bool {
        unchanged(model.quantum, a, b)
    }

    /// Begins an evaluation: of the cell's own rules, or of those of the port to which an input came.
    fn begin(here: &Here, input: Input) -> Machine {
        Machine::begin(if here.fed { input.start } else { here.zone })
    }

    /// Ends an evaluation.
    fn end(machine: &Machine) -> Next {
        let state = match machine.state {
            TRUE => FOUND,
            UNDECIDED => NOTHING,
            _ => machine.state,
        };
        Next { value: machine.value, delay: machine.delay, state }
    }

    /// Returns the value of a neighbour; NaN beyond an open border.
    fn value_of(here: &Here, scenario: &Scenario, cells: &Rows<Cell>, which: u32) -> f64 {
        let number = here.number_of(scenario.space, scenario.offsets, which);
        if number == NEVER { f64::NAN } else { cells.get(number).seen(here.time) }
    }

    /// Evaluates the rules of a cell with the values of neighbours in rows.
    pub fn by_rows(
        here: Here,
        _own: f64,
        input: Input,
        cells: &Rows<Cell>,
        scenario: &Scenario,
        random: &mut Pcg32,
        kept: &mut Kept,
    ) -> Next {
        let mut machine = begin(&here, input);
        while machine.state == RUNNING {
            let operation = *scenario.facts.get(machine.at);
            machine.at += 1;
            if operation.code == COUNT {
                let mut count = 0u32;
                for which in operation.arg..operation.arg + operation.value as u32 {
                    if equal(value_of(&here, scenario, cells, which), machine.last) {
                        count += 1;
                    }
                }
                machine.last = count as f64;
            } else if operation.code == STORE {
                kept.values.set(operation.arg, machine.pop());
            } else {
                let mut value = 0.0;
                if (operation.code & CELL) != 0 {
                    let number = scenario.space.neighbours;
                    value = if operation.arg < number {
                        value_of(&here, scenario, cells, operation.arg)
                    } else {
                        kept.values.get(operation.arg - number)
                    };
                }
                let given = input.value_after(here.sent);
                machine.step(scenario.space, &here.place, random, operation, value, given, here.time);
            }
        }
        assert!(machine.state != BAD_DELAY, "the delay of a rule is defined, not negative, and at most 2147483647 ms");
        assert!(machine.state != NO_RULE, "a rule is true: end the rules with `rule : {(0,0)} 0 {t}`");
        end(&machine)
    }

    /// Evaluates the rules of a cell with the values of neighbours in lanes.
    pub fn by_lanes(
        here: Here,
        _own: f64,
        input: Input,
        seen: &Seen,
        first: u32,
        scenario: &Scenario,
        random: &mut Pcg32,
        kept: &mut Kept,
        first_kept: u32,
    ) -> Next {
        let mut machine = begin(&here, input);
        while machine.state == RUNNING {
            let operation = *scenario.facts.get(machine.at);
            machine.at += 1;
            if operation.code == COUNT {
                let mut count = 0u32;
                for which in operation.arg..operation.arg + operation.value as u32 {
                    if equal(seen.values.get(first + which), machine.last) {
                        count += 1;
                    }
                }
                machine.last = count as f64;
            } else if operation.code == STORE {
                kept.values.set(first_kept + operation.arg, machine.pop());
            } else {
                let mut value = 0.0;
                if (operation.code & CELL) != 0 {
                    let number = scenario.space.neighbours;
                    value = if operation.arg < number {
                        seen.values.get(first + operation.arg)
                    } else {
                        kept.values.get(first_kept + operation.arg - number)
                    };
                }
                let given = input.value_after(here.sent);
                machine.step(scenario.space, &here.place, random, operation, value, given, here.time);
            }
        }
        end(&machine)
    }
}

pub use kernels::cells;

crate::__cell_contract! {
    value: f64,
    input: PortInput,
    facts: Operation,
    model: RuleFile,
    {
        fn failure(state: u32) -> String {
            let reason = if state == BAD_DELAY {
                "the delay of a rule has to be defined, not negative, and at most 2147483647 ms"
            } else {
                "no rule is true: end the rules with `rule : {(0,0)} 0 {t}`"
            };
            reason.to_owned()
        }
    }
}
