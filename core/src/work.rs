//! Work of a simulation, from which it is predicted whether a GPU is worth its start.

use std::fmt;

/// Unit of work of a model, with the speed of a host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorkUnit {
    name: &'static str,
    per_second: f64,
}

impl WorkUnit {
    /// Creates a unit. `name` is a plural; `per_second` is the number of units that one thread of a host carries out in
    /// a second, a low round figure of those measured.
    #[must_use]
    pub const fn new(name: &'static str, per_second: f64) -> Self {
        WorkUnit { name, per_second }
    }

    /// Returns the name of a unit, in the plural.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }
}

impl fmt::Display for WorkUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Time for which the kernels of a model compile at its first run, in seconds: torus 1.3, general queueing network 2.0,
/// mesh 2.7, ad hoc network 2.8 on CUDA, more with OpenCL.
const COMPILING: f64 = 2.0;

/// Threads of a host that a GPU replaces: 35 to 39 cores with ensembles of queueing networks.
const GPU_IN_THREADS: f64 = 35.0;

/// Part of the threads' logarithm that speeds up a host, so that 16 threads are 4.3 times as fast as two. Those of an
/// H200's host were 4.7 times as fast as two of another machine with a flood, 3.1 times with ad hoc networks, 3.5 with
/// queueing networks.
const SHARED: f64 = 0.7;

/// Work of a simulation, about, and the time that it takes on a host and on a GPU.
///
/// ```
/// use imminent_core::{Work, WorkUnit};
///
/// let steps = WorkUnit::new("steps of cells", 500e6);
/// let flood = Work::new(steps, 1e12).on_gpu(8.0).compiling(1.2);
/// assert_eq!(flood.seconds_of_host(1), 2000.0);
/// assert!(flood.seconds_of_host(16) > 2000.0 / 16.0);
/// assert_eq!((flood.seconds_of_gpu(), flood.seconds_of_compiling()), (8.0, 1.2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    unit: WorkUnit,
    amount: f64,
    gpu_s: f64,
    side_by_side_s: f64,
    compiling_s: f64,
}

impl Work {
    /// Creates work of `amount` units, an upper bound where the number is not known.
    #[must_use]
    pub const fn new(unit: WorkUnit, amount: f64) -> Self {
        let gpu_s = amount / (unit.per_second * GPU_IN_THREADS);
        Work { unit, amount, gpu_s, side_by_side_s: 0.0, compiling_s: COMPILING }
    }

    /// With the seconds that tables, simulation and results take on a GPU of a data centre once it is open. Without, it
    /// is as fast as 35 threads.
    #[must_use]
    pub const fn on_gpu(self, seconds: f64) -> Self {
        Work { gpu_s: seconds, ..self }
    }

    /// With seconds that a GPU takes beyond these and that simulations side by side share, for instance those of the
    /// launches of their steps.
    #[must_use]
    pub const fn in_steps(self, seconds: f64) -> Self {
        Work { side_by_side_s: seconds, ..self }
    }

    /// With the seconds for which the kernels compile at the first run on a GPU, 2 without.
    #[must_use]
    pub const fn compiling(self, seconds: f64) -> Self {
        Work { compiling_s: seconds, ..self }
    }

    /// Returns the work of so many runs side by side.
    #[must_use]
    pub const fn times(self, runs: f64) -> Self {
        Work { amount: self.amount * runs, gpu_s: self.gpu_s * runs, ..self }
    }

    /// Returns this work and another one, side by side. Work of another unit counts as the units that a host carries
    /// out in its time.
    #[must_use]
    pub const fn and(self, other: Work) -> Self {
        let compiling_s = self.compiling_s.max(other.compiling_s);
        let side_by_side_s = self.side_by_side_s.max(other.side_by_side_s);
        let amount = self.amount + other.amount * (self.unit.per_second / other.unit.per_second);
        Work { unit: self.unit, amount, gpu_s: self.gpu_s + other.gpu_s, side_by_side_s, compiling_s }
    }

    /// Returns this work, and then another one.
    #[must_use]
    pub const fn then(self, other: Work) -> Self {
        Work { side_by_side_s: self.side_by_side_s + other.side_by_side_s, ..self.and(other) }
    }

    /// Returns the unit.
    #[must_use]
    pub const fn unit(&self) -> WorkUnit {
        self.unit
    }

    /// Returns the number of units.
    #[must_use]
    pub const fn amount(&self) -> f64 {
        self.amount
    }

    /// Returns the time that a host takes with this number of threads, in seconds.
    #[must_use]
    pub fn seconds_of_host(&self, threads: usize) -> f64 {
        self.amount / self.unit.per_second / (threads.max(1) as f64).powf(SHARED)
    }

    /// Returns the time that a GPU takes once it is open and its kernels are compiled, in seconds.
    #[must_use]
    pub const fn seconds_of_gpu(&self) -> f64 {
        self.gpu_s + self.side_by_side_s
    }

    /// Returns the time for which kernels compile at the first run on a GPU, in seconds.
    #[must_use]
    pub const fn seconds_of_compiling(&self) -> f64 {
        self.compiling_s
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_side_by_side_share_their_steps_and_kernels() {
        let one = Work::new(WorkUnit::new("events", 1e6), 1e6).on_gpu(0.25).in_steps(0.5).compiling(1.0);
        let four = one.times(4.0);
        assert_eq!((four.amount(), four.seconds_of_gpu(), four.seconds_of_compiling()), (4e6, 1.5, 1.0));
        let longer = four.and(one.in_steps(2.0).compiling(3.0));
        assert_eq!((longer.amount(), longer.seconds_of_gpu(), longer.seconds_of_compiling()), (5e6, 3.25, 3.0));
        assert_eq!((longer.seconds_of_host(1), longer.unit()), (5.0, one.unit()));
        // One after the other they share the kernels alone.
        let two = one.then(one);
        assert_eq!((two.amount(), two.seconds_of_gpu(), two.seconds_of_compiling()), (2e6, 1.5, 1.0));
    }

    /// The order of two works of different units decides about the unit, and about no time.
    #[test]
    fn works_of_different_units_take_the_time_of_both() {
        let light = Work::new(WorkUnit::new("events", 1e6), 3e6).on_gpu(0.25);
        let heavy = Work::new(WorkUnit::new("searches", 100.0), 500.0).on_gpu(2.0);
        for (both, amount, unit) in [(light.and(heavy), 8e6, light.unit()), (heavy.then(light), 800.0, heavy.unit())] {
            assert_eq!((both.seconds_of_host(1), both.seconds_of_gpu()), (8.0, 2.25));
            assert_eq!((both.amount(), both.unit()), (amount, unit));
        }
    }
}
