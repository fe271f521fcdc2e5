//! Capacity of a queue as users give it: in bytes or in packets.

use super::link::Room;
use imminent_common::quantity::Quantity;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Largest size that is a whole number in floating point.
const LARGEST_SIZE: f64 = (1_u64 << 53) as f64;

/// Capacity of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Buffer {
    /// Capacity in bytes.
    Bytes(u64),
    /// Capacity in packets, whatever their size.
    Packets(u32),
}

/// Capacity as a configuration gives it.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a whole number of at least 0, or a text of a size and its unit")]
enum Given {
    /// Number of bytes.
    Whole(u64),
    /// Number of bytes in floating point.
    Number(f64),
    /// Number with a unit of its own.
    Text(String),
}

impl Buffer {
    /// Reads a capacity such as `100 packets`, `250 kB` or `250000`.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let packets = ["packets", "packet", "p"].into_iter().find_map(|unit| text.strip_suffix(unit));
        match packets {
            Some(number) => number.trim().parse().ok().map(Self::Packets),
            None => Self::of_bytes(Quantity::size(text)?.value(None)),
        }
    }

    fn of_bytes(bytes: f64) -> Option<Self> {
        let is_whole = bytes.fract() == 0.0 && (0.0..=LARGEST_SIZE).contains(&bytes);
        is_whole.then_some(Self::Bytes(bytes as u64))
    }

    /// Returns `true` for a capacity of nothing.
    #[must_use]
    pub fn is_empty(self) -> bool {
        matches!(self, Self::Bytes(0) | Self::Packets(0))
    }
}

impl From<Buffer> for Room {
    fn from(buffer: Buffer) -> Self {
        match buffer {
            Buffer::Bytes(bytes) => Self::Bytes(bytes),
            Buffer::Packets(packets) => Self::Packets(packets),
        }
    }
}

impl Serialize for Buffer {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Bytes(bytes) => to.serialize_u64(*bytes),
            Self::Packets(packets) => to.serialize_str(&format!("{packets} packets")),
        }
    }
}

impl<'de> Deserialize<'de> for Buffer {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let (read, given) = match Given::deserialize(from)? {
            Given::Whole(bytes) => return Ok(Self::Bytes(bytes)),
            Given::Number(bytes) => (Self::of_bytes(bytes), bytes.to_string()),
            Given::Text(text) => (Self::read(&text), text),
        };
        let expected =
            "a size: give a whole number of bytes, or a size with its unit, such as '250 kB' or '100 packets'";
        read.ok_or_else(|| D::Error::custom(format!("'{given}' is not {expected}")))
    }
}
