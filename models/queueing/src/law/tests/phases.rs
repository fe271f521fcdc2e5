//! Laws of phases against matrix exponentials and closed formulas.

use super::*;

/// Returns the product of two square matrices.
fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let entry = |row: &[f64], column: usize| row.iter().zip(b).map(|(x, other)| x * other[column]).sum();
    a.iter().map(|row| (0..b.len()).map(|column| entry(row, column)).collect()).collect()
}

/// Returns the exponential of a matrix by Taylor's series and repeated squaring.
fn exponential(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let norm = matrix.iter().map(|row| row.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max);
    let halvings = (norm.log2().ceil() + 4.0).max(0.0) as i32;
    let scaled: Vec<Vec<f64>> =
        matrix.iter().map(|row| row.iter().map(|x| x / 2_f64.powi(halvings)).collect()).collect();
    let size = matrix.len();
    let mut sum: Vec<Vec<f64>> = (0..size).map(|i| (0..size).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    let mut term = sum.clone();
    for order in 1..20 {
        term = product(&term, &scaled);
        for (row, more) in sum.iter_mut().zip(&mut term) {
            for (x, y) in row.iter_mut().zip(more) {
                *y /= f64::from(order);
                *x += *y;
            }
        }
    }
    for _ in 0..halvings {
        sum = product(&sum, &sum);
    }
    sum
}

/// Returns the probability of more than `time`: the sum of the row vector `initial exp(time generator)`.
fn above(initial: &[f64], generator: &[Vec<f64>], time: f64) -> f64 {
    let scaled: Vec<Vec<f64>> = generator.iter().map(|row| row.iter().map(|rate| rate * time).collect()).collect();
    let power = exponential(&scaled);
    initial.iter().zip(&power).map(|(share, row)| share * row.iter().sum::<f64>()).sum()
}

proptest! {
    #[test]
    fn tails_are_those_of_the_matrix_exponential(law in any_phases(), part in 0.01..5.0_f64) {
        let Law::PhaseType { initial, generator } = &law else { unreachable!() };
        let time = part * law.mean();
        let (lower, upper) = law.distribution().tails(time);
        let expected = above(initial, generator, time);
        prop_assert!((upper - expected).abs() < 1e-9, "{law:?} at {time}: {upper} instead of {expected}");
        prop_assert!((lower + upper - 1.0).abs() < 1e-12);
    }
}

#[test]
fn two_phases_have_closed_forms() {
    let (a, b, onward) = (2.0_f64, 0.3_f64, 0.4);
    let hypo = Law::HypoExponential { means: vec![1.0 / a, 1.0 / b] };
    let coxian = Law::Coxian { means: vec![1.0 / a, 1.0 / b], onward: vec![onward] };
    for time in [1e-6_f64, 0.01, 0.5, 3.0, 20.0, 70.0] {
        let sum = (a * (-b * time).exp() - b * (-a * time).exp()) / (a - b);
        let upper = hypo.distribution().tails(time).1;
        assert!((upper / sum - 1.0).abs() < 1e-12, "{time}: {upper} instead of {sum}");
        let ends = (1.0 - onward) * (-a * time).exp() + onward * sum;
        let upper = coxian.distribution().tails(time).1;
        assert!((upper / ends - 1.0).abs() < 1e-12, "{time}: {upper} instead of {ends}");
    }
    // The lower tail of a sum of two is a b t^2 / 2 - ... near 0.
    let lower = hypo.cdf(1e-6);
    assert!((lower / (a * b * 1e-12 / 2.0) - 1.0).abs() < 1e-6, "{lower}");
    let mean = 1.0 / a + onward / b;
    assert!((coxian.mean() / mean - 1.0).abs() < 1e-14);
    let square = 2.0 / (a * a) + 2.0 * onward / (a * b) + 2.0 * onward / (b * b);
    assert!((coxian.squared_variation() / (square / (mean * mean) - 1.0) - 1.0).abs() < 1e-12);
}

#[test]
fn laws_of_phases_include_the_simpler_ones() {
    let chain = |means: Vec<f64>| Law::HypoExponential { means };
    let mixture = Law::PhaseType { initial: vec![0.3, 0.7], generator: vec![vec![-1.0, 0.0], vec![0.0, -0.05]] };
    let pairs = [
        (chain(vec![3.0]), Law::Erlang { stages: 1, mean: 3.0 }),
        (chain(vec![0.5; 12]), Law::Erlang { stages: 12, mean: 6.0 }),
        (mixture, Law::HyperExponential { branches: vec![(0.3, 1.0), (0.7, 20.0)] }),
    ];
    for (law, simple) in pairs {
        assert!((law.mean() / simple.mean() - 1.0).abs() < 1e-13, "{law:?}");
        assert!((law.squared_variation() / simple.squared_variation() - 1.0).abs() < 1e-12, "{law:?}");
        // Quantiles of both are solved to far below a tick.
        let (drawn, expected) = (law.sampler().unwrap(), simple.sampler().unwrap());
        for word in edge_words() {
            let (drawn, expected) = (drawn.draw(word) as f64, expected.draw(word) as f64);
            assert!((drawn - expected).abs() <= 1.0 + 1e-6 * expected, "{law:?}, word {word:#x}: {drawn}, {expected}");
        }
    }
}

#[test]
fn as_many_phases_as_allowed_keep_their_digits() {
    let (law, erlang) = (Law::HypoExponential { means: vec![0.25; 64] }, Law::Erlang { stages: 64, mean: 16.0 });
    assert!((law.squared_variation() * 64.0 - 1.0).abs() < 1e-12);
    let (law, erlang) = (law.distribution(), erlang.distribution());
    for time in [4.0, 5.0, 8.0, 16.0, 30.0, 34.0] {
        let ((lower, upper), (below, above)) = (law.tails(time), erlang.tails(time));
        assert!((lower / below - 1.0).abs() < 1e-9, "{time}: {lower} instead of {below}");
        assert!((upper / above - 1.0).abs() < 1e-9, "{time}: {upper} instead of {above}");
    }
}

#[test]
fn phases_far_apart_keep_their_digits() {
    // A phase of a millionth of the other, and a branch of a billionth of the shortest probability that is drawn.
    let law = Law::Coxian { means: vec![1e-6, 1.0], onward: vec![0.5] };
    let upper = law.distribution().tails(20.0).1;
    assert!((upper / (0.5 * (-20.0_f64 + 1e-6).exp()) - 1.0).abs() < 1e-7, "{upper}");
    assert!((law.mean() / (1e-6 + 0.5) - 1.0).abs() < 1e-13);
}
