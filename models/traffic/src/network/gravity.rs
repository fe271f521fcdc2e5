//! Gravity model: nodes with more bandwidth send and receive more.

use super::demand::Demand;
use super::{FlowError, Network};
use crate::units::FASTEST;
use imminent_common::streams::StreamKey;
use rand_core::Rng as _;

/// Largest number of node pairs with a demand: more flows do not fit into any machine.
const MAX_PAIRS: u64 = 400_000_000;

/// Total demand that is spread over pairs of nodes in proportion to the product of their masses.
///
/// The mass of a node is the bandwidth of its outgoing links. A pair takes part if paths lead in both directions,
/// because packets need acknowledgements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gravity {
    /// Sum of all demands, in bits per second.
    pub total: f64,
    /// Largest number of pairs that send; all if not given. If there are more, their list is split into that many
    /// stretches of equal length, and one pair is drawn from each.
    pub pairs: Option<u32>,
    /// Seed of the draw.
    pub seed: u64,
}

/// Demands of the gravity model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spread {
    /// Demands, by sender and receiver.
    pub demands: Vec<Demand>,
    /// Number of pairs of different nodes with paths in both directions.
    pub joined: u64,
    /// Number of pairs of different nodes with links that lack a path in some direction.
    pub apart: u64,
}

impl Gravity {
    /// Spreads the total over the pairs of a network. Rates are whole, so their sum differs from the total by at most
    /// half a bit per second per pair.
    ///
    /// # Errors
    /// [`FlowError::Kind`] for a total that is 0 or too large, for a network in which no two nodes have paths in both
    /// directions, and for too many pairs.
    pub fn spread(&self, network: &Network) -> Result<Spread, FlowError> {
        let wrong = |problem: String| Err(FlowError::Kind { flow: "of the gravity model".to_owned(), problem });
        let Self { total, pairs: most, seed } = *self;
        if !(total >= 1.0 && total <= FASTEST as f64 * 1e6) {
            return wrong(format!("a total of {total} bit/s is not possible: give 1 to {}", FASTEST as f64 * 1e6));
        }
        if most == Some(0) {
            return wrong("0 pairs send nothing: give at least 1".to_owned());
        }
        let parts = network.parts();
        let pairs = Pairs::of(&parts);
        if pairs.count == 0 {
            return wrong(
                "no paths lead from one node to another and back: add links, or make those of a file two-way by --edges two-way ('edges' in [topology])"
                    .to_owned(),
            );
        }
        let chosen = most.map_or(pairs.count, |most| pairs.count.min(u64::from(most)));
        if chosen > MAX_PAIRS {
            return wrong(format!(
                "{chosen} pairs of nodes are too many, {MAX_PAIRS} are possible: give 'pairs' in [traffic], or --pairs"
            ));
        }
        let bandwidth = |link: &u32| network.link(*link).map_or(0, |link| link.bandwidth);
        let mass = |node| network.out_links(node).iter().map(|link| bandwidth(link) as f64).sum::<f64>();
        let masses: Vec<f64> = (0..network.nodes() as u32).map(mass).collect();
        let product = |&(from, to): &(u32, u32)| masses[from as usize] * masses[to as usize];
        let drawn = pairs.draw(chosen, seed);
        let products: f64 = drawn.iter().map(product).sum();
        let demand = |pair: &(u32, u32)| Demand {
            from: pair.0,
            to: pair.1,
            rate: (total * product(pair) / products).round() as u64,
        };
        let linked = (0..network.nodes() as u32).filter(|&node| !network.is_isolated(node)).count() as u64;
        Ok(Spread {
            demands: drawn.iter().map(demand).collect(),
            joined: pairs.count,
            apart: linked * linked.saturating_sub(1) - pairs.count,
        })
    }
}

/// Pairs of different nodes of the same part, by sender and then by receiver.
struct Pairs<'p> {
    parts: &'p [Vec<u32>],
    /// For each sender, in ascending order: its number, its part, and the number of pairs before its own.
    senders: Vec<(u32, u32, u64)>,
    count: u64,
}

impl<'p> Pairs<'p> {
    fn of(parts: &'p [Vec<u32>]) -> Self {
        let of_part =
            |(number, part): (u32, &Vec<u32>)| part.iter().map(move |&node| (node, number)).collect::<Vec<_>>();
        let mut nodes: Vec<(u32, u32)> =
            (0..).zip(parts).filter(|(_, part)| part.len() > 1).flat_map(of_part).collect();
        nodes.sort_unstable();
        let mut count = 0;
        let senders = nodes.into_iter().map(|(node, part)| {
            let before = count;
            count += parts[part as usize].len() as u64 - 1;
            (node, part, before)
        });
        let senders = senders.collect();
        Self { parts, senders, count }
    }

    /// Returns the pair at an index.
    fn at(&self, place: u64) -> (u32, u32) {
        let sender = self.senders.partition_point(|&(_, _, before)| before <= place) - 1;
        let (from, part, before) = self.senders[sender];
        let part = &self.parts[part as usize];
        let place = (place - before) as usize;
        // The sender itself is skipped.
        let own = part.partition_point(|&node| node < from);
        (from, part[place + usize::from(place >= own)])
    }

    /// Draws `chosen` pairs: one from each of `chosen` stretches of nearly equal length.
    fn draw(&self, chosen: u64, seed: u64) -> Vec<(u32, u32)> {
        let mut rng = StreamKey::new(seed, 0).choice(0).generator();
        let start = |stretch: u64| (u128::from(stretch) * u128::from(self.count) / u128::from(chosen)) as u64;
        let one = |stretch: u64| {
            let (first, end) = (start(stretch), start(stretch + 1));
            let within = (u128::from(rng.next_u64()) * u128::from(end - first)) >> 64;
            self.at(first + within as u64)
        };
        (0..chosen).map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{Builder, Discipline, Link, Queue, validation};

    fn all(total: f64) -> Gravity {
        Gravity { total, pairs: None, seed: 1 }
    }

    fn network(nodes: u32, links: &[(u32, u32)], one_way: &[(u32, u32)]) -> Network {
        let mut builder = Builder::new();
        for node in 0..nodes {
            builder.node(node.to_string());
        }
        let queue = Queue::of_bytes(10_000, Discipline::DropTail);
        let link =
            |&(from, to): &(u32, u32)| Link { from, to, delay: 1_000_000, bandwidth: 1_000_000, queue, loss: 0.0 };
        links.iter().for_each(|ends| {
            builder.both_ways(link(ends));
        });
        one_way.iter().for_each(|ends| {
            builder.link(link(ends));
        });
        builder.build().unwrap()
    }

    fn pairs(spread: &Spread) -> Vec<(u32, u32)> {
        spread.demands.iter().map(|demand| (demand.from, demand.to)).collect()
    }

    #[test]
    fn the_total_is_spread_by_the_product_of_masses() {
        let network = validation::network().unwrap();
        let spread = all(1e9).spread(&network).unwrap();
        assert_eq!((spread.demands.len(), spread.joined, spread.apart), (12 * 11, 12 * 11, 0));
        let rate = |ends| spread.demands.iter().find(|demand| (demand.from, demand.to) == ends).unwrap().rate;
        // Nodes 4 and 7 have four links, 0 and 1 have one.
        let ratio = rate((4, 7)) as f64 / rate((0, 1)) as f64;
        assert!((ratio - 16.0).abs() < 1e-4, "{ratio}");
        assert_eq!(rate((4, 0)), rate((0, 4)));
        let total: u64 = spread.demands.iter().map(|demand| demand.rate).sum();
        assert!(total.abs_diff(1_000_000_000) <= 66);
    }

    #[test]
    fn pairs_that_no_path_joins_both_ways_are_passed_over_and_counted() {
        // 0-1-2, 4-5, a path from 5 to 6 and none back, and 3 alone.
        let network = network(7, &[(0, 1), (1, 2), (4, 5)], &[(5, 6)]);
        let spread = all(8e6).spread(&network).unwrap();
        assert_eq!(pairs(&spread), [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (4, 5), (5, 4)]);
        // Of six nodes with links, and so 30 pairs.
        assert_eq!((spread.joined, spread.apart), (8, 22));
        assert_eq!(spread.demands.iter().map(|demand| demand.rate).sum::<u64>(), 8_000_000);
    }

    #[test]
    fn a_ring_of_one_way_links_is_joined_both_ways() {
        let ring = network(5, &[], &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]);
        assert_eq!(all(1e6).spread(&ring).unwrap().demands.len(), 20);
    }

    #[test]
    fn a_draw_is_of_different_pairs_and_keeps_the_total() {
        let path: Vec<(u32, u32)> = (0..99).map(|node| (node, node + 1)).collect();
        let network = network(100, &path, &[]);
        let draw = |pairs, seed| Gravity { total: 1e9, pairs: Some(pairs), seed }.spread(&network).unwrap();
        let some = draw(1000, 1);
        assert_eq!((some.demands.len(), some.joined), (1000, 9900));
        let mut ends = pairs(&some);
        assert!(ends.is_sorted() && ends.iter().all(|(from, to)| from != to));
        ends.dedup();
        assert_eq!(ends.len(), 1000);
        let total: u64 = some.demands.iter().map(|demand| demand.rate).sum();
        assert!(total.abs_diff(1_000_000_000) <= 500, "{total}");
        // Every node sends and receives.
        for node in 0..100 {
            assert!(ends.iter().any(|pair| pair.0 == node) && ends.iter().any(|pair| pair.1 == node), "{node}");
        }
        assert_eq!(draw(1000, 1), some);
        assert_ne!(pairs(&draw(1000, 2)), pairs(&some));
        assert_eq!(draw(9900, 1), all(1e9).spread(&network).unwrap());
        assert_eq!(draw(20_000, 3), all(1e9).spread(&network).unwrap());
    }

    #[test]
    fn totals_and_networks_that_make_no_demands_are_told() {
        let whole = validation::network().unwrap();
        let error = |gravity: Gravity, network: &Network| gravity.spread(network).unwrap_err().to_string();
        for total in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(error(all(total), &whole).contains("is not possible: give 1 to"));
        }
        assert!(
            error(Gravity { pairs: Some(0), ..all(1.0) }, &whole).contains("0 pairs send nothing: give at least 1")
        );
        let expected = "flow of the gravity model: no paths lead from one node to another and back: add links, or";
        assert!(error(all(1.0), &network(2, &[], &[])).starts_with(expected));
        assert!(error(all(1.0), &network(2, &[], &[(0, 1)])).contains("--edges two-way"));
        let path: Vec<(u32, u32)> = (0..20_999).map(|node| (node, node + 1)).collect();
        let long = network(21_000, &path, &[]);
        let many = error(all(1e9), &long);
        assert!(many.contains("440979000 pairs of nodes are too many") && many.contains("--pairs"), "{many}");
        assert_eq!(Gravity { pairs: Some(5), ..all(1e9) }.spread(&long).unwrap().demands.len(), 5);
    }
}
