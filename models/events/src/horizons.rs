//! Time before which the events of a module are safe.

use super::lookahead::Lookahead;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Returns the horizon of each module, in ticks: no message before it can still arrive. `next` has the time of each
/// module's next event.
///
/// With links it is the length of the shortest path to the module from any pending event (Dijkstra 1959).
pub(super) fn horizons(lookahead: &Lookahead, next: &[u64]) -> Vec<u64> {
    if lookahead.least() == 0 {
        return vec![u64::MAX; next.len()];
    }
    if !lookahead.has_links() {
        let earliest = next.iter().min().copied().unwrap_or(u64::MAX);
        return vec![earliest.saturating_add(lookahead.least()); next.len()];
    }
    let mut horizons = vec![u64::MAX; next.len()];
    let mut earliest = next.to_vec();
    let mut open: BinaryHeap<_> = (0_u32..).zip(next).map(|(module, time)| Reverse((*time, module))).collect();
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
        assert_eq!(horizons(&5.into(), &[7, 3, 9]), [8, 8, 8]);
        assert_eq!(horizons(&0.into(), &[7, 3]), [u64::MAX; 2]);
        let line = Lookahead::of_links([vec![(1, 10)], vec![(0, 10), (2, 100)], vec![(1, 1)]]);
        assert_eq!(horizons(&line, &[7, 1000, 1000]), [27, 17, 117]);
        assert_eq!(horizons(&line, &[7, 1000, 3]), [14, 4, 104]);
        assert_eq!(horizons(&line, &[u64::MAX; 3]), [u64::MAX; 3]);
    }
}
