//! Traffic matrices from CSV files.

use super::demand::DemandShape;
use super::error::ConfigError;
use crate::network::files::LeftOut;
use crate::network::{Demand, Network};
use crate::units::bits_per_second;
use imminent_common::input;
use std::path::Path;

/// Reads the demands of a CSV file, at least one. Demands from a node to itself are counted as left out.
pub(super) fn demands(path: &Path, network: &Network, left_out: &mut LeftOut) -> Result<Vec<Demand>, ConfigError> {
    let wrong =
        |line: Option<u64>, problem: String| ConfigError::Matrix { file: path.display().to_string(), line, problem };
    let contents =
        input::bytes(path, input::MAX_DATA).map_err(|error| ConfigError::value("traffic.matrix", error.to_string()))?;
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(contents.as_slice());
    let mut demands = vec![];
    let mut record = csv::StringRecord::new();
    let mut rows = 0_u64;
    let headers = reader.headers().map_err(|error| wrong(Some(1), error.to_string()))?.clone();
    loop {
        let line = reader.position().line();
        match reader.read_record(&mut record) {
            Ok(false) if rows == 0 => {
                let problem =
                    "it has no demands: give rows of from, to and rate (bits per second) under a line of these names";
                return Err(wrong(None, problem.to_owned()));
            }
            Ok(false) => return Ok(demands),
            Ok(true) => rows += 1,
            Err(error) => return Err(wrong(Some(line), format!("{error}; give three columns, from, to and rate"))),
        }
        let line = record.position().map(csv::Position::line);
        let row: DemandShape = record
            .deserialize(Some(&headers))
            .map_err(|error| wrong(line, format!("{error}; give the columns from, to and rate (bits per second)")))?;
        let node = |name: &str| {
            let example = network.label(0);
            let problem = format!("'{name}' is no node of the network: name one that is, for instance '{example}'");
            network.node(name).ok_or_else(|| wrong(line, problem))
        };
        let rate = bits_per_second(row.rate)
            .ok_or_else(|| wrong(line, format!("a rate of {} bit/s is not possible: give 0 to 10^13", row.rate)))?;
        let (from, to) = (node(&row.from)?, node(&row.to)?);
        if from == to {
            left_out.demands += u64::from(rate > 0);
        } else {
            demands.push(Demand { from, to, rate });
        }
    }
}
