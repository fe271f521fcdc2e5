//! Pre-emption, simultaneous inputs, horizons, and the outputs that an observer is told.

use super::*;
use crate::space::Border;

/// Takes over the greatest neighbour after a delay for each position in the neighbourhood.
struct Spread(Vec<u32>);

impl LocalRule for Spread {
    type Value = i64;
    type Input = ();

    fn same(&self, a: i64, b: i64) -> bool {
        a == b
    }

    fn evaluate(&mut self, seen: &Seen<'_, i64, ()>) -> Result<Option<Next<i64>>, String> {
        let defined = |(at, value): (usize, &Option<i64>)| value.map(|value| (value, at));
        let greatest = seen.neighbours.iter().enumerate().filter_map(defined).max_by_key(|&(value, _)| value);
        let next = |(value, at): (i64, usize)| Some(Next { value, delay: *self.0.get(at)? });
        Ok(greatest.and_then(next))
    }
}

fn line(cells: u32) -> CellSpace {
    CellSpace::new(&[cells], Border::Open, &[vec![0], vec![-1], vec![1]]).unwrap()
}

#[test]
fn an_inertial_output_is_pre_empted_even_by_a_later_one() {
    // Cell 1 is to take over 1 from cell 0 at 10. At 5 cell 2 becomes 7, so cell 1 becomes 7 at 25, and never 1.
    struct Two;
    impl LocalRule for Two {
        type Value = i64;
        type Input = ();
        fn same(&self, a: i64, b: i64) -> bool {
            a == b
        }
        fn evaluate(&mut self, seen: &Seen<'_, i64, ()>) -> Result<Option<Next<i64>>, String> {
            let [own, left, right] = seen.neighbours else { return Err("three neighbours".into()) };
            Ok(match (seen.cell, own, left, right) {
                (2, Some(0), _, _) => Some(Next { value: 7, delay: 5 }),
                (1, Some(0), _, Some(7)) => Some(Next { value: 7, delay: 20 }),
                (1, Some(0), Some(1), _) => Some(Next { value: 1, delay: 10 }),
                _ => None,
            })
        }
    }
    let run = |delay| simulate(&line(3), delay, &mut Two, &[1, 0, 0], 100).unwrap();
    let inertial = run(Delay::Inertial);
    assert_eq!((inertial.values, inertial.times), (vec![1, 7, 7], vec![0, 25, 5]));
    assert_eq!((inertial.distinct_times, inertial.outputs), (2, 2));
    // A transport delay cancels nothing: 1 comes at 10, and 7 at 25 since it was evaluated at 5.
    let transport = run(Delay::Transport);
    assert_eq!((transport.values, transport.times), (vec![1, 7, 7], vec![0, 25, 5]));
    assert_eq!((transport.distinct_times, transport.outputs), (3, 3));
}

#[test]
fn simultaneous_inputs_are_evaluated_once() {
    struct Count(Vec<u32>);
    impl LocalRule for Count {
        type Value = i64;
        type Input = ();
        fn same(&self, a: i64, b: i64) -> bool {
            a == b
        }
        fn evaluate(&mut self, seen: &Seen<'_, i64, ()>) -> Result<Option<Next<i64>>, String> {
            if seen.cell == 1 {
                self.0.push(seen.time);
                return Ok(None);
            }
            Ok(Some(Next { value: 1, delay: 4 }))
        }
    }
    let mut rule = Count(Vec::new());
    let history = simulate(&line(3), Delay::Inertial, &mut rule, &[0, 0, 0], 100).unwrap();
    assert_eq!((rule.0, history.most_simultaneous), (vec![0, 4], 2));
    assert_eq!(history.early, [(4, 2)]);
}

#[test]
fn the_horizon_is_included() {
    let values = |horizon| {
        simulate(&line(4), Delay::Inertial, &mut Spread(vec![0, 10, 10]), &[5, 0, 0, 0], horizon).unwrap().values
    };
    assert_eq!(values(20), [5, 5, 5, 0]);
    assert_eq!(values(19), [5, 5, 0, 0]);
}

#[test]
fn a_model_that_stands_still_is_an_error() {
    struct Flip;
    impl LocalRule for Flip {
        type Value = bool;
        type Input = ();
        fn same(&self, a: bool, b: bool) -> bool {
            a == b
        }
        fn evaluate(&mut self, seen: &Seen<'_, bool, ()>) -> Result<Option<Next<bool>>, String> {
            Ok(seen.neighbours.first().copied().flatten().map(|own| Next { value: !own, delay: 0 }))
        }
    }
    let error = simulate(&line(1), Delay::Inertial, &mut Flip, &[false], 10).unwrap_err();
    assert!(error.to_string().contains("time stands still"), "{error}");
}

#[test]
fn inputs_come_once_and_outputs_are_told_in_their_order() {
    /// Takes over the input, or the greatest neighbour, after 10 ms.
    struct Fed(Vec<(u32, u32, f64)>);
    impl LocalRule for Fed {
        type Value = f64;
        type Input = f64;
        fn same(&self, a: f64, b: f64) -> bool {
            a.total_cmp(&b).is_eq()
        }
        fn evaluate(&mut self, seen: &Seen<'_, f64, f64>) -> Result<Option<Next<f64>>, String> {
            if let Some(input) = seen.input {
                self.0.push((seen.time, seen.cell, input.input + f64::from(input.sent)));
                return Ok(Some(Next { value: input.input + f64::from(input.sent), delay: 10 }));
            }
            Ok(None)
        }
    }
    let sources = [
        InputSource::once(2, 7, 5.0),
        InputSource { cell: 1, first: 0, period: 7, late: false, input: 1.0 },
        InputSource::once(2, 7, 6.0),
        InputSource::once(0, 7, 8.0),
        InputSource::once(0, 30, 9.0),
    ];
    let (mut rule, mut told) = (Fed(Vec::new()), Vec::new());
    let observe = &mut |output: Output<f64>| told.push((output.time, output.cell, output.value));
    let history = simulate_observed(&line(3), Delay::Transport, &mut rule, &[0.0; 3], &sources, 20, observe).unwrap();
    assert_eq!(rule.0, [(0, 1, 1.0), (7, 0, 8.0), (7, 1, 2.0), (7, 2, 5.0), (14, 1, 3.0)]);
    assert_eq!(told, [(10, 1, 1.0), (17, 0, 8.0), (17, 1, 2.0), (17, 2, 5.0)]);
    assert_eq!((history.distinct_times, history.outputs), (4, 4));
}
