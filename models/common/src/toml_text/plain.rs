//! Reader of plain documents, which keeps nothing of a document but its values.
//!
//! The parser of [`toml`] makes lists of all words and all events of a document, and then a table with the places of
//! all keys: fifty times the size of a file of a hundred thousand tables. This reader has its lexer and its grammar,
//! but reads a few lines at a time. It leaves documents that are rarely written, and all that are wrong, to that
//! parser.

use super::tree::{Name, Table, Value};
use std::borrow::Cow;
use std::collections::HashSet;
use toml_parser::decoder::{Encoding, ScalarKind};
use toml_parser::lexer::{Token, TokenKind};
use toml_parser::parser::{EventReceiver, RecursionGuard, ValidateWhitespace, parse_document};
use toml_parser::{ErrorSink, Source, Span};

/// Number of words that are read at once, unless a statement has more.
const AT_ONCE: usize = 4096;

/// Deepest nesting of lists and tables, as in [`toml`].
const MAX_DEPTH: u32 = 80;

/// Largest number of keys of a table. Keys of larger ones are not looked for in a sorted list while it grows.
const MAX_KEYS: usize = 256;

/// Reads a document. Returns `None` for one that is wrong, that has dates, dotted keys, tables with many keys, or a
/// header after those of the tables inside.
pub(super) fn read(text: &str) -> Option<Table> {
    let source = Source::new(text);
    let mut draft = Draft::new(source);
    let (mut tokens, mut depth) = (Vec::<Token>::new(), 0_u32);
    for token in source.lex() {
        match token.kind() {
            TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket => depth += 1,
            TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => depth = depth.checked_sub(1)?,
            _ => {}
        }
        tokens.push(token);
        let is_line = token.kind() == TokenKind::Newline && depth == 0;
        if token.kind() == TokenKind::Eof || is_line && tokens.len() >= AT_ONCE {
            let mut is_wrong = false;
            let mut valid = ValidateWhitespace::new(&mut draft, source);
            parse_document(&tokens, &mut RecursionGuard::new(&mut valid, MAX_DEPTH), &mut |_| is_wrong = true);
            if is_wrong || draft.is_left {
                return None;
            }
            tokens.clear();
        }
    }
    draft.finish_section()?;
    Some(draft.root)
}

/// Document, as far as it has been read.
struct Draft<'t> {
    source: Source<'t>,
    names: HashSet<Name>,
    root: Table,
    /// Table whose keys are being read, which is not yet in `root`.
    section: Table,
    /// Header of the section; `None` for the keys before the first header.
    header: Option<Header>,
    /// `true` inside of a header's brackets.
    is_header: bool,
    /// Key of the section's next value.
    key: Option<Name>,
    /// Lists and tables around the next value, the innermost last.
    nested: Vec<Nested>,
    /// `true` if the document is left to the other parser.
    is_left: bool,
}

/// Header of a table: `[a.b]`, or `[[a.b]]`.
struct Header {
    path: Vec<Name>,
    is_element: bool,
}

/// A list or an inline table whose end has not been read.
enum Nested {
    List(Vec<Value>),
    Table(Table, Option<Name>),
}

impl<'t> Draft<'t> {
    fn new(source: Source<'t>) -> Self {
        Self {
            source,
            names: HashSet::new(),
            root: Table::opened(),
            section: Table::new(),
            header: None,
            is_header: false,
            key: None,
            nested: vec![],
            is_left: false,
        }
    }

    fn name(&mut self, span: Span, encoding: Option<Encoding>, error: &mut dyn ErrorSink) -> Option<Name> {
        let raw = toml_parser::Raw::new_unchecked(self.source.get(span)?.as_str(), encoding, span);
        let mut name = Cow::Borrowed("");
        raw.decode_key(&mut name, error);
        if let Some(known) = self.names.get(&*name) {
            return Some(known.clone());
        }
        let name = Name::from(&*name);
        self.names.insert(name.clone());
        Some(name)
    }

    /// Returns the value of a text, a number or a truth value.
    fn value(&self, span: Span, encoding: Option<Encoding>, error: &mut dyn ErrorSink) -> Option<Value> {
        let raw = toml_parser::Raw::new_unchecked(self.source.get(span)?.as_str(), encoding, span);
        let mut text = Cow::Borrowed("");
        Some(match raw.decode_scalar(&mut text, error) {
            ScalarKind::String => Value::Text(text.into()),
            ScalarKind::Boolean(value) => Value::Boolean(value),
            ScalarKind::Integer(radix) => Value::Integer(i64::from_str_radix(&text, radix.value()).ok()?),
            ScalarKind::Float => {
                let number: f64 = text.parse().ok()?;
                (number.is_finite() || text.contains("inf") || number.is_nan()).then_some(Value::Float(number))?
            }
            ScalarKind::DateTime => return None,
        })
    }

    /// Adds a value to the innermost list or table.
    fn add(&mut self, value: Value) -> Option<()> {
        let (table, key) = match self.nested.last_mut() {
            Some(Nested::List(list)) => {
                list.push(value);
                return Some(());
            }
            Some(Nested::Table(table, key)) => (table, key),
            None => (&mut self.section, &mut self.key),
        };
        add_key(table, key.take()?, value)
    }

    fn close(&mut self) -> Option<()> {
        let value = match self.nested.pop()? {
            Nested::List(mut list) => {
                list.shrink_to_fit();
                Value::List(list)
            }
            Nested::Table(mut table, _) => {
                table.shrink();
                Value::Table(table)
            }
        };
        self.add(value)
    }

    /// Puts the section into the document.
    fn finish_section(&mut self) -> Option<()> {
        let mut section = std::mem::take(&mut self.section);
        section.shrink();
        section.is_open = true;
        let Some(Header { path, is_element }) = self.header.take() else {
            self.root = section;
            return Some(());
        };
        let (last, outer) = path.split_last()?;
        let table = descend(&mut self.root, outer)?;
        if !is_element {
            return add_key(table, last.clone(), Value::Table(section));
        }
        match table.get_mut(last) {
            None => add_key(table, last.clone(), Value::List(vec![Value::Table(section)])),
            Some(Value::List(list)) => {
                is_open(list.last()?)?;
                list.push(Value::Table(section));
                Some(())
            }
            Some(_) => None,
        }
    }
}

fn add_key(table: &mut Table, key: Name, value: Value) -> Option<()> {
    (table.len() < MAX_KEYS && table.insert(key, value).is_none()).then_some(())
}

/// Returns the table to which a path of headers leads; tables on the way are made.
fn descend<'r>(root: &'r mut Table, path: &[Name]) -> Option<&'r mut Table> {
    path.iter().try_fold(root, |table, name| {
        if table.get(name).is_none() {
            add_key(table, name.clone(), Value::Table(Table::opened()))?;
        }
        let value = match table.get_mut(name)? {
            Value::List(list) => list.last_mut()?,
            value => value,
        };
        is_open(value)?;
        value.as_table_mut()
    })
}

/// Checks that a header opened a table, and not the value of a key.
fn is_open(value: &Value) -> Option<()> {
    value.as_table().filter(|table| table.is_open).map(|_| ())
}

impl Draft<'_> {
    fn open_header(&mut self, is_element: bool) {
        self.is_left |= self.finish_section().is_none();
        self.header = Some(Header { path: vec![], is_element });
        self.is_header = true;
    }

    fn open(&mut self, nested: Nested) -> bool {
        self.nested.push(nested);
        true
    }
}

impl EventReceiver for Draft<'_> {
    fn std_table_open(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.open_header(false);
    }

    fn std_table_close(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.is_header = false;
    }

    fn array_table_open(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.open_header(true);
    }

    fn array_table_close(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.is_header = false;
    }

    fn inline_table_open(&mut self, _: Span, _: &mut dyn ErrorSink) -> bool {
        self.open(Nested::Table(Table::new(), None))
    }

    fn inline_table_close(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.is_left |= self.close().is_none();
    }

    fn array_open(&mut self, _: Span, _: &mut dyn ErrorSink) -> bool {
        self.open(Nested::List(vec![]))
    }

    fn array_close(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.is_left |= self.close().is_none();
    }

    fn simple_key(&mut self, span: Span, encoding: Option<Encoding>, error: &mut dyn ErrorSink) {
        let Some(name) = self.name(span, encoding, error) else {
            self.is_left = true;
            return;
        };
        let key = match (self.header.as_mut(), self.nested.last_mut()) {
            (Some(header), _) if self.is_header => return header.path.push(name),
            (_, Some(Nested::Table(_, key))) => key,
            _ => &mut self.key,
        };
        *key = Some(name);
    }

    fn key_sep(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.is_left |= !self.is_header;
    }

    fn scalar(&mut self, span: Span, encoding: Option<Encoding>, error: &mut dyn ErrorSink) {
        let value = self.value(span, encoding, error);
        self.is_left |= value.and_then(|value| self.add(value)).is_none();
    }

    fn error(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.is_left = true;
    }
}
