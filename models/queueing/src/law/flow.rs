//! Distribution functions of laws of phases.

use super::phases::Phases;
use super::tail::Curve;

/// Number of doubled steps: times of up to 2^35 steps are told apart.
const DOUBLINGS: usize = 35;

/// Steps for one over the fastest rate. Shorter ones need fewer terms of the series, and more doublings.
const STEPS: f64 = 8.0;

/// Probability of more jumps in a step that is neglected: far below that of the shortest duration that is drawn.
const NEGLIGIBLE: f64 = 1e-25;

/// Probabilities of a chain's phases over time.
///
/// A step is an eighth of one over the fastest rate. A time is a whole number of steps and a rest. For the steps,
/// transition probabilities over 1, 2, 4, ... steps are squared beforehand; the rest is uniformized. The chain's end is
/// a state of its own, so that the probability to have ended is a sum of positive terms, too.
pub(super) struct Flow {
    /// Probabilities at time 0, by phase; that of the end is the last.
    start: Vec<f64>,
    exits: Vec<f64>,
    step: f64,
    /// Transition probabilities of the uniformized chain.
    jump: Matrix,
    /// Transition probabilities over `2^k` steps, by `k`.
    powers: Vec<Matrix>,
}

impl Flow {
    pub(super) fn new(phases: &Phases) -> Self {
        let fastest = phases.leaving().into_iter().fold(0.0, f64::max);
        let size = phases.exits.len() + 1;
        let mut jump = Matrix::zero(size);
        for (phase, (rates, exit)) in phases.rates.iter().zip(&phases.exits).enumerate() {
            let leaving: f64 = rates.iter().sum::<f64>() + exit;
            let row = jump.row_mut(phase);
            row.iter_mut().zip(rates.iter().chain([exit])).for_each(|(entry, rate)| *entry = rate / fastest);
            if let Some(stay) = row.get_mut(phase) {
                *stay = (fastest - leaving) / fastest;
            }
        }
        if let Some(end) = jump.row_mut(size - 1).last_mut() {
            *end = 1.0;
        }
        let mut one = Matrix::zero(size);
        for phase in 0..size {
            let mut start = vec![0.0; size];
            if let Some(entry) = start.get_mut(phase) {
                *entry = 1.0;
            }
            one.row_mut(phase).copy_from_slice(&jump.after(start, 1.0 / STEPS));
        }
        one.normalize();
        let powers = std::iter::successors(Some(one), |power| Some(power.squared())).take(DOUBLINGS).collect();
        let ended = (1.0 - phases.initial.iter().sum::<f64>()).max(0.0);
        let start = phases.initial.iter().copied().chain([ended]).collect();
        Self { start, exits: phases.exits.clone(), step: 1.0 / (STEPS * fastest), jump, powers }
    }

    /// Returns the distribution function and the density at `time`, which is not negative.
    pub(super) fn at(&self, time: f64) -> Curve {
        let steps = (time / self.step).min(2_f64.powi(DOUBLINGS as i32) - 1.0);
        let mut whole = steps as u64;
        let mut state = self.jump.after(self.start.clone(), (steps - whole as f64) / STEPS);
        for power in &self.powers {
            if whole & 1 == 1 {
                state = power.times(&state);
            }
            whole >>= 1;
        }
        let (phases, lower) = match state.split_last() {
            Some((lower, phases)) => (phases, *lower),
            None => (state.as_slice(), 1.0),
        };
        let density = phases.iter().zip(&self.exits).map(|(share, rate)| share * rate).sum();
        Curve { lower, upper: phases.iter().sum(), density }
    }
}

/// A square matrix of transition probabilities, row by row.
struct Matrix {
    size: usize,
    entries: Vec<f64>,
}

impl Matrix {
    fn zero(size: usize) -> Self {
        Self { size, entries: vec![0.0; size * size] }
    }

    fn rows(&self) -> std::slice::ChunksExact<'_, f64> {
        self.entries.chunks_exact(self.size)
    }

    fn row_mut(&mut self, row: usize) -> &mut [f64] {
        self.entries.get_mut(row * self.size..(row + 1) * self.size).unwrap_or(&mut [])
    }

    /// Returns the product of a row vector and the matrix.
    fn times(&self, vector: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; self.size];
        for (share, row) in vector.iter().zip(self.rows()) {
            if *share != 0.0 {
                product.iter_mut().zip(row).for_each(|(sum, entry)| *sum += share * entry);
            }
        }
        product
    }

    /// Returns the probabilities after a number of jumps that is random by Poisson's law of mean `mean`, at most 1.
    fn after(&self, start: Vec<f64>, mean: f64) -> Vec<f64> {
        let mut weight = (-mean).exp();
        let mut sum: Vec<f64> = start.iter().map(|share| share * weight).collect();
        let mut state = start;
        let mut jumps = 0.0;
        while weight > NEGLIGIBLE {
            jumps += 1.0;
            weight *= mean / jumps;
            state = self.times(&state);
            sum.iter_mut().zip(&state).for_each(|(sum, share)| *sum += share * weight);
        }
        sum
    }

    fn squared(&self) -> Self {
        let entries = self.rows().flat_map(|row| self.times(row)).collect();
        let mut square = Self { size: self.size, entries };
        square.normalize();
        square
    }

    /// Makes every row add up to one again, so that rounding errors do not double with every squaring.
    fn normalize(&mut self) {
        for row in self.entries.chunks_exact_mut(self.size) {
            let sum: f64 = row.iter().sum();
            row.iter_mut().for_each(|entry| *entry /= sum);
        }
    }
}
