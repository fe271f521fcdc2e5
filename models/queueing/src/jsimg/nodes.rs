//! Nodes of a file: their sections, read as sources, stations, sinks and nodes that tokens pass at once.

use super::JsimgError;
use super::forks;
use super::laws::{Times, drawn, law, times};
use super::parameter::{File, Parameter, children};
use super::routing::{Choice, choices};
use crate::law::Law;
use crate::network::{Join, Overflow};
use roxmltree::Node as Element;

/// Node of a file.
pub(super) struct Node<'a> {
    pub(super) name: &'a str,
    pub(super) element: Element<'a, 'a>,
    pub(super) role: Role<'a>,
    /// Rule by which a token that leaves is routed, by class.
    pub(super) choices: Vec<Choice<'a>>,
}

/// Names of sections that serve.
const SERVERS: [&str; 4] = ["Server", "Delay", "PSServer", "PreemptiveServer"];

/// Role of a node.
pub(super) enum Role<'a> {
    /// Source, with the times between arrivals, by class.
    Source(Vec<Option<Times>>),
    Sink,
    Station(Station<'a>),
    /// Router or logger: tokens pass it at once.
    Pass,
    /// Weights of the classes that a token may have afterwards, by its class.
    Switch(Vec<Vec<f64>>),
    /// A section that has no counterpart. It is an error only if a token can come here.
    Other(&'a str),
}

/// Properties of a station.
pub(super) struct Station<'a> {
    /// Number of servers; `None` for a delay, where nobody waits.
    pub(super) servers: Option<u32>,
    pub(super) capacity: Option<u32>,
    /// `true` if all tokens share the servers.
    pub(super) shares: bool,
    /// Share of each class in relation to others, by class, where tokens share the servers.
    pub(super) weights: Vec<u32>,
    /// `true` if tokens pass at once: a router by the state, a fork or a join.
    pub(super) pass: bool,
    /// Number of parts of forked tokens that wait for one another.
    pub(super) join: Option<Join>,
    /// `true` if a token that comes may interrupt a service.
    pub(super) interrupts: bool,
    /// Law of the time that a token is ready to wait, by class.
    pub(super) patience: Vec<Option<Law>>,
    /// Law of the time after which a token that found no room comes again, by class.
    pub(super) retries: Vec<Option<Law>>,
    /// Service law, by class.
    pub(super) services: Vec<Option<Law>>,
    /// Name of the strategy that orders the queue, by class.
    pub(super) orders: Vec<&'a str>,
    /// Treatment of a token that finds the station full, by class.
    pub(super) overflows: Vec<Full>,
    /// Reason why the station cannot be simulated, if a token comes here.
    pub(super) obstacle: Option<String>,
}

impl Station<'_> {
    /// Returns a place that tokens of some classes pass at once, unless there is an obstacle.
    fn passed(classes: &[String], obstacle: Option<String>) -> Self {
        Self {
            servers: None,
            capacity: None,
            shares: false,
            weights: vec![1; classes.len()],
            pass: true,
            join: None,
            interrupts: false,
            patience: vec![None; classes.len()],
            retries: vec![None; classes.len()],
            services: vec![None; classes.len()],
            orders: vec!["TailStrategy"; classes.len()],
            overflows: vec![Full::As(Overflow::Lose); classes.len()],
            obstacle,
        }
    }
}

/// Treatment of a token that finds a station full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Full {
    As(Overflow),
    /// The token waits in a second line.
    Waits,
    /// The token comes back later.
    Retries,
}

/// Reads a node; `classes` are the names of all classes.
pub(super) fn node<'a>(file: File<'a>, element: Element<'a, 'a>, classes: &[String]) -> Result<Node<'a>, JsimgError> {
    let name = file.attribute(element, "name")?;
    let sections: Vec<_> = children(element, "section").map(|section| (kind(section), section)).collect();
    let find = |kinds: &[&str]| sections.iter().find(|(kind, _)| kinds.contains(kind)).map(|(_, section)| *section);
    let described = format!("station '{name}'");
    let reader = Reader { file, described: &described, classes };
    let known = [
        "RandomSource",
        "Queue",
        "Server",
        "Delay",
        "PSServer",
        "PreemptiveServer",
        "ServiceTunnel",
        "LogTunnel",
        "ClassSwitch",
        "Router",
        "Fork",
        "Join",
        "JobSink",
    ];
    let other = sections.iter().find(|(kind, _)| !known.contains(kind)).map(|(kind, _)| *kind);
    let mut obstacle = None;
    let choices = match (find(&["Router"]), find(&["Fork"])) {
        (_, Some(fork)) => {
            let (parts, problem) = forks::parts(file, &described, fork, classes)?;
            obstacle = problem;
            parts.into_iter().map(Choice::Fork).collect()
        }
        (Some(router), None) => choices(file, &described, router, classes)?,
        (None, None) => vec![Choice::Nowhere; classes.len()],
    };
    // Tokens that choose by the state, or are divided, do so at a place of their own.
    let is_place = choices.iter().any(|choice| !choice.is_by_chance());
    let role = match other {
        Some(other) => Role::Other(other),
        None if find(&["JobSink"]).is_some() => Role::Sink,
        None => match (find(&["RandomSource"]), find(&["ClassSwitch"]), find(&SERVERS)) {
            (Some(source), ..) => Role::Source(reader.times(source)?),
            (_, Some(switch), _) => Role::Switch(reader.switch(switch)?),
            (.., Some(server)) => Role::Station(reader.station(find(&["Queue"]), server)?),
            _ => match (find(&["Join"]), find(&["Fork"])) {
                (Some(join), _) => Role::Station(match forks::join(join) {
                    Ok(join) => Station { join: Some(join), ..Station::passed(classes, obstacle) },
                    Err(problem) => Station::passed(classes, Some(problem)),
                }),
                (None, fork) if fork.is_some() || is_place => Role::Station(Station::passed(classes, obstacle)),
                (None, _) => Role::Pass,
            },
        },
    };
    Ok(Node { name, element, role, choices })
}

/// Returns the number of the node of a name.
pub(super) fn find(nodes: &[Node<'_>], name: &str) -> Option<usize> {
    nodes.iter().position(|node| node.name == name)
}

fn kind<'a>(section: Element<'a, '_>) -> &'a str {
    section.attribute("className").unwrap_or("")
}

/// Reader of the sections of one node.
struct Reader<'r, 'a> {
    file: File<'a>,
    described: &'r str,
    classes: &'r [String],
}

impl<'a> Reader<'_, 'a> {
    fn wrong(&self, at: Element<'_, '_>, problem: impl Into<String>) -> JsimgError {
        self.file.wrong(at, self.described, problem)
    }

    /// Returns the strategies of service of a section, by class, with descriptions for errors.
    fn strategies(&self, section: Element<'a, 'a>) -> Result<Vec<(Option<Parameter<'a>>, String)>, JsimgError> {
        let strategies = Parameter::of(section).find(|parameter| parameter.class() == "ServiceStrategy");
        let strategies =
            strategies.ok_or_else(|| self.wrong(section, "has no 'ServiceStrategy': save the model again"))?;
        let described = |class: &String| format!("{}, class '{class}'", self.described);
        Ok(strategies.by_class(self.classes).into_iter().zip(self.classes.iter().map(described)).collect())
    }

    /// Returns the laws of services, by class.
    fn laws(&self, section: Element<'a, 'a>) -> Result<Vec<Option<Law>>, JsimgError> {
        let of = |(part, described): (Option<Parameter<'a>>, String)| match part {
            Some(part) => law(self.file, &described, part),
            None => Ok(None),
        };
        self.strategies(section)?.into_iter().map(of).collect()
    }

    /// Returns the times between arrivals, by class.
    fn times(&self, section: Element<'a, 'a>) -> Result<Vec<Option<Times>>, JsimgError> {
        let of = |(part, described): (Option<Parameter<'a>>, String)| match part {
            Some(part) => times(self.file, &described, part),
            None => Ok(None),
        };
        self.strategies(section)?.into_iter().map(of).collect()
    }

    /// Returns the laws of a parameter that gives one to some classes, by class.
    fn laws_of_some(&self, parameter: Parameter<'a>) -> Result<Vec<Option<Law>>, JsimgError> {
        let of = |(part, class): (Option<Parameter<'a>>, &String)| match part {
            Some(part) if part.parts().next().is_some() => {
                drawn(self.file, &format!("{}, class '{class}'", self.described), part)
            }
            _ => Ok(None),
        };
        parameter.by_class(self.classes).into_iter().zip(self.classes).map(of).collect()
    }

    /// Returns the weights of a class switch.
    fn switch(&self, section: Element<'a, 'a>) -> Result<Vec<Vec<f64>>, JsimgError> {
        let matrix = Parameter::of(section).find(|parameter| parameter.name() == "matrix");
        let matrix = matrix.ok_or_else(|| self.wrong(section, "has no 'matrix' of classes: save the model again"))?;
        let weight = |cell: Option<Parameter<'a>>| match cell {
            None => Ok(0.0),
            Some(cell) => {
                let text = cell.value().unwrap_or("0");
                text.parse().ok().filter(|weight: &f64| *weight >= 0.0 && weight.is_finite()).ok_or_else(|| {
                    self.wrong(
                        cell.element,
                        format!("a probability to switch is '{text}': give a number of at least 0"),
                    )
                })
            }
        };
        let row = |row: Option<Parameter<'a>>| match row {
            None => Ok(vec![0.0; self.classes.len()]),
            Some(row) => row.by_class(self.classes).into_iter().map(weight).collect(),
        };
        matrix.by_class(self.classes).into_iter().map(row).collect()
    }

    fn station(&self, queue: Option<Element<'a, 'a>>, server: Element<'a, 'a>) -> Result<Station<'a>, JsimgError> {
        let mut station = Station {
            servers: None,
            capacity: None,
            shares: kind(server) == "PSServer",
            weights: vec![1; self.classes.len()],
            pass: false,
            join: None,
            interrupts: kind(server) == "PreemptiveServer",
            patience: vec![None; self.classes.len()],
            retries: vec![None; self.classes.len()],
            services: self.laws(server)?,
            orders: vec!["TailStrategy"; self.classes.len()],
            overflows: vec![Full::As(Overflow::Lose); self.classes.len()],
            obstacle: None,
        };
        if let Some(queue) = queue {
            self.queue(queue, &mut station)?;
        }
        if kind(server) != "Delay" {
            self.servers(server, &mut station)?;
        }
        Ok(station)
    }

    fn queue(&self, queue: Element<'a, 'a>, station: &mut Station<'a>) -> Result<(), JsimgError> {
        for parameter in Parameter::of(queue) {
            match (parameter.name(), parameter.class()) {
                ("size", _) => {
                    let size = self.whole(parameter)?;
                    station.capacity = u32::try_from(size).ok().filter(|size| *size > 0);
                }
                ("dropStrategies", _) => {
                    for (entry, part) in station.overflows.iter_mut().zip(parameter.by_class(self.classes)) {
                        *entry = match part.and_then(Parameter::value) {
                            Some("BAS blocking") => Full::As(Overflow::Block),
                            Some("waiting queue") => Full::Waits,
                            Some("retrial") => Full::Retries,
                            _ => Full::As(Overflow::Lose),
                        };
                    }
                }
                (_, "QueuePutStrategy") => {
                    for (entry, part) in station.orders.iter_mut().zip(parameter.by_class(self.classes)) {
                        *entry = part.map_or("TailStrategy", Parameter::class);
                    }
                }
                ("retrialDistributions", _) => station.retries = self.laws_of_some(parameter)?,
                (_, "Impatience") if parameter.parts().any(|part| part.class() == "Balking") => {
                    station.obstacle = Some("balking has no counterpart here".to_owned());
                }
                // Strategies of impatience without parameters are those of classes that wait for ever.
                (_, "Impatience") => station.patience = self.laws_of_some(parameter)?,
                (_, name) if name.ends_with("PollingGetStrategy") => {
                    station.obstacle = Some("polling has no counterpart here".to_owned());
                }
                (_, "LCFSstrategy") => station.orders.iter_mut().for_each(|order| *order = "HeadStrategy"),
                _ => {}
            }
        }
        Ok(())
    }

    fn servers(&self, server: Element<'a, 'a>, station: &mut Station<'a>) -> Result<(), JsimgError> {
        let (mut servers, mut by_weights) = (1, false);
        for parameter in Parameter::of(server) {
            match parameter.name() {
                "maxJobs" => {
                    let given = self.whole(parameter)?;
                    servers = u32::try_from(given).ok().filter(|servers| *servers > 0).ok_or_else(|| {
                        self.wrong(parameter.element, format!("has {given} servers: give at least 1"))
                    })?;
                }
                "classParallelism" | "numberOfVisits" => {
                    for part in parameter.parts() {
                        if self.whole(part)? != 1 {
                            let what = if parameter.name() == "numberOfVisits" {
                                "visits in a row"
                            } else {
                                "servers for one job"
                            };
                            station.obstacle = Some(format!("several {what} have no counterpart here"));
                        }
                    }
                }
                "serverCompatibilities" => {
                    let refuses = |kind: Parameter<'a>| kind.parts().any(|class| class.value() == Some("false"));
                    if parameter.parts().any(refuses) {
                        station.obstacle =
                            Some("servers that serve some classes only have no counterpart here".to_owned());
                    }
                }
                "PSStrategy" => {
                    let strategies: Vec<_> = parameter.parts().map(Parameter::class).collect();
                    by_weights = strategies.contains(&"DPSStrategy");
                    let known = ["EPSStrategy", "DPSStrategy"];
                    if let Some(other) = strategies.iter().find(|strategy| !known.contains(strategy)) {
                        station.obstacle = Some(format!("the sharing by '{other}' has no counterpart here: use 'EPS'"));
                    }
                }
                "serviceWeights" => {
                    for (entry, part) in station.weights.iter_mut().zip(parameter.by_class(self.classes)) {
                        let text = part.and_then(Parameter::value).unwrap_or("1");
                        let weight = text.parse().ok().filter(|weight: &f64| (1.0..=1e6).contains(weight));
                        let whole = weight.filter(|weight| weight.fract() == 0.0).map(|weight| weight as u32);
                        *entry = whole.unwrap_or(0);
                    }
                }
                "delayOffTime" | "setUpTime" | "SwitchoverStrategy" if parameter.parts().next().is_some() => {
                    station.obstacle = Some(format!("'{}' has no counterpart here", parameter.name()));
                }
                _ => {}
            }
        }
        station.servers = Some(servers);
        if !by_weights {
            station.weights.fill(1);
        } else if station.weights.contains(&0) {
            station.obstacle = Some("weights of sharing that are no whole numbers have no counterpart here".to_owned());
        }
        Ok(())
    }

    fn whole(&self, parameter: Parameter<'a>) -> Result<i64, JsimgError> {
        let text = parameter.value().unwrap_or("");
        text.parse().map_err(|_| {
            self.wrong(parameter.element, format!("'{}' is '{text}': give a whole number", parameter.name()))
        })
    }
}
