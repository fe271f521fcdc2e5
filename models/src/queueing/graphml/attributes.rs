//! The attributes of nodes and edges.

use super::{GraphmlError, Reader, elements};
use crate::queueing::law::{Law, LawName, LawShape};
use crate::queueing::network::{Builder, Discipline, Overflow, Routing, Station, Template};
use roxmltree::Node as Element;
use serde::de::value::{Error as ValueError, StrDeserializer};
use serde::{Deserialize, de::IntoDeserializer};
use std::collections::HashMap;

/// What `key` elements say of the attributes of one kind of element.
pub(super) struct Keys<'a> {
    /// The name of the attribute, by the key's id.
    names: HashMap<&'a str, &'a str>,
    /// The value where none is given, by the attribute's name.
    defaults: HashMap<&'a str, &'a str>,
}

impl<'a> Keys<'a> {
    /// The keys for elements called `kind`.
    pub(super) fn of(root: Element<'a, 'a>, kind: &str) -> Self {
        let mut keys = Self { names: HashMap::new(), defaults: HashMap::new() };
        for key in elements(root, "key") {
            let fits = key.attribute("for").is_none_or(|target| target == kind || target == "all");
            let (Some(id), Some(name), true) = (key.attribute("id"), key.attribute("attr.name"), fits) else {
                continue;
            };
            keys.names.insert(id, name);
            if let Some(default) = elements(key, "default").next().and_then(|default| default.text()) {
                keys.defaults.insert(name, default.trim());
            }
        }
        keys
    }
}

/// The attributes of one node or edge.
pub(super) struct Data<'r, 'a> {
    pub(super) reader: &'r Reader<'a>,
    pub(super) element: Element<'a, 'a>,
    /// What errors call it.
    pub(super) what: String,
    pub(super) keys: &'r Keys<'a>,
}

impl<'a> Data<'_, 'a> {
    /// An attribute's text, and the element where it stands.
    fn text(&self, attribute: &str) -> Option<(Element<'a, 'a>, &'a str)> {
        let given = elements(self.element, "data").find(|data| {
            data.attribute("key").and_then(|key| self.keys.names.get(key)).is_some_and(|name| *name == attribute)
        });
        match given {
            Some(data) => Some((data, data.text().unwrap_or("").trim())),
            None => self.keys.defaults.get(attribute).map(|default| (self.element, *default)),
        }
    }

    /// An attribute's value, if it is given; `expected` says what values are possible.
    fn value<T>(
        &self,
        attribute: &'static str,
        expected: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, GraphmlError> {
        let Some((at, text)) = self.text(attribute) else { return Ok(None) };
        read(text).map(Some).ok_or_else(|| GraphmlError::Value {
            file: self.reader.file.to_owned(),
            line: self.reader.line(at),
            element: self.what.clone(),
            name: attribute,
            value: text.to_owned(),
            expected: expected.to_owned(),
        })
    }

    fn whole(&self, attribute: &'static str) -> Result<Option<u32>, GraphmlError> {
        self.value(attribute, "give a whole number from 0 to 2^32 - 1", |text| text.parse().ok())
    }

    fn number(&self, attribute: &'static str) -> Result<Option<f64>, GraphmlError> {
        self.value(attribute, "give a number", |text| text.parse().ok().filter(|number: &f64| number.is_finite()))
    }

    fn one_of<T: for<'de> Deserialize<'de>>(
        &self,
        attribute: &'static str,
        expected: &str,
    ) -> Result<Option<T>, GraphmlError> {
        self.value(attribute, expected, |text| {
            let words: StrDeserializer<'_, ValueError> = text.into_deserializer();
            T::deserialize(words).ok()
        })
    }

    /// The probability or weight of an edge.
    pub(super) fn share(&self, attribute: &'static str) -> Result<Option<f64>, GraphmlError> {
        self.value(attribute, "give a finite number above 0", |text| {
            text.parse().ok().filter(|share: &f64| share.is_finite() && *share > 0.0)
        })
    }

    /// Adds the node to a builder.
    pub(super) fn node(&self, id: &str, builder: &mut Builder, template: &Template) -> Result<(), GraphmlError> {
        let default = template.station;
        let station = Station {
            servers: self.whole("servers")?.unwrap_or(default.servers),
            discipline: self
                .one_of::<Discipline>("discipline", "give 'fifo', 'lifo', 'random' or 'priority'")?
                .unwrap_or(default.discipline),
            capacity: self.whole("capacity")?.or(default.capacity),
            overflow: self.one_of::<Overflow>("overflow", "give 'lose' or 'block'")?.unwrap_or(default.overflow),
        };
        let routing = self.one_of::<Routing>("routing", "give 'random' or 'round-robin'")?;
        let label = self.text("label").map(|(_, text)| text).filter(|text| !text.is_empty()).unwrap_or(id);
        let node = builder.station(label, station);
        builder.serve_all(node, self.service(&template.service)?);
        builder.routing(node, routing.unwrap_or(template.routing));
        builder.tokens(node, 0, self.whole("tokens")?.unwrap_or(template.tokens));
        for (x, y) in [("Longitude", "Latitude"), ("x", "y")] {
            if let (Some(x), Some(y)) = (self.number(x)?, self.number(y)?) {
                builder.position(node, x, y);
                break;
            }
        }
        Ok(())
    }

    fn service(&self, default: &Law) -> Result<Law, GraphmlError> {
        let mean = self.value("service_mean", "give a number of time units", |text| text.parse().ok())?;
        let names = "give the name of a law, such as 'exponential', 'erlang' or 'log-normal'";
        let law = match self.one_of::<LawName>("service_law", names)? {
            Some(law) => {
                let shape = LawShape {
                    mean,
                    value: self.number("service_value")?,
                    low: self.number("service_low")?,
                    high: self.number("service_high")?,
                    shape: self.number("service_shape")?,
                    cv: self.number("service_cv")?,
                    stages: self.whole("service_stages")?,
                    ..LawShape::named(law)
                };
                shape.law().map_err(|error| self.wrong(error.to_string()))?
            }
            None => {
                let parameters = ["value", "low", "high", "shape", "cv", "stages"];
                let stray = parameters.iter().find(|name| self.text(&format!("service_{name}")).is_some());
                if let Some(stray) = stray {
                    return Err(self.wrong(format!("'service_{stray}' without 'service_law': name the law")));
                }
                mean.map_or_else(|| default.clone(), |mean| default.with_mean(mean))
            }
        };
        law.sampler().map_err(|error| self.wrong(error.to_string()))?;
        Ok(law)
    }

    fn wrong(&self, problem: String) -> GraphmlError {
        GraphmlError::Node {
            file: self.reader.file.to_owned(),
            line: self.reader.line(self.element),
            node: self.what.clone(),
            problem,
        }
    }
}
