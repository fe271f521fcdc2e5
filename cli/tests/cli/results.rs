//! Tables, traces and folders of results.

#[cfg(feature = "parquet")]
use super::json;
use super::{SMALL, imminent, refused, small, text};
use serde_json::Value;
use std::fs;

#[test]
fn people_get_a_table() {
    let output = imminent(&SMALL[..8]);
    let table = text(&output.stdout);
    assert!(output.status.success() && table.contains("utilization") && table.contains("digest"), "{table}");
}

#[test]
fn results_are_written_where_asked() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new").join("place");
    let output = imminent(&small(&["--out", out.to_str().unwrap()]));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report: Value = serde_json::from_str(&fs::read_to_string(out.join("result.json")).unwrap()).unwrap();
    let nodes = fs::read_to_string(out.join("nodes.csv")).unwrap();
    assert_eq!(nodes.lines().count(), 1 + 48);
    let served: u64 = nodes.lines().skip(1).map(|line| line.split(',').nth(2).unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(report["events"].as_u64(), Some(served));
}

/// Every row of a Parquet file, as the Arrow project's reader sees it.
#[cfg(feature = "parquet")]
pub(super) fn rows(file: &std::path::Path) -> Vec<parquet::record::Row> {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    let reader = SerializedFileReader::new(fs::File::open(file).unwrap()).unwrap();
    reader.get_row_iter(None).unwrap().map(Result::unwrap).collect()
}

#[cfg(feature = "parquet")]
#[test]
fn the_tables_of_nodes_agree() {
    use parquet::record::RowAccessor;
    let folder = tempfile::tempdir().unwrap();
    let output = imminent(&small(&[
        "--out",
        folder.path().to_str().unwrap(),
        "--batches",
        "5",
        "--warm-up",
        "20",
        "--histogram",
    ]));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let csv = fs::read_to_string(folder.path().join("nodes.csv")).unwrap();
    let names: Vec<_> = csv.lines().next().unwrap().split(',').collect();
    let column = |name: &str| names.iter().position(|other| *other == name).unwrap();
    let rows = rows(&folder.path().join("nodes.parquet"));
    assert_eq!(rows.len(), 48);
    for (row, line) in rows.iter().zip(csv.lines().skip(1)) {
        let values: Vec<_> = line.split(',').collect();
        assert_eq!(row.get_ulong(column("completed")).unwrap().to_string(), values[column("completed")]);
        assert_eq!(row.get_string(column("label")).unwrap(), values[column("label")].trim_matches('"'));
        for name in ["utilization", "utilization_ci95", "sojourn"] {
            assert_eq!(row.get_double(column(name)).unwrap().to_string(), values[column(name)], "{name}");
        }
    }
    // Five cells and the one of the warm-up's end, which is where they begin.
    assert_eq!(fs::read_to_string(folder.path().join("series.csv")).unwrap().lines().count(), 1 + 5);
    let completed: u64 = rows.iter().map(|row| row.get_ulong(column("completed")).unwrap()).sum();
    let histogram = fs::read_to_string(folder.path().join("histogram.csv")).unwrap();
    let sojourns = histogram.lines().filter(|line| line.starts_with("\"sojourn\""));
    assert_eq!(sojourns.map(|line| line.split(',').nth(3).unwrap().parse::<u64>().unwrap()).sum::<u64>(), completed);
    // Quantiles are told with their intervals and their error, and lie between the extremes.
    let report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("result.json")).unwrap()).unwrap();
    let times = &report["times"];
    assert!(times["relative_error"].as_f64().unwrap() < 0.01, "{times}");
    for time in ["waiting", "sojourn"].map(|name| &times[name]) {
        let value = |name: &str| time["quantiles"][name]["value"].as_f64().unwrap();
        let (least, greatest) = (time["least"].as_f64().unwrap(), time["greatest"].as_f64().unwrap());
        let order = [least, value("p50"), value("p90"), value("p95"), value("p99"), greatest];
        assert!(order.is_sorted() && time["visits"] == completed, "{time}");
        assert!(time["quantiles"]["p95"]["ci95"].as_f64().unwrap() > 0.0, "{time}");
    }
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
    assert!(roxmltree::Document::parse_with_options(&page, options).is_ok());
}

#[cfg(feature = "parquet")]
#[test]
fn traces_of_both_forms_hold_the_same_visits() {
    use parquet::record::RowAccessor;
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let traced =
        |name: &str, more: &[&str]| json(&small(&[&["--replications", "2", "--record", &file(name)], more].concat()));
    let report = traced("all.bin", &[]);
    traced("all.parquet", &["--engine", "sequential"]);
    let bytes = fs::read(folder.path().join("all.bin")).unwrap();
    assert_eq!(&bytes[..8], b"IMTRACE1");
    let records: Vec<_> = bytes[8..].chunks(48).collect();
    let rows = rows(&folder.path().join("all.parquet"));
    assert_eq!((records.len(), bytes.len() % 48), (rows.len(), 8));
    let (events, visits) = (report["events"].as_u64().unwrap(), rows.len() as u64);
    // All services but those under way at the ends of the replications, of which there are at most 48.
    assert!(visits <= events && events <= visits + 96, "{visits} of {events}");
    for (record, row) in records.iter().zip(&rows) {
        let word = |at: usize| u64::from(u32::from_le_bytes(record[at..at + 4].try_into().unwrap()));
        let long = |at: usize| u64::from_le_bytes(record[at..at + 8].try_into().unwrap());
        let fields = [word(0), word(4), word(8), word(12), long(16), long(24), long(32), long(40)];
        assert_eq!(fields.map(Some), std::array::from_fn(|column| row.get_ulong(column).ok()));
    }
    traced("some.bin", &["--record-sample", "0.25"]);
    let some = fs::read(folder.path().join("some.bin")).unwrap();
    let kept: std::collections::HashSet<_> = records.iter().collect();
    assert!(some[8..].chunks(48).all(|record| kept.contains(&record)));
    assert!((0.15..0.35).contains(&(some.len() as f64 / bytes.len() as f64)));
    refused(&small(&["--record", "trace.csv"]), &["--record trace.csv: ", ".parquet or .bin"]);
    refused(&small(&["--trace", "trace.bin"]), &["--trace is called --record now"]);
    refused(&small(&["--record", &file("x.bin"), "--record-sample", "2"]), &["at most 1"]);
    let clustered = small(&["--engine", "interval", "--interval", "2", "--record"]);
    let output = imminent(&[&clustered[..], &[file("y.bin").as_str()]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("use an exact engine"));
}

#[test]
fn a_file_that_cannot_be_begun_is_refused_before_the_run() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let inside = file.path().join("visits.bin");
    for option in ["--out", "--record"] {
        refused(&small(&[option, inside.to_str().unwrap()]), &["visits.bin", "cannot be"]);
    }
}

#[test]
fn a_folder_with_other_files_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    fs::write(folder.path().join("thesis.tex"), "years of work").unwrap();
    fs::write(folder.path().join("result.json"), "of an earlier run").unwrap();
    refused(&small(&["--out", out]), &["thesis.tex", "--force"]);
    assert_eq!(fs::read_to_string(folder.path().join("result.json")).unwrap(), "of an earlier run");
    assert!(imminent(&small(&["--out", out, "--force"])).status.success());
    assert_eq!(fs::read_to_string(folder.path().join("thesis.tex")).unwrap(), "years of work");
    assert!(fs::read_to_string(folder.path().join("result.json")).unwrap().contains("digest"));
    fs::remove_file(folder.path().join("thesis.tex")).unwrap();
    // What an earlier run has written may be replaced.
    assert!(imminent(&small(&["--out", out])).status.success());
    let file = folder.path().join("result.json").display().to_string();
    refused(&small(&["--out", &file]), &["is no folder"]);
    refused(&small(&["--force"]), &["--out"]);
}
