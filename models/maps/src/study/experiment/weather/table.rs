//! Weather in a CSV file with a column for each value of the model.

use super::super::super::setting::PERCENT;
use super::columns::Columns;
use imminent_cell::landscape::{Weather, check_percents};
use imminent_cell::rothermel::Moisture;
use imminent_study::laboratory::Fault;
use std::path::Path;

/// Columns that must be there.
const COLUMNS: [&str; 8] = ["hour", "wind", "from", "1h", "10h", "100h", "herb", "wood"];
/// Column that may be there.
const FOLIAR: &str = "foliar";
/// Default moisture of leaves, in percent.
const LEAVES: f64 = 100.0;

/// Reads the states of a table, whose winds are in the unit and at the height of the configuration.
pub(super) fn read(file: &Path, text: &str, assumed: &mut Vec<String>) -> Result<Vec<Weather>, Fault> {
    let columns = Columns::new(file, text)?;
    let begin = || format!("begin with a line `{}`", COLUMNS.join(","));
    let mut places = [0; COLUMNS.len()];
    for (place, name) in places.iter_mut().zip(COLUMNS) {
        *place = columns.place(name).ok_or_else(|| columns.missing(&format!("`{name}`: {}", begin())))?;
    }
    let foliar = columns.place(FOLIAR);
    if foliar.is_none() {
        assumed.push(format!("{}: leaves of {LEAVES} %, which it does not tell", file.display()));
    }
    let mut states = Vec::new();
    for line in columns.lines() {
        let mut numbers = [0.0; COLUMNS.len()];
        for (to, place) in numbers.iter_mut().zip(places) {
            *to = line.number(place)?;
        }
        let leaves = foliar.map_or(Ok(LEAVES), |place| line.number(place))?;
        let [_, _, _, h1, h10, h100, herb, wood] = numbers;
        check_percents([h1, h10, h100, herb, wood, leaves]).map_err(|error| line.fault(&error.to_string()))?;
        states.push(weather(numbers, leaves));
    }
    if states.is_empty() { Err(columns.fault(2, "has no weather: add a line of numbers")) } else { Ok(states) }
}

/// Makes a state of the values of a line, of which moistures are in percent.
pub(super) fn weather([hour, wind, from, h1, h10, h100, herb, wood]: [f64; 8], foliar: f64) -> Weather {
    let moisture = Moisture([h1, h10, h100, herb, wood].map(|percent| percent / PERCENT));
    Weather { hour, wind, from, moisture, foliar_moisture: foliar / PERCENT }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_table_is_read_by_the_names_of_its_columns() {
        let mut assumed = Vec::new();
        let text = "wind,hour,from,1h,10h,100h,herb,wood\n5,0,270,6,7,8,60,90\n\n9,3,200,5,6,7,60,90\n";
        let states = read("w.csv".as_ref(), text, &mut assumed).unwrap();
        assert_eq!((states.len(), states[1].hour, states[1].wind, states[1].from), (2, 3.0, 9.0, 200.0));
        assert_eq!((states[0].moisture, states[0].foliar_moisture), (Moisture([0.06, 0.07, 0.08, 0.6, 0.9]), 1.0));
        assert!(assumed[0].contains("leaves of 100 %"));
    }

    #[test]
    fn faults_name_line_and_column() {
        let fault = |text: &str| read("w.csv".as_ref(), text, &mut Vec::new()).unwrap_err().to_string();
        assert!(fault("hour,wind\n").starts_with("w.csv:1: has no column `from`"));
        assert!(
            fault("hour,wind,from,1h,10h,100h,herb,wood\n0,5,west,6,7,8,60,90")
                .contains("w.csv:2: `west` in column `from`")
        );
        assert!(fault("hour,wind,from,1h,10h,100h,herb,wood\n").contains("no weather"));
        assert!(fault("").contains("is empty"));
        let fractions = fault("hour,wind,from,1h,10h,100h,herb,wood\n0,5,270,0.06,0.07,0.08,0.6,0.9");
        assert!(fractions.starts_with("w.csv:2: 1-h moisture of 0.06 %: is it a fraction"), "{fractions}");
    }
}
