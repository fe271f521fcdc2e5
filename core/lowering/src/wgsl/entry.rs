//! The words of entry points in WGSL.

use super::source::BufferRole;
use super::state::Lowering;
use crate::LoweringError;
use crate::walk::{Code, Entry, Interface, Level, Writer, number};
use imminent_ir::launch::TURN_WORD;
use imminent_ir::{Reductions, Scalar};

impl<'a> Entry<'a> for Lowering<'a> {
    const OWN: &'static str = "";
    const PASSED: &'static [&'static str] = &[];
    const ITEMS_IN_BLOCK: bool = false;
    const RETURNS: bool = true;
    const PASSES_ANSWERS: bool = true;
    const PLACE: [&'static str; 2] = ["x", "y"];
    // A grid without columns has no rows either.
    const GRID_HEIGHT: &'static str = "rows / max(grid_width, 1u)";
    const HAS_STRIDE: &'static str = "stride > 0u";
    const FAULT_BITS: &'static str = "for (var fault_bit = 0u; fault_bit < 32u; fault_bit += 1u) {";
    const FAULT_WORDS: [&'static str; 3] = ["fault_words.x", "fault_words.y", "fault_words.z"];

    fn open_entry(&self, out: &mut Writer, _: Interface) {
        out.line(&format!("@compute @workgroup_size({})", self.invocations()));
        out.open("fn main(");
        out.line("@builtin(local_invocation_index) invocation: u32,");
        out.line("@builtin(workgroup_id) workgroup: vec3<u32>,");
        out.line("@builtin(num_workgroups) workgroups: vec3<u32>,");
        out.between(") {");
        for (name, word) in &self.headers {
            out.line(&format!("{name} = launch[{word}];"));
        }
        // No value that comes from a buffer which the kernel may write counts as uniform.
        if let Some(count) = self.shared_count() {
            out.open("if (invocation == 0u) {");
            out.line(&format!("listed_rows = {count};"));
            out.close("}");
        }
    }

    fn listed_row(&self, index: &str) -> String {
        match self.shared_piece(BufferRole::SubsetRows) {
            Some((buffer, word)) => format!("{buffer}[launch[{word}] + {index}]"),
            None => format!("subset_rows[{index}]"),
        }
    }

    fn listed_count(&self) -> String {
        let count =
            if self.shared_count().is_some() { "workgroupUniformLoad(&listed_rows)" } else { "subset_count[0]" };
        count.to_owned()
    }

    /// The memory is declared outside the entry point.
    fn declare_results(&self, _: &mut Writer, _: &Reductions) {}

    fn setup(&mut self) -> Result<Vec<String>, LoweringError> {
        self.computed_constants()
    }

    fn declare_group(&mut self, out: &mut Writer) {
        out.line("lane = invocation;");
    }

    /// The load of the turn is the barrier after which the group's memory is ready.
    fn enter_group(&mut self, out: &mut Writer) {
        if let Some(scratch) = self.flat.scratch.clone().filter(|_| self.phases.uses_elements()) {
            let zero = format!("{}()", self.shared_type(&scratch));
            out.line(&self.set_element(&zero));
        }
        out.open("if (lane == 0u) {");
        if self.phases.votes() {
            out.line("atomicStore(&group_votes, 0u);");
        }
        out.line("group_turn = atomicLoad(&state[0]);");
        out.close("}");
        if self.phases.uniform_faults() {
            out.line("fault = select(0xffffffffu, 0u, lane == 0u);");
        }
        // The turn is passed on between launches alone: what the first invocation reads is true for all.
        out.line("let turn = workgroupUniformLoad(&group_turn);");
        out.open(&format!("if (group >= groups || turn != launch[{TURN_WORD}]) {{"));
        out.line("return;");
        out.close("}");
    }

    fn prepare_group(&mut self, out: &mut Writer) -> Result<(), LoweringError> {
        self.computed_constants()?.iter().for_each(|line| out.line(line));
        Ok(())
    }

    fn launch_word(&self, word: u32) -> String {
        format!("launch[{word}]")
    }

    fn in_turn(&self) -> String {
        format!("atomicLoad(&state[0]) == launch[{TURN_WORD}]")
    }

    fn await_turn(&self, out: &mut Writer) {
        out.open("if (invocation == 0u) {");
        out.line("launch_turn = atomicLoad(&state[0]);");
        out.close("}");
        // The turn is passed on between launches alone: what the first invocation reads is true for all.
        out.open(&format!("if (workgroupUniformLoad(&launch_turn) != launch[{TURN_WORD}]) {{"));
        out.line("return;");
        out.close("}");
    }

    fn invocation(&self) -> &'static str {
        "invocation"
    }

    fn group(&self) -> &'static str {
        "launch[2] + workgroup.y * workgroups.x + workgroup.x"
    }

    fn first_group(&self) -> (&'static str, &'static str) {
        ("own_group", "workgroup.y * workgroups.x + workgroup.x")
    }

    fn workgroups(&self) -> &'static str {
        "workgroups.x * workgroups.y"
    }

    fn named(_: Scalar, name: &str, value: &str) -> String {
        format!("let {name} = {value};")
    }

    fn variable(name: &str, value: &str) -> String {
        format!("var {name} = {value};")
    }

    fn counting(name: &str, start: &str, condition: &str, step: &str) -> String {
        format!("for (var {name} = {start}; {condition}; {step}) {{")
    }

    fn next(name: &str) -> String {
        format!("{name}++")
    }

    fn word_of(condition: &str) -> String {
        format!("u32({condition})")
    }

    fn least(a: &str, b: &str) -> Code {
        Code::atom(format!("min({a}, {b})"))
    }

    fn wide(word: &str) -> String {
        word.to_owned()
    }

    fn atomic_min(&self) -> &'static str {
        "atomicMin"
    }

    fn replaces(is_float: bool, less: &Code, equal: &Code) -> String {
        let (less, equal) = (less.within(Level::Atom), equal.within(Level::Atom));
        if is_float {
            format!(
                "(a_nan && !b_nan) || (!a_nan && !b_nan && {less}) || (((a_nan && b_nan) || {equal}) && b_row < a_row)"
            )
        } else {
            format!("{less} || ({equal} && b_row < a_row)")
        }
    }

    fn placed(&self) -> String {
        if self.has_spare() { format!("lane < {}u && ", self.workgroup_size) } else { String::new() }
    }

    fn watch_loops(&mut self, out: &mut Writer) {
        if let Some(site) = self.flat.watched_loops() {
            let (cut, raise) = (self.helper("loops_are_cut"), self.helper("raise"));
            out.open(&format!("if ({cut}()) {{"));
            out.line(&format!("{raise}({});", number(site)));
            out.close("}");
        }
    }
}
