//! The paths of flows as trees: flows whose paths begin with the same links share their branches.

use crate::Traffic;
use rayon::slice::ParallelSliceMut;
use std::ops::Range;

/// Link on the paths of flows that all take the same links before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Limb {
    /// Number of the link.
    pub(super) link: u32,
    /// Limb of the previous link.
    pub(super) before: Option<u32>,
    /// Flows, by their positions in the order of routes.
    pub(super) flows: Range<u32>,
    /// Destination of the first flow.
    to: u32,
}

/// Orders flows so that those of a limb are adjacent. Returns the limbs, ordered by link.
pub(super) fn grow(traffic: &Traffic, flows: &mut [u32]) -> (Vec<Limb>, Vec<u32>) {
    let routes = traffic.routes();
    flows.par_sort_unstable_by(|a, b| routes.links(*a).cmp(routes.links(*b)).then(a.cmp(b)));
    let (mut limbs, mut ends): (Vec<Limb>, Vec<u32>) = (Vec::new(), Vec::with_capacity(flows.len()));
    let (mut open, mut last): (Vec<u32>, &[u32]) = (Vec::new(), &[]);
    for (place, &flow) in (0..).zip(flows.iter()) {
        let route = routes.links(flow);
        open.truncate(route.iter().zip(last).take_while(|(a, b)| a == b).count());
        for &link in &route[open.len()..] {
            let before = open.last().copied();
            open.push(limbs.len() as u32);
            let to = traffic.flows().all().get(flow as usize).map_or(0, |flow| flow.to);
            limbs.push(Limb { link, before, flows: place..place, to });
        }
        for &limb in &open {
            limbs[limb as usize].flows.end = place + 1;
        }
        ends.extend(open.last());
        last = route;
    }
    by_link(limbs, ends)
}

/// Sorts the limbs by link, then by destination. Limbs that enter one queue become contiguous, and those from one queue
/// to another mostly too.
fn by_link(limbs: Vec<Limb>, mut ends: Vec<u32>) -> (Vec<Limb>, Vec<u32>) {
    let mut order: Vec<u32> = (0..limbs.len() as u32).collect();
    let key = |&limb: &u32| limbs.get(limb as usize).map(|limb: &Limb| (limb.link, limb.to));
    order.par_sort_by_key(key);
    let mut places = vec![0; limbs.len()];
    (0..).zip(&order).for_each(|(place, &limb)| places[limb as usize] = place);
    let mut limbs: Vec<Option<Limb>> = limbs.into_iter().map(Some).collect();
    let sorted = order.iter().filter_map(|&limb| {
        let limb = limbs[limb as usize].take()?;
        Some(Limb { before: limb.before.map(|before| places[before as usize]), ..limb })
    });
    let sorted = sorted.collect();
    ends.iter_mut().for_each(|end| *end = places[*end as usize]);
    (sorted, ends)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{Flow, Flows, Kind, validation};
    use crate::units::NEVER;
    use crate::{Metric, Tcp};

    #[test]
    fn flows_of_one_sender_share_what_they_begin_with() {
        let mut flows = Flows::new();
        // Host 0 is on router 2; 3 and 5 on 4; 6 on 7.
        for (from, to) in [(0, 6), (0, 3), (1, 3), (0, 5), (0, 6)] {
            flows.add(Flow { from, to, kind: Kind::Tcp { fluid: 1, packets: 0 }, start: 0, stop: NEVER });
        }
        let traffic = Traffic::new(validation::network().unwrap(), flows, Metric::Hops, Tcp::default()).unwrap();
        let mut order: Vec<u32> = (0..5).collect();
        let (limbs, ends) = grow(&traffic, &mut order);
        assert!(limbs.is_sorted_by_key(|limb| limb.link));
        // 0-2-4, and from there to 3, to 5, and over 7 to 6; 1-2-4-3.
        assert_eq!(limbs.len(), 2 + 1 + 1 + 2 + 3);
        for (place, (&flow, &end)) in (0..).zip(order.iter().zip(&ends)) {
            let mut route = Vec::new();
            let mut at = Some(end);
            while let Some(limb) = at {
                let limb = &limbs[limb as usize];
                assert!(limb.flows.contains(&place));
                route.push(limb.link);
                at = limb.before;
            }
            route.reverse();
            assert_eq!(route, traffic.routes().links(flow));
        }
        let most = limbs.iter().map(|limb| limb.flows.len()).max();
        assert_eq!(most, Some(4), "all of host 0");
    }
}
