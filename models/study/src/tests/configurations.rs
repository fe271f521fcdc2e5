//! Keys that are given values, one inside the other, out of range, without effect and several times.

use crate::laboratory::{Fault, Laboratory};
use crate::{Base, Configuration, Definition, Description, Keys, Means, Model, Planned, Point, Possible, Unused};
use imminent_core::Device;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fs;
use std::sync::Arc;

/// Configuration of a model of fires.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Fires {
    /// Cells that burn at first.
    ignite: Vec<[u32; 2]>,
    /// Cells that never burn.
    rocks: Vec<[u32; 2]>,
    /// The wind.
    wind: Wind,
    /// Length of a run.
    #[schemars(range(min = 1.0, max = 100.0))]
    horizon: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Wind {
    /// Speed.
    #[schemars(range(min = 1))]
    speed: u32,
    /// Direction, which still air does not have.
    from: u32,
    /// `true` for still air.
    still: bool,
}

impl Default for Fires {
    fn default() -> Self {
        Self { ignite: vec![], rocks: vec![], wind: Wind::default(), horizon: 10.0 }
    }
}

impl Default for Wind {
    fn default() -> Self {
        Self { speed: 5, from: 90, still: true }
    }
}

#[derive(Debug)]
struct FireModel;

impl Model for FireModel {
    fn description(&self) -> Description {
        Description::new("fires", "1", "Fires.").measure(crate::description::Measure::new("burnt", "", "Burnt cells."))
    }

    fn keys(&self) -> Keys {
        Keys::of::<Fires>()
    }

    fn possible(&self, _: &Arc<Base>) -> Possible {
        Box::new(|_| Ok(()))
    }

    fn unused(&self, base: &Base, point: &Point) -> Vec<Unused> {
        let is_still = base.config::<Fires>(point).unwrap().wind.still;
        is_still.then(|| Unused::new("wind.from", "the air is still")).into_iter().collect()
    }

    fn open(&self, _: &Arc<Base>, _: &Device, _: &Means) -> Result<Box<dyn Laboratory + Send>, Fault> {
        Err("it has no engine".into())
    }
}

fn configuration() -> Configuration {
    Configuration::read(&FireModel, None).unwrap()
}

/// Gives keys values in turn, and returns the configuration or the last problem.
fn set(given: &[(&str, &str)]) -> Result<Configuration, String> {
    let mut configuration = configuration();
    given.iter().try_for_each(|(key, text)| configuration.set_text(key, text))?;
    Ok(configuration)
}

fn planned(configuration: &Configuration) -> Result<Planned, String> {
    let model: Arc<dyn Model> = Arc::new(FireModel);
    Planned::of(&model, configuration, Definition::new("fires")).map_err(|fault| fault.to_string())
}

#[test]
fn a_table_replaces_no_key_that_was_given_before() {
    let refused = set(&[("wind.speed", "7"), ("wind", "{ from = 3 }")]).unwrap_err();
    assert_eq!(refused, "`wind` would replace `wind.speed`, which was given too: give only one of them");
    // A key may be given after the table around it.
    let fires: Fires = set(&[("wind", "{ from = 3 }"), ("wind.speed", "7")]).unwrap().parse().unwrap();
    assert_eq!(fires.wind, Wind { speed: 7, from: 3, still: true });
}

#[test]
fn values_inside_lists_and_tables_are_checked() {
    for (key, text, problem) in [
        ("wind", "{ speed = 0 }", "`wind.speed`: 0 is not possible: give whole numbers from 1 to 4294967295"),
        ("ignite", "[[1, 1], [2, -3]]", "`ignite[1][1]`: -3 is not possible: give whole numbers from 0 to 4294967295"),
        ("ignite", "[[1, 1]]\nhorizon = 3", "is a list or a table: write it as in TOML, for instance [1, 2]"),
        ("ignite", "[[1, 1]", "is a list or a table: write it as in TOML"),
    ] {
        let refused = set(&[(key, text)]).unwrap_err();
        assert!(refused.starts_with(problem), "{refused}");
    }
    let fires: Fires = set(&[("ignite", "[[1, 1],\n  [2, 3]] ")]).unwrap().parse().unwrap();
    assert_eq!(fires.ignite, [[1, 1], [2, 3]]);
}

#[test]
fn keys_without_effect_are_found_in_tables_and_files() {
    let refused = |given| planned(&set(given).unwrap()).unwrap_err();
    assert_eq!(refused(&[("wind", "{ from = 3 }")]), "wind: `wind.from` has no effect: the air is still; leave it out");
    assert!(refused(&[("wind.from", "3")]).starts_with("wind.from: `wind.from` has no effect: the air is still"));
    assert_eq!(planned(&set(&[("wind", "{ speed = 3 }")]).unwrap()).unwrap().warnings, [""; 0]);
    assert_eq!(planned(&set(&[("wind", "{ from = 3, still = false }")]).unwrap()).unwrap().warnings, [""; 0]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("fires.toml");
    fs::write(&file, "horizon = 3\n[wind]\nfrom = 3\n").unwrap();
    let of_file = planned(&Configuration::read(&FireModel, Some(&file)).unwrap()).unwrap();
    let warning = format!("{}, line 3: wind.from: has no effect: the air is still", file.display());
    assert_eq!(of_file.warnings, [warning]);
}

/// A study of lists has a revision of its own for each list, however often and in which order lists are given.
#[test]
fn lists_are_told_apart_by_their_keys() {
    let revision = |given: &[(&str, &str)]| planned(&set(given).unwrap()).unwrap().study.description().revision.clone();
    let (list, other) = ("[[1, 1]]", "[[2, 2]]");
    assert_ne!(revision(&[("ignite", list)]), revision(&[("rocks", list)]));
    assert_eq!(revision(&[("ignite", list), ("ignite", list)]), revision(&[("ignite", list)]));
    let both = revision(&[("ignite", list), ("rocks", other)]);
    assert_eq!(revision(&[("rocks", other), ("ignite", list)]), both);
    assert_ne!(revision(&[("ignite", other), ("rocks", list)]), both);
    assert_eq!(revision(&[("horizon", "3")]), "1");
}

#[test]
fn a_configuration_without_what_was_given_is_that_of_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("fires.toml");
    fs::write(&file, "horizon = 3\n").unwrap();
    let read = Configuration::read(&FireModel, Some(&file)).unwrap();
    let mut given = read.clone();
    given.set_text("horizon", "4").unwrap();
    given.set_text("wind.speed", "4").unwrap();
    let ungiven = given.ungiven();
    assert_eq!((ungiven.table(), ungiven.given().count(), ungiven.file()), (read.table(), 0, Some(&*file)));
    assert_eq!((given.value("horizon"), given.value("wind.from")), (Some(4.0.into()), Some(90.into())));
}

#[test]
fn values_that_were_taken_are_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("fires.toml");
    fs::write(&file, "horizon = 3\n[wind]\nfrom = 3\n").unwrap();
    let mut configuration = Configuration::read(&FireModel, Some(&file)).unwrap();
    configuration.set_text("horizon", "4").unwrap();
    configuration.set_text("wind", "{ from = 5 }").unwrap();
    configuration.set_text("wind.speed", "7").unwrap();
    let before = configuration.clone();
    let fires: Fires = configuration.take().unwrap();
    let wind = Wind { speed: 7, from: 5, ..Wind::default() };
    assert_eq!(fires, Fires { wind, horizon: 4.0, ..Fires::default() });
    assert_eq!(configuration.table(), before.table());
    let of_file = configuration.ungiven();
    assert_eq!(of_file.value("wind.from"), Some(3.into()));
}
