//! The forms of statements in C.
//!
//! Functions share what they need by one struct, the context, which each is passed as its first argument.

use super::state::{ConstForm, FunctionLowering, Lowering};
use super::tally;
use crate::LoweringError;
use crate::walk::{Accessors, Code, Contribution, Dialect, Level, Mode, Types, printable};
use imminent_ir::{ConstId, GroupQuery, LocalId, Type, Vote, WordOp};

impl<'a> Dialect<'a> for Lowering<'a> {
    const SHARED: &'static str = "ctx->";
    const CONTEXT: &'static [&'static str] = &["ctx"];
    const RAISE: &'static str = "raise_fault";
    const EVALUATES: bool = false;
    const POINTS_INTO_VARIABLES: bool = true;
    const VOTES_NEED_BARRIER: bool = false;
    const READS_FOR_ALL: bool = false;
    const INDEX_TEST: Level = Level::Atom;
    const INDEXES_VARIABLES: bool = false;

    fn argument(code: &Code) -> String {
        code.text.clone()
    }

    /// A backslash at the end of a line would join the next one to the comment.
    fn comment(text: &str) -> String {
        printable(text).replace('\\', "/")
    }

    fn declaration(mode: Mode, name: &str, ty: &str, value: &str) -> String {
        match mode {
            Mode::Ahead => format!("{name} = {value};"),
            Mode::Var => format!("{ty} {name} = {value};"),
            Mode::Const | Mode::Pointer => format!("const {ty} {name} = {value};"),
        }
    }

    fn agreement(name: &str, value: bool) -> String {
        format!("bool {name} = {value};")
    }

    fn zero_declaration(&mut self, mode: Mode, name: &str, ty: &Type) -> String {
        match (mode, ty) {
            (Mode::Ahead, Type::Struct(_) | Type::Array(..)) => {
                format!("{name} = {};", self.options.dialect.composite(&self.type_name(ty), "0"))
            }
            (Mode::Ahead, _) => format!("{name} = {};", self.zero(ty)),
            _ => format!("{} {name} = {};", self.type_name(ty), self.zero(ty)),
        }
    }

    fn asked(&self, _: usize) -> &[&'static str] {
        &[]
    }

    fn line_directives(&self) -> bool {
        self.options.line_directives
    }

    fn signature(f: &mut FunctionLowering<'_, 'a>, number: usize) -> Result<(), LoweringError> {
        let mut params = vec!["imminent_context *ctx".to_owned()];
        for param in &f.function.params {
            let name = f.name(param.local)?;
            let ty = f.low.type_name(f.local_type(param.local)?);
            params.push(match f.mode(param.local) {
                Mode::Pointer => format!("{ty} *{name}"),
                Mode::Const | Mode::Var | Mode::Ahead => format!("{ty} {name}"),
            });
        }
        let result = f.low.type_name(&f.function.result);
        let name = f.low.functions.get(number).cloned().unwrap_or_default();
        let separate = f.low.separate.get(number).copied().unwrap_or_default();
        let before = if separate { f.low.options.dialect.separate_function() } else { "DEVICE" };
        f.open(&format!("{before} {result} {name}({}) {{", params.join(", ")));
        Ok(())
    }

    fn return_zero(f: &mut FunctionLowering<'_, 'a>) {
        let zero = f.temp("zero");
        let text = f.low.zero_declaration(Mode::Var, &zero, &f.function.result);
        f.w.line(&text);
        f.w.line(&format!("return {zero};"));
    }

    fn constant(f: &mut FunctionLowering<'_, 'a>, id: ConstId) -> Result<(String, bool), LoweringError> {
        match f.low.consts.get(&id) {
            Some((name, ConstForm::Data)) => Ok((name.clone(), false)),
            Some((name, ConstForm::Function)) => Ok((format!("{name}()"), false)),
            None => Err(f.ill("a constant that is not among those used")),
        }
    }

    fn pointee(pointer: &str) -> String {
        format!("{pointer}->")
    }

    fn member(path: &mut String, name: &str) {
        if !path.ends_with("->") {
            path.push('.');
        }
        path.push_str(name);
    }

    fn element(path: &mut String, index: Result<u32, String>, count: u32) {
        Self::member(path, "at");
        let index = index.map_or_else(|name| name, |at| at.min(count.saturating_sub(1)).to_string());
        path.push_str(&format!("[{index}]"));
    }

    fn tally(f: &mut FunctionLowering<'_, 'a>, what: Contribution) -> Result<(), LoweringError> {
        f.contribute(what)
    }

    fn word(&mut self, op: WordOp, binding: u32, slot: &str, value: &str) -> String {
        tally::word(self.options.dialect, op, &self.buffer_name(binding, None), slot, value)
    }

    fn lend(&mut self, ty: &Type, pointer: &str) -> Option<String> {
        let is_cuda = self.options.dialect == super::options::Dialect::Cuda;
        (is_cuda && self.has_array(ty)).then(|| format!("{}({pointer});", self.helper("lend")))
    }

    fn query(f: &mut FunctionLowering<'_, 'a>, query: GroupQuery) -> Code {
        let field = match query {
            GroupQuery::Size => return Code::atom(format!("{}u", f.low.flat.shape.size())),
            GroupQuery::Lane => return Code::atom("ctx->lane"),
            GroupQuery::Row => return Code::atom("ctx->lane_row"),
            GroupQuery::X => "lane_x",
            GroupQuery::Y => "lane_y",
            GroupQuery::Index => "group_index",
            GroupQuery::Len => "group_len",
        };
        f.low.queries.insert(field);
        Code::atom(format!("ctx->{field}"))
    }

    fn body(f: &mut FunctionLowering<'_, 'a>) -> Result<(), LoweringError> {
        if f.low.has_stages() { f.staged_body() } else { f.whole() }
    }

    fn vote(f: &mut FunctionLowering<'_, 'a>, into: LocalId, vote: Vote, agrees: &str) -> Result<(), LoweringError> {
        let counted = if f.low.has_stages() {
            let cast =
                f.invoke("cast_vote", &[&if vote == Vote::All { format!("!{agrees}") } else { agrees.to_owned() }]);
            f.emit(&format!("{cast};"));
            f.next_stage();
            let votes = f.invoke("counted_votes", &[]);
            match vote {
                Vote::Any => format!("{votes} != 0u"),
                Vote::All => format!("{votes} == 0u"),
                Vote::Count => votes,
            }
        } else {
            let helper = match vote {
                Vote::Any => "vote_any",
                Vote::All => "vote_all",
                Vote::Count => "vote_count",
            };
            f.invoke(helper, &[agrees])
        };
        f.declare(into, &counted)
    }

    fn wait(f: &mut FunctionLowering<'_, 'a>) {
        if f.low.has_stages() {
            f.next_stage();
        } else {
            f.emit(f.low.options.dialect.barrier());
        }
    }

    fn barrier(&self) -> &'static str {
        self.options.dialect.barrier()
    }

    fn share_element(&mut self) -> String {
        "ctx->scratch[ctx->lane] = ctx->own_element;".to_owned()
    }

    fn scratch_element(_: &mut FunctionLowering<'_, 'a>, index: Result<u32, &str>) -> String {
        format!("ctx->scratch[{}]", index.map_or_else(str::to_owned, |at| at.to_string()))
    }
}
