//! How far a launch reaches: its groups, and the list of its rows.

use super::block::misfit;
use crate::memory::{Shape, WordBuffer, memory};
use imminent_core::Result;
use imminent_core::backend::{Buffer, Launch, Subset};
use imminent_core::c_dialect::ROWS_PER_GROUP;
use imminent_ir::{Scalar, Shape as Grouping};
use std::sync::Arc;

/// The memory of a list of rows.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) rows: Arc<WordBuffer>,
    pub(super) count: Arc<WordBuffer>,
}

/// Work-groups of a launch, after checking that its rows can be grouped so.
pub(super) fn groups(launch: &Launch, shape: Grouping) -> Result<u32> {
    let whole_grid = launch.rows == 0 || (launch.width > 0 && launch.rows.is_multiple_of(launch.width));
    match shape {
        Grouping::Rows => Ok(launch.rows.div_ceil(ROWS_PER_GROUP)),
        _ if launch.subset.is_some() => misfit(&launch.name, "it runs in groups, which a list of rows does not fill"),
        Grouping::Tile(..) if !whole_grid => {
            let reason = format!("its {} rows are no grid of {} columns", launch.rows, launch.width);
            misfit(&launch.name, &reason)
        }
        _ => Ok(shape.groups(launch.rows, launch.width)),
    }
}

/// Checks that a list has room for the launch's rows, and that its count is there.
pub(super) fn subset(launch: &Launch, subset: &Subset) -> Result<Listed> {
    let begins_with_u32 = |buffer: &Buffer, rows: u32| match memory(buffer)?.shape {
        Shape::Table { layout, rows: has, .. } => {
            Ok(has >= rows && layout.columns.first().is_some_and(|c| !c.lane && c.scalar == Scalar::U32))
        }
        Shape::Tally { .. } | Shape::Result { .. } => misfit(&launch.name, "its list of rows is no table"),
    };
    if !begins_with_u32(&subset.rows, launch.rows)? || !begins_with_u32(&subset.count, 1)? {
        return misfit(&launch.name, "its list of rows, or their count, is no table of `u32` that is long enough");
    }
    Ok(Listed { rows: memory(&subset.rows)?.buffer.clone(), count: memory(&subset.count)?.buffer.clone() })
}
