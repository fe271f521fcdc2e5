//! The channel wave by wave in floating point, directly from its definition.

use std::f64::consts::PI;

const TAU: [f64; 4] = [0.0, 36e-9, 84e-9, 127e-9];
const DELTA: [f64; 5] = [0.0, 36e-9, 48e-9, 43e-9, 127e-9];
const ALPHA: f64 = 25e-9;

/// Computes the gains of subcarriers at a time in nanoseconds. `theta[l][n][m]` are indices of phases, of 3,200 from 0
/// to a whole turn; `n` counts from -19 to 20.
#[expect(clippy::needless_range_loop, reason = "indices are those of the formula")]
pub(super) fn gains(theta: &[Vec<Vec<u32>>], speed: f64, carrier: f64, time: u64, carriers: u32) -> Vec<f64> {
    let most = speed * carrier / 299_792_458.0;
    let b = 1.0 / (1.0 - (-127.0_f64 / 25.0).exp());
    let seconds = time as f64 * 1e-9;
    let gain = |k: u32| {
        let frequency = carrier + f64::from(k) * 312_500.0;
        let (mut re, mut im) = (0.0, 0.0);
        for l in 0..4 {
            let before = (-(TAU[l] - DELTA[l] / 2.0) / ALPHA).exp();
            let after = (-(TAU[l] + DELTA[l + 1] / 2.0) / ALPHA).exp();
            let c = (b * (before - after) / 800.0).sqrt();
            for n in 0..40 {
                let doppler = most * (PI / 40.0 * (n as f64 - 19.0 - 0.5)).sin();
                for m in 0..20 {
                    let phi = ALPHA * (1.0 / (before - (m + 1) as f64 / 20.0 * (before - after))).ln();
                    let phase = 2.0 * PI * f64::from(theta[l][n][m]) / 3199.0;
                    let angle = 2.0 * PI * (doppler * seconds) - 2.0 * PI * (phi * frequency) - phase;
                    re += c * angle.cos();
                    im += c * angle.sin();
                }
            }
        }
        re * re + im * im
    };
    (0..carriers).map(gain).collect()
}

/// Extracts the phases of a link from the words of one of its nodes.
pub(super) fn theta(words: impl Fn(u32) -> u32) -> Vec<Vec<Vec<u32>>> {
    let mut theta = vec![vec![vec![0; 20]; 40]; 4];
    for l in 0..4 {
        for m in 0..20 {
            for pair in 0..20 {
                let word = words(pair * 80 + l * 20 + m);
                // Frequencies 20 + pair and 19 - pair are opposite.
                theta[l as usize][(20 + pair) as usize][m as usize] = word & 0xffff;
                theta[l as usize][(19 - pair) as usize][m as usize] = word >> 16;
            }
        }
    }
    theta
}
