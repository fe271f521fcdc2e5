//! The body of a grouped kernel in OpenCL: stages, and one barrier that no condition holds.
//!
//! PoCL 3.1 compiles barriers within conditions wrongly, a condition around the whole kernel included: it runs what
//! stands before the barrier for other invocations than what stands behind it. So the body is a loop that all
//! invocations run equally often, with a barrier at its end. What stands between two barriers is a stage, a case of a
//! `switch` within the loop, which says which stage is next. Stage 0 ends the loop. A group begins with it if it does
//! not run, or if the body is all under one condition, which does not hold. Statements without a barrier stay as they
//! are within their stage.
//!
//! Locals that a later stage may read are declared before the loop, and begin with zero: if a local without a value
//! before the loop is loaded in one stage, NVIDIA's assembler (driver 580, ptxas 13.0) takes what is stored to the same
//! address in a later stage for it. Zeros of structs and arrays are stores to memory, so groups that begin with stage 0
//! leave them out.
//!
//! In CUDA barriers stay where they are: hardware waits by itself, and its compilers see a kernel's own loops.

use super::crossing::{crossing, waits};
use super::options::Dialect;
use super::state::{FunctionLowering, Lowering, Stages};
use crate::LoweringError;
use crate::walk::{Code, Dialect as _, Level, Mode, Types as _, infix};
use imminent_ir::{BinaryOp, Block, Expr, LocalId, Stmt, StmtKind, Type};

/// The stage after which the body ends.
const END: u32 = 0;

/// The type of a stage's number. Where LLVM knows the numbers, it makes branches from stage to stage of the `switch`,
/// and PoCL 5.0 ends the process on the loops that come of it.
pub(super) const STAGE: &str = "
#ifdef POCL_DEVICE_ADDRESS_BITS
#define STAGE volatile u32
#else
#define STAGE u32
#endif";

impl Lowering<'_> {
    /// Returns `true` if the kernel's body is written in stages.
    pub(super) fn has_stages(&self) -> bool {
        self.flat.shape.is_grouped() && self.options.dialect == Dialect::OpenCl
    }

    fn new_stage(&mut self) -> u32 {
        self.stages.count += 1;
        self.stages.count
    }
}

impl<'a> FunctionLowering<'_, 'a> {
    /// Writes the body of the function in stages.
    pub(super) fn staged_body(&mut self) -> Result<(), LoweringError> {
        let function = self.function;
        let mut zeros = Vec::new();
        for ((id, local), crosses) in (0..).map(LocalId).zip(&function.locals).zip(crossing(self.low.flat, function)) {
            if !crosses || local.ty == Type::Unit || function.params.iter().any(|param| param.local == id) {
                continue;
            }
            let name = self.name(id)?;
            let line = if matches!(local.ty, Type::Struct(_) | Type::Array(..)) {
                zeros.push(self.low.zero_declaration(Mode::Ahead, &name, &local.ty));
                format!("{} {name};", self.low.type_name(&local.ty))
            } else {
                self.low.zero_declaration(Mode::Var, &name, &local.ty)
            };
            self.w.line(&line);
            self.declare_ahead(id);
        }
        let result = (function.result != Type::Unit).then(|| self.temp("result"));
        if let Some(result) = &result {
            let line = self.low.zero_declaration(Mode::Var, result, &function.result);
            self.w.line(&line);
        }
        let next = self.temp("stage");
        let mut runs = Code::atom("ctx->runs");
        let mut body = &function.body;
        while let Some((line, condition, then)) = conditional(body) {
            self.line = line;
            let condition = self.expr(condition)?;
            runs = infix("&&", Level::Logic, &runs, &condition);
            body = then;
        }
        self.emit(&format!("STAGE {next} = {} ? 1u : {END}u;", runs.text));
        if !zeros.is_empty() {
            self.w.open(&format!("if ({next} != {END}u) {{"));
            zeros.iter().for_each(|zero| self.w.line(zero));
            self.w.close("}");
        }
        self.low.stages = Stages { next: next.clone(), result: result.clone(), ..Stages::default() };
        let loops = self.w.inner();
        let declarations = std::mem::replace(&mut self.w, loops);
        self.w.open("do {");
        self.w.open(&format!("switch ({next}) {{"));
        let first = self.low.new_stage();
        self.begin(first);
        if self.staged(body)? {
            self.go(END);
        }
        self.w.close("}");
        self.w.close("}");
        self.w.line(self.low.barrier());
        self.w.close(&format!("}} while ({next} != {END}u);"));
        if let Some(result) = &result {
            self.w.line(&format!("return {result};"));
        }
        let loops = std::mem::replace(&mut self.w, declarations);
        for (name, scalar) in std::mem::take(&mut self.low.stages.bounds) {
            let line = self.low.zero_declaration(Mode::Var, &name, &scalar.into());
            self.w.line(&line);
        }
        self.w.append(loops);
        Ok(())
    }

    /// Waits for the group: the rest is another stage.
    pub(super) fn next_stage(&mut self) {
        let next = self.low.new_stage();
        self.go(next);
        self.fall_into(next);
    }

    /// Goes on with another stage, after the barrier.
    fn go(&mut self, stage: u32) {
        let next = self.low.stages.next.clone();
        self.emit(&format!("{next} = {stage}u;"));
        self.emit("break;");
    }

    /// Goes on with another stage unless a condition holds.
    fn go_unless(&mut self, condition: &Code, stage: u32) {
        self.open(&format!("if (!{}) {{", condition.operand()));
        self.go(stage);
        self.w.close("}");
    }

    fn begin(&mut self, stage: u32) {
        self.w.open(&format!("case {stage}u: {{"));
    }

    /// Ends a stage, and begins another. One that has not gone elsewhere falls into it, without a barrier.
    fn fall_into(&mut self, stage: u32) {
        self.w.close("}");
        self.begin(stage);
    }

    /// Writes the statements of a block, up to the first that leaves it. Returns `true` if none does.
    fn staged(&mut self, block: &Block) -> Result<bool, LoweringError> {
        for stmt in block {
            self.line = stmt.line;
            match &stmt.kind {
                StmtKind::Return(value) => {
                    let value = value.as_ref().map(|value| self.expr(value)).transpose()?;
                    if let (Some(result), Some(value)) = (self.low.stages.result.clone(), value) {
                        self.emit(&format!("{result} = {};", value.text));
                    }
                    self.go(END);
                    return Ok(false);
                }
                kind @ (StmtKind::Break | StmtKind::Continue) => {
                    let Some([after, again]) = self.low.stages.loops.last().copied() else {
                        return Err(self.ill("a `break` or `continue` outside a loop"));
                    };
                    self.go(if matches!(kind, StmtKind::Break) { after } else { again });
                    return Ok(false);
                }
                StmtKind::If(condition, then, other) if waits(self.low.flat, stmt) => {
                    self.staged_if(condition, then, other)?
                }
                StmtKind::If(condition, then, other) if jumps(then) || jumps(other) => {
                    let condition = self.expr(condition)?;
                    self.open(&format!("if ({}) {{", condition.text));
                    self.staged(then)?;
                    if !other.is_empty() {
                        self.w.between("} else {");
                        self.staged(other)?;
                    }
                    self.w.close("}");
                }
                StmtKind::Loop(body) if waits(self.low.flat, stmt) => self.staged_loop(None, body)?,
                StmtKind::While(condition, body) if waits(self.low.flat, stmt) => {
                    self.staged_loop(Some(condition), body)?
                }
                StmtKind::For { var, start, end, inclusive, reverse, body } if waits(self.low.flat, stmt) => {
                    match (inclusive, reverse) {
                        (false, false) => self.staged_up(*var, start, end, body)?,
                        (false, true) => self.staged_down(*var, start, end, body)?,
                        (true, false) => self.staged_through(*var, [start, end], BinaryOp::Le, body)?,
                        (true, true) => self.staged_through(*var, [end, start], BinaryOp::Ge, body)?,
                    }
                }
                _ => self.stmt(stmt)?,
            }
        }
        Ok(true)
    }

    fn staged_if(&mut self, condition: &Expr, then: &Block, other: &Block) -> Result<(), LoweringError> {
        let condition = self.expr(condition)?;
        let otherwise = self.low.new_stage();
        self.go_unless(&condition, otherwise);
        let goes_on = self.staged(then)?;
        if other.is_empty() {
            self.fall_into(otherwise);
            return Ok(());
        }
        let after = self.low.new_stage();
        if goes_on {
            self.go(after);
        }
        self.fall_into(otherwise);
        self.staged(other)?;
        self.fall_into(after);
        Ok(())
    }

    /// `loop` and `while`.
    fn staged_loop(&mut self, condition: Option<&Expr>, body: &Block) -> Result<(), LoweringError> {
        let [again, after] = [(); 2].map(|()| self.low.new_stage());
        self.fall_into(again);
        if let Some(condition) = condition {
            let condition = self.expr(condition)?;
            self.go_unless(&condition, after);
        }
        self.rounds([after, again], body)?;
        self.go(again);
        self.fall_into(after);
        Ok(())
    }

    /// The body of a loop, up to the stage to which `continue` leads.
    fn rounds(&mut self, loops: [u32; 2], body: &Block) -> Result<bool, LoweringError> {
        self.low.stages.loops.push(loops);
        let goes_on = self.staged(body);
        self.low.stages.loops.pop();
        goes_on
    }

    /// `for var in start..end`.
    fn staged_up(&mut self, var: LocalId, start: &Expr, end: &Expr, body: &Block) -> Result<(), LoweringError> {
        let name = self.name(var)?;
        let (end, start) = (self.bound_ahead(var, end, "end")?, self.expr(start)?);
        self.emit(&format!("{name} = {};", start.text));
        let [head, step, after] = [(); 3].map(|()| self.low.new_stage());
        self.fall_into(head);
        let own = Code::atom(name.clone());
        self.go_unless(&infix("<", Level::Relation, &own, &end), after);
        self.rounds([after, step], body)?;
        self.fall_into(step);
        self.emit(&format!("++{name};"));
        self.go(head);
        self.fall_into(after);
        Ok(())
    }

    /// `for var in (start..end).rev()`: a variable is counted down that is one above the loop's own.
    fn staged_down(&mut self, var: LocalId, start: &Expr, end: &Expr, body: &Block) -> Result<(), LoweringError> {
        let name = self.name(var)?;
        let (start, above) = (self.bound_ahead(var, start, "start")?, self.bound_ahead(var, end, "above")?);
        let [head, after] = [(); 2].map(|()| self.low.new_stage());
        self.fall_into(head);
        self.go_unless(&infix(">", Level::Relation, &above, &start), after);
        self.emit(&format!("{name} = --{};", above.text));
        self.rounds([after, head], body)?;
        self.go(head);
        self.fall_into(after);
        Ok(())
    }

    /// A range with both its ends, which is left after its last number: there may be no number past it.
    fn staged_through(
        &mut self,
        var: LocalId,
        [from, to]: [&Expr; 2],
        test: BinaryOp,
        body: &Block,
    ) -> Result<(), LoweringError> {
        let name = self.name(var)?;
        let (test, step) = if test == BinaryOp::Le { ("<=", "++") } else { (">=", "--") };
        let (last, from) = (self.bound_ahead(var, to, "last")?, self.expr(from)?);
        self.emit(&format!("{name} = {};", from.text));
        let own = Code::atom(name.clone());
        let [head, next, after] = [(); 3].map(|()| self.low.new_stage());
        self.go_unless(&infix(test, Level::Relation, &own, &last), after);
        self.fall_into(head);
        self.rounds([after, next], body)?;
        self.fall_into(next);
        self.go_unless(&infix("!=", Level::Relation, &own, &last), after);
        self.emit(&format!("{step}{name};"));
        self.go(head);
        self.fall_into(after);
        Ok(())
    }

    /// The bound of a loop, in a variable that all stages can read.
    fn bound_ahead(&mut self, var: LocalId, bound: &Expr, what: &str) -> Result<Code, LoweringError> {
        let scalar = self.scalar(self.local_type(var)?)?;
        let value = self.expr(bound)?;
        let name = self.temp(&format!("{}_{what}", self.name(var)?));
        self.low.stages.bounds.push((name.clone(), scalar));
        self.emit(&format!("{name} = {};", value.text));
        Ok(Code::atom(name))
    }
}

/// Returns the condition of a block that does nothing unless it holds, with its line, and the statements under it.
fn conditional(block: &Block) -> Option<(u32, &Expr, &Block)> {
    match block.as_slice() {
        [Stmt { line, kind: StmtKind::If(condition, then, other) }] if other.is_empty() => {
            Some((*line, condition, then))
        }
        _ => None,
    }
}

/// Returns `true` if a block without loops that return has a statement that leaves it.
fn jumps(block: &Block) -> bool {
    block.iter().any(|stmt| match &stmt.kind {
        StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) => true,
        StmtKind::If(_, then, other) => jumps(then) || jumps(other),
        _ => false,
    })
}
