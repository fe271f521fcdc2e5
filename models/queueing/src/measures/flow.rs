//! Flow of tokens through the whole network, or of a chain of classes in it.

use crate::network::Network;
use crate::outcome::NodeStatistics;
use std::ops::AddAssign;

/// Tokens that came into an open network and that left it, in a span of time or since time 0.
///
/// Engines count no exits. They follow from the balance of the flow: a token that was at a station and has not come to
/// another one has left. A token that passes from node to node in the very last tick has completed its service and not
/// arrived, so it counts as having left until the next look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flow {
    /// Number of tokens that sources emitted.
    pub emitted: u64,
    /// Number of tokens that left the network, after a service or out of patience. Of a single class it is the number
    /// of departures from stations that no arrival in the same class follows, less the arrivals from other classes.
    pub left: i64,
}

impl Flow {
    /// Returns the flow of a network since time 0, from its number of tokens at that time, and from the sums over its
    /// stations and the number of tokens that its sources emitted since then.
    #[must_use]
    pub fn of(tokens: u64, emitted: u64, stations: &NodeStatistics) -> Self {
        if (emitted, stations.arrivals) == (0, 0) {
            // At time 0 the first tokens have not arrived yet.
            return Self::default();
        }
        // Those that lose patience leave the network or go on, as after a service.
        let came = tokens + emitted + stations.completed + stations.reneged;
        Self { emitted, left: came as i64 - stations.arrivals as i64 }
    }

    /// Returns the flow since an earlier time.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self { emitted: self.emitted.saturating_sub(earlier.emitted), left: self.left - earlier.left }
    }
}

impl AddAssign for Flow {
    fn add_assign(&mut self, other: Self) {
        self.emitted += other.emitted;
        self.left += other.left;
    }
}

impl Network {
    /// Returns `true` if the network is open and its tokens are neither divided nor joined nor waiting between nodes. A
    /// simple network is closed: its routes are not searched.
    pub(crate) fn has_flow(&self) -> bool {
        self.simple().is_none() && self.is_open() && !self.divides_tokens()
    }

    /// Returns the chains of classes: sets of classes that turn into each other, each in ascending order, by their
    /// least class. A class that never changes is a chain by itself.
    #[must_use]
    pub fn chains(&self) -> Vec<Vec<u32>> {
        let classes = self.classes() as u32;
        let mut chain: Vec<u32> = (0..classes).collect();
        if classes > 1 {
            for node in 0..self.len() as u32 {
                for class in 0..classes {
                    for to in
                        self.routes(node, class).iter().filter(|route| route.to.is_some()).map(|route| route.class)
                    {
                        let pair = [class, to].map(|of| chain.get(of as usize).copied().unwrap_or(of));
                        let (least, other) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
                        chain.iter_mut().filter(|of| **of == other).for_each(|of| *of = least);
                    }
                }
            }
        }
        let of = |least: u32| (0..classes).filter(|class| chain.get(*class as usize) == Some(&least)).collect();
        (0..classes).map(of).filter(|members: &Vec<u32>| !members.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Law;
    use crate::network::{Builder, Onward, Station};

    #[test]
    fn chains_are_classes_that_turn_into_each_other() {
        let mut clinic = Builder::new();
        let [urgent, mild, kept] = ["urgent", "mild", "kept"].map(|name| clinic.class(name));
        let doctor = clinic.station("doctor", Station::default());
        for class in [urgent, mild] {
            let door = clinic.source(format!("door {class}"), class, Law::Exponential { mean: 9.0 });
            clinic.edge(door, doctor);
        }
        clinic.serve_all(doctor, Law::Exponential { mean: 1.0 });
        clinic.route(doctor, urgent, Onward::to(doctor).becoming(kept));
        clinic.route(doctor, mild, Onward::out()).route(doctor, kept, Onward::out());
        assert_eq!(clinic.build().map(|network| network.chains()), Ok(vec![vec![0, 2], vec![1]]));
    }

    #[test]
    fn tokens_that_have_not_arrived_again_have_left() {
        // Two at the start and five emitted: seven came. Four services were completed, and one token came again.
        let stations = NodeStatistics { arrivals: 8, completed: 4, lost: 2, ..NodeStatistics::default() };
        assert_eq!(Flow::of(2, 5, &stations), Flow { emitted: 5, left: 3 });
        assert_eq!(Flow::of(2, 0, &NodeStatistics::default()), Flow::default());
    }
}
