//! Potential behaviour: fire at the head in every cell, without an ignition.

use super::layers::Landscape;
use super::local::{LocalConditions, LocalState};
use super::weather::{self, Weather, WeatherError};
use crate::outcome::Digest;
use imminent_common::parallel;

/// Behaviour of a fire at its head in each cell under one state of the weather, row by row, as if fire burnt each cell
/// by itself.
///
/// Cells that do not burn have NaN and `crown` 0. Cells whose fuel is too moist for fire to spread have 0. The class is
/// exact: rates are computed in `f64` by functions of `libm`, on the host.
#[derive(Clone, Debug, PartialEq)]
pub struct Potential {
    /// Rate of spread along the ground, in m/min.
    pub rate: Vec<f32>,
    /// Horizontal rate of spread, as distances on the map have it, in m/min.
    pub horizontal_rate: Vec<f32>,
    /// Direction to which the head spreads on the map, in degrees from 0 to 360 clockwise from true north; NaN where
    /// fire spreads alike in all directions.
    pub direction: Vec<f32>,
    /// Fireline intensity (Byram), in kW/m, crown fire included.
    pub intensity: Vec<f32>,
    /// Flame length, in m.
    pub flame_length: Vec<f32>,
    /// Heat per unit area that the flaming front releases, in kJ/m2: intensity by rate of spread.
    pub heat_per_area: Vec<f32>,
    /// Wind at midflame height, in m/s.
    pub midflame_wind: Vec<f32>,
    /// Crown fire: 0 none, 1 passive, 2 active.
    pub crown: Vec<u8>,
}

/// Behaviour in a cell.
#[derive(Clone, Copy)]
struct At {
    rate: f32,
    horizontal_rate: f32,
    direction: f32,
    intensity: f32,
    flame_length: f32,
    heat_per_area: f32,
    midflame_wind: f32,
    crown: u8,
}

const NOTHING: At = At {
    rate: f32::NAN,
    horizontal_rate: f32::NAN,
    direction: f32::NAN,
    intensity: f32::NAN,
    flame_length: f32::NAN,
    heat_per_area: f32::NAN,
    midflame_wind: f32::NAN,
    crown: 0,
};

impl Potential {
    /// Computes the behaviour in all cells in the weather at an hour, which is interpolated between the hours given.
    ///
    /// # Errors
    /// [`WeatherError`].
    pub fn new(landscape: &Landscape, weather: &[Weather], hour: f64) -> Result<Self, WeatherError> {
        weather::check(weather)?;
        let state = LocalState::at(landscape, weather, hour).ok_or(WeatherError::Empty)?;
        let conditions = LocalConditions::new(landscape, &state);
        let cells = parallel::map(landscape.cells(), |cell| at(landscape, &conditions, cell).unwrap_or(NOTHING));
        Ok(Potential {
            rate: cells.iter().map(|at| at.rate).collect(),
            horizontal_rate: cells.iter().map(|at| at.horizontal_rate).collect(),
            direction: cells.iter().map(|at| at.direction).collect(),
            intensity: cells.iter().map(|at| at.intensity).collect(),
            flame_length: cells.iter().map(|at| at.flame_length).collect(),
            heat_per_area: cells.iter().map(|at| at.heat_per_area).collect(),
            midflame_wind: cells.iter().map(|at| at.midflame_wind).collect(),
            crown: cells.iter().map(|at| at.crown).collect(),
        })
    }

    /// Returns the names, units and values of all quantities that are reals. Names are those of files.
    #[must_use]
    pub fn quantities(&self) -> [(&'static str, &'static str, &[f32]); 7] {
        [
            ("spread_rate", "m/min", &self.rate),
            ("horizontal_rate", "m/min", &self.horizontal_rate),
            ("spread_direction", "degrees", &self.direction),
            ("intensity", "kW/m", &self.intensity),
            ("flame_length", "m", &self.flame_length),
            ("heat_per_area", "kJ/m2", &self.heat_per_area),
            ("midflame_wind", "m/s", &self.midflame_wind),
        ]
    }

    /// Returns the digest of the values of all cells.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let bits = |value: &f32| if value.is_nan() { u64::MAX } else { u64::from(value.to_bits()) };
        let reals = self.quantities().map(|(_, _, values)| values.iter().map(bits).collect());
        let parts: Vec<Vec<u64>> =
            reals.into_iter().chain([self.crown.iter().copied().map(u64::from).collect()]).collect();
        Digest::of(parts.iter().map(Vec::as_slice))
    }
}

fn at(landscape: &Landscape, conditions: &LocalConditions, cell: usize) -> Option<At> {
    let site = landscape.site(cell)?;
    let [north, east] = conditions.wind(landscape, cell);
    let midflame_wind = (libm::hypot(north, east) * site.wind_factor) as f32;
    let Some(fire) = conditions.fire(landscape, cell) else {
        let direction = f32::NAN;
        return Some(At {
            rate: 0.0,
            horizontal_rate: 0.0,
            direction,
            intensity: 0.0,
            flame_length: 0.0,
            heat_per_area: 0.0,
            midflame_wind,
            crown: 0,
        });
    };
    let [north, east] = fire.heading;
    let has_heading = north != 0.0 || east != 0.0;
    let degrees = libm::atan2(east, north).to_degrees();
    // A direction just below 0 would be rounded to 360.
    let direction = if degrees < 0.0 { (degrees + 360.0) as f32 % 360.0 } else { degrees as f32 };
    Some(At {
        rate: fire.rate as f32,
        horizontal_rate: fire.horizontal_rate(fire.heading) as f32,
        direction: if has_heading { direction } else { f32::NAN },
        intensity: fire.intensity as f32,
        flame_length: fire.flame_length(fire.intensity) as f32,
        heat_per_area: (60.0 * fire.intensity / fire.rate) as f32,
        midflame_wind,
        crown: fire.crown as u8,
    })
}

#[cfg(test)]
mod tests {
    use super::super::layers::{Canopy, Layers};
    use super::*;
    use crate::rothermel::Moisture;

    /// A row of cells with their fuel, slope and aspect.
    fn landscape(cells: &[(u16, f32, f32)], canopy: Option<Canopy>) -> Landscape {
        let layers = Layers {
            rows: 1,
            columns: cells.len() as u32,
            cell_size: 30.0,
            fuel: cells.iter().map(|cell| cell.0).collect(),
            slope: cells.iter().map(|cell| cell.1).collect(),
            aspect: cells.iter().map(|cell| cell.2).collect(),
            canopy,
        };
        Landscape::new(layers).unwrap()
    }

    fn weather(wind: f64, from: f64, moisture: [f64; 5]) -> [Weather; 1] {
        [Weather { hour: 0.0, wind, from, moisture: Moisture(moisture), foliar_moisture: 1.2 }]
    }

    fn near(found: f32, expected: f64, relative: f64) {
        assert!((f64::from(found) - expected).abs() <= relative * expected.abs(), "{found} is not {expected}");
    }

    /// Rates, intensities, flames and winds of pyretechnics 2026.10.20, heat as the intensity by the rate. Its foot of
    /// 1/3.281 m is 4.9e-5 off. Directions are sums of vectors by hand: the wind blows across the slopes.
    #[test]
    fn surface_fires_are_those_of_another_program() {
        for (cell, wind, from, [rate, intensity, flame, heat, midflame, direction]) in [
            ((1, 0.0, -1.0), 5.0, 240.0, [20.84282, 357.57228, 1.15796, 1029.339, 1.81052, 60.0]),
            ((4, 0.0, -1.0), 4.0, 270.0, [26.55753, 13317.37904, 6.11476, 30087.237, 2.18720, 90.0]),
            ((10, 0.0, -1.0), 8.0, 90.0, [4.29542, 1050.42827, 1.90097, 14672.761, 2.89683, 270.0]),
            ((102, 0.5, 200.0), 0.0, 0.0, [6.77173, 281.83631, 1.03787, 2497.174, 0.0, 20.0]),
            ((165, 0.4, 200.0), 6.0, 290.0, [3.14487, 1527.84683, 2.25852, 29149.295, 2.17263, 92.572]),
            ((8, 0.2, 200.0), 3.0, 110.0, [0.22376, 7.98281, 0.20144, 2140.501, 0.82569, 308.387]),
        ] {
            let moisture = [0.06, 0.07, 0.08, 0.25, 0.9];
            let found = Potential::new(&landscape(&[cell], None), &weather(wind, from, moisture), 7.0).unwrap();
            near(found.rate[0], rate, 2e-4);
            near(found.intensity[0], intensity, 2e-4);
            near(found.flame_length[0], flame, 2e-4);
            near(found.heat_per_area[0], heat, 2e-4);
            near(found.midflame_wind[0], midflame, 2e-4);
            near(found.direction[0], direction, 1e-5);
            near(found.horizontal_rate[0], rate / (1.0 + slope_along(cell, direction).powi(2)).sqrt(), 2e-4);
            assert_eq!(found.crown, [0]);
        }
    }

    /// Rise of the ground for a metre on the map in a direction.
    fn slope_along((_, slope, aspect): (u16, f32, f32), direction: f64) -> f64 {
        f64::from(slope) * (direction - f64::from(aspect) - 180.0).to_radians().cos()
    }

    /// Cells of FlamMap 6, from the test data of pyretechnics: one passive and one active crown fire.
    #[test]
    fn crown_fires_are_those_of_flam_map() {
        let of = |values: [f32; 2]| values.to_vec();
        let canopy = Canopy {
            cover: of([0.85, 0.85]),
            height: of([11.0, 19.0]),
            base_height: of([0.3, 0.6]),
            bulk_density: of([0.45, 0.3]),
        };
        let slope = |degrees: f64| degrees.to_radians().tan() as f32;
        let cells = [(185, slope(38.0), 205.0), (186, slope(47.0), 205.0)];
        let state = weather(0.0, 0.0, [0.06, 0.08, 0.10, 0.75, 0.60]);
        let found = Potential::new(&landscape(&cells, Some(canopy)), &state, 0.0).unwrap();
        assert_eq!(found.crown, [1, 2]);
        near(found.rate[0], 6.435_309, 2e-3);
        near(found.rate[1], 16.169_153, 2e-3);
        // Crown fuel adds 18,000 kJ/kg: at most 0.3 kg/m3 over 18.4 m.
        let surface = Potential::new(&landscape(&cells, None), &state, 0.0).unwrap();
        let crown = f64::from(found.heat_per_area[1] - surface.heat_per_area[1]);
        assert!(crown > 0.0 && crown <= 18_000.0 * 0.3 * 18.4, "{crown}");
        // Thomas (1963) for flames of crown fires.
        near(found.flame_length[1], 0.0266 * f64::from(found.intensity[1]).powf(2.0 / 3.0), 1e-6);
    }

    #[test]
    fn what_cannot_burn_has_no_data_and_what_is_too_moist_has_no_rate() {
        let ground = landscape(&[(98, 0.0, -1.0), (1, 0.0, -1.0), (4, 0.0, -1.0)], None);
        // Model 1 burns below 12 % of moisture, model 4 below 20 %.
        let found = Potential::new(&ground, &weather(0.0, 0.0, [0.15, 0.15, 0.15, 0.6, 0.9]), 0.0).unwrap();
        for (_, _, values) in found.quantities() {
            assert!(values[0].is_nan());
        }
        assert_eq!((found.rate[1], found.flame_length[1], found.heat_per_area[1]), (0.0, 0.0, 0.0));
        assert!(found.rate[2] > 0.0 && found.direction[2].is_nan(), "without wind and slope there is no direction");
        assert_ne!(found.digest(), Potential::new(&ground, &weather(1.0, 0.0, [0.15; 5]), 0.0).unwrap().digest());
    }

    /// A fuel with moistures of its own burns as under a weather with these, crown fire included.
    #[test]
    fn fuels_have_moistures_of_their_own() {
        let cells = [(165, 0.2, 205.0), (186, 1.0, 205.0)];
        let of = |value: f32| vec![value; 2];
        let canopy = Canopy { cover: of(0.85), height: of(19.0), base_height: of(0.6), bulk_density: of(0.3) };
        let ground = landscape(&cells, Some(canopy));
        let (damp, dry) = ([0.10, 0.11, 0.12, 0.9, 1.2], [0.03, 0.04, 0.05, 0.3, 0.6]);
        let under = |moisture| Potential::new(&ground, &weather(6.0, 270.0, moisture), 0.0).unwrap();
        let (all_damp, all_dry) = (under(damp), under(dry));
        let mixed = ground.clone().with_fuel_moistures([(186, Moisture(dry))].into()).unwrap();
        let mixed = Potential::new(&mixed, &weather(6.0, 270.0, damp), 0.0).unwrap();
        assert_eq!((mixed.rate[0], mixed.rate[1]), (all_damp.rate[0], all_dry.rate[1]));
        assert_eq!((mixed.intensity[0], mixed.intensity[1]), (all_damp.intensity[0], all_dry.intensity[1]));
        assert!(all_damp.rate[1] < all_dry.rate[1] && all_dry.crown[1] == 2, "{:?}", all_dry.crown);
        let error = ground.with_fuel_moistures([(1, Moisture([f64::NAN; 5]))].into()).unwrap_err();
        assert!(error.to_string().starts_with("fuel model 1 has a moisture of NaN"), "{error}");
    }

    #[test]
    fn weather_is_that_of_the_hour() {
        let ground = landscape(&[(1, 0.0, -1.0)], None);
        let [calm] = weather(2.0, 0.0, [0.06; 5]);
        let [storm] = weather(10.0, 0.0, [0.06; 5]);
        let both = [calm, Weather { hour: 4.0, ..storm }];
        let wind = |hour| Potential::new(&ground, &both, hour).unwrap().midflame_wind[0];
        near(wind(3.0), f64::from(wind(0.0)) * 4.0, 1e-6);
        assert_eq!(Potential::new(&ground, &[], 0.0), Err(WeatherError::Empty));
    }
}
