//! Tables of the links between modules.

use super::uploads::table;
use crate::kernels::links::{self, Bound, InLink, InLinks, OutLinks};
use crate::kernels::list::{Earliest, Owner, Terms};
use imminent_core::{Device, ProgramBuilder, Result, Table};

/// Pairs of relaxations before each step.
const PAIRS: usize = 2;

/// Links between the modules of simulations, and the bounds that follow from them.
#[derive(Debug)]
pub struct Links {
    /// Links from each module to others, which messages are checked against.
    pub out: Table<OutLinks>,
    /// Ranges of the links to each module; empty if no simulation has links.
    ranges: Table<InLinks>,
    /// Links, by the modules that they lead to.
    links: Table<InLink>,
    bounds: [Table<Bound>; 2],
}

impl Links {
    /// Creates the links from each row, and those to each row; the latter are empty if no simulation has links.
    pub(super) fn new(device: &Device, (out, to): (Vec<OutLinks>, Vec<Vec<InLink>>)) -> Result<Self> {
        // More links than a table can have are an error here, before they are numbered.
        let links = Table::from_rows(device, &to.concat())?;
        let mut end = 0;
        let range = |links: &Vec<InLink>| {
            let first = end;
            end += links.len() as u32;
            InLinks { first, end }
        };
        let ranges: Vec<_> = to.iter().map(range).collect();
        Ok(Links {
            out: table(device, out)?,
            bounds: [Table::zeroed(device, ranges.len())?, Table::zeroed(device, ranges.len())?],
            ranges: Table::from_rows(device, &ranges)?,
            links,
        })
    }

    /// Returns `true` if any simulation has links.
    #[must_use]
    pub fn exist(&self) -> bool {
        !self.ranges.is_empty()
    }

    /// Returns the bounds of modules; none if no simulation has links.
    #[must_use]
    pub fn bounds(&self) -> &Table<Bound> {
        &self.bounds[0]
    }

    /// Records relaxations of the bounds, for the earliest events of modules and of simulations.
    pub(super) fn record(
        &mut self,
        step: &mut ProgramBuilder,
        earliest: &Table<Earliest>,
        owners: &Table<Owner>,
        terms: &Table<Terms>,
        windows: &Table<Earliest>,
    ) -> Result<()> {
        let Links { ranges, links, bounds: [now, other], .. } = self;
        for _ in 0..if ranges.is_empty() { 0 } else { PAIRS } {
            step.launch::<links::relax>((&mut *other, earliest, &*ranges, owners, &*now, &*links, terms, windows))?;
            step.launch::<links::relax>((&mut *now, earliest, &*ranges, owners, &*other, &*links, terms, windows))?;
        }
        Ok(())
    }
}
