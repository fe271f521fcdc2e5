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
    /// Creates a point without an interval.
    #[must_use]
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y, half_width: None }
    }

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
    /// Lines.
    pub lines: Vec<Line>,
    /// `true` for logarithmic axes, from which values without a logarithm are left out.
    pub is_logarithmic: bool,
    /// Labels of the horizontal and the vertical axis, with units.
    pub labels: [String; 2],
    /// Sentences below the plot.
    pub caption: String,
}

impl Plot {
    /// Creates a plot.
    #[must_use]
    pub fn new(lines: Vec<Line>, labels: [&str; 2], caption: &str) -> Self {
        Self { lines, is_logarithmic: false, labels: labels.map(str::to_owned), caption: caption.to_owned() }
    }

    /// Creates a plot with logarithmic axes.
    #[must_use]
    pub fn logarithmic(lines: Vec<Line>, labels: [&str; 2], caption: &str) -> Self {
        Self { is_logarithmic: true, ..Self::new(lines, labels, caption) }
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
    /// Name in the legend; empty for a line that is not in it.
    pub name: String,
    /// Points from left to right.
    pub points: Vec<Point>,
    /// Number of the colour; by default the line's number in its plot.
    pub colour: Option<usize>,
    /// `true` for a dashed line.
    pub is_dashed: bool,
}

/// Half the width of a [mark](Line::mark) on a logarithmic axis, as a factor.
const HALF: f64 = 1.08;

impl Line {
    /// Number of colours.
    pub const COLOURS: usize = 6;

    /// Creates a solid line through points without intervals.
    #[must_use]
    pub fn new(name: String, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let points = points.into_iter().map(|(x, y)| Point::new(x, y)).collect();
        Self { name, points, colour: None, is_dashed: false }
    }

    /// Creates a dashed line, as for values that a publication prints.
    #[must_use]
    pub fn printed(name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { is_dashed: true, ..Self::new(name.to_owned(), points) }
    }

    /// Creates a dashed line from one end of a plot to the other.
    #[must_use]
    pub fn level(name: &str, [from, to]: [f64; 2], y: f64) -> Self {
        Self::printed(name, [(from, y), (to, y)])
    }

    /// Creates a short dashed line at one value of a plot with logarithmic axes.
    #[must_use]
    pub fn mark(name: &str, (x, y): (f64, f64)) -> Self {
        Self::level(name, [x / HALF, x * HALF], y)
    }

    /// Returns the line in a colour.
    #[must_use]
    pub fn coloured(self, colour: usize) -> Self {
        Self { colour: Some(colour), ..self }
    }

    /// Returns the least and greatest horizontal position of lines.
    #[must_use]
    pub fn ends(lines: &[Line]) -> [f64; 2] {
        let places = || lines.iter().flat_map(|line| &line.points).map(|point| point.x);
        [places().fold(f64::INFINITY, f64::min), places().fold(f64::NEG_INFINITY, f64::max)]
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
