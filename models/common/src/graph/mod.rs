//! Graphs from files: nodes, edges and their attributes, independent of their meaning in a model.
//!
//! | format | known by | written by |
//! | --- | --- | --- |
//! | GraphML | the root element `graphml` | the Internet Topology Zoo, networkx, igraph, yEd |
//! | GEXF | the root element `gexf` | Gephi, networkx |
//! | GML | a text that begins with a name and a value, such as `graph [` | the Internet Topology Zoo, networkx, igraph |
//! | node-link JSON | an object or a list of JSON | networkx (`node_link_data`), D3, graphology |
//! | REPETITA | a text that begins with `NODES` and a number | the instances of REPETITA, `.graph` |
//!
//! A file has one graph of plain nodes and edges. What would silently make another graph if it were left out, such as a
//! hyperedge, is an error. A node that groups others, as yEd draws them, is a node of the graph if an edge ends at it.
//! Formats of topologies that are not read, such as those of Rocketfuel and BRITE, are errors that name the format.

mod error;
mod foreign;
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

/// Returns `true` if a text is a graph of one of the formats, XML of another kind, or a topology of a format that is
/// not read, rather than TOML.
pub fn is_graph(text: &str) -> bool {
    let known = xml::is_xml(text) || node_link::begins(text) || repetita::begins(text) || gml::begins(text);
    known || foreign::foreign(text).is_some()
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
        } else if gml::begins(text) {
            gml::graph(source)
        } else if let Some(foreign::Foreign { what, remedy }) = foreign::foreign(text) {
            Err(FileError::Foreign { file: file.to_owned(), what, remedy })
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
