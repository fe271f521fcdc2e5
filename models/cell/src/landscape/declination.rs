//! Angle between the north of a grid and true north.

/// Grid declination: degrees clockwise from true north to the north of the grid, at the corners of a landscape.
///
/// Between the corners it is interpolated. Map projections turn a grid by 15 degrees and more at the edges of a
/// continent, and by a few degrees over a large landscape.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Declination {
    /// At the north-western and north-eastern corners.
    pub north: [f64; 2],
    /// At the south-western and south-eastern corners.
    pub south: [f64; 2],
}

/// Turn of vectors from the north of a grid to true north.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    cosine: f64,
    sine: f64,
}

impl Declination {
    /// Makes a declination that is the same everywhere.
    #[must_use]
    pub const fn of(degrees: f64) -> Self {
        Declination { north: [degrees; 2], south: [degrees; 2] }
    }

    /// Returns the declination at a place, given by its shares of the way from the northern to the southern and from
    /// the western to the eastern edge.
    #[must_use]
    pub fn at(&self, down: f64, right: f64) -> f64 {
        let mix = |[from, to]: [f64; 2], share: f64| from + (to - from) * share;
        mix([mix(self.north, right), mix(self.south, right)], down)
    }

    /// Returns the turn at a place, given as for [`Declination::at`].
    pub(super) fn turn(&self, down: f64, right: f64) -> Turn {
        let radians = self.at(down, right).to_radians();
        Turn { cosine: libm::cos(radians), sine: libm::sin(radians) }
    }
}

impl Turn {
    /// Turns a vector, northward and eastward of the grid.
    pub(super) fn of(&self, [north, east]: [f64; 2]) -> [f64; 2] {
        [north * self.cosine - east * self.sine, north * self.sine + east * self.cosine]
    }

    /// Turns a vector, northward and eastward from true north, back to the grid.
    pub(super) fn back(&self, [north, east]: [f64; 2]) -> [f64; 2] {
        [north * self.cosine + east * self.sine, east * self.cosine - north * self.sine]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_turn_clockwise_by_the_declination() {
        let north = Declination::of(30.0).turn(0.3, 0.9).of([1.0, 0.0]);
        let half = 3.0_f64.sqrt() / 2.0;
        assert!((north[0] - half).abs() < 1e-12 && (north[1] - 0.5).abs() < 1e-12, "{north:?}");
        let back = Declination::of(30.0).turn(0.3, 0.9).back(north);
        assert!((back[0] - 1.0).abs() < 1e-12 && back[1].abs() < 1e-12, "{back:?}");
        assert_eq!(Declination::default().turn(0.5, 0.5).of([-0.6, 0.8]), [-0.6, 0.8]);
    }

    #[test]
    fn a_declination_is_interpolated_between_the_corners() {
        let found = Declination { north: [10.0, 12.0], south: [14.0, 18.0] };
        assert_eq!([found.at(0.0, 0.0), found.at(1.0, 1.0), found.at(0.5, 0.5)], [10.0, 18.0, 13.5]);
    }
}
