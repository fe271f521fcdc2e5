//! Reading of traces.

use super::{Move, Trace, Track};
use crate::field::MAX_SIDE;
use crate::kernels::geometry::Position;
use std::collections::BTreeMap;

/// Error in a trace.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// A line that is neither a position nor a movement.
    #[error(
        "line {line}: cannot read `{text}`; expected `$node_(0) set X_ 12.5` or `$ns_ at 1.0 \"$node_(0) setdest 3.0 4.0 5.0\"`"
    )]
    Syntax {
        /// Number of the line, from 1.
        line: usize,
        /// The line.
        text: String,
    },
    /// A number that is negative or too large.
    #[error("line {line}: {name} is {value}, and must be from 0 to {most}")]
    Number {
        /// Number of the line, from 1.
        line: usize,
        /// Name of the number, with its unit.
        name: &'static str,
        /// The number.
        value: f64,
        /// Greatest allowed value.
        most: f64,
    },
    /// A time of a movement before that of the node's last one.
    #[error(
        "line {line}: node {node} is to move at {time} s, before its last movement at {last} s; sort its movements by time"
    )]
    BackInTime {
        /// Number of the line, from 1.
        line: usize,
        /// Number of the node.
        node: usize,
        /// Time of the movement in s.
        time: f64,
        /// Time of the movement before in s.
        last: f64,
    },
    /// A node without a position.
    #[error("node {node} has no initial position; add `$node_({node}) set X_ 0.0` and `set Y_`")]
    NotDeclared {
        /// Number of the node.
        node: usize,
    },
}

/// Greatest number of a node.
const MAX_NODE: usize = 1 << 30;

/// Node while its lines are read.
#[derive(Default)]
struct Draft {
    x: Option<i32>,
    y: Option<i32>,
    moves: Vec<Move>,
}

/// Line of a trace.
enum Line<'t> {
    Set { node: usize, axis: &'t str, value: f64 },
    Move { node: usize, time: f64, target: (f64, f64), speed: f64 },
    Other,
}

impl Trace {
    /// Reads a trace in the format of ns-2's `setdest`. Positions at the start may stand anywhere in the file. Lines of
    /// `$god_` and comments are skipped.
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
        // The numbers are the file's: a large one must not take memory for all below it.
        let mut nodes = BTreeMap::<usize, Draft>::new();
        for (number, text) in (1..).zip(text.lines()) {
            let syntax = || TraceError::Syntax { line: number, text: text.trim().to_owned() };
            let line = parse(text).ok_or_else(syntax)?;
            let node = match line {
                Line::Set { node, .. } | Line::Move { node, .. } => node,
                Line::Other => continue,
            };
            if node > MAX_NODE {
                return Err(TraceError::Number {
                    line: number,
                    name: "node",
                    value: node as f64,
                    most: MAX_NODE as f64,
                });
            }
            nodes.entry(node).or_default().add(line, number)?;
        }
        let track = |(node, (number, draft)): (usize, (usize, Draft))| match (draft.x, draft.y) {
            (Some(x), Some(y)) if node == number => Ok(Track { start: Position { x, y }, moves: draft.moves }),
            _ => Err(TraceError::NotDeclared { node }),
        };
        Ok(Trace::new(nodes.into_iter().enumerate().map(track).collect::<Result<_, _>>()?))
    }
}

impl Draft {
    fn add(&mut self, line: Line<'_>, number: usize) -> Result<(), TraceError> {
        let scaled = |name: &'static str, value: f64, unit: f64, most: f64| match (0.0..=most).contains(&value) {
            true => Ok((value * unit).round()),
            false => Err(TraceError::Number { line: number, name, value, most }),
        };
        let metres = |name, value| scaled(name, value, 1e3, f64::from(MAX_SIDE) / 1e3).map(|value| value as i32);
        match line {
            Line::Set { axis: "X_", value, .. } => self.x = Some(metres("X_ (m)", value)?),
            Line::Set { axis: "Y_", value, .. } => self.y = Some(metres("Y_ (m)", value)?),
            Line::Set { .. } | Line::Other => {}
            Line::Move { node, time, target: (x, y), speed } => {
                let target = Position { x: metres("x (m)", x)?, y: metres("y (m)", y)? };
                let micros = scaled("time (s)", time, 1e6, 1e9)? as u64;
                if let Some(last) = self.moves.last().filter(|last| last.time > micros) {
                    let last = last.time as f64 / 1e6;
                    return Err(TraceError::BackInTime { line: number, node, time, last });
                }
                let speed = scaled("speed (m/s)", speed, 1e6, 4_000.0)? as u32;
                self.moves.push(Move { time: micros, target, speed });
            }
        }
        Ok(())
    }
}

/// Returns the line; `None` if it is in none of the formats.
fn parse(text: &str) -> Option<Line<'_>> {
    let text = text.trim();
    if text.is_empty() || text.starts_with('#') || text.starts_with("$god_") {
        return Some(Line::Other);
    }
    let words: Vec<_> = text.split([' ', '\t', '"']).filter(|word| !word.is_empty()).collect();
    match words.as_slice() {
        [node, "set", axis, value] => Some(Line::Set { node: node_number(node)?, axis, value: value.parse().ok()? }),
        ["$god_", ..] | [_, "at", _, "$god_", ..] => Some(Line::Other),
        [_, "at", time, node, "setdest", x, y, speed] => Some(Line::Move {
            node: node_number(node)?,
            time: time.parse().ok()?,
            target: (x.parse().ok()?, y.parse().ok()?),
            speed: speed.parse().ok()?,
        }),
        _ => None,
    }
}

/// Returns the number in `$node_(7)`.
fn node_number(word: &str) -> Option<usize> {
    word.strip_prefix("$node_(")?.strip_suffix(')')?.parse().ok()
}
