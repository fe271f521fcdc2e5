//! Time before which the events of a module are safe.

use super::lookahead::Lookahead;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Horizons of the modules of a simulation, in ticks: no message before its horizon can still arrive at a module.
#[derive(Debug)]
pub(super) enum Horizons {
    /// Horizon of all modules.
    Common(u64),
    /// Horizon of each module.
    Each(Vec<u64>),
}

impl Horizons {
    /// Computes the horizons; `next` has the time of each module's next event.
    ///
    /// With links, a horizon is the length of the shortest path to the module from any pending event (Dijkstra 1959).
    pub(super) fn new(lookahead: &Lookahead, next: impl Iterator<Item = u64>) -> Self {
        match (lookahead.least(), lookahead.has_links()) {
            (0, _) => Horizons::Common(u64::MAX),
            (least, false) => Horizons::Common(next.min().unwrap_or(u64::MAX).saturating_add(least)),
            (_, true) => Horizons::Each(shortest_paths(lookahead, next.collect())),
        }
    }

    /// Returns the horizon of a module, in ticks.
    pub(super) fn of(&self, module: u32) -> u64 {
        match self {
            Horizons::Common(horizon) => *horizon,
            Horizons::Each(horizons) => horizons.get(module as usize).copied().unwrap_or(u64::MAX),
        }
    }
}

fn shortest_paths(lookahead: &Lookahead, mut earliest: Vec<u64>) -> Vec<u64> {
    let mut horizons = vec![u64::MAX; earliest.len()];
    let mut open: BinaryHeap<_> = (0_u32..).zip(&earliest).map(|(module, time)| Reverse((*time, module))).collect();
    while let Some(Reverse((time, module))) = open.pop() {
        if time > earliest[module as usize] || time == u64::MAX {
            continue;
        }
        for link in lookahead.links_from(module) {
            let (to, arrival) = (link.to as usize, time.saturating_add(link.lookahead));
            horizons[to] = horizons[to].min(arrival);
            if arrival < earliest[to] {
                earliest[to] = arrival;
                open.push(Reverse((arrival, link.to)));
            }
        }
    }
    horizons
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_horizon_is_the_shortest_path_from_any_event() {
        let horizons = |lookahead: &Lookahead, next: [u64; 3]| {
            let horizons = Horizons::new(lookahead, next.into_iter());
            [0, 1, 2].map(|module| horizons.of(module))
        };
        assert_eq!(horizons(&5.into(), [7, 3, 9]), [8; 3]);
        assert_eq!(horizons(&0.into(), [7, 3, 9]), [u64::MAX; 3]);
        let line = Lookahead::of_links([vec![(1, 10)], vec![(0, 10), (2, 100)], vec![(1, 1)]]);
        assert_eq!(horizons(&line, [7, 1000, 1000]), [27, 17, 117]);
        assert_eq!(horizons(&line, [7, 1000, 3]), [14, 4, 104]);
        assert_eq!(horizons(&line, [u64::MAX; 3]), [u64::MAX; 3]);
    }
}
