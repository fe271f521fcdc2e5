//! Components of the top model: the cell space that runs, and those beside it.

use super::super::dimensions::dimensions;
use super::super::error::{Built, Notice, Problem, Span};
use super::super::lines::words;
use super::super::sections::Section;
use super::super::source::{Sources, text_of};
use super::ends::{ends, is_of};

/// A component that `[top]` lists.
struct Component<'a> {
    place: Span,
    name: &'a str,
    /// Class of an atomic model; empty of a cell space or another coupled model.
    class: &'a str,
}

/// Returns the components of the top model, in their order.
fn components<'a>(sources: &'a Sources, top: &Section) -> impl Iterator<Item = Component<'a>> {
    let places: Vec<Span> = top.all("components").flat_map(|entry| words(sources, &entry.value)).collect();
    places.into_iter().map(|place| {
        let component = text_of(sources, &place);
        let (name, class) = component.split_once('@').unwrap_or((component, ""));
        Component { place, name, class }
    })
}

/// Returns `true` if a section is a cell space.
fn is_cell_space(sources: &Sources, section: &Section) -> bool {
    section.first("type").is_some_and(|entry| text_of(sources, &entry.value).eq_ignore_ascii_case("cell"))
}

/// Returns the cell space of a file that has one, or that which `component` names.
pub(in crate::rules) fn cell_space<'a>(
    sources: &Sources,
    all: &'a [Section],
    component: Option<&str>,
) -> Built<&'a Section> {
    let spaces: Vec<&Section> = all.iter().filter(|section| is_cell_space(sources, section)).collect();
    let names = || spaces.iter().map(|space| format!("`{}`", space.name)).collect::<Vec<_>>().join(", ");
    match (spaces.as_slice(), component) {
        ([], _) => {
            let span = all.first().map_or(0..0, |section| section.span.clone());
            Err(Problem::new(span, "the file has no cell space", "no section has `type : cell`"))
        }
        (&[only], None) => Ok(only),
        (_, Some(name)) => {
            let found = spaces.iter().find(|space| space.name == name.trim().to_lowercase());
            found.copied().ok_or_else(|| {
                let span = spaces.first().map_or(0..0, |space| space.span.clone());
                let message = format!("the file has no cell space `{name}`");
                Problem::new(span, message, "a cell space").note(format!("cell spaces of the file: {}", names()))
            })
        }
        (&[_, second, ..], None) => {
            Err(Problem::new(second.span.clone(), "the file has several cell spaces", "one runs at a time")
                .note(format!("name one by `--component`: {}", names())))
        }
    }
}

/// Returns the number that CD++ gives the cell space: that after the top model, the components before it, and the cells
/// of those that are cell spaces.
pub(in crate::rules) fn number(sources: &Sources, all: &[Section], model: &Section) -> Built<u32> {
    let top = all.iter().find(|section| section.name == "top");
    let mut number = 2_u32;
    for component in top.into_iter().flat_map(|top| components(sources, top)) {
        if component.name.eq_ignore_ascii_case(&model.name) {
            return Ok(number);
        }
        let space = all.iter().find(|section| section.name.eq_ignore_ascii_case(component.name));
        let cells = match space.filter(|section| is_cell_space(sources, section)) {
            Some(space) => dimensions(sources, space)?.into_iter().fold(1, u32::saturating_mul),
            None => 0,
        };
        number = number.saturating_add(1).saturating_add(cells);
    }
    // CD++ does not simulate what the top model does not list.
    Ok(2)
}

fn is_generator(class: &str) -> bool {
    class.eq_ignore_ascii_case("generator")
}

/// Returns `true` if a name, in small letters, is that of a component which does not run, or of a cell of it.
pub(super) fn is_passed_over(sources: &Sources, top: &Section, model: &Section, name: &str) -> bool {
    let own = name.split('(').next().unwrap_or_default();
    let is_it = |component: Component<'_>| !is_generator(component.class) && component.name.eq_ignore_ascii_case(own);
    !is_of(name, model) && components(sources, top).any(is_it)
}

/// Fails if anything comes to the cell space from a component that does not run: all but generators and itself.
/// Components that send nothing to it are passed over.
pub(in crate::rules) fn check_senders(
    sources: &Sources,
    all: &[Section],
    model: &Section,
    notices: &mut Vec<Notice>,
) -> Built<()> {
    let Some(top) = all.iter().find(|section| section.name == "top") else { return Ok(()) };
    let links: Vec<(String, String)> = top.all("link").map(|link| ends(sources, link)).collect::<Built<_>>()?;
    let is_listed = components(sources, top).any(|component| component.name.eq_ignore_ascii_case(&model.name));
    let mut passed_over: Vec<(Span, &str)> = Vec::new();
    for Component { place, name, class } in components(sources, top) {
        if is_generator(class) || (class.is_empty() && name.eq_ignore_ascii_case(&model.name)) {
            continue;
        }
        let section = all.iter().find(|section| section.name.eq_ignore_ascii_case(name));
        if class.is_empty() && section.is_none() {
            continue;
        }
        let lower = name.to_lowercase();
        let sends = links.iter().any(|(from, to)| {
            from.split_once('@').is_some_and(|(_, source)| source == lower)
                && to.split_once('@').is_some_and(|(_, target)| is_of(target, model))
        });
        let is_space = section.is_some_and(|section| is_cell_space(sources, section));
        let what = match (class.is_empty(), is_space) {
            (true, true) => format!("the cell space `{name}`"),
            (true, false) => format!("the coupled model `{name}`"),
            (false, _) => format!("the atomic model `{name}` of the class `{class}`"),
        };
        // A cell space that the top model does not list is inside of a coupled model.
        if !sends && (is_listed || is_space) {
            passed_over.push((place, name));
            continue;
        }
        let (label, reason) = match (class.is_empty(), is_space) {
            (true, true) => ("a cell space that sends to it", "one cell space runs, without what others send to it"),
            (true, false) => ("a coupled model", "one cell space runs, with what its inputs receive"),
            (false, _) => ("an atomic model", "its class is a program in C++, which the file does not have"),
        };
        let message = if is_space {
            format!("`{}` does not run without {what}, which sends to it", model.name)
        } else {
            format!("{what} does not run here, only a cell space and generators do")
        };
        let inlet = format!("`link : {name} port@{}`", model.name);
        return Err(Problem::new(place, message, label).note(reason).note(format!(
            "give what it sends as events: `in : {name}` and {inlet} instead of it, and `--events FILE`"
        )));
    }
    if let Some((place, _)) = passed_over.first() {
        let names: Vec<&str> = passed_over.iter().map(|&(_, name)| name).collect();
        let message = format!("{}: not run; nothing that they send comes to `{}`", some_of(&names), model.name);
        notices.push(Notice { span: place.clone(), message });
    }
    Ok(())
}

/// Most names that a warning lists.
const MAX_NAMES: usize = 4;

/// Lists the first of some names, and tells how many there are more.
pub(super) fn some_of(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(MAX_NAMES).map(|name| format!("`{name}`")).collect();
    let more = if names.len() > MAX_NAMES { format!(" and {} more", names.len() - MAX_NAMES) } else { String::new() };
    shown.join(", ") + &more
}
