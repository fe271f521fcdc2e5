//! External inputs: generators that are linked to ports of cells.

use super::error::Problem;
use super::model::{Built, needed, text_of};
use super::parse::{self, Names};
use super::sections::{Entry, Section};
use super::source::{Sources, Span};
use crate::sequential::Source;
use crate::space::CellSpace;

/// Milliseconds of a generator's second.
const SECOND: f64 = 1000.0;

/// A port of a cell: `in@plane(10,10)`.
struct Port {
    name: String,
    cell: u32,
}

/// The two ends of a link.
fn ends(sources: &Sources, entry: &Entry) -> Built<(String, String)> {
    let text = text_of(sources, &entry.value).to_lowercase();
    let mut words = text.split_whitespace().map(str::to_owned);
    match (words.next(), words.next(), words.next()) {
        (Some(from), Some(to), None) => Ok((from, to)),
        _ => Err(Problem::new(entry.value.clone(), "a link has two ends", "expected `link : from to`")),
    }
}

/// The port of a cell that a text names.
fn port(text: &str, sources: &Sources, span: &Span, space: &CellSpace) -> Built<Port> {
    let wrong = || Problem::new(span.clone(), "this is no port of a cell", "expected `port@model(row,column)`");
    let (name, _) = text.split_once('@').ok_or_else(wrong)?;
    let names = Names { dimensions: space.dimensions().len(), neighbours: &[] };
    let (position, place) = parse::positions(sources.text(), span, &names)?.into_iter().next().ok_or_else(wrong)?;
    let position: Vec<u32> = position.into_iter().map(|at| u32::try_from(at).unwrap_or(u32::MAX)).collect();
    let cell = space.cell(&position).ok_or_else(|| {
        Problem::new(place, "there is no such cell", "outside the cell space")
            .note(format!("the space has {:?} cells, counted from 0", space.dimensions()))
    })?;
    Ok(Port { name: name.to_owned(), cell })
}

fn number(sources: &Sources, section: &Section, key: &str, default: Option<f64>) -> Built<f64> {
    let entry = match (section.first(key), default) {
        (None, Some(default)) => return Ok(default),
        _ => needed(section, key)?,
    };
    let wrong = || Problem::new(entry.value.clone(), format!("`{key}` has to be a number"), "no number");
    text_of(sources, &entry.value).parse().map_err(|_| wrong())
}

/// The inputs of all generators. `program` reads the rules of a section and gives their number.
pub(super) fn sources(
    sources: &Sources,
    all: &[Section],
    model: &Section,
    space: &CellSpace,
    program: &mut dyn FnMut(&str, &Span) -> Built<u32>,
) -> Built<Vec<Source>> {
    let mut found = Vec::new();
    let Some(top) = all.iter().find(|section| section.name == "top") else { return Ok(found) };
    for outer in top.all("link") {
        let (from, to) = ends(sources, outer)?;
        let (Some((_, generator)), Some((input, name))) = (from.split_once('@'), to.split_once('@')) else {
            let problem = Problem::new(
                outer.value.clone(),
                "only links from generators to the cell space are supported",
                "this link",
            );
            return Err(problem.note("write `link : out@generator port@model`"));
        };
        if name != model.name {
            let message = format!("`{name}` is not the cell space `{}`", model.name);
            return Err(Problem::new(outer.value.clone(), message, "leads elsewhere"));
        }
        let generator = generates(sources, all, top, generator, outer)?;
        for inner in model.all("link") {
            let (from, to) = ends(sources, inner)?;
            if from != input {
                continue;
            }
            let port = port(&to, sources, &inner.value, space)?;
            let rules = transition(sources, model, &port, space, inner, program)?;
            found.push(Source { cell: port.cell, rules, ..generator });
        }
    }
    Ok(found)
}

/// The inputs that a generator makes.
fn generates(sources: &Sources, all: &[Section], top: &Section, name: &str, link: &Entry) -> Built<Source> {
    let component = format!("{name}@generator");
    let listed =
        |entry: &Entry| text_of(sources, &entry.value).to_lowercase().split_whitespace().any(|word| word == component);
    let section = all.iter().find(|section| section.name == name).filter(|_| top.all("components").any(listed));
    let Some(section) = section else {
        let problem = Problem::new(link.value.clone(), format!("there is no generator `{name}`"), "linked here");
        return Err(problem.note(format!("list `{component}` among the components and describe it in `[{name}]`")));
    };
    let distribution = needed(section, "distribution")?;
    if !text_of(sources, &distribution.value).eq_ignore_ascii_case("constant") {
        let problem = Problem::new(distribution.value.clone(), "this distribution is not supported", "not `constant`");
        return Err(problem.note("a generator sends at constant intervals: `distribution : constant`"));
    }
    let seconds = number(sources, section, "value", None)?;
    let period = seconds * SECOND;
    if !(1.0..f64::from(i32::MAX)).contains(&period) {
        let span = needed(section, "value")?.value.clone();
        return Err(Problem::new(span, "a generator's interval has to be at least a millisecond", "seconds"));
    }
    let value = number(sources, section, "initial", Some(0.0))?;
    let increment = number(sources, section, "increment", Some(1.0))?;
    Ok(Source { cell: 0, rules: 0, first: 0, period: period as u32, value, increment })
}

/// The rules that a cell evaluates when an input comes to a port.
fn transition(
    sources: &Sources,
    model: &Section,
    wanted: &Port,
    space: &CellSpace,
    link: &Entry,
    program: &mut dyn FnMut(&str, &Span) -> Built<u32>,
) -> Built<u32> {
    for entry in model.all("portintransition") {
        let text = text_of(sources, &entry.value).to_lowercase();
        let Some((target, section)) = text.rsplit_once(char::is_whitespace) else {
            let problem =
                Problem::new(entry.value.clone(), "a port has no rules", "expected `port@model(row,column) rules`");
            return Err(problem);
        };
        let found = port(target.trim(), sources, &entry.value, space)?;
        if found.cell == wanted.cell && found.name == wanted.name {
            return program(section.trim(), &entry.value);
        }
    }
    let message = format!("the port `{}` has no rules", wanted.name);
    Err(Problem::new(link.value.clone(), message, "linked here")
        .note("add `portintransition : port@model(row,column) rules`"))
}
