//! Positions that SUMO records: its floating car data.
//!
//! Format: <https://sumo.dlr.de/docs/Simulation/Output/FCDOutput.html>.

use super::Trace;
use super::error::RecordError;
use super::recorded::{Recorded, Value};
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

/// Elements that are needed.
const EXPECTED: &str =
    "elements `timestep` with `vehicle`, `person` or `container`, as SUMO's `--fcd-output` writes them";

/// Reads a trace from SUMO's file of positions.
pub(super) fn read(text: &str) -> Result<Trace, RecordError> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut lines = Lines { text, at: 0, line: 1 };
    let mut recorded = Recorded::new(true);
    let mut now = None;
    loop {
        let line = lines.at(reader.buffer_position() as usize);
        let fault = |reason: String| RecordError::Xml { line, reason };
        match reader.read_event().map_err(|error| fault(error.to_string()))? {
            Event::Start(element) => match element.name().as_ref() {
                "timestep" => {
                    let micros = Value { line, text: &needed(&element, line, "time")? }.micros()?;
                    recorded.time(micros);
                    now = Some(micros);
                }
                "vehicle" | "person" | "container" => {
                    let micros = now.ok_or_else(|| fault("a position is outside of a `timestep`".to_owned()))?;
                    let [id, x, y] =
                        [needed(&element, line, "id")?, needed(&element, line, "x")?, needed(&element, line, "y")?];
                    recorded.add(micros, (&id, None), [Value { line, text: &x }, Value { line, text: &y }])?;
                }
                _ => {}
            },
            Event::End(element) if element.name().as_ref() == "timestep" => now = None,
            Event::Eof => break,
            _ => {}
        }
    }
    recorded.refuse_degrees()?;
    recorded.trace(EXPECTED)
}

/// Returns an attribute that an element has to have.
fn needed(element: &BytesStart<'_>, line: usize, name: &'static str) -> Result<String, RecordError> {
    let fault = |reason: String| RecordError::Xml { line, reason };
    let found = element.try_get_attribute(name).map_err(|error| fault(error.to_string()))?;
    let found = found.ok_or_else(|| {
        let element = element.name().as_ref().to_owned();
        RecordError::Missing { place: format!("line {line}: `{element}`"), name, expected: EXPECTED }
    })?;
    let value = found.normalized_value(XmlVersion::Explicit1_0).map_err(|error| fault(error.to_string()))?;
    Ok(value.into_owned())
}

/// Counter of lines.
struct Lines<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl Lines<'_> {
    /// Returns the line of a place in the text, not before that of the last call.
    fn at(&mut self, place: usize) -> usize {
        let passed = &self.text.as_bytes()[self.at..place.clamp(self.at, self.text.len())];
        self.line += passed.iter().filter(|byte| **byte == b'\n').count();
        self.at = place.max(self.at);
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use crate::trace::{Move, Stay, Track};

    /// SUMO's way of writing; times are from 100 s on.
    const TWO: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!-- generated -->
<fcd-export xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
    <timestep time="100.00">
        <vehicle id="flow.0" x="-5.10" y="2.00" angle="90.00" type="DEFAULT_VEHTYPE" speed="20.00" lane="e_0"/>
    </timestep>
    <timestep time="101.00">
        <vehicle id="flow.0" x="14.90" y="2.00" speed="20.00"/>
        <person id="a &amp; b" x="0.00" y="7.00" speed="1.00"/>
    </timestep>
    <timestep time="102.00">
        <person id="a &amp; b" x="0.00" y="7.00" speed="1.00"/>
    </timestep>
    <timestep time="103.00"/>
</fcd-export>
"#;

    #[test]
    fn cars_enter_and_leave() {
        let read = read(TWO).unwrap();
        let place = |x: i32, y: i32| Position { x, y };
        let car = Track {
            start: place(0, 2_000),
            moves: vec![Move { time: 0, target: place(20_000, 2_000), speed: 20_002_000 }],
            stay: Stay { enter: 0, leave: 2_000_000 },
            name: Some("flow.0".into()),
        };
        let person = Track {
            start: place(5_100, 7_000),
            moves: vec![],
            stay: Stay { enter: 1_000_000, leave: 3_000_000 },
            name: Some("a & b".into()),
        };
        assert_eq!(read.tracks(), [car, person]);
        assert_eq!(
            (read.find("a & b"), read.find("flow.1"), read.name(1).map(|name| &**name)),
            (Some(1), None, Some("a & b"))
        );
        // Names are written and read.
        assert_eq!(Trace::read(&read.to_string()), Ok(read));
    }

    /// SUMO leaves a car out while it is teleported. It stays, and is told of.
    #[test]
    fn a_car_that_is_left_out_for_a_while_is_counted() {
        let steps = |of: [&str; 4]| {
            let step = |(time, cars): (usize, &str)| {
                let cars = cars.chars().map(|car| format!("<vehicle id='{car}' x='{time}' y='0'/>"));
                format!("<timestep time='{time}'>{}</timestep>", cars.collect::<String>())
            };
            let steps: String = of.into_iter().enumerate().map(step).collect();
            read(&format!("<fcd-export>{steps}</fcd-export>")).unwrap()
        };
        for (cars, interrupted) in [
            (["ab", "ab", "ab", "ab"], 0),
            (["a", "ab", "b", ""], 0),
            (["ab", "a", "ab", "b"], 1),
            (["ab", "", "", "ab"], 2),
        ] {
            assert_eq!(steps(cars).interrupted(), interrupted, "{cars:?}");
        }
        let left_out = steps(["ab", "a", "ab", "b"]);
        let track = &left_out.tracks()[1];
        assert_eq!((track.stay.enter, track.stay.leave, track.moves.len()), (0, u64::MAX, 2));
    }

    /// Names that differ by a blank, or by a character that no line can have, are two names.
    #[test]
    fn names_stay_apart() {
        let cars: String =
            ["a", " a", "a&#9;", "a ", ""].map(|id| format!("<vehicle id='{id}' x='1' y='0'/>")).concat();
        let read = read(&format!("<timestep time='0'>{cars}</timestep>")).unwrap();
        let names: Vec<_> = (0..5).map(|node| read.name(node).unwrap().to_string()).collect();
        assert_eq!(names, ["a", " a", "a\t", "a ", ""]);
        assert_eq!(Trace::read(&read.to_string()), Ok(read));
    }

    #[test]
    fn errors_name_line_and_remedy() {
        let degrees =
            "<timestep time='0'><vehicle id='a' x='13.4' y='52.5'/><vehicle id='b' x='13.5' y='52.6'/></timestep>";
        let texts = [
            TWO.replace("time=\"101.00\"", ""),
            TWO.replace("x=\"14.90\"", "x=\"east\""),
            TWO.replace("</timestep>", ""),
            TWO.replace("id=\"flow.0\"", ""),
            "<fcd-export><vehicle id='a' x='1' y='2'/></fcd-export>".to_owned(),
            "<fcd-export/>".to_owned(),
            degrees.to_owned(),
        ];
        let errors = texts.map(|text| read(&text).unwrap_err().to_string());
        insta::assert_snapshot!(errors.join("\n"));
    }
}
