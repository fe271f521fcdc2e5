//! Fields of the schema of a configuration.

use crate::description::Domain;
use crate::key::Segment;
use serde_json::Value as Json;

/// Most schemas that one value may meet. Configurations have fewer.
const MAX_SHAPES: usize = 64;

/// A field of a schema.
pub(super) struct Field<'s> {
    /// Schemas of the field, of which a value meets one.
    pub(super) own: Vec<&'s Json>,
    /// Schemas of the list of which it is an element: it has the same unit and description.
    pub(super) list: Vec<&'s Json>,
    pub(super) root: &'s Json,
}

impl<'s> Field<'s> {
    /// Returns the schemas of which a value meets one, with references resolved; that of `null` is left out.
    pub(super) fn shapes(&self) -> impl Iterator<Item = &'s Json> {
        let mut shapes = self.own.clone();
        let mut next = 0;
        while let Some(shape) = shapes.get(next).copied().filter(|_| next < MAX_SHAPES) {
            if let Some(pointer) = shape.get("$ref").and_then(Json::as_str).and_then(|name| name.strip_prefix('#')) {
                shapes.extend(self.root.pointer(pointer));
            }
            for several in ["anyOf", "oneOf", "allOf"] {
                shapes.extend(shape.get(several).and_then(Json::as_array).into_iter().flatten());
            }
            next += 1;
        }
        shapes.into_iter().filter(|shape| shape.get("type").and_then(Json::as_str) != Some("null"))
    }

    pub(super) fn inner(&self, part: &Segment) -> Option<Self> {
        let inside = |shape: &'s Json| match part {
            Segment::Name(name) => {
                let named = shape.get("properties").and_then(|fields| fields.get(name));
                named.or_else(|| shape.get("additionalProperties").filter(|inner| inner.is_object()))
            }
            Segment::Index(index) if number(shape, "maxItems").is_some_and(|most| *index >= most) => None,
            Segment::Index(index) => {
                let placed = shape.get("prefixItems").and_then(|places| places.get(index));
                placed.or_else(|| shape.get("items").filter(|inner| inner.is_object()))
            }
        };
        let own: Vec<_> = self.shapes().filter_map(inside).collect();
        let list = if matches!(part, Segment::Index(_)) { self.own.clone() } else { vec![] };
        (!own.is_empty()).then_some(Field { own, list, root: self.root })
    }

    /// Returns the length of a list that always has the same.
    pub(super) fn length(&self) -> Option<usize> {
        self.shapes().find_map(|shape| {
            let most = number(shape, "maxItems")?;
            (number(shape, "minItems") == Some(most)).then_some(most)
        })
    }

    /// Returns a text of the field itself, or else of what it refers to, or of its list.
    pub(super) fn text(&self, name: &str) -> Option<&'s str> {
        self.shapes().chain(self.list.iter().copied()).find_map(|shape| shape.get(name)?.as_str())
    }

    pub(super) fn domain(&self) -> Option<Domain> {
        let is = |name: &str| {
            self.shapes().any(|shape| match shape.get("type") {
                Some(Json::String(one)) => one == name,
                Some(Json::Array(several)) => several.iter().any(|one| one == name),
                _ => false,
            })
        };
        // A bound is one of the field itself, or one that all its types of numbers have.
        let bound = |name: &str, wider: fn(f64, f64) -> f64| {
            let own = self.shapes().filter(|shape| shape.get("type").is_none());
            let own = own.filter_map(|shape| shape.get(name)?.as_f64()).next();
            let numbers = self.shapes().filter(|shape| is_number(shape)).map(|shape| shape.get(name)?.as_f64());
            own.or_else(|| numbers.reduce(|one, other| Some(wider(one?, other?))).flatten())
        };
        let whole = |name: &str| self.shapes().find_map(|shape| shape.get(name)?.as_i64());
        if is("integer") {
            let greatest = match self.text("format") {
                Some("uint8") => u8::MAX.into(),
                Some("uint16") => u16::MAX.into(),
                Some("uint32") => u32::MAX.into(),
                Some("int32") => i32::MAX.into(),
                _ => i64::MAX,
            };
            let least = whole("minimum").unwrap_or(i64::MIN);
            let greatest = whole("maximum").unwrap_or(greatest).min(greatest);
            return Some(match is("string") {
                true => Domain::IntegerOrName { least, greatest, names: self.shapes().flat_map(words).collect() },
                false => Domain::Integer { least, greatest },
            });
        }
        let words: Vec<String> = self.shapes().flat_map(words).collect();
        if is("number") {
            let least = bound("minimum", f64::min).unwrap_or(f64::NEG_INFINITY);
            let greatest = bound("maximum", f64::max).unwrap_or(f64::INFINITY);
            return Some(match is("string") || !words.is_empty() {
                true => {
                    let texts = self.text("texts").map(str::to_owned);
                    Domain::NumberOrName { least, greatest, names: words, texts }
                }
                false => Domain::Number { least, greatest },
            });
        }
        if !words.is_empty() {
            return Some(Domain::Text { choices: words });
        }
        match (is("boolean"), is("string")) {
            (true, _) => Some(Domain::Boolean),
            (_, true) => Some(Domain::Text { choices: vec![] }),
            _ => None,
        }
    }
}

/// Returns `true` for the schema of a number.
fn is_number(shape: &Json) -> bool {
    let is = |name: &Json| name == "number" || name == "integer";
    match shape.get("type") {
        Some(Json::Array(several)) => several.iter().any(is),
        Some(one) => is(one),
        None => false,
    }
}

/// Returns a number of a schema that counts.
fn number(shape: &Json, name: &str) -> Option<usize> {
    usize::try_from(shape.get(name)?.as_u64()?).ok()
}

/// Returns the words of an enumeration.
fn words(shape: &Json) -> Vec<String> {
    let word = |value: &Json| value.as_str().map(str::to_owned);
    let listed = shape.get("enum").and_then(Json::as_array).into_iter().flatten().filter_map(word);
    listed.chain(shape.get("const").and_then(word)).collect()
}
