//! Moistures by fuel model, from a file of FARSITE and FlamMap (`.fms`).

use imminent_cell::landscape::check_percents;
use imminent_cell::rothermel::{FuelModel, FuelModels, Moisture};
use imminent_common::input;
use imminent_study::laboratory::Fault;
use std::collections::BTreeMap;
use std::path::Path;

/// Columns of a line.
const COLUMNS: &str = "fuel model, 1-h, 10-h, 100-h, herbs, live wood (percent)";
/// Moisture of leaves, which the file does not have.
const LEAVES: f64 = 100.0;
/// Greatest moisture, in percent.
const MOST: f64 = 1000.0;

/// Moistures of fuel models, as fractions of dry weight.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FuelMoistures {
    pub(super) by_fuel: BTreeMap<u16, Moisture>,
    /// Number of lines for fuel models in no table, which are left out.
    pub(super) unknown: usize,
}

/// Reads the moistures of a landscape's fuel models. Those of model 0 are taken for all models without a line.
pub(super) fn read(file: &Path, fuels: &FuelModels) -> Result<FuelMoistures, Fault> {
    parse(&input::text(file)?, fuels).map_err(|(line, fault)| format!("{}:{line}: {fault}", file.display()).into())
}

fn parse(text: &str, fuels: &FuelModels) -> Result<FuelMoistures, (usize, String)> {
    let mut lines: BTreeMap<u16, Moisture> = BTreeMap::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let fault = |fault: String| (index + 1, fault);
        let words: Vec<&str> = line.split([' ', '\t', ',']).filter(|word| !word.is_empty()).collect();
        let [number, rest @ ..] = &words[..] else { continue };
        // Words after the numbers are a comment.
        let percents: Vec<f64> = rest.iter().map_while(|word| word.parse().ok()).collect();
        // FlamMap 6 also writes the moisture of dead fuel of 1000 h, which no fire here has.
        let (&[h1, h10, h100, herb, wood] | &[h1, h10, h100, herb, wood, _]) = &percents[..] else {
            return Err(fault(format!("`{}` is no line of six numbers: give {COLUMNS}", line.trim())));
        };
        let number: u16 = number.parse().map_err(|_| fault(format!("`{number}` is no fuel model: give {COLUMNS}")))?;
        check_percents([h1, h10, h100, herb, wood, LEAVES]).map_err(|error| fault(error.to_string()))?;
        let moistures = [h1, h10, h100, herb, wood];
        if let Some(percent) = moistures.into_iter().find(|percent| !(0.0..=MOST).contains(percent)) {
            return Err(fault(format!("a moisture of {percent} %: give 0 to {MOST} %")));
        }
        if lines.insert(number, Moisture(moistures.map(|percent| percent / 100.0))).is_some() {
            return Err(fault(format!("fuel model {number} has a line before: leave one out")));
        }
    }
    let default = lines.remove(&0);
    let unknown = lines.keys().filter(|number| fuels.get(**number).is_none()).count();
    let of_model = |model: &FuelModel| Some((model.number, lines.get(&model.number).copied().or(default)?));
    let by_fuel: BTreeMap<u16, Moisture> = fuels.iter().filter_map(of_model).collect();
    if by_fuel.is_empty() {
        Err((1, format!("has no fuel model of the tables: give lines of {COLUMNS}")))
    } else {
        Ok(FuelMoistures { by_fuel, unknown })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn parse(text: &str) -> Result<FuelMoistures, (usize, String)> {
        super::parse(text, &FuelModels::default())
    }

    #[test]
    fn lines_are_fuel_models_and_percents() {
        let found = parse("1 3 4 5 30 60 12\n\n 102\t6 7 8 60.5 90\n250,6,7,8,60,90\n").unwrap();
        assert_eq!((found.by_fuel.len(), found.unknown), (2, 1));
        assert_eq!(found.by_fuel[&102], Moisture([0.06, 0.07, 0.08, 0.605, 0.9]));
        let rest = parse("0 6 7 8 60 90\n1 3 4 5 30 60\n").unwrap();
        assert_eq!(rest.by_fuel.len(), FuelModel::all().len());
        assert_eq!((rest.by_fuel[&1].0[0], rest.by_fuel[&204].0[0]), (0.03, 0.06));
    }

    #[test]
    fn faults_name_the_line() {
        let fault = |text: &str| parse(text).unwrap_err();
        assert_eq!(fault("1 3 4 5 30 60 grass\n2 3 4\n").0, 2);
        assert!(fault("1 3 4 x 5 30 60\n").1.contains("no line of six numbers"));
        assert!(fault("grass 3 4 5 30 60\n").1.contains("`grass` is no fuel model"));
        assert!(fault("1 0.03 0.04 0.05 0.3 0.6\n").1.contains("is it a fraction"));
        assert!(fault("1 3 4 5 30 2000\n").1.contains("0 to 1000 %"));
        assert!(fault("1 3 4 5 30 60\n1 3 4 5 30 60\n").1.contains("has a line before"));
        assert!(fault("").1.contains("has no fuel model"));
    }
}
