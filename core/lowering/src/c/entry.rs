//! The words of entry points in C.

use super::options::Dialect;
use super::source::ParameterRole;
use super::state::Lowering;
use crate::LoweringError;
use crate::walk::{Code, Entry, Interface, Level, Types, Warp, Writer, slots};
use imminent_ir::launch::{EVERY_TURN, ROWS_PER_GROUP, TURN_WORD};
use imminent_ir::{Reductions, Scalar};

/// Threads of a warp of CUDA.
const WARP: u32 = 32;

impl<'a> Entry<'a> for Lowering<'a> {
    const OWN: &'static str = "ctx.";
    const PASSED: &'static [&'static str] = &["&ctx"];
    const ITEMS_IN_BLOCK: bool = true;
    const RETURNS: bool = false;
    const PASSES_ANSWERS: bool = false;
    const PLACE: [&'static str; 2] = ["lane_x", "lane_y"];
    const GRID_HEIGHT: &'static str = "grid_width == 0u ? 0u : rows / grid_width";
    const HAS_STRIDE: &'static str = "stride >= 1u";
    const FAULT_BITS: &'static str = "for (u32 fault_bit = 0u; fault_bit < 32u; ++fault_bit) {";
    const FAULT_WORDS: [&'static str; 3] = ["ctx.fault_words[0]", "ctx.fault_words[1]", "ctx.fault_words[2]"];

    fn open_entry(&self, out: &mut Writer, interface: Interface) {
        let dialect = self.options.dialect;
        let (size, name) = (self.workgroup_size, &self.entry);
        out.open(&match dialect {
            Dialect::Cuda => format!("extern \"C\" __global__ void __launch_bounds__({size}) {name}("),
            Dialect::OpenCl => {
                format!("__kernel __attribute__((reqd_work_group_size({size}, 1, 1))) void {name}(")
            }
        });
        let parameters = self.parameters(interface);
        for (at, parameter) in parameters.iter().enumerate() {
            let constant = if parameter.writable { "" } else { "const " };
            let ty = match parameter.role {
                ParameterRole::Launch if self.options.launch_in_buffer => "GLOBAL const imminent_launch *".to_owned(),
                ParameterRole::Launch if dialect == Dialect::Cuda => {
                    "const __grid_constant__ imminent_launch ".to_owned()
                }
                ParameterRole::Launch => "const imminent_launch ".to_owned(),
                ParameterRole::State => "GLOBAL u32 *".to_owned(),
                // What NVIDIA's OpenCL takes for memory that nobody writes: see `reads_what_it_writes`.
                _ if dialect == Dialect::OpenCl && !parameter.writable => "GLOBAL const u32 *".to_owned(),
                _ => format!("GLOBAL {constant}u32 *{}", dialect.restrict()),
            };
            let comma = if at + 1 < parameters.len() { "," } else { "" };
            out.line(&format!("{ty}{}{comma}", parameter.name));
        }
        out.between(") {");
    }

    fn declare_results(&self, out: &mut Writer, results: &Reductions) {
        let shared = self.options.dialect.shared();
        for slot in slots(results) {
            out.line(&format!("{shared} {} {}[{ROWS_PER_GROUP}];", slot.reduction.scalar, slot.results));
            if let Some(rows) = &slot.rows {
                out.line(&format!("{shared} u32 {rows}[{ROWS_PER_GROUP}];"));
            }
        }
    }

    fn setup(&mut self) -> Result<Vec<String>, LoweringError> {
        Ok(self.context_setup())
    }

    fn declare_group(&mut self, out: &mut Writer) {
        let shared = self.options.dialect.shared();
        let size = self.workgroup_size;
        if self.phases.uses_elements()
            && let Some(scratch) = &self.flat.scratch
        {
            let ty = self.type_name(scratch);
            out.line(&format!("{shared} {ty} scratch[{size}];"));
        }
        if self.counts_votes() {
            out.line(&format!("{shared} u32 group_votes[3];"));
        }
    }

    /// The condition is the same for all invocations of the group: the turn is passed on between launches alone.
    fn enter_group(&mut self, out: &mut Writer) {
        let runs = format!("group < groups && {}", self.in_turn());
        if !self.has_stages() {
            out.open(&format!("if ({runs}) {{"));
        }
        self.context_setup().iter().for_each(|line| out.line(line));
        if self.has_stages() {
            out.line(&format!("ctx.runs = {runs};"));
        }
        out.line(&format!("ctx.lane = {};", self.invocation()));
    }

    fn enter_again(&self, out: &mut Writer) -> bool {
        if self.has_stages() {
            out.open("if (ctx.runs) {");
        }
        self.has_stages()
    }

    fn prepare_group(&mut self, out: &mut Writer) -> Result<(), LoweringError> {
        let mut shares = false;
        if let Some(scratch) = &self.flat.scratch
            && (self.phases.uses_elements() || self.phases.own_elements())
        {
            let (ty, zero) = (self.type_name(scratch), self.zero(scratch));
            out.line(&format!("const {ty} nothing = {zero};"));
            if self.phases.own_elements() {
                out.line("ctx.own_element = nothing;");
            }
            if self.phases.uses_elements() {
                out.line("ctx.scratch = scratch;");
                out.line("scratch[ctx.lane] = nothing;");
                shares = true;
            }
        }
        if self.counts_votes() {
            out.line("ctx.group_turn = 0u;");
            out.line("ctx.group_votes = group_votes;");
            out.open("if (ctx.lane == 0u) {");
            out.line("group_votes[0] = 0u;");
            out.close("}");
            shares = true;
        }
        if self.phases.uniform_faults() {
            out.line("ctx.lane_fault = 0u;");
            out.line("ctx.fault = ctx.lane == 0u ? 0u : 0xffffffffu;");
        }
        if !self.kept.is_empty() {
            // The first invocation may store to the group's row when all have read it.
            out.line(self.options.dialect.barrier_of_tables());
        } else if shares {
            out.line(self.options.dialect.barrier());
        }
        Ok(())
    }

    fn launch_word(&self, word: u32) -> String {
        format!("launch{}w[{word}]", if self.options.launch_in_buffer { "->" } else { "." })
    }

    fn in_turn(&self) -> String {
        let turn = self.launch_word(TURN_WORD);
        format!("({turn} == {EVERY_TURN:#x}u || state[0] == {turn})")
    }

    fn invocation(&self) -> &'static str {
        self.options.dialect.invocation()
    }

    fn group(&self) -> &'static str {
        self.options.dialect.group()
    }

    fn first_group(&self) -> (&'static str, &'static str) {
        (self.group(), self.group())
    }

    fn workgroups(&self) -> &'static str {
        self.options.dialect.groups()
    }

    fn named(scalar: Scalar, name: &str, value: &str) -> String {
        format!("const {scalar} {name} = {value};")
    }

    fn variable(name: &str, value: &str) -> String {
        format!("u32 {name} = {value};")
    }

    fn counting(name: &str, start: &str, condition: &str, step: &str) -> String {
        format!("for (u32 {name} = {start}; {condition}; {step}) {{")
    }

    fn next(name: &str) -> String {
        format!("++{name}")
    }

    fn word_of(condition: &str) -> String {
        format!("({condition} ? 1u : 0u)")
    }

    fn least(a: &str, b: &str) -> Code {
        Code::at(Level::Choice, format!("{a} < {b} ? {a} : {b}"))
    }

    fn wide(word: &str) -> String {
        format!("(u64){word}")
    }

    fn atomic_min(&self) -> &'static str {
        self.options.dialect.atomic_min()
    }

    fn replaces(is_float: bool, less: &Code, equal: &Code) -> String {
        let (less, equal) = (&less.text, &equal.text);
        if is_float {
            format!(
                "(a_nan && !b_nan) || (!b_nan && {less}) || ((a_nan == b_nan) && (a_nan || {equal}) && b_row < a_row)"
            )
        } else {
            format!("{less} || ({equal} && b_row < a_row)")
        }
    }

    fn warp(&self) -> Option<Warp> {
        let has_warps = self.options.dialect == Dialect::Cuda && self.workgroup_size >= WARP;
        has_warps.then_some(Warp { size: WARP, barrier: "__syncwarp();" })
    }
}
