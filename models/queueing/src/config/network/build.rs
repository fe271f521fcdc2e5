//! Conversion of the keys of a configuration to a network.

use super::super::ConfigError;
use super::PerClass;
use super::behaviour::Numbers;
use super::behaviour_shape::{ReplayShape, ServerCount, WhenShape};
use super::entry::{Entry, List};
use super::imported;
use super::keys::Keys;
use super::named_routes::{NamedRoute, NamedRoutes, Names};
use super::node_shape::{AtNode, NodeShape};
use super::nodes::NodeEntry;
use super::shape::{NetworkShape, OUT, SourceShape};
use crate::graphml;
use crate::law::Law;
use crate::network::{
    Behaviour, Builder, Network, Onward, Overflow, Region, Replay, Rounding, Routing, Station, Template,
};
use imminent_common::number::Shown;
use imminent_study::Unused;
use std::collections::HashMap;
use std::fmt::Display;

/// Largest relative error of a mean with which a configured network runs: 1/100. Smaller errors above
/// [`Rounding::UNNOTICED`] cause a warning.
const TOLERATED: f64 = 0.01;

impl NetworkShape {
    /// Builds the network of this configuration; reads the files that it names.
    ///
    /// # Errors
    /// [`ConfigError`], which names the key at fault, or describes the error in the graph's file.
    pub fn network(&self) -> Result<Network, ConfigError> {
        self.network_and_unused().map(|(network, _)| network)
    }

    /// Builds the network, and finds the keys that have no effect on it.
    pub(super) fn network_and_unused(&self) -> Result<(Network, Vec<Unused>), ConfigError> {
        let (network, unused) = self.unchecked()?;
        match network.rounding().filter(|rounding| rounding.error().abs() > TOLERATED) {
            Some(rounding) => Err(self.rounded(&network, &rounding)),
            None => Ok((network, unused)),
        }
    }

    /// Returns the error for durations that no tick represents well.
    fn rounded(&self, network: &Network, rounding: &Rounding) -> ConfigError {
        let Rounding { node, law, mean, drawn } = rounding;
        let label = network.label(*node);
        let problem = format!(
            "the law '{law}' of node '{label}' has a mean of {} time units and would be drawn with one of {}, more than 1 % wrong, as no tick fits \
             the network's shortest and longest durations: bring them closer together",
            Shown(*mean),
            Shown(*drawn)
        );
        ConfigError::value(&self.durations(&label), problem)
    }

    fn unchecked(&self) -> Result<(Network, Vec<Unused>), ConfigError> {
        if let Some(path) = &self.jsimg {
            if *self != (Self { jsimg: Some(path.clone()), costs: self.costs.clone(), ..Self::default() }) {
                let problem = "the whole network comes from this file: remove all other keys of [network] but `costs`, and options of stations, or convert the file to TOML first";
                return Err(ConfigError::value("network.jsimg", problem.to_owned()));
            }
            return Ok((imported::network(path)?, vec![]));
        }
        let template = self.template()?;
        let unwritten = self.links.is_empty()
            && self.edges.is_empty()
            && self.node.is_empty()
            && self.source.is_empty()
            && self.route.is_empty();
        for (key, given) in [("graph", self.graph.is_some()), ("generate", self.generate.is_some())] {
            if given && !unwritten {
                let problem = format!(
                    "the nodes and links come from '{key}': remove 'links', 'edges', 'node', 'source' and 'route', or '{key}'"
                );
                return Err(ConfigError::value(&format!("network.{key}"), problem));
            }
        }
        if self.classes.len() > 1 && (self.graph.is_some() || self.generate.is_some()) {
            let problem = "a graph or a rule makes networks of one class: write the nodes down, or remove all but one";
            return Err(ConfigError::value("network.classes", problem.to_owned()));
        }
        let outside = [
            ("graph_sources", !self.graph_sources.is_empty()),
            ("graph_sinks", !self.graph_sinks.is_empty()),
            ("graph_interarrival", self.graph_interarrival.is_some()),
        ];
        if let (None, Some((key, _))) = (&self.graph, outside.iter().find(|(_, given)| *given)) {
            let problem = "it is for networks from a GraphML file: give 'graph', or write a [[network.source]] and routes to 'out'";
            return Err(ConfigError::value(&format!("network.{key}"), problem.to_owned()));
        }
        match (&self.graph, &self.generate) {
            (Some(_), Some(_)) => {
                let problem = "both 'graph' and 'generate' are given: remove one of them".to_owned();
                Err(ConfigError::value("network.generate", problem))
            }
            (Some(path), None) => {
                let read = graphml::read_noting(path, &self.graph_defaults(template)?);
                let (network, taken) = read.map_err(|error| self.of_graph(error))?;
                if self.graph_interarrival.is_some() && !network.has_sources() {
                    let problem = "no node of the graph is a source: give 'graph_sources' too, or remove it";
                    return Err(ConfigError::value("network.graph_interarrival", problem.to_owned()));
                }
                Ok((network, self.unused(&taken)))
            }
            (None, Some(generate)) => {
                generate.topology()?.network(&template).map(|network| (network, vec![])).map_err(|error| {
                    let key = self.default_at_fault(&error).unwrap_or("network.generate".to_owned());
                    ConfigError::value(&key, error.to_string())
                })
            }
            (None, None) => self.written(&template),
        }
    }

    /// Returns `true` for a network of one class without sources, whose means and tokens have defaults as long as no
    /// node gives its own.
    fn has_defaults(&self) -> bool {
        let open = !self.source.is_empty() || self.generate.as_ref().is_some_and(super::GenerateShape::is_open);
        self.classes.len() <= 1 && !open
    }

    /// Returns the number of tokens of a node that does not give any. Where one node gives a number, or tokens leave
    /// the network, the others start empty.
    fn tokens_elsewhere(&self) -> u32 {
        let given = self.node.iter().any(|node| node.tokens.is_some());
        self.tokens.unwrap_or(u32::from(self.has_defaults() && !given && self.exit().is_none()))
    }

    /// Returns `true` if a node without a service law has one by default. Where one node gives its own, all do.
    fn serves_by_default(&self) -> bool {
        let given = self.node.iter().any(|node| node.has_law() || node.class.values().any(AtNode::has_law));
        self.has_service() || (self.has_defaults() && !given)
    }

    /// Returns `true` if nodes have a default service law.
    fn has_service(&self) -> bool {
        self.mean.is_some() || self.rate.is_some() || self.service.is_some()
    }

    /// Returns the defaults of nodes.
    fn template(&self) -> Result<Template, ConfigError> {
        let service = Keys { law: ("service", self.service.as_ref()), mean: self.mean, rate: self.rate };
        let service = service.law("network")?;
        let station = Station {
            servers: self.servers.map_or(1, ServerCount::number),
            discipline: self.discipline.unwrap_or_default(),
            capacity: self.capacity,
            overflow: self.overflow.unwrap_or_default(),
        };
        let given = NodeShape { servers: self.servers, capacity: self.capacity, ..NodeShape::default() };
        check_station("network", station, given.servers, given.capacity, self.overflow)?;
        Ok(Template {
            station,
            service: service.unwrap_or(Law::Exponential { mean: 10.0 }),
            routing: self.routing.unwrap_or_default(),
            tokens: self.tokens_elsewhere(),
        })
    }

    /// Returns the defaults of nodes of a graph.
    fn graph_defaults(&self, template: Template) -> Result<graphml::Defaults, ConfigError> {
        let interarrival =
            Keys { law: ("graph_interarrival", self.graph_interarrival.as_ref()), mean: None, rate: None };
        let interarrival = interarrival.law("network")?;
        let service = self.has_service().then_some(template.service);
        let (sources, sinks) = (self.graph_sources.clone(), self.graph_sinks.clone());
        let Template { station, routing, .. } = template;
        Ok(graphml::Defaults { station, service, routing, tokens: self.tokens, sources, sinks, interarrival })
    }

    /// Builds a network whose nodes and routes are listed in the configuration.
    fn written(&self, template: &Template) -> Result<(Network, Vec<Unused>), ConfigError> {
        let mut unused = self.unused(&self.taken());
        let of_nodes = self.node.iter().enumerate();
        unused.extend(of_nodes.filter_map(|(number, node)| self.unused_law(List::Nodes.at(number), node)));
        let mut writer = Writer {
            shape: self,
            template,
            builder: Builder::new(),
            numbers: HashMap::with_capacity(self.node.len() + self.source.len()),
            classes: HashMap::new(),
            named_routes: NamedRoutes::default(),
            serves_by_default: self.serves_by_default(),
            replays: vec![],
        };
        writer.classes()?;
        writer.nodes()?;
        writer.sources()?;
        writer.edges()?;
        writer.routes()?;
        writer.behaviours()?;
        // The memory of names is free before that of the network is needed.
        let Writer { mut builder, .. } = writer;
        builder.fit_tick();
        let network = builder.build().map_err(|error| self.problem(&error))?;
        Ok((network, unused))
    }
}

/// Refuses impossible properties of a station, naming the key at fault.
fn check_station(
    key: impl Display,
    station: Station,
    servers: Option<ServerCount>,
    capacity: Option<u32>,
    overflow: Option<Overflow>,
) -> Result<(), ConfigError> {
    if servers == Some(ServerCount::Number(0)) {
        return Err(ConfigError::value(&format!("{key}.servers"), "0 servers: give at least 1".to_owned()));
    }
    let is_too_small = |capacity: &u32| *capacity < station.servers && station.servers != Station::INFINITE;
    if let Some(capacity) = capacity.filter(is_too_small) {
        let problem = format!(
            "room for {capacity} tokens and {} servers: the capacity counts tokens waiting and in service, so make it at least {0}, \
             or leave it out for no limit",
            station.servers
        );
        return Err(ConfigError::value(&format!("{key}.capacity"), problem));
    }
    if overflow.is_some() && station.capacity.is_none() {
        let problem = "nothing overflows without a limit: give 'capacity' too, or remove it".to_owned();
        return Err(ConfigError::value(&format!("{key}.overflow"), problem));
    }
    Ok(())
}

/// Adds the entries of a configuration to a builder.
struct Writer<'a> {
    shape: &'a NetworkShape,
    template: &'a Template,
    builder: Builder,
    /// Numbers of nodes by name.
    numbers: HashMap<&'a str, u32>,
    /// Numbers of classes by name.
    classes: HashMap<&'a str, u32>,
    /// Routes added so far.
    named_routes: NamedRoutes,
    serves_by_default: bool,
    /// Sources that replay tables, whose stations are not known yet.
    replays: Vec<(Entry, u32, &'a ReplayShape, Replay)>,
}

impl<'a> Writer<'a> {
    fn classes(&mut self) -> Result<(), ConfigError> {
        for (number, name) in self.shape.classes.iter().enumerate() {
            let class = self.builder.class(name.as_str());
            if self.classes.insert(name, class).is_some() {
                let problem = format!("a second class has the name '{name}': names must differ");
                return Err(ConfigError::value(&format!("network.classes[{number}]"), problem));
            }
        }
        if self.classes.is_empty() {
            self.classes.insert("token", self.builder.class("token"));
        }
        Ok(())
    }

    fn class(&self, key: impl Display, name: &str) -> Result<u32, ConfigError> {
        self.classes.get(name).copied().ok_or_else(|| {
            let known =
                if self.shape.classes.is_empty() { vec!["token".to_owned()] } else { self.shape.classes.clone() };
            let problem = format!("no class is called '{name}', only '{}': add it to 'classes'", known.join("', '"));
            ConfigError::value(&key.to_string(), problem)
        })
    }

    /// Gives a name to the next node.
    fn claim(&mut self, key: impl Display, name: &'a str, node: u32) -> Result<(), ConfigError> {
        if name == OUT {
            let problem = format!("'{OUT}' is the outside of the network: give the node another name");
            return Err(ConfigError::value(&key.to_string(), problem));
        }
        if self.numbers.insert(name, node).is_some() {
            let problem = format!("a second node has the name '{name}': names must differ");
            return Err(ConfigError::value(&key.to_string(), problem));
        }
        Ok(())
    }

    fn nodes(&mut self) -> Result<(), ConfigError> {
        for (number, shape) in self.shape.node.iter().enumerate() {
            self.node(List::Nodes.at(number), shape)?;
        }
        Ok(())
    }

    fn node(&mut self, key: Entry, shape: &'a NodeEntry) -> Result<(), ConfigError> {
        let default = self.template.station;
        let of_pools = shape.pool.iter().map(|pool| pool.servers).fold(0, u32::saturating_add);
        let given = shape.servers.map(ServerCount::number);
        if !shape.pool.is_empty() && given.is_some() {
            let problem = "the servers are those of the pools: remove it, or the pools".to_owned();
            return Err(ConfigError::value(&format!("{key}.servers"), problem));
        }
        let others = if shape.pool.is_empty() { default.servers } else { of_pools };
        let station = Station {
            servers: given.unwrap_or(others),
            discipline: shape.discipline.unwrap_or(default.discipline),
            capacity: shape.capacity.or(default.capacity),
            overflow: shape.overflow.unwrap_or(default.overflow),
        };
        check_station(key, station, shape.servers, station.capacity, shape.overflow)?;
        if shape.retry.is_some() && station.capacity.is_none() {
            let problem =
                "every token finds room without a limit, so none tries again: give 'capacity' too, or remove it";
            return Err(ConfigError::value(&format!("{key}.retry"), problem.to_owned()));
        }
        let is_pass = shape.pass == Some(true);
        let node = if is_pass { self.builder.pass(&shape.name) } else { self.builder.station(&shape.name, station) };
        self.claim(format_args!("{key}.name"), &shape.name, node)?;
        self.routing(node, shape.routing.unwrap_or(self.template.routing));
        if let Some([x, y]) = shape.position {
            self.builder.position(node, x, y);
        }
        let law = Keys { law: ("service", shape.service.as_deref()), mean: shape.mean, rate: shape.rate };
        match law.law(key)? {
            Some(_) if is_pass => {
                let problem = "tokens only pass this node: remove the law of its service, or 'pass'".to_owned();
                return Err(ConfigError::value(&format!("{key}.pass"), problem));
            }
            None if is_pass => {}
            Some(law) => _ = self.builder.serve_all(node, law),
            None => self.serve_by_default(node),
        }
        for (name, at) in &shape.class {
            let key = format_args!("{key}.class.{name}");
            let class = self.class(key, name)?;
            let law = Keys { law: ("service", at.service.as_ref()), mean: at.mean, rate: at.rate };
            if let Some(law) = law.law(key)? {
                self.builder.serve(node, class, law);
            }
            if let Some(priority) = at.priority {
                self.builder.priority(node, class, priority);
            }
        }
        match &shape.tokens {
            None => self.builder.tokens(node, 0, self.template.tokens),
            Some(PerClass::First(tokens)) => self.builder.tokens(node, 0, *tokens),
            Some(PerClass::Each(each)) => {
                for (name, &tokens) in each {
                    let class = self.class(format_args!("{key}.tokens"), name)?;
                    self.builder.tokens(node, class, tokens);
                }
                &mut self.builder
            }
        };
        Ok(())
    }

    fn serve_by_default(&mut self, node: u32) {
        if self.serves_by_default {
            self.builder.serve_all(node, self.template.service.clone());
        }
    }

    fn sources(&mut self) -> Result<(), ConfigError> {
        for (number, shape) in self.shape.source.iter().enumerate() {
            let key = List::Sources.at(number);
            if let Some(replay) = shape.replay.as_deref() {
                self.replayed(key, shape, replay)?;
                continue;
            }
            let class = match &shape.class {
                Some(name) => self.class(format_args!("{key}.class"), name)?,
                None if self.shape.classes.len() > 1 => {
                    let problem = "which class does this source emit? Add 'class'".to_owned();
                    return Err(ConfigError::value(&key.to_string(), problem));
                }
                None => 0,
            };
            let law = Keys { law: ("interarrival", shape.interarrival.as_ref()), mean: shape.mean, rate: shape.rate };
            let law = match (law.law(key)?, shape.implied_law(&key)?) {
                (Some(_), Some(_)) => {
                    let problem =
                        "the times between arrivals are given twice: remove the law, or 'rates' and 'markovian'";
                    return Err(ConfigError::value(&key.to_string(), problem.to_owned()));
                }
                (Some(law), None) | (None, Some(law)) => law,
                (None, None) => {
                    let problem = "no time between arrivals: give 'mean', 'rate', 'interarrival' or 'rates'".to_owned();
                    return Err(ConfigError::value(&key.to_string(), problem));
                }
            };
            let node = self.builder.source(&shape.name, class, law);
            let behaviour = Behaviour { arrivals: shape.arrivals(&key)?, ..Behaviour::default() };
            if behaviour.beyond().is_some() {
                self.builder.behave(node, behaviour);
            }
            self.claim(format_args!("{key}.name"), &shape.name, node)?;
            self.routing(node, shape.routing.unwrap_or(Routing::Random));
            if let Some([x, y]) = shape.position {
                self.builder.position(node, x, y);
            }
        }
        Ok(())
    }

    /// Adds a source that replays a table.
    fn replayed(&mut self, key: Entry, shape: &'a SourceShape, replay: &'a ReplayShape) -> Result<(), ConfigError> {
        if let Some(name) = shape.drawn_key() {
            let problem = "the arrivals are those of 'replay': remove it, or 'replay'".to_owned();
            return Err(ConfigError::value(&format!("{key}.{name}"), problem));
        }
        let class = match (&shape.class, &replay.class) {
            (Some(_), Some(_)) => {
                let problem = "the classes are those of a column: remove it, or the column's heading in 'replay'";
                return Err(ConfigError::value(&format!("{key}.class"), problem.to_owned()));
            }
            (Some(name), None) => self.class(format_args!("{key}.class"), name)?,
            (None, None) if self.shape.classes.len() > 1 => {
                let problem =
                    "which class does this source emit? Add 'class', or the heading of its column to 'replay'";
                return Err(ConfigError::value(&key.to_string(), problem.to_owned()));
            }
            (None, _) => 0,
        };
        let table = replay.read(class, &|name| self.classes.get(name).copied());
        let table = table.map_err(|error| ConfigError::value(&format!("{key}.replay"), error.to_string()))?;
        let node = self.builder.source_of(shape.name.clone(), &table);
        self.replays.push((key, node, replay, table));
        self.claim(format_args!("{key}.name"), &shape.name, node)?;
        self.routing(node, shape.routing.unwrap_or(Routing::Random));
        if let Some([x, y]) = shape.position {
            self.builder.position(node, x, y);
        }
        Ok(())
    }

    /// Sets what stations have beyond servers, a line and routes by chance, once all nodes have their numbers.
    fn behaviours(&mut self) -> Result<(), ConfigError> {
        for (number, shape) in self.shape.node.iter().enumerate() {
            let key = List::Nodes.at(number);
            let behaviour = shape.behaviour(&key, self)?;
            if let Some(&node) = self.numbers.get(shape.name.as_str()).filter(|_| behaviour.beyond().is_some()) {
                self.builder.behave(node, behaviour);
            }
        }
        for (key, node, shape, mut replay) in std::mem::take(&mut self.replays) {
            let key = format!("{key}.replay.services");
            let stations = shape.services.keys().map(|name| Numbers::node(self, &key, name));
            replay.stations = stations.collect::<Result<_, _>>()?;
            self.builder.behave_by(node, replay);
        }
        for (number, shape) in self.shape.resource.iter().enumerate() {
            if self.shape.resource.iter().take(number).any(|other| other.name == shape.name) {
                let problem = format!("a second resource has the name '{}': names must differ", shape.name);
                return Err(ConfigError::value(&format!("network.resource[{number}].name"), problem));
            }
            self.builder.resource(&shape.name, shape.units);
        }
        for (number, shape) in self.shape.region.iter().enumerate() {
            let key = format!("network.region[{number}].nodes");
            let nodes = shape.nodes.iter().map(|name| Numbers::node(self, &key, name)).collect::<Result<_, _>>()?;
            if shape.capacity.is_none() && shape.classes.is_empty() {
                let problem =
                    "a region without limits does nothing: give 'capacity', or 'classes' with a number for each";
                return Err(ConfigError::value(&format!("network.region[{number}]"), problem.to_owned()));
            }
            let key = format!("network.region[{number}].classes");
            let limits = shape.classes.iter().map(|(name, limit)| Ok((self.class(&key, name)?, *limit)));
            let classes = limits.collect::<Result<_, ConfigError>>()?;
            let capacity = shape.capacity.unwrap_or(Region::UNLIMITED);
            self.builder.region(Region { nodes, capacity, classes, overflow: shape.overflow });
        }
        Ok(())
    }

    /// Sets the rule by which a node chooses among its routes.
    fn routing(&mut self, node: u32, routing: Routing) {
        self.builder.routing(node, routing);
        if matches!(routing, Routing::RoundRobin | Routing::Fork) {
            self.named_routes.several(node);
        }
    }

    /// Returns the node of a name, which is added if it is new.
    fn number(&mut self, name: &'a str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let node = self.builder.station(name, self.template.station);
        self.numbers.insert(name, node);
        self.routing(node, self.template.routing);
        self.builder.tokens(node, 0, self.template.tokens);
        self.serve_by_default(node);
        node
    }

    /// Adds a route for every class.
    fn edge(&mut self, key: Entry, (from, a): (u32, &str), (to, b): (Option<u32>, &str)) -> Result<(), ConfigError> {
        self.builder.route_all(from, Onward { to, class: None, probability: None });
        let route = NamedRoute { from, class: None, to, becomes: None };
        self.named_routes.add(key, route, Names { from: a, class: None, to: b })
    }

    fn edges(&mut self) -> Result<(), ConfigError> {
        for (number, [a, b]) in self.shape.links.iter().enumerate() {
            let key = List::Links.at(number);
            if a == OUT || b == OUT {
                let problem = format!("nothing comes back from '{OUT}': use 'edges'");
                return Err(ConfigError::value(&key.to_string(), problem));
            }
            let (first, second) = (self.number(a), self.number(b));
            self.edge(key, (first, a), (Some(second), b))?;
            if a != b {
                self.edge(key, (second, b), (Some(first), a))?;
            }
        }
        for (number, [a, b]) in self.shape.edges.iter().enumerate() {
            let key = List::Edges.at(number);
            if a == OUT {
                let problem = format!("nothing comes from '{OUT}': use a [[network.source]]");
                return Err(ConfigError::value(&key.to_string(), problem));
            }
            let from = self.number(a);
            let to = if b == OUT { None } else { Some(self.number(b)) };
            self.edge(key, (from, a), (to, b))?;
        }
        Ok(())
    }

    fn routes(&mut self) -> Result<(), ConfigError> {
        for (number, shape) in self.shape.route.iter().enumerate() {
            let key = List::Routes.at(number);
            let node = |name: &str, end: &str| {
                self.numbers.get(name).copied().ok_or_else(|| {
                    let problem = format!("no node is called '{name}': add a [[network.node]] of that name");
                    ConfigError::value(&format!("{key}.{end}"), problem)
                })
            };
            let class = |name: &Option<String>, end: &str| {
                name.as_ref().map(|name| self.class(format_args!("{key}.{end}"), name)).transpose()
            };
            if shape.probability.is_some_and(|probability| !(probability > 0.0 && probability <= 1.0)) {
                let given = shape.probability.unwrap_or_default();
                let problem = format!("{} is no probability of a route: give more than 0 and at most 1", Shown(given));
                return Err(ConfigError::value(&format!("{key}.probability"), problem));
            }
            let from = node(&shape.from, "from")?;
            let to = if shape.to == OUT { None } else { Some(node(&shape.to, "to")?) };
            let becomes = class(&shape.becomes, "becomes")?;
            let class = class(&shape.class, "class")?;
            let condition = |(number, shape): (usize, &WhenShape)| {
                let counted = node(&shape.node, &format!("when[{number}].node"))?;
                let wrong = |problem: &str| ConfigError::value(&format!("{key}.when[{number}]"), problem.to_owned());
                shape.when(counted).map_err(wrong)
            };
            let when = shape.when.iter().enumerate().map(condition).collect::<Result<Vec<_>, _>>()?;
            let onward = Onward { to, class: becomes, probability: shape.probability };
            match class {
                Some(class) => self.builder.route(from, class, onward),
                None => self.builder.route_all(from, onward),
            };
            self.builder.when(when);
            let names = Names { from: &shape.from, class: shape.class.as_deref(), to: &shape.to };
            self.named_routes.add(key, NamedRoute { from, class, to, becomes }, names)?;
        }
        Ok(())
    }
}

impl Numbers for Writer<'_> {
    fn node(&self, key: &dyn Display, name: &str) -> Result<u32, ConfigError> {
        self.numbers.get(name).copied().ok_or_else(|| {
            let problem = format!("no node is called '{name}': add a [[network.node]] of that name");
            ConfigError::value(&key.to_string(), problem)
        })
    }

    fn resource(&self, key: &dyn Display, name: &str) -> Result<u32, ConfigError> {
        let number = self.shape.resource.iter().position(|resource| resource.name == name);
        number.map(|number| number as u32).ok_or_else(|| {
            let problem = format!("no resource is called '{name}': add a [[network.resource]] of that name");
            ConfigError::value(&key.to_string(), problem)
        })
    }

    fn number_of_classes(&self) -> u32 {
        self.classes.len() as u32
    }

    fn class(&self, key: &dyn Display, name: &str) -> Result<u32, ConfigError> {
        Writer::class(self, key, name)
    }
}
