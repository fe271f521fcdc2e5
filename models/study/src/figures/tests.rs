//! Tests of the measurement of figures.

use super::*;
use crate::options::Options as Described;
use imminent_common::figure::{Plot, Point as At};
use serde::Deserialize;

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Own {
    /// Sizes.
    #[schemars(inner(range(min = 1)))]
    sizes: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
struct Setting {
    size: u32,
    bytes: Option<u32>,
}

#[derive(Debug, Serialize)]
struct Found {
    seconds: f64,
}

fn settings(own: &Own) -> Vec<Setting> {
    own.sizes.iter().map(|&size| Setting { size, bytes: None }).collect()
}

fn contents(results: &Results<'_, Setting, Vec<Found>>) -> Vec<Content> {
    let describe = |setting: &Setting| vec![setting.size.to_string()];
    let total = |point: &Point<Setting, Vec<Found>>| point.found.iter().map(|found| found.seconds).sum::<f64>();
    let table = results.table(&["size"], results.settings, describe, |point| total(point).to_string());
    let at = |point: &Point<Setting, Vec<Found>>| Some(At::new(f64::from(point.setting.size), total(point)));
    vec![table, Content::Plot(Plot::new(lines(results.at(results.first()), at, |_| "all".to_owned()), ["", ""], ""))]
}

/// Two figures that share their settings. The second has also settings of the third beside them, on a place of its own.
fn figures() -> Figures {
    let twice = Figure { beside: &[Usual::Host], ..Figure::new("2", "Figure 2", settings, contents) };
    Figures::from(Publication {
        name: "sizes",
        about: "Sizes.",
        title: "Sizes",
        introduction: "Sizes, measured anew.",
        places: &[Usual::Host],
        figures: vec![Figure::new("1", "Figure 1", settings, contents), twice],
        measure: |_: Own| {
            Box::new(|setting, place| match setting.size {
                13 => Err("there is no such size".into()),
                size if place.is_beside => Ok(vec![Found { seconds: f64::from(size) }]),
                size => Ok([1.0, 0.5].map(|part| Found { seconds: part * f64::from(size) }).into()),
            })
        },
    })
}

fn places() -> [Place; 2] {
    [("host", false), ("other", true)].map(|(name, is_beside)| Place {
        name: name.to_owned(),
        device: None,
        threads: None,
        is_beside,
    })
}

fn shown(sizes: &str, asked: &[usize], go_on: GoOn<'_>) -> Shown {
    let options = Described::of::<Own>().read([("sizes", sizes)]).unwrap();
    figures().measure(options, asked, &places(), go_on).unwrap()
}

#[test]
fn settings_that_figures_share_are_measured_once() {
    let shown = shown("4,2,13", &[0, 1], &mut |_, all| all == 6);
    let text = |row: &serde_json::Map<String, serde_json::Value>| serde_json::to_string(row).unwrap();
    let rows: Vec<_> = shown.rows.iter().map(text).collect();
    // Lists of results have a row for each element.
    assert_eq!(rows.len(), 2 * 2 + 2, "{rows:?}");
    let first = r#"{"figures":"1 2","on":"host","device":"one after the other","size":4,"bytes":null,"seconds":4.0}"#;
    assert_eq!(rows[0], first);
    assert!(rows.iter().all(|row| row.contains("\"other\"") == row.contains("\"figures\":\"2\"")), "{rows:?}");
    assert_eq!(shown.left_out, ["size 13 on host: there is no such size", "size 13 on other: there is no such size"]);
    let [(title, first), (_, second)] = &shown.parts[..] else { panic!("{shown:?}") };
    // Places beside those of the user have no columns.
    let rows = [["4", "6"], ["2", "3"], ["13", "–"]].map(|row| row.map(str::to_owned).to_vec()).to_vec();
    let columns = ["size", "host"].map(str::to_owned).to_vec();
    assert_eq!((*title, &first[0], first), ("Figure 1", &Content::Table { columns, rows }, second));
    let Content::Plot(plot) = &first[1] else { panic!("{first:?}") };
    assert_eq!(plot.lines[0].points, [At::new(2.0, 3.0), At::new(4.0, 6.0)]);
}

#[test]
fn interrupted_figures_have_what_was_measured() {
    let shown = shown("1,2,3", &[0], &mut |done, _| done < 2);
    assert_eq!((shown.done, shown.all, shown.rows.len()), (2, 3, 4));
}
