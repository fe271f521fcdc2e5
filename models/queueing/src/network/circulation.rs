//! Networks in which every token comes to every station again and again, and networks of equal stations.

use super::Network;
use crate::theory::Load;

impl Network {
    /// Largest number of pairs of node and class of which [`circulates`](Self::circulates) follows the routes.
    const MAX_FOLLOWED: usize = 1 << 16;

    /// Returns `true` if the network is closed and any token can come from any pair of station and class to any other.
    /// A token then comes to every station again and again. Returns `false` for a network with too many routes to
    /// follow, unless it is a torus.
    #[must_use]
    pub fn circulates(&self) -> bool {
        if self.as_torus().is_some() {
            return true;
        }
        let classes = self.classes();
        let pairs = self.len() * classes;
        if pairs > Self::MAX_FOLLOWED || self.is_open() {
            return false;
        }
        let served: Vec<bool> =
            (0..pairs).map(|pair| self.service((pair / classes) as u32, (pair % classes) as u32).is_some()).collect();
        let (mut onward, mut backward) = (vec![vec![]; pairs], vec![vec![]; pairs]);
        for from in (0..pairs).filter(|pair| served.get(*pair) == Some(&true)) {
            for route in self.routes((from / classes) as u32, (from % classes) as u32).iter() {
                let Some(to) = route.to.map(|to| to as usize * classes + route.class as usize) else { return false };
                if let (Some(onward), Some(backward)) = (onward.get_mut(from), backward.get_mut(to)) {
                    onward.push(to);
                    backward.push(from);
                }
            }
        }
        let Some(first) = served.iter().position(|served| *served) else { return false };
        reach(first, &onward) == served && reach(first, &backward) == served
    }

    /// Returns `true` if all stations are equal and equally loaded, so that the average station stands for each.
    #[must_use]
    pub fn has_equal_stations(&self) -> bool {
        if self.as_torus().is_some() {
            return true;
        }
        let mut stations = (0..self.len() as u32).filter_map(|node| Some((node, self.station(node)?)));
        let Some((first, station)) = stations.next() else { return false };
        let classes = 0..self.classes() as u32;
        let equal = |(node, other)| {
            other == station && classes.clone().all(|class| self.service(node, class) == self.service(first, class))
        };
        if !stations.all(equal) {
            return false;
        }
        if !self.has_sources() {
            return self.simple().is_some() && self.is_balanced();
        }
        let Ok(load) = Load::of(self) else { return false };
        let of_first = load.utilization(first);
        let is_close = |node: u32| (load.utilization(node) - of_first).abs() <= 1e-9 * of_first;
        (0..self.len() as u32).filter(|node| self.station(*node).is_some()).all(is_close)
    }
}

/// Returns which places can be reached from one.
fn reach(first: usize, next: &[Vec<usize>]) -> Vec<bool> {
    let mut reached = vec![false; next.len()];
    let mut open = vec![first];
    while let Some(at) = open.pop() {
        if reached.get_mut(at).is_some_and(|mark| !std::mem::replace(mark, true)) {
            open.extend(next.get(at).into_iter().flatten());
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::config::{NetworkConfig, OpenConfig, OpenShape};
    use crate::network::Network;

    fn network(text: &str) -> Network {
        let text = format!("[network]\nmean = 1.0\n{text}\n[run]\nhorizon = 10.0\n");
        NetworkConfig::from_toml(&text, "t").unwrap().experiment().unwrap().network
    }

    #[test]
    fn tokens_circulate_where_every_way_leads_back() {
        assert!(Network::torus(3, 2, 1, 1).unwrap().circulates());
        assert!(network("edges = [['a', 'b'], ['b', 'a'], ['b', 'b']]").circulates());
        assert!(!network("edges = [['a', 'b'], ['b', 'b']]").circulates());
        assert!(!network("edges = [['a', 'b'], ['b', 'a'], ['c', 'd'], ['d', 'c']]").circulates());
    }

    #[test]
    fn the_average_station_stands_for_equal_ones_alone() {
        let lines = OpenShape { lines: 2, servers: 3, ..OpenShape::default() };
        let lines = OpenConfig { open: lines, ..OpenConfig::default() }.experiment().unwrap().network;
        assert!(lines.has_equal_stations() && !lines.circulates());
        assert!(network("links = [['a', 'b'], ['b', 'c'], ['c', 'a']]").has_equal_stations());
        // The middle one is busier.
        assert!(!network("links = [['a', 'b'], ['b', 'c']]").has_equal_stations());
        assert!(!network("links = [['a', 'b']]\n[[network.node]]\nname = 'a'\nmean = 2.0").has_equal_stations());
    }
}
