//! Conversion of a file's nodes to a model.

use super::JsimgError;
use super::laws::Times;
use super::model::{ClassThere, Model, Region, Route, Source, Station};
use super::nodes::{Full, Role, Station as Read};
use super::parameter::line;
use super::paths::{End, Paths, Ways};
use super::regions::Limit;
use crate::law::Law;
use crate::network::{Discipline, Overflow, Routing, Station as InNetwork};
use std::collections::{BTreeMap, VecDeque};

/// A file, read as far as its nodes.
pub(super) struct Draft<'r, 'a> {
    pub(super) paths: Paths<'r, 'a>,
    /// Priorities of the file by class: the largest is served first.
    pub(super) priorities: Vec<i64>,
    /// Numbers of tokens at time 0, by node and class.
    pub(super) tokens: BTreeMap<(usize, usize), u32>,
    /// Positions on the screen, by node.
    pub(super) positions: Vec<Option<[f64; 2]>>,
    /// Regions of limited capacity.
    pub(super) limits: Vec<Limit>,
}

impl Draft<'_, '_> {
    /// Builds the model of what tokens can reach.
    pub(super) fn model(&self) -> Result<Model, JsimgError> {
        for &(node, class) in self.tokens.keys() {
            let problem = match self.paths.nodes.get(node).map(|node| &node.role) {
                Some(Role::Station(_)) => continue,
                Some(Role::Other(section)) => format!("the section '{section}' has no counterpart here"),
                _ => "has jobs at the start and is no station with a service: place them elsewhere".to_owned(),
            };
            return Err(self.paths.wrong(node, class, &problem));
        }
        let ways = self.ways()?;
        let mut model = Model { classes: self.classes(&ways), ..Model::default() };
        for (node, read) in self.paths.nodes.iter().enumerate() {
            let of_node: Vec<(usize, &Ways)> =
                ways.range((node, 0)..(node + 1, 0)).map(|(&(_, class), ways)| (class, ways)).collect();
            match &read.role {
                Role::Source(times) => self.source(&mut model, node, times, &of_node),
                Role::Station(station) if of_node.is_empty() => {
                    model.left_out.extend((!station.pass).then(|| read.name.to_owned()));
                }
                Role::Station(station) => self.station(&mut model, node, station, &of_node)?,
                _ => {}
            }
        }
        for limit in self.limits.iter().filter(|limit| !limit.is_capacity()) {
            let stations: Vec<_> = limit.stations.iter().map(|&node| self.name(node)).collect();
            let is_known = |name: &String| model.stations.iter().any(|station| station.name == *name);
            let stations: Vec<_> = stations.into_iter().filter(is_known).collect();
            if !stations.is_empty() {
                let Limit { capacity, overflow, .. } = *limit;
                let of_model = |(class, _): &&(String, u32)| model.classes.contains(class);
                let classes = limit.classes.iter().filter(of_model).cloned().collect();
                model.regions.push(Region { stations, capacity, classes, overflow });
            }
        }
        Ok(model)
    }

    /// Returns the ways of every class from every source and station that its tokens can reach.
    fn ways(&self) -> Result<BTreeMap<(usize, usize), Ways>, JsimgError> {
        let mut begins: VecDeque<(usize, usize)> = self.tokens.keys().copied().collect();
        for (node, read) in self.paths.nodes.iter().enumerate() {
            if let Role::Source(times) = &read.role {
                let emits = |(class, times): (usize, &Option<Times>)| times.is_some().then_some((node, class));
                begins.extend(times.iter().enumerate().filter_map(emits).filter(|&(_, class)| !self.is_closed(class)));
            }
        }
        let mut ways = BTreeMap::new();
        while let Some((node, class)) = begins.pop_front() {
            if ways.contains_key(&(node, class)) {
                continue;
            }
            let found = self.paths.from(node, class)?;
            begins.extend(found.ends.iter().filter_map(|&((to, class), _)| Some((to?, class))));
            ways.insert((node, class), found);
        }
        Ok(ways)
    }

    fn is_closed(&self, class: usize) -> bool {
        self.paths.closed.get(class) == Some(&true)
    }

    /// Returns the names of the classes that have tokens.
    fn classes(&self, ways: &BTreeMap<(usize, usize), Ways>) -> Vec<String> {
        let known = self.paths.classes.iter().enumerate();
        let has_tokens = |class: usize| {
            ways.iter().any(|((_, from), ways)| {
                *from == class || ways.ends.iter().any(|((to, becomes), _)| to.is_some() && *becomes == class)
            })
        };
        known.filter(|(class, _)| has_tokens(*class)).map(|(_, name)| name.clone()).collect()
    }

    fn class_name(&self, class: usize) -> String {
        self.paths.classes.get(class).cloned().unwrap_or_default()
    }

    /// Returns the name of a node in the model. A node that emits several classes becomes several sources.
    fn name(&self, node: usize) -> String {
        self.paths.nodes.get(node).map_or(String::new(), |node| node.name.to_owned())
    }

    fn position(&self, node: usize) -> Option<[f64; 2]> {
        self.positions.get(node).copied().flatten()
    }

    fn source(&self, model: &mut Model, node: usize, times: &[Option<Times>], ways: &[(usize, &Ways)]) {
        for &(class, ways_of) in ways {
            let Some(Some(times)) = times.get(class) else { continue };
            let name = self.name(node);
            let name = if ways.len() > 1 { format!("{name} ({})", self.class_name(class)) } else { name };
            self.routes(model, &name, class, ways_of, 0);
            model.sources.push(Source {
                name,
                class: self.class_name(class),
                interarrival: times.clone(),
                routing: ways_of.routing,
                position: self.position(node),
                line: self.line(node),
            });
        }
    }

    fn line(&self, node: usize) -> u32 {
        self.paths.nodes.get(node).map_or(0, |node| line(node.element))
    }

    fn station(
        &self,
        model: &mut Model,
        node: usize,
        read: &Read<'_>,
        ways: &[(usize, &Ways)],
    ) -> Result<(), JsimgError> {
        let first = ways.first().map_or(0, |(class, _)| *class);
        if let Some(obstacle) = &read.obstacle {
            return Err(self.paths.wrong(node, first, obstacle));
        }
        let classes: Vec<usize> = ways.iter().map(|(class, _)| *class).collect();
        let mut laws = vec![];
        for &class in &classes {
            let law = read.services.get(class).cloned().flatten();
            if law.is_none() && !read.pass {
                return Err(self.paths.wrong(node, class, "comes here and has no service: give it one"));
            }
            laws.push(law);
        }
        let (discipline, priorities) = self.discipline(node, read, &classes, &laws)?;
        let servers = self.servers(read, &classes);
        let (capacity, overflow) = self.capacity(node, read, &classes, discipline)?;
        let retry = if capacity.is_some() { self.retry(node, read, &classes)? } else { None };
        let routing = self.routing(model, node, ways)?;
        let there = classes.iter().zip(&laws).zip(priorities).map(|((&class, law), priority)| ClassThere {
            class: self.class_name(class),
            service: law.clone(),
            priority,
            weight: read.weights.get(class).copied().unwrap_or(1),
            patience: read.patience.get(class).cloned().flatten(),
            tokens: self.tokens.get(&(node, class)).copied().unwrap_or(0),
        });
        model.stations.push(Station {
            name: self.name(node),
            // A station of less room than servers never uses all of them.
            servers: capacity.map_or(servers, |capacity| servers.min(capacity)),
            discipline,
            capacity,
            overflow,
            classes: there.collect(),
            pass: read.pass,
            join: read.join,
            retry,
            routing,
            position: self.position(node),
            line: self.line(node),
        });
        Ok(())
    }

    /// Returns the discipline of a station, and the priorities of its classes.
    fn discipline(
        &self,
        node: usize,
        read: &Read<'_>,
        classes: &[usize],
        laws: &[Option<Law>],
    ) -> Result<(Discipline, Vec<u32>), JsimgError> {
        let none = vec![0; classes.len()];
        if read.servers.is_none() {
            return Ok((Discipline::Fifo, none));
        }
        if read.shares {
            return Ok((Discipline::ProcessorSharing, none));
        }
        let order = |class: &usize| read.orders.get(*class).copied().unwrap_or("TailStrategy");
        let first = classes.first().map_or("TailStrategy", order);
        if let Some(other) = classes.iter().find(|class| order(class) != first) {
            let problem = format!(
                "the classes are queued by '{first}' and '{}', which has no counterpart here: give all one",
                order(other)
            );
            return Err(self.paths.wrong(node, *other, &problem));
        }
        let alone = classes.len() == 1;
        let means: Vec<f64> = laws.iter().flatten().map(Law::mean).collect();
        let of_priority = || {
            ranks(
                &classes
                    .iter()
                    .map(|class| -self.priorities.get(*class).copied().unwrap_or(0) as f64)
                    .collect::<Vec<_>>(),
            )
        };
        let interrupting = ["FCFSPRStrategy", "FCFSPRStrategyPriority", "LCFSPRStrategy", "SRPTStrategy"];
        if interrupting.contains(&first) != read.interrupts {
            let problem = format!("the queue strategy '{first}' has no counterpart here with servers of this kind");
            return Err(self.paths.wrong(node, classes.first().copied().unwrap_or(0), &problem));
        }
        Ok(match first {
            // A job that comes interrupts none of its own priority.
            "TailStrategy" | "FCFSPRStrategy" => (Discipline::Fifo, none),
            "HeadStrategy" => (Discipline::Lifo, none),
            "RandStrategy" => (Discipline::Random, none),
            "SJFStrategy" => (Discipline::ShortestJob, none),
            "LCFSPRStrategy" => (Discipline::LifoPreemptive, none),
            "SRPTStrategy" => (Discipline::ShortestRemaining, none),
            // Without another class, a priority changes nothing.
            "TailStrategyPriority" | "FCFSPRStrategyPriority" | "SEPTStrategy" | "LEPTStrategy" if alone => {
                (Discipline::Fifo, none)
            }
            "HeadStrategyPriority" if alone => (Discipline::Lifo, none),
            "RandStrategyPriority" if alone => (Discipline::Random, none),
            "TailStrategyPriority" => (Discipline::Priority, of_priority()),
            "FCFSPRStrategyPriority" => (Discipline::PriorityPreemptive, of_priority()),
            // The class with the shortest mean is served first, or that with the longest. Equals are served as they
            // come.
            "SEPTStrategy" => (Discipline::Priority, ranks(&means)),
            "LEPTStrategy" => (Discipline::Priority, ranks(&means.iter().map(|mean| -mean).collect::<Vec<_>>())),
            other => {
                let problem = format!("the queue strategy '{other}' has no counterpart here");
                return Err(self.paths.wrong(node, classes.first().copied().unwrap_or(0), &problem));
            }
        })
    }

    /// Returns the number of servers: for a delay, as many as tokens can come, so that exact engines simulate a closed
    /// network; or no number, where open classes come.
    fn servers(&self, read: &Read<'_>, classes: &[usize]) -> u32 {
        if let Some(servers) = read.servers {
            return servers;
        }
        if read.pass || classes.iter().any(|class| !self.is_closed(*class)) {
            return InNetwork::INFINITE;
        }
        let of_closed = self.tokens.iter().filter(|((_, class), _)| self.is_closed(*class)).map(|(_, tokens)| *tokens);
        of_closed.fold(0, u32::saturating_add).max(1)
    }

    fn capacity(
        &self,
        node: usize,
        read: &Read<'_>,
        classes: &[usize],
        discipline: Discipline,
    ) -> Result<(Option<u32>, Overflow), JsimgError> {
        let of_region = self.limits.iter().find(|limit| limit.is_capacity() && limit.stations == [node]);
        let Some(capacity) = read.capacity else {
            return Ok((of_region.map(|limit| limit.capacity), Overflow::Lose));
        };
        let first = classes.first().copied().unwrap_or(0);
        if of_region.is_some() {
            return Err(self.paths.wrong(
                node,
                first,
                "has a 'size' and a region, which has no counterpart here: remove one",
            ));
        }
        let full = |class: usize| read.overflows.get(class).copied().unwrap_or(Full::As(Overflow::Lose));
        let of_first = full(first);
        if let Some(&other) = classes.iter().find(|&&class| full(class) != of_first) {
            let problem =
                "is treated in another way than other classes where the station is full, which has no counterpart here";
            return Err(self.paths.wrong(node, other, problem));
        }
        match of_first {
            Full::As(overflow) => Ok((Some(capacity), overflow)),
            // A second line before the first is one long line.
            Full::Waits if discipline == Discipline::Fifo => Ok((None, Overflow::Lose)),
            Full::Waits => Err(self.paths.wrong(
                node,
                first,
                "a second line for those who find the first full has no counterpart here",
            )),
            Full::Retries => Ok((Some(capacity), Overflow::Lose)),
        }
    }

    /// Returns the law of the time after which a token that found a station full comes again.
    fn retry(&self, node: usize, read: &Read<'_>, classes: &[usize]) -> Result<Option<Law>, JsimgError> {
        let first = classes.first().copied().unwrap_or(0);
        if read.overflows.get(first) != Some(&Full::Retries) {
            return Ok(None);
        }
        let law = |class: usize| read.retries.get(class).cloned().flatten();
        let of_first = law(first);
        if of_first.is_none() {
            return Err(self.paths.wrong(node, first, "comes again after no time: give it a 'retrialDistribution'"));
        }
        match classes.iter().find(|&&class| law(class) != of_first) {
            Some(&other) => {
                let problem = "comes again after other times than other classes, which has no counterpart here";
                Err(self.paths.wrong(node, other, problem))
            }
            None => Ok(of_first),
        }
    }

    /// Adds the routes of a station, and returns the rule by which it chooses among them.
    fn routing(&self, model: &mut Model, node: usize, ways: &[(usize, &Ways)]) -> Result<Routing, JsimgError> {
        let several = |routing| ways.iter().find(|(_, ways)| ways.ends.len() > 1 && ways.routing == routing);
        let rules = [Routing::RoundRobin, Routing::ShortestQueue, Routing::Fork, Routing::Random];
        let used: Vec<_> = rules.into_iter().filter_map(|rule| Some((rule, several(rule)?.0))).collect();
        if let [(_, class), _, ..] = used.as_slice() {
            let problem = "takes turns, or chooses by length, while another class is routed otherwise, which has no counterpart here";
            return Err(self.paths.wrong(node, *class, problem));
        }
        let name = self.name(node);
        let mut before: Vec<Vec<Option<usize>>> = vec![];
        for &(class, ways_of) in ways {
            let targets: Vec<Option<usize>> = ways_of.ends.iter().map(|((to, _), _)| *to).collect();
            let mut turn = 0;
            if several(Routing::RoundRobin).is_some() && targets.len() > 1 {
                // Classes with the same list share its turns here; in JMT each class has turns of its own.
                let rotated = |turn: usize| {
                    let mut list = targets.clone();
                    list.rotate_left(turn);
                    list
                };
                while before.contains(&rotated(turn)) {
                    turn += 1;
                    if turn == targets.len() {
                        return Err(self.paths.wrong(
                            node,
                            class,
                            "takes turns together with more classes than there are ways: leave some out",
                        ));
                    }
                }
                before.push(rotated(turn));
            }
            self.routes(model, &name, class, ways_of, turn);
        }
        Ok(used.first().map_or(Routing::Random, |(rule, _)| *rule))
    }

    /// Adds the routes of a class; those that are taken in turn begin with number `turn`.
    fn routes(&self, model: &mut Model, from: &str, class: usize, ways: &Ways, turn: usize) {
        let equal = ways.ends.iter().all(|(_, share)| Some(share) == ways.ends.first().map(|(_, first)| first));
        let by_chance = ways.routing == Routing::Random && !equal;
        let mut ends: Vec<(End, f64)> = ways.ends.clone();
        ends.rotate_left(turn);
        model.routes.extend(ends.into_iter().map(|((to, becomes), share)| Route {
            from: from.to_owned(),
            class: self.class_name(class),
            to: to.map(|to| self.name(to)),
            becomes: (becomes != class && to.is_some()).then(|| self.class_name(becomes)),
            probability: by_chance.then_some(share),
        }));
    }
}

/// Returns the rank of each key among all, from 0; equal keys have the same.
fn ranks(keys: &[f64]) -> Vec<u32> {
    let mut sorted = keys.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.dedup();
    keys.iter().map(|key| sorted.iter().position(|other| other == key).unwrap_or(0) as u32).collect()
}
