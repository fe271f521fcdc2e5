//! Routing strategies.

use super::JsimgError;
use super::forks::Parts;
use super::parameter::{File, Parameter};
use roxmltree::Node as Element;

/// Rule by which tokens of one class are routed.
#[derive(Clone)]
pub(super) enum Choice<'a> {
    /// Any connection, equally likely.
    Random,
    /// The connections in turn.
    RoundRobin,
    /// Names of nodes, and the number of the class there where it changes, with probabilities.
    Probabilities(Vec<Entry<'a>>),
    /// The connection to the node with the fewest tokens.
    ShortestQueue,
    /// The connection to the node with the shortest mean service.
    FastestService,
    /// Parts along several connections.
    Fork(Parts<'a>),
    /// A strategy that has no counterpart.
    Other(&'a str),
    /// No way on.
    Nowhere,
}

impl Choice<'_> {
    /// Returns `true` if the choice needs no place of its own: it does not depend on the state, or on earlier ones.
    pub(super) fn is_by_chance(&self) -> bool {
        !matches!(self, Self::Fork(_) | Self::ShortestQueue | Self::RoundRobin)
    }
}

/// Reads the rules of a router, by class.
pub(super) fn choices<'a>(
    file: File<'a>,
    described: &str,
    router: Element<'a, 'a>,
    classes: &[String],
) -> Result<Vec<Choice<'a>>, JsimgError> {
    let strategies = Parameter::of(router).find(|parameter| parameter.class() == "RoutingStrategy");
    let Some(strategies) = strategies else { return Ok(vec![Choice::Random; classes.len()]) };
    let choice = |strategy: Option<Parameter<'a>>| {
        let Some(strategy) = strategy else { return Ok(Choice::Random) };
        Ok(match strategy.class() {
            "RandomStrategy" => Choice::Random,
            "RoundRobinStrategy" => Choice::RoundRobin,
            "ShortestQueueLengthRoutingStrategy" => Choice::ShortestQueue,
            "FastestServiceRoutingStrategy" => Choice::FastestService,
            "DisabledRoutingStrategy" => Choice::Nowhere,
            "EmpiricalStrategy" => Choice::Probabilities(entries(file, described, strategy)?),
            "ClassSwitchRoutingStrategy" => Choice::Probabilities(switching(file, described, strategy, classes)?),
            other => Choice::Other(other),
        })
    };
    strategies.by_class(classes).into_iter().map(choice).collect()
}

/// Destination of a route: name of a node, and number of the new class where the class changes; and its probability.
type Entry<'a> = (&'a str, Option<usize>, f64);

/// Reads the entries of probabilities of nodes.
fn entries<'a>(file: File<'a>, described: &str, strategy: Parameter<'a>) -> Result<Vec<Entry<'a>>, JsimgError> {
    let entries = strategy.part("EmpiricalEntryArray").into_iter().flat_map(Parameter::parts);
    let entry = |entry: Parameter<'a>| {
        let name = entry.part("stationName").and_then(Parameter::value).unwrap_or("");
        Ok((name, None, probability(file, described, entry)?))
    };
    entries.map(entry).filter(|entry| !matches!(entry, Ok((.., probability)) if *probability == 0.0)).collect()
}

/// Reads the entries of probabilities of nodes, each with probabilities of the classes there.
fn switching<'a>(
    file: File<'a>,
    described: &str,
    strategy: Parameter<'a>,
    classes: &[String],
) -> Result<Vec<Entry<'a>>, JsimgError> {
    let mut all = vec![];
    for entry in strategy.part("ClassSwitchRoutingParameterArray").into_iter().flat_map(Parameter::parts) {
        let name = entry.part("stationName").and_then(Parameter::value).unwrap_or("");
        let goes = probability(file, described, entry)?;
        for switch in entry.part("EmpiricalEntryArray").into_iter().flat_map(Parameter::parts) {
            let class = switch.part("className").and_then(Parameter::value).unwrap_or("");
            let becomes = classes.iter().position(|known| known == class).ok_or_else(|| {
                file.wrong(
                    switch.element,
                    described,
                    format!("a route leads to a class '{class}' that is not declared"),
                )
            })?;
            let share = goes * probability(file, described, switch)?;
            if share > 0.0 {
                all.push((name, Some(becomes), share));
            }
        }
    }
    Ok(all)
}

/// Reads the probability that is part of an entry.
fn probability(file: File<'_>, described: &str, entry: Parameter<'_>) -> Result<f64, JsimgError> {
    let text = entry.part("probability").and_then(Parameter::value).unwrap_or("");
    text.parse().ok().filter(|p: &f64| (0.0..=1.0 + 1e-6).contains(p)).ok_or_else(|| {
        file.wrong(entry.element, described, format!("a probability of a route is '{text}': give a number from 0 to 1"))
    })
}
