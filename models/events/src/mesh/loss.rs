//! Frame losses from bit errors: union bounds over convolutional codes, as published by the paper's authors (MODELS
//! section 4).

/// Transmission rate of frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scheme {
    /// Rate in Mb/s.
    pub(super) megabits: u32,
    modulation: Modulation,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Modulation {
    Bpsk,
    Qpsk,
    Qam16,
}

/// Rates with a code of rate 1/2, for which the correction of the bound is known.
pub(super) const SCHEMES: [Scheme; 3] = [
    Scheme { megabits: 6, modulation: Modulation::Bpsk },
    Scheme { megabits: 12, modulation: Modulation::Qpsk },
    Scheme { megabits: 24, modulation: Modulation::Qam16 },
];

/// Rates of other codes, for which the correction is not known here.
pub(super) const UNCORRECTED: [u32; 5] = [9, 18, 36, 48, 54];

/// Number of code paths that diverge by 10, 12, ... 28 bits, weighted by their errors.
const WEIGHTS: [f64; 10] =
    [36.0, 211.0, 1_404.0, 11_633.0, 77_433.0, 502_690.0, 3_322_763.0, 21_292_910.0, 134_365_911.0, 843_425_871.0];

/// Bounds, and the divisors that correct them. A parabola goes through every second triple of successive points.
const DIVISORS: [(f64, f64); 11] = [
    (1.524e-5, 0.94541),
    (6.26e-5, 0.99507),
    (4.903e-4, 1.3956),
    (1.985e-3, 1.9215),
    (1.898e-2, 3.2831),
    (9.604e-2, 7.3593),
    (0.5043, 15.291),
    (1.149, 31.4192),
    (2.585, 45.5667),
    (5.719, 60.4418),
    (12.4, 109.7345),
];

/// Bound beyond all divisors.
const MAX_BOUND: f64 = 0.15;

impl Scheme {
    /// Error probability of a subcarrier by its signal-to-noise ratio: that of a bit times the bits of a symbol, at
    /// most one half.
    pub(super) fn symbol_error(&self, ratio: f64) -> f64 {
        let erfc = libm::erfc;
        let error = match self.modulation {
            Modulation::Bpsk => 0.5 * erfc(ratio.sqrt()),
            Modulation::Qpsk => 0.5 * erfc((ratio * decibels(-3.0) * 0.5).sqrt()),
            Modulation::Qam16 => {
                let root = (0.1 * ratio * decibels(-6.0)).sqrt();
                0.375 * erfc(root) + 0.25 * erfc(3.0 * root)
            }
        };
        (self.bits() * error).min(0.5)
    }

    /// Bits per symbol of one subcarrier.
    fn bits(&self) -> f64 {
        match self.modulation {
            Modulation::Bpsk => 1.0,
            Modulation::Qpsk => 2.0,
            Modulation::Qam16 => 4.0,
        }
    }

    /// Loss probability of a frame of `bits` bits, by the mean of its [symbol errors](Self::symbol_error).
    pub(super) fn frame_loss(&self, symbol_error: f64, bits: u32) -> f64 {
        let error = corrected(bound(symbol_error / self.bits()));
        -libm::expm1(f64::from(bits) * libm::log1p(-error))
    }
}

/// Converts decibels to a ratio.
pub(super) fn decibels(decibels: f64) -> f64 {
    libm::pow(10.0, decibels / 10.0)
}

/// Union bound of a bit's error after decoding.
fn bound(error: f64) -> f64 {
    // The sum runs over powers of this D^2.
    let square = 4.0 * error * (1.0 - error);
    let mut power = square * square * square * square * square;
    let mut sum = 0.0;
    for weight in WEIGHTS {
        sum += weight * power;
        power *= square;
    }
    sum
}

fn corrected(bound: f64) -> f64 {
    if bound < DIVISORS[0].0 {
        return bound;
    }
    let arc = DIVISORS.windows(3).step_by(2).find(|arc| bound <= arc[2].0);
    arc.map_or(MAX_BOUND, |arc| bound / parabola(arc, bound))
}

/// Returns the value at `x` of the parabola through three points.
fn parabola(points: &[(f64, f64)], x: f64) -> f64 {
    let term = |place: usize| {
        let (at, value) = points[place];
        let others = points.iter().enumerate().filter(|(other, _)| *other != place);
        others.fold(value, |product, (_, (other, _))| product * (x - other) / (at - other))
    };
    (0..points.len()).map(term).sum()
}
