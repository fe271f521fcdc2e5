//! Models of JSIMgraph, the simulator of the Java Modelling Tools (JMT): files `.jsimg`.
//!
//! | in the file | here |
//! | --- | --- |
//! | source that emits several classes | a source for each class, called `Source (Class)` |
//! | queue | a station: `maxJobs` servers; `size`, which counts the job in service, is the capacity |
//! | delay | a station with a server for every job of closed classes, or as many as there are jobs |
//! | processor sharing (EPS, DPS with whole weights) | `processor-sharing`, with weights |
//! | fork, join of all or of a quorum | nodes that tokens pass in a tick; a route for each part |
//! | FCFS, LCFS, random order, SJF | `fifo`, `lifo`, `random`, `shortest-job` |
//! | LCFS-PR, SRPT, FCFS-PR with priorities | `lifo-preemptive`, `shortest-remaining`, `priority-preemptive` |
//! | priority (FCFS), SEPT, LEPT | `priority`: there the largest number goes first, here the lowest, so they are reversed |
//! | drop, BAS blocking, retrial | `lose`, `block`, `retry`; a waiting queue before a queue (FCFS) is one without limit |
//! | reneging | patience |
//! | router, logger, class switch | nothing: routes lead past them, to a class after the switch; a router that chooses by the state is a node that tokens pass |
//! | sink | the end of a route; jobs of closed classes do not go there by chance |
//! | random, probabilities, round robin, class switch, shortest queue, fastest service | routes equally likely, by probability, in turn, with a new class, to the fewest tokens, to the shortest mean |
//! | region with limits of numbers of jobs, of all classes and of single ones | a region; or the capacity of a station that drops jobs |
//! | MAP, MMPP2 of a source | a Markovian arrival process |
//!
//! A model leaves out what tokens cannot reach. Anything else that they can reach is refused by an error that names the
//! element.

mod assemble;
mod error;
mod forks;
mod laws;
mod model;
mod nodes;
mod parameter;
mod paths;
mod regions;
mod results;
mod routing;
mod write;

pub use error::JsimgError;
pub use laws::Times;
pub use model::{ClassThere, Model, Region, Route, Source, Station};
pub use results::{Sample, StoredResult};
pub use write::{NotWritten, write};

use assemble::Draft;
use imminent_common::input;
use nodes::{Node, find};
use parameter::{File, children};
use paths::Paths;
use roxmltree::{Document, Node as Element, ParsingOptions};
use std::collections::BTreeMap;
use std::path::Path;

/// Reads a model from a file of JSIMgraph.
///
/// # Errors
/// [`JsimgError`], which names the file, the line and the element.
pub fn read(path: &Path) -> Result<Model, JsimgError> {
    parse(&input::text(path)?, &path.display().to_string())
}

/// Reads a model from the text of a file of JSIMgraph; errors use `file` as its name.
///
/// # Errors
/// [`JsimgError`], as for [`read`].
pub fn parse(text: &str, file: &str) -> Result<Model, JsimgError> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options)
        .map_err(|error| JsimgError::NotXml { file: file.to_owned(), reason: error.to_string() })?;
    let root = document.root_element();
    let sim = if root.has_tag_name("sim") { Some(root) } else { children(root, "sim").next() };
    let sim = sim.ok_or_else(|| JsimgError::NoModel { file: file.to_owned() })?;
    let mut model = model(File { name: file }, root, sim)?;
    model.results = results::results(root, sim);
    Ok(model)
}

/// Returns `true` if a text is a model of JSIMgraph rather than other XML: it has an element `sim`.
#[must_use]
pub fn is_jsimg(text: &str) -> bool {
    let begins =
        |name: &str| text.match_indices(name).any(|(at, _)| text[at + name.len()..].starts_with(char::is_whitespace));
    imminent_common::graph::xml::is_xml(text) && begins("<sim")
}

fn model<'a>(file: File<'a>, root: Element<'a, 'a>, sim: Element<'a, 'a>) -> Result<Model, JsimgError> {
    let declared: Vec<_> = children(sim, "userClass").collect();
    let classes: Vec<String> =
        declared.iter().map(|class| file.attribute(*class, "name").map(str::to_owned)).collect::<Result<_, _>>()?;
    let closed: Vec<bool> = declared.iter().map(|class| class.attribute("type") == Some("closed")).collect();
    let whole = |class: &Element<'a, 'a>, name: &'static str| {
        let text = class.attribute(name).unwrap_or("0");
        text.parse::<i64>().map_err(|_| {
            let described = format!("class '{}'", class.attribute("name").unwrap_or(""));
            file.wrong(*class, &described, format!("'{name}' is '{text}': give a whole number"))
        })
    };
    let priorities = declared.iter().map(|class| whole(class, "priority")).collect::<Result<Vec<_>, _>>()?;
    let nodes: Vec<Node<'a>> =
        children(sim, "node").map(|element| nodes::node(file, element, &classes)).collect::<Result<_, _>>()?;
    let mut connections = vec![vec![]; nodes.len()];
    for connection in children(sim, "connection") {
        let end = |name: &str| {
            let node = file.attribute(connection, name)?;
            find(&nodes, node).ok_or_else(|| {
                file.wrong(connection, "connection", format!("names '{node}', which is no node of the file"))
            })
        };
        let (source, target) = (end("source")?, end("target")?);
        if let Some(targets) = connections.get_mut(source) {
            targets.push(target);
        }
    }
    let mut tokens = preload(file, sim, &nodes, &classes)?;
    for (class, element) in declared.iter().enumerate() {
        let customers = whole(element, "customers")?;
        let is_placed = tokens.keys().any(|(_, placed)| *placed == class);
        if closed.get(class) != Some(&true) || customers == 0 || is_placed {
            continue;
        }
        let described = format!("class '{}'", classes.get(class).map_or("", String::as_str));
        let reference = element.attribute("referenceSource").unwrap_or("");
        let node = find(&nodes, reference).ok_or_else(|| {
            file.wrong(*element, &described, format!("its reference station '{reference}' is no node of the file"))
        })?;
        let customers = u32::try_from(customers).map_err(|_| {
            file.wrong(*element, &described, format!("has {customers} customers: give 0 to {}", u32::MAX))
        })?;
        tokens.insert((node, class), customers);
    }
    let limits = regions::limits(file, sim, &nodes, &classes)?;
    let positions = positions(root, &nodes);
    let paths = Paths { file, nodes: &nodes, connections: &connections, classes: &classes, closed: &closed };
    Draft { paths, priorities, tokens, positions, limits }.model()
}

/// Returns the numbers of tokens at time 0 that the file gives, by node and class.
fn preload<'a>(
    file: File<'a>,
    sim: Element<'a, 'a>,
    nodes: &[Node<'a>],
    classes: &[String],
) -> Result<BTreeMap<(usize, usize), u32>, JsimgError> {
    let mut tokens = BTreeMap::new();
    let stations = children(sim, "preload").flat_map(|preload| children(preload, "stationPopulations"));
    for station in stations {
        let name = file.attribute(station, "stationName")?;
        let wrong = |problem: String| file.wrong(station, &format!("population of station '{name}'"), problem);
        let node = find(nodes, name).ok_or_else(|| wrong("is no node of the file: remove it".to_owned()))?;
        for population in children(station, "classPopulation") {
            let class = file.attribute(population, "refClass")?;
            let number = file.attribute(population, "population")?;
            let known = classes.iter().position(|known| known == class);
            let class =
                known.ok_or_else(|| wrong(format!("names a class '{class}' that is not declared: remove it")))?;
            let number: u32 = number
                .parse()
                .map_err(|_| wrong(format!("is '{number}': give a whole number from 0 to {}", u32::MAX)))?;
            if number > 0 {
                tokens.insert((node, class), number);
            }
        }
    }
    Ok(tokens)
}

/// Returns the positions of nodes on the screen.
fn positions(root: Element<'_, '_>, nodes: &[Node<'_>]) -> Vec<Option<[f64; 2]>> {
    let mut positions = vec![None; nodes.len()];
    for station in children(root, "jmodel").flat_map(|shown| children(shown, "station")) {
        let Some(position) = children(station, "position").next() else { continue };
        let number = |name: &str| position.attribute(name)?.parse::<f64>().ok().filter(|number| number.is_finite());
        let node = station.attribute("name").and_then(|name| find(nodes, name));
        if let (Some(entry), Some(x), Some(y)) =
            (node.and_then(|node| positions.get_mut(node)), number("x"), number("y"))
        {
            // The screen counts downwards, maps upwards.
            *entry = Some([x, -y]);
        }
    }
    positions
}

#[cfg(test)]
mod tests;
