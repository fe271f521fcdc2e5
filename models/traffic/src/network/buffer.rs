//! Capacity of a queue as users give it: in bytes or in packets.

use super::amount;
use super::link::Room;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Capacity of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Buffer {
    /// Capacity in bytes.
    Bytes(u64),
    /// Capacity in packets, whatever their size.
    Packets(u32),
}

impl Buffer {
    /// Reads a capacity such as `100 packets`, `1e3 packets`, `250 kB` or `250000`.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let packets = ["packets", "packet", "p"].into_iter().find_map(|unit| text.strip_suffix(unit));
        match packets {
            Some(number) => {
                let packets = amount::whole(number.trim().parse().ok()?)?;
                packets.try_into().ok().map(Self::Packets)
            }
            None => amount::bytes(text).map(Self::Bytes),
        }
    }

    /// Returns `true` for a capacity of nothing.
    #[must_use]
    pub fn is_empty(self) -> bool {
        matches!(self, Self::Bytes(0) | Self::Packets(0))
    }
}

impl From<u64> for Buffer {
    fn from(bytes: u64) -> Self {
        Self::Bytes(bytes)
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
        let expected = "a size with its unit, such as '250 kB' or '100 packets', and less than 2^32 packets";
        amount::deserialize(from, Self::read, expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capacities_are_read_in_bytes_and_in_packets() {
        for (text, expected) in [
            ("100 packets", Buffer::Packets(100)),
            ("1e3 packets", Buffer::Packets(1000)),
            ("1.5e2p", Buffer::Packets(150)),
            (" 1 packet ", Buffer::Packets(1)),
            ("4294967295 packets", Buffer::Packets(u32::MAX)),
            ("250 kB", Buffer::Bytes(250_000)),
            ("2.5e5", Buffer::Bytes(250_000)),
        ] {
            assert_eq!(Buffer::read(text), Some(expected), "{text}");
        }
        for text in
            ["packets", "-3 packets", "1.5 packets", "4294967296 packets", "inf packets", "nan p", "10 kpackets"]
        {
            assert_eq!(Buffer::read(text), None, "{text}");
        }
        assert_eq!(["0.5", "-1", "1e300", "much"].map(Buffer::read), [None; 4]);
    }
}
