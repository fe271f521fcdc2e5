//! Links and their queues.

use super::codel::{Codel, FqCodel};
use super::error::NetworkError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Directed link with its queue.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// Node at which the link begins. Its queue is there too.
    pub from: u32,
    /// Node at which the link ends.
    pub to: u32,
    /// Propagation delay from the departure of the last bit to its arrival, in nanoseconds.
    pub delay: u64,
    /// Bandwidth, in bits per second, above 0.
    pub bandwidth: u64,
    /// The queue.
    pub queue: Queue,
    /// Share of what is sent that is lost on the link, after the queue; at least 0 and below 1.
    pub loss: f64,
}

impl Link {
    /// Returns the number below which a draw of 64 random bits means that a packet is lost on the link.
    ///
    /// The product with 2^64 is exact, so every host compares with the same integer.
    #[must_use]
    pub fn loss_threshold(&self) -> u64 {
        (self.loss * 2_f64.powi(64)) as u64
    }

    /// Returns `true` if packets and fluids can be lost on the link.
    #[must_use]
    pub fn is_lossy(&self) -> bool {
        self.loss > 0.0
    }
}

/// Queue at the beginning of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Queue {
    /// Capacity in bytes, including the packet that is being sent; above 0. If the capacity is given in packets, it is
    /// that of so many packets of standard size.
    pub capacity: u64,
    /// Capacity in packets, including the one that is being sent; above 0. With it the capacity in bytes is one for
    /// fluids alone.
    pub packets: Option<u32>,
    /// Rule by which the queue drops.
    pub discipline: Discipline,
}

impl Queue {
    /// Creates a queue with a capacity in bytes.
    #[must_use]
    pub const fn of_bytes(capacity: u64, discipline: Discipline) -> Self {
        Self { capacity, packets: None, discipline }
    }
}

/// Default for the queues of links.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QueueRule {
    /// Capacity.
    pub room: Room,
    /// Standard size of a packet, in bytes.
    pub packet: u32,
    /// Rule by which the queue drops.
    pub discipline: Discipline,
}

/// Capacity of a queue.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Room {
    /// Capacity in bytes.
    Bytes(u64),
    /// Capacity in packets, whatever their size.
    Packets(u32),
    /// Capacity as a time at the link's rate, with a lower limit in bytes.
    Time {
        /// Time at the link's rate, in seconds.
        seconds: f64,
        /// Smallest capacity in bytes.
        least: u64,
    },
}

impl Default for QueueRule {
    /// Returns RED queues of 5 MB, as in the paper.
    fn default() -> Self {
        Self { room: Room::Bytes(5_000_000), packet: 1000, discipline: Discipline::default() }
    }
}

impl QueueRule {
    /// Returns the queue of a link of `bandwidth` bits per second.
    #[must_use]
    pub fn queue(&self, bandwidth: u64) -> Queue {
        let (capacity, packets) = match self.room {
            Room::Bytes(bytes) => (bytes, None),
            Room::Packets(packets) => (u64::from(packets) * u64::from(self.packet), Some(packets)),
            Room::Time { seconds, least } => (((seconds * bandwidth as f64 / 8.0).round() as u64).max(least), None),
        };
        Queue { capacity, packets, discipline: self.discipline }
    }

    /// Returns the rule with the capacity of a queue that has one of its own.
    #[must_use]
    pub fn with_room(self, own: Option<impl Into<Room>>) -> Self {
        Self { room: own.map_or(self.room, Into::into), ..self }
    }
}

/// Rule by which a queue drops.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Discipline {
    /// Drop-tail: drops packets that do not fit.
    DropTail,
    /// Random early detection: drops packets that do not fit, and before that some at random.
    Red(Red),
    /// CoDel: drops packets that do not fit, and packets that leave after long waits.
    Codel(Codel),
    /// FqCoDel: a queue with CoDel for each flow. Packets that do not fit make room in the longest of them.
    FqCodel(FqCodel),
}

impl Discipline {
    /// Returns `true` if the link takes its packets one by one, so that their departures are not known when they
    /// arrive. Fluids do not know such disciplines.
    #[must_use]
    pub const fn is_managed(&self) -> bool {
        matches!(self, Self::Codel(_) | Self::FqCodel(_))
    }

    /// Checks that the parameters are in range.
    ///
    /// # Errors
    /// [`NetworkError::Red`] or [`NetworkError::Codel`].
    pub fn check(&self) -> Result<(), NetworkError> {
        match self {
            Self::DropTail => Ok(()),
            Self::Red(red) => red.check(),
            Self::Codel(codel) => codel.check(),
            Self::FqCodel(fair) => fair.check(),
        }
    }
}

impl Default for Discipline {
    fn default() -> Self {
        Self::Red(Red::default())
    }
}

/// Random early detection: the drop probability depends on a running average of the queue's length.
///
/// With the average `x`, the probability of a drop is 0 below `least`, rises linearly to `probability` at `most`, and
/// is 1 above that. The defaults are those of the authors' simulator, PRIME. Its other form, for queues that only
/// packets enter, is [`OfPackets::Prime`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Red {
    /// Weight of one packet's sample in the average, above 0 and at most 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub weight: f64,
    /// Average, as a share of the capacity, from which packets are dropped.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub least: f64,
    /// Average, as a share of the capacity, above which every packet is dropped.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub most: f64,
    /// Drop probability if the average is just below `most`, from 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub probability: f64,
    /// Drop rule of a queue that only packets enter.
    pub packets: OfPackets,
}

/// Drop rule of a queue that only packets enter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OfPackets {
    /// Drops each packet independently with the probability of the average, as for fluids. Queues with and without
    /// fluids then behave alike.
    #[default]
    AsFluid,
    /// Drops as in PRIME. Above `most` the probability p rises linearly to 1, at twice `most` or at a full queue. Drops
    /// keep a distance: let n be the number of packets' bytes since the last drop, or since the average reached
    /// `least`. Nothing is dropped while np is below 1, then the probability is p / (2 - np). Gaps are thus uniform
    /// from 1/p to 2/p. The probability of a smaller packet is proportionally lower.
    Prime,
}

impl Default for Red {
    fn default() -> Self {
        Self { weight: 1e-4, least: 0.05, most: 0.5, probability: 0.2, packets: OfPackets::AsFluid }
    }
}

impl Red {
    /// Returns the drop probability for an average of `average` bytes in a queue of `capacity` bytes.
    #[must_use]
    pub fn drop_probability(&self, average: f64, capacity: u64) -> f64 {
        self.share_probability(average / capacity as f64)
    }

    /// Returns the drop probability for an average that is this share of the capacity.
    #[must_use]
    pub fn share_probability(&self, share: f64) -> f64 {
        if share < self.least {
            0.0
        } else if share <= self.most {
            self.probability * (share - self.least) / (self.most - self.least)
        } else {
            1.0
        }
    }

    /// Returns the initial probability of [`OfPackets::Prime`] for an average that is this share of the capacity.
    #[must_use]
    pub fn gentle_probability(&self, share: f64) -> f64 {
        let full = f64::min(1.0, 2.0 * self.most);
        if share <= self.most {
            self.share_probability(share)
        } else if share < full {
            self.probability + (1.0 - self.probability) * (share - self.most) / (full - self.most)
        } else {
            1.0
        }
    }

    /// Checks that the parameters are in range.
    ///
    /// # Errors
    /// [`NetworkError::Red`] for a weight outside (0, 1], thresholds that are not `0 <= least < most <= 1`, or a
    /// probability outside [0, 1].
    pub fn check(&self) -> Result<(), NetworkError> {
        let wrong = |parameter, value, expected| Err(NetworkError::Red { parameter, value, expected });
        if !(self.weight > 0.0 && self.weight <= 1.0) {
            return wrong("weight", self.weight, "above 0 and at most 1");
        }
        if !(0.0..1.0).contains(&self.least) {
            return wrong("least", self.least, "at least 0 and below 1, a share of the capacity");
        }
        if !(self.most > self.least && self.most <= 1.0) {
            return wrong("most", self.most, "above 'least' and at most 1, a share of the capacity");
        }
        if !(0.0..=1.0).contains(&self.probability) {
            return wrong("probability", self.probability, "from 0 to 1");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn red_drops_nothing_then_some_then_everything() {
        let red = Red::default();
        let probability = |average| red.drop_probability(average, 1_000_000);
        assert_eq!((probability(0.0), probability(49_999.0), probability(500_001.0)), (0.0, 0.0, 1.0));
        assert!((probability(275_000.0) - 0.1).abs() < 1e-12);
        assert!((probability(500_000.0) - 0.2).abs() < 1e-12);
    }

    #[test]
    fn the_gentle_form_rises_to_one_at_twice_the_threshold() {
        let gentle =
            |red: Red| [0.04, 0.5, 0.6, 0.75, 0.95].map(|share| (red.gentle_probability(share) * 1e9).round() / 1e9);
        assert_eq!(gentle(Red::default()), [0.0, 0.2, 0.36, 0.6, 0.92]);
        assert_eq!(
            gentle(Red { most: 0.3, ..Red::default() })[1..],
            [0.2 + 0.8 * 2.0 / 3.0, 1.0, 1.0, 1.0].map(|p: f64| (p * 1e9).round() / 1e9)
        );
        assert_eq!(Red { most: 1.0, ..Red::default() }.gentle_probability(1.0), 0.2);
    }

    #[test]
    fn the_threshold_of_a_loss_is_its_share_of_all_draws() {
        let queue = QueueRule::default().queue(1);
        let threshold = |loss| Link { from: 0, to: 1, delay: 0, bandwidth: 1, queue, loss }.loss_threshold();
        assert_eq!([0.0, 0.25, 0.5].map(threshold), [0, 1 << 62, 1 << 63]);
        // The greatest share below 1 leaves 2^11 draws.
        assert_eq!(threshold(1.0 - f64::EPSILON / 2.0), u64::MAX - 2_047);
    }

    #[test]
    fn the_room_of_a_time_has_a_least() {
        let rule = QueueRule { room: Room::Time { seconds: 0.1, least: 4000 }, ..QueueRule::default() };
        assert_eq!([20_000, 1_000_000].map(|bandwidth| rule.queue(bandwidth).capacity), [4_000, 12_500]);
        let packets = QueueRule { packet: 1500, ..rule }.with_room(Some(Room::Packets(100)));
        assert_eq!((packets.queue(1).capacity, packets.queue(1).packets), (150_000, Some(100)));
    }

    #[test]
    fn impossible_parameters_are_told() {
        assert_eq!(Red::default().check(), Ok(()));
        let cases = [
            Red { weight: 0.0, ..Red::default() },
            Red { weight: f64::NAN, ..Red::default() },
            Red { least: -0.1, ..Red::default() },
            Red { least: 0.5, most: 0.5, ..Red::default() },
            Red { most: 1.5, ..Red::default() },
            Red { probability: 1.1, ..Red::default() },
        ];
        for red in cases {
            assert!(matches!(red.check(), Err(NetworkError::Red { .. })), "{red:?}");
        }
    }
}
