//! Assignment of rows to modules.

use super::order::Order;
use crate::contract::Events;
use crate::kernels::links::{InLink, OutLinks};
use crate::kernels::list::Terms;
use crate::lookahead::Lookahead;
use crate::simulation::{Bounds, Start};
use crate::start_error::StartError;
use imminent_core::Row;
use imminent_core::backend::GROUP_ROWS;
use std::collections::BTreeMap;

/// Rows of all modules.
#[derive(Debug)]
pub(super) struct Layout {
    /// For each simulation, the row of its first module, and the stride to the next.
    first_and_stride: Vec<(u32, u32)>,
    pub(super) order: Order,
    pub(super) rows: usize,
}

impl Layout {
    /// Places simulations, each of which has [`GROUP_ROWS`] modules at most if they are to lie in groups.
    pub(super) fn of<E: Events>(starts: &[Start<E>], order: Order) -> Result<Layout, StartError> {
        let mut alike = BTreeMap::<usize, Vec<usize>>::new();
        for (simulation, start) in starts.iter().enumerate() {
            start.check(simulation)?;
            let modules = if order == Order::InSequence { 0 } else { start.modules.len() };
            alike.entry(modules).or_default().push(simulation);
        }
        let (mut first_and_stride, mut rows) = (vec![(0, 0); starts.len()], 0_usize);
        for (modules, mut simulations) in alike {
            if E::NAMES.len() > 1 && order != Order::InSequence {
                simulations.sort_by_cached_key(|simulation| starts.get(*simulation).map(Start::first_kinds));
            }
            let group = GROUP_ROWS as usize;
            let side_by_side = match order {
                Order::InSequence => 1,
                Order::Interleaved => simulations.len(),
                Order::InGroups { spread } => starts.len().div_ceil(spread).min(group / modules.max(1)),
            };
            for neighbours in simulations.chunks(side_by_side.max(1)) {
                if order.is_in_groups() {
                    rows = rows.next_multiple_of(group);
                }
                for (place, simulation) in neighbours.iter().enumerate() {
                    first_and_stride[*simulation] = ((rows + place) as u32, neighbours.len() as u32);
                }
                rows += neighbours.iter().map(|simulation| starts[*simulation].modules.len()).sum::<usize>();
            }
        }
        match u32::try_from(rows) {
            Ok(_) => Ok(Layout { first_and_stride, order, rows }),
            Err(_) => Err(StartError::TooManyModules),
        }
    }

    /// Returns the constants of a simulation, whose parameters are in row `point`.
    pub(super) fn terms<E: Events>(&self, simulation: usize, point: u32, start: &Start<E>, most: u32) -> Terms {
        let (first, stride) = self.first_and_stride[simulation];
        let Bounds { modules, lookahead, end } = start.bounds();
        let window = if self.order.is_in_groups() { first } else { simulation as u32 };
        let has_links = start.lookahead.has_links();
        Terms { point, modules, first, stride, window, most, lookahead, has_links, end }
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
        let layout = Layout::of(&study.starts(), Order::Interleaved).unwrap();
        assert_eq!(layout.rows, 30);
        // Generator 0 has the simulations 0, 4 and 8; generator 1 has 1, 5 and 9; generators 2 and 3 have two each.
        let rows: Vec<usize> = (0..10).map(|simulation| layout.row(simulation, 0)).collect();
        assert_eq!(rows, [0, 3, 6, 8, 1, 4, 7, 9, 2, 5]);
        assert_eq!(layout.row(5, 2), 24);
    }

    #[test]
    fn simulations_lie_within_groups() {
        let study = LcgStudy { simulations: 7, generators: 1, ..LcgStudy::default() };
        let starts = [100, 60].map(|modules| LcgStudy { modules, ..study }.starts()).concat();
        let layout = |spread| Layout::of(&starts, Order::InGroups { spread }).unwrap();
        let rows = |layout: &Layout, simulation, modules: u32| [0, 1, modules - 1].map(|m| layout.row(simulation, m));
        // Groups have four simulations of 60 modules, and three of them; then two of 100 modules, three times, and one.
        let together = layout(1);
        assert_eq!(together.rows, 5 * 256 + 100);
        assert_eq!([rows(&together, 8, 60), rows(&together, 11, 60)], [[1, 5, 237], [256, 259, 433]]);
        assert_eq!(rows(&together, 1, 100), [513, 515, 711]);
        let apart = layout(256);
        assert_eq!((apart.rows, rows(&apart, 1, 100)), (13 * 256 + 100, [8 * 256, 8 * 256 + 1, 8 * 256 + 99]));
    }
}
