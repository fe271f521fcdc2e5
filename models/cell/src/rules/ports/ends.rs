//! Ends of links: ports of the top model, of the cell space and of cells.

use super::super::error::{Built, Problem, Span};
use super::super::parse::{self, Names};
use super::super::sections::{Entry, Section};
use super::super::source::{Sources, text_of};
use crate::space::CellSpace;

/// A port of a cell: `in@plane(10,10)`.
pub(super) struct CellPort {
    pub(super) name: String,
    pub(super) cell: u32,
}

/// Parses the two ends of a link.
pub(super) fn ends(sources: &Sources, entry: &Entry) -> Built<(String, String)> {
    let text = text_of(sources, &entry.value).to_lowercase();
    let mut words = text.split_whitespace().map(str::to_owned);
    match (words.next(), words.next(), words.next()) {
        (Some(from), Some(to), None) => Ok((from, to)),
        _ => Err(Problem::new(entry.value.clone(), "a link has two ends", "expected `link : from to`")),
    }
}

/// Parses the port of a cell that a text at `span` names.
pub(super) fn cell_port(text: &str, sources: &Sources, span: &Span, space: &CellSpace) -> Built<CellPort> {
    let wrong = || Problem::new(span.clone(), "this is no port of a cell", "expected `port@model(row,column)`");
    let (name, _) = text.split_once('@').ok_or_else(wrong)?;
    let names = Names::of_positions(space.dimensions().len());
    let (position, place) = parse::positions(sources.text(), span, &names)?.into_iter().next().ok_or_else(wrong)?;
    let position: Vec<u32> = position.into_iter().map(|at| u32::try_from(at).unwrap_or(u32::MAX)).collect();
    let cell = space.cell(&position).ok_or_else(|| {
        Problem::new(place, "there is no such cell", "outside the cell space")
            .note(format!("the space has {:?} cells, counted from 0", space.dimensions()))
    })?;
    Ok(CellPort { name: name.to_owned(), cell })
}

/// Returns `true` if a text names a cell of the model, as `plane(1,2)` does.
pub(super) fn is_cell_of(text: &str, model: &Section) -> bool {
    text.strip_prefix(model.name.as_str()).is_some_and(|rest| rest.starts_with('('))
}

/// Returns `true` if a text names the model or a cell of it.
pub(super) fn is_of(text: &str, model: &Section) -> bool {
    text == model.name || is_cell_of(text, model)
}

/// Fails unless `[top]` declares a port among its inputs (`in`) or outputs (`out`).
pub(super) fn declared(sources: &Sources, top: &Section, key: &str, port: &str, link: &Entry) -> Built<()> {
    let named = |entry: &Entry| text_of(sources, &entry.value).split_whitespace().any(|p| p.eq_ignore_ascii_case(port));
    if top.all(key).any(named) {
        return Ok(());
    }
    let what = if key == "in" { "input" } else { "output" };
    let problem = Problem::new(link.value.clone(), format!("`[top]` has no {what} `{port}`"), "linked here");
    Err(problem.note(format!("declare it: `{key} : {port}`")))
}
