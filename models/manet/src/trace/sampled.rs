//! Traces from positions at some times.

use super::Trace;
use super::assemble::{Draft, DraftMove, MAX_SPEED, Point, assemble};
use super::error::SampleError;
use crate::field::MAX_SIDE;

/// Length by which movements are taken for longer, in mm: a node may be 1 mm beside a position along both axes, and has
/// to be at the next one in time all the same, or it would lag more with each movement.
const SLACK: f64 = 2.0;

/// Longest time of a movement, in s.
const MAX_SECONDS: f64 = 1e9;

impl Trace {
    /// Creates a trace from the positions of all nodes at some times. From one time to the next a node moves in a
    /// straight line; after the last it stays.
    ///
    /// `times` ascend from 0, in s. `x` and `y` have a coordinate in m for each node at each time, time by time. Times
    /// are rounded to µs, and positions to mm; a node is at most 1 mm from a position at its time. If coordinates are
    /// negative, all positions are moved so that the least ones are 0.
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
        let place = |time: usize, node: usize| -> Result<Point, SampleError> {
            let at = time * nodes + node;
            Ok([millimetres('x', x[at], time, node)?, millimetres('y', y[at], time, node)?])
        };
        let mut drafts = (0..nodes)
            .map(|node| Ok(Draft { start: place(0, node)?, moves: vec![] }))
            .collect::<Result<Vec<_>, SampleError>>()?;
        for (node, draft) in drafts.iter_mut().enumerate() {
            let mut here = draft.start;
            for time in 1..times.len() {
                let target = place(time, node)?;
                if target != here {
                    let (departs, lasts) = (micros[time - 1], micros[time] - micros[time - 1]);
                    let [dx, dy] = [target[0] - here[0], target[1] - here[1]].map(|distance| distance as f64);
                    let (needed, most) = (speed(dx.hypot(dy), lasts), MAX_SPEED * 1e6);
                    if needed > most {
                        let (time, speed) = (times[time - 1], needed / 1e6);
                        return Err(SampleError::Speed { node, time, speed, most: MAX_SPEED });
                    }
                    let speed = speed(dx.hypot(dy) + SLACK, lasts).min(most) as u32;
                    draft.moves.push(DraftMove { time: departs, target, speed });
                }
                here = target;
            }
        }
        Ok(assemble(drafts)?)
    }
}

/// Returns the least speed of a node that moves some mm in some µs, in µm/s.
fn speed(length: f64, lasts: u64) -> f64 {
    (length * 1e9 / lasts as f64).ceil()
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
fn millimetres(axis: char, value: f64, time: usize, node: usize) -> Result<i64, SampleError> {
    let most = f64::from(MAX_SIDE) / 1e3;
    match (-most..=most).contains(&value) {
        true => Ok((value * 1e3).round() as i64),
        false => Err(SampleError::Coordinate { axis, time, node, value, most }),
    }
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
        ];
        insta::assert_snapshot!(texts.join("\n"));
    }
}
