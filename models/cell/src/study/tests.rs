#![allow(clippy::unwrap_used)]

use super::{RuleFile, model};
use crate::fire::Fire;
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use imminent_study::conduct::{Ending, conduct};
use imminent_study::definition::{Axis, Definition};
use imminent_study::experiment::OptionValues;
use imminent_study::{Catalogue, Configuration, Means, Model, Planned, Results};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

/// A line of cells, of which each takes the value of its left neighbour after a second.
const SHIFT: &str = "[top]
components : line

[line]
type : cell
dim : (1, 5)
delay : transport
defaultDelayTime : 1000
border : nowrapped
neighbors : line(0,-1) line(0,0)
initialvalue : 0
initialrowvalue : 0 70000
localtransition : shift

[shift]
rule : {(0,-1)} 1000 { (0,-1) > 0 }
rule : {(0,0)} 1000 { t }
";

fn plan(definition: &Definition, folder: &Path) -> Result<Planned, String> {
    Catalogue::default().with(model::<RuleFile>()).plan(definition, folder).map_err(|error| error.to_string())
}

/// After k seconds the first cell's 7 has reached k cells to its right.
#[test]
fn a_rule_file_is_studied_by_its_length() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("shift.ma"), SHIFT).unwrap();
    let horizons = [1.5 / 3600.0, 3.5 / 3600.0];
    let definition = Definition::new("cells").fix("rules", "shift.ma").axis(Axis::values("horizon", horizons));
    let Planned { model, base, study, .. } = plan(&definition, folder.path()).unwrap();
    let device = Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap();
    let mut laboratory = model.open(&base, &device, &Means::default()).unwrap();
    let mut results = Results::new(&study).unwrap();
    let ending = conduct(&study, &mut results, laboratory.as_mut(), None, &mut |_| ControlFlow::Continue(()));
    assert_eq!(ending.unwrap(), Ending::Complete);
    let changed = |run: u64| results.value(run, 1).unwrap();
    assert_eq!((changed(0), changed(1)), (1.0 / 5.0, 3.0 / 5.0));
    assert_eq!(results.value(1, 3), Some(3.0));
}

/// A cell outside of the grid is told by the key, from which programs tell the option.
#[test]
fn a_misfit_is_told_by_its_key() {
    let fire = model::<Fire>();
    let mut configuration = Configuration::read(&fire, None).unwrap();
    configuration.set_text("ignite", "[[9999, 9]]").unwrap();
    let told = fire.experiments().unwrap().prepare(&mut configuration, &OptionValues::default()).map(drop).unwrap_err();
    assert!(told.to_string().starts_with("ignite: "), "{told}");
}

#[test]
fn a_missing_rule_file_is_named() {
    let error = plan(&Definition::new("cells"), Path::new("")).unwrap_err();
    assert!(error.contains("names no rule file"), "{error}");
    let error = plan(&Definition::new("cells").fix("rules", "no.ma"), Path::new("")).unwrap_err();
    assert!(error.contains("fixed.rules") && error.contains("no.ma"), "{error}");
}
