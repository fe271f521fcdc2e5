//! Behaviour of fire in a cell: rates of spread, intensities and flames in every direction.

use super::crown::{self, CrownFire};
use super::layers::Site;
use super::weather::State;
use crate::rothermel::{Bed, FuelModel, METRES_PER_FOOT};

/// Feet a minute in a metre a second.
pub(super) const FEET_PER_MINUTE: f64 = 60.0 / METRES_PER_FOOT;

/// kW/m in a Btu/ft/s, with the international Btu of 1055.05585262 J.
const KILOWATTS_PER_METRE: f64 = 1.055_055_852_62 / METRES_PER_FOOT;

/// Greatest number of a fuel model.
const MOST_FUEL: u16 = 204;

/// Number of the fuel model whose rate gives that of an active crown fire (Rothermel 1991).
const CROWN_FUEL: u16 = 10;

/// Fuel beds of all models at the moistures of a state of the weather.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// By number of the fuel model.
    beds: Vec<Option<Blown>>,
    crown_bed: Option<Blown>,
    /// Wind at 20 ft, ft/min.
    wind: f64,
    /// Unit vector to which it blows, northward and eastward.
    toward: [f64; 2],
    foliar_moisture: f64,
}

/// A fuel bed, and the effect of the wind at one ratio of the wind at midflame height to that at 20 ft. For surface
/// fires this is the ratio without trees, which most cells have.
#[derive(Clone, Debug)]
struct Blown {
    bed: Bed,
    ratio: f64,
    wind_term: f64,
}

/// Fire in a cell under a state of the weather.
///
/// Rates of spread in all directions form an ellipse about the heading; crown fire speeds up all directions alike
/// (Finney 1998).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellFire {
    /// Rate of spread at the head, in m/min.
    pub rate: f64,
    /// Rate of spread of the surface fire at the head, in m/min.
    pub surface_rate: f64,
    /// Unit vector of the heading, northward and eastward; zero where all directions are alike.
    pub heading: [f64; 2],
    /// Eccentricity of the ellipse.
    pub eccentricity: f64,
    /// Byram's fireline intensity of the surface fire at the head, in kW/m.
    pub surface_intensity: f64,
    /// Fireline intensity at the head, crown fire included, in kW/m.
    pub intensity: f64,
    /// Kind of crown fire.
    pub crown: CrownFire,
}

/// Spread that sums of wind and slope give in a bed.
struct Head {
    /// Largest rate, ft/min.
    rate: f64,
    eccentricity: f64,
    heading: [f64; 2],
}

impl Conditions {
    /// Computes the beds of all fuel models.
    #[must_use]
    pub fn new(state: &State) -> Self {
        let [north, east] = state.wind;
        let wind = libm::hypot(north, east);
        let toward = if wind > 0.0 { [north / wind, east / wind] } else { [0.0, 0.0] };
        let wind = wind * FEET_PER_MINUTE;
        let blown = |number: u16, ratio: Option<f64>| {
            let model = FuelModel::by_number(number)?;
            let (bed, ratio) =
                (Bed::new(model, &state.moisture), ratio.unwrap_or_else(|| super::wind::factor(model, None)));
            Some(Blown { bed, ratio, wind_term: bed.wind_term(wind * ratio) })
        };
        Conditions {
            beds: (0..=MOST_FUEL).map(|number| blown(number, None)).collect(),
            crown_bed: blown(CROWN_FUEL, Some(crown::WIND_RATIO)),
            wind,
            toward,
            foliar_moisture: state.foliar_moisture,
        }
    }

    /// Returns the fire in a cell; `None` where nothing spreads.
    #[must_use]
    pub fn fire(&self, site: &Site) -> Option<CellFire> {
        let blown = self.beds.get(usize::from(site.fuel))?.as_ref()?;
        let (bed, head) = (&blown.bed, self.head(blown, site, site.wind_factor));
        if head.rate.is_nan() || head.rate <= 0.0 {
            return None;
        }
        let surface_rate = head.rate * METRES_PER_FOOT;
        let surface_intensity = bed.fireline_intensity(head.rate) * KILOWATTS_PER_METRE;
        let crown = site.stand.as_ref().map(|stand| {
            let active_rate = || {
                let rate = self.crown_bed.as_ref().map(|blown| self.head(blown, site, crown::WIND_RATIO).rate);
                crown::ACTIVE_RATIO * rate.unwrap_or(0.0) * METRES_PER_FOOT
            };
            crown::over(stand, self.foliar_moisture, surface_rate, surface_intensity, active_rate)
        });
        let (kind, speed_up, heat) =
            crown.map_or((CrownFire::None, 1.0, 0.0), |crown| (crown.kind, crown.speed_up, crown.heat));
        let rate = surface_rate * speed_up;
        Some(CellFire {
            rate,
            surface_rate,
            heading: head.heading,
            eccentricity: head.eccentricity,
            surface_intensity,
            intensity: surface_intensity * speed_up + heat * rate / 60.0,
            crown: kind,
        })
    }

    /// Adds the vectors of wind and slope, for a ratio of the wind at midflame height to that at 20 ft.
    fn head(&self, blown: &Blown, site: &Site, ratio: f64) -> Head {
        let (bed, wind) = (&blown.bed, self.wind * ratio);
        let wind_term = if ratio == blown.ratio { blown.wind_term } else { bed.wind_term(wind) };
        let slope_term = bed.slope_term(site.slope);
        let ([wind_north, wind_east], [up_north, up_east]) = (self.toward, site.uphill);
        let (north, east) = if slope_term == 0.0 {
            (wind_term * wind_north, wind_term * wind_east)
        } else {
            (wind_term * wind_north + slope_term * up_north, wind_term * wind_east + slope_term * up_east)
        };
        let term = if slope_term == 0.0 { wind_term } else { (north * north + east * east).sqrt() };
        let (rate, eccentricity) = bed.head(term, (slope_term == 0.0).then_some(wind));
        let heading = if term > 0.0 { [north / term, east / term] } else { [0.0, 0.0] };
        Head { rate, eccentricity, heading }
    }
}

impl CellFire {
    /// Returns the ratio of the rate of spread in a direction, a unit vector northward and eastward, to that at the
    /// head.
    #[must_use]
    pub fn share(&self, [north, east]: [f64; 2]) -> f64 {
        let [head_north, head_east] = self.heading;
        let cosine = head_north * north + head_east * east;
        (1.0 - self.eccentricity) / (1.0 - self.eccentricity * cosine)
    }

    /// Returns the flame length in metres of a fireline intensity in kW/m: by Byram for a surface fire, by Thomas
    /// (1963) for a crown fire.
    #[must_use]
    pub fn flame_length(&self, intensity: f64) -> f64 {
        if self.crown == CrownFire::None {
            0.45 * libm::pow(intensity / KILOWATTS_PER_METRE, 0.46) * METRES_PER_FOOT
        } else {
            0.0266 * libm::pow(intensity, 2.0 / 3.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::layers::Stand;
    use super::*;
    use crate::rothermel::{Moisture, Terrain};

    fn near(found: f64, expected: f64, relative: f64) {
        assert!((found - expected).abs() <= relative * expected.abs(), "{found} is not {expected}");
    }

    fn site(fuel: u16, slope: f64, uphill: [f64; 2], wind_factor: f64) -> Site {
        Site { fuel, slope, uphill, wind_factor, stand: None }
    }

    /// A west wind of 20 ft/min at midflame height up a northward slope, against the same by angles.
    #[test]
    fn vectors_and_angles_agree() {
        let moisture = Moisture([0.06, 0.07, 0.08, 0.5, 0.9]);
        for (fuel, wind, slope) in
            [(4, 400.0, 0.3), (102, 40.0, 0.8), (165, 900.0, 0.1), (8, 0.0, 0.5), (1, 440.0, 0.0)]
        {
            let state = State { wind: [0.0, wind / FEET_PER_MINUTE], moisture, foliar_moisture: 1.0 };
            let uphill = if slope > 0.0 { [1.0, 0.0] } else { [0.0, 0.0] };
            let fire = Conditions::new(&state).fire(&site(fuel, slope, uphill, 1.0)).unwrap();
            let bed = Bed::new(FuelModel::by_number(fuel).unwrap(), &moisture);
            let spread = bed.spread(&Terrain { wind, wind_direction: 90.0, slope });
            near(fire.rate, spread.rate * METRES_PER_FOOT, 1e-12);
            near(fire.surface_intensity, spread.fireline_intensity * 3.461_469, 1e-6);
            near(fire.flame_length(fire.intensity), spread.flame_length * METRES_PER_FOOT, 1e-12);
            let radians = f64::from(45 - 90).to_radians();
            let diagonal = [(45.0_f64).to_radians().cos(), (45.0_f64).to_radians().sin()];
            assert!(radians < 0.0);
            near(fire.rate * fire.share(diagonal), spread.rate_at(45.0 - spread.direction) * METRES_PER_FOOT, 1e-9);
        }
    }

    /// Fuel model 1 at 10 % moisture and a midflame wind of 440 ft/min gives the rates of the published `Fire.ma`
    /// (MODELS 1.2).
    #[test]
    fn the_published_fire_is_a_special_case() {
        let state =
            State { wind: [440.0 / FEET_PER_MINUTE, 0.0], moisture: Moisture::of(0.1, 1.0), foliar_moisture: 1.0 };
        let fire = Conditions::new(&state).fire(&site(1, 0.0, [0.0, 0.0], 1.0)).unwrap();
        let half = std::f64::consts::FRAC_1_SQRT_2;
        for (direction, rate) in [
            ([1.0, 0.0], 17.967_136),
            ([half, half], 5.106_976),
            ([0.0, -1.0], 1.872_060),
            ([-half, half], 1.146_091),
            ([-1.0, 0.0], 0.987_474),
        ] {
            near(fire.rate * fire.share(direction), rate, 1.1e-6);
        }
    }

    #[test]
    fn trees_above_a_hot_fire_burn() {
        let state = State { wind: [22.0, 0.0], moisture: Moisture::of(0.03, 0.8), foliar_moisture: 0.9 };
        let conditions = Conditions::new(&state);
        let stand = Stand { cover: 0.7, height: 18.0, base_height: 1.0, bulk_density: 0.3 };
        let model = FuelModel::by_number(165).unwrap();
        let open = site(165, 0.2, [1.0, 0.0], super::super::wind::factor(model, Some(&stand)));
        let surface = conditions.fire(&open).unwrap();
        let crown = conditions.fire(&Site { stand: Some(stand), ..open }).unwrap();
        assert_eq!((surface.crown, crown.crown), (CrownFire::None, CrownFire::Active));
        assert!(crown.rate > crown.surface_rate && crown.intensity > surface.intensity);
        near(crown.surface_rate, surface.rate, 0.0);
        // The active rate is 3.34 times that of fuel model 10 with four tenths of the wind, up the slope.
        let ten = Bed::new(FuelModel::by_number(10).unwrap(), &state.moisture);
        let active = ten.spread(&Terrain { wind: 22.0 * FEET_PER_MINUTE * 0.4, wind_direction: 0.0, slope: 0.2 });
        assert!(crown.rate <= 3.34 * active.rate * METRES_PER_FOOT * (1.0 + 1e-12));
        let damp = State { moisture: Moisture::of(0.6, 2.0), ..state };
        assert!(Conditions::new(&damp).fire(&open).is_none());
    }
}
