//! Collection of the facts and accesses of a kernel.

use super::access::{Access, Facts, Spot};
use super::visit::{self, Use, Visitor};
use super::{BindingKind, FlatFunction, FlatKernel, FlattenError};
use crate::{
    Base, ConstId, EnumId, Expr, ExprKind, FieldType, Place, Scalar, Step, Stmt, StmtKind, StructId, TallyOp, Type,
    Value,
};
use std::collections::BTreeSet;
use std::ops::Range;

mod scratch;

/// Fills in the facts, the accesses and the declarations used.
pub(super) fn gather(flat: &mut FlatKernel) -> Result<(), FlattenError> {
    let mut found =
        Gathered { facts: Facts { faults: !flat.sites.is_empty(), ..Facts::default() }, ..Gathered::default() };
    found.accesses.resize(flat.bindings.len(), Access::default());
    for function in &flat.functions {
        let mut gatherer = Gatherer { flat, function, line: function.line, found: &mut found };
        for param in &function.params {
            if let Some(local) = function.locals.get(param.local.index()) {
                gatherer.ty(&local.ty);
            }
        }
        gatherer.ty(&function.result);
        visit::walk(&function.body, &mut gatherer);
    }
    if let (Some(scratch), Some(entry)) = (&flat.scratch, flat.entry()) {
        Gatherer { flat, function: entry, line: entry.line, found: &mut found }.ty(scratch);
    }
    flat.facts = found.facts;
    flat.used_structs = found.structs.into_iter().collect();
    flat.used_enums = found.enums.into_iter().collect();
    flat.used_consts = found.consts.into_iter().collect();
    for (binding, access) in flat.bindings.iter_mut().zip(found.accesses) {
        binding.access = access;
    }
    scratch::gather(flat);
    Ok(())
}

#[derive(Default)]
struct Gathered {
    facts: Facts,
    structs: BTreeSet<StructId>,
    enums: BTreeSet<EnumId>,
    consts: BTreeSet<ConstId>,
    accesses: Vec<Access>,
}

struct Gatherer<'a> {
    flat: &'a FlatKernel,
    function: &'a FlatFunction,
    line: u32,
    found: &'a mut Gathered,
}

impl Gatherer<'_> {
    fn spot(&self) -> Spot {
        Spot { file: self.function.file.clone(), line: self.line }
    }

    fn ty(&mut self, ty: &Type) {
        match ty {
            Type::Unit => {}
            Type::Scalar(Scalar::U64 | Scalar::I64) if self.found.facts.int64.is_none() => {
                self.found.facts.int64 = Some(self.spot());
            }
            Type::Scalar(Scalar::F64) if self.found.facts.float64.is_none() => {
                self.found.facts.float64 = Some(self.spot());
            }
            Type::Scalar(_) => {}
            Type::Enum(id) => {
                self.found.enums.insert(*id);
            }
            Type::Array(element, _) => self.ty(element),
            Type::Struct(id) => {
                if self.found.structs.insert(*id) {
                    let flat = self.flat;
                    for field in flat.structs.get(id.index()).map_or(&[][..], |def| &def.fields) {
                        if let FieldType::Value(ty) = &field.ty {
                            self.ty(ty);
                        }
                    }
                }
            }
        }
    }

    fn local(&mut self, local: crate::LocalId) {
        let function = self.function;
        if let Some(local) = function.locals.get(local.index()) {
            self.ty(&local.ty);
        }
    }

    /// Notes the type of a field of which a place in a group's own row is a part: a lowering may keep the field whole.
    fn whole_field(&mut self, place: &Place) {
        let flat = self.flat;
        if let (Base::Row { binding, .. }, [Step::Field(field), _, ..]) = (place.base, place.path.as_slice())
            && let Some(bound) = flat.bindings.get(binding as usize)
            && let BindingKind::Table { row, per_group: true, .. } = &bound.kind
            && let Some(def) = flat.structs.get(row.index())
            && let Some(FieldType::Value(ty)) = def.fields.get(*field as usize).map(|field| &field.ty)
        {
            self.ty(ty);
        }
    }

    /// Returns the words that a place of a table or parameter block covers.
    fn words(&self, place: &Place) -> Option<(usize, bool, Range<u32>)> {
        let (binding, mut id) = match place.base {
            Base::Row { binding, .. } | Base::Binding(binding) => match &self.flat.bindings.get(binding as usize)?.kind
            {
                BindingKind::Table { row, .. } => (binding as usize, Some(*row)),
                BindingKind::Params { block, .. } => (binding as usize, Some(*block)),
                BindingKind::Tally { .. } => return None,
            },
            _ => return None,
        };
        let mut lane = false;
        let mut range = 0..self.flat.words(&Type::Struct(id?));
        // Type at the current step, after the first field.
        let mut ty: Option<Type> = None;
        for step in &place.path {
            match (step, ty.clone()) {
                (Step::Field(field), None | Some(Type::Struct(_))) => {
                    let def = id.or(None)?;
                    let start = range.start + self.flat.field_word(def, *field);
                    let field = match &self.flat.structs.get(def.index())?.fields.get(*field as usize)?.ty {
                        FieldType::Value(ty) => {
                            range = start..start + self.flat.words(ty);
                            ty
                        }
                        FieldType::Lanes(ty) => {
                            lane = true;
                            let word = self.flat.field_word(def, *field);
                            range = word..word + self.flat.words(ty);
                            ty
                        }
                    };
                    id = if let Type::Struct(id) = field { Some(*id) } else { None };
                    ty = Some(field.clone());
                }
                (Step::Index(index), Some(Type::Array(element, _))) => {
                    // From a computed index on, the whole array counts.
                    let ExprKind::Literal(Value::U32(at)) = index.kind else { break };
                    let words = self.flat.words(&element);
                    let start = range.start.saturating_add(at.saturating_mul(words));
                    if start >= range.end {
                        break;
                    }
                    range = start..start + words;
                    id = if let Type::Struct(id) = *element { Some(id) } else { None };
                    ty = Some(*element);
                }
                _ => return None,
            }
        }
        Some((binding, lane, range))
    }
}

impl Visitor for Gatherer<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        self.line = stmt.line;
        match &stmt.kind {
            StmtKind::Let(local, _)
            | StmtKind::Load(local, ..)
            | StmtKind::Divide(local, ..)
            | StmtKind::Remainder(local, ..)
            | StmtKind::LaneGet { into: local, .. }
            | StmtKind::ScratchGet { into: local, .. }
            | StmtKind::ScratchOwn { into: local, .. }
            | StmtKind::Word { into: Some(local), .. }
            | StmtKind::Phase { into: Some(local), .. }
            | StmtKind::Call { into: Some(local), .. }
            | StmtKind::For { var: local, .. } => self.local(*local),
            StmtKind::Tally { op: TallyOp::Min | TallyOp::Max, value, .. }
                if self.found.facts.wide_tally_minmax.is_none()
                    && value.ty.scalar().is_some_and(|s| s.words() == 2) =>
            {
                self.found.facts.wide_tally_minmax = Some(self.spot());
            }
            _ => {}
        }
    }

    fn expr(&mut self, expr: &Expr) {
        self.ty(&expr.ty);
        if let ExprKind::TallyLen(Base::Binding(binding)) = expr.kind {
            self.found.facts.measured_tallies.insert(binding);
        }
    }

    fn place(&mut self, place: &Place, used: Use) {
        if let Base::Const(id) = place.base {
            self.found.consts.insert(id);
            let flat = self.flat;
            if let Some(def) = flat.consts.get(id.index()) {
                self.ty(&def.ty);
            }
        }
        if used == Use::Capacity {
            return;
        }
        self.whole_field(place);
        let Some((binding, lane, words)) = self.words(place) else { return };
        let Some(access) = self.found.accesses.get_mut(binding) else { return };
        if !matches!(used, Use::Write | Use::LaneWrite) {
            access.read.insert(lane, words.clone());
        }
        if !matches!(used, Use::Read | Use::LaneRead) {
            access.written.insert(lane, words);
        }
    }
}
