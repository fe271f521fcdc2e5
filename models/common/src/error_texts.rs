//! Snapshot of all error texts of this crate.

use crate::estimate::ConfidenceError;
use crate::file::WriteError;
use crate::free_memory::MemoryError;
use crate::graph::FileError;
use crate::input::{InputError, MAX_TEXT};
use crate::output::precision::PrecisionError;
use crate::output::selection::SelectionError;
use crate::time::TimeError;
use crate::toml_text::TomlError;
use imminent_testkit::error_texts;
use imminent_testkit::error_texts::ErrorTexts;

#[test]
fn every_error_has_a_text() {
    let mut texts = ErrorTexts::default();
    let (net, graph) = (|| "net.toml".to_owned(), || "net.graphml".to_owned());
    let missing = || "No such file or directory (os error 2)".to_owned();
    error_texts!(texts, InputError {
        Unreadable => [InputError::Unreadable { file: net(), reason: missing() }],
        NotRegular => [InputError::NotRegular { file: "/dev/zero".into(), kind: "a device" }],
        TooLarge => [InputError::TooLarge { file: net(), most: MAX_TEXT }],
        Memory => [InputError::Memory { file: "elevation.tif".into(), bytes: 740_000_000 }],
        NotUtf8 => [InputError::NotUtf8 { file: net(), line: 20 }],
    });
    let full = std::io::Error::other("no space left on device");
    texts.add("WriteError", &WriteError::new("out/ports.csv".as_ref(), &full));
    let error = |most| MemoryError {
        option: "--replications".into(),
        asked: 1_000_000_000,
        needed: 2_400_000_000_000,
        free: 23_056_284_000,
        most,
    };
    texts.add("MemoryError", &error(9_606_785));
    texts.add("MemoryError", &error(0));
    error_texts!(texts, SelectionError {
        Indifference => [SelectionError::Indifference { given: 0.0 }],
        Tolerance => [SelectionError::Tolerance { given: -1.0 }],
        First => [SelectionError::First { given: 3 }],
        Most => [SelectionError::Most { first: 20, most: 10 }],
    });
    error_texts!(texts, TomlError {
        Input => [TomlError::from(InputError::Unreadable { file: net(), reason: missing() })],
        Syntax => [TomlError::Syntax {
            file: net(),
            line: Some(20),
            quote: "`serverz = 2`: ".into(),
            reason: "unknown field `serverz`, expected `servers`; did you mean `servers`?".into(),
        }],
        Value => [
            TomlError::Value {
                file: Some(net()),
                line: Some(20),
                key: "run.replications".into(),
                problem: "0 replications: give at least 1".into(),
            },
            TomlError::value("run.replications", "0 replications: give at least 1".into()),
        ],
    });
    error_texts!(texts, FileError {
        Input => [FileError::from(InputError::Unreadable { file: graph(), reason: missing() })],
        NotXml => [FileError::NotXml { file: graph(), reason: "expected 'node' tag, not 'edge' at 4:9".into() }],
        NotGraphml => [FileError::NotGraphml { file: graph(), root: "svg".into() }],
        NoFormat => [FileError::NoFormat { file: graph() }],
        Json => [FileError::Json { file: graph(), reason: "in line 3, an edge has no `source`".into() }],
        Gml => [FileError::Gml { file: graph(), line: 3, problem: "a node has no `id`" }],
        Repetita => [FileError::Repetita {
            file: "net.graph".into(),
            line: 3,
            problem: "a row has too few or too many words: a label has no spaces",
        }],
        Foreign => [FileError::Foreign {
            file: "1221.r0.cch".into(),
            what: "a map of Rocketfuel has neither bandwidths nor delays",
            remedy: "take its graph from REPETITA, or give GraphML",
        }],
        NoGraph => [FileError::NoGraph { file: graph() }],
        NoNodes => [FileError::NoNodes { file: graph(), line: 20 }],
        Attribute => [FileError::Attribute {
            file: graph(),
            line: 20,
            element: "edge".into(),
            name: "source",
            value: "missing".into(),
            expected: "the id of a node",
        }],
        DuplicateNode => [FileError::DuplicateNode { file: graph(), line: 20, id: "n4".into() }],
        UnknownNode => [FileError::UnknownNode { file: graph(), line: 20, end: "target", id: "n9".into() }],
        Value => [FileError::Value {
            file: graph(),
            line: 20,
            element: "node 'n4'".into(),
            name: "servers",
            value: "many".into(),
            expected: "give a whole number from 1 on".into(),
        }],
        Unsupported => [FileError::Unsupported { file: graph(), line: 20, what: "a hyperedge" }],
    });
    error_texts!(texts, TimeError {
        NotATime => [TimeError::NotATime { units: -1.0 }],
        TooLong => [TimeError::TooLong { units: 1e20, limit: 8.796e12 }],
        NotAMean => [TimeError::NotAMean { units: 0.0 }],
        MeanService => [TimeError::MeanService { units: 1e-9, least: 9.5367e-7, greatest: 4096.0 }],
    });
    texts.add("ConfidenceError", &ConfidenceError { given: 95.0 });
    texts.add("PrecisionError", &PrecisionError { given: 1.5 });
    insta::assert_snapshot!("errors", texts);
}
