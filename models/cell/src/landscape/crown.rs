//! Fire in the crowns of trees: Van Wagner 1977 and 1993, Rothermel 1991, put together as in Finney 1998 (RMRS-RP-4).

use super::stand::Stand;

/// Least flow of fuel through an active crown fire, in kg/m2 a minute.
const MIN_FLOW: f64 = 3.0;

/// Ratio of the rate of an active crown fire to that of a surface fire in fuel model 10 (Rothermel 1991).
pub(super) const ACTIVE_RATIO: f64 = 3.34;

/// Ratio of the wind at midflame height to that at 20 ft, for fuel model 10.
pub(super) const WIND_RATIO: f64 = 0.4;

/// Share of the way from the rate of initiation to the least rate of an active fire at which nine tenths of the crowns
/// burn, and from which on they speed a fire up.
const NEARLY: f64 = 0.9;

/// Heat of crown fuel, in kJ/kg.
const HEAT: f64 = 18_000.0;

/// Kind of a fire in a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum CrownFire {
    /// Surface fire alone.
    #[default]
    None = 0,
    /// Single trees or groups burn; the fire is about as fast as the surface fire.
    Passive = 1,
    /// Fire runs through the crowns.
    Active = 2,
}

/// Crown fire of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Crown {
    pub(super) kind: CrownFire,
    /// Ratio of the rate of spread to that of the surface fire.
    pub(super) speed_up: f64,
    /// Heat of the crown fuel that burns, in kJ/m2.
    pub(super) heat: f64,
}

/// Returns the fireline intensity, in kW/m, above which a surface fire ignites crowns (Van Wagner 1977). The height at
/// which the crowns begin is in metres, the foliar moisture a fraction.
#[must_use]
pub fn initiation(base_height: f64, foliar_moisture: f64) -> f64 {
    libm::pow(0.010 * base_height * (460.0 + 25.9 * 100.0 * foliar_moisture), 1.5)
}

/// Computes the crown fire over a surface fire with a rate in m/min and an intensity in kW/m at its head. `active_rate`
/// returns the rate of an active crown fire in m/min.
///
/// The fraction of the crowns that burns is `1 - exp(-a (R - R_0))`. `R_0` is the surface rate at the intensity of
/// initiation. `a` makes the fraction 0.9 where `R - R_0` is nine tenths of the way from there to the least rate of an
/// active fire (Van Wagner 1993). If that rate is not above `R_0`, all crowns burn.
///
/// The crowns speed a fire up from that nine tenths on, as FlamMap has it. From there to the least rate of an active
/// fire it still counts as passive.
pub(super) fn over(
    stand: &Stand,
    foliar_moisture: f64,
    rate: f64,
    intensity: f64,
    active_rate: impl FnOnce() -> f64,
) -> Crown {
    let none = Crown { kind: CrownFire::None, speed_up: 1.0, heat: 0.0 };
    if !(stand.bulk_density > 0.0 && rate > 0.0) {
        return none;
    }
    let least = initiation(stand.base_height, foliar_moisture);
    let takes_fire = intensity > least;
    if !takes_fire {
        return none;
    }
    let least_active = MIN_FLOW / stand.bulk_density;
    let initial = rate * least / intensity;
    let rise = NEARLY * (least_active - initial);
    let fraction = if rise > 0.0 { 1.0 - libm::exp(-std::f64::consts::LN_10 / rise * (rate - initial)) } else { 1.0 };
    let depth = (stand.height - stand.base_height).max(0.0);
    let heat = fraction * stand.bulk_density * depth * HEAT;
    let actual = rate + fraction * (active_rate() - rate);
    let kind = if actual >= least_active { CrownFire::Active } else { CrownFire::Passive };
    let speeds_up = actual >= least_active.min(initial + rise);
    Crown { kind, speed_up: if speeds_up { (actual / rate).max(1.0) } else { 1.0 }, heat }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAND: Stand = Stand { cover: 0.6, height: 12.0, base_height: 2.0, bulk_density: 0.15 };

    #[test]
    fn crowns_take_fire_above_van_wagner_s_intensity() {
        // By hand: 0.010 * 2 * (460 + 2590) = 61, and 61^1.5 = 476.425.
        assert!((initiation(2.0, 1.0) - 476.425).abs() < 5e-4);
        let crown = over(&STAND, 1.0, 5.0, 476.0, || 100.0);
        assert_eq!((crown.kind, crown.speed_up, crown.heat), (CrownFire::None, 1.0, 0.0));
    }

    #[test]
    fn a_crown_fire_is_active_from_the_least_flow_on() {
        // R' = 3 / 0.15 = 20 m/min; R_0 = 5 * 476.425 / 952.85 = 2.5; a = ln 10 / (0.9 * 17.5) = 0.1461959; the
        // fraction is 1 - exp(-0.1461959 * 2.5) = 0.306143. 5 + 0.306143 * 25 = 12.654 is below 20; with an active rate
        // of 80 m/min the fire is active: 5 + 0.306143 * 75 = 27.9607.
        let slow = over(&STAND, 1.0, 5.0, 952.85, || 30.0);
        assert_eq!((slow.kind, slow.speed_up), (CrownFire::Passive, 1.0));
        assert!((slow.heat - 0.306_143 * 0.15 * 10.0 * 18_000.0).abs() < 0.05, "{slow:?}");
        let fast = over(&STAND, 1.0, 5.0, 952.85, || 80.0);
        assert_eq!(fast.kind, CrownFire::Active);
        assert!((fast.speed_up * 5.0 - 27.9607).abs() < 1e-4, "{fast:?}");
    }
}
