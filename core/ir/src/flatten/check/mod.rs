//! Checks a flat kernel: identifiers in range, types that agree, locals declared before use, no writes to read-only
//! data.

use super::declarations::{MAX_WORDS, Types};
use super::state::to_u32;
use super::{BindingKind, FlatFunction, FlatKernel, FlattenError, PlaceType, Scope};
use crate::{Arg, Base, Block, Expr, ExprKind, LocalId, Place, Scalar, Step, Stmt, StmtKind, Type, Value};
use std::collections::HashSet;

mod expr;
mod group;
mod shape;

/// Checks every function, and that the kernel's result fits its reduction.
pub(super) fn check(flat: &FlatKernel) -> Result<(), FlattenError> {
    shape::check(flat)?;
    for (number, function) in flat.functions.iter().enumerate() {
        Checker::new(flat, function, number).function()?;
    }
    let Some(entry) = flat.entry() else { return Ok(()) };
    let fits = match flat.reduce.is_empty() {
        true => entry.result == Type::Unit,
        false => flat.results().is_some(),
    };
    if fits {
        Ok(())
    } else {
        Checker::new(flat, entry, flat.functions.len()).ill("the result of the kernel does not fit its reduction")
    }
}

struct Checker<'a> {
    flat: &'a FlatKernel,
    function: &'a FlatFunction,
    /// Position of the function: it may call earlier ones only.
    number: usize,
    types: Types<'a>,
    /// Locals in scope.
    in_scope: Vec<bool>,
    /// Locals declared so far, in scope or not.
    declared: Vec<bool>,
    /// Locals that name rows: only a parameter or a `BindRow` may give them their value.
    row_numbers: HashSet<LocalId>,
    /// Locals given a value in any other way.
    written: HashSet<LocalId>,
    loops: u32,
    line: u32,
}

impl<'a> Checker<'a> {
    fn new(flat: &'a FlatKernel, function: &'a FlatFunction, number: usize) -> Self {
        Checker {
            flat,
            function,
            number,
            types: Types { structs: &flat.structs, enums: &flat.enums },
            in_scope: vec![false; function.locals.len()],
            declared: vec![false; function.locals.len()],
            row_numbers: HashSet::new(),
            written: HashSet::new(),
            loops: 0,
            line: function.line,
        }
    }

    fn ill<T>(&self, what: impl Into<String>) -> Result<T, FlattenError> {
        Err(FlattenError::IllFormed {
            kernel: self.flat.name.clone(),
            place: format!("`{}` ({}:{})", self.function.name, self.function.file, self.line),
            what: what.into(),
        })
    }

    fn require(&self, holds: bool, what: &str) -> Result<(), FlattenError> {
        if holds { Ok(()) } else { self.ill(what) }
    }

    fn function(&mut self) -> Result<(), FlattenError> {
        let mut words: u32 = 0;
        for local in &self.function.locals {
            self.require(self.types.is_value(&local.ty), "a local is not of a value's type")?;
            words = words.saturating_add(self.flat.words(&local.ty));
        }
        if words > MAX_WORDS {
            return Err(FlattenError::TooLarge {
                kernel: self.flat.name.clone(),
                what: format!("the locals of {}", self.function.name),
                limit: MAX_WORDS,
            });
        }
        let result = &self.function.result;
        self.require(*result == Type::Unit || self.types.is_value(result), "the result is not of a value's type")?;
        for param in &self.function.params {
            self.declare(param.local)?;
        }
        self.block(&self.function.body)?;
        self.require(
            self.row_numbers.is_disjoint(&self.written),
            "the number of a row is assigned: a row reference is bound once",
        )
    }

    fn declare(&mut self, local: LocalId) -> Result<(), FlattenError> {
        match self.declared.get_mut(local.index()) {
            Some(declared @ false) => *declared = true,
            Some(true) => return self.ill(format!("local {} is declared twice", local.0)),
            None => return self.ill(format!("there is no local number {}", local.0)),
        }
        if let Some(in_scope) = self.in_scope.get_mut(local.index()) {
            *in_scope = true;
        }
        Ok(())
    }

    /// Declares a local that receives a value of this type.
    fn receive(&mut self, local: LocalId, ty: &Type) -> Result<(), FlattenError> {
        self.declare(local)?;
        self.written.insert(local);
        self.require(
            self.function.locals.get(local.index()).is_some_and(|l| l.ty == *ty),
            "a local is given a value of another type",
        )
    }

    fn block(&mut self, block: &Block) -> Result<(), FlattenError> {
        let before = self.in_scope.clone();
        for stmt in block {
            self.stmt(stmt)?;
        }
        self.in_scope = before;
        Ok(())
    }

    fn looped(&mut self, body: &Block) -> Result<(), FlattenError> {
        self.loops += 1;
        self.block(body)?;
        self.loops -= 1;
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), FlattenError> {
        self.line = stmt.line;
        match &stmt.kind {
            StmtKind::Let(local, Some(value)) => {
                self.expr(value)?;
                let before = self.written.contains(local);
                self.receive(*local, &value.ty)?;
                // Row 0 always exists: in an empty table it is the zeroed one.
                if !before && value.kind == ExprKind::Literal(Value::U32(0)) {
                    self.written.remove(local);
                }
                Ok(())
            }
            StmtKind::Let(local, None) => {
                self.written.insert(*local);
                self.declare(*local)
            }
            StmtKind::Assign(place, value) => {
                self.expr(value)?;
                self.assigned(place, &value.ty, false)
            }
            StmtKind::Store(place, value, site) => {
                self.expr(value)?;
                self.site(*site)?;
                self.assigned(place, &value.ty, true)
            }
            StmtKind::Load(into, place, site) => {
                self.site(*site)?;
                let ty = self.value(place, true)?;
                self.receive(*into, &ty)
            }
            StmtKind::Divide(into, a, b, site) | StmtKind::Remainder(into, a, b, site) => {
                self.expr(a)?;
                self.expr(b)?;
                self.site(*site)?;
                let integers = a.ty == b.ty && a.ty.scalar().is_some_and(Scalar::is_integer);
                self.require(integers, "a division of anything but two integers of one type")?;
                self.receive(*into, &a.ty)
            }
            StmtKind::BindRow { local, rows, index, site } => {
                self.is_u32(index)?;
                self.site(*site)?;
                self.table(*rows)?;
                self.row_numbers.insert(*local);
                self.declare(*local)
            }
            StmtKind::LaneGet { into, lanes, index, site } => {
                self.is_u32(index)?;
                self.site(*site)?;
                let ty = self.lanes(lanes)?;
                self.receive(*into, &ty)
            }
            StmtKind::LaneSet { lanes, index, value, site } => {
                self.is_u32(index)?;
                self.expr(value)?;
                self.site(*site)?;
                let ty = self.lanes(lanes)?;
                self.writable(lanes)?;
                self.require(ty == value.ty, "a lane is given a value of another type")
            }
            StmtKind::HistoryGet { .. } | StmtKind::HistorySet { .. } => self.ill("a history in a flat kernel"),
            StmtKind::Tally { tally, slot, value, site, .. } => {
                self.is_u32(slot)?;
                self.expr(value)?;
                self.site(*site)?;
                let scalar = self.tally(*tally)?;
                self.require(value.ty == Type::Scalar(scalar), "a contribution is not of the tally's type")
            }
            StmtKind::Word { op, into, tally, slot, value, site } => {
                self.is_u32(slot)?;
                value.as_ref().map_or(Ok(()), |value| self.is_u32(value))?;
                self.site(*site)?;
                let is_word = self.tally(*tally)? == Scalar::U32;
                let fits = into.is_some() == op.reads() && value.is_some() == op.writes();
                self.require(is_word && fits, "an operation on a word that does not fit")?;
                into.map_or(Ok(()), |into| self.receive(into, &Scalar::U32.into()))
            }
            StmtKind::Assert(condition, site) => {
                self.site(*site)?;
                self.is_bool(condition)
            }
            StmtKind::Call { into, function, args } => {
                let callee = self.call(self.function.scope, function.index(), args)?;
                match into {
                    Some(local) => self.receive(*local, &callee.result),
                    None => Ok(()),
                }
            }
            StmtKind::Phase { into, vote, function, args } => self.phase(*into, *vote, function.index(), args),
            StmtKind::ScratchGet { into, scratch, index, site } => {
                self.is_u32(index)?;
                self.site(*site)?;
                let ty = self.scratch(*scratch)?;
                self.receive(*into, &ty)
            }
            StmtKind::ScratchOwn { into, scratch } => {
                let ty = self.own_element(*scratch)?;
                self.receive(*into, &ty)
            }
            StmtKind::ScratchSet { scratch, value } => {
                self.expr(value)?;
                let ty = self.own_element(*scratch)?;
                self.require(ty == value.ty, "a scratch element is given a value of another type")
            }
            StmtKind::If(condition, then, other) => {
                self.is_bool(condition)?;
                self.block(then)?;
                self.block(other)
            }
            StmtKind::Loop(body) => self.looped(body),
            StmtKind::While(condition, body) => {
                self.is_bool(condition)?;
                self.looped(body)
            }
            StmtKind::For { var, start, end, body, .. } => {
                self.expr(start)?;
                self.expr(end)?;
                let integers = start.ty == end.ty && start.ty.scalar().is_some_and(Scalar::is_integer);
                self.require(integers, "the bounds of a loop are not integers of one type")?;
                self.receive(*var, &start.ty)?;
                self.looped(body)?;
                if let Some(in_scope) = self.in_scope.get_mut(var.index()) {
                    *in_scope = false;
                }
                Ok(())
            }
            StmtKind::Break | StmtKind::Continue => {
                self.require(self.loops > 0, "`break` or `continue` outside a loop")
            }
            StmtKind::Return(value) => match value {
                Some(value) => {
                    self.expr(value)?;
                    self.require(value.ty == self.function.result, "a value of another type is returned")
                }
                None => self.require(self.function.result == Type::Unit, "a `return` without the value"),
            },
        }
    }

    /// Checks a call of a function that runs in a scope, and returns that function.
    fn call(&mut self, scope: Scope, function: usize, args: &[Arg]) -> Result<&'a FlatFunction, FlattenError> {
        let flat = self.flat;
        let Some(callee) = flat.functions.get(function).filter(|_| function < self.number) else {
            return self.ill("a call of a function that does not come before");
        };
        self.require(callee.scope == scope, "a function is called by another scope than its own")?;
        self.require(callee.params.len() == args.len(), "a call with too few or too many arguments")?;
        for (param, arg) in callee.params.iter().zip(args) {
            let ty = match arg {
                // The rows of a phase are passed where no row is known yet.
                Arg::Value(value) if shape::is_row_of_phase(self.function.scope, scope, value) => value.ty.clone(),
                Arg::Value(value) if !param.inout => {
                    self.expr(value)?;
                    value.ty.clone()
                }
                Arg::InOut(place) if param.inout => {
                    self.writable(place)?;
                    self.value(place, false)?
                }
                _ => return self.ill("an argument is not passed as its parameter asks"),
            };
            let wanted = callee.locals.get(param.local.index()).map(|l| &l.ty);
            self.require(wanted == Some(&ty), "an argument is not of its parameter's type")?;
        }
        Ok(callee)
    }

    fn site(&self, site: crate::SiteId) -> Result<(), FlattenError> {
        self.require(site.index() < self.flat.sites.len(), "a fault site out of range")
    }

    fn assigned(&mut self, place: &Place, ty: &Type, checked: bool) -> Result<(), FlattenError> {
        let target = self.value(place, checked)?;
        self.writable(place)?;
        self.require(target == *ty, "a place is assigned a value of another type")
    }

    fn writable(&mut self, place: &Place) -> Result<(), FlattenError> {
        match place.base {
            Base::Local(local) => {
                self.written.insert(local);
                Ok(())
            }
            Base::Row { binding, .. } => {
                let kind = self.flat.bindings.get(binding as usize).map(|b| &b.kind);
                let mutable = matches!(kind, Some(BindingKind::Table { mutable: true, own_row: true, .. }));
                self.require(mutable, "something is written that the kernel may only read")?;
                let of_group = matches!(kind, Some(BindingKind::Table { per_group: true, .. }));
                let in_body = self.number + 1 == self.flat.functions.len();
                self.require(!of_group || in_body, "the row of a group is written outside the body of the kernel")
            }
            _ => self.ill("something is written that the kernel may only read"),
        }
    }

    /// Returns the type of a place that holds a value. `checked`: `true` if its indices may be out of range.
    fn value(&mut self, place: &Place, checked: bool) -> Result<Type, FlattenError> {
        self.place(place, checked)?;
        match self.flat.place_type(self.function, place) {
            Some(PlaceType::Value(ty)) if self.types.is_value(&ty) => Ok(ty),
            _ => self.ill("a place that holds no value"),
        }
    }

    fn lanes(&mut self, place: &Place) -> Result<Type, FlattenError> {
        self.place(place, false)?;
        match self.flat.place_type(self.function, place) {
            Some(PlaceType::Lanes(ty)) => Ok(ty),
            _ => self.ill("lanes are expected here"),
        }
    }

    /// Checks the base and the indices of a place.
    fn place(&mut self, place: &Place, checked: bool) -> Result<(), FlattenError> {
        match place.base {
            Base::Local(local) => self.used(local)?,
            Base::Row { index, .. } => {
                self.used(index)?;
                self.row_numbers.insert(index);
            }
            _ => {}
        }
        for (at, step) in place.path.iter().enumerate() {
            let Step::Index(index) = step else { continue };
            self.expr(index)?;
            let Some(scalar) = index.ty.scalar().filter(|s| s.is_integer()) else {
                return self.ill("an index that is no integer");
            };
            let ExprKind::Literal(value) = &index.kind else { continue };
            let array = Place { base: place.base, path: place.path[..at].to_vec() };
            let Some(Type::Array(_, count)) = self.flat.value_type(self.function, &array) else {
                return self.ill("an index into something that is no array");
            };
            self.require(
                checked || constant_index(value).is_some_and(|i| i < count),
                &format!("an index of type {scalar} that is out of range"),
            )?;
        }
        Ok(())
    }

    fn used(&self, local: LocalId) -> Result<(), FlattenError> {
        match self.in_scope.get(local.index()) {
            Some(true) => Ok(()),
            _ => self.ill(format!("local {} is used where it is not declared", local.0)),
        }
    }

    fn table(&self, base: Base) -> Result<(), FlattenError> {
        let is_table = self.binding(base).is_some_and(|kind| match kind {
            BindingKind::Table { own_row: false, .. } => true,
            // In a history other rows are read too, at steps that none of them writes.
            BindingKind::Table { row, .. } => self.flat.structs.get(row.index()).is_some_and(super::history::is_ring),
            _ => false,
        });
        self.require(is_table, "a table is expected here")
    }

    fn tally(&self, base: Base) -> Result<Scalar, FlattenError> {
        match self.binding(base) {
            Some(BindingKind::Tally { scalar, .. }) => Ok(*scalar),
            _ => self.ill("a tally is expected here"),
        }
    }

    fn binding(&self, base: Base) -> Option<&'a BindingKind> {
        let Base::Binding(number) = base else { return None };
        self.flat.bindings.get(number as usize).map(|b| &b.kind)
    }
}

/// Returns the value of a constant index, if it can be one of some array.
fn constant_index(value: &Value) -> Option<u32> {
    match *value {
        Value::U32(i) => Some(i),
        Value::I32(i) => u32::try_from(i).ok(),
        Value::U64(i) => u32::try_from(i).ok(),
        Value::I64(i) => u32::try_from(i).ok(),
        _ => None,
    }
}
