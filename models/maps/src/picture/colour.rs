//! Colours and ramps of colours.

/// Red, green and blue of sRGB.
pub type Colour = [u8; 3];

/// Returns a colour between two: the first for a share of 0, the second for 1.
#[must_use]
pub fn mix(first: Colour, second: Colour, share: f64) -> Colour {
    let share = share.clamp(0.0, 1.0);
    let ([red, green, blue], [to_red, to_green, to_blue]) = (first, second);
    // No part is negative: cutting off the fraction after half a step rounds to the nearest.
    let part = |from: u8, to: u8| (f64::from(from) + (f64::from(to) - f64::from(from)) * share + 0.5) as u8;
    [part(red, to_red), part(green, to_green), part(blue, to_blue)]
}

/// Colours for values from the least to the greatest. All grow darker, so they can be read in grey too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ramp {
    /// From pale yellow by orange and red to dark violet: times of arrival.
    Heat,
    /// From pale to dark blue: depths of water.
    Water,
    /// From pale to dark red: probabilities.
    Chance,
}

impl Ramp {
    const fn colours(self) -> &'static [Colour] {
        match self {
            Ramp::Heat => &[
                [255, 243, 160],
                [254, 205, 92],
                [248, 148, 56],
                [224, 82, 48],
                [170, 36, 78],
                [106, 20, 104],
                [48, 14, 84],
            ],
            Ramp::Water => &[[196, 232, 244], [120, 190, 228], [56, 136, 204], [24, 84, 164], [12, 40, 104]],
            Ramp::Chance => &[[255, 236, 214], [253, 186, 132], [240, 112, 80], [196, 40, 56], [110, 6, 44]],
        }
    }

    /// Returns the colour of a share from 0 to 1 of the way from the least to the greatest value.
    #[must_use]
    pub fn colour(self, share: f64) -> Colour {
        let colours = self.colours();
        let position = share.clamp(0.0, 1.0) * (colours.len() - 1) as f64;
        let below = (position.floor() as usize).min(colours.len().saturating_sub(2));
        match colours.get(below..) {
            Some([first, second, ..]) => mix(*first, *second, position - below as f64),
            _ => [0, 0, 0],
        }
    }
}
