//! Custom fuel models, from a file of FARSITE and FlamMap (`.fmd`).

use imminent_cell::rothermel::{FuelModel, FuelModels, METRES_PER_FOOT};
use imminent_common::input;
use imminent_study::laboratory::Fault;
use std::path::Path;

/// Columns of a line; FARSITE 4 also has lines without the code and the type.
const COLUMNS: &str = "number, code, loads of 1-h, 10-h and 100-h dead fuel, herbs and live wood, `static` or `dynamic`, \
    surface-to-volume ratios of 1-h dead fuel, herbs and live wood, depth, moisture of extinction, and heat of dead and live fuel";

/// Surface-to-volume ratios of dead fuel of 10 h and 100 h, 1/ft, which are the same for all fuel models.
const COARSE: [f64; 2] = [109.0, 30.0];

/// Pounds on a square foot of a short ton on an acre.
const TONS_PER_ACRE: f64 = 2000.0 / 43_560.0;

/// Pounds on a square foot of a kilogram on a square metre.
const KILOGRAMS_PER_SQUARE_METRE: f64 = METRES_PER_FOOT * METRES_PER_FOOT / 0.453_592_37;

/// kJ/kg in a Btu/lb.
const KILOJOULES_PER_KILOGRAM: f64 = 2.326;

/// Factors from the units of a file to those of the equations.
struct Units {
    /// To lb/ft2.
    load: f64,
    /// To 1/ft.
    ratio: f64,
    /// To ft.
    depth: f64,
    /// To Btu/lb.
    heat: f64,
}

/// Tons per acre, 1/ft, ft, and Btu/lb.
const ENGLISH: Units = Units { load: TONS_PER_ACRE, ratio: 1.0, depth: 1.0, heat: 1.0 };

/// Tonnes per hectare, 1/cm, cm, and kJ/kg.
const METRIC: Units = Units {
    load: 0.1 * KILOGRAMS_PER_SQUARE_METRE,
    ratio: 100.0 * METRES_PER_FOOT,
    depth: 0.01 / METRES_PER_FOOT,
    heat: 1.0 / KILOJOULES_PER_KILOGRAM,
};

/// Reads the custom models, and returns them beside the published ones, with their numbers.
pub(super) fn read(file: &Path) -> Result<(FuelModels, Vec<u16>), Fault> {
    let fault = |(line, fault): (usize, String)| Fault::from(format!("{}:{line}: {fault}", file.display()));
    let models = parse(&input::text(file)?).map_err(fault)?;
    let numbers = models.iter().map(|model| model.number).collect();
    let all = FuelModels::with(models).map_err(|error| Fault::from(format!("{}: {error}", file.display())))?;
    Ok((all, numbers))
}

/// Reads the models of a text. Units are English, unless a line before the first model says otherwise.
fn parse(text: &str) -> Result<Vec<FuelModel>, (usize, String)> {
    let (mut units, mut models) = (&ENGLISH, Vec::new());
    for (index, line) in text.lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(first) = words.first().filter(|first| !first.starts_with('#')) else { continue };
        let told = match first.to_ascii_lowercase().as_str() {
            "english" => Some(&ENGLISH),
            "metric" => Some(&METRIC),
            _ => None,
        };
        match told {
            Some(_) if !models.is_empty() => {
                return Err((index + 1, "units after fuel models: name them in the first line".to_owned()));
            }
            Some(told) => units = told,
            None => models.push(model(&words, units).map_err(|fault| (index + 1, fault))?),
        }
    }
    if models.is_empty() { Err((1, format!("has no fuel model: give lines of {COLUMNS}"))) } else { Ok(models) }
}

/// Reads a line of a model.
fn model(words: &[&str], units: &Units) -> Result<FuelModel, String> {
    let number = words.first().and_then(|word| word.parse::<u16>().ok()).ok_or_else(|| {
        format!("`{}` is no number of a fuel model: give {COLUMNS}", words.first().copied().unwrap_or_default())
    })?;
    // Of lines without code and type the second word is a load, and the eighth a ratio.
    let kind = words.get(7).and_then(|word| match word.to_ascii_lowercase().as_str() {
        "static" | "s" => Some(false),
        "dynamic" | "d" => Some(true),
        _ => None,
    });
    let numbers = |words: &[&str]| -> Vec<f64> {
        words.iter().map_while(|word| word.parse().ok().filter(|number: &f64| number.is_finite())).collect()
    };
    let (code, dynamic, values) = match (kind, words) {
        (Some(dynamic), [_, code, loads @ .., _]) => {
            let after = words.get(8..).unwrap_or_default();
            let loads = loads.get(..5).unwrap_or_default();
            ((*code).to_owned(), dynamic, [numbers(loads), numbers(after)].concat())
        }
        (_, [_, values @ ..]) => (format!("FM{number}"), false, numbers(values)),
        (_, []) => return Err(format!("is empty: give {COLUMNS}")),
    };
    // Words after the last number are a name.
    let &[h1, h10, h100, herb, wood, ratio, of_herb, of_wood, depth, extinction, of_dead, of_live, ..] = &values[..]
    else {
        return Err(format!("fuel model {number} has {} values of 12: give {COLUMNS}", values.len()));
    };
    let [of_10h, of_100h] = COARSE;
    let [ratio, of_herb, of_wood] = [ratio, of_herb, of_wood].map(|value| value * units.ratio);
    Ok(FuelModel {
        number,
        code: code.into(),
        depth: depth * units.depth,
        extinction: extinction / 100.0,
        heat: [of_dead, of_live].map(|value| value * units.heat),
        loads: [h1, h10, h100, herb, wood].map(|value| value * units.load),
        ratios: [ratio, of_10h, of_100h, of_herb, of_wood],
        dynamic,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use imminent_cell::rothermel::{Bed, Moisture};
    use proptest::prelude::*;

    fn near(found: f64, expected: f64, relative: f64) {
        assert!((found - expected).abs() <= relative * expected.abs(), "{found} is not {expected}");
    }

    /// Loads of GR2 and TU1 in RMRS-GTR-153 are in tons per acre; the table of models has pounds per square foot.
    #[test]
    fn published_models_come_out_of_a_file_in_either_unit() {
        let english = "ENGLISH\n14 XGR2 0.10 0.00 0.00 1.00 0.00 dynamic 2000 1800 1500 1.0 15 8000 8000 like GR2\n\
            15 XTU1 0.20 0.90 1.50 0.20 0.90 Dynamic 2000 1800 1600 0.6 20 8000 8000\n";
        // 2.241702 t/ha in a ton per acre, 30.48 cm in a foot, 2.326 kJ/kg in a Btu/lb.
        let metric = "METRIC\n14 XGR2 0.22417 0 0 2.241702 0 dynamic 65.6168 59.0551 49.2126 30.48 15 18608 18608 like GR2\n\
            15 XTU1 0.44834 2.017532 3.362553 0.44834 2.017532 dynamic 65.6168 59.0551 52.4934 18.288 20 18608 18608\n";
        for text in [english, metric] {
            let models = parse(text).unwrap();
            for (found, number) in models.iter().zip([102, 161]) {
                let expected = FuelModel::by_number(number).unwrap();
                // The published table is rounded to four digits.
                for (found, expected) in found.loads.iter().zip(expected.loads) {
                    assert!((found - expected).abs() < 6e-5, "{number}: {found} {expected}");
                }
                near(found.depth, expected.depth, 1e-9);
                near(found.ratios[0], expected.ratios[0], 1e-5);
                near(found.heat[0], 8000.0, 1e-9);
                near(found.heat[1], 8000.0, 1e-9);
                near(found.extinction, expected.extinction, 1e-12);
                assert_eq!((found.dynamic, &found.ratios[1..3]), (true, &[109.0, 30.0][..]));
            }
            assert_eq!((&*models[0].code, models[1].number), ("XGR2", 15));
        }
    }

    #[test]
    fn lines_of_farsite_4_are_static_and_without_a_header_english() {
        let models = parse("19 2.250 1.500 3.710 0.000 1.000 2000 1800 1500 0.600 25 8000 8500\n\n").unwrap();
        let [model] = &models[..] else { panic!("{models:?}") };
        assert_eq!((model.number, &*model.code, model.dynamic, model.heat), (19, "FM19", false, [8000.0, 8500.0]));
        near(model.loads[2], 3.71 * 0.045_913_7, 1e-6);
        near(model.loads[4], 0.045_913_7, 1e-6);
    }

    const OWN: &str = "ENGLISH\n14 OWN 1 1 1 0 0 static 2000 1800 1500 1 25 8000 8000 brush\n";

    #[test]
    fn faults_name_the_line() {
        let fault = |text: &str| parse(text).unwrap_err();
        assert!(fault("").1.contains("has no fuel model"));
        let (line, told) = fault("ENGLISH\nGRASS 1 2 3\n");
        assert!(line == 2 && told.contains("`GRASS` is no number of a fuel model"), "{told}");
        assert!(fault("14 OWN 1 1 1 0 0 static 2000 1800\n").1.contains("fuel model 14 has 7 values of 12"));
        assert!(fault("14 OWN 1 1 1 0 0 wet 2000 1800 1500 1 25 8000 8000\n").1.contains("has 0 values of 12"));
        let line = "14 OWN 1 1 1 0 0 static 2000 1800 1500 1 25 8000 8000\n";
        assert!(fault(&format!("{line}METRIC\n")).1.contains("name them in the first line"));
    }

    #[test]
    fn faults_of_values_name_the_file_and_the_model() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("own.fmd");
        let fault = |text: &str| {
            std::fs::write(&file, text).unwrap();
            read(&file).unwrap_err().to_string()
        };
        let thin = fault("14 OWN 1 1 1 0 0 static 2000 1800 1500 0 25 8000 8000\n");
        assert!(thin.contains("own.fmd: fuel model 14 has a depth in ft of 0"), "{thin}");
        let taken = fault("102 OWN 1 1 1 0 0 static 2000 1800 1500 1 25 8000 8000\n");
        assert!(taken.contains("own.fmd: fuel model 102 is a published model"), "{taken}");
    }

    proptest! {
        #[test]
        fn damaged_files_are_read_or_refused(place in 0..OWN.len(), cut in 0_usize..12, put in "[0-9a-zA-Z:.,+ \n\u{e9}-]{0,8}") {
            let text = OWN;
            let changed = format!("{}{put}{}", &text[..place], &text[(place + cut).min(text.len())..]);
            if let Ok(models) = parse(&changed) {
                // Whatever can be used has finite rates.
                let Ok(models) = FuelModels::with(models) else { return Ok(()) };
                for model in models.iter() {
                    let bed = Bed::new(model, &Moisture::of(0.05, 0.8));
                    prop_assert!(bed.still_rate.is_finite() && bed.intensity.is_finite(), "{model:?}");
                }
            }
        }
    }
}
