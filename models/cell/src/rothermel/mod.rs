//! Rate of spread of a surface fire by Rothermel's equations, as fireLib computes it.
//!
//! Units are those of the equations: feet, pounds, Btu, minutes. Moistures are fractions of dry weight.

mod fuel_model;
mod fuel_models;
mod fuels;
mod length_to_width;

pub use fuel_model::{CLASSES, FuelModel, FuelModelError, MAX_FUEL, UNBURNABLE};
pub use fuel_models::FuelModels;
pub use length_to_width::LengthToWidth;

use fuel_model::DENSITY;

/// Share of minerals in fuel.
const MINERALS: f64 = 0.0555;

/// Share of effective minerals, without silica.
const EFFECTIVE_MINERALS: f64 = 0.010;

/// Metres in a foot.
pub const METRES_PER_FOOT: f64 = 0.3048;

/// Herbs that cure become a sixth class.
const PARTICLES: usize = 6;

impl FuelModel {
    /// Looks a published fuel model up by its number: 1 to 13 of Anderson, 101 to 204 of Scott and Burgan.
    #[must_use]
    pub fn by_number(number: u16) -> Option<&'static FuelModel> {
        fuels::MODELS.iter().find(|model| model.number == number)
    }

    /// Returns all published fuel models that burn.
    #[must_use]
    pub const fn all() -> &'static [FuelModel] {
        &fuels::MODELS
    }
}

/// Moistures of the classes, fractions of dry weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moisture(pub [f64; CLASSES]);

impl Moisture {
    /// Makes moistures with one value for dead and one for live fuel.
    #[must_use]
    pub const fn of(dead: f64, live: f64) -> Self {
        Moisture([dead, dead, dead, live, live])
    }
}

/// Wind and slope at a place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Terrain {
    /// Wind at midflame height, ft/min.
    pub wind: f64,
    /// Direction to which the wind blows, in degrees clockwise from upslope.
    pub wind_direction: f64,
    /// Tangent of the slope.
    pub slope: f64,
}

/// A fuel model at a moisture: what does not depend on wind and slope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bed {
    /// Rate of spread without wind and slope, ft/min.
    pub still_rate: f64,
    /// Reaction intensity, Btu/ft2/min.
    pub intensity: f64,
    /// Residence time of flames, min (Anderson 1969).
    pub residence: f64,
    /// Factor of the wind term.
    wind_factor: f64,
    /// Exponent of the wind term.
    wind_exponent: f64,
    /// Factor of the slope term.
    slope_factor: f64,
}

/// Spread of a fire at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Largest rate of spread, ft/min.
    pub rate: f64,
    /// Direction of the largest rate, in degrees clockwise from upslope.
    pub direction: f64,
    /// Eccentricity of the ellipse that a fire makes.
    pub eccentricity: f64,
    /// Fireline intensity at the head, Btu/ft/s (Byram).
    pub fireline_intensity: f64,
    /// Flame length at the head, ft (Byram).
    pub flame_length: f64,
}

/// Returns the size class of a particle by its surface-to-volume ratio.
fn size_class(ratio: f64) -> usize {
    [1200.0, 192.0, 96.0, 48.0, 16.0].iter().position(|&least| ratio >= least).unwrap_or(5)
}

/// A particle of the fuel bed.
#[derive(Clone, Copy, Debug, Default)]
struct Particle {
    load: f64,
    ratio: f64,
    moisture: f64,
    /// 0 dead, 1 live.
    category: usize,
}

/// Particles of a fuel model: the classes, and cured herbs as dead fuel with the moisture of its finest class.
fn particles(fuel: &FuelModel, Moisture(moisture): &Moisture) -> [Particle; PARTICLES] {
    let mut particles = [Particle::default(); PARTICLES];
    for (class, particle) in particles.iter_mut().enumerate().take(CLASSES) {
        let (Some(&load), Some(&ratio), Some(&own)) =
            (fuel.loads.get(class), fuel.ratios.get(class), moisture.get(class))
        else {
            continue;
        };
        // Dead fuel has the moisture of its size, live fuel its own.
        let by_size = match size_class(ratio) {
            0 | 1 => moisture.first(),
            2 | 3 => moisture.get(1),
            _ => moisture.get(2),
        };
        let category = usize::from(class >= 3);
        let moisture = if category == 0 { by_size.copied().unwrap_or(own) } else { own };
        *particle = Particle { load, ratio, moisture, category };
    }
    let [dead, _, _, herb, _, cured] = &mut particles;
    if fuel.dynamic {
        let share = (1.333 - 1.11 * herb.moisture).clamp(0.0, 1.0);
        *cured = Particle { load: share * herb.load, ratio: herb.ratio, moisture: dead.moisture, category: 0 };
        herb.load -= cured.load;
    }
    particles
}

/// Returns the sum of `of` over the particles of a category.
fn sum(particles: &[Particle], category: usize, of: impl Fn(&Particle) -> f64) -> f64 {
    particles.iter().filter(|particle| particle.category == category && particle.load > 0.0).map(of).sum()
}

impl Bed {
    /// Computes the bed of a fuel model at a moisture. A bed without fuel spreads nothing.
    #[must_use]
    pub fn new(fuel: &FuelModel, moisture: &Moisture) -> Self {
        let particles = particles(fuel, moisture);
        let area = |particle: &Particle| particle.load * particle.ratio / DENSITY;
        let areas = [0, 1].map(|category| sum(&particles, category, area));
        let [dead_area, live_area] = areas;
        let load: f64 = particles.iter().map(|particle| particle.load).sum();
        if dead_area + live_area <= 0.0 || fuel.depth <= 0.0 {
            let nothing = Bed {
                still_rate: 0.0,
                intensity: 0.0,
                residence: 0.0,
                wind_factor: 0.0,
                wind_exponent: 1.0,
                slope_factor: 0.0,
            };
            return nothing;
        }
        let category_share = areas.map(|area| area / (dead_area + live_area));
        let share = |particle: &Particle| {
            areas.get(particle.category).map_or(0.0, |&all| if all > 0.0 { area(particle) / all } else { 0.0 })
        };
        // Share of the area of the particle's size class and category.
        let class_share = |particle: &Particle| {
            let class = size_class(particle.ratio);
            sum(
                &particles,
                particle.category,
                |other| if size_class(other.ratio) == class { share(other) } else { 0.0 },
            )
        };
        let net = [0, 1].map(|category| {
            sum(&particles, category, |particle| class_share(particle) * particle.load * (1.0 - MINERALS))
        });
        let ratios = [0, 1].map(|category| sum(&particles, category, |particle| share(particle) * particle.ratio));
        let ratio: f64 = category_share.iter().zip(ratios).map(|(share, ratio)| share * ratio).sum();
        let bulk_density = load / fuel.depth;
        let packing = bulk_density / DENSITY;
        let relative = packing / (3.348 * libm::pow(ratio, -0.8189));
        let exponent = 133.0 * libm::pow(ratio, -0.7913);
        let power = libm::pow(ratio, 1.5);
        let velocity =
            power / (495.0 + 0.0594 * power) * libm::pow(relative, exponent) * libm::exp(exponent * (1.0 - relative));
        let extinction = [fuel.extinction, live_extinction(fuel, &particles)];
        let damping = |category: usize| {
            let moisture = sum(&particles, category, |particle| share(particle) * particle.moisture);
            let x = extinction.get(category).map_or(1.0, |&extinction| moisture / extinction);
            if x >= 1.0 { 0.0 } else { 1.0 - 2.59 * x + 5.11 * x * x - 3.52 * x * x * x }
        };
        let mineral_damping = (0.174 * libm::pow(EFFECTIVE_MINERALS, -0.19)).min(1.0);
        let [dead_net, live_net] = net;
        let [dead_heat, live_heat] = fuel.heat;
        let live = live_net * damping(1) * (live_heat / dead_heat);
        let intensity = velocity * dead_heat * mineral_damping * (dead_net * damping(0) + live);
        let propagation = libm::exp((0.792 + 0.681 * ratio.sqrt()) * (packing + 0.1)) / (192.0 + 0.2595 * ratio);
        let heat_sink = |category: usize| {
            sum(&particles, category, |particle| {
                share(particle) * libm::exp(-138.0 / particle.ratio) * (250.0 + 1116.0 * particle.moisture)
            })
        };
        let [dead_share, live_share] = category_share;
        let sink = bulk_density * (dead_share * heat_sink(0) + live_share * heat_sink(1));
        let c = 7.47 * libm::exp(-0.133 * libm::pow(ratio, 0.55));
        let e = 0.715 * libm::exp(-3.59e-4 * ratio);
        Bed {
            still_rate: intensity * propagation / sink,
            intensity,
            residence: 384.0 / ratio,
            wind_factor: c * libm::pow(relative, -e),
            wind_exponent: 0.02526 * libm::pow(ratio, 0.54),
            slope_factor: 5.275 * libm::pow(packing, -0.3),
        }
    }

    /// Returns the term of a midflame wind, in ft/min: step 9 of the equations.
    pub(crate) fn wind_term(&self, wind: f64) -> f64 {
        if wind > 0.0 { self.wind_factor * libm::pow(wind, self.wind_exponent) } else { 0.0 }
    }

    /// Returns the term of a slope, given as its tangent.
    pub(crate) fn slope_term(&self, slope: f64) -> f64 {
        self.slope_factor * slope * slope
    }

    /// Returns the largest rate of spread (ft/min) and eccentricity of the ellipse for the sum of the terms. `wind` is
    /// the midflame wind in ft/min where there is no slope, else the wind that has the effect of both is computed.
    pub(crate) fn head(&self, term: f64, wind: Option<f64>, length_to_width: LengthToWidth) -> (f64, f64) {
        let effective = || {
            if term > 0.0 && self.wind_factor > 0.0 {
                libm::pow(term / self.wind_factor, 1.0 / self.wind_exponent)
            } else {
                0.0
            }
        };
        let mut wind = wind.unwrap_or_else(effective);
        let mut rate = self.still_rate * (1.0 + term);
        let most = 0.9 * self.intensity;
        if wind > most {
            wind = most;
            rate = self.still_rate * (1.0 + self.wind_term(wind));
        }
        let ratio = length_to_width.ratio(wind);
        (rate, (ratio * ratio - 1.0).max(0.0).sqrt() / ratio)
    }

    /// Returns Byram's fireline intensity of a rate of spread in ft/min, in Btu/ft/s.
    pub(crate) fn fireline_intensity(&self, rate: f64) -> f64 {
        self.intensity * rate * self.residence / 60.0
    }

    /// Computes the spread with a wind and a slope. Wind above nine tenths of the reaction intensity counts as that
    /// much.
    #[must_use]
    pub fn spread(&self, terrain: &Terrain) -> Spread {
        let (wind_term, slope_term) = (self.wind_term(terrain.wind), self.slope_term(terrain.slope));
        let radians = terrain.wind_direction.to_radians();
        // Vectors of the two terms: upslope, and clockwise from it.
        let (up, side) = (slope_term + wind_term * libm::cos(radians), wind_term * libm::sin(radians));
        let term = libm::hypot(up, side);
        let direction = if term > 0.0 { libm::atan2(side, up).to_degrees().rem_euclid(360.0) } else { 0.0 };
        let (rate, eccentricity) =
            self.head(term, (slope_term == 0.0).then_some(terrain.wind.max(0.0)), LengthToWidth::FireLib);
        let fireline_intensity = self.fireline_intensity(rate);
        let flame_length = 0.45 * libm::pow(fireline_intensity, 0.46);
        Spread { rate, direction, eccentricity, fireline_intensity, flame_length }
    }
}

impl Spread {
    /// Returns the rate of spread at an angle from the direction of the largest rate, in degrees; ft/min.
    #[must_use]
    pub fn rate_at(&self, degrees: f64) -> f64 {
        self.rate * (1.0 - self.eccentricity) / (1.0 - self.eccentricity * libm::cos(degrees.to_radians()))
    }
}

/// Returns the moisture of extinction of live fuel.
fn live_extinction(fuel: &FuelModel, particles: &[Particle]) -> f64 {
    let fine = |particle: &Particle| particle.load * libm::exp(-138.0 / particle.ratio);
    let dead = sum(particles, 0, fine);
    let live = sum(particles, 1, |particle| particle.load * libm::exp(-500.0 / particle.ratio));
    if live <= 0.0 || dead <= 0.0 {
        return fuel.extinction;
    }
    let moisture = sum(particles, 0, |particle| fine(particle) * particle.moisture) / dead;
    let extinction = 2.9 * (dead / live) * (1.0 - moisture / fuel.extinction) - 0.226;
    extinction.max(fuel.extinction)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(number: u16, moisture: &Moisture, wind: f64) -> (f64, Spread) {
        let bed = Bed::new(FuelModel::by_number(number).unwrap(), moisture);
        (bed.still_rate, bed.spread(&Terrain { wind, ..Terrain::default() }))
    }

    fn near(found: f64, expected: f64, relative: f64) {
        assert!((found - expected).abs() <= relative * expected.abs(), "{found} is not {expected}");
    }

    /// Digits to which the check column of the specification is given.
    #[test]
    fn the_thirteen_models_have_the_rates_of_the_specification() {
        let rates = [
            (3.9770, 89.190),
            (2.2827, 35.753),
            (4.2977, 112.323),
            (4.2874, 78.546),
            (0.7385, 15.938),
            (1.6604, 32.513),
            (1.3434, 28.535),
            (0.2253, 1.9267),
            (0.7981, 8.3473),
            (0.8043, 8.6499),
            (0.5657, 6.1357),
            (1.3527, 13.128),
            (1.7852, 15.565),
        ];
        for (number, (still, rate)) in (1..).zip(rates) {
            let (found, spread) = spread(number, &Moisture::of(0.08, 1.0), 440.0);
            assert!((found - still).abs() <= 0.5e-4 + 1e-9, "model {number}: {found} {still}");
            let digits = if rate < 10.0 { 0.5e-4 } else { 0.5e-3 };
            assert!((spread.rate - rate).abs() <= digits + 1e-9, "model {number}: {} {rate}", spread.rate);
        }
    }

    #[test]
    fn fire_lib_s_own_figures_come_out() {
        let (still, slow) = spread(1, &Moisture::of(0.05, 1.0), 1.0);
        near(still, 4.868897, 1e-6);
        near(slow.rate, 4.869246, 1e-6);
        near(slow.rate_at(45.0), 4.755947, 1e-6);
        let (still, fast) = spread(1, &Moisture::of(0.10, 1.0), 440.0);
        near(still, 2.628485, 1e-6);
        near(fast.rate, 58.947297, 1e-6);
        near(fast.eccentricity, 0.895806, 1e-6);
    }

    /// The fire's constants are Rothermel's rates for fuel model 1.
    #[test]
    fn the_fire_s_directions_are_these_rates() {
        let (_, spread) = spread(1, &Moisture::of(0.10, 1.0), 440.0);
        for (direction, degrees) in
            crate::fire::DIRECTIONS.iter().zip([0.0, 45.0, 45.0, 90.0, 90.0, 135.0, 135.0, 180.0])
        {
            near(spread.rate_at(degrees) * METRES_PER_FOOT, direction.rate, 1.1e-6);
        }
    }

    #[test]
    fn herbs_cure_between_thirty_and_a_hundred_and_twenty_percent() {
        let grass = FuelModel::by_number(102).unwrap();
        let with = |herb: f64| particles(grass, &Moisture([0.06, 0.07, 0.08, herb, 0.9]));
        let [.., herb, _, cured] = with(0.3);
        assert!(herb.load.abs() < 1e-9 && (cured.load - 0.0459).abs() < 1e-9);
        assert_eq!((cured.moisture, cured.ratio), (0.06, 1800.0));
        let [.., herb, _, cured] = with(1.21);
        assert_eq!((herb.load, cured.load), (0.0459, 0.0));
        assert_eq!(FuelModel::all().len(), 53);
        assert!(FuelModel::by_number(99).is_none());
    }

    #[test]
    fn wind_across_a_slope_turns_the_fire() {
        let bed = Bed::new(FuelModel::by_number(4).unwrap(), &Moisture::of(0.08, 1.0));
        let across = bed.spread(&Terrain { wind: 200.0, wind_direction: 90.0, slope: 0.4 });
        assert!(across.direction > 0.0 && across.direction < 90.0);
        let up = bed.spread(&Terrain { wind: 200.0, wind_direction: 0.0, slope: 0.4 });
        assert!(up.rate > across.rate && up.direction == 0.0);
        let still = bed.spread(&Terrain::default());
        assert_eq!((still.rate, still.eccentricity), (bed.still_rate, 0.0));
        assert!(up.fireline_intensity > still.fireline_intensity && up.flame_length > 0.0);
    }
}
