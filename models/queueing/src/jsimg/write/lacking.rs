//! Behaviour that JMT lacks.

use crate::network::{Behaviour, Discipline, Interrupted, Network, Role, Routing, Station};

/// Returns the problem with a node that cannot be written for JMT; `None` if it can.
pub(super) fn lacking(network: &Network, node: u32) -> Option<&'static str> {
    let behaviour = network.behaviour(node).cloned().unwrap_or_default();
    let is_pass = network.is_pass(node);
    let of_station = match network.role(node) {
        Role::Station(station) => of_station(network, node, station, &behaviour, is_pass),
        Role::Source => None,
    };
    let has_conditions = (0..network.classes() as u32).any(|class| network.weights(node, class).is_some());
    let of_routes =
        has_conditions.then_some("its routes have conditions, which are not written to JSIMgraph yet: remove them");
    of_station.or_else(|| of_behaviour(&behaviour)).or(of_routes)
}

fn of_station(
    network: &Network,
    node: u32,
    station: Station,
    behaviour: &Behaviour,
    is_pass: bool,
) -> Option<&'static str> {
    let routing = network.routing(node);
    let is_delay = station.servers == Station::INFINITE;
    let problems = [
        (
            routing == Routing::Fork && !is_pass,
            "JMT divides tokens at nodes that they pass: put one with 'pass' behind it for the fork",
        ),
        (
            behaviour.join.is_some() && !is_pass,
            "JMT joins parts at nodes that they pass: put one with 'pass' before it for the join",
        ),
        (
            behaviour.join.is_some() && routing == Routing::Fork,
            "a node of JMT joins parts or divides tokens: use two nodes",
        ),
        (
            matches!(routing, Routing::PowerOf(_)),
            "JMT has no choice of the shortest of some lines: use 'shortest-queue'",
        ),
        (routing == Routing::LeastWork, "JMT has no choice of the least work: use 'shortest-queue'"),
        (
            station.discipline.interrupts() && behaviour.interrupted != Interrupted::Resume,
            "JMT goes on with interrupted services: use 'resume'",
        ),
        (
            station.discipline == Discipline::GeneralizedSharing,
            "jobs of a class share its part of a server of JMT, and do not wait for one another: use 'processor-sharing'",
        ),
        (is_delay && station.capacity.is_some(), "a delay of JMT has no capacity: use a region"),
    ];
    problems.into_iter().find(|(has, _)| *has).map(|(_, problem)| problem)
}

fn of_behaviour(behaviour: &Behaviour) -> Option<&'static str> {
    let arrivals = &behaviour.arrivals;
    let problems = [
        (!behaviour.speeds.is_empty(), "JMT has no speeds that change during a service: remove them"),
        (behaviour.shifts.is_some(), "JMT has no shifts: remove them"),
        (behaviour.breakdowns.is_some(), "JMT has no breakdowns: remove them"),
        (!behaviour.balking.is_empty(), "it has tokens that balk, which are not written to JSIMgraph yet: remove them"),
        (
            !behaviour.pools.is_empty(),
            "it has servers that differ, which are not written to JSIMgraph yet: remove them",
        ),
        (
            behaviour.impatience.iter().any(|impatience| impatience.to.is_some()),
            "impatient jobs of JMT leave the network: remove the node to which they go",
        ),
        (!arrivals.rates.is_empty(), "JMT has no rates by time: give the source a law"),
        (!arrivals.batch.is_empty(), "JMT has no batches of arrivals: put a fork behind the source"),
        (behaviour.bulk.is_some(), "JMT serves no tokens in batches: remove 'bulk'"),
        (
            behaviour.polling.is_some(),
            "its server goes from queue to queue, which is not written to JSIMgraph yet: remove 'polling'",
        ),
        (
            !behaviour.seize.is_empty() || !behaviour.release.is_empty(),
            "it seizes or releases resources, which are not written to JSIMgraph yet: remove them",
        ),
        (arrivals.replay.is_some(), "it replays a table, which is not written to JSIMgraph yet: give the source a law"),
        (arrivals.limit.is_some(), "JMT has no limited number of arrivals: remove it"),
    ];
    problems.into_iter().find(|(has, _)| *has).map(|(_, problem)| problem)
}
