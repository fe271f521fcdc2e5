//! Wireless channel in integers, for handlers and groups.

/// Sum of sinusoids (Wang, Pätzold and Yao 2007), factored.
///
/// The gain of subcarrier `k` is `|sum over l, m of c_l W_lm exp(-j 2 pi phi_lm (f_c + k df))|^2`, where the *echo*
/// `W_lm = sum over n of exp j(2 pi f_n t - theta_lnm)` does not depend on the subcarrier, and the *path* behind it
/// does not depend on time. Frequencies `f_n` come in pairs of opposite sign, so an echo takes 20 *rays* and their
/// conjugates.
///
/// Angles are words: 2^32 is a turn. Fractional bits: rays 15, roots of unity 14, echoes 25 (11 when they are carried),
/// paths 19, a subcarrier's wave 25, gains 20. No sum of all waves overflows. Determinism class: exact.
#[imminent_core::kernels]
pub mod waves {
    /// Number of pairs of Doppler frequencies.
    pub const RAYS: usize = 20;
    /// Number of echoes: 4 taps of 20 delays each.
    pub const ECHOES: usize = 80;
    /// Largest number of subcarriers.
    pub const CARRIERS: usize = 48;
    /// Number of words for a link's phases. Each pair of frequencies has one word per echo with two indices of roots of
    /// unity; the lower half belongs to the positive frequency.
    pub const PHASES: usize = 1600;
    /// Number of roots of unity: as many as there are waves, from 0 to a whole turn.
    pub const WAVES: usize = 3200;
    /// Number of knots of the sine within a turn, including the one at its end.
    pub const SINES: usize = 1025;

    /// Start of the table of sines in the words of a point; the table of roots starts at 0.
    pub const FIRST_SINE: u32 = 3200;
    /// Start of the table of paths, with one entry per echo and subcarrier.
    pub const FIRST_PATH: u32 = 4225;
    /// Start of further tables.
    pub const FIRST_OTHER: u32 = 8065;

    /// Complex number in fixed point.
    pub struct Wave {
        /// Real part.
        pub re: i32,
        /// Imaginary part.
        pub im: i32,
    }

    /// Unpacks a complex number from the halves of a word.
    fn unpack(word: u32) -> Wave {
        Wave { re: ((word << 16) as i32) >> 16, im: (word as i32) >> 16 }
    }

    fn sine(tables: &Lanes<u32>, angle: u32) -> i32 {
        let knot = FIRST_SINE + (angle >> 22);
        let left = tables.get(knot) as i32;
        let right = tables.get(knot + 1) as i32;
        let along = i64::from(angle & 0x003f_ffff);
        let value = left + ((i64::from(right - left) * along) >> 22) as i32;
        (value + 0x4000) >> 15
    }

    /// Computes `exp j 2 pi f t`; the frequency is in units of 2^-64 turns per tick.
    pub fn ray(tables: &Lanes<u32>, frequency: u64, time: u64) -> Wave {
        let angle = ((frequency * time) >> 32) as u32;
        Wave { re: sine(tables, angle + 0x4000_0000), im: sine(tables, angle) }
    }

    /// Returns the contribution of a ray and its conjugate, each with its own phase, to an echo.
    pub fn both(tables: &Lanes<u32>, ray: Wave, phases: u32) -> Wave {
        let a = unpack(tables.get(phases & 0xffff));
        let b = unpack(tables.get(phases >> 16));
        Wave {
            re: (ray.re * (a.re + b.re) - ray.im * (a.im - b.im)) >> 4,
            im: (ray.re * (a.im + b.im) + ray.im * (a.re - b.re)) >> 4,
        }
    }

    /// Rounds an echo to the precision of carried echoes.
    pub fn heard(echo: Wave) -> Wave {
        Wave { re: (echo.re + 0x2000) >> 14, im: (echo.im + 0x2000) >> 14 }
    }

    /// Returns the contribution of an echo to a subcarrier.
    pub fn carried(tables: &Lanes<u32>, echo: Wave, number: u32, carrier: u32) -> Wave {
        let path = unpack(tables.get(FIRST_PATH + number * (CARRIERS as u32) + carrier));
        Wave { re: (echo.re * path.re - echo.im * path.im) >> 5, im: (echo.re * path.im + echo.im * path.re) >> 5 }
    }

    /// Returns the gain of a subcarrier from its wave.
    pub fn gain(wave: Wave) -> u32 {
        let re = i64::from(wave.re);
        let im = i64::from(wave.im);
        ((re * re + im * im) >> 30) as u32
    }

    /// Computes a carried echo, in a group whose lanes have set the rays, from a link's phases at word `first`.
    pub fn echo(tables: &Lanes<u32>, rays: &Lane<Wave>, phases: &Lanes<u32>, first: u32, number: u32) -> Wave {
        // All loads are issued together, so none waits for the result of another.
        let mut words = [0; RAYS];
        for place in 0..RAYS as u32 {
            words[place as usize] = phases.get(first + place * (ECHOES as u32) + number);
        }
        let mut echo = Wave { re: 0, im: 0 };
        for place in 0..RAYS as u32 {
            let part = both(tables, rays.get(place), words[place as usize]);
            echo.re += part.re;
            echo.im += part.im;
        }
        heard(echo)
    }

    /// Computes the gain of a subcarrier, in a group whose lanes have set the echoes.
    pub fn gain_over(tables: &Lanes<u32>, echoes: &Lane<Wave>, carrier: u32) -> u32 {
        let mut sum = Wave { re: 0, im: 0 };
        for number in 0..ECHOES as u32 {
            let part = carried(tables, echoes.get(number), number, carrier);
            sum.re += part.re;
            sum.im += part.im;
        }
        gain(sum)
    }

    /// Computes the gains of the first `carriers` subcarriers at a time, from a link's phases at word `first`.
    pub fn gains(
        tables: &Lanes<u32>,
        phases: &Lanes<u32>,
        first: u32,
        frequencies: &[u64; RAYS],
        time: u64,
        carriers: u32,
    ) -> [u32; CARRIERS] {
        let mut rays = [Wave { re: 0, im: 0 }; RAYS];
        for number in 0..RAYS as u32 {
            rays[number as usize] = ray(tables, frequencies[number as usize], time);
        }
        let mut sums = [Wave { re: 0, im: 0 }; CARRIERS];
        for number in 0..ECHOES as u32 {
            let mut echo = Wave { re: 0, im: 0 };
            for place in 0..RAYS as u32 {
                let part = both(tables, rays[place as usize], phases.get(first + place * (ECHOES as u32) + number));
                echo.re += part.re;
                echo.im += part.im;
            }
            echo = heard(echo);
            for carrier in 0..carriers {
                let part = carried(tables, echo, number, carrier);
                sums[carrier as usize].re += part.re;
                sums[carrier as usize].im += part.im;
            }
        }
        let mut gains = [0; CARRIERS];
        for carrier in 0..carriers {
            gains[carrier as usize] = gain(sums[carrier as usize]);
        }
        gains
    }
}
