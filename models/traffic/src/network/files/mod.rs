//! Networks from files: [graphs](imminent_common::graph), such as those of the Internet Topology Zoo, and SNDlib's XML.
//!
//! Such files contain nodes and links, but seldom all parameters of a simulation. Missing values come from [`Gaps`]. If
//! it has no value either, the error names the attribute of the edge and how to give a value for all edges.

mod error;
mod gaps;
pub mod graphml;
mod nodes;
pub mod sndlib;

pub use error::ReadError;
pub(crate) use gaps::{BandwidthFrom, Own, first_delay};
pub use gaps::{EdgeKind, Filled, Gaps, LeftOut, USUAL_UNIT, UnitFrom};
pub use nodes::Read;
pub(crate) use nodes::delay_between;

use imminent_common::graph::{self, Graph, xml};
use std::path::Path;

/// Reads a file of either kind: SNDlib if it is XML whose root element is `network`, otherwise a graph.
///
/// # Errors
/// [`ReadError`], with the file, the line if there is one, and the remedy.
pub fn read(path: &Path, gaps: &Gaps) -> Result<Read, ReadError> {
    let text = graph::text_of(path)?;
    parse(&text, &path.display().to_string(), gaps)
}

/// Reads a network from text; `file` is the path for error messages.
///
/// # Errors
/// [`ReadError`], as for [`read`].
pub fn parse(text: &str, file: &str, gaps: &Gaps) -> Result<Read, ReadError> {
    if !xml::is_xml(text) {
        return graphml::network(&Graph::of(text, file)?, gaps);
    }
    let document = xml::document(text, file)?;
    if document.root_element().tag_name().name() == "network" {
        sndlib::network(xml::Reader::new(&document, file), document.root_element(), gaps)
    } else {
        graphml::network(&Graph::of_document(&document, text, file)?, gaps)
    }
}

#[cfg(test)]
mod tests;
