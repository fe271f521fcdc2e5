//! Steady state of as many stations of a network as theory knows.

use super::{Load, Stream, closed_product_form, jackson, mg1, mmc, mmck, priority_mg1};
use crate::law::Law;
use crate::measures::Measures;
use crate::network::{Discipline, Network, Overflow, Routing, Station};

/// Largest number of nodes of a network that is analysed beside a run.
const MAX_NODES: usize = 40;

/// Largest product of populations, servers and classes of a closed network that is analysed beside a run.
const MAX_STEPS: u64 = 1 << 16;

/// Returns the exact measures of each station, where theory has them; `None` for other nodes. The analysis is short
/// beside any run, so nothing is known of a network of more than 40 nodes: the list is empty.
///
/// A network of product form is analysed as a whole, also with several classes, delays, shared servers, and servers
/// that every arrival takes. In any other open network, a station to which tokens come from
/// Poisson sources alone is one of M/M/c, M/M/c/K and M/G/1, the last also with priorities (Cobham).
#[must_use]
pub fn known(network: &Network) -> Vec<Option<Measures>> {
    if network.len() > MAX_NODES {
        return vec![];
    }
    let nothing = vec![None; network.len()];
    if network.flows_otherwise() {
        return nothing;
    }
    if !network.has_sources() {
        // A delay counts with a server for each token.
        let most = network.total_tokens();
        let of = |station: Station| u64::from(station.servers).min(most);
        let servers: u64 = (0..network.len() as u32).filter_map(|node| network.station(node)).map(of).sum();
        let populations = (0..network.classes() as u32).map(|class| tokens_of(network, class) + 1);
        let populations = populations.fold(1_u64, u64::saturating_mul);
        let is_short = populations.saturating_mul(servers).saturating_mul(network.classes() as u64) <= MAX_STEPS;
        let found = is_short.then(|| closed_product_form(network).ok()).flatten();
        return found.map_or(nothing, |nodes| nodes.into_iter().map(Some).collect());
    }
    if let Ok(nodes) = jackson(network) {
        return nodes;
    }
    let Ok(load) = Load::of(network) else { return nothing };
    (0..network.len() as u32).map(|node| alone(network, &load, node)).collect()
}

/// Returns the number of tokens of a class at time 0.
fn tokens_of(network: &Network, class: u32) -> u64 {
    (0..network.len() as u32).map(|node| u64::from(network.tokens(node, class))).sum()
}

/// Returns the measures of a station that Poisson sources alone send to.
fn alone(network: &Network, load: &Load, node: u32) -> Option<Measures> {
    let station = network.station(node)?;
    if network.conduct(node).is_some() {
        return None;
    }
    let is_poisson = |source: &u32| {
        let law = network.service(*source, network.source_class(*source)?)?;
        // A random choice of routes divides a Poisson stream into such streams.
        let is_random = network.routing(*source) == Routing::Random;
        (is_random && matches!(network.laws().get(law as usize), Some(Law::Exponential { .. }))).then_some(())
    };
    // A station that blocks holds its sender up; a source cannot be held up.
    let blocks = station.capacity.is_some() && station.overflow == Overflow::Block;
    if blocks || !network.in_neighbours(node).iter().all(|source| is_poisson(source).is_some()) {
        return None;
    }
    let sends_to_blocking = (0..network.classes() as u32).any(|class| {
        let targets = network.routes(node, class).iter().filter_map(|route| network.station(route.to?));
        targets.into_iter().any(|next| next.capacity.is_some() && next.overflow == Overflow::Block)
    });
    if sends_to_blocking {
        return None;
    }
    let classes: Vec<_> =
        (0..network.classes() as u32).filter_map(|class| class_at(network, load, node, class)).collect();
    let (_, all) = classes.iter().copied().reduce(|(priority, sum), (_, more)| (priority, and(sum, more)))?;
    let laws = (0..network.classes() as u32).filter_map(|class| network.service(node, class));
    let is_one_law = { laws.clone().all(|law| Some(law) == laws.clone().next()) };
    let law = network.laws().get(laws.clone().next()? as usize)?;
    let is_exponential = is_one_law && matches!(law, Law::Exponential { .. });
    of_station(&station, all, &classes, is_exponential)
}

/// Returns the measures of a station with these streams, each with its priority, and all of them together.
fn of_station(station: &Station, all: Stream, classes: &[(u32, Stream)], is_exponential: bool) -> Option<Measures> {
    let prefers = station.discipline == Discipline::Priority
        && classes.iter().any(|(priority, _)| classes.first().is_some_and(|(first, _)| first != priority));
    if !station.discipline.is_exact() {
        // M/G/1 whose server is shared, or taken by the last that came, has the number of M/M/1, whatever its law.
        let is_symmetric = matches!(station.discipline, Discipline::ProcessorSharing | Discipline::LifoPreemptive);
        let is_known = is_symmetric && (station.capacity, station.servers) == (None, 1);
        // Nobody waits for a shared server, but for one that is taken away again: theory has no wait here.
        return is_known.then(|| mmc(all.rate, all.mean, 1)).flatten().map(|of| Measures { waiting: None, ..of });
    }
    match (station.capacity, station.servers) {
        (_, Station::INFINITE) => None,
        // With equal laws, the number at the station does not depend on whom it serves first.
        (Some(capacity), servers) if is_exponential => Some(mmck(all.rate, all.mean, servers, capacity).measures),
        (None, servers) if is_exponential => mmc(all.rate, all.mean, servers),
        (None, 1) if prefers => by_priority(classes),
        (None, 1) => mg1(all),
        _ => None,
    }
}

/// Returns the measures of all classes at a single server that serves by priority: those of one priority are a stream.
fn by_priority(classes: &[(u32, Stream)]) -> Option<Measures> {
    let mut ordered = classes.to_vec();
    ordered.sort_by_key(|(priority, _)| *priority);
    let equal = ordered.chunk_by(|(one, _), (other, _)| one == other);
    let streams: Vec<_> = equal.filter_map(|group| group.iter().map(|(_, stream)| *stream).reduce(and)).collect();
    let found = priority_mg1(&streams)?;
    let sum = |of: fn(&Measures) -> f64| found.iter().map(of).sum::<f64>();
    let (throughput, queue_length) = (sum(|of| of.throughput), sum(|of| of.queue_length));
    let number_in_system = sum(|of| of.number_in_system);
    let (waiting, sojourn) = (Some(queue_length / throughput), Some(number_in_system / throughput));
    Some(Measures {
        utilization: sum(|of| of.utilization),
        throughput,
        queue_length,
        number_in_system,
        waiting,
        sojourn,
        waiting_by_little: waiting,
        sojourn_by_little: sojourn,
    })
}

/// Returns the priority and the stream of a class at a station; `None` for one that does not come.
fn class_at(network: &Network, load: &Load, node: u32, class: u32) -> Option<(u32, Stream)> {
    let law = network.laws().get(network.service(node, class)? as usize)?;
    let rate = load.arrival_rate(node, class);
    let stream = Stream { rate, mean: law.mean(), squared_variation: law.squared_variation() };
    (rate > 0.0 && stream.squared_variation.is_finite()).then(|| (network.priority(node, class), stream))
}

/// Returns the stream of two together: the first two moments of its service are the means over both.
fn and(one: Stream, other: Stream) -> Stream {
    let rate = one.rate + other.rate;
    let mean = (one.rate * one.mean + other.rate * other.mean) / rate;
    let second = |of: Stream| of.rate * of.mean * of.mean * (1.0 + of.squared_variation);
    Stream { rate, mean, squared_variation: (second(one) + second(other)) / rate / (mean * mean) - 1.0 }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::config::NetworkConfig;
    use crate::nodes::Busiest;
    use crate::sequential;

    /// Simulates a network of two doors and desks, and compares each node that is known with its interval; returns the
    /// labels of those.
    fn agree(desks: &str) -> Vec<String> {
        let text = format!(
            "[network]
classes = ['a', 'b']
[[network.source]]
name = 'door a'
class = 'a'
rate = 0.3
[[network.source]]
name = 'door b'
class = 'b'
rate = 0.25
{desks}
[[network.route]]
from = 'door a'
to = 'desk'
[[network.route]]
from = 'door b'
to = 'desk'
[[network.route]]
from = 'desk'
to = 'second'
[[network.route]]
from = 'second'
to = 'out'
[run]
horizon = 8000.0
replications = 16
warm_up = 400.0
"
        );
        let experiment = NetworkConfig::from_toml(&text, "t").unwrap().experiment().unwrap();
        let network = &experiment.network;
        let findings = experiment.run_watched(sequential::watched, drop).unwrap();
        let nodes = Busiest::of(network, &findings).unwrap().reports(network, &findings);
        let mut found = vec![];
        for node in nodes {
            for (name, value) in &node.theory {
                let measured = &node.stats[name];
                assert!(measured.covers(*value, 1.7), "{}: {name} {value} {measured:?}", node.name);
            }
            if !node.theory.is_empty() {
                found.push(node.name);
            }
        }
        found.sort();
        found
    }

    const SECOND: &str = "[[network.node]]\nname = 'second'\nmean = 0.5\n";

    #[test]
    fn product_form_knows_every_station() {
        assert_eq!(agree(&format!("[[network.node]]\nname = 'desk'\nmean = 1.0\n{SECOND}")), ["desk", "second"]);
    }

    #[test]
    fn services_of_any_law_and_priorities_are_known_behind_poisson_sources() {
        let desk = "[[network.node]]\nname = 'desk'\nservice = { law = 'erlang', stages = 3, mean = 1.2 }\n";
        assert_eq!(agree(&format!("{desk}{SECOND}")), ["desk"]);
        let desk = "[[network.node]]\nname = 'desk'\ndiscipline = 'priority'\n[network.node.class.a]\nmean = 0.5\npriority = 1\n[network.node.class.b]\nmean = 2.0\n";
        assert_eq!(agree(&format!("{desk}{SECOND}")), ["desk"]);
    }

    #[test]
    fn servers_that_are_shared_or_taken_are_known_behind_poisson_sources() {
        for discipline in ["processor-sharing", "lifo-preemptive"] {
            let desk = format!(
                "[[network.node]]\nname = 'desk'\ndiscipline = '{discipline}'\n[network.node.class.a]\nmean = 0.5\n\
                 [network.node.class.b]\nservice = {{ law = 'erlang', stages = 2, mean = 2.0 }}\n"
            );
            assert_eq!(agree(&format!("{desk}{SECOND}")), ["desk", "second"]);
            // A law that is not exponential, first come, first served, leaves the stations behind Poisson sources.
            let second = "[[network.node]]\nname = 'second'\nservice = { law = 'uniform', low = 0.0, high = 1.0 }\n";
            assert_eq!(agree(&format!("{desk}{second}")), ["desk"]);
        }
        // Of a station that has more than that, or whose arrivals go by the hour, nothing is known.
        let desk = "[[network.node]]\nname = 'desk'\nmean = 1.0\nspeeds = [1.0, 1.5]\n";
        assert_eq!(agree(&format!("{desk}{SECOND}")), [""; 0]);
        let desk = "[[network.node]]\nname = 'desk'\nmean = 1.0\npatience = { mean = 3.0 }\n";
        assert_eq!(agree(&format!("{desk}{SECOND}")), [""; 0]);
    }

    #[test]
    fn a_network_with_shared_servers_and_delays_is_known_as_a_whole() {
        let second = "[[network.node]]\nname = 'second'\nservers = 'infinite'\n[network.node.class.a]\nmean = 1.5\n\
                      [network.node.class.b]\nservice = { law = 'uniform', low = 0.0, high = 4.0 }\n";
        for (discipline, servers) in [("processor-sharing", 2), ("processor-sharing", 1), ("lifo-preemptive", 1)] {
            let desk = format!(
                "[[network.node]]\nname = 'desk'\ndiscipline = '{discipline}'\nservers = {servers}\n\
                 [network.node.class.a]\nmean = 0.5\n\
                 [network.node.class.b]\nservice = {{ law = 'erlang', stages = 2, mean = 2.0 }}\n"
            );
            assert_eq!(agree(&format!("{desk}{second}")), ["desk", "second"], "{discipline}");
        }
    }

    /// The Markov chain of LINE 3.0.8 has 1.2343 of each class at the queue (`docs/compare/peers`).
    #[test]
    fn closed_networks_of_several_classes_are_known() {
        for discipline in ["processor-sharing", "lifo-preemptive"] {
            let text = format!(
                "[network]\nclasses = ['a', 'b']\nedges = [['think', 'queue'], ['queue', 'think']]\n\
                 [[network.node]]\nname = 'think'\nservers = 'infinite'\ntokens = {{ a = 3, b = 3 }}\n\
                 class = {{ a = {{ mean = 2.0 }}, b = {{ mean = 1.0 }} }}\n\
                 [[network.node]]\nname = 'queue'\ndiscipline = '{discipline}'\ntokens = {{ a = 0, b = 0 }}\n\
                 class = {{ a = {{ mean = 0.5 }}, b = {{ mean = 0.25 }} }}\n[run]\nhorizon = 10.0\n"
            );
            let experiment = NetworkConfig::from_toml(&text, "t").unwrap().experiment().unwrap();
            let of = known(&experiment.network).into_iter().map(Option::unwrap).collect::<Vec<_>>();
            assert!((of[1].number_in_system - 2.0 * 1.2343).abs() < 2e-4, "{discipline}: {:?}", of[1]);
            assert!((of[0].number_in_system + of[1].number_in_system - 6.0).abs() < 1e-9);
            assert_eq!((of[0].waiting, of[1].waiting), (None, None));
        }
    }

    #[test]
    fn losses_are_known_and_what_follows_them_is_not() {
        let desk = "[[network.node]]\nname = 'desk'\nmean = 4.0\nservers = 2\ncapacity = 3\n";
        assert_eq!(agree(&format!("{desk}{SECOND}")), ["desk"]);
        let desk =
            "[[network.node]]\nname = 'desk'\nservice = { law = 'uniform', low = 0.0, high = 2.0 }\nservers = 2\n";
        assert_eq!(agree(&format!("{desk}{SECOND}")), [""; 0]);
    }

    #[test]
    fn closed_networks_are_known_if_they_are_small() {
        let torus = |tokens| known(&Network::torus(3, 3, 1 << 20, tokens).unwrap());
        let expected = crate::theory::symmetric(9, 18, 1.0);
        for node in torus(2) {
            assert!((node.unwrap().sojourn.unwrap() - expected.sojourn.unwrap()).abs() < 1e-9);
        }
        assert!(torus(100_000).iter().all(Option::is_none));
    }
}
