//! The forms of statements in WGSL.

use super::elements::To;
use super::ops;
use super::state::{ConstForm, FunctionLowering, Lowering};
use super::tally;
use crate::LoweringError;
use crate::walk::{Code, Contribution, Dialect, Level, Mode, Types, printable};
use imminent_ir::flatten::Scope;
use imminent_ir::{ConstId, GroupQuery, LocalId, Type, Vote, WordOp};

impl<'a> Dialect<'a> for Lowering<'a> {
    const SHARED: &'static str = "";
    const CONTEXT: &'static [&'static str] = &[];
    const RAISE: &'static str = "raise";
    const EVALUATES: bool = true;
    const POINTS_INTO_VARIABLES: bool = false;
    const VOTES_NEED_BARRIER: bool = true;
    const READS_FOR_ALL: bool = true;
    const INDEX_TEST: Level = Level::Relation;
    const INDEXES_VARIABLES: bool = true;

    fn argument(code: &Code) -> String {
        ops::argument(code)
    }

    fn comment(text: &str) -> String {
        printable(text)
    }

    fn declaration(mode: Mode, name: &str, ty: &str, value: &str) -> String {
        match mode {
            Mode::Ahead => format!("{name} = {value};"),
            Mode::Var => format!("var {name}: {ty} = {value};"),
            Mode::Const | Mode::Pointer => format!("let {name}: {ty} = {value};"),
        }
    }

    fn agreement(name: &str, value: bool) -> String {
        format!("var {name} = {value};")
    }

    fn zero_declaration(&mut self, mode: Mode, name: &str, ty: &Type) -> String {
        let ty = self.type_text(ty);
        if mode == Mode::Ahead { format!("{name} = {ty}();") } else { format!("var {name}: {ty};") }
    }

    fn asked(&self, function: usize) -> &[&'static str] {
        self.asked.get(function).map_or(&[], Vec::as_slice)
    }

    fn line_directives(&self) -> bool {
        false
    }

    /// Parameters cannot be assigned, so those that are have a variable besides.
    fn signature(f: &mut FunctionLowering<'_, 'a>, number: usize) -> Result<(), LoweringError> {
        let mut params = Vec::new();
        let mut copies = Vec::new();
        for param in &f.function.params {
            let name = f.name(param.local)?;
            let ty = f.low.type_text(f.local_type(param.local)?);
            params.push(match f.mode(param.local) {
                Mode::Pointer => format!("{name}: ptr<function, {ty}>"),
                Mode::Const | Mode::Ahead => format!("{name}: {ty}"),
                Mode::Var => {
                    let given = f.temp(&format!("{name}_in"));
                    copies.push(Self::declaration(Mode::Var, &name, &ty, &given));
                    format!("{given}: {ty}")
                }
            });
        }
        params.extend(f.low.asked(number).iter().map(|query| format!("{query}: u32")));
        let result = match &f.function.result {
            Type::Unit => String::new(),
            ty => format!(" -> {}", f.low.type_text(ty)),
        };
        let name = f.low.functions.get(number).cloned().unwrap_or_default();
        f.open(&format!("fn {name}({}){result} {{", params.join(", ")));
        copies.iter().for_each(|copy| f.w.line(copy));
        Ok(())
    }

    fn return_zero(f: &mut FunctionLowering<'_, 'a>) {
        let zero = format!("return {}();", f.low.type_text(&f.function.result));
        f.w.line(&zero);
    }

    /// Functions of a group take a copy of a private variable: what that holds is the invocation's own matter, as far
    /// as WGSL knows.
    fn constant(f: &mut FunctionLowering<'_, 'a>, id: ConstId) -> Result<(String, bool), LoweringError> {
        let (name, form) = match f.low.consts.get(&id) {
            Some((name, form)) => (name.clone(), *form),
            None => return Err(f.ill("a constant that is not among those used")),
        };
        if form == ConstForm::Const || f.function.scope != Scope::Group {
            return Ok((name, form == ConstForm::Const));
        }
        let Some(def) = f.low.flat.consts.get(id.index()) else { return Err(f.ill("a constant out of range")) };
        let value = f.low.literal(&def.value, &def.ty)?;
        let name = f.temp("constant");
        f.declare_new(Mode::Var, &name, &def.ty, &value.text);
        Ok((name, false))
    }

    fn pointee(pointer: &str) -> String {
        format!("(*{pointer})")
    }

    fn member(path: &mut String, name: &str) {
        path.push('.');
        path.push_str(name);
    }

    fn element(path: &mut String, index: Result<u32, String>, _: u32) {
        let index = index.map_or_else(|name| name, |at| format!("{at}u"));
        path.push_str(&format!("[{index}]"));
    }

    fn tally(f: &mut FunctionLowering<'_, 'a>, what: Contribution) -> Result<(), LoweringError> {
        f.contribute(what)
    }

    fn word(&mut self, op: WordOp, binding: u32, slot: &str, value: &str) -> String {
        let (buffer, index) = self.tally_at(binding, slot.to_owned());
        tally::word(op, &buffer, &index, value)
    }

    /// A private variable in phases, a parameter between them.
    fn query(f: &mut FunctionLowering<'_, 'a>, query: GroupQuery) -> Code {
        let name = match query {
            GroupQuery::Size => return Code::constant(format!("{}u", f.low.flat.shape.size())),
            GroupQuery::Lane => return Code::atom("lane"),
            GroupQuery::Row => return Code::atom("lane_row"),
            GroupQuery::X => "lane_x",
            GroupQuery::Y => "lane_y",
            GroupQuery::Index => "group_index",
            GroupQuery::Len => "group_len",
        };
        if f.function.scope == Scope::Row {
            f.low.queries.insert(name);
        }
        Code::atom(name)
    }

    /// The counter is cleared for the next vote before the barrier at the end of the phase.
    fn vote(f: &mut FunctionLowering<'_, 'a>, into: LocalId, vote: Vote, agrees: &str) -> Result<(), LoweringError> {
        let not = if vote == Vote::All { "!" } else { "" };
        f.open(&format!("if ({not}{agrees}) {{"));
        f.emit("atomicAdd(&group_votes, 1u);");
        f.w.close("}");
        let counted = "workgroupUniformLoad(&group_votes)";
        let value = match vote {
            Vote::Any => format!("{counted} != 0u"),
            Vote::All => format!("{counted} == 0u"),
            Vote::Count => counted.to_owned(),
        };
        f.declare(into, &value)?;
        f.open("if (lane == 0u) {");
        f.emit("atomicStore(&group_votes, 0u);");
        f.w.close("}");
        Ok(())
    }

    fn barrier(&self) -> &'static str {
        "workgroupBarrier();"
    }

    fn share_element(&mut self) -> String {
        let element = self.flat.scratch.clone().unwrap_or(Type::Unit);
        let value = self.converted(To::Shared, &element, "own_element");
        self.set_element(&value)
    }

    fn scratch_element(f: &mut FunctionLowering<'_, 'a>, index: Result<u32, &str>) -> String {
        let at = index.map_or_else(str::to_owned, |at| format!("{at}u"));
        let shared = match f.function.scope {
            Scope::Row => format!("scratch[{at}]"),
            Scope::Group => format!("workgroupUniformLoad(&scratch[{at}])"),
        };
        let element = f.low.flat.scratch.clone().unwrap_or(Type::Unit);
        f.low.converted(To::Own, &element, &shared)
    }
}
