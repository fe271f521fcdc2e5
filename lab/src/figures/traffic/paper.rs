//! Values that the paper on hybrid traffic states in its text. Its figures are not available, so there are no others.

use super::super::printed::{level, mark, through, unnamed};
use imminent_report::plot::Curve;

/// Returns the printed times of a simulated second by campuses, for logarithmic axes. They are those of 4 campuses
/// without packets and of 16 with 1 % packets, on a CPU alone. The paper's GPU keeps real time except in the second.
pub(super) fn seconds_by_campuses(ends: [f64; 2], colour: usize) -> [Curve; 3] {
    let name = "paper, CPU alone: 4 campuses, 0 %; 16 campuses, 1 %";
    [
        mark(name, (4.0, 1.3), colour),
        unnamed(mark(name, (16.0, 9.3), colour)),
        level("real time", ends, 1.0, colour + 1),
    ]
}

/// Returns the greatest printed speed-up, that of fluids alone.
pub(super) fn greatest_speed_up(ends: [f64; 2], colour: usize) -> Curve {
    level("paper, 16 campuses, 0 % packets", ends, 25.0, colour)
}

/// Returns the printed speed-up of packets alone.
pub(super) fn speed_up_of_packets(colour: usize) -> Curve {
    through("paper, packets alone", &[(96.0, 1.0), (100.0, 1.0)], colour)
}
