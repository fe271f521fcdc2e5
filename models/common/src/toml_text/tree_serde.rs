//! Conversion of a document's values to the types of configurations, and to other formats.

use super::tree::{Table, Value};
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, EnumAccess, Error as _, IntoDeserializer, VariantAccess, Visitor};
use serde::{Serialize, Serializer, forward_to_deserialize_any};
use toml::de::Error;

/// Writes the methods that are the same for values and for tables.
macro_rules! forwarded {
    () => {
        // A key without a value is left out of a document.
        fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            visitor.visit_some(self)
        }

        fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
            visitor.visit_newtype_struct(self)
        }

        forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq
            tuple tuple_struct map struct identifier ignored_any
        }
    };
}

impl<'de> IntoDeserializer<'de, Error> for &'de Value {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for &'de Value {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Value::Text(text) => visitor.visit_borrowed_str(text),
            Value::Integer(number) => visitor.visit_i64(*number),
            Value::Float(number) => visitor.visit_f64(*number),
            Value::Boolean(value) => visitor.visit_bool(*value),
            // The parser hands dates over by names that are private to it: documents with dates are left to it.
            Value::Datetime(_) => Err(Error::custom("a date")),
            Value::List(list) => {
                let mut elements = SeqDeserializer::new(list.iter());
                let value = visitor.visit_seq(&mut elements)?;
                elements.end()?;
                Ok(value)
            }
            Value::Table(table) => table.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self {
            Value::Text(text) => visitor.visit_enum((**text).into_deserializer()),
            Value::Table(table) => table.deserialize_enum(name, variants, visitor),
            _ => Err(Error::custom("neither a text nor a table with one key")),
        }
    }

    /// Whole numbers of TOML end at `i64::MAX`: a greater one is a text of its digits.
    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let greater = |text: &str| text.parse().ok().filter(|number: &u64| i64::try_from(*number).is_err());
        match self {
            Value::Text(text) => match greater(text) {
                Some(number) => visitor.visit_u64(number),
                None => visitor.visit_borrowed_str(text),
            },
            other => other.deserialize_any(visitor),
        }
    }

    forwarded!();
}

impl<'de> Deserializer<'de> for &'de Table {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let mut entries = MapDeserializer::new(self.iter().map(|(name, value)| (&**name, value)));
        let value = visitor.visit_map(&mut entries)?;
        entries.end()?;
        Ok(value)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let mut entries = self.iter();
        match (entries.next(), entries.next()) {
            (Some((name, value)), None) => visitor.visit_enum(Variant { name, value }),
            _ => Err(Error::custom("a table of a variant has one key")),
        }
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    forwarded!();
}

/// A variant with content: a table with the variant's name as its key.
struct Variant<'de> {
    name: &'de str,
    value: &'de Value,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Error;
    type Variant = &'de Value;

    fn variant_seed<V: serde::de::DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, &'de Value), Error> {
        let name = seed.deserialize(IntoDeserializer::<Error>::into_deserializer(self.name))?;
        Ok((name, self.value))
    }
}

impl<'de> VariantAccess<'de> for &'de Value {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Err(Error::custom("a variant without content is a text"))
    }

    fn newtype_variant_seed<T: serde::de::DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Integer(number) => serializer.serialize_i64(*number),
            Self::Float(number) => serializer.serialize_f64(*number),
            Self::Boolean(value) => serializer.serialize_bool(*value),
            Self::Datetime(date) => date.serialize(serializer),
            Self::List(list) => serializer.collect_seq(list),
            Self::Table(table) => table.serialize(serializer),
        }
    }
}

impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(name, value)| (&**name, value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde::de::DeserializeOwned;
    use std::collections::BTreeMap;
    use std::fmt::Debug;
    use std::path::PathBuf;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Kind {
        Plain,
        Pair(u8, f64),
        One(String),
        Named { low: f64 },
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct All {
        number: Option<u32>,
        share: Option<f64>,
        kind: Option<Kind>,
        kinds: Option<Vec<Kind>>,
        file: Option<PathBuf>,
        pair: Option<[String; 2]>,
        by_name: Option<BTreeMap<String, (f64, i64)>>,
        letter: Option<char>,
        anything: Option<toml::Value>,
    }

    /// Returns what the tree of a text converts to, after comparing it with the parser's conversion. The parser takes
    /// lists that are too long, which trees leave to it.
    fn same<T: DeserializeOwned + PartialEq + Debug>(text: &str) -> Option<T> {
        let own = T::deserialize(&Table::from(toml::from_str::<toml::Table>(text).unwrap())).ok();
        assert!(own.is_none() || own == toml::from_str::<T>(text).ok(), "{text}");
        own
    }

    #[test]
    fn types_are_read_as_the_parser_reads_them() {
        for text in [
            "",
            "number = 4\nshare = 2\nfile = 'a/b'\npair = ['a', 'b']",
            "share = inf\nkind = 'plain'\nletter = 'x'",
            "kind = { pair = [3, 0.5] }",
            "kind = { one = 'x' }\nkinds = ['plain', { named = { low = 1 } }]",
            "by_name = { b = [1, 2], a = [0.5, 3] }",
            "anything = { a = [1, { b = 'c' }] }",
        ] {
            assert!(same::<All>(text).is_some(), "{text}");
        }
        for text in [
            "number = -4",
            "number = 1.0",
            "share = 'x'",
            "kind = 'unknown'",
            "kind = 4",
            "kind = {}",
            "kind = { one = 'x', pair = [1, 2] }",
            "kind = { pair = [3, 0.5, 1] }",
            "kind = { pair = [3] }",
            "kind = 'one'",
            "pair = ['a', 'b', 'c']",
            "pair = ['a']",
            "pair = 'ab'",
            "file = 4",
            "letter = 'xy'",
            "unknown = 1",
        ] {
            assert_eq!(same::<All>(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_beyond_those_of_toml_are_texts() {
        #[derive(Debug, Deserialize)]
        struct Seed {
            seed: u64,
        }
        let read = |value: Value| {
            let mut table = Table::new();
            table.insert("seed", value);
            Seed::deserialize(&table).ok().map(|own| own.seed)
        };
        assert_eq!(read(Value::Integer(7)), Some(7));
        assert_eq!(read(Value::Text("9223372036854775808".into())), Some(1 << 63));
        assert_eq!(read(Value::Text("18446744073709551615".into())), Some(u64::MAX));
        for text in ["18446744073709551616", "7", "-9223372036854775809", ""] {
            assert_eq!(read(Value::Text(text.into())), None, "{text}");
        }
    }

    #[test]
    fn trees_are_written_as_those_of_the_parser() {
        let theirs: toml::Table = toml::from_str("a = [1, 2.5, 'x', true]\n[b]\nc = { d = 'e' }\n").unwrap();
        let own = Table::from(theirs.clone());
        assert_eq!(toml::to_string(&own).unwrap(), toml::to_string(&theirs).unwrap());
    }
}
