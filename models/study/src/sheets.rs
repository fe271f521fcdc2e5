//! Tables of a study: runs, and points.

use super::description::Domain;
use super::plan::Study;
use super::results::{Results, Summary};
use super::value;
use imminent_common::sheet::{Kind, Sheet, Value};
use std::cell::Cell;

/// A row for each run that is finished: its number, parameters, seed, events and measures.
#[derive(Debug)]
pub struct Runs<'a> {
    study: &'a Study,
    results: &'a Results,
    /// Runs that are finished; `None` if all are.
    runs: Option<Vec<u64>>,
    /// Places of the parameters, in the order of their columns.
    order: Vec<usize>,
}

impl<'a> Runs<'a> {
    /// Creates the table of results.
    #[must_use]
    pub fn new(study: &'a Study, results: &'a Results) -> Self {
        let runs = (results.done() < results.runs()).then(|| results.finished().iter().collect());
        Self { study, results, runs, order: order(study) }
    }
}

impl Sheet for Runs<'_> {
    fn name(&self) -> &'static str {
        "runs"
    }

    fn columns(&self) -> Vec<(String, Kind)> {
        let counts = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), Kind::Count)).collect::<Vec<_>>();
        let measures = self.study.description().measures.iter();
        let measures = measures.map(|measure| (measure.name.clone(), Kind::Number)).collect();
        let parts = [
            counts(&["run", "point", "repetition"]),
            parameters(self.study, &self.order),
            counts(&["seed", "events"]),
            measures,
        ];
        parts.concat()
    }

    fn rows(&self) -> usize {
        self.runs.as_ref().map_or(self.results.runs() as usize, Vec::len)
    }

    fn value(&self, row: usize, column: usize) -> Value {
        let run = self.runs.as_ref().map_or(Some(row as u64), |runs| runs.get(row).copied());
        let Some(run) = run else { return Value::Number(None) };
        let (point, repetition) = (run / self.study.repetitions(), run % self.study.repetitions());
        let parameters = self.order.len();
        match column {
            0 => Value::Count(run),
            1 => Value::Count(point),
            2 => Value::Count(repetition),
            _ if column < 3 + parameters => parameter(self.study, point, self.order.get(column - 3)),
            _ => match column - 3 - parameters {
                0 => Value::Count(self.study.seed_of(point, repetition).unwrap_or(0)),
                1 => Value::Count(self.results.events(run).unwrap_or(0)),
                measure => Value::Number(self.results.value(run, measure - 2)),
            },
        }
    }
}

/// A row for each measure at each point.
#[derive(Debug)]
pub struct Points<'a> {
    study: &'a Study,
    results: &'a Results,
    /// Places of the parameters, in the order of their columns.
    order: Vec<usize>,
    /// The row that was asked for last, and its summary: tables are mostly written row by row.
    last: Cell<Option<(usize, Summary)>>,
}

/// A number of a summary.
type Statistic = fn(&Summary) -> Option<f64>;

/// Name of the column of half-widths, until the confidence is known.
const HALF_WIDTH: &str = "ci95";

/// Columns of a summary of a measure.
const SUMMARY: [(&str, Statistic); 9] = [
    ("mean", |summary| summary.mean),
    (HALF_WIDTH, |summary| summary.half_width()),
    ("least", |summary| summary.least),
    ("p05", |summary| summary.p05),
    ("p25", |summary| summary.p25),
    ("median", |summary| summary.median),
    ("p75", |summary| summary.p75),
    ("p95", |summary| summary.p95),
    ("greatest", |summary| summary.greatest),
];

impl<'a> Points<'a> {
    /// Creates the table of results.
    #[must_use]
    pub fn new(study: &'a Study, results: &'a Results) -> Self {
        Self { study, results, order: order(study), last: Cell::new(None) }
    }

    fn summary(&self, row: usize) -> Summary {
        if let Some((_, summary)) = self.last.get().filter(|(last, _)| *last == row) {
            return summary;
        }
        let measures = self.study.description().measures.len().max(1);
        let summary = self.results.summary(self.study, (row / measures) as u64, row % measures);
        self.last.set(Some((row, summary)));
        summary
    }
}

impl Sheet for Points<'_> {
    fn name(&self) -> &'static str {
        "points"
    }

    fn columns(&self) -> Vec<(String, Kind)> {
        let mut columns = vec![("point".to_owned(), Kind::Count)];
        columns.extend(parameters(self.study, &self.order));
        columns.extend([("measure".to_owned(), Kind::Text), ("runs".to_owned(), Kind::Count)]);
        let name = |name: &str| if name == HALF_WIDTH { self.study.confidence().key() } else { name.to_owned() };
        columns.extend(SUMMARY.map(|(column, _)| (name(column), Kind::Number)));
        columns
    }

    fn rows(&self) -> usize {
        self.study.points() as usize * self.study.description().measures.len()
    }

    fn value(&self, row: usize, column: usize) -> Value {
        let description = self.study.description();
        let (measures, parameters) = (description.measures.len().max(1), self.order.len());
        let point = (row / measures) as u64;
        match column {
            0 => Value::Count(point),
            _ if column <= parameters => parameter(self.study, point, self.order.get(column - 1)),
            _ => match column - 1 - parameters {
                0 => Value::Text(description.measures.get(row % measures).map_or_else(String::new, |m| m.name.clone())),
                1 => Value::Count(self.summary(row).runs),
                number => Value::Number(SUMMARY.get(number - 2).and_then(|(_, of)| of(&self.summary(row)))),
            },
        }
    }
}

/// Returns the places of the parameters in the order of columns: those that vary, in the order of axes and samples, and
/// then the others.
fn order(study: &Study) -> Vec<usize> {
    let mut order = study.varying();
    let others = (0..study.description().parameters.len()).filter(|place| !order.contains(place));
    order.extend(others.collect::<Vec<_>>());
    order
}

/// Returns the columns of the parameters. Whole numbers that may be negative are written as numbers.
fn parameters(study: &Study, order: &[usize]) -> Vec<(String, Kind)> {
    let kind = |domain: &Domain| match domain {
        Domain::Integer { least: 0.., .. } | Domain::Seed => Kind::Count,
        Domain::Integer { .. } | Domain::Number { .. } => Kind::Number,
        Domain::Boolean | Domain::Text { .. } | Domain::IntegerOrName { .. } | Domain::NumberOrName { .. } => {
            Kind::Text
        }
    };
    let parameters = order.iter().filter_map(|place| study.description().parameters.get(*place));
    parameters.map(|parameter| (parameter.name.clone(), kind(&parameter.domain))).collect()
}

fn parameter(study: &Study, point: u64, place: Option<&usize>) -> Value {
    let Some(&place) = place else { return Value::Number(None) };
    let domain = study.description().parameters.get(place).map(|parameter| &parameter.domain);
    match (study.value(point, place), domain) {
        (Some(value::Value::Integer(value)), Some(Domain::Integer { least: 0.., .. } | Domain::Seed)) => {
            Value::Count(value.unsigned_abs())
        }
        (Some(value::Value::Text(digits)), Some(Domain::Seed)) => {
            digits.parse().map_or(Value::Number(None), Value::Count)
        }
        (Some(value), Some(Domain::IntegerOrName { .. } | Domain::NumberOrName { .. })) => {
            Value::Text(value.to_string())
        }
        (Some(value @ (value::Value::Integer(_) | value::Value::Number(_))), _) => Value::Number(value.as_number()),
        (Some(value), _) => Value::Text(value.to_string()),
        (None, _) => Value::Number(None),
    }
}
