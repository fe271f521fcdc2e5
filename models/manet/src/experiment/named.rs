//! Tables with the names of nodes beside their numbers.

use crate::Network;
use imminent_common::sheet::{Kind, Sheet, Value};
use imminent_study::outcome::Rows;
use std::sync::Arc;

/// Column with the names of nodes: its name, and the node of a row.
pub(super) type NameOf<T> = (&'static str, fn(&T) -> Option<u32>);

/// Table with columns of names behind the others.
struct Named<T: 'static> {
    rows: Rows<T>,
    columns: &'static [NameOf<T>],
    /// Names of the nodes, by their numbers.
    names: Arc<[Arc<str>]>,
}

/// Returns a table, with columns of names if the nodes of the network have names.
pub(super) fn named<T>(network: &Network, rows: Rows<T>, columns: &'static [NameOf<T>]) -> Box<dyn Sheet> {
    match names(network) {
        Some(names) => Box::new(Named { rows, columns, names }),
        None => Box::new(rows),
    }
}

/// Returns the names of a network's nodes, if any has one.
fn names(network: &Network) -> Option<Arc<[Arc<str>]>> {
    let has_names = (0..network.nodes).any(|node| network.name(node).is_some());
    let name = |node: u32| network.name(node).cloned().unwrap_or_else(|| node.to_string().into());
    has_names.then(|| (0..network.nodes).map(name).collect())
}

impl<T> Sheet for Named<T> {
    fn name(&self) -> &'static str {
        self.rows.name
    }

    fn columns(&self) -> Vec<(String, Kind)> {
        let names = self.columns.iter().map(|(name, _)| ((*name).to_owned(), Kind::Text));
        self.rows.columns().into_iter().chain(names).collect()
    }

    fn rows(&self) -> usize {
        self.rows.rows.len()
    }

    fn value(&self, row: usize, column: usize) -> Value {
        let Some((_, node)) = column.checked_sub(self.rows.columns.len()).map(|place| self.columns[place]) else {
            return self.rows.value(row, column);
        };
        let name = node(&self.rows.rows[row]).and_then(|node| self.names.get(node as usize));
        Value::Text(name.map_or_else(String::new, |name| name.to_string()))
    }
}
