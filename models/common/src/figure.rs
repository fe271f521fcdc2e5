//! Figures of results as data: points of lines, portions of densities, maps of nodes and links. Programs draw them.

/// Point of a line with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Horizontal position.
    pub x: f64,
    /// Vertical position.
    pub y: f64,
    /// Half of the width of the interval around `y`, if there is one.
    pub half_width: Option<f64>,
}

impl Point {
    /// Returns the lower end of the interval.
    #[must_use]
    pub fn low(&self) -> f64 {
        self.y - self.half_width.unwrap_or(0.0)
    }

    /// Returns the upper end of the interval.
    #[must_use]
    pub fn high(&self) -> f64 {
        self.y + self.half_width.unwrap_or(0.0)
    }
}

/// Share of the values in an interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Portion {
    /// Least value of the interval.
    pub from: f64,
    /// Greatest value of the interval.
    pub to: f64,
    /// Share of the values.
    pub share: f64,
}

/// Map of the nodes of a network, with a value of each as a colour.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NodeMap {
    /// Value of each node; a node without one, such as a source, is drawn as a square.
    pub values: Vec<Option<f64>>,
    /// Columns and rows of the grid whose cells the nodes are, row by row, if they are.
    pub grid: Option<(u32, u32)>,
    /// Names of the nodes; none for a network of more than [`MAX_NODES`](Self::MAX_NODES).
    pub names: Vec<String>,
    /// Positions of the nodes, east and north, where they are known.
    pub positions: Vec<Option<(f64, f64)>>,
    /// Nodes to which each node sends, in ascending order; none for a network of more than
    /// [`MAX_EDGES`](Self::MAX_EDGES) edges.
    pub edges: Vec<Vec<u32>>,
}

impl NodeMap {
    /// Largest number of nodes that are drawn one by one; more are averaged over squares.
    pub const MAX_NODES: usize = 4_000;
    /// Largest number of edges that are drawn.
    pub const MAX_EDGES: usize = 8_000;
}

/// Lines over common axes. A plot without lines shows its caption alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// Lines, which have different colours.
    pub lines: Vec<Line>,
    /// Labels of the horizontal and the vertical axis, with units.
    pub labels: [String; 2],
    /// Sentences below the plot.
    pub caption: String,
}

impl Plot {
    /// Creates a plot.
    #[must_use]
    pub fn new(lines: Vec<Line>, labels: [&str; 2], caption: &str) -> Self {
        Self { lines, labels: labels.map(str::to_owned), caption: caption.to_owned() }
    }

    /// Creates a plot without lines, with the reason why there are none.
    #[must_use]
    pub fn empty(reason: &str) -> Self {
        Self::new(vec![], ["", ""], reason)
    }
}

/// Line of a plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Name in the legend.
    pub name: String,
    /// Points from left to right.
    pub points: Vec<Point>,
}

impl Line {
    /// Creates a line through points without intervals.
    #[must_use]
    pub fn new(name: String, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let points = points.into_iter().map(|(x, y)| Point { x, y, half_width: None }).collect();
        Self { name, points }
    }
}

/// Map of a network whose links have the colours of their loads.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LinkMap {
    /// Positions of the nodes, east and north, where they are known.
    pub positions: Vec<Option<(f64, f64)>>,
    /// Names of the nodes; none if there are too many nodes to draw them.
    pub names: Vec<String>,
    /// Pairs of nodes that a link joins in either direction.
    pub edges: Vec<[u32; 2]>,
    /// Loaded links, the most loaded last.
    pub loads: Vec<LinkLoad>,
    /// Sentences below the map.
    pub caption: String,
}

/// Load of a link.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkLoad {
    /// Nodes at which the link begins and ends.
    pub ends: [u32; 2],
    /// Share of its capacity that is used, from 0 to 1.
    pub share: f64,
    /// Text that a pointer on the link shows.
    pub title: String,
}
