//! Snapshot of all error texts of this crate.

use crate::checkpoint::CheckpointError;
use crate::compared::CompareError;
use crate::conduct::ConductError;
use crate::definition::DefinitionError;
use crate::description::{DescriptionError, DescriptionProblem};
use crate::journal::JournalError;
use crate::laboratory::{Failed, PointError};
use crate::results::{ResultError, TooManyResults};
use imminent_common::toml_text::TomlError;
use imminent_testkit::error_texts;
use imminent_testkit::error_texts::ErrorTexts;
use std::path::PathBuf;

fn full() -> std::io::Error {
    std::io::Error::other("no space left on device")
}

fn add_models(texts: &mut ErrorTexts) {
    let (model, parameter) = ("lcg".to_owned(), "modules".to_owned());
    texts.add("PointError", &PointError { model: model.clone(), parameter, kind: "an integer" });
    texts.add("DescriptionError", &DescriptionError { model, problem: DescriptionProblem::NoMeasures });
    let (name, problem) = (|| "horizon".to_owned(), "0 is below 1".to_owned());
    error_texts!(texts, DescriptionProblem {
        Name => [DescriptionProblem::Name],
        SameModel => [DescriptionProblem::SameModel],
        About => [DescriptionProblem::About],
        Revision => [DescriptionProblem::Revision],
        Measure => [DescriptionProblem::Measure("mean delay".to_owned())],
        Reserved => [DescriptionProblem::Reserved("seed".to_owned())],
        Twice => [DescriptionProblem::Twice(name())],
        Default => [DescriptionProblem::Default { parameter: name(), problem }],
        NoMeasures => [DescriptionProblem::NoMeasures],
        Length => [DescriptionProblem::Length(name())],
    });
}

fn add_conduct(texts: &mut ErrorTexts) {
    error_texts!(texts, DefinitionError {
        Toml => [DefinitionError::Toml(TomlError::value("axis.steps", "0 steps: give at least 1".into()))],
        Format => [
            DefinitionError::Format { file: "study.toml".into(), line: None, found: None },
            DefinitionError::Format { file: "study.toml".into(), line: Some(1), found: Some(99) },
            DefinitionError::Format { file: "study.toml".into(), line: Some(1), found: Some(0) },
        ],
    });
    error_texts!(texts, ResultError {
        NoRun => [ResultError::NoRun { run: 12, runs: 10 }],
        Twice => [ResultError::Twice { run: 12 }],
        Values => [ResultError::Values { run: 12, expected: 3, found: 2 }],
    });
    let (measure, known) = ("wait".to_owned(), vec!["waiting".to_owned(), "cost".to_owned()]);
    error_texts!(texts, CompareError { NoSuchMeasure => [CompareError::NoSuchMeasure { measure, known }] });
    let results = TooManyResults { runs: 1 << 32, measures: 12, needed: 412_316_860_416, free: 8_000_000_000 };
    texts.add("TooManyResults", &results);
    texts.add("Failed", &Failed { run: 12, why: "simulation 3 has no modules: give at least one".into() });
    error_texts!(texts, ConductError {
        Laboratory => [ConductError::Laboratory("the device was lost".into())],
        Result => [ConductError::Result(ResultError::Twice { run: 12 })],
        LeftOut => [ConductError::LeftOut { left: 3 }],
        Journal => [ConductError::Journal(JournalError::NoJournal { path: PathBuf::from("out/study.journal") })],
    });
    let path = || PathBuf::from("out/study.journal");
    error_texts!(texts, JournalError {
        OtherStudy => [
            JournalError::OtherStudy { path: path(), differences: vec!["seed"], runs: 270 },
            JournalError::OtherStudy { path: path(), differences: vec!["seed", "common_random_numbers"], runs: 270 },
        ],
        NoJournal => [JournalError::NoJournal { path: path() }],
        InUse => [JournalError::InUse { path: path() }],
        Contradiction => [JournalError::Contradiction { path: path(), error: ResultError::Twice { run: 12 } }],
        System => [JournalError::System { path: path(), doing: "cannot be written", error: full() }],
    });
    let path = || PathBuf::from("out/0-9.checkpoint");
    error_texts!(texts, CheckpointError {
        Unreadable => [CheckpointError::Unreadable { path: path() }],
        OtherStudy => [CheckpointError::OtherStudy { path: path(), differences: vec!["seed", "program"] }],
        Run => [CheckpointError::Run { path: path(), run: 12, error: "its state is damaged".into() }],
        System => [CheckpointError::System { path: path(), doing: "cannot be written", error: full() }],
        Device => [CheckpointError::Device("the device was lost".into())],
    });
}

#[test]
fn every_error_has_a_text() {
    let mut texts = ErrorTexts::default();
    add_models(&mut texts);
    add_conduct(&mut texts);
    insta::assert_snapshot!("errors", texts);
}
