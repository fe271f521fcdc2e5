//! How far a launch reaches: its groups, and the list of its rows.

use super::block::misfit;
use crate::device::Context;
use crate::memory::{Segment, Shape, memory};
use crate::wgsl::ROWS_PER_GROUP;
use imminent_core::backend::{Buffer, Launch, Subset};
use imminent_core::{Error, Result};
use imminent_ir::{Scalar, Shape as Grouping};

/// The memory of a list of rows.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) rows: Segment,
    pub(super) count: Segment,
}

/// Workgroups of a launch, after checking that its rows can be grouped so, and that the device dispatches as many.
pub(super) fn groups(context: &Context, launch: &Launch, shape: Grouping) -> Result<u32> {
    let whole_grid = launch.rows == 0 || (launch.width > 0 && launch.rows.is_multiple_of(launch.width));
    let groups = match shape {
        Grouping::Rows => launch.rows.div_ceil(ROWS_PER_GROUP),
        _ if launch.subset.is_some() => {
            return misfit(&launch.name, "it runs in groups, which a list of rows does not fill");
        }
        Grouping::Tile(..) if !whole_grid => {
            let reason = format!("its {} rows are no grid of {} columns", launch.rows, launch.width);
            return misfit(&launch.name, &reason);
        }
        _ => shape.groups(launch.rows, launch.width),
    };
    let most = u64::from(context.limits.groups) * u64::from(context.limits.groups);
    if u64::from(groups) > most {
        return Err(Error::Limit {
            what: format!("groups of a launch of kernel `{}`", launch.name),
            requested: u64::from(groups),
            limit: most,
        });
    }
    Ok(groups)
}

/// Checks that a list has room for the launch's rows, and that its count is there.
pub(super) fn subset(launch: &Launch, subset: &Subset) -> Result<Listed> {
    // The first column lies in the first piece of a table.
    let first_piece = |buffer: &Buffer, rows: u32| {
        let memory = memory(buffer)?;
        let fits = matches!(memory.shape, Shape::Table { layout, rows: has, .. }
            if has >= rows && layout.columns.first().is_some_and(|c| !c.lane && c.scalar == Scalar::U32));
        match memory.segments.first() {
            Some(segment) if fits => Ok(segment.clone()),
            _ => misfit(&launch.name, "its list of rows, or their count, is no table of `u32` that is long enough"),
        }
    };
    Ok(Listed { rows: first_piece(&subset.rows, launch.rows)?, count: first_piece(&subset.count, 1)? })
}
