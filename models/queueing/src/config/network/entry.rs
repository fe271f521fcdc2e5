//! Entries of lists of a configuration, which are written out in errors alone.

use std::fmt;

/// Entry of a list of the section `[network]`. It is written as its key: `network.node[3]`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    list: List,
    number: usize,
}

/// List of the section `[network]`.
#[derive(Debug, Clone, Copy)]
pub(super) enum List {
    Nodes,
    Sources,
    Links,
    Edges,
    Routes,
}

impl List {
    /// Returns entry `number` of the list, from 0.
    pub(super) const fn at(self, number: usize) -> Entry {
        Entry { list: self, number }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = match self.list {
            List::Nodes => "node",
            List::Sources => "source",
            List::Links => "links",
            List::Edges => "edges",
            List::Routes => "route",
        };
        write!(f, "network.{list}[{}]", self.number)
    }
}
