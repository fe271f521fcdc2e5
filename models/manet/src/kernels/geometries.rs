//! Plane geometry in whole millimetres.

/// Positions, directions and exact comparisons.
///
/// Coordinates lie in 0 to 2^30 mm, so products of two differences stay below 2^61. Results are exact.
#[imminent_core::kernels]
pub mod geometry {
    /// Position, in mm from the lower left corner of the field.
    #[derive(Default, Eq)]
    pub struct Position {
        /// East of the corner.
        pub x: i32,
        /// North of the corner.
        pub y: i32,
    }

    /// Difference of two positions, in mm.
    pub struct Direction {
        /// To the east.
        pub x: i64,
        /// To the north.
        pub y: i64,
    }

    /// Fraction from 0 to 1 of the way along a line.
    pub struct Fraction {
        /// Numerator.
        pub above: u64,
        /// Denominator, not 0.
        pub below: u64,
    }

    /// Crossing of an edge with a line.
    pub struct Crossing {
        /// `true` if they cross.
        pub exists: bool,
        /// Place of the crossing along the line.
        pub along: Fraction,
    }

    /// Returns the direction from one position to another.
    pub fn between(from: Position, to: Position) -> Direction {
        Direction { x: to.x as i64 - from.x as i64, y: to.y as i64 - from.y as i64 }
    }

    /// Returns the square of the distance of two positions, in mm^2.
    pub fn squared_distance(a: Position, b: Position) -> u64 {
        let d = between(a, b);
        (d.x * d.x + d.y * d.y) as u64
    }

    /// Returns the cross product: positive if `b` lies counter-clockwise of `a` by less than half a turn.
    pub fn cross(a: Direction, b: Direction) -> i64 {
        a.x * b.y - a.y * b.x
    }

    /// Returns the scalar product.
    pub fn dot(a: Direction, b: Direction) -> i64 {
        a.x * b.x + a.y * b.y
    }

    /// Returns `true` if `a > b`. The products have 128 bits.
    pub fn is_greater(a: Fraction, b: Fraction) -> bool {
        let left = mul_high(a.above, b.below);
        let right = mul_high(b.above, a.below);
        if left != right {
            return left > right;
        }
        a.above * b.below > b.above * a.below
    }

    /// Class of angles that comes after those of [`turn`].
    pub const AFTER_ALL: u32 = 4;

    /// Returns the class of the angle by which `of` lies counter-clockwise of `reference`: 0 below half a turn, 1 half
    /// a turn, 2 above it, 3 a whole turn, which is the same direction. Of two directions in one class the one comes
    /// first whose [cross product](cross) with the other is positive.
    pub fn turn(reference: Direction, of: Direction) -> u32 {
        let side = cross(reference, of);
        if side > 0 {
            0
        } else if side < 0 {
            2
        } else if dot(reference, of) < 0 {
            1
        } else {
            3
        }
    }

    /// Returns `true` if `at` lies in the disk whose diameter is the edge, or on its circle, and at neither end.
    pub fn is_in_disk(at: Position, from: Position, to: Position) -> bool {
        let a = between(at, from);
        let b = between(at, to);
        dot(a, b) <= 0 && squared_distance(at, from) > 0 && squared_distance(at, to) > 0
    }

    /// Returns `true` if `at` is nearer to both ends of the edge than they are to one another.
    pub fn is_in_lune(at: Position, from: Position, to: Position) -> bool {
        let length = squared_distance(from, to);
        squared_distance(at, from) < length && squared_distance(at, to) < length
    }

    /// Returns where an edge crosses the line from `entry` to `goal`, between these two. Positions on the line count as
    /// left of it, so of the edges that meet on the line those to its right cross it.
    pub fn crossing(from: Position, to: Position, entry: Position, goal: Position) -> Crossing {
        let line = between(entry, goal);
        let mut result = Crossing { exists: false, along: Fraction { above: 0, below: 1 } };
        let from_is_left = cross(line, between(entry, from)) >= 0;
        let to_is_left = cross(line, between(entry, to)) >= 0;
        if from_is_left != to_is_left {
            let edge = between(from, to);
            let mut above = cross(between(entry, from), edge);
            let mut below = cross(line, edge);
            if below < 0 {
                above = -above;
                below = -below;
            }
            if above >= 0 && above <= below {
                result = Crossing { exists: true, along: Fraction { above: above as u64, below: below as u64 } };
            }
        }
        result
    }
}
