//! Networks from files of JSIMgraph.

use super::super::ConfigError;
use super::PerClass;
use super::behaviour_shape::{AllParts, JoinShape, MarkovianShape, RegionShape, ServerCount};
use super::node_shape::{AtNode, NodeShape};
use super::nodes::Nodes;
use super::shape::{NetworkShape, OUT, RouteShape, SourceShape};
use crate::jsimg::{self, ClassThere, JsimgError, Model, Times};
use crate::law::LawShape;
use crate::network::{Discipline, Join, Markovian, Network, Overflow, Region, Routing};
use std::path::Path;

/// Reads the network of a file of JSIMgraph.
pub(super) fn network(path: &Path) -> Result<Network, ConfigError> {
    let model = jsimg::read(path)?;
    let shape = NetworkShape::from(&model);
    let network = shape.network().map_err(|error| at_line(error, &model, path))?;
    Ok(network.with_left_out(model.left_out.len() as u64))
}

/// Names the node of the file to which the key of an error belongs.
fn at_line(error: ConfigError, model: &Model, path: &Path) -> ConfigError {
    let Some((key, problem)) = error.key_and_problem() else { return error };
    let of_list = |list: &str| {
        let rest = key.strip_prefix("network.")?.strip_prefix(list)?.strip_prefix('[')?;
        rest.split(']').next()?.parse::<usize>().ok()
    };
    let from = of_list("route").and_then(|number| Some(model.routes.get(number)?.from.as_str()));
    let by_name = |name: &str| {
        let station = model.stations.iter().find(|station| station.name == name).map(|station| station.line);
        station.or_else(|| model.sources.iter().find(|source| source.name == name).map(|source| source.line))
    };
    let station = of_list("node").and_then(|number| model.stations.get(number));
    let source = of_list("source").and_then(|number| model.sources.get(number));
    let (name, line) = match (station, source, from) {
        (Some(station), ..) => (station.name.as_str(), station.line),
        (_, Some(source), _) => (source.name.as_str(), source.line),
        (.., Some(from)) => (from, by_name(from).unwrap_or(1)),
        _ => ("", 1),
    };
    let element = if name.is_empty() { "the model".to_owned() } else { format!("station '{name}'") };
    JsimgError::Element { file: path.display().to_string(), line, element, problem: problem.to_owned() }.into()
}

impl From<&Model> for NetworkShape {
    /// Writes a model of JSIMgraph down as a section `[network]`.
    fn from(model: &Model) -> Self {
        let several = model.classes.len() > 1;
        let of_class = |class: &String| several.then(|| class.clone());
        let law = |there: &ClassThere| there.service.clone().map(LawShape::from);
        let patience = |there: &ClassThere| there.patience.clone().map(LawShape::from);
        let node = |station: &jsimg::Station| {
            let at = |there: &ClassThere| {
                let priority = (there.priority > 0).then_some(there.priority);
                let weight = (there.weight > 1).then_some(there.weight);
                let (service, patience) = (law(there), patience(there));
                (there.class.clone(), AtNode { service, priority, weight, patience, ..AtNode::default() })
            };
            let alone = (!several).then(|| station.classes.first()).flatten();
            let tokens = station.classes.iter().filter(|there| there.tokens > 0);
            let tokens: std::collections::BTreeMap<_, _> =
                tokens.map(|there| (there.class.clone(), there.tokens)).collect();
            NodeShape {
                name: station.name.clone(),
                servers: (station.servers != 1 && !station.pass).then_some(ServerCount::of(station.servers)),
                pass: station.pass.then_some(true),
                join: station.join.map(|join| match join {
                    Join::All => JoinShape::All(AllParts::All),
                    Join::First(parts) => JoinShape::First(parts),
                }),
                retry: station.retry.clone().map(LawShape::from).map(Box::new),
                patience: alone.and_then(patience).map(Box::new),
                discipline: (station.discipline != Discipline::Fifo).then_some(station.discipline),
                capacity: station.capacity,
                overflow: station.capacity.and((station.overflow == Overflow::Block).then_some(Overflow::Block)),
                routing: (station.routing != Routing::Random).then_some(station.routing),
                service: alone.and_then(law).map(Box::new),
                tokens: (!tokens.is_empty()).then_some(PerClass::Each(tokens)),
                position: station.position,
                class: if several && !station.pass {
                    station.classes.iter().map(at).collect()
                } else {
                    Default::default()
                },
                ..NodeShape::default()
            }
        };
        let source = |source: &jsimg::Source| SourceShape {
            name: source.name.clone(),
            class: of_class(&source.class),
            interarrival: match &source.interarrival {
                Times::Law(law) => Some(LawShape::from(law.clone())),
                Times::Markovian(_) => None,
            },
            markovian: match &source.interarrival {
                Times::Law(_) => None,
                Times::Markovian(Markovian { without, with }) => {
                    Some(Box::new(MarkovianShape { d0: without.clone(), d1: with.clone() }))
                }
            },
            routing: (source.routing != Routing::Random).then_some(source.routing),
            position: source.position,
            ..SourceShape::default()
        };
        let route = |route: &jsimg::Route| RouteShape {
            from: route.from.clone(),
            class: of_class(&route.class),
            to: route.to.clone().unwrap_or_else(|| OUT.to_owned()),
            probability: route.probability,
            becomes: route.becomes.clone(),
            when: vec![],
        };
        let region = |region: &jsimg::Region| RegionShape {
            nodes: region.stations.clone(),
            capacity: (region.capacity != Region::UNLIMITED).then_some(region.capacity),
            classes: region.classes.iter().cloned().collect(),
            overflow: region.overflow,
        };
        Self {
            region: model.regions.iter().map(region).collect(),
            classes: model.classes.clone(),
            node: model.stations.iter().map(node).collect::<Nodes>().0,
            source: model.sources.iter().map(source).collect(),
            route: model.routes.iter().map(route).collect(),
            // Stations without tokens at the start have none.
            tokens: None,
            ..Self::default()
        }
    }
}
