//! A graph in memory, and how it is put together.

use super::error::FileError;
use super::source::Source;
use super::values::{Attributes, Value};
use std::borrow::Cow;
use std::collections::HashMap;

/// Graph of a file.
#[derive(Debug)]
pub struct Graph<'t> {
    /// The file.
    pub source: Source<'t>,
    nodes: Vec<Node<'t>>,
    edges: Vec<Edge<'t>>,
}

/// A node of a graph.
#[derive(Debug)]
pub struct Node<'t> {
    /// Identifier of the node.
    pub id: Cow<'t, str>,
    at: usize,
    values: Vec<Value<'t>>,
}

/// An edge of a graph.
#[derive(Debug)]
pub struct Edge<'t> {
    /// Number of the node that the edge leaves.
    pub from: u32,
    /// Number of the node that the edge enters.
    pub to: u32,
    /// `true` if the edge is directed.
    pub one_way: bool,
    at: usize,
    values: Vec<Value<'t>>,
}

impl<'t> Graph<'t> {
    /// Returns the nodes, in the order of the file; at least one.
    #[must_use]
    pub fn nodes(&self) -> &[Node<'t>] {
        &self.nodes
    }

    /// Returns the edges, in the order of the file.
    #[must_use]
    pub fn edges(&self) -> &[Edge<'t>] {
        &self.edges
    }

    /// Returns the attributes of a node.
    #[must_use]
    pub fn of_node<'g>(&'g self, node: &'g Node<'t>) -> Attributes<'g, 't> {
        Attributes { source: self.source, what: format!("node '{}'", node.id), at: node.at, values: &node.values }
    }

    /// Returns the attributes of an edge.
    #[must_use]
    pub fn of_edge<'g>(&'g self, edge: &'g Edge<'t>) -> Attributes<'g, 't> {
        let id = |node: u32| self.nodes.get(node as usize).map_or("", |node| &*node.id);
        let what = format!("the edge from '{}' to '{}'", id(edge.from), id(edge.to));
        Attributes { source: self.source, what, at: edge.at, values: &edge.values }
    }

    /// Returns the edges that leave each node, in the order of the file, with the numbers of the nodes to which they
    /// lead. An undirected edge leaves both of its ends; from a node to itself it counts once.
    #[must_use]
    pub fn leaving(&self) -> Vec<Vec<(u32, &Edge<'t>)>> {
        let mut leaving = vec![vec![]; self.nodes.len()];
        for edge in &self.edges {
            leaving[edge.from as usize].push((edge.to, edge));
            if !edge.one_way && edge.from != edge.to {
                leaving[edge.to as usize].push((edge.from, edge));
            }
        }
        leaving
    }
}

/// A graph whose nodes and edges are being read.
pub(super) struct Assembly<'t> {
    source: Source<'t>,
    numbers: HashMap<Cow<'t, str>, u32>,
    nodes: Vec<Node<'t>>,
    /// Groups of nodes at which no edge ends so far, by their ids.
    groups: HashMap<Cow<'t, str>, Node<'t>>,
    edges: Vec<Edge<'t>>,
}

impl<'t> Assembly<'t> {
    pub(super) fn new(source: Source<'t>) -> Self {
        Self { source, numbers: HashMap::new(), nodes: vec![], groups: HashMap::new(), edges: vec![] }
    }

    /// Adds a node, which stands at the byte `at` of the file.
    pub(super) fn node(&mut self, id: Cow<'t, str>, at: usize, values: Vec<Value<'t>>) -> Result<(), FileError> {
        self.check_new(&id, at)?;
        self.numbers.insert(id.clone(), self.nodes.len() as u32);
        self.nodes.push(Node { id, at, values });
        Ok(())
    }

    /// Adds a group of nodes, which is a node itself if an edge ends at it.
    pub(super) fn group(&mut self, id: Cow<'t, str>, at: usize, values: Vec<Value<'t>>) -> Result<(), FileError> {
        self.check_new(&id, at)?;
        self.groups.insert(id.clone(), Node { id, at, values });
        Ok(())
    }

    fn check_new(&self, id: &str, at: usize) -> Result<(), FileError> {
        if self.numbers.contains_key(id) || self.groups.contains_key(id) {
            let (file, line) = (self.source.file.to_owned(), self.source.line(at));
            return Err(FileError::DuplicateNode { file, line, id: id.to_owned() });
        }
        Ok(())
    }

    /// Adds an edge, whose ends are nodes or groups that were added before.
    pub(super) fn edge(
        &mut self,
        ends: [&str; 2],
        one_way: bool,
        at: usize,
        values: Vec<Value<'t>>,
    ) -> Result<(), FileError> {
        for id in ends {
            if let Some((id, group)) = self.groups.remove_entry(id) {
                self.numbers.insert(id, self.nodes.len() as u32);
                self.nodes.push(group);
            }
        }
        let number = |id: &str, end| {
            self.numbers.get(id).copied().ok_or_else(|| FileError::UnknownNode {
                file: self.source.file.to_owned(),
                line: self.source.line(at),
                end,
                id: id.to_owned(),
            })
        };
        let [from, to] = ends;
        let (from, to) = (number(from, "source")?, number(to, "target")?);
        self.edges.push(Edge { from, to, one_way, at, values });
        Ok(())
    }

    /// Returns the graph, which stands at the byte `at` of the file.
    pub(super) fn build(self, at: usize) -> Result<Graph<'t>, FileError> {
        let Self { source, nodes, edges, .. } = self;
        if nodes.is_empty() {
            return Err(FileError::NoNodes { file: source.file.to_owned(), line: source.line(at) });
        }
        Ok(Graph { source, nodes, edges })
    }

    /// Returns the error of a part of a format that has no meaning here.
    pub(super) fn unsupported(&self, at: usize, what: &'static str) -> FileError {
        FileError::Unsupported { file: self.source.file.to_owned(), line: self.source.line(at), what }
    }
}
