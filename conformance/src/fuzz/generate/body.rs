//! A function under construction, and the values that its statements may name.

use super::FILE;
use imminent_core::ir::{
    Base, Expr, ExprKind, FieldType, Function, Local, LocalId, LocalKind, Module, Param, ParamId, ParamKind, Place,
    Scalar, Step, Stmt, StmtKind, StructId, TallyOp, Type, Value,
};

/// A place that holds a value.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub(super) place: Place,
    pub(super) ty: Type,
}

/// Lanes of a row.
#[derive(Clone, Debug)]
pub(super) struct LaneSpot {
    pub(super) place: Place,
    pub(super) ty: Type,
    pub(super) mutable: bool,
}

/// Values that can be named at a point of a function.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) readable: Vec<Spot>,
    pub(super) writable: Vec<Spot>,
    pub(super) lanes: Vec<LaneSpot>,
}

/// A function under construction.
pub(super) struct Body {
    pub(super) function: Function,
    pub(super) scope: Scope,
    /// Whole tables that can be read.
    pub(super) tables: Vec<(Base, StructId)>,
    pub(super) tallies: Vec<(Base, Scalar, TallyOp)>,
    /// Scratch of the group, and the type of its elements.
    pub(super) scratch: Option<(Base, Type)>,
    /// `true` if each row of a group runs this code by itself.
    pub(super) in_phase: bool,
    /// Number of loops around the current statement.
    pub(super) loops: u32,
    /// Largest nesting depth of loops.
    pub(super) most_loops: u32,
    line: u32,
}

pub(super) fn load(place: Place, ty: Type) -> Expr {
    Expr { ty, kind: ExprKind::Load(place) }
}

pub(super) fn literal(value: Value, scalar: Scalar) -> Expr {
    Expr::literal(value, scalar)
}

pub(super) fn field(place: &Place, field: u32) -> Place {
    let mut place = place.clone();
    place.path.push(Step::Field(field));
    place
}

pub(super) fn element(place: &Place, index: Expr) -> Place {
    let mut place = place.clone();
    place.path.push(Step::Index(Box::new(index)));
    place
}

/// Collects every part of a place that can be named with constant indices, including itself.
pub(super) fn parts(module: &Module, spot: &Spot, out: &mut Vec<Spot>) {
    out.push(spot.clone());
    match &spot.ty {
        Type::Array(ty, count) => {
            for at in 0..*count {
                let place = element(&spot.place, literal(Value::U32(at), Scalar::U32));
                parts(module, &Spot { place, ty: (**ty).clone() }, out);
            }
        }
        Type::Struct(id) => {
            for (at, part) in module.structs[id.index()].fields.iter().enumerate() {
                if let FieldType::Value(ty) = &part.ty {
                    parts(module, &Spot { place: field(&spot.place, at as u32), ty: ty.clone() }, out);
                }
            }
        }
        Type::Unit | Type::Scalar(_) | Type::Enum(_) => {}
    }
}

impl Body {
    pub(super) fn new(name: &str, line: u32, result: Type) -> Body {
        let function = Function {
            name: name.to_owned(),
            origin: "fuzz".to_owned(),
            file: FILE.to_owned(),
            line,
            params: vec![],
            result,
            locals: vec![],
            body: vec![],
        };
        Body {
            function,
            scope: Scope::default(),
            tables: vec![],
            tallies: vec![],
            scratch: None,
            in_phase: false,
            loops: 0,
            most_loops: 2,
            line,
        }
    }

    /// Adds a parameter and makes its contents known.
    pub(super) fn param(&mut self, module: &Module, name: &str, kind: ParamKind) -> Place {
        let place = Place { base: Base::Param(ParamId(self.function.params.len() as u32)), path: vec![] };
        match &kind {
            ParamKind::Value(ty) => self.scope.readable.push(Spot { place: place.clone(), ty: ty.clone() }),
            ParamKind::InOut(ty) => self.variable(Spot { place: place.clone(), ty: ty.clone() }),
            ParamKind::Row(id, mutable) => self.row(module, &place, *id, *mutable),
            ParamKind::Params(id) => self.row(module, &place, *id, false),
            ParamKind::Rows(id) => self.tables.push((place.base, *id)),
            ParamKind::Lanes(ty, mutable) => {
                self.scope.lanes.push(LaneSpot { place: place.clone(), ty: ty.clone(), mutable: *mutable });
            }
            ParamKind::Scratch(ty, _) => self.scratch = Some((place.base, ty.clone())),
            // The operation of a tally is set by the caller; rows of a group belong to its phases.
            ParamKind::Tally(_) | ParamKind::Each(..) | ParamKind::History(..) | ParamKind::Clock => {}
        }
        self.function.params.push(Param { name: name.to_owned(), kind });
        place
    }

    fn variable(&mut self, spot: Spot) {
        self.scope.readable.push(spot.clone());
        self.scope.writable.push(spot);
    }

    /// Makes the fields of a row known.
    pub(super) fn row(&mut self, module: &Module, place: &Place, id: StructId, mutable: bool) {
        for (at, part) in module.structs[id.index()].fields.iter().enumerate() {
            let place = field(place, at as u32);
            match &part.ty {
                FieldType::Value(ty) if mutable => self.variable(Spot { place, ty: ty.clone() }),
                FieldType::Value(ty) => self.scope.readable.push(Spot { place, ty: ty.clone() }),
                FieldType::Lanes(ty) => self.scope.lanes.push(LaneSpot { place, ty: ty.clone(), mutable }),
            }
        }
    }

    /// Adds a local that only its declaration assigns.
    pub(super) fn fixed(&mut self, ty: &Type) -> LocalId {
        let id = self.hidden(LocalKind::Value(ty.clone()));
        self.scope.readable.push(Spot { place: Place::local(id), ty: ty.clone() });
        id
    }

    /// Adds a local that may be assigned.
    pub(super) fn local(&mut self, ty: &Type) -> LocalId {
        let id = self.hidden(LocalKind::Value(ty.clone()));
        self.variable(Spot { place: Place::local(id), ty: ty.clone() });
        id
    }

    /// Adds a local that no later statement uses.
    pub(super) fn hidden(&mut self, kind: LocalKind) -> LocalId {
        let id = LocalId(self.function.locals.len() as u32);
        self.function.locals.push(Local { name: format!("v{}", id.0), kind });
        id
    }

    pub(super) fn stmt(&mut self, kind: StmtKind) -> Stmt {
        self.line += 1;
        Stmt { line: self.line, kind }
    }

    pub(super) fn line(&self) -> u32 {
        self.line
    }
}
