//! Forks and joins.

use super::JsimgError;
use super::parameter::{File, Parameter};
use crate::network::Join;
use roxmltree::Node as Element;

/// Largest number of parts that a fork sends along one connection: 1,000.
const MOST_PARTS: i64 = 1_000;

/// Parts into which a fork divides a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Parts<'a> {
    /// Number of parts along each connection.
    Each(u32),
    /// Names of nodes, and the number of parts to each.
    To(Vec<(&'a str, u32)>),
}

/// Reads the parts into which a fork divides tokens, by class; or why the fork has no counterpart.
pub(super) fn parts<'a>(
    file: File<'a>,
    described: &str,
    fork: Element<'a, 'a>,
    classes: &[String],
) -> Result<(Vec<Parts<'a>>, Option<String>), JsimgError> {
    let find = |name: &str| Parameter::of(fork).find(|parameter| parameter.name() == name);
    let limit = find("block").and_then(Parameter::value);
    let mut obstacle = limit
        .is_some_and(|limit| !limit.starts_with('-'))
        .then(|| "a fork that limits the tokens in its parts has no counterpart here".to_owned());
    let each = find("jobsPerLink").map_or(Ok(1), |parameter| number(file, described, parameter))?;
    let strategies =
        find("ForkStrategy").filter(|_| find("isSimplifiedFork").and_then(Parameter::value) == Some("false"));
    let Some(strategies) = strategies else { return Ok((vec![Parts::Each(each); classes.len()], obstacle)) };
    let mut parts = vec![];
    for strategy in strategies.by_class(classes) {
        let Some(strategy) = strategy else {
            parts.push(Parts::Each(each));
            continue;
        };
        match branches(file, described, strategy)? {
            Some(branches) => parts.push(Parts::To(branches)),
            None => {
                parts.push(Parts::Each(each));
                obstacle = Some(
                    "a fork whose parts are chosen by chance, or change their class, has no counterpart here"
                        .to_owned(),
                );
            }
        }
    }
    Ok((parts, obstacle))
}

/// Reads a strategy with branches that are always taken, each by a fixed number of parts; `None` for any other.
fn branches<'a>(
    file: File<'a>,
    described: &str,
    strategy: Parameter<'a>,
) -> Result<Option<Vec<(&'a str, u32)>>, JsimgError> {
    if strategy.class() != "ProbabilitiesFork" {
        return Ok(None);
    }
    let mut branches = vec![];
    for branch in strategy.parts().flat_map(Parameter::parts) {
        let choice = branch.part("outUnitProbability");
        let of_choice = |name: &str| choice.and_then(|choice| choice.part(name)?.value());
        let probability = of_choice("probability").and_then(|text| text.parse::<f64>().ok());
        let counts: Vec<_> = branch
            .part("JobsPerLinkDis")
            .into_iter()
            .flat_map(Parameter::parts)
            .filter(|count| !is_impossible(*count))
            .collect();
        match (of_choice("stationName"), probability, counts.as_slice()) {
            (Some(_), Some(0.0), _) => {}
            (Some(name), Some(1.0), [count]) => {
                if let Some(count) = count.part("numbers") {
                    branches.push((name, number(file, described, count)?));
                }
            }
            _ => return Ok(None),
        }
    }
    Ok(Some(branches))
}

fn is_impossible(count: Parameter<'_>) -> bool {
    count.part("probability").and_then(Parameter::value).and_then(|text| text.parse::<f64>().ok()) == Some(0.0)
}

fn number(file: File<'_>, described: &str, parameter: Parameter<'_>) -> Result<u32, JsimgError> {
    let text = parameter.value().unwrap_or("");
    text.parse().ok().filter(|number| (1..=MOST_PARTS).contains(number)).map(|number| number as u32).ok_or_else(|| {
        let problem =
            format!("the number of parts for a connection is '{text}': give a whole number from 1 to {MOST_PARTS}");
        file.wrong(parameter.element, described, problem)
    })
}

/// Reads the number of parts that a join waits for; or why the join has no counterpart.
pub(super) fn join<'a>(join: Element<'a, 'a>) -> Result<Join, String> {
    let strategies = Parameter::of(join).find(|parameter| parameter.class() == "JoinStrategy");
    let mut needed = vec![];
    for strategy in strategies.into_iter().flat_map(Parameter::parts) {
        if !["NormalJoin", "PartialJoin"].contains(&strategy.class()) {
            return Err(format!("a join by '{}' has no counterpart here", strategy.name()));
        }
        let text = strategy.part("numRequired").and_then(Parameter::value).unwrap_or("-1");
        needed.push(text.parse::<u32>().ok().filter(|number| *number > 0).map_or(Join::All, Join::First));
    }
    match needed.split_first() {
        None => Ok(Join::All),
        Some((first, others)) if others.iter().all(|other| other == first) => Ok(*first),
        Some(_) => {
            Err("a join that waits for other numbers of parts in other classes has no counterpart here".to_owned())
        }
    }
}
