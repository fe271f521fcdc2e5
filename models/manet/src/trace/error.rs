//! Errors of traces.

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
    /// A number that is too small or too large.
    #[error("line {line}: {name} is {value}, and must be from {least} to {most}")]
    Number {
        /// Number of the line, from 1.
        line: usize,
        /// Name of the number, with its unit.
        name: &'static str,
        /// The number.
        value: f64,
        /// Least allowed value.
        least: f64,
        /// Greatest allowed value.
        most: f64,
    },
    /// A position that is set after the start: the node would jump.
    #[error(
        "line {line}: node {node} is set to another position at {time} s, and nodes cannot jump; move it by `setdest`, or set it at 0 s"
    )]
    Jump {
        /// Number of the line, from 1.
        line: usize,
        /// Number of the node.
        node: usize,
        /// Time in s.
        time: f64,
    },
    /// Positions further apart than the longest side of a field.
    #[error("the positions are {extent} m apart along {axis}, and a field has sides of at most {most} m")]
    Extent {
        /// The axis: x or y.
        axis: char,
        /// Distance of the outermost positions in m.
        extent: f64,
        /// Longest side of a field in m.
        most: f64,
    },
    /// A node that leaves before it enters.
    #[error("node {node} leaves at {leave} s, and enters at {enter} s; it has to enter first")]
    Stay {
        /// Number of the node.
        node: usize,
        /// Time of `start` in s.
        enter: f64,
        /// Time of `stop` in s.
        leave: f64,
    },
    /// Two nodes of one name.
    #[error("nodes {} and {} are both called `{name}`; give each a name of its own behind `# SUMO-ID:`", nodes[0], nodes[1])]
    SameName {
        /// Numbers of the nodes.
        nodes: [usize; 2],
        /// Their name.
        name: String,
    },
    /// A node without a position.
    #[error("node {node} has no initial position; add `$node_({node}) set X_ 0.0` and `set Y_`")]
    NotDeclared {
        /// Number of the node.
        node: usize,
    },
}

/// Error in a file of positions that nodes have at times of their own.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// A file that is no XML.
    #[error("line {line}: {reason}")]
    Xml {
        /// Number of the line, from 1.
        line: usize,
        /// The reason.
        reason: String,
    },
    /// A row that is not of CSV.
    #[error("{reason}")]
    Csv {
        /// The reason.
        reason: String,
    },
    /// A file without a column or an attribute that is needed.
    #[error("{place} has no `{name}`; expected {expected}")]
    Missing {
        /// Place in the file.
        place: String,
        /// Name of the column or attribute.
        name: &'static str,
        /// Columns or attributes that are needed.
        expected: &'static str,
    },
    /// A value that is no number in its limits.
    #[error("line {line}: {name} is `{value}`, and must be a number from {least} to {most}")]
    Number {
        /// Number of the line, from 1.
        line: usize,
        /// Name of the value, with its unit.
        name: &'static str,
        /// The value.
        value: String,
        /// Least allowed value.
        least: f64,
        /// Greatest allowed value.
        most: f64,
    },
    /// Positions of one node at one time, in two places.
    #[error("node `{node}` has two positions at {time} s; give each node one at a time")]
    Twice {
        /// Name of the node.
        node: String,
        /// Time in s.
        time: f64,
    },
    /// Positions further apart than a node gets in the time between them.
    #[error(
        "node `{node}` moves at {speed:.0} m/s after {time} s; the limit is {most} m/s: check units and names of nodes"
    )]
    Speed {
        /// Name of the node.
        node: String,
        /// Time of departure in s.
        time: f64,
        /// Speed in m/s.
        speed: f64,
        /// Greatest speed in m/s.
        most: f64,
    },
    /// Coordinates in degrees.
    #[error("all positions lie within 2 m, as degrees would; record metres, in SUMO without `--fcd-output.geo`")]
    Degrees,
    /// A file without positions.
    #[error("there is no position in the file; expected {expected}")]
    Empty {
        /// Columns or elements that are needed.
        expected: &'static str,
    },
    /// Positions that no trace can have.
    #[error(transparent)]
    Trace(#[from] TraceError),
}

/// Error in a file of movements.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// Error in a trace of ns-2.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// Error in positions that a file lists.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Error in a file of activity.
    #[error("in the file of activity, {0}")]
    InActivity(TraceError),
    /// A file of activity beside one that tells itself when nodes enter and leave.
    #[error("it tells itself when nodes enter and leave; leave `network.activity` out")]
    Activity,
}

/// Error in positions at some times.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// Coordinates of another number than there are times and nodes.
    #[error("there are {x} values of x and {y} of y for {times} times; give as many of both for each time")]
    Shape {
        /// Number of values of x.
        x: usize,
        /// Number of values of y.
        y: usize,
        /// Number of times.
        times: usize,
    },
    /// A time that does not follow the one before.
    #[error("times: has {value} at [{place}]; give ascending times in s, the first 0, to 1000000000 at most")]
    Time {
        /// Place of the time in the list, from 0.
        place: usize,
        /// Time in s.
        value: f64,
    },
    /// A coordinate that is no number, or too far out.
    #[error("{axis} is {value} at time {time} of node {node}; give metres from -{most} to {most}")]
    Coordinate {
        /// The axis: x or y.
        axis: char,
        /// Place of the time in the list, from 0.
        time: usize,
        /// Number of the node.
        node: usize,
        /// Coordinate in m.
        value: f64,
        /// Greatest coordinate in m.
        most: f64,
    },
    /// A node without a position.
    #[error("node {node} has no position at any time; leave its column out")]
    Nowhere {
        /// Number of the node.
        node: usize,
    },
    /// Positions further apart than a node gets in the time between them.
    #[error(
        "node {node} moves at {speed:.0} m/s after {time} s; the limit is {most} m/s: check units and numbers of nodes"
    )]
    Speed {
        /// Number of the node.
        node: usize,
        /// Time of departure in s.
        time: f64,
        /// Speed in m/s.
        speed: f64,
        /// Greatest speed in m/s.
        most: f64,
    },
    /// Positions that no trace can have.
    #[error(transparent)]
    Trace(#[from] TraceError),
}
