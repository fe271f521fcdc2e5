//! Networks as files of JSIMgraph.

mod classes;
mod distribution;
mod element;
mod lacking;
mod not_written;
mod routing;
mod sections;

use crate::network::{Network, Overflow, Region, Role, Routing};
use classes::Classes;
use element::Element;
use lacking::lacking;
pub use not_written::NotWritten;

/// Attribute that names the schema of an element.
const SCHEMA: &str = "xsi:noNamespaceSchemaLocation";

/// Name of the sink in files that are written.
const SINK: &str = "out";

/// Writes a network as a model of JSIMgraph, with measures of every station.
///
/// # Errors
/// [`NotWritten`] for laws, routes, priorities and behaviour that JMT does not have.
pub fn write(network: &Network, name: &str) -> Result<String, NotWritten> {
    for node in 0..network.len() as u32 {
        if let Some(problem) = lacking(network, node) {
            return Err(NotWritten { node: network.label(node), problem: problem.to_owned() });
        }
    }
    Writer { network, classes: Classes::of(network)? }.archive(name)
}

struct Writer<'a> {
    network: &'a Network,
    classes: Classes,
}

impl Writer<'_> {
    fn archive(&self, name: &str) -> Result<String, NotWritten> {
        let nodes = 0..self.network.len() as u32;
        let mut sim = Element::new("sim")
            .with("name", name)
            .with("disableStatisticStop", "false")
            .with("maxSamples", 1_000_000)
            .with("polling", "1.0")
            .with(SCHEMA, "SIMmodeldefinition.xsd");
        for class in 0..self.network.classes() as u32 {
            sim.add(self.class(class));
        }
        for node in nodes.clone() {
            sim.add(self.node(node)?);
        }
        let has_exits = nodes.clone().any(|node| self.targets(node).contains(&None));
        if has_exits {
            sim.add(Element::new("node").with("name", SINK).holding(section("JobSink")));
        }
        for node in nodes.clone().filter(|node| self.is_served(*node)) {
            for measure in ["Number of Customers", "Response Time", "Throughput", "Utilization"] {
                let label = self.network.label(node);
                sim.add(
                    Element::new("measure")
                        .with("alpha", "0.01")
                        .with("precision", "0.03")
                        .with("name", format!("{label}_{measure}"))
                        .with("nodeType", "station")
                        .with("referenceNode", label)
                        .with("referenceUserClass", "")
                        .with("type", measure)
                        .with("verbose", "false"),
                );
            }
        }
        for node in nodes.clone() {
            for to in self.targets(node) {
                let to = to.map_or_else(|| SINK.to_owned(), |to| self.network.label(to));
                sim.add(Element::new("connection").with("source", self.network.label(node)).with("target", to));
            }
        }
        for (number, region) in self.network.regions().iter().enumerate() {
            sim.add(self.region(number, region));
        }
        if self.network.total_tokens() > 0 {
            sim.add(self.preload());
        }
        let archive = Element::new("archive")
            .with("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance")
            .with("name", name)
            // The schema demands one; a time would make every file differ.
            .with("timestamp", "")
            .with(SCHEMA, "Archive.xsd")
            .holding(sim)
            .holding(self.screen(has_exits));
        Ok(format!("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n{archive}"))
    }

    fn class(&self, class: u32) -> Element {
        let nodes = 0..self.network.len() as u32;
        let priority = self.classes.priorities.get(class as usize).copied().unwrap_or(0);
        let element = Element::new("userClass").with("name", self.network.class_name(class)).with("priority", priority);
        if self.classes.closed.get(class as usize) == Some(&true) {
            let tokens = |node: u32| self.network.tokens(node, class);
            let customers: u64 = nodes.clone().map(|node| u64::from(tokens(node))).sum();
            let reference = nodes.clone().find(|&node| tokens(node) > 0);
            let reference =
                reference.or_else(|| nodes.clone().find(|&node| self.network.service(node, class).is_some()));
            let reference = reference.map_or_else(String::new, |node| self.network.label(node));
            return element.with("type", "closed").with("customers", customers).with("referenceSource", reference);
        }
        let source = nodes.clone().find(|&node| self.network.source_class(node) == Some(class));
        // JMT's name for classes that come from a change of class alone.
        let source = source.map_or_else(|| "ClassSwitch".to_owned(), |node| self.network.label(node));
        element.with("type", "open").with("referenceSource", source)
    }

    fn node(&self, node: u32) -> Result<Element, NotWritten> {
        let label = self.network.label(node);
        if label == SINK {
            return Err(self.not_written(node, "its name is that of the sink: give it another".to_owned()));
        }
        let element = Element::new("node").with("name", label);
        let router = || {
            let path = "jmt.engine.NetStrategies.RoutingStrategy";
            Ok(section("Router").holding(self.by_class("RoutingStrategy", path, |class| self.routing(node, class))?))
        };
        let services = || {
            let path = "jmt.engine.NetStrategies.ServiceStrategy";
            self.by_class("ServiceStrategy", path, |class| self.service(node, class))
        };
        Ok(match self.network.role(node) {
            Role::Source => element
                .holding(section("RandomSource").holding(services()?))
                .holding(section("ServiceTunnel"))
                .holding(router()?),
            Role::Station(station) if self.network.is_pass(node) => {
                let join = self.network.behaviour(node).and_then(|behaviour| behaviour.join);
                let first = join.map_or_else(|| self.queue(node, station), |join| self.join(join))?;
                let last = if self.network.routing(node) == Routing::Fork { self.fork(node)? } else { router()? };
                element.holding(first).holding(section("ServiceTunnel")).holding(last)
            }
            Role::Station(station) => {
                let server = self.server(node, station, services()?)?;
                element.holding(self.queue(node, station)?).holding(server).holding(router()?)
            }
        })
    }

    /// Returns a parameter with a part for each class.
    fn by_class(
        &self,
        name: &str,
        path: &str,
        part: impl Fn(u32) -> Result<Element, NotWritten>,
    ) -> Result<Element, NotWritten> {
        let mut parameter = Element::parameter(name, path).with("array", "true");
        for class in 0..self.network.classes() as u32 {
            parameter.add(Element::new("refClass").saying(self.network.class_name(class)));
            parameter.add(part(class)?);
        }
        Ok(parameter)
    }

    /// Returns `true` for a station where tokens are served, and not only pass.
    fn is_served(&self, node: u32) -> bool {
        self.network.station(node).is_some() && !self.network.is_pass(node)
    }

    fn region(&self, number: usize, region: &Region) -> Element {
        let drops = region.overflow == Overflow::Lose;
        let mut element = Element::new("blockingRegion").with("name", format!("FCR{number}")).with("type", "default");
        for &node in &region.nodes {
            element.add(Element::new("regionNode").with("nodeName", self.network.label(node)));
        }
        let limited = region.capacity != Region::UNLIMITED;
        element.add(
            Element::new("globalConstraint").with("maxJobs", if limited { i64::from(region.capacity) } else { -1 }),
        );
        element.add(Element::new("globalMemoryConstraint").with("maxMemory", -1));
        for &(class, limit) in &region.classes {
            let constraint = Element::new("classConstraint").with("jobClass", self.network.class_name(class));
            element.add(constraint.with("maxJobsPerClass", limit));
        }
        for class in (0..self.network.classes() as u32).map(|class| self.network.class_name(class)) {
            element.add(Element::new("dropRules").with("dropThisClass", drops).with("jobClass", class));
        }
        element
    }

    fn preload(&self) -> Element {
        let mut preload = Element::new("preload");
        for node in 0..self.network.len() as u32 {
            let tokens = |class: u32| self.network.tokens(node, class);
            let classes: Vec<u32> = (0..self.network.classes() as u32).filter(|class| tokens(*class) > 0).collect();
            if classes.is_empty() {
                continue;
            }
            let mut station = Element::new("stationPopulations").with("stationName", self.network.label(node));
            for class in classes {
                station.add(
                    Element::new("classPopulation")
                        .with("population", tokens(class))
                        .with("refClass", self.network.class_name(class)),
                );
            }
            preload.add(station);
        }
        preload
    }

    /// Returns what JSIMgraph shows: colours of classes, and positions of nodes, in rows where the network has none.
    fn screen(&self, has_exits: bool) -> Element {
        let mut screen = Element::new("jmodel").with(SCHEMA, "JModelGUI.xsd");
        for class in 0..self.network.classes() as u32 {
            let colour = ["#FF0000FF", "#FFFF0000", "#FF00FF00", "#FFFF00FF"][class as usize % 4];
            screen.add(Element::new("userClass").with("color", colour).with("name", self.network.class_name(class)));
        }
        let count = self.network.len() as u32;
        let per_row = f64::from(count).sqrt().ceil().max(1.0) as u32;
        let place =
            |number: u32| (f64::from(100 + 150 * (number % per_row)), f64::from(100 + 120 * (number / per_row)));
        let station = |name: String, (x, y): (f64, f64)| {
            let position = Element::new("position").with("rotate", "false").with("x", x).with("y", y);
            Element::new("station").with("name", name).holding(position)
        };
        for node in 0..count {
            let at = self.network.position(node).map_or_else(|| place(node), |(x, y)| (x, -y));
            screen.add(station(self.network.label(node), at));
        }
        if has_exits {
            screen.add(station(SINK.to_owned(), place(count)));
        }
        screen
    }

    fn not_written(&self, node: u32, problem: String) -> NotWritten {
        NotWritten { node: self.network.label(node), problem }
    }
}

fn section(kind: &str) -> Element {
    Element::new("section").with("className", kind)
}
