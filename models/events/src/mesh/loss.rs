//! How errors of bits become lost frames: union bounds over convolutional codes, as the paper's authors have them (MODELS section 4).

/// A rate at which frames are sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scheme {
    /// Mb/s.
    pub(super) megabits: u32,
    modulation: Modulation,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Modulation {
    Bpsk,
    Qpsk,
    Qam16,
}

/// The rates of a code of rate 1/2, whose bound is known with its correction.
pub(super) const SCHEMES: [Scheme; 3] = [
    Scheme { megabits: 6, modulation: Modulation::Bpsk },
    Scheme { megabits: 12, modulation: Modulation::Qpsk },
    Scheme { megabits: 24, modulation: Modulation::Qam16 },
];

/// Rates of other codes, for whose bounds no correction is known here.
pub(super) const UNCORRECTED: [u32; 5] = [9, 18, 36, 48, 54];

/// Paths of the code that diverge by 10, 12, ... 28 bits, weighted by their errors.
const WEIGHTS: [f64; 10] =
    [36.0, 211.0, 1_404.0, 11_633.0, 77_433.0, 502_690.0, 3_322_763.0, 21_292_910.0, 134_365_911.0, 843_425_871.0];

/// By what the bound is too great: bound and divisor. A parabola goes through each three that follow each other, from every other on.
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

/// Where the bound is past all divisors.
const MOST: f64 = 0.15;

impl Scheme {
    /// The error probability of a subcarrier by its ratio of signal to noise: that of a bit times the bits of a symbol, at most one half.
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

    /// Bits of a symbol of one subcarrier.
    fn bits(&self) -> f64 {
        match self.modulation {
            Modulation::Bpsk => 1.0,
            Modulation::Qpsk => 2.0,
            Modulation::Qam16 => 4.0,
        }
    }

    /// The probability that a frame of so many bits is lost, by the mean of its [symbol errors](Self::symbol_error).
    pub(super) fn frame_loss(&self, symbol_error: f64, bits: u32) -> f64 {
        let error = corrected(bound(symbol_error / self.bits()));
        -libm::expm1(f64::from(bits) * libm::log1p(-error))
    }
}

/// A ratio that is given in decibels.
pub(super) fn decibels(decibels: f64) -> f64 {
    libm::pow(10.0, decibels / 10.0)
}

/// The union bound of a bit's error after decoding.
fn bound(error: f64) -> f64 {
    // D^2, by whose powers the sum goes.
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
    arc.map_or(MOST, |arc| bound / parabola(arc, bound))
}

/// The parabola through three points.
fn parabola(points: &[(f64, f64)], x: f64) -> f64 {
    let term = |place: usize| {
        let (at, value) = points[place];
        let others = points.iter().enumerate().filter(|(other, _)| *other != place);
        others.fold(value, |product, (_, (other, _))| product * (x - other) / (at - other))
    };
    (0..points.len()).map(term).sum()
}
