//! Positions of nodes in a table: a row for a node at a time.

use super::Trace;
use super::error::RecordError;
use super::recorded::{Recorded, Value};

/// Columns that are needed.
const EXPECTED: &str = "columns `time` (s), `node` (or `id`), `x` and `y` (m), as in `trajectories.csv`";

/// Names of the columns, the first that a table has: those of `trajectories.csv`, of tables that SUMO's `xml2csv.py`
/// makes of positions, and of tracks by others.
const COLUMNS: [&[&str]; 4] = [
    &["time", "timestep_time", "time_s", "t"],
    &["node", "id", "vehicle_id", "node_id", "track_id"],
    &["x", "vehicle_x"],
    &["y", "vehicle_y"],
];

/// Column with names of nodes beside the one by which they are told apart, as `trajectories.csv` may have it.
const TITLE: &str = "name";

/// Column of times in tables that SUMO's `xml2csv.py` makes, in which each vehicle has a row for each time step.
const OF_STEPS: &str = "timestep_time";

/// Returns `true` for the first line of a table rather than one of ns-2's traces.
pub(super) fn begins(first: &str) -> bool {
    !first.starts_with(['$', '#']) && (first.contains(',') || (first.contains(';') && !first.contains(' ')))
}

/// Reads a trace from CSV with the columns of `trajectories.csv`, in any order, among others. Commas separate the
/// columns, or semicolons. A row without node and position is a time at which nobody may be there: `trajectories.csv`
/// has such rows, and so have SUMO's tables for persons.
pub(super) fn read(text: &str) -> Result<Trace, RecordError> {
    let fault = |error: csv::Error| RecordError::Csv { reason: error.to_string() };
    let semicolons = text.trim_start().lines().next().is_some_and(|first| !first.contains(','));
    let delimiter = if semicolons { b';' } else { b',' };
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).trim(csv::Trim::All).from_reader(text.as_bytes());
    let names = reader.headers().map_err(fault)?.clone();
    let column = |columns: &'static [&'static str]| {
        let place = |name: &&str| names.iter().position(|column| column.eq_ignore_ascii_case(name));
        columns.iter().find_map(place).ok_or_else(|| RecordError::Missing {
            place: "the first line".to_owned(),
            name: columns[0],
            expected: EXPECTED,
        })
    };
    let [time, node, x, y] = COLUMNS.map(column);
    let [time, node, x, y] = [time?, node?, x?, y?];
    let has_steps = names.get(time).is_some_and(|name| name.eq_ignore_ascii_case(OF_STEPS));
    let title = names.iter().position(|name| name.eq_ignore_ascii_case(TITLE)).filter(|title| *title != node);
    let mut recorded = Recorded::new(has_steps);
    for row in reader.records() {
        let row = row.map_err(fault)?;
        let line = row.position().map_or(0, |position| position.line() as usize);
        let value = |column: usize| Value { line, text: row.get(column).unwrap_or("") };
        if [node, x, y].into_iter().all(|column| value(column).text.is_empty()) {
            if !value(time).text.is_empty() {
                recorded.time(value(time).micros()?);
            }
            continue;
        }
        let names = (value(node).text, title.map(|title| value(title).text));
        recorded.add(value(time).micros()?, names, [value(x), value(y)])?;
    }
    recorded.trace(EXPECTED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use crate::trace::{Move, Stay, Track};

    #[test]
    fn rows_in_any_order_are_movements_and_stays() {
        let text = "speed,node,time,y,x\n1,10,2,0,20\n1,9,0,0,5\n1,10,1,0,10\n1,9,1,0,5\n1,11,3,1,1\n1,9,2,0,5\n";
        let read = read(text).unwrap();
        let place = |x: i32, y: i32| Position { x: x * 1000, y: y * 1000 };
        let stay = |enter: u64, leave: u64| Stay { enter: enter * 1_000_000, leave };
        // 10 m in a second, and 2 mm more.
        let order = Move { time: 1_000_000, target: place(20, 0), speed: 10_002_000 };
        let expected = [
            Track { start: place(5, 0), moves: vec![], stay: stay(0, 3_000_000), name: Some("9".into()) },
            Track { start: place(10, 0), moves: vec![order], stay: stay(1, 3_000_000), name: Some("10".into()) },
            Track { start: place(1, 1), moves: vec![], stay: stay(3, u64::MAX), name: Some("11".into()) },
        ];
        assert_eq!(read.tracks(), expected);
    }

    #[test]
    fn tables_of_other_programs_mean_the_same() {
        let usual = read("time,node,x,y\n0,car,1,2\n1,car,3,2\n").unwrap();
        let tables = [
            "timestep_time;vehicle_angle;vehicle_id;vehicle_x;vehicle_y;person_id\n0.00;90;car;1;2;\n0.00;;;;;walker\n\
             1.00;90;car;3;2;\n",
            "t,id,x,y,speed\n0,car,1,2,2.0\n1,car,3,2,2.0\n",
            "frame,time_s,track_id,x,y\n9,0,car,1,2\n10,1,car,3,2\n",
        ];
        for table in tables {
            assert!(begins(table.lines().next().unwrap()));
            assert_eq!(read(table), Ok(usual.clone()), "{table}");
        }
        for line in ["$ns_ at 0.0 \"$node_(0) set X_ 1\"; # a, b", "set opt(x) 100; # m", "# nodes: 3, pause: 1"] {
            assert!(!begins(line), "{line}");
        }
    }

    /// Nodes 0 and 1 are called as the column `name` has it, if names differ. The time 0 counts without a node.
    #[test]
    fn a_table_of_trajectories_has_names_and_times_without_nodes() {
        let table = "time,node,x,y,name\n0,,,,\n5,0,1,2,\"b\"\n5,1,3,2,\"a\"\n10,1,3,2,\"a\"\n15,,,,\n";
        let found = read(table).unwrap();
        let track = |x: i32, leave: u64, name: &str| Track {
            start: Position { x: x * 1000, y: 2000 },
            moves: vec![],
            stay: Stay { enter: 5_000_000, leave },
            name: Some(name.into()),
        };
        assert_eq!(found.tracks(), [track(1, 10_000_000, "b"), track(3, 15_000_000, "a")]);
        let alike = read(&table.replace('a', "b").replace("nbme", "name")).unwrap();
        assert_eq!((alike.nodes(), alike.name(0)), (2, None));
    }

    /// Names of digits are names unless they are the numbers of the nodes, and stay apart.
    #[test]
    fn numbers_are_names_unless_nodes_are_counted_by_them() {
        let names = |of: [&str; 3]| {
            let [a, b, c] = of;
            let read = read(&format!("time,node,x,y\n0,{a},1,0\n0,{b},2,0\n0,{c},3,0\n")).unwrap();
            (0..3).map(|node| read.name(node).map(|name| name.to_string())).collect::<Option<Vec<_>>>()
        };
        assert_eq!(names(["0", "1", "2"]), None);
        for of in [["1", "2", "3"], ["00", "01", "02"], ["0", "1", "+1"], ["0", "1", "car"]] {
            let found = names(of).unwrap();
            assert!(of.iter().all(|name| found.iter().filter(|found| found == name).count() == 1), "{found:?}");
        }
    }

    #[test]
    fn errors_name_line_and_remedy() {
        let texts = [
            "time,node,x",
            "time,node,x,y",
            "time,node,x,y\n0,a,1,b",
            "time,node,x,y\n0,a,1,2,3",
            "time,node,x,y\n-1,a,1,2",
            "time,node,x,y\n0,a,nan,2",
            "time,node,x,y\n0,a,1,2\n0,a,1,3",
            "time,node,x,y\n0,a,1,2\n1,a,1,9000",
            "time,node,x,y\n0,a,-900000,2\n0,b,900000,2",
        ];
        let errors = texts.map(|text| read(text).unwrap_err().to_string());
        insta::assert_snapshot!(errors.join("\n"));
    }
}
