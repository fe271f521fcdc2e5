//! Positions of nodes in a table: a row for a node at a time.

use super::Trace;
use super::error::RecordError;
use super::recorded::{Recorded, Value};

/// Columns that are needed.
const EXPECTED: &str = "columns `time` (s), `node`, `x` and `y` (m), as in `trajectories.csv`";

/// Reads a trace from CSV with the columns of `trajectories.csv`, in any order, among others.
pub(super) fn read(text: &str) -> Result<Trace, RecordError> {
    let fault = |error: csv::Error| RecordError::Csv { reason: error.to_string() };
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let names = reader.headers().map_err(fault)?.clone();
    let column = |name: &'static str| {
        let place = names.iter().position(|column| column.eq_ignore_ascii_case(name));
        place.ok_or_else(|| RecordError::Missing { place: "the first line".to_owned(), name, expected: EXPECTED })
    };
    let [time, node, x, y] = [column("time")?, column("node")?, column("x")?, column("y")?];
    let mut recorded = Recorded::default();
    for row in reader.records() {
        let row = row.map_err(fault)?;
        let line = row.position().map_or(0, |position| position.line() as usize);
        let value = |column: usize| Value { line, text: row.get(column).unwrap_or("") };
        recorded.add(value(time).micros()?, value(node).text, [value(x), value(y)])?;
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
            Track { start: place(5, 0), moves: vec![], stay: stay(0, 3_000_000) },
            Track { start: place(10, 0), moves: vec![order], stay: stay(1, 3_000_000) },
            Track { start: place(1, 1), moves: vec![], stay: stay(3, u64::MAX) },
        ];
        assert_eq!(read.tracks(), expected);
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
