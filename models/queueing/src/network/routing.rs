//! Rules by which nodes choose among their routes.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

/// Rule by which a node chooses among its routes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Routing {
    /// Random choice by probabilities.
    #[default]
    Random,
    /// Round robin, in the order of departures. Classes that go to the same nodes in the same order share the turns.
    RoundRobin,
    /// The node with the fewest tokens; by chance among equals.
    ShortestQueue,
    /// The one with the fewest tokens of some nodes that are chosen by chance.
    PowerOf(Choices),
    /// The node with the least work for each server; by chance among equals.
    LeastWork,
    /// All routes at once: the token is forked.
    Fork,
}

/// Number of routes that are chosen by chance before the best of them is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Choices(u8);

/// Names of all rules in configurations.
const NAMES: [&str; 20] = [
    "random",
    "round-robin",
    "shortest-queue",
    "least-work",
    "fork",
    "power-of-two",
    "power-of-3",
    "power-of-4",
    "power-of-5",
    "power-of-6",
    "power-of-7",
    "power-of-8",
    "power-of-9",
    "power-of-10",
    "power-of-11",
    "power-of-12",
    "power-of-13",
    "power-of-14",
    "power-of-15",
    "power-of-16",
];

/// Number of names before that of the choice of two.
const BEFORE_POWERS: u8 = 5;

impl Choices {
    /// Choice of two.
    pub const TWO: Self = Self(2);

    /// Creates a choice of 2 to 16 routes; `None` for another number.
    #[must_use]
    pub const fn new(routes: u8) -> Option<Self> {
        if 2 <= routes && routes <= 16 { Some(Self(routes)) } else { None }
    }

    /// Returns the number of routes.
    #[must_use]
    pub const fn routes(self) -> usize {
        self.0 as usize
    }
}

impl Routing {
    /// Returns the name used in configurations.
    #[must_use]
    pub fn name(self) -> &'static str {
        let place = match self {
            Self::Random => 0,
            Self::RoundRobin => 1,
            Self::ShortestQueue => 2,
            Self::LeastWork => 3,
            Self::Fork => 4,
            Self::PowerOf(Choices(routes)) => BEFORE_POWERS + routes - 2,
        };
        NAMES.get(usize::from(place)).copied().unwrap_or_default()
    }

    /// Returns a number of the rule for fingerprints, which never changes.
    pub(super) fn number(self) -> u64 {
        match self {
            Self::Random => 0,
            Self::RoundRobin => 1,
            Self::ShortestQueue => 2,
            Self::PowerOf(Choices::TWO) => 3,
            Self::LeastWork => 4,
            Self::Fork => 5,
            Self::PowerOf(Choices(routes)) => 100 + u64::from(routes),
        }
    }

    /// Returns the rule of a name used in configurations.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let place = (0..).zip(NAMES).find(|(_, known)| *known == name).map(|(place, _)| place)?;
        Some(match place {
            0 => Self::Random,
            1 => Self::RoundRobin,
            2 => Self::ShortestQueue,
            3 => Self::LeastWork,
            4 => Self::Fork,
            power => Self::PowerOf(Choices::new(power - BEFORE_POWERS + 2)?),
        })
    }

    /// Returns `true` if the exact engines choose routes by this rule.
    #[must_use]
    pub const fn is_exact(self) -> bool {
        matches!(self, Self::Random | Self::RoundRobin)
    }
}

impl Serialize for Routing {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Routing {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<'de, str>::deserialize(deserializer)?;
        Self::of_name(&name).ok_or_else(|| D::Error::unknown_variant(&name, &NAMES))
    }
}

impl JsonSchema for Routing {
    fn schema_name() -> Cow<'static, str> {
        "Routing".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Rule by which a node chooses among its routes.",
            "type": "string",
            "enum": NAMES,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for name in NAMES {
            assert_eq!(Routing::of_name(name).unwrap().name(), name);
        }
        assert_eq!(Routing::of_name("power-of-two"), Some(Routing::PowerOf(Choices::TWO)));
        assert_eq!(Routing::of_name("power-of-16").map(Routing::name), Some("power-of-16"));
        assert_eq!(Routing::of_name("power-of-17"), None);
        assert_eq!([1, 17].map(Choices::new), [None, None]);
    }
}
