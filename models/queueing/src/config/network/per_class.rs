//! Values such as `tokens = 3`, or `tokens = { urgent = 3, mild = 1 }`.

use schemars::JsonSchema;
use serde::de::{Error, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// A number for the first class, or for each class by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum PerClass {
    /// Number for the first class.
    First(u32),
    /// Numbers by the name of the class.
    Each(BTreeMap<String, u32>),
}

impl<'de> Deserialize<'de> for PerClass {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Numbers)
    }
}

/// Reader of both forms; its errors name them.
struct Numbers;

impl<'de> Visitor<'de> for Numbers {
    type Value = PerClass;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from 0 to {}, or a table of such numbers by the names of classes", u32::MAX)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<PerClass, E> {
        let first = u32::try_from(number).map(PerClass::First);
        first.map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<PerClass, E> {
        let first = u32::try_from(number).map(PerClass::First);
        first.map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PerClass, A::Error> {
        let mut each = BTreeMap::new();
        while let Some((class, number)) = map.next_entry()? {
            each.insert(class, number);
        }
        Ok(PerClass::Each(each))
    }
}
