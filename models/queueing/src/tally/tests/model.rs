//! Networks of tests, in few words.

use std::fmt::Write;

/// Text of a configuration. Several keys of a table stand in one line, divided by `; `.
pub(super) struct Model {
    network: String,
    tables: String,
}

impl Model {
    /// Creates a network without edges.
    pub(super) fn new() -> Self {
        Self { network: "[network]\n".to_owned(), tables: String::new() }
    }

    /// Creates a network whose tokens go along a way, such as `door desk out`.
    pub(super) fn along(way: &str) -> Self {
        Self::with_ways(&[way])
    }

    /// Creates a network whose tokens go along several ways.
    pub(super) fn with_ways(ways: &[&str]) -> Self {
        let mut edges: Vec<String> = vec![];
        for way in ways {
            let names: Vec<&str> = way.split(' ').collect();
            let all = names.windows(2).map(|pair| format!("['{}', '{}']", pair[0], pair[1]));
            for edge in all {
                if !edges.contains(&edge) {
                    edges.push(edge);
                }
            }
        }
        Self { network: format!("[network]\nedges = [{}]\n", edges.join(", ")), ..Self::new() }
    }

    /// Adds keys of the network.
    pub(super) fn keys(mut self, keys: &str) -> Self {
        add(&mut self.network, keys);
        self
    }

    /// Adds a source.
    pub(super) fn source(self, name: &str, keys: &str) -> Self {
        self.table("source", &format!("name = '{name}'; {keys}"))
    }

    /// Adds a station.
    pub(super) fn node(self, name: &str, keys: &str) -> Self {
        self.table("node", &format!("name = '{name}'; {keys}"))
    }

    /// Adds a route.
    pub(super) fn route(self, from: &str, to: &str, keys: &str) -> Self {
        self.table("route", &format!("from = '{from}'; to = '{to}'; {keys}"))
    }

    fn table(mut self, name: &str, keys: &str) -> Self {
        let _ = writeln!(self.tables, "[[network.{name}]]");
        add(&mut self.tables, keys);
        self
    }

    /// Returns the text with the keys of the run.
    pub(super) fn run(&self, keys: &str) -> String {
        let mut text = format!("{}{}[run]\n", self.network, self.tables);
        add(&mut text, keys);
        text
    }
}

fn add(text: &mut String, keys: &str) {
    keys.split("; ").filter(|key| !key.is_empty()).for_each(|key| {
        let _ = writeln!(text, "{key}");
    });
}
