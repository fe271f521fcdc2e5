//! Statistics of the nodes of a simple network that stay on the device.

use crate::kernels::ending::{NodeEnd, NodeEndColumns as _};
use crate::outcome::{NodeStatistics, NodeTable, Source};
use imminent_core::{Error, Table};

/// Number of rows of which the device finds the greatest busy time.
const SEGMENT: usize = 1 << 10;

/// Statistics of nodes on a device, in any order.
#[derive(Debug)]
pub(super) struct Resident(pub(super) Table<NodeEnd>);

impl Source for Resident {
    fn nodes(&self) -> usize {
        self.0.len()
    }

    fn read(&self) -> Result<NodeTable, Error> {
        Ok(NodeTable::of_ends(self.0.read()?))
    }

    /// Reads the greatest busy time of each segment of rows. As many nodes as there are segments with a greatest time
    /// of at least `t` are busy for `t`, so the nodes that are busy for `t` are few more than asked for.
    fn busiest(&self, most: usize) -> Result<Vec<(u32, NodeStatistics)>, Error> {
        let (ends, device) = (&self.0, self.0.device());
        let Some(last) = most.checked_sub(1) else { return Ok(vec![]) };
        let segments = ends.len().div_ceil(SEGMENT);
        let offsets: Vec<u32> = (0..=segments).map(|segment| (segment * SEGMENT).min(ends.len()) as u32).collect();
        let mut greatest = Table::zeroed(device, segments)?;
        device.queue().segmented_max(ends.busy(), &Table::from_rows(device, &offsets)?, &mut greatest)?;
        let mut greatest: Vec<u64> = greatest.read()?;
        greatest.sort_unstable_by(|a, b| b.cmp(a));
        let enough = greatest.get(last).copied().unwrap_or(0);
        let rows = device.queue().select(ends.busy().at_least(enough)?)?.read()?;
        let mut chosen = Table::zeroed(device, rows.len())?;
        device.queue().gather(&Table::from_rows(device, &rows)?, ends, &mut chosen)?;
        Ok(chosen.read()?.iter().map(|end: &NodeEnd| (end.node, end.into())).collect())
    }
}
