//! Failures of links: times during which a link carries nothing.

use super::Network;
use super::error::NetworkError;
use crate::units::{NEVER, seconds};
use std::collections::BTreeSet;

/// Largest number of failures. Links between two nodes that fail at the same times, as those there and back do, are one
/// failure. All routes are found anew after each.
pub const MAX_FAILURES: usize = 10_000;

/// Time during which a link carries nothing, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Failure {
    /// Number of the link.
    pub link: u32,
    /// Time from which the link carries nothing.
    pub start: u64,
    /// Time from which it carries packets again.
    pub stop: u64,
}

/// Failures of the links of a network, and the time after which routes avoid them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Failures {
    /// Failures by link and time. Those of one link do not touch.
    all: Vec<Failure>,
    /// Time from a change of a link to the routes that take account of it, in nanoseconds.
    convergence: u64,
}

impl Failures {
    /// Creates the failures of a network. Failures of one link that overlap or touch are one.
    ///
    /// # Errors
    /// [`NetworkError::NoSuchLink`] for a link that does not exist; [`NetworkError::FailureTimes`] for a failure that
    /// does not end after its start; [`NetworkError::TooManyFailures`] for more than [`MAX_FAILURES`].
    pub fn new(network: &Network, mut failures: Vec<Failure>, convergence: u64) -> Result<Self, NetworkError> {
        check_links(network, &failures)?;
        let count = count(network, &failures);
        if count > MAX_FAILURES {
            return Err(NetworkError::TooManyFailures { count, most: MAX_FAILURES });
        }
        for &Failure { link, start, stop } in &failures {
            if stop <= start {
                let [from, to] = network.ends(link);
                return Err(NetworkError::FailureTimes { from, to, start: seconds(start), stop: seconds(stop) });
            }
        }
        failures.sort_unstable();
        let mut all: Vec<Failure> = Vec::with_capacity(failures.len());
        for failure in failures {
            match all.last_mut().filter(|last| last.link == failure.link && failure.start <= last.stop) {
                Some(last) => last.stop = last.stop.max(failure.stop),
                None => all.push(failure),
            }
        }
        Ok(Self { all, convergence })
    }

    /// Checks that a network has the links that fail.
    pub(crate) fn check(&self, network: &Network) -> Result<(), NetworkError> {
        check_links(network, &self.all)
    }

    /// Returns the failures by link and time.
    #[must_use]
    pub fn all(&self) -> &[Failure] {
        &self.all
    }

    /// Returns `true` if no link fails.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns the times at which routes change, each with the links that they avoid from then on. Both are in
    /// ascending order.
    pub fn changes(&self) -> impl Iterator<Item = (u64, Vec<u32>)> {
        let ends = |failure: &Failure| [(failure.start, failure.link, true), (failure.stop, failure.link, false)];
        let mut ends: Vec<_> = self.all.iter().flat_map(ends).filter(|(time, ..)| *time != NEVER).collect();
        ends.sort_unstable();
        let (mut ends, mut down) = (ends.into_iter().peekable(), BTreeSet::new());
        let convergence = self.convergence;
        std::iter::from_fn(move || {
            let (time, ..) = *ends.peek()?;
            while let Some((_, link, fails)) = ends.next_if(|(end, ..)| *end == time) {
                let _ = if fails { down.insert(link) } else { down.remove(&link) };
            }
            Some((time.saturating_add(convergence), down.iter().copied().collect()))
        })
    }
}

fn check_links(network: &Network, failures: &[Failure]) -> Result<(), NetworkError> {
    let links = network.links().len();
    let stray = failures.iter().find(|failure| failure.link as usize >= links);
    stray.map_or(Ok(()), |failure| Err(NetworkError::NoSuchLink { link: failure.link, links }))
}

/// Returns the number of failures; links between two nodes that fail at the same times are one.
fn count(network: &Network, failures: &[Failure]) -> usize {
    let ends = |link: u32| network.link(link).map(|link| (link.from.min(link.to), link.from.max(link.to)));
    let mut together: Vec<_> =
        failures.iter().map(|failure| (ends(failure.link), failure.start, failure.stop)).collect();
    together.sort_unstable();
    together.dedup();
    together.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::validation;
    use crate::{Metric, Tcp, Traffic};

    #[test]
    fn failures_of_one_link_are_merged_and_routes_follow_later() {
        let network = validation::network().unwrap();
        let failure = |link, start, stop| Failure { link, start, stop };
        let of = |all: &[Failure]| Failures::new(&network, all.to_vec(), 5);
        let failures = of(&[failure(3, 20, 30), failure(1, 10, 20), failure(3, 10, 15), failure(3, 15, 18)]).unwrap();
        assert_eq!(failures.all(), [failure(1, 10, 20), failure(3, 10, 18), failure(3, 20, 30)]);
        let changes: Vec<_> = failures.changes().collect();
        assert_eq!(changes, [(15, vec![1, 3]), (23, vec![1]), (25, vec![3]), (35, vec![])]);
        // One ends when another begins, and one lasts.
        let failures = of(&[failure(0, 10, 20), failure(2, 20, NEVER)]).unwrap();
        assert_eq!(failures.changes().collect::<Vec<_>>(), [(15, vec![0]), (25, vec![2])]);
        let error = of(&[failure(22, 1, 2)]).unwrap_err().to_string();
        assert_eq!(error, "link 22 fails, and the network has links 0 to 21: name one of them");
        // Links 0 and 1 join the same nodes: both fail 10,000 times at most, as one failure each time.
        let both = |count: u64| {
            let times = (0..count).map(|time| 10 * time);
            times.flat_map(|start| [0, 1].map(|link| failure(link, start, start + 5))).collect::<Vec<_>>()
        };
        assert_eq!(of(&both(10_000)).unwrap().all().len(), 20_000);
        let error = of(&both(10_001)).unwrap_err().to_string();
        assert_eq!(error, "there are 10001 failures of links, more than the limit of 10000: give fewer");
        let traffic = Traffic::new(network.clone(), validation::packet_flows().unwrap(), Metric::Hops, Tcp::default());
        let other = Failures { all: vec![failure(22, 1, 2)], convergence: 0 };
        let error = traffic.unwrap().with_failures(other).unwrap_err().to_string();
        assert_eq!(error, "link 22 fails, and the network has links 0 to 21: name one of them");
        let error = of(&[failure(0, 2_000_000_000, 2_000_000_000)]).unwrap_err().to_string();
        assert_eq!(error, "the link from '0' to '2' fails from 2 s to 2 s: a failure stops after its start");
    }
}
