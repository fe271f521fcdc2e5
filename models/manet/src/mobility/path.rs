//! Paths of nodes: legs that are drawn one after the other.

use super::leg::Leg;
use super::{Mobility, gauss_markov, manhattan};
use crate::field::Field;
use crate::kernels::geometry::Position;
use rand_pcg::Pcg32;

/// Path of a node from the start on, without end.
#[derive(Clone, Debug, PartialEq)]
pub struct Path(Course);

#[derive(Clone, Debug, PartialEq)]
enum Course {
    GaussMarkov(gauss_markov::Course),
    Manhattan(manhattan::Course),
}

impl Path {
    /// Draws the position of a node at the start, unless it is `given`, and begins its path. Returns `None` for nodes
    /// that do not move along paths.
    pub(crate) fn begin(
        mobility: &Mobility,
        field: Field,
        given: Option<Position>,
        rng: Pcg32,
    ) -> Option<(Position, Path)> {
        match mobility {
            Mobility::GaussMarkov(motion) => {
                let course = gauss_markov::Course::begin(*motion, field, given, rng);
                Some((course.place(), Path(Course::GaussMarkov(course))))
            }
            Mobility::Manhattan(motion) => {
                let course = manhattan::Course::begin(*motion, field, given, rng);
                Some((course.place(), Path(Course::Manhattan(course))))
            }
            Mobility::Static | Mobility::Waypoints(_) | Mobility::Trace(_) => None,
        }
    }

    /// Draws the next leg. The first begins at time 0.
    pub fn next_leg(&mut self) -> Leg {
        match &mut self.0 {
            Course::GaussMarkov(course) => course.next_leg(),
            Course::Manhattan(course) => course.next_leg(),
        }
    }
}
