//! GML, the graph modelling language: lists of names and values, of which `graph` has lists called `node` and `edge`.
//!
//! A node is known by its `id`; `label` is an attribute. Of several values with one name the first counts. A group of
//! yEd, a node with `isGroup`, is a node of the graph if an edge ends at it.

use super::error::FileError;
use super::shape::{Assembly, Graph};
use super::source::Source;
use super::values::Value;
use std::borrow::Cow;

/// Lists inside lists that are read; files have three.
const MOST_DEPTH: usize = 32;

/// Returns `true` if a text is GML rather than another format: after comments it begins with a name and a value,
/// between which TOML would have `=`.
pub(super) fn begins(text: &str) -> bool {
    let mut tokens = Tokens { text, at: 0 };
    let name = matches!(tokens.next(), Some((_, Token::Word(word))) if is_name(word));
    let value = |token| match token {
        Token::Open | Token::Text(_) => true,
        Token::Word(word) => word.parse::<f64>().is_ok(),
        Token::Close | Token::Unclosed => false,
    };
    name && tokens.next().is_some_and(|(_, token)| value(token))
}

/// Reads the graph of a text.
pub(super) fn graph(source: Source<'_>) -> Result<Graph<'_>, FileError> {
    let wrong = |at, problem| FileError::Gml { file: source.file.to_owned(), line: source.line(at), problem };
    let file = list(source, &mut Tokens { text: source.text, at: 0 }, 0, None)?;
    let mut graphs = file.iter().filter(|entry| entry.name == "graph");
    let graph = graphs.next().ok_or_else(|| FileError::NoGraph { file: source.file.to_owned() })?;
    let mut assembly = Assembly::new(source);
    if let Some(second) = graphs.next() {
        return Err(assembly.unsupported(second.at, "a second graph"));
    }
    let Item::List(entries) = &graph.item else { return Err(wrong(graph.at, "`graph` is no list: write `graph [`")) };
    // OGDF writes it before the graph, not inside.
    let directed = text_of(entries, "directed").or_else(|| text_of(&file, "directed")).as_deref() == Some("1");
    let lists = |name: &'static str| {
        entries.iter().filter(move |entry| entry.name == name).filter_map(|entry| match &entry.item {
            Item::List(inner) => Some((entry.at, inner)),
            Item::Text(_) => None,
        })
    };
    let required = |at, entries: &[Entry<'_>], name, problem| {
        text_of(entries, name).map(Cow::into_owned).ok_or_else(|| wrong(at, problem))
    };
    for (at, node) in lists("node") {
        let id = required(at, node, "id", "a node has no `id`")?;
        let values = values(node, &["id"]);
        if text_of(node, "isGroup").as_deref() == Some("1") {
            assembly.group(id.into(), at, values)?;
        } else {
            assembly.node(id.into(), at, values)?;
        }
    }
    for (at, edge) in lists("edge") {
        let from = required(at, edge, "source", "an edge has no `source`")?;
        let to = required(at, edge, "target", "an edge has no `target`")?;
        assembly.edge([&from, &to], directed, at, values(edge, &["source", "target"]))?;
    }
    assembly.build(graph.at)
}

/// A name with its value.
struct Entry<'t> {
    name: &'t str,
    at: usize,
    item: Item<'t>,
}

enum Item<'t> {
    Text(Cow<'t, str>),
    List(Vec<Entry<'t>>),
}

fn text_of<'t>(entries: &[Entry<'t>], name: &str) -> Option<Cow<'t, str>> {
    entries.iter().find(|entry| entry.name == name).and_then(|entry| match &entry.item {
        Item::Text(text) => Some(text.clone()),
        Item::List(_) => None,
    })
}

/// Returns the attributes of a node or an edge: plain values but those whose names are left out.
fn values<'t>(entries: &[Entry<'t>], left_out: &[&str]) -> Vec<Value<'t>> {
    let own = entries.iter().filter(|entry| !left_out.contains(&entry.name)).filter_map(|entry| match &entry.item {
        Item::Text(text) => {
            Some(Value { name: Cow::Borrowed(entry.name), text: text.clone(), at: entry.at, own: true })
        }
        Item::List(_) => None,
    });
    own.collect()
}

/// Reads the entries of a list, which `opened` is the place of, or those of the file.
fn list<'t>(
    source: Source<'t>,
    tokens: &mut Tokens<'t>,
    depth: usize,
    opened: Option<usize>,
) -> Result<Vec<Entry<'t>>, FileError> {
    let wrong = |at, problem| FileError::Gml { file: source.file.to_owned(), line: source.line(at), problem };
    let mut entries = vec![];
    loop {
        let (at, name) = match tokens.next() {
            Some((at, Token::Word(name))) if is_name(name) => (at, name),
            Some((_, Token::Close)) if opened.is_some() => return Ok(entries),
            Some((at, _)) => return Err(wrong(at, "a name is expected here, such as `node`")),
            None => {
                let Some(opened) = opened else { return Ok(entries) };
                return Err(wrong(opened, "the list that begins here has no end: write `]`"));
            }
        };
        let item = match tokens.next() {
            Some((_, Token::Word(word))) => Item::Text(Cow::Borrowed(word)),
            Some((_, Token::Text(text))) => Item::Text(unescaped(text)),
            Some((at, Token::Open)) if depth >= MOST_DEPTH => return Err(wrong(at, "lists are too deep here")),
            Some((at, Token::Open)) => Item::List(list(source, tokens, depth + 1, Some(at))?),
            Some((at, Token::Unclosed)) => return Err(wrong(at, "the text that begins here has no end: write `\"`")),
            Some((_, Token::Close)) | None => return Err(wrong(at, "the name has no value")),
        };
        entries.push(Entry { name, at, item });
    }
}

fn is_name(word: &str) -> bool {
    let mut bytes = word.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

enum Token<'t> {
    Open,
    Close,
    Word(&'t str),
    /// Text between quotes.
    Text(&'t str),
    /// A quote without another one.
    Unclosed,
}

struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Iterator for Tokens<'t> {
    type Item = (usize, Token<'t>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.text.get(self.at..)?;
            let trimmed = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            self.at += rest.len() - trimmed.len();
            // A comment goes to the end of its line.
            let Some(comment) = trimmed.strip_prefix('#') else { break };
            self.at += 1 + comment.find('\n').unwrap_or(comment.len());
        }
        let (at, rest) = (self.at, self.text.get(self.at..)?);
        let (token, length) = match rest.chars().next()? {
            '[' => (Token::Open, 1),
            ']' => (Token::Close, 1),
            '"' => match rest.get(1..)?.find('"') {
                Some(length) => (Token::Text(rest.get(1..=length)?), length + 2),
                None => (Token::Unclosed, rest.len()),
            },
            _ => {
                let length = rest.find(|c: char| c.is_whitespace() || "[]\"".contains(c)).unwrap_or(rest.len());
                (Token::Word(rest.get(..length)?), length)
            }
        };
        self.at += length;
        Some((at, token))
    }
}

/// Returns a text with its entities, `&quot;` or `&#228;`, replaced by their characters. Unknown ones stay.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some(place) = rest.find('&') {
        let (before, after) = rest.split_at(place);
        out.push_str(before);
        let end = after.find(';').filter(|end| *end <= 10);
        let known = end.and_then(|end| Some((character(after.get(1..end)?)?, end)));
        let length = match known {
            Some((character, end)) => {
                out.push(character);
                end + 1
            }
            None => {
                out.push('&');
                1
            }
        };
        rest = after.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn character(entity: &str) -> Option<char> {
    match entity {
        "quot" => Some('"'),
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "apos" => Some('\''),
        _ => {
            let number = entity.strip_prefix('#')?;
            let hexadecimal = number.strip_prefix(['x', 'X']).map(|digits| u32::from_str_radix(digits, 16));
            char::from_u32(hexadecimal.unwrap_or_else(|| number.parse()).ok()?)
        }
    }
}
