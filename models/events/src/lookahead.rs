//! Least delays of events between modules.

use super::kernels::links::{Link, OutLinks};
use super::start_error::StartError;
use imminent_core::Row;
use std::sync::Arc;

/// Least delay of events that modules send to each other, in ticks. A greater lookahead allows more parallelism.
///
/// A number holds for all modules: `lookahead: 5.into()`. With 0, no module sends events to others. If only some
/// modules send to each other, or if delays differ, [`of_links`](Lookahead::of_links) declares each link. Modules that
/// are far apart then do not wait for each other. Outcomes do not depend on it.
///
/// ```
/// use imminent_events::Lookahead;
///
/// // Module 0 sends to module 1, after 5 ticks at least, and module 1 to modules 0 and 2.
/// let lookahead = Lookahead::of_links([vec![(1, 5)], vec![(0, 5), (2, 100)], vec![]]);
/// assert_eq!(lookahead.least(), 5);
/// ```
#[derive(Clone, Debug)]
pub struct Lookahead {
    least: u64,
    links: Option<Arc<[OutLinks]>>,
    /// Links of a module if none are declared.
    any: OutLinks,
}

impl From<u64> for Lookahead {
    fn from(least: u64) -> Self {
        Lookahead { least, links: None, any: OutLinks::zeroed(0) }
    }
}

impl Lookahead {
    /// Declares the links of each module: the modules that it sends events to, each with the least delay of these
    /// events in ticks, above 0. Of several links to a module the one with the least delay counts. A module needs no
    /// link to itself.
    #[must_use]
    pub fn of_links<M>(modules: impl IntoIterator<Item = M>) -> Self
    where
        M: IntoIterator<Item = (u32, u64)>,
    {
        let row = |(module, links): (u32, M)| {
            let links = links.into_iter().filter(|(to, _)| *to != module);
            let mut links: Vec<_> = links.map(|(to, lookahead)| Link { to, lookahead }).collect();
            links.sort_unstable_by_key(|link| (link.to, link.lookahead));
            links.dedup_by_key(|link| link.to);
            OutLinks { links: links.into() }
        };
        let links: Arc<[OutLinks]> = (0..).zip(modules).map(row).collect();
        let least = links.iter().flat_map(of_row).map(|link| link.lookahead).min();
        Lookahead { least: least.unwrap_or(0), links: Some(links), any: OutLinks::zeroed(0) }
    }

    /// Returns the least delay of any sent event, in ticks; 0 if none is sent.
    #[must_use]
    pub fn least(&self) -> u64 {
        self.least
    }

    /// Returns `true` if links are declared.
    #[must_use]
    pub fn has_links(&self) -> bool {
        self.links.is_some()
    }

    /// Returns the links of a module; none if no links are declared.
    pub(super) fn links_of(&self, module: u32) -> &OutLinks {
        self.links.as_deref().and_then(|links| links.get(module as usize)).unwrap_or(&self.any)
    }

    /// Returns the declared links from a module.
    pub(super) fn links_from(&self, module: u32) -> impl Iterator<Item = Link> + '_ {
        of_row(self.links_of(module))
    }

    /// Returns the declared links, each with the number of its sender.
    pub(super) fn each(&self) -> impl Iterator<Item = (u32, Link)> + '_ {
        let rows = (0..).zip(self.links.iter().flat_map(|links| links.iter()));
        rows.flat_map(|(module, row)| of_row(row).map(move |link| (module, link)))
    }

    /// Checks that all modules of a simulation have links, to modules that exist.
    pub(super) fn check(&self, simulation: usize, modules: usize) -> Result<(), StartError> {
        let Some(links) = &self.links else { return Ok(()) };
        if links.len() != modules {
            return Err(StartError::LinksOfOtherModules { simulation, lists: links.len(), modules });
        }
        match self.each().find(|(_, link)| link.to as usize >= modules || link.lookahead == 0) {
            Some((module, Link { to, lookahead: 0 })) => Err(StartError::NoLookahead { simulation, module, to }),
            Some((module, Link { to, .. })) => Err(StartError::NoSuchNeighbour { simulation, module, to, modules }),
            None => Ok(()),
        }
    }
}

fn of_row(row: &OutLinks) -> impl Iterator<Item = Link> + '_ {
    (0..row.links.capacity()).map(|place| row.links.get(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_sorted_and_the_shortest_of_several_counts() {
        let lookahead = Lookahead::of_links([vec![(2, 9), (1, 8), (2, 7), (0, 1)], vec![], vec![(0, 10)]]);
        let links: Vec<_> = lookahead.each().map(|(from, link)| (from, link.to, link.lookahead)).collect();
        assert_eq!(links, [(0, 1, 8), (0, 2, 7), (2, 0, 10)]);
        assert_eq!(lookahead.least(), 7);
        assert_eq!(lookahead.links_of(0).lookahead_to(2), 7);
        assert_eq!(lookahead.links_of(1).lookahead_to(2), 0);
        assert_eq!(Lookahead::of_links([[(0, 1)]]).least(), 0);
    }

    #[test]
    fn links_must_lead_to_modules() {
        let check = |lists: Vec<Vec<(u32, u64)>>| Lookahead::of_links(lists).check(3, 2).unwrap_err().to_string();
        assert!(check(vec![vec![]]).starts_with("simulation 3 has 2 modules, and its lookahead links of 1"));
        assert!(check(vec![vec![], vec![(2, 5)]]).starts_with("simulation 3, module 1: a link leads to module 2"));
        assert!(check(vec![vec![(1, 0)], vec![]]).starts_with("simulation 3, module 0: the link to module 1 has"));
    }
}
