//! Fires on [landscapes](imminent_cell::landscape) as a model to study: rasters from files or a synthetic landscape,
//! constant weather, ignitions that are given or drawn.
//!
//! A run is one fire, or `fires` of them, each lit in one cell; what is drawn for it comes from its seed alone. Runs of
//! many points burn side by side in one [`Ensemble`] with a weather scenario for
//! each distinct weather. Determinism class: exact.

mod grounds;
mod laboratory;
mod setting;

pub use grounds::GroundError;
pub use laboratory::Wildfires;
pub use setting::SettingError;

use super::catalogue::{Means, Possible, Source};
use super::definition::{Definition, DefinitionError};
use super::description::{Description, Measure, Parameter};
use super::laboratory::{Fault, Laboratory};
use super::value::Value;
use grounds::Grounds;
use imminent_cell::landscape::{Ensemble, Ignition};
use imminent_common::input;
use imminent_core::Device;
use setting::Setting;

/// Parameters that name files of layers, as [`grounds`] takes them.
const FILES: [(&str, &str); 8] = [
    ("elevation", "Elevation in metres, GeoTIFF or ESRI ASCII grid; without it the landscape is synthetic."),
    ("fuel", "Numbers of fuel models: 1 to 13 and 101 to 204 burn, 91 to 99 do not."),
    ("slope", "Slope in percent; with `aspect`, or else from the elevation."),
    ("aspect", "Direction that a slope faces, in degrees clockwise from true north."),
    ("cover", "Canopy cover in percent; with the three files below, or else there are no trees."),
    ("canopy_height", "Canopy height in tenths of a metre."),
    ("base_height", "Height of the canopy's base in tenths of a metre."),
    ("bulk_density", "Bulk density of the canopy in hundredths of kg/m3."),
];

/// Parameter with the direction of the grid's north, and its value that leaves it to the projection.
const DECLINATION: &str = "grid_declination";
const AUTO: &str = "auto";

/// Describes the model; its revision depends on the bytes of the files that the study names.
///
/// # Errors
/// [`DefinitionError`] for a file that cannot be read.
pub fn describe(source: &Source<'_>) -> Result<Description, DefinitionError> {
    let mut files = blake3::Hasher::new();
    for (at, name) in named(source.definition) {
        let path = source.folder.join(&name);
        let read = input::bytes(&path, input::MOST_DATA);
        let bytes = read.map_err(|error| DefinitionError::value(&at, error.to_string()))?;
        files.update(blake3::hash(&bytes).as_bytes());
    }
    let revision = match files.count() {
        0 => "2".to_owned(),
        _ => format!("2-{}", files.finalize().to_hex().chars().take(16).collect::<String>()),
    };
    let mut description = Description::new("wildfire", &revision, "Fires on a landscape of fuel, slopes and trees.");
    for (name, about) in FILES {
        description = description.parameter(Parameter::text(name, about).default(""));
    }
    description = description.parameter(
        Parameter::text(
            DECLINATION,
            "Degrees clockwise from true north, from which aspects and winds count, to the north of the grid, such as \"14.1\"; \"auto\" takes them from the projection of the elevation.",
        )
        .default(AUTO),
    );
    for note in unknown_norths(source) {
        description = description.note(&note);
    }
    let number = |name: &str, unit: &str, most: f64, about: &str| Parameter::number(name, unit, 0.0..=most, about);
    let whole = |name: &str, least: i64, most: i64, about: &str| Parameter::integer(name, "", least..=most, about);
    let most = i64::from(u32::MAX);
    let moisture = |name: &str, default: f64, about: &str| number(name, "%", 1000.0, about).default(default);
    let parameters = [
        whole("rows", 1, 4096, "Rows of the synthetic landscape, of cells of 30 m.").default(100),
        whole("columns", 1, 4096, "Columns of the synthetic landscape.").default(100),
        whole("landscape", 0, i64::MAX, "Seed of the synthetic landscape.").default(1),
        whole("row", -1, most, "Row of the cell that is lit, from 0 in the north; -1 to draw it.").default(-1),
        whole("column", -1, most, "Column of the cell that is lit, from 0 in the west; -1 to draw it.").default(-1),
        whole("fires", 1, 1 << 20, "Fires of a run, each lit in a cell of its own draw; they have one weather.")
            .default(1),
        number("hours", "h", 1000.0, "Simulated time of a fire.").default(24.0),
        number("wind", "m/s", 100.0, "Wind at 20 ft above the vegetation.").default(5.0),
        number("wind_spread", "m/s", 100.0, "Wind is drawn uniformly within so much of `wind`, and not below 0.")
            .default(0.0),
        Parameter::number(
            "wind_from",
            "degrees",
            -180.0..=540.0,
            "Direction from which the wind blows, clockwise from true north.",
        )
        .default(270.0),
        number("wind_from_spread", "degrees", 180.0, "The direction is drawn uniformly within so much of `wind_from`.")
            .default(0.0),
        moisture("moisture_1h", 6.0, "Moisture of dead fuel of 1 h, in percent of dry weight."),
        moisture("moisture_10h", 7.0, "Moisture of dead fuel of 10 h."),
        moisture("moisture_100h", 8.0, "Moisture of dead fuel of 100 h."),
        moisture(
            "moisture_spread",
            0.0,
            "Moistures of dead fuel are drawn uniformly within so much of these, together, and not below 0.",
        ),
        moisture("moisture_herb", 60.0, "Moisture of live herbs."),
        moisture("moisture_wood", 90.0, "Moisture of live wood."),
        moisture("foliar", 100.0, "Moisture of the leaves or needles of trees."),
        number("large", "ha", 1e12, "Size above which a fire counts as large.").default(100.0),
    ];
    for parameter in parameters {
        description = description.parameter(parameter);
    }
    Ok(description
        .length("hours")
        .measure(Measure::new("burnt", "ha", "Burnt area of the average fire of a run."))
        .measure(Measure::new("largest", "ha", "Burnt area of the largest fire of a run."))
        .measure(Measure::new("large_fires", "", "Share of the fires of a run that are larger than `large`."))
        .note(
            "Fires that reach the edge of the landscape end there; nobody fights a fire, and none throws sparks. Weather is constant.",
        ))
}

/// Creates a check whether a point can be simulated.
///
/// # Errors
/// None.
pub fn possible(source: &Source<'_>) -> Result<Possible, DefinitionError> {
    let mut grounds = Grounds::new(source.folder);
    Ok(Box::new(move |point| {
        let setting = Setting::of(point)?;
        let ground = grounds.at(&setting.ground)?;
        let ends = setting.ranges.draw(1, 1)?;
        let fire = setting.lit.map(|lit| Ignition { cells: vec![lit], scenario: 0 });
        Ensemble::new(ground.landscape.clone(), &[ends], fire.as_slice(), setting.hours)?;
        Ok(())
    }))
}

/// Makes what carries out the runs.
///
/// # Errors
/// None.
pub fn open(source: &Source<'_>, device: &Device, _: &Means) -> Result<Box<dyn Laboratory + Send>, Fault> {
    Ok(Box::new(Wildfires::new(device, source.folder)))
}

/// Warns of elevations whose projection does not tell where true north is, unless the study says it.
#[cfg(feature = "maps")]
fn unknown_norths(source: &Source<'_>) -> Vec<String> {
    let definition = source.definition;
    let is_given = |name: &str| {
        definition.fixed.keys().any(|key| key == name) || definition.axis.iter().any(|axis| axis.parameter == name)
    };
    if is_given(DECLINATION) {
        return Vec::new();
    }
    let note = |name: String| {
        let raster = imminent_maps::file::read(&source.folder.join(&name)).ok()?;
        let is_known = raster.place.declination(raster.columns(), raster.rows()).is_some();
        (!is_known).then(|| {
            format!(
                "{name}: {} does not tell where true north is: aspects and winds count from the north of the grid; give `{DECLINATION}`",
                raster.place.system.name()
            )
        })
    };
    values(definition, |parameter| parameter == "elevation").into_iter().filter_map(|(_, name)| note(name)).collect()
}

#[cfg(not(feature = "maps"))]
fn unknown_norths(_: &Source<'_>) -> Vec<String> {
    Vec::new()
}

/// Returns the names of files that a study gives, with the keys that give them.
fn named(definition: &Definition) -> Vec<(String, String)> {
    values(definition, |name| FILES.iter().any(|(file, _)| *file == name))
}

/// Returns the texts that a study gives to some parameters, with the keys that give them.
fn values(definition: &Definition, is_meant: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let mut named = Vec::new();
    let mut add = |at: String, value: &Value| {
        if let Value::Text(name) = value
            && !name.is_empty()
        {
            named.push((at, name.clone()));
        }
    };
    for (name, value) in definition.fixed.iter().filter(|(name, _)| is_meant(name)) {
        add(format!("fixed.{name}"), value);
    }
    for (place, axis) in definition.axis.iter().enumerate().filter(|(_, axis)| is_meant(&axis.parameter)) {
        for (row, value) in axis.values.iter().flatten().enumerate() {
            add(format!("axis[{place}].values[{row}]"), value);
        }
    }
    named
}
