//! Tests of error tables against the formulas.

use super::super::curve::knots::look_up;
use super::super::{Mesh, MeshError, mesh};
use statrs::function::erf::erfc;

/// Computes the symbol error from the signal-to-noise ratio in dB, by the formulas of MODELS.
pub(super) fn symbol_error(megabits: u32, decibels: f64) -> f64 {
    let ratio = |less: f64| 10_f64.powf((decibels - less) / 10.0);
    let error = match megabits {
        6 => 0.5 * erfc(ratio(0.0).sqrt()),
        12 => 2.0 * 0.5 * erfc((ratio(3.0) / 2.0).sqrt()),
        _ => 4.0 * (0.375 * erfc((0.1 * ratio(6.0)).sqrt()) + 0.25 * erfc(3.0 * (0.1 * ratio(6.0)).sqrt())),
    };
    error.min(0.5)
}

pub(super) fn bits_of_symbol(megabits: u32) -> f64 {
    f64::from(megabits / 6)
}

/// Computes the loss of a frame from the mean error of its bits.
pub(super) fn frame_loss(p: f64, bits: i32) -> f64 {
    let d = 2.0 * (p * (1.0 - p)).sqrt();
    let weights = [36, 211, 1404, 11_633, 77_433, 502_690, 3_322_763, 21_292_910, 134_365_911, 843_425_871_u32];
    let sum: f64 =
        (10..).step_by(2).zip(weights).map(|(power, weight)| f64::from(weight) * d.powf(f64::from(power))).sum();
    let through = |x: [f64; 3], y: [f64; 3]| {
        y[0] * (sum - x[1]) * (sum - x[2]) / ((x[0] - x[1]) * (x[0] - x[2]))
            + y[1] * (sum - x[0]) * (sum - x[2]) / ((x[1] - x[0]) * (x[1] - x[2]))
            + y[2] * (sum - x[0]) * (sum - x[1]) / ((x[2] - x[0]) * (x[2] - x[1]))
    };
    let error = if sum > 12.4 {
        0.15
    } else if sum > 2.585 {
        sum / through([2.585, 5.719, 12.4], [45.5667, 60.4418, 109.7345])
    } else if sum > 0.5043 {
        sum / through([0.5043, 1.149, 2.585], [15.291, 31.4192, 45.5667])
    } else if sum > 1.898e-2 {
        sum / through([1.898e-2, 9.604e-2, 0.5043], [3.2831, 7.3593, 15.291])
    } else if sum > 4.903e-4 {
        sum / through([4.903e-4, 1.985e-3, 1.898e-2], [1.3956, 1.9215, 3.2831])
    } else if sum >= 1.524e-5 {
        sum / through([1.524e-5, 6.26e-5, 4.903e-4], [0.94541, 0.99507, 1.3956])
    } else {
        sum
    };
    1.0 - (1.0 - error).powi(bits)
}

fn found(point: &mesh::Point, table: u32, x: u32) -> f64 {
    f64::from(look_up(&point.tables, table, x)) / 2_f64.powi(32)
}

#[test]
fn errors_by_gain_are_those_of_the_formulas() {
    for (megabits, snr) in [(6, 3.0), (12, 10.0), (24, 20.0), (24, 60.0)] {
        let point = Mesh { megabits, snr, ..Mesh::default() }.set_up().unwrap().start(1).point;
        for step in 0..4000 {
            let gain = (1.007_f64.powi(step)) as u32;
            let decibels = snr + 10.0 * (f64::from(gain) / 2_f64.powi(20)).log10();
            let (found, exact) = (found(&point, mesh::FIRST_ERROR, gain), symbol_error(megabits, decibels));
            // At the upper limit of the error, the formula has a bend between two knots.
            let allowed = if exact > 0.49 { 5e-4 } else { 5e-5 };
            assert!((found - exact).abs() < allowed, "{megabits} {decibels}: {found} for {exact}");
        }
    }
}

#[test]
fn losses_by_error_are_those_of_the_formulas() {
    for (megabits, payload) in [(6, 0), (12, 300), (24, 1024), (24, 65_535)] {
        let point = Mesh { megabits, payload, ..Mesh::default() }.set_up().unwrap().start(1).point;
        let data_bits = payload as i32 * 8 + 224;
        let mut jumps = 0;
        for (table, bits) in [(mesh::FIRST_DATA, data_bits), (mesh::FIRST_CONTROL, 112)] {
            for step in 0..3100 {
                let mean = 1.007_f64.powi(step) as u32;
                let error = f64::from(mean) / 2_f64.powi(32) / bits_of_symbol(megabits);
                let (found, exact) = (found(&point, table, mean), frame_loss(error, bits));
                // The correction jumps where it begins, from 1 to 0.945; the table has a slope between two knots
                // instead.
                if (found - exact).abs() > 1e-3 {
                    jumps += 1;
                    assert!((found - exact).abs() < 0.06, "{megabits} {error}: {found} for {exact}");
                    let before = frame_loss(error * (1.0 - 1.0 / 128.0), bits);
                    let behind = frame_loss(error * (1.0 + 1.0 / 128.0), bits);
                    let (least, most) = (before.min(behind).min(exact), before.max(behind).max(exact));
                    assert!((least..=most).contains(&found), "{megabits} {error}: {found} for {exact}");
                }
            }
        }
        assert!(jumps <= 4, "{jumps}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let refused = |mesh: Mesh| mesh.set_up().unwrap_err();
    for megabits in [9, 18, 36, 48, 54] {
        assert_eq!(refused(Mesh { megabits, ..Mesh::default() }), MeshError::NoDivisors { megabits });
    }
    assert_eq!(refused(Mesh { megabits: 11, ..Mesh::default() }), MeshError::NoSuchRate { megabits: 11 });
    let text = refused(Mesh { nodes: 1, ..Mesh::default() }).to_string();
    assert_eq!(text, "`nodes` of the mesh is 1: give 2 to 64");
    let text = refused(Mesh { speed: f64::NAN, ..Mesh::default() }).to_string();
    assert_eq!(text, "`speed` of the mesh is NaN: give 0 to 1000");
}
