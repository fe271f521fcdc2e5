//! Networks and demands from the XML files of SNDlib, the library of test instances for network design.
//!
//! Every SNDlib link becomes one link in each direction, unless edges are to be one-way. Its bandwidth is its
//! pre-installed capacity. If that is 0 or missing, it is the smallest installable module, which is counted. Capacities
//! and demands have a unit that some files give in `meta` and most do not ([`Gaps::unit`]). Delays follow from
//! coordinates of the type `geographical`. Links and demands from a node to itself are left out and counted.

use super::super::Demand;
use super::error::ReadError;
use super::gaps::{BandwidthFrom, EdgeKind, Gaps, Own, USUAL_UNIT, UnitFrom, first_delay};
use super::nodes::{Nodes, Read};
use crate::network::Link;
use crate::units::bits_per_second;
use imminent_common::graph::xml::{Reader, elements};
use roxmltree::Node as Element;
use std::collections::HashSet;

/// Reads the network of a file whose root element is `network`.
pub(super) fn network(reader: Reader<'_>, root: Element<'_, '_>, gaps: &Gaps) -> Result<Read, ReadError> {
    let (unit, unit_from) = unit(root, gaps);
    let part = Section { reader, gaps, unit };
    let structure = part.child(root, "networkStructure")?;
    let list = part.child(structure, "nodes")?;
    // Pixel coordinates have no distance in metres.
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
    nodes.filled.unit = Some(unit_from);
    for link in elements(part.child(structure, "links")?, "link") {
        let (from, to) = part.ends(link, &nodes)?;
        if from == to {
            nodes.left_out.loops += 1;
            continue;
        }
        let (bandwidth, given) = part.bandwidth(link)?;
        let (delay, whence) = first_delay(None, || nodes.delay(from, to, gaps), gaps).ok_or_else(|| {
            let name = "delay, and its ends no geographical coordinates from which it would follow";
            part.missing(link, name, "'delay' in [topology], for all links")
        })?;
        let queue = gaps.queues.queue(bandwidth);
        nodes.filled.count(given, whence);
        nodes.filled.count_own(Own::NONE, queue.discipline);
        nodes.join(Link { from, to, delay, bandwidth, queue, loss: gaps.loss }, gaps.edges == Some(EdgeKind::OneWay));
    }
    let mut demands = vec![];
    for demand in elements(root, "demands").flat_map(|list| elements(list, "demand")) {
        let (from, to) = part.ends(demand, &nodes)?;
        let rate = part.rate(demand, "demandValue")?;
        if from == to {
            nodes.left_out.demands += u64::from(rate > 0);
            continue;
        }
        demands.push(Demand { from, to, rate });
    }
    nodes.build(reader.file, demands)
}

/// Returns the bits per second in the unit of capacities and demands, and the source of the unit.
fn unit(root: Element<'_, '_>, gaps: &Gaps) -> (f64, UnitFrom) {
    let named = || elements(root, "meta").flat_map(|meta| elements(meta, "unit")).find_map(|unit| named(unit.text()?));
    let given = gaps.unit.map(|unit| (unit, UnitFrom::Gaps));
    given.or_else(|| named().map(|unit| (unit, UnitFrom::File))).unwrap_or((USUAL_UNIT, UnitFrom::Nobody))
}

/// Returns the bits per second in a unit named in `meta`, such as `MBITPERSEC` or `BITSPERSEC`.
fn named(unit: &str) -> Option<f64> {
    let unit: String = unit.to_ascii_uppercase().chars().filter(char::is_ascii_alphanumeric).collect();
    let bits = ["BITPERSEC", "BITSPERSEC", "BITPERSECOND", "BITSPERSECOND", "BITS", "BPS"];
    let prefix = bits.iter().find_map(|bits| unit.strip_suffix(bits))?;
    let prefixes = [("", 1.0), ("K", 1e3), ("KILO", 1e3), ("M", 1e6), ("MEGA", 1e6), ("G", 1e9), ("GIGA", 1e9)];
    let prefixes = prefixes.into_iter().chain([("T", 1e12), ("TERA", 1e12)]);
    prefixes.into_iter().find(|(name, _)| *name == prefix).map(|(_, factor)| factor)
}

/// Context of all parts of a file.
struct Section<'a> {
    reader: Reader<'a>,
    gaps: &'a Gaps,
    /// Factor from the file's unit of rates to bits per second.
    unit: f64,
}

impl<'a> Section<'a> {
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

    /// Converts a number in the file's unit to bits per second.
    fn rate(&self, parent: Element<'a, 'a>, name: &'static str) -> Result<u64, ReadError> {
        let number = self.number(parent, name)?;
        bits_per_second(number * self.unit).ok_or_else(|| {
            let at = self.child(parent, name).unwrap_or(parent);
            let problem = format!(
                "'{name}' is {number} units of {} bit/s, and 0 to 10^13 bit/s are possible: give the file's unit by 'unit' in [topology], or --unit",
                self.unit
            );
            self.wrong(at, problem)
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

    /// Returns a link's bandwidth and its source.
    fn bandwidth(&self, link: Element<'a, 'a>) -> Result<(u64, BandwidthFrom), ReadError> {
        if let Some(installed) = elements(link, "preInstalledModule").next() {
            let rate = self.rate(installed, "capacity")?;
            if rate > 0 {
                return Ok((rate, BandwidthFrom::Edge));
            }
        }
        let mut smallest = None;
        for module in elements(link, "additionalModules").flat_map(|list| elements(list, "addModule")) {
            let rate = self.rate(module, "capacity")?;
            if rate > 0 && smallest.is_none_or(|smallest| rate < smallest) {
                smallest = Some(rate);
            }
        }
        let given = smallest.map(|rate| (rate, BandwidthFrom::Module));
        given.or(self.gaps.bandwidth.map(|rate| (rate, BandwidthFrom::Gaps))).ok_or_else(|| {
            let name = "capacity, neither pre-installed nor as a module";
            self.missing(link, name, "'bandwidth' in [topology], for all links that have none")
        })
    }
}
