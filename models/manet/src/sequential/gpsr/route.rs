//! Greedy perimeter stateless routing, over exact fractions of 128 bits.

use crate::network::Planar;
use crate::sequential::walk::Point;

/// State of a packet that routing reads and changes.
#[derive(Clone, Debug)]
pub(in crate::sequential) struct Header {
    pub goal: Point,
    /// Node that sent the packet to this one, and its position then.
    pub previous: Option<(u32, Point)>,
    pub perimeter: Option<Perimeter>,
    /// Number of failed transmissions of the packet by the node that has it.
    pub failures: u32,
}

/// State of a packet in perimeter mode.
#[derive(Clone, Debug)]
pub(in crate::sequential) struct Perimeter {
    /// Position where the mode began.
    entry: Point,
    /// Numerator and denominator of the place of the last face change on the line from there to the goal.
    face: (i128, i128),
    /// First edge on the current face.
    first: (u32, u32),
}

/// Decision about a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hop {
    To(u32),
    NoNeighbour,
    AroundTheFace,
}

fn minus(a: Point, b: Point) -> Point {
    (a.0 - b.0, a.1 - b.1)
}

fn square(a: Point) -> i128 {
    a.0 * a.0 + a.1 * a.1
}

fn det(a: Point, b: Point) -> i128 {
    a.0 * b.1 - a.1 * b.0
}

/// Angle from one direction counter-clockwise to another, more than 0 and at most a whole turn: the other direction in
/// a frame in which the first one is the axis.
#[derive(Clone, Copy)]
struct Angle {
    cosine: i128,
    sine: i128,
}

impl Angle {
    fn new(from: Point, to: Point) -> Self {
        Angle { cosine: from.0 * to.0 + from.1 * to.1, sine: det(from, to) }
    }

    /// Quarter of the turn, where the end of a quarter belongs to it.
    fn quarter(self) -> u32 {
        match (self.cosine.signum(), self.sine.signum()) {
            (0 | 1, 1) => 1,
            (-1, 1) | (-1, 0) => 2,
            (-1 | 0, -1) => 3,
            _ => 4,
        }
    }

    fn is_less(self, other: Angle) -> bool {
        match self.quarter().cmp(&other.quarter()) {
            std::cmp::Ordering::Equal => self.cosine * other.sine > self.sine * other.cosine,
            order => order.is_lt(),
        }
    }
}

/// Node that routes, with its neighbours.
pub(super) struct Router<'t> {
    pub node: u32,
    pub place: Point,
    pub neighbours: &'t [(u32, Point)],
    pub planar: Planar,
}

impl Router<'_> {
    /// Decides where a packet goes.
    pub(super) fn route(&self, header: &mut Header, destination: u32) -> Hop {
        if self.neighbours.iter().any(|(node, _)| *node == destination) {
            return Hop::To(destination);
        }
        let to_goal = |place: Point| square(minus(header.goal, place));
        if header.perimeter.as_ref().is_some_and(|perimeter| to_goal(self.place) < to_goal(perimeter.entry)) {
            header.perimeter = None;
        }
        if header.perimeter.is_some() {
            let before = header.previous.map(|sent| self.known(sent.0).unwrap_or(sent));
            let from = before.map_or(header.goal, |(_, place)| place);
            return self.along(header, before.map(|(node, _)| node), minus(from, self.place), false);
        }
        let nearest = self.neighbours.iter().min_by_key(|(node, place)| (to_goal(*place), *node));
        if let Some((node, _)) = nearest.filter(|(_, place)| to_goal(*place) < to_goal(self.place)) {
            return Hop::To(*node);
        }
        header.perimeter = Some(Perimeter { entry: self.place, face: (0, 1), first: (0, 0) });
        self.along(header, None, minus(header.goal, self.place), true)
    }

    /// Returns a neighbour with its position in the table.
    fn known(&self, node: u32) -> Option<(u32, Point)> {
        self.neighbours.iter().copied().find(|known| known.0 == node)
    }

    /// Returns the first planar edge counter-clockwise from a direction: from the edge to a node, if there is one,
    /// which comes after all others.
    fn turn(&self, (node, from): (Option<u32>, Point)) -> Option<(u32, Point)> {
        let from = if from == (0, 0) { (1, 0) } else { from };
        let planar = self.neighbours.iter().filter(|(_, place)| *place != self.place).filter(|edge| self.keeps(**edge));
        planar.copied().reduce(|best, edge| {
            let angle = |(_, place): (u32, Point)| Angle::new(from, minus(place, self.place));
            let is_first = angle(edge).is_less(angle(best));
            let is_level = !is_first && !angle(best).is_less(angle(edge));
            let rank = |edge: (u32, Point)| (Some(edge.0) == node, edge.0);
            if is_first || is_level && rank(edge) < rank(best) { edge } else { best }
        })
    }

    /// Returns `true` if the planar graph has the edge to a neighbour.
    fn keeps(&self, (node, place): (u32, Point)) -> bool {
        let length = square(minus(place, self.place));
        !self.neighbours.iter().any(|&(other, at)| {
            other != node
                && match self.planar {
                    // Twice the vector from the middle of the edge, against its length.
                    Planar::Gabriel => {
                        let twice = (2 * at.0 - place.0 - self.place.0, 2 * at.1 - place.1 - self.place.1);
                        at != place && at != self.place && square(twice) <= length
                    }
                    Planar::RelativeNeighbourhood => {
                        square(minus(at, place)).max(square(minus(at, self.place))) < length
                    }
                }
        })
    }

    /// Follows the face to the left of the line on which the packet came, and changes the face at crossings.
    fn along(&self, header: &mut Header, before: Option<u32>, from: Point, is_new: bool) -> Hop {
        let Some(perimeter) = &mut header.perimeter else { return Hop::NoNeighbour };
        let Some(mut edge) = self.turn((before, from)) else { return Hop::NoNeighbour };
        let mut is_new = is_new;
        let line = minus(header.goal, perimeter.entry);
        let is_left = |place: Point| det(line, minus(place, perimeter.entry)) >= 0;
        while is_left(edge.1) != is_left(self.place) {
            let along = minus(edge.1, self.place);
            let below = det(line, along);
            let above = det(minus(self.place, perimeter.entry), along) * below.signum();
            let below = below.abs();
            let (last, of) = perimeter.face;
            if above > below || above * of <= last * below {
                break;
            }
            perimeter.face = (above, below);
            is_new = true;
            match self.turn((Some(edge.0), along)) {
                Some(next) => edge = next,
                None => break,
            }
        }
        if is_new {
            perimeter.first = (self.node, edge.0);
        } else if perimeter.first == (self.node, edge.0) {
            return Hop::AroundTheFace;
        }
        Hop::To(edge.0)
    }
}

/// Follows a packet over a graph that does not change.
pub(in crate::sequential) fn path(
    places: &[crate::Position],
    neighbours: &[Vec<u32>],
    (from, to): (u32, u32),
    planar: Planar,
    most_hops: usize,
) -> Vec<u32> {
    let point = |node: u32| {
        let place = &places[node as usize];
        (i128::from(place.x), i128::from(place.y))
    };
    let mut header = Header { goal: point(to), previous: None, perimeter: None, failures: 0 };
    let mut visited = vec![from];
    let mut node = from;
    while node != to && visited.len() <= most_hops {
        let known: Vec<_> = neighbours[node as usize].iter().map(|&other| (other, point(other))).collect();
        let router = Router { node, place: point(node), neighbours: &known, planar };
        let Hop::To(next) = router.route(&mut header, to) else { break };
        header.previous = Some((node, point(node)));
        node = next;
        visited.push(node);
    }
    visited
}
