//! Functions that kernels and phases call.

use super::body::{Body, Spot, parts};
use super::{Generator, Helper};
use imminent_core::ir::{Arg, FunctionId, ParamKind, Place, Scalar, StmtKind, StructId, Type};

impl Generator<'_> {
    /// Generates up to three functions, each of which may call those before it.
    pub(super) fn helpers(&mut self, cell: StructId, other: StructId) {
        for at in 0..self.choices.below(4) {
            let result = match self.choices.below(3) {
                0 => self.scalar().into(),
                1 => self.value_type(),
                _ => Type::Unit,
            };
            let name = format!("helper{at}");
            let mut body = Body::new(&name, 1000 * (at as u32 + 1), result.clone());
            let mut params = Vec::new();
            for at in 0..1 + self.choices.below(4) {
                let kind = match self.choices.below(8) {
                    0..=2 => ParamKind::Value(self.value_type()),
                    3 => ParamKind::InOut(self.value_type()),
                    4 => ParamKind::Row(cell, self.choices.below(2) == 1),
                    5 => ParamKind::Rows(other),
                    6 => ParamKind::Tally(self.tally.0),
                    _ => match self.lane_type(cell) {
                        Some(ty) => ParamKind::Lanes(ty, self.choices.below(2) == 1),
                        None => ParamKind::Value(Scalar::U32.into()),
                    },
                };
                // One borrow of what may be changed at a time, as in Rust.
                let changes =
                    |kind: &ParamKind| matches!(kind, ParamKind::InOut(_) | ParamKind::Row(..) | ParamKind::Lanes(..));
                if changes(&kind) && params.iter().any(changes) {
                    continue;
                }
                let place = body.param(&self.module, &format!("p{at}"), kind.clone());
                if let ParamKind::Tally(scalar) = kind {
                    body.tallies.push((place.base, scalar, self.tally.1));
                }
                params.push(kind);
            }
            // Loops of callers and callees multiply.
            body.most_loops = 1;
            let left = std::mem::replace(&mut self.left, 8);
            self.fill(&mut body);
            self.left = left;
            self.module.functions.push(body.function);
            let id = FunctionId(self.module.functions.len() as u32 - 1);
            self.helpers.push(Helper { id, params, result, op: self.tally.1 });
        }
    }

    /// Returns a type of lanes of a row struct.
    fn lane_type(&mut self, id: StructId) -> Option<Type> {
        let fields = &self.module.structs[id.index()].fields;
        let lanes: Vec<Type> = fields
            .iter()
            .filter_map(|field| match &field.ty {
                imminent_core::ir::FieldType::Lanes(ty) => Some(ty.clone()),
                imminent_core::ir::FieldType::Value(_) => None,
            })
            .collect();
        self.choices.pick(&lanes)
    }

    /// Generates a call of a function for which all arguments are available.
    pub(super) fn call(&mut self, body: &mut Body) -> Option<StmtKind> {
        let helpers = self.helpers.clone();
        let helper = self.choices.pick(&helpers)?;
        let mut args = Vec::new();
        for kind in &helper.params {
            args.push(match kind {
                ParamKind::Value(ty) => Arg::Value(self.expr(body, ty)),
                ParamKind::InOut(ty) => Arg::InOut(self.variable(body, ty)?),
                ParamKind::Row(id, mutable) => Arg::Resource(self.own_row(body, *id, *mutable)?),
                ParamKind::Rows(id) => {
                    let (base, _) = *body.tables.iter().find(|(_, of)| of == id)?;
                    Arg::Resource(Place { base, path: vec![] })
                }
                ParamKind::Tally(scalar) => {
                    let (base, ..) = *body.tallies.iter().find(|(_, of, op)| of == scalar && *op == helper.op)?;
                    Arg::Resource(Place { base, path: vec![] })
                }
                ParamKind::Lanes(ty, mutable) => {
                    let lanes = body.scope.lanes.iter().filter(|lanes| lanes.ty == *ty && (lanes.mutable || !mutable));
                    let lanes: Vec<Place> = lanes.map(|lanes| lanes.place.clone()).collect();
                    Arg::Resource(self.choices.pick(&lanes)?)
                }
                _ => return None,
            });
        }
        let into = (helper.result != Type::Unit).then(|| body.local(&helper.result));
        Some(StmtKind::Call { into, function: helper.id, args })
    }

    /// Returns a mutable place of a type.
    fn variable(&mut self, body: &Body, ty: &Type) -> Option<Place> {
        let mut all: Vec<Spot> = Vec::new();
        body.scope.writable.iter().for_each(|spot| parts(&self.module, spot, &mut all));
        all.retain(|spot| spot.ty == *ty);
        self.choices.pick(&all).map(|spot| spot.place)
    }

    /// Returns a row that can be borrowed.
    fn own_row(&mut self, body: &Body, id: StructId, mutable: bool) -> Option<Place> {
        let params = body.function.params.iter().zip(0..);
        let fits = |kind: &ParamKind| match kind {
            ParamKind::Row(of, may) => *of == id && (*may || !mutable),
            _ => false,
        };
        let rows: Vec<Place> = params
            .filter(|(param, _)| fits(&param.kind))
            .map(|(_, at)| Place { base: imminent_core::ir::Base::Param(imminent_core::ir::ParamId(at)), path: vec![] })
            .collect();
        self.choices.pick(&rows)
    }
}
