//! Keys of the network, and attributes of edges in its file, that are at fault for an error.

use super::{LinkShape, TopologyShape};
use crate::config::ConfigError;
use crate::network::{NetworkError, Room};

impl TopologyShape {
    /// Returns the error for an invalid network, with the key at fault.
    pub(super) fn blame(&self, error: &NetworkError, otherwise: &str) -> ConfigError {
        let of_link = |ends: (&str, &str), key: &str| {
            self.link_between(ends).map_or("topology".to_owned(), |(index, _)| format!("topology.link[{index}].{key}"))
        };
        let key = match error {
            NetworkError::Loop { node } => of_link((node, node), "to"),
            NetworkError::Bandwidth { from, to, .. } => of_link((from, to), "bandwidth"),
            NetworkError::Delay { from, to, .. } => of_link((from, to), "delay"),
            NetworkError::Buffer { from, to, .. } => self.key_of_room((from, to)),
            NetworkError::Red { parameter, .. } => format!("topology.red.{parameter}"),
            NetworkError::Loss { .. } => "topology.loss".to_owned(),
            _ => otherwise.to_owned(),
        };
        ConfigError::value(&key, error.to_string())
    }

    /// Finds the first link of the configuration between two nodes, and its index.
    fn link_between(&self, (from, to): (&str, &str)) -> Option<(usize, &LinkShape)> {
        let joins = |link: &LinkShape| (link.from == from && link.to == to) || (link.from == to && link.to == from);
        self.link.iter().enumerate().find(|(_, link)| joins(link))
    }

    /// Returns the key that sets the capacity of the queue of a link.
    fn key_of_room(&self, ends: (&str, &str)) -> String {
        match self.link_between(ends) {
            Some((index, LinkShape { buffer: Some(_), .. })) => format!("topology.link[{index}].buffer"),
            _ if self.buffer_time.is_some() => "topology.buffer_time".to_owned(),
            _ => "topology.buffer".to_owned(),
        }
    }

    /// Returns the error for a queue with too small a capacity, with the key or the attribute of an edge at fault.
    pub(in super::super) fn blame_room(
        &self,
        ends: (&str, &str),
        capacity: u64,
        packet: u32,
        problem: String,
    ) -> ConfigError {
        let usual = self.queues(packet).map(|rule| rule.room);
        let is_own = match usual {
            Ok(Room::Bytes(bytes)) => bytes != capacity,
            Ok(Room::Packets(packets)) => u64::from(packets) * u64::from(packet) != capacity,
            Ok(Room::Time { .. }) | Err(_) => false,
        };
        if self.file.is_some() && is_own {
            return of_edge("buffer", &problem);
        }
        ConfigError::value(&self.key_of_room(ends), problem)
    }

    /// Returns the error for a queue with an impossible discipline, with the key or the attribute of an edge at fault.
    pub(in super::super) fn blame_discipline(
        &self,
        ends: (&str, &str),
        discipline: &str,
        problem: String,
    ) -> ConfigError {
        match self.link_between(ends) {
            Some((index, LinkShape { discipline: Some(_), .. })) => {
                ConfigError::value(&format!("topology.link[{index}].discipline"), problem)
            }
            _ if self.file.is_some() && discipline != self.discipline.name() => of_edge("discipline", &problem),
            _ => ConfigError::value("topology.discipline", problem),
        }
    }

    /// Returns the key that sets the delay of a link.
    pub(in super::super) fn key_of_delay(&self, ends: (&str, &str)) -> String {
        match self.link_between(ends) {
            Some((index, LinkShape { delay: Some(_), .. })) => format!("topology.link[{index}].delay"),
            _ if self.delay == Some(0.0) => "topology.delay".to_owned(),
            _ if self.least_delay == 0.0 => "topology.least_delay".to_owned(),
            Some((index, _)) => format!("topology.link[{index}]"),
            None => "topology.file".to_owned(),
        }
    }
}

/// Returns the error for the value of an attribute of an edge in the file of a network.
fn of_edge(attribute: &str, problem: &str) -> ConfigError {
    ConfigError::value("topology.file", format!("{problem} (attribute '{attribute}' of the edge)"))
}
