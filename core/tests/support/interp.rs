//! Runs kernels of a module by walking their IR.

use super::groups::{Group, is_scratch};
use super::ops::{binary, builtin, cast, divide, index, truth, unary, word};
use super::rows::{Field, RowTree, as_value};
use imminent_core::ir::{
    Arg, Base, Block, Expr, ExprKind, FaultKind, FieldType, Function, FunctionId, LocalId, LocalKind, Module,
    ParamKind, Place, Scalar, SiteId, Step, Stmt, StmtKind, StructId, TallyOp, Type, Value,
};

/// What a parameter holds.
#[derive(Clone, Debug)]
pub(crate) enum Bound {
    Value(Value),
    Row {
        table: usize,
        row: usize,
    },
    Rows(usize),
    Lanes {
        table: usize,
        row: usize,
        field: usize,
    },
    Tally(usize),
    /// The own rows of a group's invocations, of a table.
    Each(usize),
    /// The scratch of the group.
    Scratch,
}

/// A table: its rows, then a zeroed row.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) of: StructId,
    pub(crate) rows: Vec<RowTree>,
}

/// The state of a launch.
#[derive(Debug)]
pub(crate) struct Machine<'m> {
    pub(crate) module: &'m Module,
    pub(crate) tables: Vec<Table>,
    pub(crate) tallies: Vec<Vec<Value>>,
    /// The first fault of the current invocation.
    pub(crate) fault: Option<SiteId>,
    /// Statements left before the run is given up.
    pub(crate) fuel: u64,
    /// The group being run, of a grouped kernel.
    pub(crate) group: Option<Group>,
}

enum Flow {
    Next,
    Break,
    Continue,
    Return(Option<Value>),
}

#[derive(Clone, Debug)]
enum Local {
    Undeclared,
    Value(Value),
    Row { table: usize, row: usize },
}

pub(super) struct Frame<'m> {
    function: &'m Function,
    pub(super) params: Vec<Bound>,
    locals: Vec<Local>,
}

/// The zero of a type.
pub(crate) fn zero(module: &Module, ty: &Type) -> Value {
    match ty {
        Type::Unit => panic!("no value"),
        Type::Enum(_) => Value::Enum(0),
        Type::Scalar(scalar) => match scalar {
            Scalar::Bool => Value::Bool(false),
            Scalar::U32 => Value::U32(0),
            Scalar::I32 => Value::I32(0),
            Scalar::U64 => Value::U64(0),
            Scalar::I64 => Value::I64(0),
            Scalar::F32 => Value::F32(0),
            Scalar::F64 => Value::F64(0),
        },
        Type::Array(element, count) => Value::Array(vec![zero(module, element); *count as usize]),
        Type::Struct(id) => Value::Struct(
            module.structs[id.index()]
                .fields
                .iter()
                .map(|field| match &field.ty {
                    FieldType::Value(ty) => zero(module, ty),
                    FieldType::Lanes(_) => panic!("lanes inside a value"),
                })
                .collect(),
        ),
    }
}

enum Get {
    Value(Value),
    OutOfRange,
}

impl<'m> Machine<'m> {
    fn raise(&mut self, site: SiteId, kind: FaultKind) {
        assert_eq!(self.module.sites[site.index()].kind, kind, "the site has another kind");
        if let Some(group) = &mut self.group {
            group.raise(site);
        }
        self.fault.get_or_insert(site);
    }

    /// Calls a function; gives its result and its parameters afterwards.
    pub(crate) fn call(&mut self, id: FunctionId, params: Vec<Bound>) -> (Option<Value>, Vec<Bound>) {
        let module = self.module;
        let function = &module.functions[id.index()];
        assert_eq!(function.params.len(), params.len());
        let locals = vec![Local::Undeclared; function.locals.len()];
        let mut frame = Frame { function, params, locals };
        let flow = self.block(&mut frame, &function.body);
        let result = match flow {
            Flow::Return(value) => value,
            Flow::Next => None,
            _ => panic!("break outside a loop"),
        };
        assert_eq!(
            result.is_some(),
            function.result != Type::Unit,
            "{} must return {:?}",
            function.name,
            function.result
        );
        (result, frame.params)
    }

    fn block(&mut self, frame: &mut Frame<'m>, block: &'m Block) -> Flow {
        for stmt in block {
            match self.stmt(frame, stmt) {
                Flow::Next => {}
                other => return other,
            }
        }
        Flow::Next
    }

    pub(super) fn declare(&self, frame: &mut Frame<'m>, local: LocalId, value: Value) {
        let LocalKind::Value(ty) = &frame.function.locals[local.index()].kind else { panic!("a row reference") };
        assert!(has_type(self.module, &value, ty), "{}: {value:?} is not {ty:?}", frame.function.name);
        frame.locals[local.index()] = Local::Value(value);
    }

    fn stmt(&mut self, frame: &mut Frame<'m>, stmt: &'m Stmt) -> Flow {
        self.fuel = self.fuel.checked_sub(1).expect("the interpreter ran out of fuel");
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                let value = match value {
                    Some(value) => self.eval(frame, value),
                    None => {
                        let LocalKind::Value(ty) = &frame.function.locals[local.index()].kind else {
                            panic!("a row reference")
                        };
                        zero(self.module, ty)
                    }
                };
                self.declare(frame, *local, value);
            }
            StmtKind::Assign(place, value) => {
                let value = self.eval(frame, value);
                assert!(self.write(frame, place, value), "an unchecked index is out of range");
            }
            StmtKind::Store(place, value, site) => {
                let value = self.eval(frame, value);
                if !self.write(frame, place, value) {
                    self.raise(*site, FaultKind::IndexOutOfRange);
                }
            }
            StmtKind::Load(local, place, site) => {
                let value = match self.read(frame, place) {
                    Get::Value(value) => value,
                    Get::OutOfRange => {
                        self.raise(*site, FaultKind::IndexOutOfRange);
                        let LocalKind::Value(ty) = &frame.function.locals[local.index()].kind else {
                            panic!("a row reference")
                        };
                        zero(self.module, ty)
                    }
                };
                self.declare(frame, *local, value);
            }
            StmtKind::Divide(local, a, b, site) | StmtKind::Remainder(local, a, b, site) => {
                let remainder = matches!(stmt.kind, StmtKind::Remainder(..));
                let (a, b) = (self.eval(frame, a), self.eval(frame, b));
                let value = divide(remainder, &a, &b).unwrap_or_else(|| {
                    self.raise(*site, if remainder { FaultKind::RemainderByZero } else { FaultKind::DivisionByZero });
                    let LocalKind::Value(ty) = &frame.function.locals[local.index()].kind else {
                        panic!("a row reference")
                    };
                    zero(self.module, ty)
                });
                self.declare(frame, *local, value);
            }
            StmtKind::BindRow { local, rows, index, site } => {
                let table = self.table(frame, *rows);
                let row = word(&self.eval(frame, index)) as usize;
                let last = self.tables[table].rows.len() - 1;
                if row >= last {
                    self.raise(*site, FaultKind::RowOutOfRange);
                }
                frame.locals[local.index()] = Local::Row { table, row: row.min(last) };
            }
            StmtKind::LaneGet { into, lanes, index, site } => {
                let index = word(&self.eval(frame, index)) as usize;
                let (table, row, field) = self.lanes(frame, lanes);
                let found = self.lane_slots(table, row, field).get(index).cloned();
                let value = found.unwrap_or_else(|| {
                    self.raise(*site, FaultKind::LaneOutOfRange);
                    let LocalKind::Value(ty) = &frame.function.locals[into.index()].kind else {
                        panic!("a row reference")
                    };
                    zero(self.module, ty)
                });
                self.declare(frame, *into, value);
            }
            StmtKind::LaneSet { lanes, index, value, site } => {
                let index = word(&self.eval(frame, index)) as usize;
                let value = self.eval(frame, value);
                let (table, row, field) = self.lanes(frame, lanes);
                match self.lane_slots(table, row, field).get_mut(index) {
                    Some(slot) => *slot = value,
                    None => self.raise(*site, FaultKind::LaneOutOfRange),
                }
            }
            StmtKind::Tally { tally, op, slot, value, site } => {
                let Base::Param(param) = tally else { panic!("not a tally") };
                let Bound::Tally(tally) = frame.params[param.index()] else { panic!("not a tally") };
                let slot = word(&self.eval(frame, slot)) as usize;
                let value = self.eval(frame, value);
                match self.tallies[tally].get_mut(slot) {
                    Some(cell) => *cell = tallied(*op, cell, &value),
                    None => self.raise(*site, FaultKind::TallyOutOfRange),
                }
            }
            StmtKind::Assert(condition, site) => {
                if !truth(&self.eval(frame, condition)) {
                    self.raise(*site, FaultKind::Assertion);
                }
            }
            StmtKind::Phase { into, vote, function, args } => {
                let vote = self.phase(frame, *vote, *function, args);
                if let Some(local) = into {
                    self.declare(frame, *local, vote.expect("a vote"));
                }
            }
            StmtKind::ScratchGet { into, scratch, index, site } => {
                is_scratch(frame, *scratch);
                let index = word(&self.eval(frame, index)) as usize;
                let found = self.group_mut().before.get(index).cloned();
                let value = found.unwrap_or_else(|| {
                    self.raise(*site, FaultKind::ScratchOutOfRange);
                    let LocalKind::Value(ty) = &frame.function.locals[into.index()].kind else {
                        panic!("a row reference")
                    };
                    zero(self.module, ty)
                });
                self.declare(frame, *into, value);
            }
            StmtKind::ScratchOwn { into, scratch } => {
                is_scratch(frame, *scratch);
                let value = self.group_mut().own().clone();
                self.declare(frame, *into, value);
            }
            StmtKind::ScratchSet { scratch, value } => {
                is_scratch(frame, *scratch);
                let value = self.eval(frame, value);
                *self.group_mut().own() = value;
            }
            StmtKind::Call { into, function, args } => self.call_stmt(frame, *into, *function, args),
            StmtKind::If(condition, then, otherwise) => {
                let taken = if truth(&self.eval(frame, condition)) { then } else { otherwise };
                return self.block(frame, taken);
            }
            StmtKind::Loop(body) => loop {
                match self.block(frame, body) {
                    Flow::Break => break,
                    Flow::Next | Flow::Continue => {}
                    leave @ Flow::Return(_) => return leave,
                }
                self.fuel = self.fuel.checked_sub(1).expect("the interpreter ran out of fuel");
            },
            StmtKind::While(condition, body) => {
                while truth(&self.eval(frame, condition)) {
                    match self.block(frame, body) {
                        Flow::Break => break,
                        Flow::Next | Flow::Continue => {}
                        leave @ Flow::Return(_) => return leave,
                    }
                    self.fuel = self.fuel.checked_sub(1).expect("the interpreter ran out of fuel");
                }
            }
            StmtKind::For { var, start, end, inclusive, reverse, body } => {
                let (start, end) = (self.eval(frame, start), self.eval(frame, end));
                for value in range(&start, &end, *inclusive, *reverse) {
                    self.declare(frame, *var, value);
                    match self.block(frame, body) {
                        Flow::Break => break,
                        Flow::Next | Flow::Continue => {}
                        leave @ Flow::Return(_) => return leave,
                    }
                }
            }
            StmtKind::Break => return Flow::Break,
            StmtKind::Continue => return Flow::Continue,
            StmtKind::Return(value) => {
                let value = value.as_ref().map(|value| self.eval(frame, value));
                return Flow::Return(value);
            }
        }
        Flow::Next
    }

    fn call_stmt(&mut self, frame: &mut Frame<'m>, into: Option<LocalId>, id: FunctionId, args: &'m [Arg]) {
        let module = self.module;
        let callee = &module.functions[id.index()];
        let mut bound = Vec::new();
        for (arg, param) in args.iter().zip(&callee.params) {
            bound.push(match arg {
                Arg::Value(value) => {
                    assert!(matches!(param.kind, ParamKind::Value(_)), "{}: {:?}", callee.name, param);
                    Bound::Value(self.eval(frame, value))
                }
                Arg::InOut(place) => {
                    assert!(
                        matches!(param.kind, ParamKind::InOut(_) | ParamKind::Row(..)),
                        "{}: {:?}",
                        callee.name,
                        param
                    );
                    match self.read(frame, place) {
                        Get::Value(value) => Bound::Value(value),
                        Get::OutOfRange => panic!("an unchecked index is out of range"),
                    }
                }
                Arg::Resource(place) => self.resource(frame, place, &param.kind),
            });
        }
        let (result, after) = self.call(id, bound);
        for ((arg, param), after) in args.iter().zip(&callee.params).zip(after) {
            if let (Arg::InOut(place), Bound::Value(value)) = (arg, after)
                && !matches!(param.kind, ParamKind::Row(_, false))
            {
                assert!(self.write(frame, place, value), "an unchecked index is out of range");
            }
        }
        match (into, result) {
            (Some(local), Some(value)) => self.declare(frame, local, value),
            (None, _) => {}
            (Some(_), None) => panic!("{} gives nothing", callee.name),
        }
    }

    pub(super) fn resource(&self, frame: &Frame<'m>, place: &Place, kind: &ParamKind) -> Bound {
        match kind {
            ParamKind::Lanes(..) => {
                let (table, row, field) = self.lanes(frame, place);
                Bound::Lanes { table, row, field }
            }
            _ => {
                assert!(place.path.is_empty());
                match place.base {
                    Base::Param(param) => frame.params[param.index()].clone(),
                    Base::Local(local) => match &frame.locals[local.index()] {
                        Local::Row { table, row } => Bound::Row { table: *table, row: *row },
                        other => panic!("not a row: {other:?}"),
                    },
                    other => panic!("not a resource: {other:?}"),
                }
            }
        }
    }

    fn table(&self, frame: &Frame<'m>, base: Base) -> usize {
        match base {
            Base::Param(param) => match frame.params[param.index()] {
                Bound::Rows(table) => table,
                ref other => panic!("not rows: {other:?}"),
            },
            other => panic!("not rows: {other:?}"),
        }
    }

    fn lanes(&self, frame: &Frame<'m>, place: &Place) -> (usize, usize, usize) {
        let (table, row) = match place.base {
            Base::Param(param) => match frame.params[param.index()] {
                Bound::Lanes { table, row, field } => {
                    assert!(place.path.is_empty());
                    return (table, row, field);
                }
                Bound::Row { table, row } => (table, row),
                ref other => panic!("no lanes: {other:?}"),
            },
            Base::Local(local) => match frame.locals[local.index()] {
                Local::Row { table, row } => (table, row),
                ref other => panic!("no lanes: {other:?}"),
            },
            other => panic!("no lanes: {other:?}"),
        };
        match place.path.as_slice() {
            [Step::Field(field)] => (table, row, *field as usize),
            other => panic!("no lanes: {other:?}"),
        }
    }

    fn lane_slots(&mut self, table: usize, row: usize, field: usize) -> &mut Vec<Value> {
        match &mut self.tables[table].rows[row].fields[field] {
            Field::Lanes(slots) => slots,
            Field::Value(_) => panic!("not lanes"),
        }
    }

    /// The steps of a place as positions; `None` where an index cannot be one.
    fn steps(&mut self, frame: &Frame<'m>, place: &Place) -> Option<Vec<usize>> {
        let mut steps = Vec::new();
        for step in &place.path {
            steps.push(match step {
                Step::Field(field) => Some(*field as usize),
                Step::Index(e) => index(&self.eval(frame, e)),
            });
        }
        steps.into_iter().collect()
    }

    fn read(&mut self, frame: &Frame<'m>, place: &Place) -> Get {
        let Some(steps) = self.steps(frame, place) else { return Get::OutOfRange };
        let row = |this: &Self, table: usize, row: usize| {
            let tree = &this.tables[table].rows[row];
            match steps.split_first() {
                None => (as_value(tree), 0),
                Some((field, _)) => match &tree.fields[*field] {
                    Field::Value(value) => (value.clone(), 1),
                    Field::Lanes(_) => panic!("lanes are not a value"),
                },
            }
        };
        let (mut value, from) = match place.base {
            Base::Param(param) => match &frame.params[param.index()] {
                Bound::Value(value) => (value.clone(), 0),
                Bound::Row { table, row: r } => row(self, *table, *r),
                other => panic!("not a value: {other:?}"),
            },
            Base::Local(local) => match &frame.locals[local.index()] {
                Local::Value(value) => (value.clone(), 0),
                Local::Row { table, row: r } => row(self, *table, *r),
                Local::Undeclared => panic!("{}: local {} is read before it is declared", frame.function.name, local.0),
            },
            Base::Const(id) => (self.module.consts[id.index()].value.clone(), 0),
            other => panic!("not a base here: {other:?}"),
        };
        for step in &steps[from..] {
            value = match value {
                Value::Struct(values) | Value::Array(values) => match values.into_iter().nth(*step) {
                    Some(value) => value,
                    None => return Get::OutOfRange,
                },
                other => panic!("{other:?} has no parts"),
            };
        }
        Get::Value(value)
    }

    /// `false` where an index is out of range.
    fn write(&mut self, frame: &mut Frame<'m>, place: &Place, new: Value) -> bool {
        let Some(steps) = self.steps(frame, place) else { return false };
        let mut rest = steps.as_slice();
        let mut slot = match place.base {
            Base::Param(param) => match &mut frame.params[param.index()] {
                Bound::Value(value) => {
                    let kind = &frame.function.params[param.index()].kind;
                    assert!(
                        matches!(kind, ParamKind::InOut(_) | ParamKind::Row(_, true)),
                        "a value parameter is read only"
                    );
                    value
                }
                Bound::Row { table, row } => {
                    assert!(
                        matches!(frame.function.params[param.index()].kind, ParamKind::Row(_, true)),
                        "a read-only row is written"
                    );
                    let tree = &mut self.tables[*table].rows[*row];
                    match steps.split_first() {
                        None => {
                            let Value::Struct(values) = new else { panic!("not a row") };
                            tree.fields = values.into_iter().map(Field::Value).collect();
                            return true;
                        }
                        Some((field, others)) => {
                            rest = others;
                            match &mut tree.fields[*field] {
                                Field::Value(value) => value,
                                Field::Lanes(_) => panic!("lanes are not assigned"),
                            }
                        }
                    }
                }
                other => panic!("not writable: {other:?}"),
            },
            Base::Local(local) => match &mut frame.locals[local.index()] {
                Local::Value(value) => value,
                other => panic!("not writable: {other:?}"),
            },
            other => panic!("not writable: {other:?}"),
        };
        for step in rest {
            slot = match slot {
                Value::Struct(values) | Value::Array(values) => match values.get_mut(*step) {
                    Some(slot) => slot,
                    None => return false,
                },
                other => panic!("{other:?} has no parts"),
            };
        }
        assert_eq!(std::mem::discriminant(slot), std::mem::discriminant(&new), "a value of another type is stored");
        *slot = new;
        true
    }

    pub(super) fn eval(&mut self, frame: &Frame<'m>, e: &Expr) -> Value {
        let value = match &e.kind {
            ExprKind::Literal(value) => value.clone(),
            ExprKind::Load(place) => match self.read(frame, place) {
                Get::Value(value) => value,
                Get::OutOfRange => panic!("an unchecked index is out of range"),
            },
            ExprKind::Unary(op, x) => unary(*op, &self.eval(frame, x)),
            ExprKind::Binary(op, a, b) => binary(*op, &self.eval(frame, a), &self.eval(frame, b)),
            ExprKind::Cast(x) => cast(&e.ty, &self.eval(frame, x)),
            ExprKind::Builtin(op, args) => {
                let args: Vec<Value> = args.iter().map(|arg| self.eval(frame, arg)).collect();
                builtin(*op, &e.ty, &args)
            }
            ExprKind::Struct(fields) => Value::Struct(fields.iter().map(|x| self.eval(frame, x)).collect()),
            ExprKind::Array(elements) => Value::Array(elements.iter().map(|x| self.eval(frame, x)).collect()),
            ExprKind::Repeat(x) => match &e.ty {
                Type::Array(_, count) => Value::Array(vec![self.eval(frame, x); *count as usize]),
                other => panic!("{other:?} is not an array"),
            },
            ExprKind::Select(c, a, b) => {
                let (c, a, b) = (self.eval(frame, c), self.eval(frame, a), self.eval(frame, b));
                if truth(&c) { a } else { b }
            }
            ExprKind::RowsLen(base) => Value::U32(self.tables[self.table(frame, *base)].rows.len() as u32 - 1),
            ExprKind::LanesCapacity(place) => {
                let (table, row, field) = self.lanes(frame, place);
                Value::U32(self.lane_slots(table, row, field).len() as u32)
            }
            ExprKind::TallyLen(Base::Param(param)) => match frame.params[param.index()] {
                Bound::Tally(tally) => Value::U32(self.tallies[tally].len() as u32),
                ref other => panic!("not a tally: {other:?}"),
            },
            ExprKind::Group(query) => Value::U32(self.group_mut().answer(*query)),
            ExprKind::TallyLen(other) => panic!("not a tally: {other:?}"),
        };
        assert!(has_type(self.module, &value, &e.ty), "{}: {value:?} is not of type {:?}", frame.function.name, e.ty);
        value
    }
}

fn has_type(module: &Module, value: &Value, ty: &Type) -> bool {
    match (value, ty) {
        (Value::Bool(_), Type::Scalar(Scalar::Bool))
        | (Value::U32(_), Type::Scalar(Scalar::U32))
        | (Value::I32(_), Type::Scalar(Scalar::I32))
        | (Value::U64(_), Type::Scalar(Scalar::U64))
        | (Value::I64(_), Type::Scalar(Scalar::I64))
        | (Value::F32(_), Type::Scalar(Scalar::F32))
        | (Value::F64(_), Type::Scalar(Scalar::F64))
        | (Value::Enum(_), Type::Enum(_)) => true,
        (Value::Array(values), Type::Array(element, count)) => {
            values.len() == *count as usize && values.iter().all(|v| has_type(module, v, element))
        }
        (Value::Struct(values), Type::Struct(id)) => {
            let fields = &module.structs[id.index()].fields;
            values.len() == fields.len()
                && values.iter().zip(fields).all(|(v, field)| match &field.ty {
                    FieldType::Value(ty) => has_type(module, v, ty),
                    FieldType::Lanes(_) => false,
                })
        }
        _ => false,
    }
}

fn tallied(op: TallyOp, cell: &Value, value: &Value) -> Value {
    use imminent_core::ir::BinaryOp;
    let ty = Type::Scalar(Scalar::U32);
    match op {
        TallyOp::Add => binary(BinaryOp::Add, cell, value),
        TallyOp::Or => binary(BinaryOp::BitOr, cell, value),
        TallyOp::And => binary(BinaryOp::BitAnd, cell, value),
        TallyOp::Min => builtin(imminent_core::ir::Builtin::Min, &ty, &[cell.clone(), value.clone()]),
        TallyOp::Max => builtin(imminent_core::ir::Builtin::Max, &ty, &[cell.clone(), value.clone()]),
    }
}

fn range(start: &Value, end: &Value, inclusive: bool, reverse: bool) -> Vec<Value> {
    macro_rules! of {
        ($variant:ident, $a:expr, $b:expr) => {{
            let (a, b) = (*$a, *$b);
            let limit = 100_000;
            let mut values: Vec<Value> = if inclusive {
                (a..=b).take(limit).map(Value::$variant).collect()
            } else {
                (a..b).take(limit).map(Value::$variant).collect()
            };
            assert!(values.len() < limit, "a loop of the tests is too long");
            if reverse {
                values.reverse();
            }
            values
        }};
    }
    match (start, end) {
        (Value::U32(a), Value::U32(b)) => of!(U32, a, b),
        (Value::I32(a), Value::I32(b)) => of!(I32, a, b),
        (Value::U64(a), Value::U64(b)) => of!(U64, a, b),
        (Value::I64(a), Value::I64(b)) => of!(I64, a, b),
        other => panic!("not a range: {other:?}"),
    }
}
