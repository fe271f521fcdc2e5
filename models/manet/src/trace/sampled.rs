//! Traces from positions at some times.

use super::assemble::{MAX_SPEED, Point, assemble};
use super::error::SampleError;
use super::path::{MAX_METRES, MAX_SECONDS, TooFast, millimetres, path};
use super::{Stay, Trace};

impl Trace {
    /// Creates a trace from the positions of all nodes at some times. From one time to the next a node moves in a
    /// straight line; after the last it stays.
    ///
    /// `times` ascend from 0, in s. `x` and `y` have a coordinate in m for each node at each time, time by time. Times
    /// are rounded to µs, and positions to mm; a node is at most 1 mm from a position at its time. If coordinates are
    /// negative, all positions are moved so that the least ones are 0. A node is there from its first position until
    /// the time after its last one: before and after, both coordinates are NaN.
    ///
    /// ```
    /// use imminent_manet::trace::Trace;
    ///
    /// // Two nodes, of which the second stays.
    /// let trace = Trace::sampled(&[0.0, 10.0], &[0.0, 300.0, 30.0, 300.0], &[0.0, 0.0, 40.0, 0.0])?;
    /// // 5 m/s, and 2 mm in the ten seconds to be there in time, in µm/s.
    /// assert_eq!((trace.nodes(), trace.greatest_speed()), (2, 5_000_200));
    /// assert!(trace.tracks()[1].moves.is_empty());
    /// # Ok::<(), imminent_manet::trace::SampleError>(())
    /// ```
    ///
    /// # Errors
    /// The first value that no trace can have.
    pub fn sampled(times: &[f64], x: &[f64], y: &[f64]) -> Result<Self, SampleError> {
        let shape = SampleError::Shape { x: x.len(), y: y.len(), times: times.len() };
        if times.is_empty() || x.len() != y.len() || !x.len().is_multiple_of(times.len()) {
            return Err(shape);
        }
        let micros = micros(times)?;
        let nodes = x.len() / times.len();
        let place = |time: usize, node: usize| -> Result<(u64, Point), SampleError> {
            let at = time * nodes + node;
            Ok((micros[time], [coordinate('x', x[at], time, node)?, coordinate('y', y[at], time, node)?]))
        };
        let is_there = |time: usize, node: usize| !(x[time * nodes + node].is_nan() && y[time * nodes + node].is_nan());
        let draft = |node: usize| {
            let there: Vec<usize> = (0..times.len()).filter(|time| is_there(*time, node)).collect();
            let [Some(&first), Some(&last)] = [there.first(), there.last()] else {
                return Err(SampleError::Nowhere { node });
            };
            let stay = Stay { enter: micros[first], leave: micros.get(last + 1).copied().unwrap_or(u64::MAX) };
            let places = there.iter().map(|time| place(*time, node)).collect::<Result<Vec<_>, _>>()?;
            path(&places, stay).map_err(|TooFast { place, speed }| {
                let time = times[there[place]];
                SampleError::Speed { node, time, speed, most: MAX_SPEED }
            })
        };
        Ok(assemble((0..nodes).map(draft).collect::<Result<_, _>>()?)?)
    }
}

/// Returns times in µs.
fn micros(times: &[f64]) -> Result<Vec<u64>, SampleError> {
    let mut micros: Vec<u64> = Vec::with_capacity(times.len());
    for (place, &value) in times.iter().enumerate() {
        let rounded = (value * 1e6).round();
        let follows = micros.last().map_or(rounded == 0.0, |before| rounded > *before as f64);
        if !follows || value > MAX_SECONDS {
            return Err(SampleError::Time { place, value });
        }
        micros.push(rounded as u64);
    }
    Ok(micros)
}

/// Returns a coordinate in mm.
fn coordinate(axis: char, value: f64, time: usize, node: usize) -> Result<i64, SampleError> {
    millimetres(value).ok_or(SampleError::Coordinate { axis, time, node, value, most: MAX_METRES })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mobility, Network, Position, sequential};

    /// Waypoints that were sampled every second: the trace of the samples passes them.
    #[test]
    fn a_trace_of_samples_passes_all_of_them() {
        let network = Network { end: 60_000_000, ..Network::scenario(20) };
        let micros: Vec<u64> = (0..60).map(|second| second * 1_000_000).collect();
        let places = sequential::places(&network, 0, &micros).unwrap();
        let seconds: Vec<f64> = micros.iter().map(|time| *time as f64 / 1e6).collect();
        let of = |axis: fn(&Position) -> i32| -> Vec<f64> {
            (0..60).flat_map(|time| places.iter().map(move |of| f64::from(axis(&of[time])) / 1e3)).collect()
        };
        let trace = Trace::sampled(&seconds, &of(|place| place.x), &of(|place| place.y)).unwrap();
        let moved = Network { mobility: Mobility::Trace(trace), ..network };
        let again = sequential::places(&moved, 0, &micros).unwrap();
        for (before, after) in places.iter().flatten().zip(again.iter().flatten()) {
            assert!((before.x - after.x).abs() <= 1 && (before.y - after.y).abs() <= 1, "{before:?} {after:?}");
        }
    }

    #[test]
    fn negative_coordinates_move_all_positions() {
        let trace = Trace::sampled(&[0.0], &[-2.0, 1.0], &[3.0, 4.0]).unwrap();
        let starts: Vec<Position> = trace.tracks().iter().map(|track| track.start).collect();
        assert_eq!(starts, [Position { x: 0, y: 3_000 }, Position { x: 3_000, y: 4_000 }]);
    }

    #[test]
    fn nodes_without_positions_are_away() {
        let nan = f64::NAN;
        let (x, y) = ([0.0, nan, 5.0, 10.0, 7.0, nan, nan, 7.0, nan], [1.0, nan, 2.0, 1.0, 2.0, nan, nan, 2.0, nan]);
        let trace = Trace::sampled(&[0.0, 1.0, 3.0], &x, &y).unwrap();
        let stays: Vec<_> = trace.tracks().iter().map(|track| (track.stay.enter, track.stay.leave)).collect();
        assert_eq!(stays, [(0, 3_000_000), (1_000_000, u64::MAX), (0, 1_000_000)]);
        assert_eq!((trace.tracks()[0].moves.len(), trace.tracks()[1].moves.len()), (1, 0));
    }

    #[test]
    fn errors_name_the_value_and_the_remedy() {
        let text = |times: &[f64], x: &[f64]| Trace::sampled(times, x, &vec![0.0; x.len()]).unwrap_err().to_string();
        let texts = [
            text(&[], &[]),
            text(&[0.0, 1.0], &[0.0, 1.0, 2.0]),
            text(&[1.0], &[0.0]),
            text(&[0.0, 2.0, 1.0], &[0.0; 3]),
            text(&[0.0, f64::NAN], &[0.0; 2]),
            text(&[0.0, 1e-7], &[0.0; 2]),
            text(&[0.0, 1.0], &[0.0, 0.0, 0.0, f64::NAN]),
            text(&[0.0, 1.0], &[0.0, 2e6]),
            text(&[0.0, 1.0, 2.0], &[0.0, 0.0, 5_000.0]),
            text(&[0.0, 1e6], &[-1e6, 1e6]),
            Trace::sampled(&[0.0], &[0.0, f64::NAN], &[0.0, f64::NAN]).unwrap_err().to_string(),
        ];
        insta::assert_snapshot!(texts.join("\n"));
    }
}
