//! Changes of windows.

/// Returns the losses per second if all losses of one round trip, in which a window of packets is sent, count once.
pub(super) fn once(losses: f64, window: f64, round_trip: f64) -> f64 {
    let lost = (losses * round_trip / window).min(1.0);
    -(window * (-lost).ln_1p()).exp_m1() / round_trip
}

/// Makes a fourth-order Runge-Kutta step.
pub(super) fn runge_kutta(value: f64, length: f64, slope: impl Fn(f64) -> f64) -> f64 {
    let first = slope(value);
    let second = slope(value + length / 2.0 * first);
    let third = slope(value + length / 2.0 * second);
    let fourth = slope(value + length * third);
    value + length / 6.0 * (first + 2.0 * second + 2.0 * third + fourth)
}
