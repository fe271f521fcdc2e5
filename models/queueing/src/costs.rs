//! Costs of a network: money for servers, tokens and losses, from the sums that every engine has.

use crate::network::{Network, Station};
use crate::outcome::NodeStatistics;
use imminent_common::time::Tick;
use std::ops::AddAssign;

/// Costs of a class of tokens at a station.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rates {
    /// Cost of a token that waits, for each time unit.
    pub waiting: f64,
    /// Cost of a token at the station, waiting or in service, for each time unit.
    pub in_system: f64,
    /// Cost of a token that is lost.
    pub lost: f64,
    /// Cost of a token that loses patience.
    pub reneged: f64,
    /// Gain of a completed service.
    pub gain: f64,
}

/// Costs of a station.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AtStation {
    /// Cost of a server on duty, for each time unit.
    pub server: f64,
    /// Costs by class.
    pub classes: Vec<Rates>,
}

/// Costs of all stations of a network.
#[derive(Debug, Clone, PartialEq)]
pub struct Costs {
    nodes: Vec<Node>,
    /// `true` if the costs of classes differ, so that statistics by class are needed.
    by_class: bool,
    tick: Tick,
}

/// Costs of a node, and the servers that are paid.
#[derive(Debug, Clone, PartialEq)]
struct Node {
    costs: AtStation,
    servers: Servers,
}

/// Servers that are paid.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Servers {
    /// All servers, all the time. A delay and a source have none.
    All(u32),
    /// Servers on duty, whose time is counted.
    OnDuty,
}

/// Part of the costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Servers on duty.
    Servers,
    /// Tokens that wait.
    Waiting,
    /// Tokens at stations.
    InSystem,
    /// Tokens that are lost.
    Lost,
    /// Tokens that lose patience.
    Reneged,
    /// Gain of completed services, which is subtracted.
    Gain,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 6] = [Self::Servers, Self::Waiting, Self::InSystem, Self::Lost, Self::Reneged, Self::Gain];

    /// Returns the name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Servers => "servers",
            Self::Waiting => "waiting",
            Self::InSystem => "in_system",
            Self::Lost => "lost",
            Self::Reneged => "reneged",
            Self::Gain => "gain",
        }
    }
}

/// Money that was spent in a span of time, or since time 0.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spending {
    /// Money for each [part](Part::ALL).
    parts: [f64; Part::ALL.len()],
}

impl Spending {
    /// Returns the money for a part.
    #[must_use]
    pub fn of(&self, part: Part) -> f64 {
        Part::ALL.into_iter().zip(self.parts).find(|(other, _)| *other == part).map_or(0.0, |(_, money)| money)
    }

    /// Returns all costs less the gain.
    #[must_use]
    pub fn total(&self) -> f64 {
        let [servers, waiting, in_system, lost, reneged, gain] = self.parts;
        servers + waiting + in_system + lost + reneged - gain
    }

    /// Returns the money since an earlier time.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let mut since = *self;
        since.parts.iter_mut().zip(earlier.parts).for_each(|(money, before)| *money -= before);
        since
    }
}

impl AddAssign for Spending {
    fn add_assign(&mut self, other: Self) {
        self.parts.iter_mut().zip(other.parts).for_each(|(money, more)| *money += more);
    }
}

impl Costs {
    /// Creates the costs of a network, whose stations have those that `of` gives.
    pub(crate) fn new(network: &Network, of: impl Fn(u32) -> AtStation) -> Self {
        let node = |node: u32| match network.station(node) {
            None => Node { costs: AtStation::default(), servers: Servers::All(0) },
            Some(Station { servers, .. }) => {
                let varies = network.conduct(node).is_some_and(|conduct| conduct.servers_vary());
                let all = if servers == Station::INFINITE { 0 } else { servers };
                let servers = if varies { Servers::OnDuty } else { Servers::All(all) };
                Node { costs: of(node), servers }
            }
        };
        let nodes: Vec<Node> = (0..network.len() as u32).map(node).collect();
        let differs = |node: &Node| node.costs.classes.windows(2).any(|pair| pair.first() != pair.last());
        Self { by_class: nodes.iter().any(differs), nodes, tick: network.tick() }
    }

    /// Returns `true` if statistics by class are needed.
    #[must_use]
    pub const fn is_by_class(&self) -> bool {
        self.by_class
    }

    /// Returns the money that was spent until `time`, in ticks, from the statistics of each node, and of each class at
    /// each node; `None` without these if they are [needed](Self::is_by_class).
    pub(crate) fn until(
        &self,
        time: u64,
        node: impl Fn(usize) -> NodeStatistics,
        classes: Option<&[NodeStatistics]>,
    ) -> Option<Spending> {
        let classes = classes.filter(|_| self.by_class);
        if self.by_class && classes.is_none() {
            return None;
        }
        let mut all = Spending::default();
        for (number, Node { costs, servers }) in self.nodes.iter().enumerate() {
            let sums = node(number);
            let paid = match servers {
                Servers::All(servers) => f64::from(*servers) * self.tick.units(time),
                Servers::OnDuty => self.tick.units(sums.staffed),
            };
            all += Spending { parts: [costs.server * paid, 0.0, 0.0, 0.0, 0.0, 0.0] };
            match classes {
                None => all += self.of_tokens(costs.classes.first(), &sums),
                Some(classes) => {
                    let of_node = classes.chunks(costs.classes.len().max(1)).nth(number).unwrap_or_default();
                    let rates = costs.classes.iter().zip(of_node);
                    rates.for_each(|(rates, sums)| all += self.of_tokens(Some(rates), sums));
                }
            }
        }
        Some(all)
    }

    fn of_tokens(&self, rates: Option<&Rates>, sums: &NodeStatistics) -> Spending {
        let Some(rates) = rates else { return Spending::default() };
        let time = |ticks: u64| self.tick.units(ticks);
        let waiting = sums.number_integral.saturating_sub(sums.busy + sums.delayed + sums.blocked_time);
        Spending {
            parts: [
                0.0,
                rates.waiting * time(waiting),
                rates.in_system * time(sums.number_integral),
                rates.lost * sums.lost as f64,
                rates.reneged * sums.reneged as f64,
                rates.gain * sums.completed as f64,
            ],
        }
    }
}
