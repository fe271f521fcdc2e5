//! Queue disciplines of single links.

use super::codel::FqCodel;
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
    /// CoDel (RFC 8289): drops packets as they leave, once all have waited longer than 5 ms for 100 ms.
    Codel,
    /// FqCoDel (RFC 8290): CoDel on a queue for each session. The queues are served in turn.
    FqCodel,
}

/// Parameters of all disciplines, for queues that have none of their own.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Disciplines {
    /// Parameters of RED.
    pub red: Red,
    /// Parameters of CoDel and FqCoDel.
    pub codel: FqCodel,
}

impl QueueKind {
    /// Returns the discipline with its parameters.
    #[must_use]
    pub fn discipline(self, usual: &Disciplines) -> Discipline {
        match self {
            Self::Red => Discipline::Red(usual.red),
            Self::DropTail => Discipline::DropTail,
            Self::Codel => Discipline::Codel(usual.codel.codel),
            Self::FqCodel => Discipline::FqCodel(usual.codel),
        }
    }

    /// Returns the name of the discipline in configurations.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::DropTail => "drop-tail",
            Self::Codel => "codel",
            Self::FqCodel => "fq-codel",
        }
    }
}

impl Discipline {
    /// Returns the kind of the discipline.
    #[must_use]
    pub const fn kind(&self) -> QueueKind {
        match self {
            Self::Red(_) => QueueKind::Red,
            Self::DropTail => QueueKind::DropTail,
            Self::Codel(_) => QueueKind::Codel,
            Self::FqCodel(_) => QueueKind::FqCodel,
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
    /// queues, and `all` has the parameters for all queues.
    ///
    /// # Errors
    /// [`NetworkError::OtherDiscipline`] for parameters of a queue without RED; [`NetworkError::Red`] for parameters
    /// out of range.
    pub fn discipline(
        &self,
        kind: Option<QueueKind>,
        usual: Discipline,
        all: &Disciplines,
    ) -> Result<Discipline, NetworkError> {
        match kind.map_or(usual, |kind| kind.discipline(all)) {
            Discipline::Red(base) => {
                let red = self.over(base);
                red.check()?;
                Ok(Discipline::Red(red))
            }
            other if self.is_empty() => Ok(other),
            other => {
                let (discipline, needed) = (other.kind().name(), QueueKind::Red.name());
                Err(NetworkError::OtherDiscipline { discipline, of: "RED", needed })
            }
        }
    }

    /// Returns `true` if a parameter is missing, which then comes from those of all queues.
    pub(crate) fn lacks_any(&self) -> bool {
        let of_numbers = [self.weight, self.least, self.most, self.probability].iter().any(Option::is_none);
        of_numbers || self.packets.is_none()
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
        let of_all = Disciplines { red, codel: FqCodel { queues: 7, ..FqCodel::default() } };
        let own = OwnRed { most: Some(0.9), ..OwnRed::default() };
        let none = OwnRed::default();
        let (tail, all) = (Discipline::DropTail, Discipline::Red(red));
        assert_eq!(none.discipline(None, tail, &of_all), Ok(tail));
        assert_eq!(none.discipline(Some(QueueKind::Red), tail, &of_all), Ok(all));
        assert_eq!(none.discipline(Some(QueueKind::DropTail), all, &of_all), Ok(tail));
        assert_eq!(none.discipline(Some(QueueKind::FqCodel), all, &of_all), Ok(Discipline::FqCodel(of_all.codel)));
        assert_eq!(none.discipline(Some(QueueKind::Codel), all, &of_all), Ok(Discipline::Codel(of_all.codel.codel)));
        let others = Disciplines::default();
        assert_eq!(own.discipline(None, all, &others), Ok(Discipline::Red(Red { most: 0.9, ..red })));
        for (kind, usual, discipline) in [
            (None, tail, "drop-tail"),
            (Some(QueueKind::DropTail), all, "drop-tail"),
            (Some(QueueKind::Codel), all, "codel"),
            (Some(QueueKind::FqCodel), all, "fq-codel"),
        ] {
            let refused = NetworkError::OtherDiscipline { discipline, of: "RED", needed: "red" };
            assert_eq!(own.discipline(kind, usual, &of_all), Err(refused));
        }
        let wrong = OwnRed { most: Some(0.01), ..own }.discipline(None, all, &of_all);
        assert!(matches!(wrong, Err(NetworkError::Red { parameter: "most", .. })), "{wrong:?}");
    }
}
