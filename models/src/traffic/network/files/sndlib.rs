//! Networks and demands from the XML files of SNDlib, the library of test instances for network design.
//!
//! Every link is a link each way. Its bandwidth is its pre-installed capacity, or where that is 0 or missing the smallest module that could be installed; both, and the
//! demands, are in a unit that the files do not tell ([`Gaps::unit`]). Delays follow from the coordinates where these are `geographical`.

use super::super::Demand;
use super::{Gaps, Nodes, Read, ReadError, first_delay};
use crate::graphml::{Reader, elements};
use crate::traffic::network::Link;
use crate::traffic::units::bits_per_second;
use roxmltree::Node as Element;
use std::collections::HashSet;

/// The network of a file whose root element is `network`.
pub(super) fn network(reader: Reader<'_>, root: Element<'_, '_>, gaps: &Gaps) -> Result<Read, ReadError> {
    let part = Part { reader, gaps };
    let structure = part.child(root, "networkStructure")?;
    let list = part.child(structure, "nodes")?;
    // Pixels have no distances.
    let geographical = list.attribute("coordinatesType").is_none_or(|kind| kind == "geographical");
    let (mut found, mut ids) = (vec![], HashSet::new());
    for node in elements(list, "node") {
        let id = reader.required(node, "id")?;
        if !ids.insert(id) {
            return Err(part.wrong(node, format!("a second node has the id '{id}': ids must differ")));
        }
        let place = match elements(node, "coordinates").next().filter(|_| geographical) {
            Some(place) => Some([part.number(place, "x")?, part.number(place, "y")?]),
            None => None,
        };
        found.push((id, id, place));
    }
    let mut nodes = Nodes::of(found);
    for link in elements(part.child(structure, "links")?, "link") {
        let (from, to) = part.ends(link, &nodes)?;
        let (bandwidth, given) = part.bandwidth(link)?;
        let (delay, whence) = first_delay(None, || nodes.delay(from, to, gaps), gaps).ok_or_else(|| {
            let name = "delay, and its ends no geographical coordinates from which it would follow";
            part.missing(link, name, "'delay' in [topology], for all links")
        })?;
        nodes.filled.count(given, whence);
        nodes.join(Link { from, to, delay, bandwidth, queue: gaps.queues.queue(bandwidth) }, false);
    }
    let mut demands = vec![];
    for demand in elements(root, "demands").flat_map(|list| elements(list, "demand")) {
        let (from, to) = part.ends(demand, &nodes)?;
        let rate = part.rate(demand, "demandValue")?;
        demands.push(Demand { from, to, rate });
    }
    nodes.build(reader.file, demands)
}

/// What all parts of a file have in common.
struct Part<'a> {
    reader: Reader<'a>,
    gaps: &'a Gaps,
}

impl<'a> Part<'a> {
    fn wrong(&self, element: Element<'_, '_>, problem: String) -> ReadError {
        ReadError::Sndlib { file: self.reader.file.to_owned(), line: self.reader.line(element), problem }
    }

    fn missing(&self, link: Element<'_, '_>, name: &str, remedy: &'static str) -> ReadError {
        ReadError::Missing {
            file: self.reader.file.to_owned(),
            line: self.reader.line(link),
            element: format!("link '{}'", link.attribute("id").unwrap_or("")),
            name: name.to_owned(),
            remedy,
        }
    }

    fn child(&self, parent: Element<'a, 'a>, name: &'static str) -> Result<Element<'a, 'a>, ReadError> {
        elements(parent, name).next().ok_or_else(|| {
            let parent_name = parent.tag_name().name();
            self.wrong(
                parent,
                format!("'{parent_name}' has no '{name}' inside, which SNDlib's format asks for: add it"),
            )
        })
    }

    fn text(&self, parent: Element<'a, 'a>, name: &'static str) -> Result<&'a str, ReadError> {
        Ok(self.child(parent, name)?.text().unwrap_or("").trim())
    }

    fn number(&self, parent: Element<'a, 'a>, name: &'static str) -> Result<f64, ReadError> {
        let text = self.text(parent, name)?;
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| {
            self.wrong(self.child(parent, name).unwrap_or(parent), format!("'{name}' is '{text}': give a number"))
        })
    }

    /// A number of the file's unit, as bits per second.
    fn rate(&self, parent: Element<'a, 'a>, name: &'static str) -> Result<u64, ReadError> {
        let number = self.number(parent, name)?;
        bits_per_second(number * self.gaps.unit).ok_or_else(|| {
            let at = self.child(parent, name).unwrap_or(parent);
            self.wrong(
                at,
                format!(
                    "'{name}' is {number}, with a unit of {} bit/s: together at most 10^13, and not negative",
                    self.gaps.unit
                ),
            )
        })
    }

    fn ends(&self, element: Element<'a, 'a>, nodes: &Nodes) -> Result<(u32, u32), ReadError> {
        let end = |name: &'static str| {
            let id = self.text(element, name)?;
            nodes.number(id).ok_or_else(|| {
                let what = element.tag_name().name();
                self.wrong(
                    element,
                    format!("the {what}'s {name} is '{id}', which is no node's id: add the node, or remove the {what}"),
                )
            })
        };
        Ok((end("source")?, end("target")?))
    }

    /// A link's bandwidth, and whether the file gives it.
    fn bandwidth(&self, link: Element<'a, 'a>) -> Result<(u64, bool), ReadError> {
        if let Some(installed) = elements(link, "preInstalledModule").next() {
            let rate = self.rate(installed, "capacity")?;
            if rate > 0 {
                return Ok((rate, true));
            }
        }
        let mut smallest = None;
        for module in elements(link, "additionalModules").flat_map(|list| elements(list, "addModule")) {
            let rate = self.rate(module, "capacity")?;
            if rate > 0 && smallest.is_none_or(|smallest| rate < smallest) {
                smallest = Some(rate);
            }
        }
        let given = smallest.map(|rate| (rate, true));
        given.or(self.gaps.bandwidth.map(|rate| (rate, false))).ok_or_else(|| {
            let name = "capacity, neither pre-installed nor as a module";
            self.missing(link, name, "'bandwidth' in [topology], for all links that have none")
        })
    }
}
