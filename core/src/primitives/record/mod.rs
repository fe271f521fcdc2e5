//! Recording of primitives: the checks that types cannot make, and the memory of the results.

mod moves;
mod reduce;
mod rows;

pub(crate) use moves::take_rows;
pub(super) use moves::{copy_column, fill, gather, histogram, scatter};
pub(super) use reduce::{
    all, any, arg_max, arg_min, count, max, max_into, min, min_into, segmented_max, segmented_min, segmented_sum,
    segmented_sum_as, sum, sum_as, sum_into,
};
pub(super) use rows::{
    exclusive_scan, find_imminents, find_min_time, group_by, inclusive_scan, select, select_into, sort, sort_by_key,
};

use super::{AsColumn, AsPredicate, Predicate, portable};
use crate::backend::{Allocation, Primitive};
use crate::device::{Device, Storage};
use crate::error::{Error, Result};
use crate::memory::Memory;
use crate::program::{ColumnRef, Naming, ProgramBuilder, Request, Step};
use crate::tables::Output;
use imminent_ir::Scalars;
use std::sync::Arc;

impl ProgramBuilder {
    /// Returns a column for a primitive, in one piece.
    fn column<'t, T: Output>(&mut self, column: impl AsColumn<'t, T>) -> Result<ColumnRef> {
        portable::in_one_piece(self, column.as_column().source()?)
    }

    /// Returns a test of a column in one piece.
    fn predicate(&mut self, rows: impl AsPredicate) -> Result<Predicate> {
        let predicate = rows.as_predicate()?;
        Ok(Predicate { column: portable::in_one_piece(self, predicate.column)?, ..predicate })
    }

    /// Records a primitive: as one command if the backend overrides it, otherwise as the launches of its portable form.
    /// Work for a queue is executed without being recorded.
    pub(in crate::primitives) fn primitive(&mut self, make: impl FnOnce(&mut Naming) -> Primitive) -> Result<()> {
        let mut naming = Naming::default();
        let primitive = make(&mut naming);
        let request: Request = naming.bind(&self.device, primitive)?;
        if self.device.backend().overrides(request.primitive()) {
            self.command(request)
        } else {
            portable::record(self, &request)
        }
    }

    /// Records a primitive that returns a value. If the backend writes it, the value goes into a result, which saves
    /// clearing it first; otherwise into `table`, a table of one row, which kernels can be given.
    pub(in crate::primitives) fn primitive_giving(
        &mut self,
        scalars: Scalars,
        table: impl FnOnce(&Device) -> Result<Storage>,
        make: impl Fn(&mut Naming, &Arc<Memory>) -> Primitive,
    ) -> Result<Storage> {
        if !self.device.capabilities().native_rows {
            let result = Storage::result(&self.device, &Allocation::Result { scalars })?;
            let mut naming = Naming::default();
            let primitive = make(&mut naming, &result);
            let request: Request = naming.bind(&self.device, primitive)?;
            if self.device.backend().overrides(request.primitive()) {
                return self.command(request).map(|()| result);
            }
        }
        let table = table(&self.device)?;
        self.primitive(|naming| make(naming, &table)).map(|()| table)
    }

    fn command(&mut self, request: Request) -> Result<()> {
        match &self.now {
            Some(queue) if self.steps.is_empty() => return queue.perform(request),
            _ => self.steps.push(Step::Primitive(request)),
        }
        Ok(())
    }
}

/// Fails unless two columns have as many rows.
fn equally_long(one: &Memory, other: &Memory, why: &str) -> Result<()> {
    if one.rows == other.rows {
        return Ok(());
    }
    let reason = format!("it has {} rows, the {} {}: {why}", one.rows, other.what, other.rows);
    Err(Error::invalid(&one.what, reason))
}
