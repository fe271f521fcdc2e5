//! Node-link JSON: `node_link_data` of networkx, what D3 draws, and what graphology exports. Edges are in `edges` or
//! `links`.
//!
//! | nodes have | ends of edges are |
//! | --- | --- |
//! | `id` | ids. Numbers are places from 0 on if all ids are texts, as in D3 3 and networkx 1 |
//! | `key`, if the first end is a text (graphology) | keys. Edges are directed unless they or all are `undirected`; attributes are in `attributes` |
//! | `name`, if the first end is a text | names |
//! | none of these | places |
//!
//! Otherwise the edges are undirected without `directed`.

use super::error::FileError;
use super::shape::{Assembly, Graph};
use super::source::Source;
use super::values::Value;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json};
use std::borrow::Cow;

/// Returns `true` if a text is an object of JSON, or a list of objects or lists, rather than another format.
pub(super) fn begins(text: &str) -> bool {
    let mut letters = text.chars().filter(|letter| !letter.is_whitespace() && *letter != '\u{feff}');
    match letters.next() {
        Some('{') => true,
        // TOML has names in brackets.
        Some('[') => match letters.next() {
            Some('{') => true,
            Some('[') => letters.next().is_some_and(|letter| letter.is_ascii_digit() || "\"-[{".contains(letter)),
            _ => false,
        },
        _ => false,
    }
}

/// The parts of a file that are read. Each node and edge stays a text at first, whose place tells its line.
#[derive(Deserialize)]
struct File<'t> {
    #[serde(default)]
    directed: bool,
    /// graphology's, of which `type` tells whether all edges are undirected.
    #[serde(default)]
    options: Json,
    #[serde(borrow)]
    nodes: Vec<&'t RawValue>,
    #[serde(borrow, alias = "links")]
    edges: Vec<&'t RawValue>,
}

/// A node or an edge, and its place in the file.
type Object = (Map<String, Json>, usize);

/// Identity of the nodes of a file.
#[derive(Clone, Copy, PartialEq)]
enum Identity {
    /// By the attribute of this name.
    Name(&'static str),
    /// By `id`, a text, or by the place in the list.
    IdOrPlace,
    /// By the place in the list.
    Place,
}

impl Identity {
    fn of(nodes: &[Object], edges: &[Object]) -> Self {
        let some = |name: &str| nodes.iter().any(|(node, _)| node.contains_key(name));
        let texts = |name: &str| nodes.iter().all(|(node, _)| node.get(name).is_some_and(Json::is_string));
        let ends_are_texts = edges.first().is_none_or(|(edge, _)| edge.get("source").is_some_and(Json::is_string));
        if some("id") {
            if texts("id") { Self::IdOrPlace } else { Self::Name("id") }
        } else if some("key") && ends_are_texts {
            Self::Name("key")
        } else if texts("name") && ends_are_texts && !edges.is_empty() {
            Self::Name("name")
        } else {
            Self::Place
        }
    }

    /// Returns the attribute that identifies a node, if one does.
    fn attribute(self) -> Option<&'static str> {
        match self {
            Self::Name(name) => Some(name),
            Self::IdOrPlace => Some("id"),
            Self::Place => None,
        }
    }
}

/// Reads the graph of a text.
pub(super) fn graph(source: Source<'_>) -> Result<Graph<'_>, FileError> {
    let failed = |reason: String| FileError::Json { file: source.file.to_owned(), reason };
    let text = source.text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('[') {
        return Err(failed("it is a list, and no object with `nodes` and `edges`".to_owned()));
    }
    let file: File<'_> = serde_json::from_str(text).map_err(|error| failed(error.to_string()))?;
    let object = |raw: &&RawValue| -> Result<Object, FileError> {
        let at = raw.get().as_ptr().addr() - source.text.as_ptr().addr();
        let object = serde_json::from_str(raw.get());
        Ok((object.map_err(|_| failed(format!("line {} is no object", source.line(at))))?, at))
    };
    let missing = |at, what: &str| failed(format!("in line {}, {what}", source.line(at)));
    let mut assembly = Assembly::new(source);
    let nodes: Vec<_> = file.nodes.iter().map(object).collect::<Result<_, _>>()?;
    let edges: Vec<_> = file.edges.iter().map(object).collect::<Result<_, _>>()?;
    let identity = Identity::of(&nodes, &edges);
    let mut ids = vec![];
    for (place, (mut node, at)) in nodes.into_iter().enumerate() {
        let id = match identity.attribute() {
            // A name stays an attribute.
            Some("name") => node.get("name").and_then(text_of),
            Some(name) => node.remove(name).as_ref().and_then(text_of),
            None => Some(place.to_string()),
        };
        let id = id.ok_or_else(|| missing(at, "a node has no `id`"))?;
        ids.push(id.clone());
        assembly.node(id.into(), at, values(node, at))?;
    }
    let is_keyed = identity == Identity::Name("key");
    let are_directed =
        if is_keyed { file.options.get("type") != Some(&Json::from("undirected")) } else { file.directed };
    for (mut edge, at) in edges {
        let mut end = |name: &str| {
            let end = edge.remove(name);
            let place = end.as_ref().filter(|_| identity == Identity::IdOrPlace).and_then(Json::as_u64);
            let id = place.and_then(|place| ids.get(usize::try_from(place).ok()?).cloned());
            id.or_else(|| end.as_ref().and_then(text_of))
                .ok_or_else(|| missing(at, &format!("an edge has no `{name}`")))
        };
        let (from, to) = (end("source")?, end("target")?);
        let one_way = are_directed && !(is_keyed && edge.get("undirected") == Some(&Json::Bool(true)));
        assembly.edge([&from, &to], one_way, at, values(edge, at))?;
    }
    assembly.build(0)
}

/// Returns a text, a number or a truth value as text.
fn text_of(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        Json::Bool(truth) => Some(truth.to_string()),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}

/// Returns the attributes of a node or an edge, and those in its object `attributes`; other lists and objects are none.
fn values<'t>(mut object: Map<String, Json>, at: usize) -> Vec<Value<'t>> {
    let inner = match object.remove("attributes") {
        Some(Json::Object(inner)) => inner,
        _ => Map::new(),
    };
    let own = object.into_iter().chain(inner).filter_map(|(name, value)| {
        Some(Value { name: Cow::Owned(name), text: Cow::Owned(text_of(&value)?), at, own: true })
    });
    own.collect()
}
