//! Intermediate representation of the kernels made at run time.

use imminent_ir::{
    Base, BinaryOp, Expr, ExprKind, FaultKind, FieldType, Function, FunctionId, Kernel, Local, LocalId, LocalKind,
    Module, Param, ParamId, ParamKind, Place, Scalar, Shape, Site, SiteId, Step, Stmt, StmtKind, Struct, StructId,
    StructRole, Type, VERSION, Value,
};

/// Words of a column, and `true` if it is one of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Field {
    pub(super) words: u32,
    pub(super) lane: bool,
}

/// Columns of a table: tables of one profile have one mirror.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Profile {
    pub(super) packed: bool,
    pub(super) fields: Vec<Field>,
}

/// Task of a made kernel. A `field` is a position among the mirror's; a lane's number is a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum What {
    /// Copies a column to a table of one column.
    Take { field: u32, lane: bool, words: u32 },
    /// Copies a table of one column to a column.
    Put { field: u32, lane: bool, words: u32 },
    /// Copies a table of one row and column to every row of a column.
    Fill { field: u32, lane: bool, words: u32 },
    /// Copies whole rows by their numbers.
    Gather { clear: bool },
}

impl What {
    pub(super) fn name(self) -> &'static str {
        match self {
            What::Take { .. } => "take_column",
            What::Put { .. } => "put_column",
            What::Fill { .. } => "fill_column",
            What::Gather { clear: true } => "gather_rows",
            What::Gather { clear: false } => "scatter_rows",
        }
    }
}

const FILE: &str = file!();
const MIRROR: StructId = StructId(0);
const OTHER: StructId = StructId(1);
const LANE: StructId = StructId(2);
/// Rows are compared with the table's length first, and lanes are looped over: no site is ever raised.
const ROW_SITE: SiteId = SiteId(0);
const LANE_SITE: SiteId = SiteId(1);

/// Builds a module with one kernel.
pub(super) fn module(profile: &Profile, what: What) -> Module {
    let words = match what {
        What::Take { words, .. } | What::Put { words, .. } | What::Fill { words, .. } => words,
        What::Gather { .. } => 1,
    };
    let mirror = profile.fields.iter().enumerate().map(|(i, field)| imminent_ir::Field {
        name: format!("c{i}"),
        ty: if field.lane {
            FieldType::Lanes(word(field.words).into())
        } else {
            FieldType::Value(word(field.words).into())
        },
    });
    let value =
        |name: &str, scalar: Scalar| imminent_ir::Field { name: name.to_owned(), ty: FieldType::Value(scalar.into()) };
    let structs = [
        ("Mirror", StructRole::Row, profile.packed, mirror.collect()),
        ("Word", StructRole::Row, false, vec![value("value", word(words))]),
        ("Lane", StructRole::Params, false, vec![value("lane", Scalar::U32)]),
    ];
    let mut body = Body::default();
    let statements = match what {
        What::Take { field, lane, words } => body.take(field, lane, words),
        What::Put { field, lane, words } => body.put(field, lane, words),
        What::Fill { field, lane, words } => body.fill(field, lane, words),
        What::Gather { clear } => body.gather(&profile.fields, clear),
    };
    let name = what.name().to_owned();
    let site = |kind| Site { kind, file: FILE.to_owned(), line: line!(), column: 1, text: String::new() };
    Module {
        version: VERSION,
        name: name.clone(),
        file: FILE.to_owned(),
        structs: structs
            .into_iter()
            .map(|(name, role, packed, fields)| {
                let (name, origin) = (name.to_owned(), FILE.to_owned());
                Struct { name, origin, role, packed, fields }
            })
            .collect(),
        enums: Vec::new(),
        consts: Vec::new(),
        functions: vec![Function {
            name: name.clone(),
            origin: FILE.to_owned(),
            file: FILE.to_owned(),
            line: line!(),
            params: params(what),
            result: Type::Unit,
            locals: body.locals,
            body: statements,
        }],
        kernels: vec![Kernel { name, function: FunctionId(0), reduce: Vec::new(), shape: Shape::Rows }],
        sites: vec![site(FaultKind::RowOutOfRange), site(FaultKind::LaneOutOfRange)],
    }
}

fn params(what: What) -> Vec<Param> {
    let param = |name: &str, kind| Param { name: name.to_owned(), kind };
    let lane = param("lane", ParamKind::Params(LANE));
    match what {
        What::Take { .. } => {
            vec![param("from", ParamKind::Row(MIRROR, false)), param("to", ParamKind::Row(OTHER, true)), lane]
        }
        What::Put { .. } => {
            vec![param("to", ParamKind::Row(MIRROR, true)), param("from", ParamKind::Row(OTHER, false)), lane]
        }
        What::Fill { .. } => {
            vec![param("to", ParamKind::Row(MIRROR, true)), param("value", ParamKind::Rows(OTHER)), lane]
        }
        What::Gather { .. } => vec![
            param("to", ParamKind::Row(MIRROR, true)),
            param("row", ParamKind::Row(OTHER, false)),
            param("from", ParamKind::Rows(MIRROR)),
        ],
    }
}

fn word(words: u32) -> Scalar {
    if words == 2 { Scalar::U64 } else { Scalar::U32 }
}

fn param(number: u32, field: u32) -> Place {
    Place { base: Base::Param(ParamId(number)), path: vec![Step::Field(field)] }
}

fn of_local(local: LocalId, field: u32) -> Place {
    Place { base: Base::Local(local), path: vec![Step::Field(field)] }
}

fn load(place: Place, scalar: Scalar) -> Expr {
    Expr { ty: scalar.into(), kind: ExprKind::Load(place) }
}

fn zero(scalar: Scalar) -> Expr {
    Expr::literal(if scalar == Scalar::U64 { Value::U64(0) } else { Value::U32(0) }, scalar)
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { line: line!(), kind }
}

/// Locals and statements built so far.
#[derive(Default)]
struct Body {
    locals: Vec<Local>,
}

impl Body {
    fn local(&mut self, kind: LocalKind) -> LocalId {
        self.locals.push(Local { name: format!("v{}", self.locals.len()), kind });
        LocalId(self.locals.len() as u32 - 1)
    }

    /// Reads the value at a place: returns its statements, and the expression.
    fn read(&mut self, place: Place, lane: Option<Expr>, scalar: Scalar) -> (Vec<Stmt>, Expr) {
        let Some(index) = lane else { return (Vec::new(), load(place, scalar)) };
        let into = self.local(LocalKind::Value(scalar.into()));
        let get = stmt(StmtKind::LaneGet { into, lanes: place, index, site: LANE_SITE });
        (vec![get], load(Place::local(into), scalar))
    }

    fn write(place: Place, lane: Option<Expr>, value: Expr) -> Stmt {
        stmt(match lane {
            Some(index) => StmtKind::LaneSet { lanes: place, index, value, site: LANE_SITE },
            None => StmtKind::Assign(place, value),
        })
    }

    fn take(&mut self, field: u32, lane: bool, words: u32) -> Vec<Stmt> {
        let lane = lane.then(|| load(param(2, 0), Scalar::U32));
        let (mut statements, value) = self.read(param(0, field), lane, word(words));
        statements.push(Body::write(param(1, 0), None, value));
        statements
    }

    fn put(&mut self, field: u32, lane: bool, words: u32) -> Vec<Stmt> {
        let lane = lane.then(|| load(param(2, 0), Scalar::U32));
        vec![Body::write(param(0, field), lane, load(param(1, 0), word(words)))]
    }

    fn fill(&mut self, field: u32, lane: bool, words: u32) -> Vec<Stmt> {
        let lane = lane.then(|| load(param(2, 0), Scalar::U32));
        let (one, bind) = self.bind(1, OTHER, zero(Scalar::U32));
        vec![bind, Body::write(param(0, field), lane, load(of_local(one, 0), word(words)))]
    }

    fn bind(&mut self, rows: u32, of: StructId, index: Expr) -> (LocalId, Stmt) {
        let local = self.local(LocalKind::RowRef(of));
        let rows = Base::Param(ParamId(rows));
        (local, stmt(StmtKind::BindRow { local, rows, index, site: ROW_SITE }))
    }

    fn gather(&mut self, profile: &[Field], clear: bool) -> Vec<Stmt> {
        let row = || load(param(1, 0), Scalar::U32);
        let len = Expr { ty: Scalar::U32.into(), kind: ExprKind::RowsLen(Base::Param(ParamId(2))) };
        let inside =
            Expr { ty: Scalar::Bool.into(), kind: ExprKind::Binary(BinaryOp::Lt, Box::new(row()), Box::new(len)) };
        let (source, bind) = self.bind(2, MIRROR, row());
        let mut moved = vec![bind];
        let mut cleared = Vec::new();
        for (field, of) in (0..).zip(profile) {
            moved.extend(self.each_lane(field, *of, Some(source)));
            if clear {
                cleared.extend(self.each_lane(field, *of, None));
            }
        }
        vec![stmt(StmtKind::If(inside, moved, cleared))]
    }

    /// Moves one field, with all its lanes; without a source it becomes zero.
    fn each_lane(&mut self, field: u32, of: Field, source: Option<LocalId>) -> Vec<Stmt> {
        let scalar = word(of.words);
        let to = || param(0, field);
        let read = |body: &mut Body, lane: Option<Expr>| match source {
            Some(row) => body.read(of_local(row, field), lane, scalar),
            None => (Vec::new(), zero(scalar)),
        };
        if !of.lane {
            let (mut statements, value) = read(self, None);
            statements.push(Body::write(to(), None, value));
            return statements;
        }
        let var = self.local(LocalKind::Value(Scalar::U32.into()));
        let lane = || Some(load(Place::local(var), Scalar::U32));
        let (mut body, value) = read(self, lane());
        body.push(Body::write(to(), lane(), value));
        // In ragged tables the destination may have more lanes than the source: new lanes are zero already.
        let lanes = source.map_or_else(to, |row| of_local(row, field));
        let end = Expr { ty: Scalar::U32.into(), kind: ExprKind::LanesCapacity(lanes) };
        vec![stmt(StmtKind::For { var, start: zero(Scalar::U32), end, inclusive: false, reverse: false, body })]
    }
}
