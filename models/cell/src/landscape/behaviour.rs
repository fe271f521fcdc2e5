//! Behaviour of fire in a cell: rates of spread, intensities and flames in every direction.

use super::crown::{self, CrownFire};
use super::layers::{Landscape, Site};
use super::weather::State;
use crate::rothermel::{Bed, FuelModels, LengthToWidth, MAX_FUEL, METRES_PER_FOOT, Moisture};

/// Feet a minute in a metre a second.
pub(super) const FEET_PER_MINUTE: f64 = 60.0 / METRES_PER_FOOT;

/// kW/m in a Btu/ft/s, with the international Btu of 1055.05585262 J.
const KILOWATTS_PER_METRE: f64 = 1.055_055_852_62 / METRES_PER_FOOT;

/// Number of the fuel model whose rate gives that of an active crown fire (Rothermel 1991).
const CROWN_FUEL: u16 = 10;

/// Fuel beds of all models at the moistures of a state of the weather.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// By number of the fuel model.
    fuels: Vec<Option<Fuel>>,
    wind: Wind,
    foliar_moisture: f64,
    length_to_width: LengthToWidth,
}

/// Wind at 20 ft above the vegetation.
#[derive(Clone, Copy, Debug)]
struct Wind {
    /// Speed in ft/min.
    speed: f64,
    /// Unit vector to which it blows, northward and eastward.
    toward: [f64; 2],
}

impl Wind {
    /// Makes a wind of its northward and eastward part, in m/s.
    fn of([north, east]: [f64; 2]) -> Self {
        let speed = libm::hypot(north, east);
        let toward = if speed > 0.0 { [north / speed, east / speed] } else { [0.0, 0.0] };
        Wind { speed: speed * FEET_PER_MINUTE, toward }
    }
}

/// A fuel bed, and the effect of the wind at one ratio of the wind at midflame height to that at 20 ft. For surface
/// fires this is the ratio without trees, which most cells have.
#[derive(Clone, Debug)]
struct Blown {
    bed: Bed,
    ratio: f64,
    wind_term: f64,
}

/// Beds of a fuel model: its own, and that of the model which stands for crown fire, both at its moisture.
#[derive(Clone, Debug)]
struct Fuel {
    bed: Blown,
    crown: Option<Blown>,
}

/// Fire in a cell under a state of the weather.
///
/// Rates of spread in all directions form an ellipse about the heading, which lies in the plane of the slope. Crown
/// fire speeds up all directions alike (Finney 1998). Directions are those of the map, northward and eastward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellFire {
    /// Rate of spread along the ground at the head, in m/min.
    pub rate: f64,
    /// Rate of spread of the surface fire along the ground at the head, in m/min.
    pub surface_rate: f64,
    /// Unit vector of the heading on the map; zero where all directions are alike.
    pub heading: [f64; 2],
    /// Gradient of the ground: metres of height for each metre on the map, northward and eastward.
    pub gradient: [f64; 2],
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
    /// Computes the beds of all published fuel models at the moistures of the weather; fires have fireLib's ratio of
    /// length to width.
    #[must_use]
    pub fn new(state: &State) -> Self {
        Self::shaped(state, &FuelModels::default(), LengthToWidth::FireLib, |_| None)
    }

    /// Computes the beds of the landscape's fuel models at the moistures of the weather, or those that it has for fuel
    /// models, and fires with its ratio of length to width.
    #[must_use]
    pub fn on(landscape: &Landscape, state: &State) -> Self {
        let own = |number| landscape.fuel_moisture(number);
        Self::shaped(state, landscape.fuel_models(), landscape.length_to_width(), own)
    }

    fn shaped(
        state: &State,
        fuels: &FuelModels,
        length_to_width: LengthToWidth,
        own: impl Fn(u16) -> Option<Moisture>,
    ) -> Self {
        let wind = Wind::of(state.wind);
        let blown = |number: u16, moisture: &Moisture, ratio: Option<f64>| {
            let model = fuels.get(number)?;
            let (bed, ratio) = (Bed::new(model, moisture), ratio.unwrap_or_else(|| super::wind::factor(model, None)));
            Some(Blown { bed, ratio, wind_term: bed.wind_term(wind.speed * ratio) })
        };
        let crown = |moisture: &Moisture| blown(CROWN_FUEL, moisture, Some(crown::WIND_RATIO));
        let of_weather = crown(&state.moisture);
        let fuel = |number: u16| {
            let own = own(number);
            let bed = blown(number, own.as_ref().unwrap_or(&state.moisture), None)?;
            Some(Fuel { bed, crown: own.as_ref().map_or_else(|| of_weather.clone(), crown) })
        };
        Conditions {
            fuels: (0..=MAX_FUEL).map(fuel).collect(),
            wind,
            foliar_moisture: state.foliar_moisture,
            length_to_width,
        }
    }

    /// Returns the fire in a cell; `None` where nothing spreads.
    #[must_use]
    pub fn fire(&self, site: &Site) -> Option<CellFire> {
        self.fire_by(site, &self.wind, true)
    }

    /// Returns the fire in a cell with a wind of its own, by its northward and eastward part in m/s; `None` where
    /// nothing spreads.
    pub(super) fn fire_in(&self, site: &Site, wind: [f64; 2]) -> Option<CellFire> {
        self.fire_by(site, &Wind::of(wind), false)
    }

    /// Returns the fire in a cell by a wind, which is that of the weather or one of the cell's own.
    fn fire_by(&self, site: &Site, wind: &Wind, is_of_weather: bool) -> Option<CellFire> {
        let fuel = self.fuels.get(usize::from(site.fuel))?.as_ref()?;
        let head = |blown, ratio| self.head(blown, site, (wind, ratio), is_of_weather);
        let (bed, head_of_bed) = (&fuel.bed.bed, head(&fuel.bed, site.wind_factor));
        let head_rate = head_of_bed.rate;
        if head_rate.is_nan() || head_rate <= 0.0 {
            return None;
        }
        let surface_rate = head_rate * METRES_PER_FOOT;
        let surface_intensity = bed.fireline_intensity(head_rate) * KILOWATTS_PER_METRE;
        let crown = site.stand.as_ref().map(|stand| {
            let active_rate = || {
                let rate = fuel.crown.as_ref().map(|blown| head(blown, crown::WIND_RATIO).rate);
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
            heading: head_of_bed.heading,
            gradient: site.uphill.map(|part| site.slope * part),
            eccentricity: head_of_bed.eccentricity,
            surface_intensity,
            intensity: surface_intensity * speed_up + heat * rate / 60.0,
            crown: kind,
        })
    }

    /// Adds the vectors of wind and slope, for a ratio of the wind at midflame height to that at 20 ft. The effect of
    /// the wind of the weather is known for one ratio.
    fn head(&self, blown: &Blown, site: &Site, (wind, ratio): (&Wind, f64), is_of_weather: bool) -> Head {
        let (bed, toward, wind) = (&blown.bed, wind.toward, wind.speed * ratio);
        let is_known = is_of_weather && ratio == blown.ratio;
        let wind_term = if is_known { blown.wind_term } else { bed.wind_term(wind) };
        let slope_term = bed.slope_term(site.slope);
        let ([wind_north, wind_east], [up_north, up_east]) = (toward, site.uphill);
        let (north, east) = if slope_term == 0.0 {
            (wind_term * wind_north, wind_term * wind_east)
        } else {
            (wind_term * wind_north + slope_term * up_north, wind_term * wind_east + slope_term * up_east)
        };
        let term = if slope_term == 0.0 { wind_term } else { (north * north + east * east).sqrt() };
        let (rate, eccentricity) = bed.head(term, (slope_term == 0.0).then_some(wind), self.length_to_width);
        let heading = if term > 0.0 { [north / term, east / term] } else { [0.0, 0.0] };
        Head { rate, eccentricity, heading }
    }
}

impl CellFire {
    /// Returns the ratio of the rate of spread along the ground in a direction, a unit vector of the map, to that at
    /// the head.
    #[must_use]
    pub fn share(&self, toward: [f64; 2]) -> f64 {
        let (head, way) = (dot(self.gradient, self.heading), dot(self.gradient, toward));
        // Angle in the plane of the slope between the two lines, which rise by `head` and `way` for a metre on the map.
        let cosine = (dot(self.heading, toward) + head * way) / (length(head) * length(way));
        (1.0 - self.eccentricity) / (1.0 - self.eccentricity * cosine)
    }

    /// Returns the horizontal rate of spread in a direction, a unit vector of the map, in m/min: that along the ground
    /// times the cosine of the slope in this direction.
    #[must_use]
    pub fn horizontal_rate(&self, toward: [f64; 2]) -> f64 {
        self.rate * self.share(toward) / length(dot(self.gradient, toward))
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

fn dot([north, east]: [f64; 2], [other_north, other_east]: [f64; 2]) -> f64 {
    north * other_north + east * other_east
}

/// Returns the length on the ground of a metre on the map along which the ground rises by `rise` metres.
fn length(rise: f64) -> f64 {
    (1.0 + rise * rise).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::stand::Stand;
    use super::*;
    use crate::rothermel::{FuelModel, Moisture, Terrain};

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
            let diagonal = [std::f64::consts::FRAC_1_SQRT_2; 2];
            // Angles are those of the plane of the slope, as if it were the map.
            let share = CellFire { gradient: [0.0; 2], ..fire }.share(diagonal);
            near(fire.rate * share, spread.rate_at(45.0 - spread.direction) * METRES_PER_FOOT, 1e-9);
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

    /// The live load of fuel models 4, 5, 7 and 10 is brush and small trees, that of model 2 is grass (Anderson 1982,
    /// INT-122): moistures of herbs, or of wood, mean nothing to the others.
    #[test]
    fn live_fuel_of_brush_and_timber_is_woody() {
        let rate = |fuel: u16, herb: f64, wood: f64| {
            let state =
                State { wind: [5.0, 0.0], moisture: Moisture([0.03, 0.04, 0.05, herb, wood]), foliar_moisture: 1.0 };
            let site = Site::new(fuel, 0.0, -1.0, None).unwrap();
            Conditions::new(&state).fire(&site).unwrap().rate
        };
        for fuel in [4, 5, 7, 10] {
            assert_eq!(rate(fuel, 0.3, 0.9), rate(fuel, 2.0, 0.9), "model {fuel}");
            assert!(rate(fuel, 0.3, 0.9) > rate(fuel, 0.3, 2.0), "model {fuel}");
        }
        assert_eq!(rate(2, 0.3, 0.9), rate(2, 0.3, 2.0));
        assert!(rate(2, 0.3, 0.9) > rate(2, 2.0, 0.9));
        // Brush with dry grass and moist leaves: 9.4396 m/min by a program of its own with the table of INT-122.
        near(rate(5, 0.3, 0.9), 9.4396, 5e-6);
    }

    /// Rates and horizontal rates (m/min) that FlamMap 6 wrote for cells of LANDFIRE's Vermont without wind, from the
    /// test data of pyretechnics. FlamMap rounds slopes to whole degrees.
    #[test]
    fn rates_are_those_of_flam_map() {
        let moisture = Moisture([0.06, 0.08, 0.10, 0.75, 0.60]);
        let conditions = Conditions::new(&State { wind: [0.0; 2], moisture, foliar_moisture: 1.2 });
        for (fuel, degrees, [cover, height, base, bulk], crown, rate, horizontal) in [
            (186, 12, [65, 190, 100, 1], CrownFire::None, 0.350_409, Some(0.342_752)),
            (143, 12, [75, 150, 5, 22], CrownFire::None, 0.227_369, Some(0.222_400)),
            (162, 19, [55, 150, 100, 1], CrownFire::None, 1.154_622, Some(1.091_717)),
            (161, 25, [75, 190, 100, 1], CrownFire::None, 0.554_011, Some(0.502_105)),
            (181, 12, [75, 190, 13, 22], CrownFire::None, 0.064_615, Some(0.063_203)),
            (185, 41, [75, 110, 3, 34], CrownFire::Passive, 2.035_556, Some(1.536_254)),
            // Near the least rate of an active fire, a passive one is sped up.
            (185, 38, [85, 110, 3, 45], CrownFire::Passive, 6.435_309, None),
            (185, 44, [85, 150, 4, 30], CrownFire::Passive, 9.389_318, None),
            (185, 46, [85, 150, 4, 30], CrownFire::Active, 11.968_616, None),
            (186, 47, [85, 190, 6, 30], CrownFire::Active, 16.169_153, None),
        ] {
            let [cover, height, base_height, bulk_density] =
                [(cover, 100.0), (height, 10.0), (base, 10.0), (bulk, 100.0)]
                    .map(|(value, unit)| f64::from(value) / unit);
            let stand = Stand { cover, height, base_height, bulk_density };
            let slope = f64::from(degrees).to_radians().tan();
            let fire = conditions.fire(&Site::new(fuel, slope as f32, 205.0, Some(stand)).unwrap()).unwrap();
            assert_eq!(fire.crown, crown, "fuel {fuel}, {degrees} degrees");
            near(fire.rate, rate, 2e-3);
            near(
                fire.horizontal_rate(fire.heading),
                horizontal.unwrap_or(fire.rate * f64::from(degrees).to_radians().cos()),
                2e-3,
            );
        }
    }

    /// Points of the ellipse in the plane of the slope, projected onto the map.
    #[test]
    fn the_ellipse_lies_in_the_plane_of_the_slope() {
        let moisture = Moisture([0.06, 0.07, 0.08, 0.5, 0.9]);
        for (slope, wind) in [(0.8, [0.0, 0.0]), (0.8, [0.0, 4.0]), (1.5, [-3.0, 2.0]), (0.3, [-8.0, 0.0])] {
            let uphill = [0.6, 0.8];
            let state = State { wind, moisture, foliar_moisture: 1.0 };
            let fire = Conditions::new(&state).fire(&site(102, slope, uphill, 0.4)).unwrap();
            let lift = |[north, east]: [f64; 2]| {
                let rise = slope * (uphill[0] * north + uphill[1] * east);
                let length = (north * north + east * east + rise * rise).sqrt();
                [north / length, east / length, rise / length]
            };
            let head = lift(fire.heading);
            // Across the heading in the plane: the product with its normal, (-dz/dn, -dz/de, 1).
            let normal = [-slope * uphill[0], -slope * uphill[1], 1.0];
            let side = [
                normal[1] * head[2] - normal[2] * head[1],
                normal[2] * head[0] - normal[0] * head[2],
                normal[0] * head[1] - normal[1] * head[0],
            ];
            let length = side.iter().map(|part| part * part).sum::<f64>().sqrt();
            for degrees in (0..360).step_by(15) {
                let (sine, cosine) = f64::from(degrees).to_radians().sin_cos();
                let rate = fire.rate * (1.0 - fire.eccentricity) / (1.0 - fire.eccentricity * cosine);
                let [north, east] = [0, 1].map(|axis| rate * (cosine * head[axis] + sine * side[axis] / length));
                let horizontal = north.hypot(east);
                near(fire.horizontal_rate([north / horizontal, east / horizontal]), horizontal, 1e-12);
            }
        }
        // Up a slope of 80 % without wind, 1 m along the ground is 1 / sqrt(1.64) m on the map: 16.83 for 21.56.
        let still = State { wind: [0.0; 2], moisture, foliar_moisture: 1.0 };
        let fire = Conditions::new(&still).fire(&site(102, 0.8, [1.0, 0.0], 1.0)).unwrap();
        near(fire.horizontal_rate([1.0, 0.0]) / fire.rate, 16.83 / 21.56, 1e-3);
        near(fire.horizontal_rate([1.0, 0.0]) / fire.rate, 1.0 / 1.64_f64.sqrt(), 1e-12);
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
