//! Statements as text.

use super::accesses::Direction;
use super::body::{FunctionLowering, Mode};
use super::code::{Code, Level};
use super::dialect::{Contribution, Dialect};
use super::facts::{is_safe_divisor, number};
use crate::LoweringError;
use imminent_ir::flatten::{PlaceType, Scope};
use imminent_ir::{Base, Block, Expr, ExprKind, LocalId, Place, Scalar, SiteId, Stmt, StmtKind, TallyOp, Type, WordOp};

impl<'a, L: Dialect<'a>> FunctionLowering<'_, 'a, L> {
    /// The statements of a block, up to the first that leaves it.
    pub(super) fn statements(&mut self, block: &Block) -> Result<(), LoweringError> {
        for stmt in block {
            self.line = stmt.line;
            self.stmt(stmt)?;
            if matches!(stmt.kind, StmtKind::Break | StmtKind::Continue | StmtKind::Return(_)) {
                break;
            }
        }
        Ok(())
    }

    pub(crate) fn stmt(&mut self, stmt: &Stmt) -> Result<(), LoweringError> {
        self.note(&stmt.kind)?;
        match &stmt.kind {
            StmtKind::Let(local, Some(value)) => {
                let value = self.expr(value)?;
                self.declare_as(*local, &value)
            }
            StmtKind::Let(local, None) => self.declare_zero(*local).map(|_| ()),
            StmtKind::Assign(place, value) => {
                let ty = value.ty.clone();
                let value = self.value_for(self.is_of_group(place), value)?;
                let text = self.store(place, &ty, &L::argument(&value), None)?;
                self.emit(&text);
                Ok(())
            }
            StmtKind::Store(place, value, site) => self.checked_store(place, value, *site),
            StmtKind::Load(into, place, site) => self.checked_load(*into, place, *site),
            StmtKind::Divide(into, a, b, site) => self.divide(*into, a, b, *site, "div", "/"),
            StmtKind::Remainder(into, a, b, site) => self.divide(*into, a, b, *site, "rem", "%"),
            StmtKind::HistoryGet { .. } | StmtKind::HistorySet { .. } => Err(self.ill("a history in a flat kernel")),
            StmtKind::BindRow { local, rows, index, site } => {
                let binding = self.binding(*rows)?;
                let index = self.expr(index)?;
                let rows = self.rows(binding);
                let row = self.invoke("bind_row", &[&index.text, &rows, &number(*site)]);
                self.declare(*local, &row)
            }
            StmtKind::LaneGet { into, lanes, index, site } => {
                let ty = self.lane_type(lanes)?;
                let lane = self.variable(index, "lane")?;
                let name = self.declare_zero(*into)?;
                let load = self.lane_access(Direction::Load, lanes, &lane, &ty)?;
                let capacity = self.lanes_capacity(lanes)?;
                let then = format!("{name} = {};", load.call(L::CONTEXT, None));
                self.guarded(&format!("{lane} < {capacity}"), &then, *site);
                Ok(())
            }
            StmtKind::LaneSet { lanes, index, value, site } => {
                let ty = self.lane_type(lanes)?;
                let lane = self.variable(index, "lane")?;
                let value = self.expr(value)?;
                let store = self.lane_access(Direction::Store, lanes, &lane, &ty)?;
                let capacity = self.lanes_capacity(lanes)?;
                let binding = self.binding(lanes.base)?;
                let store = store.call(L::CONTEXT, Some(&L::argument(&value)));
                let store = self.once(binding, format!("{store};"));
                self.guarded(&format!("{lane} < {capacity}"), &store, *site);
                Ok(())
            }
            StmtKind::Tally { tally, op, slot, value, site } => self.tally(*tally, *op, slot, value, *site),
            StmtKind::Word { op, into, tally, slot, value, site } => {
                self.tally_word(*op, *into, *tally, slot, value.as_ref(), *site)
            }
            StmtKind::Assert(condition, site) => {
                let condition = self.expr(condition)?;
                self.open(&format!("if (!{}) {{", condition.operand()));
                self.raise(*site);
                self.w.close("}");
                Ok(())
            }
            StmtKind::Phase { into, vote, function, args } => self.phase(*into, *vote, *function, args),
            StmtKind::ScratchGet { into, index, site, .. } => self.scratch_get(*into, index, *site),
            StmtKind::ScratchOwn { into, .. } => self.declare(*into, &format!("{}own_element", L::SHARED)),
            StmtKind::ScratchSet { value, .. } => {
                let value = self.expr(value)?;
                self.emit(&format!("{}own_element = {};", L::SHARED, value.text));
                Ok(())
            }
            StmtKind::Call { into, function, args } => self.call(*into, *function, args),
            StmtKind::If(condition, then, other) => self.branch(condition, then, other),
            StmtKind::Loop(body) => self.endless_loop(body),
            StmtKind::While(condition, body) => {
                let condition = self.expr(condition)?;
                self.open(&format!("while ({}) {{", condition.text));
                self.block(body)?;
                self.w.close("}");
                Ok(())
            }
            StmtKind::For { var, start, end, inclusive, reverse, body } => {
                self.for_loop(*var, start, end, *inclusive, *reverse, body)
            }
            StmtKind::Break => {
                self.emit("break;");
                Ok(())
            }
            StmtKind::Continue => {
                self.emit("continue;");
                Ok(())
            }
            StmtKind::Return(None) => {
                self.emit("return;");
                Ok(())
            }
            StmtKind::Return(Some(value)) => {
                let value = self.expr(value)?;
                self.emit(&format!("return {};", value.text));
                Ok(())
            }
        }
    }

    /// Declares a local with a value.
    pub(crate) fn declare(&mut self, local: LocalId, value: &str) -> Result<(), LoweringError> {
        let mode = match self.mode(local) {
            Mode::Pointer => Mode::Const,
            mode => mode,
        };
        let name = self.name(local)?;
        self.declare_new(mode, &name, self.local_type(local)?, value);
        Ok(())
    }

    /// Declares a variable with a value.
    pub(crate) fn declare_new(&mut self, mode: Mode, name: &str, ty: &Type, value: &str) {
        let ty = self.low.type_name(ty);
        self.emit(&L::declaration(mode, name, &ty, value));
    }

    /// Declares a local with the value of an expression.
    pub(crate) fn declare_as(&mut self, local: LocalId, value: &Code) -> Result<(), LoweringError> {
        if value.constant && self.mode(local) == Mode::Const {
            self.known.insert(local);
        }
        self.declare(local, &value.text)
    }

    /// Declares a variable that is zero, and gives its name.
    pub(crate) fn declare_zero(&mut self, local: LocalId) -> Result<String, LoweringError> {
        let name = self.name(local)?;
        let text = self.low.zero_declaration(self.mode(local), &name, self.local_type(local)?);
        self.emit(&text);
        Ok(name)
    }

    /// `if (condition) { then } else { fault }`.
    pub(crate) fn guarded(&mut self, condition: &str, then: &str, site: SiteId) {
        self.open(&format!("if ({condition}) {{"));
        self.emit(then);
        self.w.between("} else {");
        self.raise(site);
        self.w.close("}");
    }

    pub(crate) fn raise(&mut self, site: SiteId) {
        let raise = self.invoke(L::RAISE, &[&number(site)]);
        self.emit(&format!("{raise};"));
    }

    /// A call of a helper function that needs what functions share.
    pub(crate) fn invoke(&mut self, helper: &str, args: &[&str]) -> String {
        let helper = self.low.helper(helper);
        let args: Vec<&str> = L::CONTEXT.iter().chain(args).copied().collect();
        format!("{helper}({})", args.join(", "))
    }

    /// The variable for the number of rows of a table or slots of a tally.
    pub(crate) fn rows(&mut self, binding: u32) -> String {
        format!("{}{}", L::SHARED, self.low.rows(binding))
    }

    /// The value of a `u32` expression in a variable that does not change until the end of the statement.
    pub(crate) fn variable(&mut self, expr: &Expr, wanted: &str) -> Result<String, LoweringError> {
        let code = self.expr(expr)?;
        self.in_variable(expr, code, wanted)
    }

    pub(crate) fn in_variable(&mut self, expr: &Expr, code: Code, wanted: &str) -> Result<String, LoweringError> {
        if let ExprKind::Load(Place { base: Base::Local(_), path }) = &expr.kind
            && path.is_empty()
            && expr.ty == Type::Scalar(Scalar::U32)
            && code.level == Level::Atom
        {
            return Ok(code.text);
        }
        Ok(self.new_word(wanted, &code.text))
    }

    pub(crate) fn new_word(&mut self, wanted: &str, value: &str) -> String {
        let name = self.temp(wanted);
        self.declare_new(Mode::Const, &name, &Type::Scalar(Scalar::U32), value);
        name
    }

    fn lane_type(&self, lanes: &Place) -> Result<Type, LoweringError> {
        match self.low.flat.place_type(self.function, lanes) {
            Some(PlaceType::Lanes(ty)) => Ok(ty),
            _ => Err(self.ill("lanes are expected")),
        }
    }

    fn divide(
        &mut self,
        into: LocalId,
        a: &Expr,
        b: &Expr,
        site: SiteId,
        verb: &str,
        symbol: &str,
    ) -> Result<(), LoweringError> {
        let scalar = self.scalar(&a.ty)?;
        let plain = is_safe_divisor(b) && self.low.has_division(scalar);
        let (a, b) = (self.expr(a)?, self.expr(b)?);
        if plain && !(L::EVALUATES && a.constant) {
            return self.declare(into, &format!("{} {symbol} {}", a.within(Level::Product), b.within(Level::Unary)));
        }
        let quotient = self.invoke(&format!("{verb}_{}", scalar.name()), &[&a.text, &b.text, &number(site)]);
        self.declare(into, &quotient)
    }

    fn branch(&mut self, condition: &Expr, then: &Block, other: &Block) -> Result<(), LoweringError> {
        let condition = self.expr(condition)?;
        self.open(&format!("if ({}) {{", condition.text));
        self.block(then)?;
        // `else if` chains stay flat where nothing has to be computed before the next condition.
        let mut rest = other;
        while let [Stmt { line, kind: StmtKind::If(condition, then, other) }] = rest.as_slice()
            && !self.keeps(rest)
        {
            self.line = *line;
            let condition = self.expr(condition)?;
            self.w.between(&format!("}} else if ({}) {{", condition.text));
            self.block(then)?;
            rest = other;
        }
        if !rest.is_empty() {
            self.w.between("} else {");
            self.block(rest)?;
        }
        self.w.close("}");
        Ok(())
    }

    fn tally(
        &mut self,
        tally: Base,
        op: TallyOp,
        slot: &Expr,
        value: &Expr,
        site: SiteId,
    ) -> Result<(), LoweringError> {
        let scalar = self.scalar(&value.ty)?;
        let binding = self.tally_binding(tally)?;
        let slot = self.variable(slot, "slot")?;
        // What the group contributes counts once.
        let for_group = self.function.scope == Scope::Group;
        let value = self.value_for(for_group, value)?;
        let in_range = format!("{slot} < {}", self.rows(binding));
        L::tally(self, Contribution { op, scalar, binding, slot, value, for_group, in_range, site })
    }

    fn tally_word(
        &mut self,
        op: WordOp,
        into: Option<LocalId>,
        tally: Base,
        slot: &Expr,
        value: Option<&Expr>,
        site: SiteId,
    ) -> Result<(), LoweringError> {
        if self.function.scope == Scope::Group {
            return Err(self.ill("a word of a tally between phases"));
        }
        let binding = self.tally_binding(tally)?;
        let slot = self.variable(slot, "slot")?;
        let value = match value {
            Some(value) => Some(self.expr(value)?.text),
            None => None,
        };
        let in_range = format!("{slot} < {}", self.rows(binding));
        let operation = self.low.word(op, binding, &slot, value.as_deref().unwrap_or_default());
        let then = match into {
            Some(into) => format!("{} = {operation};", self.declare_zero(into)?),
            None => format!("{operation};"),
        };
        self.guarded(&in_range, &then, site);
        Ok(())
    }
}
