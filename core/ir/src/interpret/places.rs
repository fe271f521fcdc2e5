//! Places: resolution of paths, reads and writes.

use super::numbers::index;
use super::rows::{Field, RowTree};
use super::{Bound, Evaluation, Frame, Local, Machine, Table, require, stuck};
use crate::{Base, ParamKind, Place, Step, Value};

/// The lanes of a field of a row: table, row, field.
pub(super) type LanesAt = (usize, usize, usize);

impl<'m> Machine<'m> {
    pub(super) fn table(&self, table: usize) -> Evaluation<&Table> {
        self.tables.get(table).map_or_else(|| stuck(format!("there is no table {table}")), Ok)
    }

    pub(super) fn row(&self, table: usize, row: usize) -> Evaluation<&RowTree> {
        self.table(table)?.rows.get(row).map_or_else(|| stuck(format!("table {table} has no row {row}")), Ok)
    }

    fn row_mut(&mut self, table: usize, row: usize) -> Evaluation<&mut RowTree> {
        let found = self.tables.get_mut(table).and_then(|table| table.rows.get_mut(row));
        found.map_or_else(|| stuck(format!("table {table} has no row {row}")), Ok)
    }

    /// Returns the table of a `&Rows<T>`.
    pub(super) fn whole(&self, frame: &Frame<'m>, base: Base) -> Evaluation<usize> {
        let Base::Param(param) = base else { return stuck(format!("{base:?} is no table")) };
        match frame.param(param)? {
            Bound::Rows(table) => Ok(*table),
            other => stuck(format!("{other:?} is no table")),
        }
    }

    pub(super) fn lanes(&self, frame: &Frame<'m>, place: &Place) -> Evaluation<LanesAt> {
        let (table, row) = match place.base {
            Base::Param(param) => match *frame.param(param)? {
                Bound::Lanes { table, row, field } => {
                    require(place.path.is_empty(), || "lanes have no parts".to_owned())?;
                    return Ok((table, row, field));
                }
                Bound::Row { table, row } => (table, row),
                ref other => return stuck(format!("{other:?} has no lanes")),
            },
            Base::Local(local) => match *frame.local(local)? {
                Local::Row { table, row } => (table, row),
                ref other => return stuck(format!("{other:?} has no lanes")),
            },
            other => return stuck(format!("{other:?} has no lanes")),
        };
        match place.path.as_slice() {
            [Step::Field(field)] => Ok((table, row, *field as usize)),
            other => stuck(format!("{other:?} leads to no lanes")),
        }
    }

    pub(super) fn lane_slots(&mut self, (table, row, field): LanesAt) -> Evaluation<&mut Vec<Value>> {
        match self.row_mut(table, row)?.fields.get_mut(field) {
            Some(Field::Lanes(slots)) => Ok(slots),
            _ => stuck(format!("field {field} has no lanes")),
        }
    }

    /// Returns the argument for a parameter that is no value.
    pub(super) fn resource(&self, frame: &Frame<'m>, place: &Place, kind: &ParamKind) -> Evaluation<Bound> {
        if matches!(kind, ParamKind::Lanes(..)) {
            let (table, row, field) = self.lanes(frame, place)?;
            return Ok(Bound::Lanes { table, row, field });
        }
        require(place.path.is_empty(), || "a resource is passed whole".to_owned())?;
        match place.base {
            Base::Param(param) => frame.param(param).cloned(),
            Base::Local(local) => match frame.local(local)? {
                Local::Row { table, row } => Ok(Bound::Row { table: *table, row: *row }),
                other => stuck(format!("{other:?} is no row")),
            },
            other => stuck(format!("{other:?} is no resource")),
        }
    }

    /// Returns the steps of a place as positions; `None` if an index cannot be one.
    fn steps(&mut self, frame: &Frame<'m>, place: &Place) -> Evaluation<Option<Vec<usize>>> {
        let mut steps = Vec::new();
        for step in &place.path {
            steps.push(match step {
                Step::Field(field) => Some(*field as usize),
                Step::Index(e) => index(&self.eval(frame, e)?)?,
            });
        }
        Ok(steps.into_iter().collect())
    }

    /// Returns the value of a place; `None` if an index is out of range.
    pub(super) fn read(&mut self, frame: &Frame<'m>, place: &Place) -> Evaluation<Option<Value>> {
        let Some(steps) = self.steps(frame, place)? else { return Ok(None) };
        let of_row = |table: usize, row: usize| {
            let tree = self.row(table, row)?;
            match steps.split_first() {
                None => Ok((tree.to_value()?, 0)),
                Some((field, _)) => match tree.fields.get(*field) {
                    Some(Field::Value(value)) => Ok((value.clone(), 1)),
                    _ => stuck(format!("field {field} is no value")),
                },
            }
        };
        let (mut value, from) = match place.base {
            Base::Param(param) => match frame.param(param)? {
                Bound::Value(value) => (value.clone(), 0),
                Bound::Row { table, row } => of_row(*table, *row)?,
                other => return stuck(format!("{other:?} is no value")),
            },
            Base::Local(local) => match frame.local(local)? {
                Local::Value(value) => (value.clone(), 0),
                Local::Row { table, row } => of_row(*table, *row)?,
                Local::Undeclared => {
                    return stuck(format!("{}: local {} is read before it is declared", frame.function.name, local.0));
                }
            },
            Base::Const(id) => match self.module.consts.get(id.index()) {
                Some(constant) => (constant.value.clone(), 0),
                None => return stuck(format!("there is no constant {}", id.0)),
            },
            other => return stuck(format!("{other:?} is no base here")),
        };
        for step in &steps[from..] {
            value = match value {
                Value::Struct(values) | Value::Array(values) => match values.into_iter().nth(*step) {
                    Some(value) => value,
                    None => return Ok(None),
                },
                other => return stuck(format!("{other:?} has no parts")),
            };
        }
        Ok(Some(value))
    }

    /// Stores a value; `false` if an index is out of range.
    pub(super) fn write(&mut self, frame: &mut Frame<'m>, place: &Place, new: Value) -> Evaluation<bool> {
        let Some(steps) = self.steps(frame, place)? else { return Ok(false) };
        let mut rest = steps.as_slice();
        let mut slot = match place.base {
            Base::Param(param) => {
                let kind = frame.function.params.get(param.index()).map(|param| &param.kind);
                let mutable = matches!(kind, Some(ParamKind::InOut(_) | ParamKind::Row(_, true)));
                require(mutable, || format!("{}: a read-only parameter is written", frame.function.name))?;
                match frame.params.get_mut(param.index()) {
                    Some(Bound::Value(value)) => value,
                    Some(Bound::Row { table, row }) => {
                        let tree = self.row_mut(*table, *row)?;
                        let Some((field, others)) = steps.split_first() else {
                            let Value::Struct(values) = new else { return stuck("a row is a struct") };
                            tree.fields = values.into_iter().map(Field::Value).collect();
                            return Ok(true);
                        };
                        rest = others;
                        match tree.fields.get_mut(*field) {
                            Some(Field::Value(value)) => value,
                            _ => return stuck(format!("field {field} is no value")),
                        }
                    }
                    other => return stuck(format!("{other:?} cannot be written")),
                }
            }
            Base::Local(local) => match frame.locals.get_mut(local.index()) {
                Some(Local::Value(value)) => value,
                other => return stuck(format!("{other:?} cannot be written")),
            },
            other => return stuck(format!("{other:?} cannot be written")),
        };
        for step in rest {
            slot = match slot {
                Value::Struct(values) | Value::Array(values) => match values.get_mut(*step) {
                    Some(slot) => slot,
                    None => return Ok(false),
                },
                other => return stuck(format!("{other:?} has no parts")),
            };
        }
        require(std::mem::discriminant(slot) == std::mem::discriminant(&new), || {
            format!("{}: {new:?} is stored where {slot:?} was", frame.function.name)
        })?;
        *slot = new;
        Ok(true)
    }
}
