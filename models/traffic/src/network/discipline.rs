//! Queue disciplines of single links.

use super::error::NetworkError;
use super::link::{Discipline, OfPackets, Red};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Rule by which a queue drops packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum QueueKind {
    /// Random early detection: drops at random, depending on the average length.
    #[default]
    Red,
    /// Drop-tail: drops packets that do not fit.
    DropTail,
}

impl QueueKind {
    /// Returns the discipline; `red` has the parameters of RED.
    #[must_use]
    pub fn discipline(self, red: Red) -> Discipline {
        match self {
            Self::Red => Discipline::Red(red),
            Self::DropTail => Discipline::DropTail,
        }
    }
}

/// Parameters of RED of one queue. Missing ones come from the parameters for all queues.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OwnRed {
    /// Weight of one packet's sample in the average ([`Red::weight`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub weight: Option<f64>,
    /// Average, as a share of the capacity, from which packets are dropped ([`Red::least`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub least: Option<f64>,
    /// Average, as a share of the capacity, above which every packet is dropped ([`Red::most`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub most: Option<f64>,
    /// Drop probability if the average is just below `most` ([`Red::probability`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub probability: Option<f64>,
    /// Drop rule of a queue that only packets enter ([`Red::packets`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packets: Option<OfPackets>,
}

impl OwnRed {
    /// Returns `true` if the queue has no parameter of its own.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the discipline of a queue with the given `kind` and these parameters. `usual` is the discipline of other
    /// queues, and `red` has the parameters of RED for all queues.
    ///
    /// # Errors
    /// [`NetworkError::RedOfDropTail`] for parameters of a drop-tail queue; [`NetworkError::Red`] for parameters out of
    /// range.
    pub fn discipline(&self, kind: Option<QueueKind>, usual: Discipline, red: Red) -> Result<Discipline, NetworkError> {
        let discipline = match kind.map_or(usual, |kind| kind.discipline(red)) {
            Discipline::Red(base) => {
                let red = self.over(base);
                red.check()?;
                Discipline::Red(red)
            }
            Discipline::DropTail if self.is_empty() => Discipline::DropTail,
            Discipline::DropTail => return Err(NetworkError::RedOfDropTail),
        };
        Ok(discipline)
    }

    /// Returns `true` if a queue of this discipline lacks a parameter of RED, which then comes from that of all queues.
    pub(crate) fn lacks_any(&self, discipline: Discipline) -> bool {
        let of_numbers = [self.weight, self.least, self.most, self.probability].iter().any(Option::is_none);
        matches!(discipline, Discipline::Red(_)) && (of_numbers || self.packets.is_none())
    }

    fn over(&self, red: Red) -> Red {
        Red {
            weight: self.weight.unwrap_or(red.weight),
            least: self.least.unwrap_or(red.least),
            most: self.most.unwrap_or(red.most),
            probability: self.probability.unwrap_or(red.probability),
            packets: self.packets.unwrap_or(red.packets),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_has_what_it_says_and_else_what_holds_for_all() {
        let red = Red { weight: 0.5, ..Red::default() };
        let own = OwnRed { most: Some(0.9), ..OwnRed::default() };
        let (tail, all) = (Discipline::DropTail, Discipline::Red(red));
        assert_eq!(OwnRed::default().discipline(None, tail, red), Ok(tail));
        assert_eq!(OwnRed::default().discipline(Some(QueueKind::Red), tail, red), Ok(all));
        assert_eq!(OwnRed::default().discipline(Some(QueueKind::DropTail), all, red), Ok(tail));
        assert_eq!(own.discipline(None, all, Red::default()), Ok(Discipline::Red(Red { most: 0.9, ..red })));
        for (kind, usual) in [(None, tail), (Some(QueueKind::DropTail), all)] {
            assert_eq!(own.discipline(kind, usual, red), Err(NetworkError::RedOfDropTail));
        }
        let wrong = OwnRed { most: Some(0.01), ..own }.discipline(None, all, red);
        assert!(matches!(wrong, Err(NetworkError::Red { parameter: "most", .. })), "{wrong:?}");
    }
}
