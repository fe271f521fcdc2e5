//! Sections of nodes: lines, servers, forks and joins.

use super::distribution::{distribution, markovian};
use super::element::Element;
use super::{NotWritten, Writer, section};
use crate::law::Law;
use crate::network::{Behaviour, Discipline, Join, Overflow, Station};

const STRATEGIES: &str = "jmt.engine.NetStrategies";

impl Writer<'_> {
    fn behaviour(&self, node: u32) -> Behaviour {
        self.network.behaviour(node).cloned().unwrap_or_default()
    }

    /// Returns the section of a line.
    pub(super) fn queue(&self, node: u32, station: Station) -> Result<Element, NotWritten> {
        let Behaviour { retry, .. } = self.behaviour(node);
        let retry = retry.filter(|_| station.capacity.is_some());
        let size = station.capacity.map_or(-1, i64::from);
        let drop = match (station.overflow, &retry) {
            (Overflow::Block, _) => "BAS blocking",
            (Overflow::Lose, Some(_)) => "retrial",
            (Overflow::Lose, None) => "drop",
        };
        let size = Element::parameter("size", "java.lang.Integer").holding(Element::new("value").saying(size));
        let drops = self
            .by_class("dropStrategies", "java.lang.String", |_| Ok(Element::value("dropStrategy", "String", drop)))?;
        let mut queue = section("Queue").holding(size).holding(drops);
        if let Some(law) = &retry {
            let path = format!("{STRATEGIES}.ServiceStrategies.ServiceTimeStrategy");
            queue.add(self.by_class("retrialDistributions", &format!("{STRATEGIES}.ServiceStrategy"), |_| {
                self.drawn(node, Element::part("retrialDistribution", &path), law)
            })?);
        }
        queue.add(Element::parameter("FCFSstrategy", &format!("{STRATEGIES}.QueueGetStrategies.FCFSstrategy")));
        queue.add(self.orders("QueuePutStrategy", station.discipline)?);
        if let Some(impatience) = self.impatience(node)? {
            queue.add(impatience);
        }
        Ok(queue)
    }

    /// Returns the strategies by which a line is ordered.
    fn orders(&self, name: &str, discipline: Discipline) -> Result<Element, NotWritten> {
        let order = match discipline {
            // Networks with generalized sharing are refused.
            Discipline::Fifo | Discipline::ProcessorSharing | Discipline::GeneralizedSharing => "TailStrategy",
            Discipline::Lifo => "HeadStrategy",
            Discipline::Random => "RandStrategy",
            Discipline::Priority => "TailStrategyPriority",
            Discipline::PriorityPreemptive => "FCFSPRStrategyPriority",
            Discipline::LifoPreemptive => "LCFSPRStrategy",
            Discipline::ShortestJob => "SJFStrategy",
            Discipline::ShortestRemaining => "SRPTStrategy",
        };
        self.by_class(name, &format!("{STRATEGIES}.QueuePutStrategy"), |_| {
            Ok(Element::part(order, &format!("{STRATEGIES}.QueuePutStrategies.{order}")))
        })
    }

    /// Returns the patience of each class at a node; `None` if all wait for ever.
    fn impatience(&self, node: u32) -> Result<Option<Element>, NotWritten> {
        let impatience = self.behaviour(node).impatience;
        if impatience.is_empty() {
            return Ok(None);
        }
        let path = format!("{STRATEGIES}.ImpatienceStrategies");
        let by_class = self.by_class("Impatience", &format!("{path}.Impatience"), |class| {
            let own = impatience.iter().find(|of| of.class == Some(class));
            match own.or_else(|| impatience.iter().find(|of| of.class.is_none())) {
                Some(of) => self.drawn(node, Element::part("Reneging", &format!("{path}.Reneging")), &of.patience),
                None => {
                    let none = Element::part("Impatience", &format!("{path}.Impatience"));
                    Ok(none.holding(Element::new("value").saying("null")))
                }
            }
        })?;
        Ok(Some(by_class))
    }

    /// Returns the section of the servers of a station.
    pub(super) fn server(&self, node: u32, station: Station, services: Element) -> Result<Element, NotWritten> {
        if station.servers == Station::INFINITE {
            return Ok(section("Delay").holding(services));
        }
        let kind = match station.discipline {
            Discipline::ProcessorSharing => "PSServer",
            discipline if discipline.interrupts() => "PreemptiveServer",
            _ => "Server",
        };
        let number =
            Element::parameter("maxJobs", "java.lang.Integer").holding(Element::new("value").saying(station.servers));
        let visits = self
            .by_class("numberOfVisits", "java.lang.Integer", |_| Ok(Element::value("numberOfVisits", "Integer", 1)))?;
        let server = section(kind).holding(number).holding(visits).holding(services);
        match kind {
            "PSServer" => {
                let weights = self.behaviour(node).weights;
                let strategy = if weights.is_empty() { "EPSStrategy" } else { "DPSStrategy" };
                let strategies = self.by_class("PSStrategy", &format!("{STRATEGIES}.PSStrategy"), |_| {
                    Ok(Element::part(strategy, &format!("{STRATEGIES}.PSStrategies.{strategy}")))
                })?;
                let weight = |class: u32| weights.iter().find(|(of, _)| *of == class).map_or(1, |(_, weight)| *weight);
                let weights = self.by_class("serviceWeights", "java.lang.Double", |class| {
                    Ok(Element::value("serviceWeight", "Double", f64::from(weight(class))))
                })?;
                Ok(server.holding(strategies).holding(weights))
            }
            "PreemptiveServer" => Ok(server.holding(self.orders("PreemptiveStrategy", station.discipline)?)),
            _ => Ok(server),
        }
    }

    /// Returns the section of a join.
    pub(super) fn join(&self, join: Join) -> Result<Element, NotWritten> {
        let (strategy, name, needed) = match join {
            Join::All => ("NormalJoin", "Standard Join", -1),
            Join::First(parts) => ("PartialJoin", "Quorum", i64::from(parts)),
        };
        let strategies = self.by_class("JoinStrategy", &format!("{STRATEGIES}.JoinStrategy"), |_| {
            let strategy = Element::part(name, &format!("{STRATEGIES}.JoinStrategies.{strategy}"));
            Ok(strategy.holding(Element::value("numRequired", "Integer", needed)))
        })?;
        Ok(section("Join").holding(strategies))
    }

    /// Returns the section of a fork, with the number of parts for each connection.
    pub(super) fn fork(&self, node: u32) -> Result<Element, NotWritten> {
        let number = |name: &str, number: i64| {
            Element::parameter(name, "java.lang.Integer").holding(Element::new("value").saying(number))
        };
        let is_simple = Element::parameter("isSimplifiedFork", "java.lang.Boolean");
        let strategies =
            self.by_class("ForkStrategy", &format!("{STRATEGIES}.ForkStrategy"), |class| self.branches(node, class))?;
        let fork = section("Fork").holding(number("jobsPerLink", 1)).holding(number("block", -1));
        Ok(fork.holding(is_simple.holding(Element::new("value").saying(false))).holding(strategies))
    }

    fn branches(&self, node: u32, class: u32) -> Result<Element, NotWritten> {
        let path = format!("{STRATEGIES}.ForkStrategies.OutPath");
        let entry = "jmt.engine.random.EmpiricalEntry";
        let mut list = Element::part("EmpiricalEntryArray", &path).with("array", "true");
        let routes = self.network.routes(node, class);
        if routes.iter().any(|route| route.class != class) {
            let problem = "parts of forked tokens keep their class in JMT: change it elsewhere";
            return Err(self.not_written(node, problem.to_owned()));
        }
        let mut known = vec![];
        for route in routes.iter() {
            if known.contains(&route.to) {
                continue;
            }
            known.push(route.to);
            let parts = routes.iter().filter(|other| other.to == route.to).count();
            let always = || Element::value("probability", "Double", 1.0);
            let choice = Element::part("outUnitProbability", entry)
                .holding(Element::value("stationName", "String", self.end(&route)))
                .holding(always());
            let number = Element::part("EmpiricalEntry", entry)
                .holding(Element::value("numbers", "String", parts))
                .holding(always());
            let numbers = Element::part("JobsPerLinkDis", entry).with("array", "true").holding(number);
            list.add(Element::part("OutPathEntry", &path).holding(choice).holding(numbers));
        }
        let strategy = Element::part("Branch Probabilities", &format!("{STRATEGIES}.ForkStrategies.ProbabilitiesFork"));
        Ok(strategy.holding(list))
    }

    /// Returns the strategy of services, or of the times between arrivals, of a class.
    pub(super) fn service(&self, node: u32, class: u32) -> Result<Element, NotWritten> {
        let path = format!("{STRATEGIES}.ServiceStrategies");
        let strategy = || Element::part("ServiceTimeStrategy", &format!("{path}.ServiceTimeStrategy"));
        let law = self.network.service(node, class).and_then(|law| self.network.laws().get(law as usize));
        match law {
            None if self.network.station(node).is_none() => {
                Ok(strategy().holding(Element::new("value").saying("null")))
            }
            None => Ok(Element::part("DisabledServiceTimeStrategy", &format!("{path}.DisabledServiceTimeStrategy"))),
            Some(law) => match self.behaviour(node).arrivals.markovian {
                Some(process) => Ok(markovian(&process).into_iter().fold(strategy(), Element::holding)),
                None => self.drawn(node, strategy(), law),
            },
        }
    }

    /// Adds a law to a strategy.
    fn drawn(&self, node: u32, strategy: Element, law: &Law) -> Result<Element, NotWritten> {
        let parts = distribution(law).ok_or_else(|| {
            let problem =
                format!("JMT has no law '{}': use one that it has, such as 'gamma' or 'phase-type'", law.name());
            self.not_written(node, problem)
        })?;
        Ok(parts.into_iter().fold(strategy, Element::holding))
    }
}
