//! Prints rates of spread of random cells, one a line, for `docs/compare/rothermel`.
//!
//! `cargo run --release -p imminent-cell --example rates -- 500 1` (cells and seed). The columns are: number of the
//! fuel model; moistures of 1-h, 10-h, 100-h dead fuel, herbs and live wood; wind at 20 ft (m/s) and the direction from
//! which it blows (degrees); slope (tangent) and aspect (degrees); cover and height (m) of trees whose crowns begin at
//! the ground; rate of spread (m/min), eccentricity, and fireline intensity (kW/m) at the head.
//!
//! The wind blows up, down or across the slope: other directions mean different things on a map and on the slope
//! itself.

use imminent_cell::landscape::behaviour::Conditions;
use imminent_cell::landscape::{Site, Stand, State, Weather};
use imminent_cell::rothermel::{FuelModel, Moisture};
use imminent_common::streams::split_mix;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (cells, seed): (u64, u64) = match (args.next(), args.next()) {
        (Some(cells), Some(seed)) => (cells.parse()?, seed.parse()?),
        _ => return Err("give the number of cells and a seed".into()),
    };
    for cell in 0..cells {
        println!("{}", line(seed, cell)?);
    }
    Ok(())
}

/// Returns the output line of a cell.
pub(crate) fn line(seed: u64, cell: u64) -> Result<String, Box<dyn Error>> {
    let draw = |place: u64| (split_mix(split_mix(seed, cell), place) >> 11) as f64 / (1_u64 << 53) as f64;
    let between = |place: u64, least: f64, most: f64| least + (most - least) * draw(place);
    let models = FuelModel::all();
    let model = models.get((draw(0) * models.len() as f64) as usize).ok_or("there are fuel models")?;
    let moisture = [
        between(1, 0.02, 0.12),
        between(2, 0.03, 0.13),
        between(3, 0.04, 0.14),
        between(4, 0.2, 1.4),
        between(5, 0.5, 1.5),
    ];
    // Flat, still, or with wind and a slope.
    let kind = (draw(6) * 4.0) as u64;
    let wind = if kind == 1 { 0.0 } else { between(7, 0.1, 15.0) };
    let slope = if kind == 0 { 0.0 } else { between(8, 0.05, 1.0) };
    let aspect = (360.0 * draw(9)).floor();
    let from = (aspect + 90.0 * (4.0 * draw(10)).floor()).rem_euclid(360.0);
    let has_trees = draw(11) < 0.5;
    let (cover, height) = if has_trees { (between(12, 0.2, 1.0), between(13, 3.0, 40.0)) } else { (0.0, 0.0) };
    let stand = Stand { cover, height, base_height: 0.0, bulk_density: 0.0 };
    let weather = Weather { hour: 0.0, wind, from, moisture: Moisture(moisture), foliar_moisture: 1.0 };
    let facing = if slope == 0.0 { -1.0 } else { aspect as f32 };
    let site = Site::new(model.number, slope as f32, facing, Some(stand)).ok_or("a fuel model of the table")?;
    let fire = Conditions::new(&State::from(&weather)).fire(&site);
    let (rate, eccentricity, intensity) =
        fire.map_or((0.0, 0.0, 0.0), |fire| (fire.rate, fire.eccentricity, fire.intensity));
    let [h1, h10, h100, herb, wood] = moisture;
    Ok(format!(
        "{},{h1:e},{h10:e},{h100:e},{herb:e},{wood:e},{wind:e},{from:e},{:e},{aspect:e},{cover:e},{height:e},\
         {rate:e},{eccentricity:e},{intensity:e}",
        model.number, site.slope
    ))
}
