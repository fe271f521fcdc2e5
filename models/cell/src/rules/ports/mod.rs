//! Links between the top model and the cells: inputs, generators and outputs.

mod components;
mod ends;
mod generators;
mod intervals;

use super::error::{Built, Notice, Problem};
use super::programs::Programs;
use super::sections::{Entry, Section};
use super::source::{Sources, text_of};
use crate::space::CellSpace;
pub(super) use components::{cell_space, check_senders, number};
use components::{is_passed_over, some_of};
use ends::{CellPort, cell_port, declared, ends, is_cell_of, is_of};
pub(super) use generators::Generator;
use generators::generator;
use std::collections::HashMap;

/// Port by which every cell emits its value.
const OUT: &str = "out";

/// An input of the top model.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Inlet {
    pub(super) name: String,
    /// Cells that receive what comes, and the rules that they then evaluate.
    pub(super) reaches: Vec<(u32, u32)>,
}

/// An output of the top model and a cell whose values leave by it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Outlet {
    pub(super) cell: u32,
    /// Output of the cell space between the two; none where `[top]` links the cell itself.
    pub(super) space: Option<String>,
    pub(super) name: String,
}

/// Links of the cells to the outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Ports {
    pub(super) inlets: Vec<Inlet>,
    pub(super) generators: Vec<Generator>,
    pub(super) outlets: Vec<Outlet>,
}

/// Returns the position of a component in the list of the top model.
fn position(sources: &Sources, top: &Section, component: &str) -> Option<usize> {
    let mut names = top.all("components").flat_map(|entry| text_of(sources, &entry.value).split_whitespace());
    names.position(|name| name.eq_ignore_ascii_case(component))
}

/// Reads the links of `[top]` and of the cell space.
pub(super) fn read(
    sources: &Sources,
    all: &[Section],
    model: &Section,
    space: &CellSpace,
    programs: &mut Programs<'_>,
    notices: &mut Vec<Notice>,
) -> Built<Ports> {
    let mut ports = Ports::default();
    let Some(top) = all.iter().find(|section| section.name == "top") else { return Ok(ports) };
    let linker = Linker::new(sources, model, space)?;
    let mut unsent: Vec<(&Entry, String)> = Vec::new();
    for link in top.all("link") {
        let (from, to) = ends(sources, link)?;
        if let Some(Loose { receiver }) = loose(sources, top, model, [&from, &to]) {
            unsent.extend(receiver.map(|receiver| (link, receiver)));
            continue;
        }
        match (from.split_once('@'), to.split_once('@')) {
            (None, Some((port, target))) => {
                declared(sources, top, "in", &from, link)?;
                let reaches = linker.reached(port, target, &to, link, programs, notices)?;
                match ports.inlets.iter_mut().find(|inlet| inlet.name == from) {
                    Some(inlet) => inlet.reaches.extend(reaches),
                    None if reaches.is_empty() => {}
                    None => ports.inlets.push(Inlet { name: from, reaches }),
                }
            }
            (Some((_, source)), None) if position(sources, top, &format!("{source}@generator")).is_some() => {
                let message = format!("what the generator `{source}` sends to `{to}` is not recorded");
                notices.push(Notice { span: link.value.clone(), message });
            }
            (Some((port, source)), None) => {
                declared(sources, top, "out", &to, link)?;
                let cells = linker.emitting(port, source, &from, link, notices)?;
                ports.outlets.extend(cells.into_iter().map(|(cell, space)| Outlet { cell, space, name: to.clone() }));
            }
            (Some((_, source)), Some((port, target))) if !is_of(source, model) => {
                let generator = generator(sources, all, top, source, link)?;
                let reaches = linker.reached(port, target, &to, link, programs, notices)?;
                // As in CD++, of components with events at one time the one that is listed first goes first.
                let place = position(sources, top, &format!("{source}@generator"));
                let late = place > position(sources, top, &model.name);
                ports.generators.push(generator.linked(place.unwrap_or(0), late, reaches));
            }
            _ => {
                return Err(Problem::new(link.value.clone(), "this link is not supported", "this link")
                    .note("an input: `link : input port@model`")
                    .note("a generator: `link : out@generator port@model`")
                    .note("an output: `link : port@model output`"));
            }
        }
    }
    if let Some((link, _)) = unsent.first() {
        let mut names: Vec<&str> = unsent.iter().map(|(_, receiver)| receiver.as_str()).collect();
        names.dedup();
        let message = format!("what `{}` sends to {} is not recorded: these do not run", model.name, some_of(&names));
        notices.push(Notice { span: link.value.clone(), message });
    }
    Ok(ports)
}

/// End of a link that leads to or from a component which does not run.
struct Loose {
    /// Component to which the cell space sends; `None` where the link does not concern it.
    receiver: Option<String>,
}

/// Returns the loose end of a link of `[top]`; `None` if it has none.
fn loose(sources: &Sources, top: &Section, model: &Section, [from, to]: [&str; 2]) -> Option<Loose> {
    let component = |end: &str| end.split_once('@').map(|(_, component)| component.to_owned());
    let (source, target) = (component(from), component(to));
    let is_other = |name: &Option<String>| name.as_ref().is_some_and(|name| is_passed_over(sources, top, model, name));
    let is_own = source.as_ref().is_some_and(|source| is_of(source, model));
    match (is_other(&source), is_other(&target)) {
        (false, true) if is_own => Some(Loose { receiver: target }),
        (false, false) => None,
        _ => Some(Loose { receiver: None }),
    }
}

/// The cell space whose links are followed.
struct Linker<'a> {
    sources: &'a Sources,
    model: &'a Section,
    space: &'a CellSpace,
    /// Links inside the cell space, with their ends.
    inner: Vec<(&'a Entry, String, String)>,
    /// Names of the rules that `portInTransition` gives to ports of cells: of several the first.
    transitions: HashMap<(u32, String), (String, &'a Entry)>,
}

impl<'a> Linker<'a> {
    fn new(sources: &'a Sources, model: &'a Section, space: &'a CellSpace) -> Built<Self> {
        let link = |entry: &'a Entry| ends(sources, entry).map(|(from, to)| (entry, from, to));
        let inner = model.all("link").map(link).collect::<Built<_>>()?;
        let mut transitions = HashMap::new();
        for entry in model.all("portintransition") {
            let text = text_of(sources, &entry.value).to_lowercase();
            let Some((target, section)) = text.rsplit_once(char::is_whitespace) else {
                let problem =
                    Problem::new(entry.value.clone(), "a port has no rules", "expected `port@model(row,column) rules`");
                return Err(problem);
            };
            let port = cell_port(target.trim(), sources, &entry.value, space)?;
            transitions.entry((port.cell, port.name)).or_insert((section.trim().to_owned(), entry));
        }
        Ok(Linker { sources, model, space, inner, transitions })
    }

    /// Returns the cells and rules to which `port` of `target` leads: those of the cell space, or one of its cells. As
    /// in CD++, an input of the cell space may lead to none.
    fn reached(
        &self,
        port: &str,
        target: &str,
        end: &str,
        link: &Entry,
        programs: &mut Programs<'_>,
        notices: &mut Vec<Notice>,
    ) -> Built<Vec<(u32, u32)>> {
        if is_cell_of(target, self.model) {
            let port = cell_port(end, self.sources, &link.value, self.space)?;
            return Ok(vec![(port.cell, self.rules(&port, link, programs)?)]);
        }
        self.check(target, link)?;
        let mut found = Vec::new();
        for (inner, from, to) in &self.inner {
            if from == port {
                let port = cell_port(to, self.sources, &inner.value, self.space)?;
                found.push((port.cell, self.rules(&port, inner, programs)?));
            }
        }
        let message = format!("the input `{port}` of `{target}` leads to no cell");
        let is_port = |word: &str| word.eq_ignore_ascii_case(port);
        let inputs = || self.model.all("in").flat_map(|entry| text_of(self.sources, &entry.value).split_whitespace());
        if found.is_empty() && inputs().any(is_port) {
            notices.push(Notice { span: link.value.clone(), message });
            return Ok(found);
        }
        self.some(found, link, message, || format!("link : {port} port@{target}(row,column)"))
    }

    /// Returns the cells whose outputs come to `port` of `source`, and the output of the cell space between.
    fn emitting(
        &self,
        port: &str,
        source: &str,
        end: &str,
        link: &Entry,
        notices: &mut Vec<Notice>,
    ) -> Built<Vec<(u32, Option<String>)>> {
        if is_cell_of(source, self.model) {
            return Ok(self.output(end, link, notices)?.map(|cell| (cell, None)).into_iter().collect());
        }
        self.check(source, link)?;
        let (mut found, mut silent) = (Vec::new(), false);
        for (inner, from, to) in &self.inner {
            if to == port && from.contains('@') {
                match self.output(from, inner, notices)? {
                    Some(cell) => found.push((cell, Some(port.to_owned()))),
                    None => silent = true,
                }
            }
        }
        if silent && found.is_empty() {
            return Ok(found);
        }
        self.some(found, link, format!("the output `{port}` of `{source}` comes from no cell"), || {
            format!("link : {OUT}@{source}(row,column) {port}")
        })
    }

    /// Returns the cell whose output an end of a link names; none for a port that only `send` uses.
    fn output(&self, end: &str, link: &Entry, notices: &mut Vec<Notice>) -> Built<Option<u32>> {
        let port = cell_port(end, self.sources, &link.value, self.space)?;
        if port.name == OUT {
            return Ok(Some(port.cell));
        }
        let message = format!("what a cell sends by the port `{}` is not recorded; `{OUT}` has its value", port.name);
        notices.push(Notice { span: link.value.clone(), message });
        Ok(None)
    }

    /// Fails unless a model is the cell space.
    fn check(&self, name: &str, link: &Entry) -> Built<()> {
        if name == self.model.name {
            return Ok(());
        }
        let message = format!("`{name}` is not the cell space `{}`", self.model.name);
        Err(Problem::new(link.value.clone(), message, "leads elsewhere"))
    }

    /// Fails if no link was found, with the line that is missing.
    fn some<T>(&self, found: Vec<T>, link: &Entry, message: String, missing: impl FnOnce() -> String) -> Built<Vec<T>> {
        if !found.is_empty() {
            return Ok(found);
        }
        let problem = Problem::new(link.value.clone(), message, "linked here");
        Err(problem.note(format!("add `{}` to `[{}]`", missing(), self.model.name)))
    }

    /// Returns the rules that a cell evaluates when an input comes to a port.
    fn rules(&self, wanted: &CellPort, link: &Entry, programs: &mut Programs<'_>) -> Built<u32> {
        if let Some((section, entry)) = self.transitions.get(&(wanted.cell, wanted.name.clone())) {
            return programs.of_port(section, &wanted.name, &entry.value);
        }
        programs.of_plain_port(self.model, &wanted.name, &link.value)
    }
}
