//! Statements as text.

use super::WgslError;
use super::expr::{Code, Level};
use super::function::{FunctionLowering, Mode};
use super::memory::Way;
use super::place::constant_index;
use imminent_ir::flatten::PlaceType;
use imminent_ir::{Base, Block, Expr, ExprKind, LocalId, Place, Scalar, SiteId, Step, Stmt, StmtKind, Type, Value};

/// What checking the indices of a place came to.
struct Guard {
    /// The variables that hold the computed indices.
    indices: Vec<String>,
    /// What must hold; empty if nothing need be tested.
    condition: String,
    /// Whether a constant index is out of range.
    never: bool,
}

impl FunctionLowering<'_, '_> {
    /// The statements of a block, up to the first that leaves it.
    pub(super) fn block(&mut self, block: &Block) -> Result<(), WgslError> {
        for stmt in block {
            self.line = stmt.line;
            self.stmt(stmt)?;
            if matches!(stmt.kind, StmtKind::Break | StmtKind::Continue | StmtKind::Return(_)) {
                break;
            }
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), WgslError> {
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
                let text = self.store(place, &ty, &value.argument(), None)?;
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
                let rows = self.low.rows(binding);
                let helper = self.low.helper("bind_row");
                self.declare(*local, &format!("{helper}({}, {rows}, {})", index.text, number(*site)))
            }
            StmtKind::LaneGet { into, lanes, index, site } => {
                let ty = self.lane_type(lanes)?;
                let lane = self.variable(index, "lane")?;
                let name = self.declare_zero(*into)?;
                let (function, args) = self.lane_access(Way::Load, lanes, &lane, &ty)?;
                let capacity = self.lanes_capacity(lanes)?;
                let then = format!("{name} = {function}({args});");
                self.guarded(&format!("{lane} < {capacity}"), &then, *site);
                Ok(())
            }
            StmtKind::LaneSet { lanes, index, value, site } => {
                let ty = self.lane_type(lanes)?;
                let lane = self.variable(index, "lane")?;
                let value = self.expr(value)?;
                let (function, args) = self.lane_access(Way::Store, lanes, &lane, &ty)?;
                let capacity = self.lanes_capacity(lanes)?;
                let binding = self.binding(lanes.base)?;
                let store = self.once(binding, format!("{function}({args}, {});", value.argument()));
                self.guarded(&format!("{lane} < {capacity}"), &store, *site);
                Ok(())
            }
            StmtKind::Tally { tally, op, slot, value, site } => self.tally(*tally, *op, slot, value, *site),
            StmtKind::Assert(condition, site) => {
                let condition = self.expr(condition)?;
                self.open(&format!("if (!{}) {{", condition.operand()));
                self.raise(*site);
                self.w.close("}");
                Ok(())
            }
            StmtKind::Phase { into, vote, function, args } => self.phase(*into, *vote, *function, args),
            StmtKind::ScratchGet { into, index, site, .. } => self.scratch_get(*into, index, *site),
            StmtKind::ScratchOwn { into, .. } => self.declare(*into, "own_element"),
            StmtKind::ScratchSet { value, .. } => {
                let value = self.expr(value)?;
                self.emit(&format!("own_element = {};", value.text));
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
    pub(super) fn declare(&mut self, local: LocalId, value: &str) -> Result<(), WgslError> {
        let keyword = if self.mode(local) == Mode::Var { "var" } else { "let" };
        let ty = self.low.type_name(self.local_type(local)?);
        let name = self.name(local)?;
        self.emit(&format!("{keyword} {name}: {ty} = {value};"));
        Ok(())
    }

    /// Declares a local with the value of an expression.
    fn declare_as(&mut self, local: LocalId, value: &Code) -> Result<(), WgslError> {
        if value.constant {
            self.note_known(local);
        }
        self.declare(local, &value.text)
    }

    /// Declares a variable that is zero, and gives its name.
    pub(super) fn declare_zero(&mut self, local: LocalId) -> Result<String, WgslError> {
        let ty = self.low.type_name(self.local_type(local)?);
        let name = self.name(local)?;
        self.emit(&format!("var {name}: {ty};"));
        Ok(name)
    }

    /// `if (condition) { then } else { fault }`.
    pub(super) fn guarded(&mut self, condition: &str, then: &str, site: SiteId) {
        self.open(&format!("if ({condition}) {{"));
        self.emit(then);
        self.w.between("} else {");
        self.raise(site);
        self.w.close("}");
    }

    pub(super) fn raise(&mut self, site: SiteId) {
        let helper = self.low.helper("raise");
        self.emit(&format!("{helper}({});", number(site)));
    }

    /// The value of a `u32` expression in a variable that does not change until the end of the statement.
    pub(super) fn variable(&mut self, expr: &Expr, wanted: &str) -> Result<String, WgslError> {
        let code = self.expr(expr)?;
        self.in_variable(expr, code, wanted)
    }

    /// An index into an array, in a variable. Validators refuse a constant past the end, even where a test stands before it: so none is one.
    pub(super) fn index_variable(&mut self, index: &Expr, code: Code, wanted: &str) -> Result<String, WgslError> {
        let known = match &index.kind {
            ExprKind::Load(Place { base: Base::Local(local), path }) => path.is_empty() && self.is_known(*local),
            _ => false,
        };
        if !code.constant && !known {
            return self.in_variable(index, code, wanted);
        }
        let code = self.low.opaque(Scalar::U32, Code { constant: true, ..code });
        let name = self.temp(wanted);
        self.emit(&format!("let {name}: u32 = {};", code.text));
        Ok(name)
    }

    fn in_variable(&mut self, expr: &Expr, code: Code, wanted: &str) -> Result<String, WgslError> {
        if let ExprKind::Load(Place { base: Base::Local(_), path }) = &expr.kind
            && path.is_empty()
            && expr.ty == Type::Scalar(Scalar::U32)
            && !code.text.starts_with('*')
        {
            return Ok(code.text);
        }
        let name = self.temp(wanted);
        self.emit(&format!("let {name}: u32 = {};", code.text));
        Ok(name)
    }

    fn lane_type(&self, lanes: &Place) -> Result<Type, WgslError> {
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
    ) -> Result<(), WgslError> {
        let scalar = self.scalar(&a.ty)?;
        let plain = is_safe_divisor(b) && (scalar.words() == 1 || self.low.scalar_type(scalar) == scalar.name());
        let (a, b) = (self.expr(a)?, self.expr(b)?);
        if plain && !a.constant {
            return self.declare(into, &format!("{} {symbol} {}", a.within(Level::Product), b.within(Level::Unary)));
        }
        let helper = self.low.helper(&format!("{verb}_{}", scalar.name()));
        self.declare(into, &format!("{helper}({}, {}, {})", a.text, b.text, number(site)))
    }

    /// Checks the indices of a place, outermost first.
    fn guard(&mut self, place: &Place) -> Result<Guard, WgslError> {
        let mut guard = Guard { indices: Vec::new(), condition: String::new(), never: false };
        for (at, step) in place.path.iter().enumerate() {
            let Step::Index(index) = step else { continue };
            let array = Place { base: place.base, path: place.path[..at].to_vec() };
            let Type::Array(_, count) = self.value_type(&array)? else {
                return Err(self.ill("an index into something that is no array"));
            };
            if let Some(constant) = constant_index(index) {
                guard.never |= constant >= count;
                continue;
            }
            let code = self.index_u32(index)?;
            let name = self.index_variable(index, code, "index")?;
            if !guard.condition.is_empty() {
                guard.condition.push_str(" && ");
            }
            guard.condition.push_str(&format!("{name} < {count}u"));
            guard.indices.push(name);
        }
        Ok(guard)
    }

    fn checked_load(&mut self, into: LocalId, place: &Place, site: SiteId) -> Result<(), WgslError> {
        let ty = self.value_type(place)?;
        let guard = self.guard(place)?;
        if guard.never {
            self.declare_zero(into)?;
            self.raise(site);
            return Ok(());
        }
        let value = self.load(place, &ty, Some(&guard.indices))?;
        if guard.condition.is_empty() {
            return self.declare_as(into, &value);
        }
        let name = self.declare_zero(into)?;
        self.guarded(&guard.condition, &format!("{name} = {};", value.text), site);
        Ok(())
    }

    fn checked_store(&mut self, place: &Place, value: &Expr, site: SiteId) -> Result<(), WgslError> {
        let guard = self.guard(place)?;
        if guard.never {
            self.raise(site);
            return Ok(());
        }
        let code = self.value_for(self.is_of_group(place), value)?;
        let text = self.store(place, &value.ty, &code.argument(), Some(&guard.indices))?;
        if guard.condition.is_empty() {
            self.emit(&text);
        } else {
            self.guarded(&guard.condition, &text, site);
        }
        Ok(())
    }

    fn branch(&mut self, condition: &Expr, then: &Block, other: &Block) -> Result<(), WgslError> {
        let condition = self.expr(condition)?;
        self.open(&format!("if ({}) {{", condition.text));
        self.block(then)?;
        // `else if` chains stay flat where nothing has to be computed before the next condition.
        let mut rest = other;
        while let [Stmt { line, kind: StmtKind::If(condition, then, other) }] = rest.as_slice() {
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
}

/// The number of a fault site as `raise` takes it.
pub(super) fn number(site: SiteId) -> String {
    format!("{}u", site.0.saturating_add(1))
}

/// Whether dividing by it can neither fault nor overflow.
pub(super) fn is_safe_divisor(b: &Expr) -> bool {
    match b.kind {
        ExprKind::Literal(Value::U32(x)) => x != 0,
        ExprKind::Literal(Value::U64(x)) => x != 0,
        ExprKind::Literal(Value::I32(x)) => x != 0 && x != -1,
        ExprKind::Literal(Value::I64(x)) => x != 0 && x != -1,
        _ => false,
    }
}

/// Whether a validator sees that a block ends in `return`.
pub(super) fn always_returns(block: &Block) -> bool {
    for stmt in block {
        match &stmt.kind {
            StmtKind::Return(_) => return true,
            StmtKind::Break | StmtKind::Continue => return false,
            _ => {}
        }
    }
    match block.last().map(|stmt| &stmt.kind) {
        Some(StmtKind::If(_, then, other)) => always_returns(then) && always_returns(other),
        _ => false,
    }
}
