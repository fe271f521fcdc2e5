#![allow(clippy::unwrap_used)]

use super::*;
use imminent_common::input::InputError;
use proptest::prelude::*;

fn law(text: &str) -> Result<Law, String> {
    let shape: LawShape = toml::from_str(text).map_err(|error| error.to_string())?;
    shape.law().map_err(|error| error.to_string())
}

#[test]
fn every_law_can_be_written_down() {
    let cases = [
        ("law = 'exponential'\nmean = 10", Law::Exponential { mean: 10.0 }),
        ("law = 'exponential'\nrate = 0.25", Law::Exponential { mean: 4.0 }),
        ("law = 'deterministic'\nvalue = 2", Law::Deterministic { value: 2.0 }),
        ("law = 'uniform'\nlow = 1\nhigh = 2.5", Law::Uniform { low: 1.0, high: 2.5 }),
        ("law = 'erlang'\nstages = 3\nmean = 1", Law::Erlang { stages: 3, mean: 1.0 }),
        (
            "law = 'hyper-exponential'\nbranches = [[0.25, 1], [0.75, 5.0]]",
            Law::HyperExponential { branches: vec![(0.25, 1.0), (0.75, 5.0)] },
        ),
        ("law = 'gamma'\nmean = 10\nshape = 2", Law::Gamma { shape: 2.0, mean: 10.0 }),
        ("law = 'log-normal'\nmean = 10\ncv = 2", Law::LogNormal { mean: 10.0, cv: 2.0 }),
        ("law = 'weibull'\nmean = 10\nshape = 0.5", Law::Weibull { shape: 0.5, mean: 10.0 }),
        ("law = 'pareto'\nshape = 2.5\nmean = 5", Law::Pareto { shape: 2.5, mean: 5.0 }),
        ("law = 'pareto'\nshape = 3\nscale = 2", Law::Pareto { shape: 3.0, mean: 3.0 }),
        ("law = 'pareto'\nshape = 3\nrate = 0.5", Law::Pareto { shape: 3.0, mean: 2.0 }),
        ("law = 'triangular'\nlow = 1\nmode = 2\nhigh = 4", Law::Triangular { low: 1.0, mode: 2.0, high: 4.0 }),
        ("law = 'normal'\nlocation = 5\ndeviation = 2", Law::Normal { location: 5.0, deviation: 2.0 }),
        ("law = 'hypo-exponential'\nmeans = [1, 2]", Law::HypoExponential { means: vec![1.0, 2.0] }),
        ("law = 'hypo-exponential'\nrates = [4, 2]", Law::HypoExponential { means: vec![0.25, 0.5] }),
        (
            "law = 'coxian'\nrates = [1, 0.5]\nonward = [0.25]",
            Law::Coxian { means: vec![1.0, 2.0], onward: vec![0.25] },
        ),
        (
            "law = 'phase-type'\ninitial = [1, 0]\ngenerator = [[-2, 1], [0, -3]]",
            Law::PhaseType { initial: vec![1.0, 0.0], generator: vec![vec![-2.0, 1.0], vec![0.0, -3.0]] },
        ),
        ("law = 'empirical'\nvalues = [1, 2.5]", Law::Empirical { values: vec![1.0, 2.5] }),
    ];
    for (text, expected) in cases {
        let law = law(text).unwrap();
        assert_eq!(law, expected);
        assert_eq!(LawShape::from(law.clone()).law().unwrap(), law);
        let written = serde_json::to_string(&law).unwrap();
        assert_eq!(serde_json::from_str::<Law>(&written).unwrap(), law, "{written}");
    }
}

#[test]
fn what_is_missing_or_too_much_is_said() {
    let cases = [
        ("law = 'gamma'\nmean = 10", "a law 'gamma' needs 'shape' and 'mean', and 'shape' is missing"),
        ("law = 'gamma'\nmean = 10\nshape = 2\ncv = 1", "a law 'gamma' takes 'shape' and 'mean', not 'cv': remove it"),
        ("law = 'exponential'\nmean = 10\nrate = 2", "a law 'exponential' takes 'mean', not 'rate'"),
        ("law = 'exponential'\nrate = -2", "'rate' is -2: give a finite number above 0"),
        ("law = 'uniform'\nlow = 10", "a law 'uniform' needs 'low' and 'high', and 'high' is missing"),
        ("law = 'hyper-exponential'\nmean = 1\ncv = 0.5", "'cv' of a law 'hyper-exponential' is 0.5: give more than 1"),
        (
            "law = 'hyper-exponential'\nmean = 1",
            "a law 'hyper-exponential' needs 'branches', or 'mean' and 'cv', and 'cv'",
        ),
        (
            "law = 'empirical'\nfile = 'x.csv'",
            "a law 'empirical' needs 'values', or 'file' and 'column', and 'column' is",
        ),
        ("law = 'empirical'\nfile = 'x.csv'\ncolumn = 'y'", "x.csv: cannot be read: "),
        ("law = 'normal'\nmean = 3", "a law 'normal' takes 'location' and 'deviation', not 'mean'"),
        (
            "law = 'pareto'\nmean = 3\nscale = 1\nshape = 2",
            "a law 'pareto' takes 'shape', and 'mean' or 'scale', not 'm",
        ),
        (
            "law = 'coxian'\nmeans = [3]",
            "a law 'coxian' needs 'means' or 'rates', and 'onward', and 'onward' is missing",
        ),
        (
            "law = 'coxian'\nmeans = [3]\nrates = [3]\nonward = []",
            "a law 'coxian' takes 'means' or 'rates', and 'onward', ",
        ),
        ("law = 'hypo-exponential'\nrates = [3, 0]", "entry 2 of 'rates' is 0: give finite numbers above 0"),
        ("law = 'cauchy'", "TOML parse error at line 1"),
        ("law = 'gamma'\nmaen = 1", "TOML parse error at line 2"),
    ];
    for (text, expected) in cases {
        let error = law(text).unwrap_err();
        assert!(error.starts_with(expected), "{error}\ninstead of\n{expected}");
    }
}

#[test]
fn a_column_is_read_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("times.csv");
    std::fs::write(&file, "day, service ,\"wait, s\"\nmon,1.5,3\n\"tue\n\", 2 ,x\n").unwrap();
    let mut shape = LawShape { file: Some("times.csv".into()), ..LawShape::named(LawName::Empirical) };
    shape.move_to(folder.path());
    shape.column = Some("service".to_owned());
    assert_eq!(shape.law().unwrap(), Law::Empirical { values: vec![1.5, 2.0] });
    shape.column = Some("length".to_owned());
    let error = shape.law().unwrap_err().to_string();
    assert!(
        error
            .ends_with("times.csv: no column 'length': the first line names 3 others; give the name of a column in it"),
        "{error}"
    );
    shape.column = Some("wait, s".to_owned());
    let error = shape.law().unwrap_err().to_string();
    assert!(!error.contains("'x'"), "{error}");
    assert!(error.contains("times.csv, line 3: the entry in column 'wait, s' is no duration"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_device_without_end_is_no_file_of_values() {
    let zeros = LawShape { file: Some("/dev/zero".into()), ..LawShape::named(LawName::Empirical) };
    let error = LawShape { column: Some("t".to_owned()), ..zeros }.law().unwrap_err();
    assert!(matches!(error, LawShapeError::Input(InputError::NotRegular { .. })), "{error}");
}

proptest! {
    #[test]
    fn balanced_means_have_the_variation_asked_for(mean in 0.1..100.0_f64, cv in 1.01..50.0_f64) {
        let law = balanced(mean, cv).unwrap();
        prop_assert!((law.mean() / mean - 1.0).abs() < 1e-9);
        prop_assert!((law.squared_variation() / (cv * cv) - 1.0).abs() < 1e-6);
    }
}
