//! Forms of the keys for what nodes have beyond servers, a line and routes by chance.

use super::lists::{changes, some_numbers};
use crate::law::LawShape;
use crate::network::{Overflow, Shifts, Station, Visits, When};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Number of servers, or `"infinite"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "give a whole number of servers from 0 to 4294967295, or \"infinite\"")]
pub enum ServerCount {
    /// Number of servers.
    Number(u32),
    /// Every token has a server of its own.
    Every(Every),
}

/// The word for as many servers as there are tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Every {
    /// Every token has a server of its own.
    Infinite,
}

impl ServerCount {
    /// Returns the form of a [`Station`]'s number of servers.
    pub(super) const fn of(servers: u32) -> Self {
        if servers == Station::INFINITE { Self::Every(Every::Infinite) } else { Self::Number(servers) }
    }

    /// Returns the number of servers of a [`Station`].
    pub(super) const fn number(self) -> u32 {
        match self {
            Self::Number(number) => number,
            Self::Every(Every::Infinite) => Station::INFINITE,
        }
    }
}

/// Servers on duty by time: `shifts = { at = [[480, 3], [1020, 0]], period = 1440 }`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "give a table of shifts, such as { at = [[480, 3], [1020, 0]], period = 1440 }"
)]
pub struct ShiftsShape {
    /// Times, in time units from the start of the run, and the number of servers from then on.
    #[serde(deserialize_with = "changes")]
    pub at: Vec<(f64, u32)>,
    /// Time after which the shifts begin again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<f64>,
    /// End of a shift: `finish` the service, or `interrupt` it, which leaves the token to other servers.
    #[serde(default)]
    pub end: ShiftEnd,
}

/// End of a shift: whether a server that goes off duty finishes its service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ShiftEnd {
    /// Servers finish their services.
    #[default]
    Finish,
    /// Servers leave their tokens to others.
    Interrupt,
}

/// Breakdowns of servers: `breakdowns = { up = { mean = 500 }, down = { mean = 20 } }`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "give a table of two laws, such as { up = { mean = 500 }, down = { mean = 20 } }"
)]
pub struct BreakdownsShape {
    /// Law of the time that a server works until it breaks down.
    pub up: LawShape,
    /// Law of the time until it works again.
    pub down: LawShape,
}

/// Parts of a forked token that are waited for: `"all"`, or a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "give \"all\", or a number of parts")]
pub enum JoinShape {
    /// The first so many parts.
    First(u32),
    /// All parts.
    All(AllParts),
}

/// The word for all parts of a forked token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AllParts {
    /// All parts.
    All,
}

/// Servers that differ: `[[network.node.pool]]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "give pools as tables, such as [{ servers = 2, classes = [\"phone\"] }]")]
pub struct PoolShape {
    /// Number of servers.
    pub servers: u32,
    /// Names of the classes that they serve; all classes if left out. A token takes a free server of the first pool
    /// that serves it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// Speed of their service; 1 serves by the law.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// Servers on duty by time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shifts: Option<ShiftsShape>,
}

/// Sizes of batches: a number, or pairs of a size and its probability.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "give a size, or pairs of a size and its probability such as [[1, 0.7], [4, 0.3]]")]
pub enum BatchShape {
    /// Size of every batch.
    Always(u32),
    /// Sizes and their probabilities.
    Sizes(Vec<(u32, f64)>),
}

/// Markovian arrival process: `markovian = { d0 = [[-3, 1], [2, -4]], d1 = [[2, 0], [0, 2]] }`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "give a table of two matrices, such as { d0 = [[-3, 1], [2, -4]], d1 = [[2, 0], [0, 2]] }"
)]
pub struct MarkovianShape {
    /// Rates of transitions without an arrival; the rows of both matrices add up to 0.
    pub d0: Vec<Vec<f64>>,
    /// Rates of transitions with an arrival.
    pub d1: Vec<Vec<f64>>,
}

/// Service of several tokens at once: `bulk = { least = 2, most = 5, wait = 10 }`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "give a table, such as { least = 2, most = 5, wait = 10 }")]
pub struct BulkShape {
    /// Least number of tokens of a batch; 1 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least: Option<u32>,
    /// Largest number of tokens of a batch.
    pub most: u32,
    /// Time after which a token need not wait for a full batch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "time units"))]
    pub wait: Option<f64>,
}

/// A server that goes from queue to queue: `polling = { visits = "gated", switch = { mean = 0.1 } }`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "give a table, such as { visits = \"gated\", switch = { mean = 0.1 } }")]
pub struct PollingShape {
    /// Names of classes in the order of visits; all classes in their order if left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    /// Rule by which the server leaves a queue: `exhaustive`, `gated`, or a number of services.
    #[serde(default)]
    pub visits: VisitsShape,
    /// Law of the time in which the server comes to a queue; no time if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switch: Option<LawShape>,
}

/// Rule by which a server leaves a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "give \"exhaustive\", \"gated\", or a number of services")]
pub enum VisitsShape {
    /// Largest number of services of a visit.
    Limited(u32),
    /// A rule by the tokens that wait.
    Until(VisitsUntil),
}

/// Tokens that are served before a server leaves their queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum VisitsUntil {
    /// All that wait.
    Exhaustive,
    /// All that waited at the coming of the server.
    Gated,
}

impl Default for VisitsShape {
    fn default() -> Self {
        Self::Until(VisitsUntil::Exhaustive)
    }
}

impl VisitsShape {
    /// Returns the rule.
    pub(super) const fn visits(self) -> Visits {
        match self {
            Self::Limited(services) => Visits::Limited(services),
            Self::Until(VisitsUntil::Exhaustive) => Visits::Exhaustive,
            Self::Until(VisitsUntil::Gated) => Visits::Gated,
        }
    }
}

/// Arrivals of a table: `replay = { file = "calls.csv", class = "language", services = { agents = "talk" } }`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "give a table, such as { file = \"calls.csv\", class = \"language\" }")]
pub struct ReplayShape {
    /// Path of a CSV file with headings, or of a Parquet file, relative to the folder of the configuration. Its rows
    /// are in the order of time.
    #[schemars(extend("format" = "path"))]
    pub file: PathBuf,
    /// Heading of the column with the times of arrivals, in time units from the start of the run; `time` if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Heading of the column with the names of classes; all tokens are of the source's class if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Heading of the column with the number of tokens that come at a time; 1 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// Headings of columns with lengths of services in time units, by the name of their station. Where an entry is
    /// empty, the station's law draws the length.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub services: BTreeMap<String, String>,
}

/// A resource that tokens hold over several nodes: `[[network.resource]]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResourceShape {
    /// Name of the resource, by which nodes seize and release it.
    pub name: String,
    /// Number of its units.
    pub units: u32,
}

/// Condition of a route on the number of tokens at a node: `{ node = "ward", below = 5 }`, or factors by number:
/// `{ node = "ward", weights = [1, 0.5, 0.1] }`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "give conditions as tables, such as [{ node = \"ward\", below = 5 }]")]
pub struct WhenShape {
    /// Name of the node.
    pub node: String,
    /// Least number of tokens there; 0 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u32>,
    /// Number of tokens from which on the route is closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<u32>,
    /// Factors of the probability for 0, 1, ... tokens, 0 to 1000 each; the last holds for more.
    #[serde(default, deserialize_with = "some_numbers", skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<f64>,
}

impl WhenShape {
    /// Returns the condition on the number of tokens at `node`; an error is a problem with its remedy.
    pub(super) fn when(&self, node: u32) -> Result<When, &'static str> {
        let has_limits = self.from.is_some() || self.below.is_some();
        match (has_limits, self.weights.is_empty()) {
            (true, false) => Err("'weights' and 'from' or 'below' are given: remove one of them"),
            (false, true) => Err("nothing is said of the number of tokens: give 'from', 'below' or 'weights'"),
            (true, true) => Ok(When::between(node, self.from.unwrap_or(0), self.below)),
            (false, false) => Ok(When::by_number(node, &self.weights)),
        }
    }
}

/// A region of several nodes with one capacity: `[[network.region]]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RegionShape {
    /// Names of the nodes.
    pub nodes: Vec<String>,
    /// Largest number of tokens at the nodes together; no limit beside those of classes if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<u32>,
    /// Largest number of tokens of single classes at the nodes, by the name of the class.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub classes: BTreeMap<String, u32>,
    /// Treatment of a token that finds no room: it is lost, or waits outside of the region (`block`).
    #[serde(default)]
    pub overflow: Overflow,
}

impl ShiftsShape {
    /// Returns the shifts that are described.
    pub(super) fn shifts(&self) -> Shifts {
        Shifts { changes: self.at.clone(), period: self.period, interrupts: self.end == ShiftEnd::Interrupt }
    }
}
