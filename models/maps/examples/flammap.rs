//! Compares rates of spread of the head in every cell of a landscape with those that FlamMap wrote.
//!
//! `cargo run -p imminent-maps --example flammap -- LAYERS OUTPUTS`: folders with LANDFIRE's files (`LC20_*.tif`,
//! `LC22_*.tif`), and with `ROS_ch_hr.tif`, `horizontal_movement_rate_ft_min.tif` and `fire_type.tif` of a run of
//! FlamMap without wind, for moistures of 6, 8, 10, 75, 60 % and leaves of 120 %. All are in `test/data` of
//! pyretechnics.
//!
//! FlamMap's landscapes have slopes in whole degrees, so slopes are rounded to these first. Where the aspect is -1,
//! FlamMap takes the slope (up to 4 %) as facing north, and so does this comparison; [`Site`] takes such a cell as
//! flat.

use imminent_cell::landscape::behaviour::Conditions;
use imminent_cell::landscape::{CrownFire, Site, Stand, State};
use imminent_cell::rothermel::Moisture;
use imminent_maps::{Raster, file};
use std::error::Error;
use std::path::Path;

/// Metres in a chain.
const CHAIN: f64 = 20.1168;
/// Metres in a foot.
const FOOT: f64 = 0.3048;

/// Cells of a kind of fire: largest relative differences of both rates, and numbers of those above a hundredth.
#[derive(Default)]
struct Differences {
    cells: u64,
    above: [u64; 2],
    most: [f64; 2],
}

fn main() -> Result<(), Box<dyn Error>> {
    let folders: Vec<String> = std::env::args().skip(1).collect();
    let [layers, outputs] = &folders[..] else { return Err("give the folders of layers and outputs".into()) };
    let layer = |name: &str| file::read(&Path::new(layers).join(name));
    let output = |name: &str| file::read(&Path::new(outputs).join(name));
    let (fuel, slope, aspect) = (layer("LC22_F40_230.tif")?, layer("LC20_SlpP_220.tif")?, layer("LC20_Asp_220.tif")?);
    let (cover, height) = (layer("LC22_CC_230.tif")?, layer("LC22_CH_230.tif")?);
    let (base_height, bulk_density) = (layer("LC22_CBH_230.tif")?, layer("LC22_CBD_230.tif")?);
    let (rate, horizontal) = (output("ROS_ch_hr.tif")?, output("horizontal_movement_rate_ft_min.tif")?);
    let kind = output("fire_type.tif")?;
    let moisture = Moisture([0.06, 0.08, 0.10, 0.75, 0.60]);
    let conditions = Conditions::new(&State { wind: [0.0; 2], moisture, foliar_moisture: 1.2 });
    let mut found: [Differences; 3] = Default::default();
    let mut other_kind = 0;
    for cell in 0..fuel.values().len() {
        let at = |raster: &Raster| raster.values().get(cell).copied().unwrap_or(f64::NAN);
        // 1 is a surface fire, 2 a passive and 3 an active crown fire; 0 and no data do not burn.
        let theirs = at(&kind);
        if theirs.is_nan() || theirs <= 0.0 {
            continue;
        }
        let stand = Stand {
            cover: at(&cover) / 100.0,
            height: at(&height) / 10.0,
            base_height: at(&base_height) / 10.0,
            bulk_density: at(&bulk_density) / 100.0,
        };
        let tangent = (at(&slope) / 100.0).atan().to_degrees().round().to_radians().tan();
        let site = Site::new(at(&fuel) as u16, tangent as f32, at(&aspect).max(0.0) as f32, Some(stand));
        let fire = site.and_then(|site| conditions.fire(&site)).ok_or("a cell that burns in FlamMap does not burn")?;
        other_kind += u64::from(theirs != f64::from(fire.crown as u8) + 1.0);
        let Some(differences) = found.get_mut(theirs as usize - 1) else { continue };
        differences.cells += 1;
        let along = (fire.rate, at(&rate) * CHAIN / 60.0);
        let on_map = (fire.horizontal_rate(fire.heading), at(&horizontal) * FOOT);
        for ((above, most), (ours, theirs)) in
            differences.above.iter_mut().zip(&mut differences.most).zip([along, on_map])
        {
            // FlamMap writes a horizontal rate of 0 where it is flat.
            let difference = if theirs > 0.0 { (ours / theirs - 1.0).abs() } else { 0.0 };
            *above += u64::from(difference > 0.01);
            *most = most.max(difference);
        }
    }
    for (kind, Differences { cells, above, most }) in
        [CrownFire::None, CrownFire::Passive, CrownFire::Active].iter().zip(&found)
    {
        let ([along, on_map], [along_above, on_map_above]) = (most.map(|most| 100.0 * most), above);
        println!(
            "crown fire {kind:?}: {cells} cells; rates off by {along:.3} % at most, {along_above} by over 1 %; \
             horizontal rates {on_map:.3} %, {on_map_above}"
        );
    }
    println!("{other_kind} cells have another kind of fire");
    Ok(())
}
