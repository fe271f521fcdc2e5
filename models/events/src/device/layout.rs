//! Assignment of rows to modules.

use crate::contract::Events;
use crate::kernels::links::{InLink, OutLinks};
use crate::kernels::list::Terms;
use crate::lookahead::Lookahead;
use crate::simulation::{Bounds, Start};
use crate::start_error::StartError;
use imminent_core::Row;
use std::collections::BTreeMap;

/// Rows of all modules. Simulations with equally many modules are interleaved, module by module, because modules with
/// the same number probably behave alike. Among these, simulations that begin with events of the same kinds are
/// neighbours, because they may stay alike.
#[derive(Debug)]
pub(super) struct Layout {
    /// For each simulation, the row of its first module, and the stride to the next.
    first_and_stride: Vec<(u32, u32)>,
    pub(super) rows: usize,
}

impl Layout {
    /// Places the simulations one after another, in their order, each with its modules side by side.
    pub(super) fn in_sequence<E: Events>(starts: &[Start<E>]) -> Result<Layout, StartError> {
        let mut layout = Layout { first_and_stride: Vec::with_capacity(starts.len()), rows: 0 };
        for (simulation, start) in starts.iter().enumerate() {
            start.check(simulation)?;
            let first = u32::try_from(layout.rows).map_err(|_| StartError::TooManyModules)?;
            layout.first_and_stride.push((first, 1));
            layout.rows += start.modules.len();
        }
        u32::try_from(layout.rows).map_err(|_| StartError::TooManyModules)?;
        Ok(layout)
    }

    pub(super) fn of<E: Events>(starts: &[Start<E>]) -> Result<Layout, StartError> {
        let mut alike = BTreeMap::<usize, Vec<usize>>::new();
        for (simulation, start) in starts.iter().enumerate() {
            start.check(simulation)?;
            alike.entry(start.modules.len()).or_default().push(simulation);
        }
        let mut first_and_stride = vec![(0, 0); starts.len()];
        let mut rows = 0_usize;
        for (modules, mut simulations) in alike {
            if E::NAMES.len() > 1 {
                simulations.sort_by_cached_key(|simulation| starts.get(*simulation).map(Start::first_kinds));
            }
            let stride = simulations.len();
            for (place, simulation) in simulations.into_iter().enumerate() {
                first_and_stride[simulation] = ((rows + place) as u32, stride as u32);
            }
            rows += modules * stride;
        }
        match u32::try_from(rows) {
            Ok(_) => Ok(Layout { first_and_stride, rows }),
            Err(_) => Err(StartError::TooManyModules),
        }
    }

    /// Returns the constants of a simulation, whose parameters are in row `point`.
    pub(super) fn terms<E: Events>(&self, simulation: usize, point: u32, start: &Start<E>, most: u32) -> Terms {
        let (first, stride) = self.first_and_stride[simulation];
        let Bounds { modules, lookahead, end } = start.bounds();
        Terms { point, modules, first, stride, most, lookahead, has_links: start.lookahead.has_links(), end }
    }

    /// Returns the links of all modules of simulations, which are given by their numbers of modules and their
    /// lookaheads: those from each row, and those to each row. The latter are empty if no simulation has links.
    pub(super) fn links(&self, all: &[(u32, Lookahead)]) -> (Vec<OutLinks>, Vec<Vec<InLink>>) {
        let have_links = all.iter().any(|(_, lookahead)| lookahead.has_links());
        let mut from = vec![OutLinks::zeroed(0); self.rows];
        let mut to = vec![Vec::new(); if have_links { self.rows } else { 0 }];
        for (simulation, (modules, lookahead)) in all.iter().enumerate() {
            for module in 0..*modules {
                from[self.row(simulation, module)] = lookahead.links_of(module).clone();
            }
            for (module, link) in lookahead.each() {
                let from = self.row(simulation, module) as u32;
                to[self.row(simulation, link.to)].push(InLink { from, lookahead: link.lookahead });
            }
        }
        (from, to)
    }

    pub(super) fn row(&self, simulation: usize, module: u32) -> usize {
        let (first, stride) = self.first_and_stride[simulation];
        (first + module * stride) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lcg::LcgStudy;

    #[test]
    fn simulations_that_begin_alike_are_neighbours() {
        let study = LcgStudy { simulations: 10, modules: 3, generators: 4, ..LcgStudy::default() };
        let layout = Layout::of(&study.starts()).unwrap();
        assert_eq!(layout.rows, 30);
        // Generator 0 has the simulations 0, 4 and 8; generator 1 has 1, 5 and 9; generators 2 and 3 have two each.
        let rows: Vec<usize> = (0..10).map(|simulation| layout.row(simulation, 0)).collect();
        assert_eq!(rows, [0, 3, 6, 8, 1, 4, 7, 9, 2, 5]);
        assert_eq!(layout.row(5, 2), 24);
    }
}
