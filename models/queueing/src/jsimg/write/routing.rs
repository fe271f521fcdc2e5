//! Routers.

use super::element::Element;
use super::{NotWritten, SINK, Writer};
use crate::network::{Route, Routes, Routing};

impl Writer<'_> {
    pub(super) fn routing(&self, node: u32, class: u32) -> Result<Element, NotWritten> {
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
        if self.network.routing(node) == Routing::ShortestQueue && routes.len() > 1 {
            let mut to: Vec<_> = routes.iter().map(|route| route.to).collect();
            to.sort_unstable();
            let mut connected = self.targets(node);
            connected.sort_unstable();
            if changes || to != connected {
                let problem = "the shortest queue of JMT is that of every connection of a node, without a new class: name each way once, for all classes";
                return Err(self.not_written(node, problem.to_owned()));
            }
            let path = format!("{path}.ShortestQueueLengthRoutingStrategy");
            return Ok(Element::part("Join the Shortest Queue (JSQ)", &path));
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

    pub(super) fn end(&self, route: &Route) -> String {
        route.to.map_or_else(|| SINK.to_owned(), |to| self.network.label(to))
    }

    /// Returns the nodes to which a node is connected, in the order of its routes; `None` is the sink.
    pub(super) fn targets(&self, node: u32) -> Vec<Option<u32>> {
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
}
