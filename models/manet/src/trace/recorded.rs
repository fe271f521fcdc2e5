//! Traces from positions that nodes have at times of their own.

use super::assemble::{Draft, MAX_SPEED, Point, assemble};
use super::error::RecordError;
use super::path::{MAX_METRES, MAX_SECONDS, TooFast, millimetres, path};
use super::{Stay, Trace};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Extent of coordinates in degrees, at most; of those in metres it is more. In mm.
const DEGREES: i64 = 2_000;

/// Positions of nodes as a file lists them.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    /// Numbers of the nodes, by their names.
    numbers: HashMap<String, usize>,
    nodes: Vec<Node>,
    /// All times of the file, in µs: those without nodes, too.
    times: BTreeSet<u64>,
    /// `true` if each node has a position at each time of the file at which it is there.
    has_steps: bool,
}

/// Node of a file.
#[derive(Debug, Default)]
struct Node {
    /// Name by which the file tells nodes apart.
    name: String,
    /// Other name that the file has for it.
    title: Option<String>,
    /// Positions at times in µs.
    places: Vec<(u64, Point)>,
}

/// Value of a file, for errors.
#[derive(Clone, Copy)]
pub(super) struct Value<'t> {
    /// Number of the line, from 1.
    pub(super) line: usize,
    pub(super) text: &'t str,
}

impl Value<'_> {
    /// Returns the number within limits.
    fn number(self, name: &'static str, [least, most]: [f64; 2]) -> Result<f64, RecordError> {
        let number = self.text.trim().parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| {
            let value = self.text.to_owned();
            RecordError::Number { line: self.line, name, value, least, most }
        })
    }

    /// Returns a time in µs.
    pub(super) fn micros(self) -> Result<u64, RecordError> {
        Ok((self.number("time (s)", [0.0, MAX_SECONDS])? * 1e6).round() as u64)
    }

    fn millimetres(self, name: &'static str) -> Result<i64, RecordError> {
        let number = self.number(name, [-MAX_METRES, MAX_METRES])?;
        // The number is within the limits.
        Ok(millimetres(number).unwrap_or(0))
    }
}

impl Recorded {
    /// Creates positions of no nodes. `has_steps` says whether a node that is there has a position at each time.
    pub(super) fn new(has_steps: bool) -> Self {
        Recorded { has_steps, ..Recorded::default() }
    }

    /// Adds a time at which nodes are recorded, even if there is none.
    pub(super) fn time(&mut self, micros: u64) {
        self.times.insert(micros);
    }

    /// Adds the position of a node at a time, with another name of the node.
    pub(super) fn add(
        &mut self,
        micros: u64,
        (name, title): (&str, Option<&str>),
        [x, y]: [Value<'_>; 2],
    ) -> Result<(), RecordError> {
        let place = [x.millimetres("x (m)")?, y.millimetres("y (m)")?];
        self.times.insert(micros);
        let number = match self.numbers.get(name) {
            Some(number) => *number,
            None => {
                let title = title.filter(|title| !title.is_empty()).map(str::to_owned);
                self.numbers.insert(name.to_owned(), self.nodes.len());
                self.nodes.push(Node { name: name.to_owned(), title, places: vec![] });
                self.nodes.len() - 1
            }
        };
        self.nodes[number].places.push((micros, place));
        Ok(())
    }

    /// Returns the trace. Its times begin with the first of the file. A node is there from its first position until the
    /// next time of the file after its last one. Nodes have the order of their names if these are whole numbers, and
    /// otherwise that of their first positions. They have the other names that the file has for them if these differ,
    /// and otherwise their names, unless these are their numbers.
    pub(super) fn trace(self, expected: &'static str) -> Result<Trace, RecordError> {
        let Self { mut nodes, times, has_steps, .. } = self;
        let Some(first) = times.first().copied().filter(|_| !nodes.is_empty()) else {
            return Err(RecordError::Empty { expected });
        };
        let numbers: Option<Vec<u64>> = nodes.iter().map(|node| node.name.parse().ok()).collect();
        match numbers {
            Some(_) => nodes.sort_by_cached_key(|node| node.name.parse::<u64>().unwrap_or(0)),
            None => nodes.sort_by_cached_key(|node| node.places.iter().map(|(time, _)| *time).min()),
        }
        let titles: Option<HashSet<&str>> = nodes.iter().map(|node| node.title.as_deref()).collect();
        let have_titles = titles.is_some_and(|titles| titles.len() == nodes.len());
        if have_titles {
            nodes.iter_mut().for_each(|node| node.name = node.title.take().unwrap_or_default());
        }
        let are_numbers = nodes.iter().enumerate().all(|(number, node)| node.name == number.to_string());
        let (steps, mut interrupted): (Vec<u64>, _) = (times.iter().copied().collect(), 0);
        let drafts = nodes.into_iter().map(|Node { name, mut places, .. }| {
            places.sort_by_key(|(time, _)| *time);
            if let Some(pair) = places.windows(2).find(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1) {
                return Err(RecordError::Twice { node: name, time: pair[0].0 as f64 / 1e6 });
            }
            places.dedup_by_key(|(time, _)| *time);
            interrupted += usize::from(has_steps && is_interrupted(&places, &steps));
            places.iter_mut().for_each(|(time, _)| *time -= first);
            let last = places.last().map_or(0, |(time, _)| *time);
            let after = times.range(first + last + 1..).next().map_or(u64::MAX, |time| time - first);
            let stay = Stay { enter: places[0].0, leave: after };
            let draft = path(&places, stay).map_err(|TooFast { place, speed }| {
                let time = (first + places[place].0) as f64 / 1e6;
                RecordError::Speed { node: name.clone(), time, speed, most: MAX_SPEED }
            })?;
            Ok(Draft { name: (!are_numbers).then(|| name.into()), ..draft })
        });
        let drafts = drafts.collect::<Result<_, _>>()?;
        Ok(assemble(drafts)?.with_interrupted(interrupted))
    }

    /// Refuses coordinates that are degrees of longitude and latitude: those of a city differ by less than 2.
    pub(super) fn refuse_degrees(&self) -> Result<(), RecordError> {
        let all = || self.nodes.iter().flat_map(|node| &node.places).map(|(_, place)| *place);
        let lies = |axis: usize, most: i64| {
            let (least, greatest) = all().fold((i64::MAX, i64::MIN), |(least, greatest), place| {
                (least.min(place[axis]), greatest.max(place[axis]))
            });
            least.abs().max(greatest.abs()) <= most * 1000 && greatest - least < DEGREES
        };
        let are_apart = all().zip(all().skip(1)).any(|(a, b)| a != b);
        match self.nodes.len() > 1 && are_apart && lies(0, 180) && lies(1, 90) {
            true => Err(RecordError::Degrees),
            false => Ok(()),
        }
    }
}

/// Returns `true` if a node has no position at one of some ascending times, between its first and its last one.
fn is_interrupted(places: &[(u64, Point)], steps: &[u64]) -> bool {
    let [Some((first, _)), Some((last, _))] = [places.first(), places.last()] else { return false };
    let [first, last] = [first, last].map(|time| steps.partition_point(|step| step < time));
    places.len() <= last - first
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Names are those of the file, whatever they are. They are written behind a mark of comments, and may have
        /// marks of their own.
        #[test]
        fn names_are_written_and_read(names in prop::collection::vec("[ \\PC\\x00-\\x1f;#]{0,12}|a(;|; )# (SUMO-ID|NAME): b| ?a ?|\"[a \\\\]\"", 1..5)) {
            let mut recorded = Recorded::default();
            for (place, name) in names.iter().enumerate() {
                let at = place.to_string();
                recorded.add(0, (name, None), [Value { line: 1, text: &at }, Value { line: 1, text: "5" }]).unwrap();
                if names[..place].contains(name) {
                    return Ok(());
                }
            }
            let trace = recorded.trace("").unwrap();
            let is_number = (0..).zip(&names).all(|(number, name)| *name == number.to_string());
            for (node, name) in (0..).zip(&names) {
                let node = if is_number { Some(node) } else { trace.find(name) };
                let found = node.and_then(|node| Some(trace.tracks().get(node as usize)?.start.x / 1_000));
                prop_assert_eq!(found, (0..).zip(&names).find(|(_, of)| *of == name).map(|(place, _)| place));
            }
            prop_assert_eq!(Trace::read(&trace.to_string()), Ok(trace));
        }
    }
}
