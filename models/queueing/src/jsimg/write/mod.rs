//! Networks as files of JSIMgraph.

mod distribution;
mod element;

use crate::network::{Beyond, Discipline, Network, Overflow, Role, Route, Routes, Routing, Station};
use distribution::distribution;
use element::Element;
use thiserror::Error;

/// Reason why a network cannot be written as a file of JSIMgraph.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("node '{node}' cannot be written for JSIMgraph: {problem}")]
pub struct NotWritten {
    /// Label or number of the node.
    pub node: String,
    /// Feature that JMT lacks, and what it has instead.
    pub problem: String,
}

/// Attribute that names the schema of an element.
const SCHEMA: &str = "xsi:noNamespaceSchemaLocation";

/// Name of the sink in files that are written.
const SINK: &str = "out";

/// Writes a network as a model of JSIMgraph, with measures of every station.
///
/// # Errors
/// [`NotWritten`] for laws, routes and priorities that JMT does not have.
pub fn write(network: &Network, name: &str) -> Result<String, NotWritten> {
    if let Some(Beyond { node, what }) = network.beyond_sequential() {
        let problem = format!("it has {what}, which is not written to JSIMgraph yet: remove it");
        return Err(NotWritten { node: network.label(node), problem });
    }
    Writer { network, classes: Classes::of(network)? }.archive(name)
}

/// Classes of a network, as JMT has them.
struct Classes {
    /// `true` for classes that no source's tokens become.
    closed: Vec<bool>,
    /// Priority of each class: the largest is served first.
    priorities: Vec<u32>,
}

impl Classes {
    /// Collects the priorities of classes, and finds those that are closed.
    fn of(network: &Network) -> Result<Self, NotWritten> {
        let ranks = Self::ranks(network)?;
        let lowest = ranks.iter().copied().max().unwrap_or(0);
        let closed = Self::closed(network);
        let exits = |class: &u32, node: u32| network.routes(node, *class).iter().any(|route| route.to.is_none());
        for node in 0..network.len() as u32 {
            let is_closed = |class: &u32| closed.get(*class as usize) == Some(&true);
            if let Some(class) = (0..network.classes() as u32).filter(is_closed).find(|class| exits(class, node)) {
                let class = network.class_name(class);
                let problem =
                    format!("no source emits class '{class}', and in JMT such jobs cannot leave: add a source");
                return Err(NotWritten { node: network.label(node), problem });
            }
        }
        Ok(Self { closed, priorities: ranks.into_iter().map(|rank| lowest - rank).collect() })
    }

    /// Returns a rank for each class, in the one order in which all stations serve by priority, as JMT has one.
    fn ranks(network: &Network) -> Result<Vec<u32>, NotWritten> {
        let mut ranks = vec![0; network.classes()];
        let by_priority =
            |node: &u32| network.station(*node).is_some_and(|station| station.discipline == Discipline::Priority);
        let mut changed = true;
        while changed {
            changed = false;
            for node in (0..network.len() as u32).filter(by_priority) {
                for pair in network.priorities(node).windows(2) {
                    let [(first, before), (second, after)] = pair else { continue };
                    let rank = |class: &u32| ranks.get(*class as usize).copied().unwrap_or(0);
                    let (of_first, of_second) = (rank(first), rank(second));
                    let [least_first, least_second] = match before == after {
                        true => [of_first.max(of_second); 2],
                        false => [of_first, of_second.max(of_first + 1)],
                    };
                    if least_first.max(least_second) as usize >= network.classes() {
                        let problem = "its classes have priorities in another order than elsewhere, and in JMT they have one for all nodes: order them alike";
                        return Err(NotWritten { node: network.label(node), problem: problem.to_owned() });
                    }
                    for (class, least) in [(first, least_first), (second, least_second)] {
                        if let Some(entry) = ranks.get_mut(*class as usize).filter(|entry| **entry != least) {
                            (*entry, changed) = (least, true);
                        }
                    }
                }
            }
        }
        Ok(ranks)
    }

    /// Returns `true` for each class that no source emits, and that no token from a source becomes.
    fn closed(network: &Network) -> Vec<bool> {
        let mut closed = vec![true; network.classes()];
        let mut open: Vec<u32> = (0..network.len() as u32).filter_map(|node| network.source_class(node)).collect();
        while let Some(class) = open.pop() {
            let Some(entry) = closed.get_mut(class as usize).filter(|closed| **closed) else { continue };
            *entry = false;
            for node in 0..network.len() as u32 {
                open.extend(
                    network.routes(node, class).iter().map(|route| route.class).filter(|other| *other != class),
                );
            }
        }
        closed
    }
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
        for node in nodes.clone().filter(|node| self.network.station(*node).is_some()) {
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
        let router = section("Router").holding(self.by_class(
            "RoutingStrategy",
            "jmt.engine.NetStrategies.RoutingStrategy",
            |class| self.routing(node, class),
        )?);
        let services = self.by_class("ServiceStrategy", "jmt.engine.NetStrategies.ServiceStrategy", |class| {
            self.service(node, class)
        })?;
        Ok(match self.network.role(node) {
            Role::Source => element
                .holding(section("RandomSource").holding(services))
                .holding(section("ServiceTunnel"))
                .holding(router),
            Role::Station(station) => {
                element.holding(self.queue(station)?).holding(self.server(station, services)?).holding(router)
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

    fn queue(&self, station: Station) -> Result<Element, NotWritten> {
        let size = station.capacity.map_or(-1, i64::from);
        let drop = if station.overflow == Overflow::Block { "BAS blocking" } else { "drop" };
        let order = match station.discipline {
            Discipline::Fifo => "TailStrategy",
            Discipline::Lifo => "HeadStrategy",
            Discipline::Random => "RandStrategy",
            Discipline::Priority => "TailStrategyPriority",
            // Networks with other disciplines were refused.
            _ => "TailStrategy",
        };
        let path = "jmt.engine.NetStrategies.QueuePutStrategies";
        let size = Element::parameter("size", "java.lang.Integer").holding(Element::new("value").saying(size));
        let drops = self
            .by_class("dropStrategies", "java.lang.String", |_| Ok(Element::value("dropStrategy", "String", drop)))?;
        let orders = self.by_class("QueuePutStrategy", "jmt.engine.NetStrategies.QueuePutStrategy", |_| {
            Ok(Element::part(order, &format!("{path}.{order}")))
        })?;
        let get = Element::parameter("FCFSstrategy", "jmt.engine.NetStrategies.QueueGetStrategies.FCFSstrategy");
        Ok(section("Queue").holding(size).holding(drops).holding(get).holding(orders))
    }

    fn server(&self, station: Station, services: Element) -> Result<Element, NotWritten> {
        let number =
            Element::parameter("maxJobs", "java.lang.Integer").holding(Element::new("value").saying(station.servers));
        let visits = self
            .by_class("numberOfVisits", "java.lang.Integer", |_| Ok(Element::value("numberOfVisits", "Integer", 1)))?;
        Ok(section("Server").holding(number).holding(visits).holding(services))
    }

    fn service(&self, node: u32, class: u32) -> Result<Element, NotWritten> {
        let path = "jmt.engine.NetStrategies.ServiceStrategies";
        let law = self.network.service(node, class).and_then(|law| self.network.laws().get(law as usize));
        match law {
            None if self.network.station(node).is_none() => {
                let strategy = Element::part("ServiceTimeStrategy", &format!("{path}.ServiceTimeStrategy"));
                Ok(strategy.holding(Element::new("value").saying("null")))
            }
            None => Ok(Element::part("DisabledServiceTimeStrategy", &format!("{path}.DisabledServiceTimeStrategy"))),
            Some(law) => {
                let parts = distribution(law).ok_or_else(|| {
                    let problem = format!(
                        "JMT has no law '{}': use one that it has, such as 'gamma' or 'phase-type'",
                        law.name()
                    );
                    self.not_written(node, problem)
                })?;
                let strategy = Element::part("ServiceTimeStrategy", &format!("{path}.ServiceTimeStrategy"));
                Ok(parts.into_iter().fold(strategy, Element::holding))
            }
        }
    }

    fn routing(&self, node: u32, class: u32) -> Result<Element, NotWritten> {
        let routes = self.network.routes(node, class);
        let path = "jmt.engine.NetStrategies.RoutingStrategies";
        if routes.is_empty() {
            return Ok(Element::part("Disabled", &format!("{path}.DisabledRoutingStrategy")));
        }
        let changes = routes.iter().any(|route| route.class != class);
        if self.network.routing(node) == Routing::RoundRobin && routes.len() > 1 {
            self.check_turns(node, class, routes, changes)?;
            return Ok(Element::part("Round Robin", &format!("{path}.RoundRobinStrategy")));
        }
        let mut entries: Vec<(Route, f64)> = vec![];
        for (number, route) in routes.iter().enumerate() {
            let same = |(other, _): &&mut (Route, f64)| other.to == route.to && other.class == route.class;
            match entries.iter_mut().find(same) {
                Some((_, sum)) => *sum += routes.probability(number),
                None => entries.push((route, routes.probability(number))),
            }
        }
        Ok(if changes { self.switching(path, &entries) } else { self.probabilities(path, &entries) })
    }

    /// Checks that turns are those of JMT: one for each connection, in their order, for this class alone.
    fn check_turns(&self, node: u32, class: u32, routes: Routes<'_>, changes: bool) -> Result<(), NotWritten> {
        let to: Vec<_> = routes.iter().map(|route| route.to).collect();
        let problem = if changes {
            "turns of JMT do not change the class: change it elsewhere"
        } else if to != self.targets(node) {
            "turns of JMT go to every connection of a node once, in one order for all classes: name each way once"
        } else if (0..self.network.classes() as u32)
            .any(|other| other != class && !self.network.routes(node, other).is_empty())
        {
            "in JMT each class has turns of its own: use 'random', or one class"
        } else {
            return Ok(());
        };
        Err(self.not_written(node, problem.to_owned()))
    }

    fn probabilities(&self, path: &str, entries: &[(Route, f64)]) -> Element {
        let entry = "jmt.engine.random.EmpiricalEntry";
        let mut list = Element::part("EmpiricalEntryArray", entry).with("array", "true");
        for (route, probability) in entries {
            list.add(
                Element::part("EmpiricalEntry", entry)
                    .holding(Element::value("stationName", "String", self.end(route)))
                    .holding(Element::value("probability", "Double", probability)),
            );
        }
        Element::part("Probabilities", &format!("{path}.EmpiricalStrategy")).holding(list)
    }

    fn switching(&self, path: &str, entries: &[(Route, f64)]) -> Element {
        let entry = "jmt.engine.random.EmpiricalEntry";
        let of_route = format!("{path}.ClassSwitchRoutingParameter");
        let mut list = Element::part("ClassSwitchRoutingParameterArray", &of_route).with("array", "true");
        let mut ends: Vec<Option<u32>> = vec![];
        for (route, _) in entries {
            if ends.contains(&route.to) {
                continue;
            }
            ends.push(route.to);
            let there: Vec<_> = entries.iter().filter(|(other, _)| other.to == route.to).collect();
            let sum: f64 = there.iter().map(|(_, probability)| probability).sum();
            let mut classes = Element::part("EmpiricalEntryArray", entry).with("array", "true");
            for class in 0..self.network.classes() as u32 {
                let share: f64 = there.iter().filter(|(other, _)| other.class == class).map(|(_, p)| p / sum).sum();
                classes.add(
                    Element::part("EmpiricalEntry", entry)
                        .holding(Element::value("className", "String", self.network.class_name(class)))
                        .holding(Element::value("probability", "Double", share)),
                );
            }
            list.add(
                Element::part("ClassSwitchRoutingParameter", &of_route)
                    .holding(Element::value("stationName", "String", self.end(route)))
                    .holding(Element::value("probability", "Double", sum))
                    .holding(classes),
            );
        }
        Element::part("Class Switch", &format!("{path}.ClassSwitchRoutingStrategy")).holding(list)
    }

    fn end(&self, route: &Route) -> String {
        route.to.map_or_else(|| SINK.to_owned(), |to| self.network.label(to))
    }

    /// Returns the nodes to which a node is connected, in the order of its routes; `None` is the sink.
    fn targets(&self, node: u32) -> Vec<Option<u32>> {
        let mut targets = vec![];
        for class in 0..self.network.classes() as u32 {
            for route in self.network.routes(node, class).iter() {
                if !targets.contains(&route.to) {
                    targets.push(route.to);
                }
            }
        }
        targets
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
