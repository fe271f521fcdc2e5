//! Evaluations of a user's rule.

/// Evaluations of a rule that a function of the model is.
#[imminent_core::kernels(template)]
pub mod ruled {
    /// External inputs of a cell.
    #[derive(Row)]
    pub struct Feed {
        /// Cell and times.
        pub when: When,
        /// Contents of the first one.
        pub input: Value,
    }

    /// Evaluates the rule with the values of neighbours in rows of cells.
    pub fn by_rows(
        here: Here,
        own: Value,
        input: Value,
        cells: &Rows<Cell>,
        scenario: &Scenario,
        random: &mut Pcg32,
        _kept: &mut Kept,
    ) -> Next {
        let mut around = here;
        let mut seen = [UNDEFINED; MAX_NEIGHBOURS];
        for which in 0..scenario.space.neighbours {
            let other = around.number_of(scenario.space, scenario.offsets, which);
            if other != NEVER {
                if LOOKS {
                    around.note(which);
                }
                seen[which as usize] = cells.get(other).seen(around.time);
            }
        }
        apply(&around, own, &seen, input, scenario.model, random)
    }

    /// Evaluates the rule with the values of neighbours in lanes.
    pub fn by_lanes(
        here: Here,
        own: Value,
        input: Value,
        lanes: &Seen,
        first: u32,
        scenario: &Scenario,
        random: &mut Pcg32,
        _kept: &mut Kept,
        _first_kept: u32,
    ) -> Next {
        let mut around = here;
        if LOOKS {
            around.look_around(scenario.space, scenario.offsets);
        }
        let mut seen = [UNDEFINED; MAX_NEIGHBOURS];
        for which in 0..scenario.space.neighbours {
            seen[which as usize] = lanes.values.get(first + which);
        }
        apply(&around, own, &seen, input, scenario.model, random)
    }
}
