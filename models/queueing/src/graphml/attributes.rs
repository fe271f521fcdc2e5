//! Attributes of nodes and edges.

use super::defaults::{Defaults, Implicit};
use super::error::GraphmlError;
use super::role::Role;
use crate::law::{Law, LawName, LawShape};
use crate::network::{Builder, Discipline, Overflow, Routing, Station, Taken};
use imminent_common::graph::Attributes;
use std::ops::Deref;

/// Attributes of one node or edge, read as those of a queueing network.
pub(super) struct Data<'g, 't>(pub(super) Attributes<'g, 't>);

impl<'g, 't> Deref for Data<'g, 't> {
    type Target = Attributes<'g, 't>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Data<'_, '_> {
    /// Returns the probability or weight of an edge.
    pub(super) fn share(&self, attribute: &'static str) -> Result<Option<f64>, GraphmlError> {
        Ok(self.value(attribute, "give a finite number above 0", |text| {
            text.parse().ok().filter(|share: &f64| share.is_finite() && *share > 0.0)
        })?)
    }

    pub(super) fn role(&self) -> Result<Option<Role>, GraphmlError> {
        Ok(self.one_of("role", "give 'station', 'source' or 'sink'")?)
    }

    /// Returns `true` if a node has a service law or a part of one.
    pub(super) fn has_service(&self) -> bool {
        OF_STATIONS.law.iter().any(|name| self.text(name).is_some())
    }

    /// Adds a station to a builder.
    pub(super) fn station(
        &self,
        label: &str,
        builder: &mut Builder,
        defaults: &Defaults,
        implicit: Implicit,
    ) -> Result<u32, GraphmlError> {
        self.refuse(&OF_SOURCES, "a station")?;
        let default = defaults.station;
        let station = Station {
            servers: self.whole("servers")?.unwrap_or(default.servers),
            discipline: self
                .one_of::<Discipline>("discipline", "give 'fifo', 'lifo', 'random' or 'priority'")?
                .unwrap_or(default.discipline),
            capacity: self.whole("capacity")?.or(default.capacity),
            overflow: self.one_of::<Overflow>("overflow", "give 'lose' or 'block'")?.unwrap_or(default.overflow),
        };
        let fallback = implicit.service.then_some(Law::Exponential { mean: 10.0 });
        let service = self.law(&OF_STATIONS, defaults.service.as_ref().or(fallback.as_ref()))?;
        let missing = "it has no service law, which it needs in an open network, and where another station has one: give 'service_mean', or --mean for all stations";
        let service = service.ok_or_else(|| self.wrong(missing.to_owned()))?;
        let tokens = self.whole("tokens")?.or(defaults.tokens).unwrap_or(u32::from(implicit.token));
        let node = builder.station(label, station);
        builder.serve_all(node, service);
        builder.tokens(node, 0, tokens);
        self.whereabouts(node, builder, defaults)?;
        Ok(node)
    }

    /// Adds a source to a builder.
    pub(super) fn source(&self, label: &str, builder: &mut Builder, defaults: &Defaults) -> Result<u32, GraphmlError> {
        self.refuse(&OF_STATIONS, "a source")?;
        let law = self.law(&OF_SOURCES, defaults.interarrival.as_ref())?;
        let missing = "nothing says how often tokens come: give 'interarrival_mean', or --graph-interarrival-mean for all sources";
        let law = law.ok_or_else(|| self.wrong(missing.to_owned()))?;
        let node = builder.source(label, 0, law);
        self.whereabouts(node, builder, defaults)?;
        Ok(node)
    }

    /// Notes which defaults a node takes. The form of a default law is for nodes that name none, its mean for those
    /// that give none either.
    pub(super) fn note(&self, role: Role, taken: &mut Taken) {
        let lacks = |name: &str| self.text(name).is_none();
        let (attributes, law, mean) = match role {
            Role::Station => (&OF_STATIONS, "service", "mean"),
            Role::Source => (&OF_SOURCES, "graph_interarrival", "graph_interarrival.mean"),
            Role::Sink => return,
        };
        let [name, mean_name, rate_name, ..] = attributes.law;
        taken.note(law, lacks(name));
        taken.note(mean, [name, mean_name, rate_name].into_iter().all(lacks));
        for name in attributes.others.iter().chain(&["routing"]) {
            taken.note(name, lacks(name));
        }
    }

    /// Checks that a sink has no attributes that belong to stations or sources.
    pub(super) fn sink(&self) -> Result<(), GraphmlError> {
        self.refuse(&OF_STATIONS, "a sink")?;
        self.refuse(&OF_SOURCES, "a sink")
    }

    /// Sets the routing and the position of a node.
    fn whereabouts(&self, node: u32, builder: &mut Builder, defaults: &Defaults) -> Result<(), GraphmlError> {
        let routing = self.one_of::<Routing>("routing", "give 'random' or 'round-robin'")?;
        builder.routing(node, routing.unwrap_or(defaults.routing));
        for (x, y) in [("Longitude", "Latitude"), ("x", "y")] {
            if let (Some(x), Some(y)) = (self.number(x)?, self.number(y)?) {
                builder.position(node, x, y);
                break;
            }
        }
        Ok(())
    }

    /// Refuses attributes that a node itself gives but that belong to another kind of node.
    fn refuse(&self, attributes: &Names, what: &str) -> Result<(), GraphmlError> {
        let stray = attributes.law.iter().chain(attributes.others).find(|name| self.has_own(name));
        stray.map_or(Ok(()), |name| {
            Err(self.wrong(format!("{what} has no '{name}': remove it, or give another 'role'")))
        })
    }

    /// Returns the law that a node gives, or a default, rescaled where the node gives only a mean.
    fn law(&self, attributes: &Names, default: Option<&Law>) -> Result<Option<Law>, GraphmlError> {
        let [name, mean_name, rate_name, others @ ..] = attributes.law;
        let [value, low, high, shape, cv, stages, scale, mode, location, deviation] = others;
        let mean: Option<f64> = self.value(mean_name, "give a number of time units", |text| text.parse().ok())?;
        let above_zero = |text: &str| text.parse().ok().filter(|rate: &f64| rate.is_finite() && *rate > 0.0);
        let rate = self.value(rate_name, "give a number above 0, of tokens in a time unit", above_zero)?;
        // A node's own mean overrides a rate in the defaults of the file, and the other way round.
        let (mean, rate) = match (mean, rate) {
            (Some(_), Some(_)) if self.has_own(mean_name) == self.has_own(rate_name) => {
                return Err(self.wrong(format!("both '{mean_name}' and '{rate_name}' are given: remove one of them")));
            }
            (Some(_), Some(rate)) if self.has_own(rate_name) => (None, Some(rate)),
            (Some(mean), _) => (Some(mean), None),
            other => other,
        };
        let mean = mean.or_else(|| rate.map(|rate: f64| 1.0 / rate));
        let names = "give the name of a law, such as 'exponential', 'erlang' or 'log-normal'";
        let law = match self.one_of::<LawName>(name, names)? {
            Some(law) => {
                let shape = LawShape {
                    mean,
                    value: self.number(value)?,
                    low: self.number(low)?,
                    high: self.number(high)?,
                    shape: self.number(shape)?,
                    cv: self.number(cv)?,
                    stages: self.whole(stages)?,
                    scale: self.number(scale)?,
                    mode: self.number(mode)?,
                    location: self.number(location)?,
                    deviation: self.number(deviation)?,
                    ..LawShape::named(law)
                };
                Some(shape.law().map_err(|error| self.wrong(error.to_string()))?)
            }
            None => {
                if let Some(stray) = others.iter().find(|name| self.text(name).is_some()) {
                    return Err(self.wrong(format!("'{stray}' without '{name}': name the law")));
                }
                match (mean, default) {
                    (Some(mean), Some(default)) => Some(default.with_mean(mean)),
                    (Some(mean), None) => Some(Law::Exponential { mean }),
                    (None, default) => default.cloned(),
                }
            }
        };
        if let Some(law) = &law {
            law.check().map_err(|error| self.wrong(error.to_string()))?;
        }
        Ok(law)
    }

    fn wrong(&self, problem: String) -> GraphmlError {
        GraphmlError::Node { file: self.source.file.to_owned(), line: self.line(), node: self.what.clone(), problem }
    }
}

/// Names of the attributes of one kind of node.
struct Names {
    /// Attributes of the law: name, mean, rate, value, least, greatest, shape, coefficient of variation, stages, scale,
    /// mode, location, deviation.
    law: [&'static str; 13],
    others: &'static [&'static str],
}

const OF_STATIONS: Names = Names {
    law: [
        "service_law",
        "service_mean",
        "service_rate",
        "service_value",
        "service_low",
        "service_high",
        "service_shape",
        "service_cv",
        "service_stages",
        "service_scale",
        "service_mode",
        "service_location",
        "service_deviation",
    ],
    others: &["tokens", "servers", "capacity", "discipline", "overflow"],
};

const OF_SOURCES: Names = Names {
    law: [
        "interarrival_law",
        "interarrival_mean",
        "interarrival_rate",
        "interarrival_value",
        "interarrival_low",
        "interarrival_high",
        "interarrival_shape",
        "interarrival_cv",
        "interarrival_stages",
        "interarrival_scale",
        "interarrival_mode",
        "interarrival_location",
        "interarrival_deviation",
    ],
    others: &[],
};
