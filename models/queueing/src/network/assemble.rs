//! Conversion of a draft to a network.

use super::builder::{Builder, NodeDraft, RouteDraft};
use super::column::Column;
use super::laws::Laws;
use super::limits::{MAX_NODES, MAX_TOKENS, NO_LAW};
use super::lists::{Lists, check_sizes, group, group_slice};
use super::routes::{OUT, Scaled, Table, thresholds};
use super::{
    Behaviour, BehaviourError, Discipline, Network, NetworkError, Overflow, Profile, Role, Routing, Simple, Station,
    Weights, When,
};
use crate::law::Law;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Largest difference from one of a sum of probabilities that is due to rounding alone: 1e-9.
const ROUNDED: f64 = 1e-9;

/// Largest difference from one of a sum of probabilities that are scaled: 1e-6, for probabilities of six digits, and
/// what binary fractions add to it.
const SCALED: f64 = 1e-6 + 1e-12;

impl Builder {
    /// Checks the draft and builds the network.
    ///
    /// Laws and routes of classes that never come to a node are dropped. Probabilities of routes that add up to one
    /// within 1e-6 are scaled to do so, and [`Network::warnings`] tells.
    ///
    /// # Errors
    /// [`NetworkError`], which names the node and the class at fault and gives a remedy.
    pub fn build(mut self) -> Result<Network, NetworkError> {
        if self.classes.is_empty() {
            self.classes.push("token".to_owned());
        }
        let (nodes, classes) = (self.nodes.len(), self.classes.len());
        check_sizes(nodes, self.routes.len())?;
        if nodes.saturating_mul(classes) > MAX_NODES {
            return Err(NetworkError::TooManyPairs { nodes, classes, limit: MAX_NODES });
        }
        let instant = Law::Deterministic { value: self.tick.units(1) };
        let mut passes = std::mem::take(&mut self.passes);
        passes.sort_unstable();
        for &node in &passes {
            self.serve_all(node, instant.clone());
        }
        let draft = Draft { builder: &self, nodes, classes };
        draft.check_numbers()?;
        draft.check_stations()?;
        draft.check_regions()?;
        let (profiles, profile) = draft.profiles();
        let (laws, service) = draft.services()?;
        let tokens = draft.tokens()?;
        let (routes, scaled, weights) = draft.routes()?;
        let priority = draft.by_pair(&self.priorities);
        let positions: Vec<_> = self.nodes.iter().map(|node| node.position).collect();
        let mut labels: Vec<_> = self.nodes.iter_mut().map(|node| std::mem::take(&mut node.label)).collect();
        if labels.iter().all(String::is_empty) {
            labels = vec![];
        }
        let mut network = Network {
            nodes,
            profiles,
            profile: Column::of(profile),
            laws: laws.laws,
            samplers: laws.samplers,
            service: Column::of(service),
            priority: Column::of(priority),
            tokens: Column::of(tokens),
            routes,
            behaviours: BTreeMap::new(),
            conducts: BTreeMap::new(),
            passes,
            weights,
            regions: std::mem::take(&mut self.regions),
            resources: std::mem::take(&mut self.resources),
            in_start: vec![],
            in_neighbours: vec![],
            labels,
            positions: if positions.iter().any(Option::is_some) { positions } else { vec![] },
            grid: self.grid,
            torus: false,
            tick: self.tick,
            simple: false,
            left_out: 0,
            scaled,
            classes: self.classes,
        };
        let reached = network.reached(&self.behaviours)?;
        network.prune(&reached);
        network.set_behaviours(&self.behaviours)?;
        network.simple = Simple::is_simple(&network);
        network.torus = network.has_edges_of_torus();
        let incoming = network.find_in_neighbours()?;
        network.set_in_neighbours(incoming);
        Ok(network)
    }
}

/// Routes, rows whose probabilities were scaled, and weights by node and class.
type RoutesAndMore = (Table, Vec<Scaled>, BTreeMap<(u32, u32), Weights>);

/// Draft of a builder, while it is checked.
struct Draft<'a> {
    builder: &'a Builder,
    nodes: usize,
    classes: usize,
}

impl Draft<'_> {
    fn label(&self, node: u32) -> String {
        let draft = self.builder.nodes.get(node as usize).filter(|draft| !draft.label.is_empty());
        draft.map_or_else(|| node.to_string(), |draft| draft.label.clone())
    }

    fn class_name(&self, class: u32) -> String {
        self.builder.classes.get(class as usize).cloned().unwrap_or_else(|| class.to_string())
    }

    fn pair(&self, node: u32, class: u32) -> usize {
        node as usize * self.classes + class as usize
    }

    /// Returns numbers by node and class, from the ones that were set.
    fn by_pair(&self, set: &[(u32, u32, u32)]) -> Vec<u32> {
        let mut numbers = vec![0; self.nodes * self.classes];
        for &(node, class, number) in set {
            if let Some(entry) = numbers.get_mut(self.pair(node, class)) {
                *entry = number;
            }
        }
        numbers
    }

    /// Returns `true` if a class may have a law at a node: a source has those of the classes that it emits.
    fn has_law(&self, node: u32, class: u32) -> bool {
        let emits = self.builder.nodes.get(node as usize).and_then(|draft| draft.emits);
        let replays = || self.builder.behaviours.get(&node).and_then(|behaviour| behaviour.arrivals.replay.as_ref());
        emits.is_none_or(|emits| emits == class || replays().is_some_and(|replay| replay.has_class(class)))
    }

    fn check_numbers(&self) -> Result<(), NetworkError> {
        let node = |what: &'static str, node: u32| {
            let known = (node as usize) < self.nodes;
            if known { Ok(()) } else { Err(NetworkError::NodeNumber { what, node, nodes: self.nodes }) }
        };
        let class = |what: &'static str, node: u32, class: Option<u32>| match class {
            Some(class) if class as usize >= self.classes => {
                let what = format!("{what} '{}'", self.label(node));
                Err(NetworkError::UnknownClass { what, class, classes: self.classes })
            }
            _ => Ok(()),
        };
        for (number, draft) in (0..).zip(&self.builder.nodes) {
            class("source", number, draft.emits)?;
        }
        for service in &self.builder.services {
            node("a service", service.node)?;
            class("a service of node", service.node, service.class)?;
        }
        for &(at, of, _) in &self.builder.priorities {
            node("a priority", at)?;
            class("a priority of node", at, Some(of))?;
        }
        for &(at, of, _) in &self.builder.tokens {
            node("a number of tokens", at)?;
            class("a number of tokens of node", at, Some(of))?;
        }
        for route in &self.builder.routes {
            node("a route's beginning", route.from)?;
            class("a route of node", route.from, route.class)?;
            class("a route of node", route.from, route.onward.class)?;
            if let Some(to) = route.onward.to {
                node("a route's end", to)?;
            }
        }
        Ok(())
    }

    fn check_stations(&self) -> Result<(), NetworkError> {
        for (node, draft) in (0..).zip(&self.builder.nodes) {
            let Role::Station(station) = draft.role else { continue };
            let label = || self.label(node);
            if station.servers == 0 {
                return Err(NetworkError::NoServers { label: label() });
            }
            if station.discipline == Discipline::GeneralizedSharing && station.servers != 1 {
                let (what, other) = ("generalized sharing", "more than one server");
                let error = BehaviourError::Together { what, other, place: "station" };
                return Err(NetworkError::Behaviour { label: label(), error });
            }
            if let Some(capacity) =
                station.capacity.filter(|&capacity| capacity < station.servers && station.servers != Station::INFINITE)
            {
                return Err(NetworkError::Capacity { label: label(), capacity, servers: station.servers });
            }
        }
        Ok(())
    }

    fn check_regions(&self) -> Result<(), NetworkError> {
        let mut of = vec![false; self.nodes];
        for region in &self.builder.regions {
            let least = region.classes.iter().map(|(_, limit)| *limit).fold(region.capacity, u32::min);
            if region.nodes.is_empty() || least == 0 {
                return Err(NetworkError::EmptyRegion { nodes: region.nodes.len(), capacity: least });
            }
            if let Some((class, _)) = region.classes.iter().find(|(class, _)| *class as usize >= self.classes) {
                let what = "a limit of a region".to_owned();
                return Err(NetworkError::UnknownClass { what, class: *class, classes: self.classes });
            }
            let room = region.room(self.classes as u32);
            for &node in &region.nodes {
                let bulk = self.builder.behaviours.get(&node).and_then(|behaviour| behaviour.bulk);
                if let Some(bulk) = bulk.filter(|bulk| bulk.wait.is_none() && bulk.least > room) {
                    let (label, least, capacity) = (self.label(node), bulk.least, room);
                    return Err(NetworkError::SmallRegion { label, least, capacity });
                }
                match of.get_mut(node as usize) {
                    None => return Err(NetworkError::NodeNumber { what: "a region", node, nodes: self.nodes }),
                    Some(true) => return Err(NetworkError::TwoRegions { label: self.label(node) }),
                    Some(mark) => *mark = true,
                }
            }
        }
        match self.builder.behaviours.keys().find(|&&node| node as usize >= self.nodes) {
            Some(&node) => Err(NetworkError::NodeNumber { what: "a behaviour", node, nodes: self.nodes }),
            None => Ok(()),
        }
    }

    /// Returns the distinct profiles of nodes, and the profile of each node.
    fn profiles(&self) -> (Vec<Profile>, Vec<u32>) {
        let mut numbers = HashMap::new();
        let mut profiles = vec![];
        let number = |draft: &NodeDraft| {
            let profile = Profile { role: draft.role, routing: draft.routing };
            *numbers.entry(profile).or_insert_with(|| {
                profiles.push(profile);
                profiles.len() as u32 - 1
            })
        };
        let by_node = self.builder.nodes.iter().map(number).collect();
        (profiles, by_node)
    }

    /// Returns the distinct laws, and the law of each node and class.
    fn services(&self) -> Result<(Laws, Vec<u32>), NetworkError> {
        let mut laws = Laws::default();
        let mut numbers = vec![NO_LAW; self.nodes * self.classes];
        // A law for every class applies to the classes without a law of their own.
        let (general, special): (Vec<_>, Vec<_>) =
            self.builder.services.iter().partition(|service| service.class.is_none());
        for service in general.into_iter().chain(special) {
            let first = service.class.unwrap_or(0);
            let label = || self.label(service.node);
            let number = laws.number(&service.law, self.builder.tick).map_err(|error| NetworkError::Law {
                label: label(),
                class: service.class.map_or_else(|| "every class".to_owned(), |class| self.class_name(class)),
                error,
            })?;
            let last = service.class.unwrap_or(self.classes as u32 - 1);
            for class in first..=last {
                // A source has only the laws of the classes that it emits.
                if self.has_law(service.node, class)
                    && let Some(entry) = numbers.get_mut(self.pair(service.node, class))
                {
                    *entry = number;
                }
            }
        }
        Ok((laws, numbers))
    }

    fn tokens(&self) -> Result<Vec<u32>, NetworkError> {
        let tokens = self.by_pair(&self.builder.tokens);
        let mut total = 0;
        for ((node, draft), tokens) in (0..).zip(&self.builder.nodes).zip(tokens.chunks(self.classes)) {
            let sum: u64 = tokens.iter().map(|&tokens| u64::from(tokens)).sum();
            total += sum;
            match draft.role {
                Role::Source if sum > 0 => {
                    return Err(NetworkError::IntoSource { label: self.label(node), what: "start" });
                }
                Role::Station(station) => {
                    if let Some(capacity) = station.capacity.filter(|&capacity| sum > u64::from(capacity)) {
                        return Err(NetworkError::StartsFull { label: self.label(node), tokens: sum, capacity });
                    }
                }
                Role::Source => {}
            }
        }
        if total > MAX_TOKENS {
            return Err(NetworkError::TooManyTokens { tokens: total, limit: MAX_TOKENS });
        }
        Ok(tokens)
    }

    /// Returns the routes, the rows whose probabilities were scaled to add up to one, and weights that depend on
    /// numbers of tokens, by node and class.
    fn routes(&self) -> Result<RoutesAndMore, NetworkError> {
        let rows = self.nodes * self.classes;
        let classes = self.classes as u32;
        let routes = &self.builder.routes;
        let mut special = vec![false; rows];
        for route in routes {
            if let Some(mark) = route.class.and_then(|class| special.get_mut(self.pair(route.from, class))) {
                *mark = true;
            }
        }
        // A route for every class belongs to the rows without routes of their own.
        let special = &special;
        let expanded = (0_u32..).zip(routes).flat_map(move |(number, route)| {
            let (first, last) = route.class.map_or((0, classes - 1), |class| (class, class));
            let rows = (first..=last).map(move |class| route.from * classes + class);
            rows.filter(move |&row| route.class.is_some() || special.get(row as usize) != Some(&true))
                .map(move |row| (row, number))
        });
        check_sizes(self.nodes, expanded.clone().count())?;
        let Lists { start, values: numbers } = group(rows, expanded)?;
        let mut table = Table { start, ..Table::default() };
        (table.to, table.class) = (Vec::with_capacity(numbers.len()), Vec::with_capacity(numbers.len()));
        let (mut scaled, mut weights) = (vec![], BTreeMap::new());
        for row in 0..rows as u32 {
            let numbers = group_slice(&table.start, &numbers, row);
            let drafts = numbers.iter().filter_map(|&number| routes.get(number as usize));
            let (node, class) = (row / classes, row % classes);
            if let Some(of_row) = self.weights(node, class, numbers)? {
                weights.insert((node, class), of_row);
                table.threshold.resize(table.threshold.len() + numbers.len(), 0);
            } else {
                scaled.extend(self.add_thresholds(node, class, drafts.clone(), &mut table.threshold)?);
            }
            for draft in drafts {
                table.to.push(draft.onward.to.unwrap_or(OUT));
                table.class.push(draft.onward.class.unwrap_or(class));
            }
        }
        if table.threshold.iter().all(|&threshold| threshold == 0) {
            table.threshold = vec![];
        }
        let keeps = (0..rows as u32)
            .all(|row| group_slice(&table.start, &table.class, row).iter().all(|&class| class == row % classes));
        if keeps {
            table.class = vec![];
        }
        Ok((table, scaled, weights))
    }

    /// Returns the weights of the routes of one row, given by their numbers; `None` if no route has a condition.
    fn weights(&self, node: u32, class: u32, numbers: &[u32]) -> Result<Option<Weights>, NetworkError> {
        let conditions = &self.builder.conditions;
        if conditions.is_empty() || !numbers.iter().any(|&number| conditions.contains_key(&(number as usize))) {
            return Ok(None);
        }
        let wrong = |problem: String| Err(NetworkError::conditions(self.label(node), self.class_name(class), problem));
        let routing = self.builder.nodes.get(node as usize).map_or(Routing::Random, |draft| draft.routing);
        if routing != Routing::Random {
            let problem =
                format!("they have conditions, and the node chooses by '{}': remove one of them", routing.name());
            return wrong(problem);
        }
        let of_route = |number: &u32| {
            let when = conditions.get(&(*number as usize)).map_or(&[][..], Vec::as_slice);
            let route = self.builder.routes.get(*number as usize);
            (route.and_then(|route| route.onward.probability), when)
        };
        let routes: Vec<_> = numbers.iter().map(of_route).collect();
        let is_station = |when: &When| {
            let draft = self.builder.nodes.get(when.node as usize);
            draft.is_some_and(|draft| matches!(draft.role, Role::Station(_)))
        };
        if let Some(of) = routes.iter().flat_map(|(_, when)| *when).find(|when| !is_station(when)) {
            return wrong(format!(
                "a condition counts tokens at '{}', which is no station: name one",
                self.label(of.node)
            ));
        }
        let weights = match Weights::of(routes) {
            Ok(weights) => weights,
            Err(problem) => return wrong(problem.to_owned()),
        };
        match weights.gap() {
            None => Ok(Some(weights)),
            Some(None) => {
                wrong("too many numbers to see that some route is always open: give one route no conditions".to_owned())
            }
            Some(Some(numbers)) => {
                let at = numbers.iter().map(|(node, number)| format!("{number} tokens at '{}'", self.label(*node)));
                let at: Vec<String> = at.collect();
                wrong(format!(
                    "none is open with {}: add one for this state, or one without conditions",
                    at.join(" and ")
                ))
            }
        }
    }

    /// Adds the thresholds of one row, zeros if its routes are equally likely. Returns the row if its probabilities
    /// were scaled.
    fn add_thresholds<'d>(
        &self,
        node: u32,
        class: u32,
        drafts: impl Iterator<Item = &'d RouteDraft> + Clone,
        all: &mut Vec<u32>,
    ) -> Result<Option<Scaled>, NetworkError> {
        let number = drafts.clone().count();
        let mut given: Vec<f64> = drafts.filter_map(|draft| draft.onward.probability).collect();
        if given.is_empty() {
            all.resize(all.len() + number, 0);
            return Ok(None);
        }
        let at_fault = || (self.label(node), self.class_name(class));
        if given.len() < number {
            let (label, class) = at_fault();
            return Err(NetworkError::MixedProbabilities { label, class });
        }
        let sum: f64 = given.iter().sum();
        let all_positive = given.iter().all(|&probability| probability > 0.0);
        if !all_positive || sum.is_nan() || (sum - 1.0).abs() > SCALED {
            let (label, class) = at_fault();
            return Err(NetworkError::Probabilities { label, class, sum });
        }
        let scaled = ((sum - 1.0).abs() > ROUNDED).then_some(Scaled { node, class, sum });
        if scaled.is_some() {
            given.iter_mut().for_each(|probability| *probability /= sum);
        }
        let thresholds = thresholds(&given);
        let in_turn = self.builder.nodes.get(node as usize).is_some_and(|draft| draft.routing == Routing::RoundRobin);
        if in_turn && thresholds.last() != Some(&0) {
            let (label, class) = at_fault();
            return Err(NetworkError::RoundRobin { label, class });
        }
        all.extend(thresholds);
        Ok(scaled)
    }
}

impl Network {
    /// Checks and compiles the behaviour of nodes that are not ordinary.
    fn set_behaviours(&mut self, behaviours: &BTreeMap<u32, Behaviour>) -> Result<(), NetworkError> {
        for (&node, behaviour) in behaviours.iter().filter(|(_, behaviour)| behaviour.beyond().is_some()) {
            let come = |class: u32| self.service(node, class).is_some();
            let conduct = behaviour.checked(self.role(node), &self.classes, come, self.tick);
            let conduct = conduct.map_err(|error| NetworkError::Behaviour { label: self.label(node), error })?;
            self.conducts.insert(node, Arc::new(conduct));
            self.behaviours.insert(node, behaviour.clone());
        }
        self.check_resources()?;
        self.check_joins()?;
        self.check_passes()?;
        self.check_waits()
    }

    /// Checks that only tokens in servers come to stations that make them wait there.
    fn check_waits(&self) -> Result<(), NetworkError> {
        if self.blocking_node().is_none() || self.beyond_sequential().is_none() {
            return Ok(());
        }
        let blocks = |to: u32| {
            self.station(to).is_some_and(|station| station.capacity.is_some() && station.overflow == Overflow::Block)
        };
        for node in 0..self.len() as u32 {
            let routes = (0..self.classes() as u32).flat_map(|class| self.routes(node, class).targets());
            let conduct = self.conducts.get(&node);
            let impatient = conduct.into_iter().flat_map(|conduct| conduct.patience.iter().flatten());
            let has_batches = conduct.is_some_and(|conduct| conduct.emission.has_batches());
            let refused = match self.routing(node) {
                Routing::Fork => routes.clone().find(|to| blocks(*to)).map(|to| ("parts of a forked token", to)),
                _ if conduct.is_some_and(|conduct| conduct.bulk.is_some()) => {
                    routes.clone().find(|to| blocks(*to)).map(|to| ("tokens that were served together", to))
                }
                _ if has_batches => routes.clone().find(|to| blocks(*to)).map(|to| ("batches of tokens", to)),
                _ => impatient.filter_map(|(_, to)| *to).find(|to| blocks(*to)).map(|to| ("impatient tokens", to)),
            };
            if let Some((what, to)) = refused {
                return Err(NetworkError::CannotBlock { label: self.label(node), what, to: self.label(to) });
            }
        }
        Ok(())
    }

    /// Removes the laws and routes of classes that never come to a node.
    fn prune(&mut self, reached: &[bool]) {
        if reached.iter().all(|&reached| reached) {
            return;
        }
        let services = reached.iter().enumerate();
        let services = services.map(|(pair, &reached)| if reached { self.service.get(pair) } else { NO_LAW });
        self.service = Column::of(services.collect());
        let table = std::mem::take(&mut self.routes);
        let mut kept = Table { start: vec![0], ..Table::default() };
        for (pair, &reached) in reached.iter().enumerate() {
            if reached {
                let routes = table.of(pair, 0);
                kept.to.extend_from_slice(routes.to);
                kept.class.extend_from_slice(routes.classes);
                let equal = vec![0; if table.threshold.is_empty() { 0 } else { routes.len() }];
                kept.threshold.extend_from_slice(if routes.are_equal() { &equal } else { routes.thresholds });
            }
            kept.start.push(kept.to.len() as u32);
        }
        if kept.threshold.iter().all(|&threshold| threshold == 0) {
            kept.threshold = vec![];
        }
        self.routes = kept;
        self.drop_unused_laws();
    }

    /// Removes laws that no class at any node uses, keeping the order of the others.
    fn drop_unused_laws(&mut self) {
        let pairs = self.nodes * self.classes.len();
        let mut used = vec![false; self.laws.len()];
        for pair in 0..pairs {
            if let Some(mark) = used.get_mut(self.service.get(pair) as usize) {
                *mark = true;
            }
        }
        let mut next = 0;
        let numbers: Vec<u32> = used
            .iter()
            .map(|&used| {
                if used {
                    next += 1;
                    next - 1
                } else {
                    NO_LAW
                }
            })
            .collect();
        let renumbered = (0..pairs).map(|pair| numbers.get(self.service.get(pair) as usize).copied().unwrap_or(NO_LAW));
        self.service = Column::of(renumbered.collect());
        let mut marks = used.iter();
        self.laws.retain(|_| marks.next() == Some(&true));
        let mut marks = used.iter();
        self.samplers.retain(|_| marks.next() == Some(&true));
    }
}
