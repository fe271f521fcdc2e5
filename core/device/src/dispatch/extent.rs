//! Extent of a launch: its groups, and the list of its rows.

use super::ROWS_PER_GROUP;
use super::bind::misfit;
use imminent_core::backend::{Buffer, DeviceMemory, Launch};
use imminent_core::{Error, Limit, Result};
use imminent_ir::Shape as Grouping;

/// Checks that a launch has at most `most` rows.
///
/// # Errors
/// [`Error::Limit`].
pub fn check_rows(launch: &Launch, most: u32) -> Result<()> {
    if launch.rows <= most {
        return Ok(());
    }
    Err(Error::limit(Limit::LaunchRows { kernel: launch.name.to_owned() }, launch.rows, most))
}

/// Returns the number of groups of a launch. Checks that its rows can be grouped, and that there are at most `most`
/// groups.
///
/// # Errors
/// [`Error::Launch`], [`Error::Limit`].
pub fn groups(launch: &Launch, shape: Grouping, most: u64) -> Result<u32> {
    let whole_grid = launch.rows == 0 || (launch.width > 0 && launch.rows.is_multiple_of(launch.width));
    let groups = match shape {
        Grouping::Rows => launch.rows.div_ceil(ROWS_PER_GROUP),
        _ if launch.subset.is_some() => {
            return misfit(launch.name, "it runs in groups, which a list of rows does not fill");
        }
        Grouping::Tile(..) if !whole_grid => {
            let reason = format!("its {} rows are no grid of {} columns", launch.rows, launch.width);
            return misfit(launch.name, &reason);
        }
        _ => shape.groups(launch.rows, launch.width),
    };
    if u64::from(groups) > most {
        return Err(Error::limit(Limit::LaunchGroups { kernel: launch.name.to_owned() }, groups, most));
    }
    Ok(groups)
}

/// Memory of a list of rows.
#[derive(Debug)]
pub struct Listed<'l, M> {
    /// Numbers of the rows.
    pub rows: &'l M,
    /// Number of leading entries of the list that are valid.
    pub count: &'l M,
}

impl<M> Clone for Listed<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Listed<'_, M> {}

/// Returns the list of a launch over a subset. Checks that it has room for the launch's rows, and that its count
/// exists.
///
/// # Errors
/// [`Error::Launch`].
pub fn listed<M: DeviceMemory>(launch: &Launch) -> Result<Option<Listed<'_, M>>> {
    let Some(subset) = &launch.subset else { return Ok(None) };
    fn checked<'l, M: DeviceMemory>(launch: &Launch, buffer: &'l Buffer, least: u32) -> Result<&'l M> {
        let memory = M::of(buffer)?;
        if memory.shape().begins_with_u32(least) {
            return Ok(memory);
        }
        misfit(launch.name, "its list of rows, or their count, is no table of `u32` that is long enough")
    }
    let (rows, count) = (checked(launch, &subset.rows, launch.rows)?, checked(launch, &subset.count, 1)?);
    Ok(Some(Listed { rows, count }))
}

/// Returns the number of groups to dispatch for `groups`. Over a list these are no more than `most`, which fill the
/// device. There lowered kernels continue from group to group, up to the end of the list that the device finds.
#[must_use]
pub fn launched(groups: u32, listed: bool, most: u32) -> u32 {
    if listed { groups.min(most.max(1)) } else { groups }
}
