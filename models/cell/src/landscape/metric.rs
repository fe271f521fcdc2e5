//! Time that fire takes across a cell along any segment.

use super::behaviour::CellFire;
use super::declination::Turn;

/// Milliseconds of a minute.
pub(super) const MINUTE: f64 = 60_000.0;

/// Fire of a cell as times along vectors of the grid.
///
/// The time along a vector `w` is `slowness sqrt(|w|^2 + (g w)^2) - pull w`, with `g` the gradient of the ground: the
/// length of `w` on the ground, divided by the rate of spread in that direction on the ellipse. Numbers and times have
/// single precision, since a fire reads many cells; times are within 10^-5 of those in double precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Metric {
    /// Milliseconds for the length of a cell's side where the heading has no effect; infinite where nothing spreads.
    slowness: f32,
    /// Milliseconds that the heading saves for each row and each column.
    pull: [f32; 2],
    /// Metres of height for each metre along rows and columns.
    gradient: [f32; 2],
}

impl Metric {
    /// A cell in which nothing spreads.
    pub(super) const NONE: Metric = Metric { slowness: f32::INFINITY, pull: [0.0; 2], gradient: [0.0; 2] };

    /// Converts the fire of a cell whose side has some metres.
    pub(super) fn new(fire: &CellFire, side: f64, turn: &Turn) -> Self {
        let slowness = side * MINUTE / (fire.rate * (1.0 - fire.eccentricity));
        // The largest time that a delay can have is less.
        if slowness.is_nan() || slowness > 1e30 {
            return Metric::NONE;
        }
        let ([up_north, up_east], [north, east]) = (fire.gradient, fire.heading);
        // Rise along the heading for a metre on the map, and the length of this metre on the ground.
        let rise = up_north * north + up_east * east;
        let scale = slowness * fire.eccentricity / (1.0 + rise * rise).sqrt();
        let of_grid = |vector: [f64; 2]| {
            let [north, east] = turn.back(vector);
            [-north as f32, east as f32]
        };
        let pull = of_grid([scale * (north + rise * up_north), scale * (east + rise * up_east)]);
        Metric { slowness: slowness as f32, pull, gradient: of_grid(fire.gradient) }
    }

    /// Returns the eccentricity of the ellipse that a fire makes on the map, in units of the ground's length along its
    /// heading, and a vector in the direction of this heading along rows and columns.
    pub(super) fn shape(&self) -> (f64, [f64; 2]) {
        let (pull, [down_rise, right_rise]) = (self.pull.map(f64::from), self.gradient.map(f64::from));
        let [down, right] = pull;
        let square = down * down + right * right;
        if square == 0.0 || !self.slowness.is_finite() {
            return (0.0, [0.0; 2]);
        }
        let rise = down_rise * down + right_rise * right;
        (square / (f64::from(self.slowness) * (square + rise * rise).sqrt()), pull)
    }

    /// Returns the milliseconds along a vector of rows and columns, of which the square of the length is given.
    #[inline]
    pub(super) fn time(&self, [down, right]: [f32; 2], square: f32) -> f32 {
        let ([down_rise, right_rise], [row_pull, column_pull]) = (self.gradient, self.pull);
        let (rise, saved) = (down_rise * down + right_rise * right, row_pull * down + column_pull * right);
        self.slowness * (square + rise * rise).sqrt() - saved
    }
}

#[cfg(test)]
mod tests {
    use super::super::behaviour::Conditions;
    use super::super::directions::Offset;
    use super::super::{Declination, Site, Weather};
    use super::*;
    use crate::rothermel::Moisture;

    /// Times are distances divided by the horizontal rates of the ellipse, on slopes and turned grids too.
    #[test]
    fn times_are_distances_by_rates() {
        let weather = |wind, from| Weather {
            hour: 0.0,
            wind,
            from,
            moisture: Moisture([0.03, 0.04, 0.05, 0.6, 0.9]),
            foliar_moisture: 1.0,
        };
        for (wind, from, slope, aspect, turned) in [
            (8.0, 200.0, 0.0, -1.0, 0.0),
            (3.0, 310.0, 0.7, 120.0, 0.0),
            (0.0, 0.0, 1.2, 15.0, 20.0),
            (12.0, 75.0, 0.3, 260.0, -135.0),
        ] {
            let site = Site::new(102, slope, aspect, None).unwrap();
            let fire = Conditions::new(&(&weather(wind, from)).into()).fire(&site).unwrap();
            let turn = Declination::of(turned).turn(0.5, 0.5);
            let metric = Metric::new(&fire, 15.0, &turn);
            for (row, column) in [(-1, 0), (3, 2), (-5, 9), (-1, -1), (7, -15)] {
                let square = (row * row + column * column) as f32;
                let found = f64::from(metric.time([row as f32, column as f32], square));
                let rate = fire.horizontal_rate(turn.of(Offset { row, column }.unit()));
                let expected = 15.0 * f64::from(row).hypot(f64::from(column)) / rate * 60_000.0;
                assert!((found / expected - 1.0).abs() < 1e-5, "{row},{column}: {found} {expected}");
            }
            let (eccentricity, _) = metric.shape();
            assert!((eccentricity - fire.eccentricity).abs() < if slope == 0.0 { 1e-6 } else { 0.1 });
        }
    }
}
