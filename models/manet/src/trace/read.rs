//! Reading of traces.

use super::assemble::{Draft, DraftMove, MAX_SPEED, assemble};
use super::error::TraceError;
use super::{Stay, Trace, names};
use crate::field::MAX_SIDE;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Greatest number of a node.
const MAX_NODE: usize = 1 << 30;

/// Node while its lines are read.
#[derive(Default)]
struct Lines {
    start: [Option<i64>; 2],
    moves: Vec<DraftMove>,
    stay: Stay,
    name: Option<Arc<str>>,
}

/// Line of a trace.
enum Line<'t> {
    /// A coordinate, at a time in s.
    Set {
        node: usize,
        axis: &'t str,
        value: f64,
        time: f64,
    },
    Move {
        node: usize,
        time: f64,
        target: (f64, f64),
        speed: f64,
    },
    /// The node enters.
    Start {
        node: usize,
        time: f64,
        name: Option<Arc<str>>,
    },
    /// The node leaves.
    Stop {
        node: usize,
        time: f64,
    },
    Other,
}

impl Trace {
    /// Reads a trace in the format of ns-2's `setdest`. Lines may have any order: movements of a node are sorted by
    /// their times, equal ones keep the order of the file. Nodes that are numbered from 1 get numbers from 0, and their
    /// numbers in the file as names. If coordinates are negative, all positions are moved so that the least ones are 0.
    /// Lines of `god_`, comments and a byte order mark are skipped. A node is there from its line `start` to its line
    /// `stop`, as in SUMO's file of activity, and otherwise for the whole time. The comment at the end of `start` may
    /// have its name.
    ///
    /// ```
    /// use imminent_manet::trace::Trace;
    ///
    /// let trace = Trace::read("$ns_ at 1.0 \"$node_(0) setdest 3.0 4.0 5.0\"\n$node_(0) set X_ 0.5\n$node_(0) set Y_ 0")?;
    /// assert_eq!((trace.nodes(), trace.greatest_speed()), (1, 5_000_000));
    /// assert_eq!(Trace::read(&trace.to_string())?, trace);
    /// # Ok::<(), imminent_manet::trace::TraceError>(())
    /// ```
    ///
    /// # Errors
    /// The first error in the text.
    pub fn read(text: &str) -> Result<Self, TraceError> {
        let mut nodes = Nodes::default();
        nodes.add(text)?;
        nodes.trace()
    }
}

/// Nodes of files that are read one after the other.
#[derive(Default)]
pub(super) struct Nodes {
    // The numbers are the file's: a large one must not take memory for all below it.
    lines: BTreeMap<usize, Lines>,
}

impl Nodes {
    /// Reads the lines of a file.
    pub(super) fn add(&mut self, text: &str) -> Result<(), TraceError> {
        for (number, text) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            let syntax = || TraceError::Syntax { line: number, text: text.trim().to_owned() };
            let line = parse(text).ok_or_else(syntax)?;
            let node = match line {
                Line::Set { node, .. }
                | Line::Move { node, .. }
                | Line::Start { node, .. }
                | Line::Stop { node, .. } => node,
                Line::Other => continue,
            };
            if node > MAX_NODE {
                return Err(TraceError::Number {
                    line: number,
                    name: "node",
                    value: node as f64,
                    least: 0.0,
                    most: MAX_NODE as f64,
                });
            }
            self.lines.entry(node).or_default().add(line, number)?;
        }
        Ok(())
    }

    /// Returns the trace of all nodes.
    pub(super) fn trace(self) -> Result<Trace, TraceError> {
        let first = usize::from(!self.lines.contains_key(&0));
        let mut drafts = Vec::with_capacity(self.lines.len());
        let mut numbers = HashMap::new();
        for (expected, (number, Lines { start, mut moves, stay, name })) in (first..).zip(self.lines) {
            let [Some(x), Some(y)] = start else { return Err(TraceError::NotDeclared { node: expected }) };
            if number != expected {
                return Err(TraceError::NotDeclared { node: expected });
            }
            moves.sort_by_key(|order| order.time);
            let name = name.or_else(|| (first > 0).then(|| number.to_string().into()));
            let called = name.clone().unwrap_or_else(|| number.to_string().into());
            if let Some(other) = numbers.insert(called.clone(), number) {
                return Err(TraceError::SameName { nodes: [other, number], name: called.to_string() });
            }
            let Stay { enter, leave } = stay;
            if leave <= enter {
                let [enter, leave] = [enter, leave].map(|time| time as f64 / 1e6);
                return Err(TraceError::Stay { node: number, enter, leave });
            }
            drafts.push(Draft { start: [x, y], moves, stay, name });
        }
        assemble(drafts)
    }
}

impl Lines {
    fn add(&mut self, line: Line<'_>, number: usize) -> Result<(), TraceError> {
        let scaled = |name, value: f64, unit: f64, [least, most]: [f64; 2]| match (least..=most).contains(&value) {
            true => Ok((value * unit).round()),
            false => Err(TraceError::Number { line: number, name, value, least, most }),
        };
        let side = f64::from(MAX_SIDE) / 1e3;
        let metres = |name, value| scaled(name, value, 1e3, [-side, side]).map(|value| value as i64);
        let micros = |time| scaled("time (s)", time, 1e6, [0.0, 1e9]).map(|time| time as u64);
        match line {
            Line::Set { axis: "X_" | "Y_", node, time, .. } if micros(time)? > 0 => {
                return Err(TraceError::Jump { line: number, node, time });
            }
            Line::Set { axis: "X_", value, .. } => self.start[0] = Some(metres("X_ (m)", value)?),
            Line::Set { axis: "Y_", value, .. } => self.start[1] = Some(metres("Y_ (m)", value)?),
            Line::Set { .. } | Line::Other => {}
            Line::Move { time, target: (x, y), speed, .. } => {
                let target = [metres("x (m)", x)?, metres("y (m)", y)?];
                let speed = scaled("speed (m/s)", speed, 1e6, [0.0, MAX_SPEED])? as u32;
                self.moves.push(DraftMove { time: micros(time)?, target, speed });
            }
            Line::Start { time, name, .. } => {
                self.stay.enter = micros(time)?;
                self.name = name.or(self.name.take());
            }
            Line::Stop { time, .. } => self.stay.leave = micros(time)?,
        }
        Ok(())
    }
}

/// Returns the line; `None` if it is in none of the formats.
fn parse(text: &str) -> Option<Line<'_>> {
    // A comment may follow an order, and have the name of the node.
    let (text, name) = names::divide(text);
    let text = text.find(";#").or_else(|| text.find("; #")).map_or(text, |end| &text[..end]).trim();
    if text.is_empty() || text.starts_with('#') || text.starts_with("$god_") {
        return Some(Line::Other);
    }
    let words: Vec<_> = text.split([' ', '\t', '"', '{', '}', ';']).filter(|word| !word.is_empty()).collect();
    match words.as_slice() {
        [node, "set", axis, value] => {
            Some(Line::Set { node: node_number(node)?, axis, value: value.parse().ok()?, time: 0.0 })
        }
        [_, "at", time, node, "set", axis, value] => {
            Some(Line::Set { node: node_number(node)?, axis, value: value.parse().ok()?, time: time.parse().ok()? })
        }
        ["$god_", ..] | [_, "at", _, "$god_", ..] | ["set", "god_", ..] => Some(Line::Other),
        [_, "at", time, node, "setdest", x, y, speed] => Some(Line::Move {
            node: node_number(node)?,
            time: time.parse().ok()?,
            target: (x.parse().ok()?, y.parse().ok()?),
            speed: speed.parse().ok()?,
        }),
        [_, "at", time, node, "start"] => {
            Some(Line::Start { node: node_number(node)?, time: time.parse().ok()?, name })
        }
        [_, "at", time, node, "stop"] => Some(Line::Stop { node: node_number(node)?, time: time.parse().ok()? }),
        _ => None,
    }
}

/// Returns the number in `$node_(7)` or `$node(7)`.
fn node_number(word: &str) -> Option<usize> {
    let (_, number) = word.strip_prefix('$')?.strip_suffix(')')?.split_once('(')?;
    number.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::geometry::Position;
    use crate::trace::{Move, Track};

    fn tracks(text: &str) -> Vec<Track> {
        Trace::read(text).unwrap().tracks().to_vec()
    }

    fn place(x: i32, y: i32) -> Position {
        Position { x: x * 1000, y: y * 1000 }
    }

    const TWO: &str = "$node_(0) set X_ 1\n$node_(0) set Y_ 2\n$node_(1) set X_ 30\n$node_(1) set Y_ 40\n";

    #[test]
    fn notations_of_other_programs_mean_the_same() {
        let usual = tracks(&format!("{TWO}$ns_ at 1.5 \"$node_(1) setdest 3 4 5\"\n"));
        let others = [
            format!("\u{feff}{TWO}$ns at 1.5 \"$node(1) setdest 3.0 4.0 5.0\";\r\n"),
            format!("$ns_ at 1.5 {{$node_(1) setdest 3 4 5}}\n{}", TWO.replace('\n', ";\n").replace("set ", "set  ")),
            format!("{TWO}$ns_ at 0.0 \"$node_(0) set X_ 1\"\n$ns_ at 1.5 \"$node_(1) setdest 3 4 5\""),
            // Scenes that come with ns-2.
            format!(
                "set god_ [God instance]\n{TWO}$god_ set-dist 0 1 1\n$ns_ at 1.5 \"$node_(1) setdest 3 4 5\"\n\
                 $ns_ at 2.0 \"$god_ set-dist 0 1 2\"\n"
            ),
        ];
        for other in others {
            assert_eq!(tracks(&other), usual, "{other}");
        }
    }

    /// Nodes that are numbered from 1 are called by these numbers.
    #[test]
    fn numbers_from_one_are_names() {
        let text = format!("{}$ns_ at 1.5 \"$node(2) setdest 3 4 5\"", TWO.replace("(1)", "(2)").replace("(0)", "(1)"));
        let read = Trace::read(&text).unwrap();
        let names = [read.name(0), read.name(1)].map(|name| name.unwrap().to_string());
        assert_eq!(
            (names, read.find("2"), read.has_numbers_as_names()),
            (["1", "2"].map(str::to_owned), Some(1), true)
        );
        let unnamed = |track: &Track| Track { name: None, ..track.clone() };
        let usual = tracks(&format!("{TWO}$ns_ at 1.5 \"$node_(1) setdest 3 4 5\"\n"));
        assert_eq!(read.tracks().iter().map(unnamed).collect::<Vec<_>>(), usual);
        assert_eq!(Trace::read(&read.to_string()), Ok(read));
        assert!(!Trace::read(TWO).unwrap().has_numbers_as_names());
    }

    #[test]
    fn movements_are_sorted_by_their_times() {
        let moves = "$ns_ at 9 \"$node_(0) setdest 9 9 1\"\n$ns_ at 4 \"$node_(0) setdest 4 4 1\"\n\
                     $ns_ at 4 \"$node_(0) setdest 5 5 1\"\n";
        let order = |seconds: u64, at: i32| Move { time: seconds * 1_000_000, target: place(at, at), speed: 1_000_000 };
        assert_eq!(tracks(&format!("{moves}{TWO}"))[0].moves, [order(4, 4), order(4, 5), order(9, 9)]);
    }

    #[test]
    fn negative_coordinates_move_all_positions() {
        let text = format!("{}$ns_ at 1 \"$node_(0) setdest 7 -8 1\"\n", TWO.replace("X_ 30", "X_ -30"));
        let found = tracks(&text);
        assert_eq!(
            [found[0].start, found[1].start, found[0].moves[0].target],
            [place(31, 10), place(0, 48), place(37, 0)]
        );
        // A file without negative coordinates keeps its own, whatever the least ones are.
        assert_eq!(tracks(TWO)[1].start, place(30, 40));
    }

    #[test]
    fn nodes_enter_and_leave_as_sumo_writes_it() {
        let lines = "$ns_ at 30.0 \"$g(1) start\"; # SUMO-ID: late\n$ns_ at 95.5 \"$g(1) stop\"; # SUMO-ID: late\n";
        let read = Trace::read(&format!("{lines}{TWO}")).unwrap();
        let stays: Vec<Stay> = read.tracks().iter().map(|track| track.stay).collect();
        assert_eq!(stays, [Stay::default(), Stay { enter: 30_000_000, leave: 95_500_000 }]);
        assert_eq!(Trace::read(&read.to_string()), Ok(read));
    }

    #[test]
    fn errors_name_line_and_remedy() {
        let text = |lines: &str| Trace::read(&format!("{TWO}{lines}")).unwrap_err().to_string();
        let lines = [
            "$ns_ at 5.0 \"$node_(0) set X_ 100.0\"",
            "$ns_ at -5.0 \"$node_(0) setdest 1 1 1\"",
            "$ns_ at 5.0 \"$node_(0) setdest 1 1 -1\"",
            "$ns_ at 5.0 \"$node_(0) setdest 1e7 1 1\"",
            "$ns_ at 5.0 \"$node_(0) setdest nan 1 1\"",
            "$ns_ at 5.0 \"$node_(0) setdest -6e5 6e5 1\"\n$ns_ at 5.0 \"$node_(0) setdest 6e5 6e5 1\"",
            "$node_(3) set X_ 1",
            "$node_(99999999999) set X_ 1",
            "$node_(0) X_ 1",
            "$ns_ at 9.0 \"$g(0) start\"\n$ns_ at 9.0 \"$g(0) stop\"",
            "$ns_ at 9.0 \"$g(0) start\"; # SUMO-ID: a\n$ns_ at 9.0 \"$g(1) start\"; # SUMO-ID: a",
            "$ns_ at 9.0 \"$g(0) start\"; # SUMO-ID: 1",
        ];
        insta::assert_snapshot!(lines.map(text).join("\n"));
    }
}
