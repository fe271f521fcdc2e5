//! How far a launch reaches: its blocks, and the list of its rows.

use super::block::misfit;
use crate::driver::MOST_BLOCKS;
use crate::memory::{Memory, Shape, memory};
use imminent_core::backend::{Buffer, Launch, Subset};
use imminent_core::c_dialect::ROWS_PER_GROUP;
use imminent_core::{Error, Result};
use imminent_ir::{Scalar, Shape as Grouping};

/// The memory of a list of rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed<'l> {
    pub(super) rows: &'l Memory,
    pub(super) count: &'l Memory,
}

/// Blocks of a launch, after checking that its rows can be grouped so, and that a grid has as many.
pub(super) fn blocks(launch: &Launch, shape: Grouping) -> Result<u32> {
    let whole_grid = launch.rows == 0 || (launch.width > 0 && launch.rows.is_multiple_of(launch.width));
    let blocks = match shape {
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
    if blocks > MOST_BLOCKS {
        return Err(Error::Limit {
            what: format!("groups of a launch of kernel `{}`", launch.name),
            requested: u64::from(blocks),
            limit: u64::from(MOST_BLOCKS),
        });
    }
    Ok(blocks)
}

/// Checks that a list has room for the launch's rows, and that its count is there.
pub(super) fn subset<'l>(launch: &Launch, subset: &'l Subset) -> Result<Listed<'l>> {
    let begins_with_u32 = |buffer: &'l Buffer, rows: u32| {
        let memory = memory(buffer)?;
        let fits = matches!(memory.shape, Shape::Table { layout, rows: has, .. }
            if has >= rows && layout.columns.first().is_some_and(|c| !c.lane && c.scalar == Scalar::U32));
        if fits {
            Ok(memory)
        } else {
            misfit(&launch.name, "its list of rows, or their count, is no table of `u32` that is long enough")
        }
    };
    Ok(Listed { rows: begins_with_u32(&subset.rows, launch.rows)?, count: begins_with_u32(&subset.count, 1)? })
}
