//! Graphs from files: nodes, edges and their attributes, independent of their meaning in a model.
//!
//! | format | known by | written by |
//! | --- | --- | --- |
//! | GraphML | the root element `graphml` | the Internet Topology Zoo, networkx, igraph, yEd |
//! | GEXF | the root element `gexf` | Gephi, networkx |
//! | GML | a text that begins with a name and a value, such as `graph [` | the Internet Topology Zoo, networkx, igraph |
//! | node-link JSON | an object of JSON | networkx (`node_link_data`), D3 |
//! | REPETITA | a text that begins with `NODES` and a number | the instances of REPETITA, `.graph` |
//!
//! A file has one graph of plain nodes and edges. What would silently make another graph if it were left out, such as a
//! hyperedge, is an error.

mod error;
mod gexf;
mod gml;
mod graphml;
mod node_link;
mod repetita;
mod shape;
mod source;
mod values;
pub mod xml;

pub use error::FileError;
pub use shape::{Edge, Graph, Node};
pub use source::Source;
pub use values::Attributes;

use crate::input;
use std::path::Path;

/// Returns `true` if a text is a graph of one of the formats, or XML of another kind, rather than TOML.
pub fn is_graph(text: &str) -> bool {
    xml::is_xml(text) || node_link::begins(text) || repetita::begins(text) || gml::begins(text) || is_rocketfuel(text)
}

/// Returns `true` for a map of Rocketfuel (`.cch`): its first line has the number of a router and `@` with its place.
fn is_rocketfuel(text: &str) -> bool {
    let mut words = text.trim_start_matches('\u{feff}').split_whitespace();
    words.next().is_some_and(|word| word.parse::<i64>().is_ok())
        && words.next().is_some_and(|word| word.starts_with('@'))
}

/// Reads the text of a file.
///
/// # Errors
/// [`FileError`] for a file that cannot be read.
pub fn text_of(path: &Path) -> Result<String, FileError> {
    Ok(input::text(path)?)
}

impl<'t> Graph<'t> {
    /// Reads a graph from text; errors name `file`.
    ///
    /// # Errors
    /// [`FileError`] for a text of no known format, and for what is no graph of plain nodes and edges.
    pub fn of(text: &'t str, file: &'t str) -> Result<Self, FileError> {
        if xml::is_xml(text) {
            return Self::of_document(&xml::document(text, file)?, text, file);
        }
        let source = Source::new(file, text);
        if node_link::begins(text) {
            node_link::graph(source)
        } else if repetita::begins(text) {
            repetita::graph(source)
        } else if is_rocketfuel(text) {
            Err(FileError::Rocketfuel { file: file.to_owned() })
        } else if gml::begins(text) {
            gml::graph(source)
        } else {
            Err(FileError::NoFormat { file: file.to_owned() })
        }
    }

    /// Reads a graph from a document of XML, whose text is `text`.
    ///
    /// # Errors
    /// [`FileError`], as for [`Graph::of`].
    pub fn of_document(document: &xml::Document<'t>, text: &'t str, file: &'t str) -> Result<Self, FileError> {
        let source = Source::new(file, text);
        match document.root_element().tag_name().name() {
            "graphml" => graphml::graph(document, source),
            "gexf" => gexf::graph(document, source),
            root => Err(FileError::NotGraphml { file: file.to_owned(), root: root.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests;
