//! Layers of a landscape as the bands of one file: a GeoTIFF of the LANDFIRE Product Service, or a landscape file.

use super::error::LayerError;
use super::sources::{Source, Sources};
use crate::file::{self, Band};
use std::path::{Path, PathBuf};

/// Layer of a landscape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layer {
    Elevation,
    Slope,
    Aspect,
    Fuel,
    Cover,
    Height,
    BaseHeight,
    BulkDensity,
    /// Duff or coarse wood, which no fire here takes.
    Ground,
}

/// Layers in the order of landscape files.
const ORDER: [Layer; 10] = [
    Layer::Elevation,
    Layer::Slope,
    Layer::Aspect,
    Layer::Fuel,
    Layer::Cover,
    Layer::Height,
    Layer::BaseHeight,
    Layer::BulkDensity,
    Layer::Ground,
    Layer::Ground,
];

/// Numbers of bands that are taken in the order of landscape files if they have no names.
const COUNTS: [usize; 4] = [4, 5, 8, 10];

impl Layer {
    /// Returns the layer that the name of a band means, in words or in the abbreviations of LANDFIRE.
    fn named(name: &str) -> Option<Self> {
        let name = name.to_ascii_uppercase();
        let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
        // Longer words first: `CH` and `HEIGHT` are in other names too.
        Some(if has(&["DUFF", "CWD", "WOODY"]) {
            Layer::Ground
        } else if has(&["CBH", "BASE"]) {
            Layer::BaseHeight
        } else if has(&["CBD", "BULK", "DENSITY"]) {
            Layer::BulkDensity
        } else if has(&["ELEV", "DEM"]) {
            Layer::Elevation
        } else if has(&["SLP", "SLOPE"]) {
            Layer::Slope
        } else if has(&["ASP"]) {
            Layer::Aspect
        } else if has(&["FBFM", "FUEL", "F40", "F13"]) {
            Layer::Fuel
        } else if has(&["COVER", "CC"]) {
            Layer::Cover
        } else if has(&["HEIGHT", "CH"]) {
            Layer::Height
        } else {
            return None;
        })
    }

    const fn name(self) -> &'static str {
        match self {
            Layer::Elevation => "elevation",
            Layer::Slope => "slope",
            Layer::Aspect => "aspect",
            Layer::Fuel => "fuel",
            Layer::Cover => "canopy cover",
            Layer::Height => "canopy height",
            Layer::BaseHeight => "canopy base height",
            Layer::BulkDensity => "canopy bulk density",
            Layer::Ground => "ground fuel",
        }
    }
}

/// Reads the layers of one file, and says how its bands were taken.
pub(super) fn sources(file: &Path, assumed: &mut Vec<String>) -> Result<Sources, LayerError> {
    let bands = file::read_bands(file)?;
    let names: Vec<Option<&str>> = bands.iter().map(|band| band.name.as_deref()).collect();
    let (layers, by_names) = layers(file, &names)?;
    let told: Vec<String> = layers
        .iter()
        .enumerate()
        .filter_map(|(band, layer)| layer.map(|layer| format!("{} {}", band + 1, layer.name())))
        .collect();
    let why = if by_names { "by their names" } else { "in the order of landscape files, for they have no names" };
    assumed.push(format!("{}: bands {}, {why}", file.display(), told.join(", ")));
    let mut bands: Vec<Option<Band>> = bands.into_iter().map(Some).collect();
    let mut take = |layer: Layer| {
        let place = layers.iter().position(|found| *found == Some(layer))?;
        let band = bands.get_mut(place)?.take()?;
        let name = band.name.map_or_else(String::new, |name| format!(" ({name})"));
        let shown = PathBuf::from(format!("{}, band {}{name}", file.display(), place + 1));
        Some(Source { name: shown, raster: band.raster, unit: band.unit })
    };
    let missing = |layer: Layer| LayerError::NoBand { file: file.to_owned(), layer: layer.name() };
    let mut needed = |layer: Layer| take(layer).ok_or_else(|| missing(layer));
    let (elevation, fuel) = (needed(Layer::Elevation)?, needed(Layer::Fuel)?);
    let slope_and_aspect = take(Layer::Slope).zip(take(Layer::Aspect)).map(<[Source; 2]>::from);
    let canopy = [Layer::Cover, Layer::Height, Layer::BaseHeight, Layer::BulkDensity].map(take);
    let canopy = match canopy {
        [Some(cover), Some(height), Some(base), Some(density)] => Some([cover, height, base, density]),
        [None, None, None, None] => None,
        _ => {
            assumed.push(format!("{}: bands of the canopy are left out, for not all four are there", file.display()));
            None
        }
    };
    Ok(Sources { elevation, fuel, slope_and_aspect, canopy })
}

/// Returns the layer of each band, and whether names tell it.
fn layers(file: &Path, names: &[Option<&str>]) -> Result<(Vec<Option<Layer>>, bool), LayerError> {
    let named: Vec<Option<Layer>> = names.iter().map(|name| name.and_then(Layer::named)).collect();
    if named.iter().all(Option::is_none) {
        if !COUNTS.contains(&names.len()) {
            return Err(LayerError::Bands { file: file.to_owned(), bands: names.len() });
        }
        return Ok((ORDER.iter().take(names.len()).copied().map(Some).collect(), false));
    }
    for (second, layer) in named.iter().enumerate() {
        let Some(layer) = layer.filter(|layer| *layer != Layer::Ground) else { continue };
        if let Some(first) = named.iter().take(second).position(|before| *before == Some(layer)) {
            let bands = [first + 1, second + 1];
            return Err(LayerError::Twice { file: file.to_owned(), layer: layer.name(), bands });
        }
    }
    Ok((named, true))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn found(names: &[&str]) -> Result<Vec<Option<Layer>>, String> {
        let names: Vec<_> = names.iter().map(|name| Some(*name)).collect();
        layers("a.tif".as_ref(), &names).map(|(layers, _)| layers).map_err(|error| error.to_string())
    }

    #[test]
    fn names_of_landfire_and_of_landscape_files_are_known() {
        let all: Vec<_> = ORDER[..8].iter().copied().map(Some).collect();
        let product = [
            "US_ELEV2020",
            "US_SLPD2020",
            "US_ASP2020",
            "US_240FBFM40",
            "US_240CC",
            "US_240CH",
            "US_240CBH",
            "US_240CBD",
        ];
        assert_eq!(found(&product), Ok(all.clone()));
        let files = [
            "LC20_Elev_220",
            "LC20_SlpP_220",
            "LC20_Asp_220",
            "LC22_F40_230",
            "LC22_CC_230",
            "LC22_CH_230",
            "LC22_CBH_230",
            "LC22_CBD_230",
        ];
        assert_eq!(found(&files), Ok(all.clone()));
        let words = [
            "Elevation",
            "Slope",
            "Aspect",
            "Fuel models",
            "Canopy cover",
            "Canopy height",
            "Canopy base height",
            "Canopy bulk density",
        ];
        assert_eq!(found(&words), Ok(all));
        let mixed = found(&["fuel", "dem", "something", "Coarse woody debris", "Duff"]).unwrap();
        let expected = [Some(Layer::Fuel), Some(Layer::Elevation), None, Some(Layer::Ground), Some(Layer::Ground)];
        assert_eq!(mixed, expected);
        assert!(found(&["FBFM40", "Elevation", "FBFM13"]).unwrap_err().contains("bands 1 and 3 are both fuel"));
    }

    #[test]
    fn bands_without_names_have_the_order_of_landscape_files() {
        let of = |count: usize| layers("a.tif".as_ref(), &vec![None; count]);
        let (layers, by_names) = of(8).unwrap();
        assert!(!by_names && layers[3] == Some(Layer::Fuel) && layers[7] == Some(Layer::BulkDensity));
        assert_eq!(of(4).unwrap().0.len(), 4);
        let error = of(3).unwrap_err().to_string();
        assert!(error.starts_with("a.tif: has 3 bands without names"), "{error}");
        // Names of programs that mean nothing.
        assert_eq!(found(&["Band 1", "Band 2", "Band 3", "Band 4"]).unwrap()[3], Some(Layer::Fuel));
    }
}
