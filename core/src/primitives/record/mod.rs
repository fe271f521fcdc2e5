//! Recording of primitives: the checks that no type can make, and where the results go.

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
    exclusive_scan, find_imminents, find_min_time, inclusive_scan, select, select_into, sort, sort_by_key,
};

use super::portable;
use super::request::{Naming, Request};
use crate::backend::Primitive;
use crate::error::{Error, Result};
use crate::program::{ProgramBuilder, Step};
use crate::table::Memory;

impl ProgramBuilder {
    /// Records a primitive: as one command where the backend has it, else as the launches of its portable form. What is put on a
    /// queue now is not kept first.
    pub(in crate::primitives) fn primitive(&mut self, make: impl FnOnce(&mut Naming) -> Primitive) -> Result<()> {
        let mut naming = Naming::default();
        let primitive = make(&mut naming);
        let request: Request = naming.bind(&self.device, primitive)?;
        if self.device.backend().overrides(request.primitive()) {
            match &self.now {
                Some(queue) if self.steps.is_empty() => return queue.perform(request),
                _ => self.steps.push(Step::Primitive(request)),
            }
            Ok(())
        } else {
            portable::record(self, &request)
        }
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
