//! Parameters of the channel (MODELS: Wang, Pätzold and Yao 2007, with the numbers of the paper's authors), as integer
//! tables.

use super::fading::waves::{CARRIERS, ECHOES, FIRST_OTHER, RAYS, SINES, WAVES};
use std::f64::consts::{PI, TAU};

/// Number of taps.
const TAPS: usize = 4;
/// Number of delays per tap, and half the number of its Doppler frequencies.
const EACH: usize = 20;
/// Delays of the taps, in nanoseconds.
const DELAYS: [f64; TAPS] = [0.0, 36.0, 84.0, 127.0];
/// Gaps between the delays of successive taps, in nanoseconds.
const GAPS: [f64; TAPS] = [0.0, 36.0, 48.0, 43.0];
/// Decay constant of power over delay, in nanoseconds.
const DECAY: f64 = 25.0;
/// Spacing of subcarriers, in Hz.
const SPACING: f64 = 312_500.0;
/// Speed of light, in metres per second.
pub(super) const LIGHT: f64 = 299_792_458.0;

/// Tap: the amplitude of its waves, and their delays in nanoseconds.
struct Tap {
    amplitude: f64,
    delays: [f64; EACH],
}

fn taps() -> [Tap; TAPS] {
    let last = DELAYS[TAPS - 1];
    let scale = 1.0 / (1.0 - libm::exp(-last / DECAY));
    std::array::from_fn(|tap| {
        let half_gap_behind = GAPS.get(tap + 1).map_or(last, |gap| *gap) / 2.0;
        let from = libm::exp(-(DELAYS[tap] - GAPS[tap] / 2.0) / DECAY);
        let to = libm::exp(-(DELAYS[tap] + half_gap_behind) / DECAY);
        let share = |m: usize| (m + 1) as f64 / EACH as f64;
        Tap {
            amplitude: (scale * (from - to) / (2 * EACH * EACH) as f64).sqrt(),
            delays: std::array::from_fn(|m| -DECAY * libm::log(from - share(m) * (from - to))),
        }
    })
}

/// Packs a complex number into a word, with `bits` fractional bits.
fn pack(amplitude: f64, angle: f64, bits: i32) -> u32 {
    let scale = amplitude * 2_f64.powi(bits);
    let half = |value: f64| u32::from((value.round() as i16) as u16);
    half(scale * libm::cos(angle)) | (half(scale * libm::sin(angle)) << 16)
}

/// Computes the tables that [`gains`](super::fading::waves::gains) reads: roots of unity, sines, and paths at a carrier
/// frequency in Hz.
pub(super) fn tables(carrier: f64) -> Vec<u32> {
    let mut words = Vec::with_capacity(FIRST_OTHER as usize);
    words.extend((0..WAVES).map(|root| pack(1.0, -TAU * root as f64 / (WAVES - 1) as f64, 14)));
    let sine = |knot: usize| libm::sin(TAU * knot as f64 / (SINES - 1) as f64);
    words.extend((0..SINES).map(|knot| (sine(knot) * 2_f64.powi(30)).round() as i32 as u32));
    for Tap { amplitude, delays } in taps() {
        for delay in delays {
            // Whole turns are dropped before they cost precision.
            let turns = |number: usize| (delay * 1e-9 * (carrier + number as f64 * SPACING)).fract();
            words.extend((0..CARRIERS).map(|number| pack(amplitude, -TAU * turns(number), 19)));
        }
    }
    debug_assert_eq!(words.len(), WAVES + SINES + ECHOES * CARRIERS);
    words
}

/// Computes the Doppler frequencies of a speed in metres per second, in units of 2^-64 turns per nanosecond.
pub(super) fn frequencies(speed: f64, carrier: f64) -> [u64; RAYS] {
    let most = speed * carrier / LIGHT;
    let doppler = |n: usize| most * libm::sin(PI / (2 * EACH) as f64 * (n as f64 + 0.5));
    std::array::from_fn(|n| (doppler(n) * 1e-9 * 2_f64.powi(64)).round() as u64)
}
