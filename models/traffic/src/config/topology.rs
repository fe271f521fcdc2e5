//! The `[topology]` section.

mod blame;
mod unused;

use super::codel::CodelShape;
use super::error::{ConfigError, instant, rate};
use super::failure::FailureShape;
use super::unit;
use crate::network::files::{self, BandwidthFrom, EdgeKind, Filled, Gaps, LeftOut, Own, Read, first_delay};
use crate::network::is_share;
use crate::network::{
    Buffer, Builder, Campus, Disciplines, FqCodel, Link, Network, NetworkError, OwnRed, QueueKind, QueueRule, Red,
    Room, validation,
};
use imminent_common::free_memory;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// The `[topology]` section: a generator, a file, or a list of nodes and links.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TopologyShape {
    /// Network of the paper with its flows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generate: Option<Generator>,
    /// Number of campuses, for `generate = "campus"`; 4 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub campuses: Option<u32>,
    /// Graph in GraphML, GEXF, GML or node-link JSON, or SNDlib file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "path"))]
    pub file: Option<PathBuf>,
    /// Nodes that need a position. Other nodes come from the links.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub node: Vec<NodeShape>,
    /// Links.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub link: Vec<LinkShape>,
    /// Times during which links carry nothing, for packets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failure: Vec<FailureShape>,
    /// Bandwidth of links without their own, in bits per second.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "unit::some_bits")]
    #[schemars(range(min = 1.0, max = 1e13), extend("unit" = "bit/s"))]
    pub bandwidth: Option<f64>,
    /// Delay of links without their own and without positions to compute one from, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "unit::some_seconds")]
    #[schemars(range(min = 0.0, max = 5e6), extend("unit" = "s"))]
    pub delay: Option<f64>,
    /// Smallest delay that is computed from positions, in seconds.
    #[serde(deserialize_with = "unit::seconds")]
    #[schemars(range(min = 0.0, max = 5e6), extend("unit" = "s"))]
    pub least_delay: f64,
    /// Bits per second in the unit of bandwidths that a file gives as bare numbers, or the name of that unit. If not
    /// given: in SNDlib the unit that the file gives, or else 10^6; in GraphML 1.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "unit::rate")]
    #[schemars(with = "Option<unit::Shape>", extend("unit" = "bit/s", "texts" = "a unit such as 'Mbps'"))]
    pub unit: Option<f64>,
    /// Seconds in the unit of delays that a GraphML file gives as bare numbers, or the name of that unit; 1 if not
    /// given.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "unit::time")]
    #[schemars(with = "Option<unit::Shape>", extend("unit" = "s", "texts" = "a unit such as 'ms'"))]
    pub delay_unit: Option<f64>,
    /// Direction of the edges of a file. If not given, that of the file: graphs say whether an edge is directed, and
    /// SNDlib's links are two-way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edges: Option<EdgeKind>,
    /// Capacity of each queue in bytes, or in packets, such as `100 packets`; 5,000,000 bytes if neither this nor
    /// `buffer_time` is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<unit::Shape>", extend("unit" = "B", "minimum" = 1, "texts" = "a size such as '250 kB' or '100 packets'"))]
    pub buffer: Option<Buffer>,
    /// Capacity of each queue as a time at its link's rate, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "unit::some_seconds")]
    #[schemars(range(min = 1e-6, max = 1e3), extend("unit" = "s"))]
    pub buffer_time: Option<f64>,
    /// Smallest capacity that `buffer_time` results in, in bytes. On slow links little is sent in a short time.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "unit::some_bytes")]
    #[schemars(extend("unit" = "B"))]
    pub least_buffer: Option<u64>,
    /// Loss probability of links without their own; 0 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub loss: Option<f64>,
    /// Rule by which queues drop.
    pub discipline: QueueKind,
    /// Parameters of RED (random early detection).
    pub red: Red,
    /// Parameters of CoDel and FqCoDel.
    #[serde(skip_serializing_if = "CodelShape::is_empty")]
    pub codel: CodelShape,
}

/// Generated network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Generator {
    /// The paper's 12 nodes and four flows.
    Validation,
    /// The paper's campuses, with ten flows to each host.
    Campus,
}

/// Node with a position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NodeShape {
    /// Name of the node.
    pub name: String,
    /// Longitude in degrees east.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "°"))]
    pub longitude: Option<f64>,
    /// Latitude in degrees north.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "°"))]
    pub latitude: Option<f64>,
}

/// Link between two nodes, in both directions unless `one_way` is set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkShape {
    /// Name of the first node.
    pub from: String,
    /// Name of the second node.
    pub to: String,
    /// Bandwidth in bits per second.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "unit::some_bits")]
    #[schemars(range(min = 1.0, max = 1e13), extend("unit" = "bit/s"))]
    pub bandwidth: Option<f64>,
    /// Delay in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "unit::some_seconds")]
    #[schemars(range(min = 0.0, max = 5e6), extend("unit" = "s"))]
    pub delay: Option<f64>,
    /// Capacity of the queue in bytes, or in packets, such as `100 packets`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<unit::Shape>", extend("unit" = "B", "minimum" = 1, "texts" = "a size such as '250 kB' or '100 packets'"))]
    pub buffer: Option<Buffer>,
    /// Share of what is sent over the link that is lost on it, after the queue.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub loss: Option<f64>,
    /// Rule by which the queue drops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discipline: Option<QueueKind>,
    /// `true` if there is no link back.
    #[serde(default)]
    pub one_way: bool,
    /// Parameters of RED for this queue only.
    #[serde(default, skip_serializing_if = "OwnRed::is_empty")]
    pub red: OwnRed,
    /// Parameters of CoDel or FqCoDel for this queue only.
    #[serde(default, skip_serializing_if = "CodelShape::is_empty")]
    pub codel: CodelShape,
}

impl Default for TopologyShape {
    fn default() -> Self {
        Self {
            generate: None,
            campuses: None,
            file: None,
            node: vec![],
            link: vec![],
            failure: vec![],
            bandwidth: None,
            delay: None,
            least_delay: 1e-4,
            unit: None,
            delay_unit: None,
            edges: None,
            buffer: None,
            buffer_time: None,
            least_buffer: None,
            loss: None,
            discipline: QueueKind::Red,
            red: Red::default(),
            codel: CodelShape::default(),
        }
    }
}

impl TopologyShape {
    /// Builds the network, with the demands of its file. `packet` is the standard size of a packet, in bytes.
    pub(super) fn network(&self, packet: u32) -> Result<Read, ConfigError> {
        let by_hand = !self.node.is_empty() || !self.link.is_empty();
        let only = |network: Network| {
            let loss = self.loss()?;
            let network = network.with_loss(loss).map_err(|error| self.blame(&error, "topology.loss"))?;
            let (filled, left_out) = (Filled::of_generated(&network), LeftOut::default());
            Ok(Read { network, demands: vec![], filled, left_out, unread: BTreeMap::new() })
        };
        self.check_use(packet)?;
        if self.campuses.is_some() && self.generate != Some(Generator::Campus) {
            let problem = "campuses are those of one generator: give 'generate = \"campus\"', or remove it".to_owned();
            return Err(ConfigError::value("topology.campuses", problem));
        }
        match (self.generate, &self.file, by_hand) {
            (Some(Generator::Validation), None, false) => {
                only(validation::network().map_err(|error| ConfigError::value("topology", error.to_string()))?)
            }
            (Some(Generator::Campus), None, false) => {
                let campus = self.campus(packet)?;
                let option = "--campuses ('campuses' in [topology])";
                free_memory::fits(option, campus.campuses.into(), Campus::bytes)?;
                only(campus.network().map_err(|error| self.blame(&error, "topology.campuses"))?)
            }
            (None, Some(file), false) => self.of_file(file, packet),
            (None, None, true) => self.by_hand(packet),
            (None, None, false) => Err(ConfigError::value(
                "topology",
                "nothing says what the network is: give 'generate', 'file', or [[topology.link]]".to_owned(),
            )),
            _ => Err(ConfigError::value(
                "topology",
                "the network is said twice: give one of 'generate', 'file', and [[topology.link]]".to_owned(),
            )),
        }
    }

    /// Refuses values that the network does not use.
    fn check_use(&self, packet: u32) -> Result<(), ConfigError> {
        let Self { generate, file, .. } = self;
        let usual = Self::default();
        let generated = generate.is_some();
        let validation = *generate == Some(Generator::Validation);
        let of_gaps = "the links of a generator have their own: remove it, or give 'file' or [[topology.link]]";
        let of_queues = "the queues of 'generate = \"validation\"' are the paper's, RED of 5 MB: remove it";
        let of_files = "only a file has bare numbers: remove it";
        let stray = [
            ("bandwidth", generated && self.bandwidth.is_some(), of_gaps),
            ("delay", generated && self.delay.is_some(), of_gaps),
            ("least_delay", generated && self.least_delay != usual.least_delay, of_gaps),
            ("unit", file.is_none() && self.unit.is_some(), of_files),
            ("delay_unit", file.is_none() && self.delay_unit.is_some(), of_files),
            ("edges", file.is_none() && self.edges.is_some(), "only a file has edges: remove it"),
            ("buffer", validation && self.buffer.is_some(), of_queues),
            ("buffer_time", validation && self.buffer_time.is_some(), of_queues),
            ("least_buffer", validation && self.least_buffer.is_some(), of_queues),
            ("discipline", validation && self.discipline != usual.discipline, of_queues),
            ("red", validation && self.red != usual.red, of_queues),
            ("codel", validation && !self.codel.is_empty(), of_queues),
        ];
        // A value that is wrong anywhere is told as that.
        self.gaps(packet)?;
        stray.iter().find(|(_, unused, _)| *unused).map_or(Ok(()), |(key, _, problem)| {
            Err(ConfigError::value(&format!("topology.{key}"), (*problem).to_owned()))
        })
    }

    /// Reads the network of a file. A unit that no number of the file has is refused.
    fn of_file(&self, file: &Path, packet: u32) -> Result<Read, ConfigError> {
        let read = files::read(file, &self.gaps(packet)?)?;
        let graphml = read.filled.unit.is_none();
        let stray = [
            ("unit", graphml && self.unit.is_some() && read.filled.bare_bandwidths == 0, "bandwidth"),
            ("delay_unit", self.delay_unit.is_some() && read.filled.bare_delays == 0, "delay"),
        ];
        stray.iter().find(|(_, unused, _)| *unused).map_or(Ok(read), |(key, _, what)| {
            let problem = format!("no edge of the file gives its {what} as a number without unit: remove it");
            Err(ConfigError::value(&format!("topology.{key}"), problem))
        })
    }

    /// Returns the generator of campuses, with all flows fluid.
    pub(super) fn campus(&self, packet: u32) -> Result<Campus, ConfigError> {
        Ok(Campus { queues: self.queues(packet)?, ..Campus::new(self.campuses.unwrap_or(4)) })
    }

    fn queues(&self, packet: u32) -> Result<QueueRule, ConfigError> {
        if self.least_buffer.is_some() && self.buffer_time.is_none() {
            let problem =
                "it is the least that 'buffer_time' makes of a slow link: give that too, or remove it".to_owned();
            return Err(ConfigError::value("topology.least_buffer", problem));
        }
        let room = match (self.buffer, self.buffer_time) {
            (Some(_), Some(_)) => {
                let problem = "a queue takes a number of bytes or packets, or a time: remove 'buffer' or 'buffer_time'"
                    .to_owned();
                return Err(ConfigError::value("topology.buffer_time", problem));
            }
            (Some(buffer), None) if buffer.is_empty() => {
                let what = if buffer == Buffer::Packets(0) { "packets" } else { "bytes" };
                let problem = format!("a queue of 0 {what} takes nothing: give some");
                return Err(ConfigError::value("topology.buffer", problem));
            }
            (Some(buffer), None) => buffer.into(),
            (None, Some(seconds)) if (1e-6..=1e3).contains(&seconds) => {
                Room::Time { seconds, least: self.least_buffer.unwrap_or(0) }
            }
            (None, Some(seconds)) => {
                let problem = format!("{seconds} s of a link's rate is not possible: give 1e-6 to 1000");
                return Err(ConfigError::value("topology.buffer_time", problem));
            }
            (None, None) => QueueRule::default().room,
        };
        let discipline = self.discipline.discipline(&self.disciplines()?);
        Ok(QueueRule { room, packet, discipline })
    }

    /// Returns the parameters of all disciplines.
    fn disciplines(&self) -> Result<Disciplines, ConfigError> {
        self.red.check().map_err(|error| self.blame(&error, "topology.red"))?;
        Ok(Disciplines { red: self.red, codel: self.codel.over(FqCodel::default(), "topology.codel")? })
    }

    /// Returns the loss probability of links without their own.
    fn loss(&self) -> Result<f64, ConfigError> {
        share("topology.loss", self.loss.unwrap_or(0.0))
    }

    fn gaps(&self, packet: u32) -> Result<Gaps, ConfigError> {
        if let Some(unit) = self.unit.filter(|unit| !(*unit > 0.0 && *unit <= 1e13)) {
            let problem = format!("{unit} bit/s is not a unit: give a number above 0 and at most 1e13");
            return Err(ConfigError::value("topology.unit", problem));
        }
        if let Some(unit) = self.delay_unit.filter(|unit| !(*unit > 0.0 && *unit <= 1e3)) {
            let problem = format!("{unit} s is not a unit: give a number above 0 and at most 1000");
            return Err(ConfigError::value("topology.delay_unit", problem));
        }
        Ok(Gaps {
            bandwidth: self.bandwidth.map(|bandwidth| rate("topology.bandwidth", bandwidth)).transpose()?,
            delay: self.delay.map(|delay| instant("topology.delay", delay)).transpose()?,
            least_delay: instant("topology.least_delay", self.least_delay)?,
            queues: self.queues(packet)?,
            disciplines: self.disciplines()?,
            loss: self.loss()?,
            unit: self.unit,
            edges: self.edges,
            delay_unit: self.delay_unit,
        })
    }

    fn by_hand(&self, packet: u32) -> Result<Read, ConfigError> {
        let (gaps, mut filled) = (self.gaps(packet)?, Filled::default());
        let mut builder = Builder::new();
        let mut numbers = HashMap::new();
        let mut places = HashMap::new();
        for (index, node) in self.node.iter().enumerate() {
            let number = builder.node(node.name.as_str());
            if numbers.insert(node.name.as_str(), number).is_some() {
                let problem = format!("a second node is called '{}': names must differ", node.name);
                return Err(ConfigError::value(&format!("topology.node[{index}].name"), problem));
            }
            if let (Some(x), Some(y)) = (node.longitude, node.latitude) {
                builder.place(number, [x, y]);
                places.insert(number, [x, y]);
            }
        }
        for (index, link) in self.link.iter().enumerate() {
            let key = |name: &str| format!("topology.link[{index}].{name}");
            let [from, to] = [&link.from, &link.to]
                .map(|name| *numbers.entry(name.as_str()).or_insert_with(|| builder.node(name.as_str())));
            let bandwidth = match link.bandwidth {
                Some(bandwidth) => rate(&key("bandwidth"), bandwidth)?,
                None => gaps.bandwidth.ok_or_else(|| {
                    let problem = "it has no 'bandwidth': give one, or one for all links in [topology]".to_owned();
                    ConfigError::value(&format!("topology.link[{index}]"), problem)
                })?,
            };
            let computed = || files::delay_between(*places.get(&from)?, *places.get(&to)?, &gaps);
            let delay = link.delay.map(|delay| instant(&key("delay"), delay)).transpose()?;
            let (delay, whence) = first_delay(delay, computed, &gaps).ok_or_else(|| {
                let problem = "it has no 'delay', and its ends no places: give one, or one for all links in [topology]";
                ConfigError::value(&format!("topology.link[{index}]"), problem.to_owned())
            })?;
            filled.count(BandwidthFrom::given(link.bandwidth), whence);
            let mut queue = gaps.queues.with_room(link.buffer).queue(bandwidth);
            let discipline = link.red.discipline(link.discipline, queue.discipline, &gaps.disciplines);
            let discipline = discipline.map_err(|error| {
                let name = match &error {
                    NetworkError::Red { parameter, .. } => format!("red.{parameter}"),
                    _ => "red".to_owned(),
                };
                ConfigError::value(&key(&name), error.to_string())
            })?;
            queue.discipline = link.codel.discipline(discipline, gaps.disciplines.codel, &key("codel"))?;
            let loss = link.loss.map_or(Ok(gaps.loss), |loss| share(&key("loss"), loss))?;
            let (lacks_red, lacks_codel) = (link.red.lacks_any(), link.codel.given().map(|is_given| !is_given));
            let (buffer, kind) = (link.buffer.is_some(), link.discipline);
            let own = Own { buffer, loss: link.loss.is_some(), kind, lacks_red, lacks_codel };
            filled.count_own(own, queue.discipline);
            let link = Link { from, to, delay, bandwidth, queue, loss };
            let back = !self.link.get(index).is_some_and(|link| link.one_way);
            let _ = if back { builder.both_ways(link) } else { builder.link(link) };
        }
        let network = builder.build().map_err(|error| self.blame(&error, "topology"))?;
        Ok(Read { network, demands: vec![], filled, left_out: LeftOut::default(), unread: BTreeMap::new() })
    }
}

/// Checks the loss probability of a link.
fn share(key: &str, loss: f64) -> Result<f64, ConfigError> {
    if is_share(loss) {
        return Ok(loss);
    }
    let problem = format!(
        "a share of {loss} cannot be lost: give at least 0 and below 1, such as 0.01 for one packet of a hundred"
    );
    Err(ConfigError::value(key, problem))
}
