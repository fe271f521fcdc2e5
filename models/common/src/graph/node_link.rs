//! Node-link JSON: `node_link_data` of networkx, and what D3 draws. Edges are in `edges` or `links`.
//!
//! Without `directed` the edges are undirected. Where no node has an `id`, edges have the numbers of their ends, from 0
//! on, as older files of D3.

use super::error::FileError;
use super::shape::{Assembly, Graph};
use super::source::Source;
use super::values::Value;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json};
use std::borrow::Cow;

/// Returns `true` if a text is an object of JSON rather than another format.
pub(super) fn begins(text: &str) -> bool {
    text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).starts_with('{')
}

/// The parts of a file that are read. Each node and edge stays a text at first, whose place tells its line.
#[derive(Deserialize)]
struct File<'t> {
    #[serde(default)]
    directed: bool,
    #[serde(borrow)]
    nodes: Vec<&'t RawValue>,
    #[serde(borrow, alias = "links")]
    edges: Vec<&'t RawValue>,
}

/// Reads the graph of a text.
pub(super) fn graph(source: Source<'_>) -> Result<Graph<'_>, FileError> {
    let failed = |reason: String| FileError::Json { file: source.file.to_owned(), reason };
    let text = source.text.trim_start_matches('\u{feff}');
    let file: File<'_> = serde_json::from_str(text).map_err(|error| failed(error.to_string()))?;
    let object = |raw: &RawValue| -> Result<(Map<String, Json>, usize), FileError> {
        let at = raw.get().as_ptr().addr() - source.text.as_ptr().addr();
        let object = serde_json::from_str(raw.get());
        Ok((object.map_err(|_| failed(format!("line {} is no object", source.line(at))))?, at))
    };
    let missing = |at, what: &str| failed(format!("in line {}, {what}", source.line(at)));
    let mut assembly = Assembly::new(source);
    let nodes: Vec<_> = file.nodes.iter().map(|raw| object(raw)).collect::<Result<_, _>>()?;
    let numbered = nodes.iter().all(|(node, _)| !node.contains_key("id"));
    for (number, (mut node, at)) in nodes.into_iter().enumerate() {
        let id = if numbered { Some(number.to_string()) } else { node.remove("id").as_ref().and_then(text_of) };
        let id = id.ok_or_else(|| missing(at, "a node has no `id`"))?;
        assembly.node(id.into(), at, values(&node, at))?;
    }
    for raw in &file.edges {
        let (mut edge, at) = object(raw)?;
        let mut end = |name: &str| {
            let id = edge.remove(name).as_ref().and_then(text_of);
            id.ok_or_else(|| missing(at, &format!("an edge has no `{name}`")))
        };
        let (from, to) = (end("source")?, end("target")?);
        assembly.edge([&from, &to], file.directed, at, values(&edge, at))?;
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

/// Returns the attributes of a node or an edge; lists and objects are none.
fn values<'t>(object: &Map<String, Json>, at: usize) -> Vec<Value<'t>> {
    let own = object.iter().filter_map(|(name, value)| {
        Some(Value { name: Cow::Owned(name.clone()), text: Cow::Owned(text_of(value)?), at, own: true })
    });
    own.collect()
}
