//! Fires on [landscapes](imminent_cell::landscape) as a [`Model`] of a catalogue: rasters from files or a synthetic
//! landscape, constant weather, ignitions that are given or drawn.
//!
//! A run is one fire, or `fires` of them, each lit in one cell; what is drawn for it comes from its seed alone. Runs of
//! many points burn side by side in one [`Ensemble`] with a weather scenario for
//! each distinct weather. Determinism class: exact.

mod conditioning;
mod config;
mod experiment;
mod fuel_models;
mod grounds;
mod laboratory;
mod measures;
mod moistures;
mod setting;
mod start;
#[cfg(test)]
mod tests;
mod wind;
mod winds;

pub use conditioning::Conditioning;
pub use config::WildfireConfig;
pub use grounds::GroundError;
pub use laboratory::Wildfires;
pub use setting::SettingError;

use experiment::Fires;
use grounds::Grounds;
use imminent_cell::landscape::kernels::tiles;
use imminent_cell::landscape::{Ensemble, Ignition};
use imminent_core::{Device, ModuleSource};
use imminent_study::experiment::Experiments;
use imminent_study::laboratory::{Fault, Laboratory, Point};
use imminent_study::{Base, Description, Keys, Means, Model, Possible, Unused};
use measures::measures;
use setting::Setting;
use std::path::Path;
use std::sync::Arc;

/// Fires on landscapes.
#[derive(Debug, Clone, Copy)]
pub struct Wildfire;

impl Model for Wildfire {
    fn description(&self) -> Description {
        let description = Description::new("wildfire", "3", "Fires on a landscape of fuel, slopes and trees.");
        measures().into_iter().fold(description.length("horizon"), Description::measure).note(
            "Fires that reach the edge of the landscape end there; nobody fights a fire, and none throws sparks. The weather of studies is constant, except for winds by the hour from rasters.",
        )
    }

    fn keys(&self) -> Keys {
        Keys::of::<WildfireConfig>()
    }

    fn keys_of_studies(&self) -> &'static [(&'static str, &'static str)] {
        &[("seed", "its own `seed`"), ("weathers", "`repetitions`")]
    }

    fn renamed(&self) -> &'static [(&'static str, &'static str)] {
        &[("hours", "horizon"), ("moisture", "moisture_1h")]
    }

    fn experiments(&self) -> Option<&dyn Experiments> {
        Some(&Fires)
    }

    /// Warns of elevations whose projection does not tell where true north is, unless the study says it.
    fn notes(&self, base: &Base) -> Vec<String> {
        if !base.given("grid_declination").is_empty() {
            return vec![];
        }
        let files = [base.files("elevation"), base.files("layers")].concat();
        files.iter().filter_map(|file| unknown_north(file)).collect()
    }

    fn kernels(&self) -> Vec<&'static ModuleSource> {
        vec![tiles::source()]
    }

    fn possible(&self, base: &Arc<Base>) -> Possible {
        let (base, mut grounds) = (Arc::clone(base), Grounds::default());
        Box::new(move |point| {
            let setting = Setting::of(base.config(point)?)?;
            let ground = grounds.at(&setting.ground)?;
            let ends = setting.ranges.draw(1, 1)?;
            let fire = setting.lit.map(|lit| Ignition { cells: vec![lit], scenario: 0 });
            Ensemble::new(ground.landscape.clone(), &[ends], fire.as_slice(), setting.hours)?;
            Ok(())
        })
    }

    fn unused(&self, base: &Base, point: &Point) -> Vec<Unused> {
        let config = base.config::<WildfireConfig>(point).unwrap_or_default();
        config.unused().into_iter().map(|(key, why)| Unused::new(key, why)).collect()
    }

    fn open(&self, base: &Arc<Base>, device: &Device, _: &Means) -> Result<Box<dyn Laboratory + Send>, Fault> {
        Ok(Box::new(Wildfires::new(base, device)))
    }
}

fn unknown_north(file: &Path) -> Option<String> {
    let raster = crate::file::read_bands(file).ok()?.into_iter().next()?.raster;
    let is_known = raster.place.declination(raster.columns(), raster.rows()).is_some();
    (!is_known).then(|| {
        format!(
            "{}: {} does not tell where true north is: aspects and winds count from the north of the grid; give `grid_declination`",
            file.file_name().unwrap_or_default().to_string_lossy(),
            raster.place.system.name()
        )
    })
}
