//! Study files, and what is wrong with them.

use super::queue;
use crate::definition::{Axis, Definition, Method, Sample, Spacing};
use crate::{DefinitionError, Study, Value};

fn read(text: &str) -> Result<Study, DefinitionError> {
    let definition = Definition::from_toml(text, "study.toml")?;
    definition.plan(queue()).map_err(|error| error.located(text, "study.toml"))
}

const HEAD: &str = "format = 1\nmodel = 'queue'\n";

fn levels(axis: &str) -> Vec<Value> {
    let study = read(&format!("{HEAD}[[axis]]\nparameter = 'load'\n{axis}")).unwrap();
    (0..study.points()).map(|point| study.value(point, 0).unwrap().clone()).collect()
}

fn numbers(numbers: &[f64]) -> Vec<Value> {
    numbers.iter().map(|number| Value::Number(*number)).collect()
}

#[test]
fn axes_have_the_values_that_people_would_write() {
    assert_eq!(levels("values = [0, 0.5]"), numbers(&[0.0, 0.5]));
    assert_eq!(levels("from = 0.1\nto = 0.7\nstep = 0.2"), numbers(&[0.1, 0.3, 0.5, 0.7]));
    assert_eq!(levels("from = 0.0\nto = 0.5\nstep = 0.2"), numbers(&[0.0, 0.2, 0.4]));
    assert_eq!(levels("from = 0.1\nto = 0.9\ncount = 3"), numbers(&[0.1, 0.5, 0.9]));
    assert_eq!(levels("from = 1e-4\nto = 0.1\ncount = 4\nspacing = 'log'"), numbers(&[1e-4, 1e-3, 1e-2, 0.1]));
    let study = read(&format!(
        "{HEAD}[fixed]\nload = 0.5\n[[axis]]\nparameter = 'customers'\nfrom = 1\nto = 1000\ncount = 4\nspacing = 'log'\n"
    ));
    let study = study.unwrap();
    let customers: Vec<_> = (0..4).map(|point| study.value(point, 1).unwrap().clone()).collect();
    assert_eq!(customers, [1, 10, 100, 1000].map(Value::Integer));
}

#[test]
fn files_and_code_say_the_same() {
    let text = "format = 1
model = 'queue'
title = 'waiting'
seed = 9
repetitions = 5
common_random_numbers = true
length = 200

[fixed]
crowded = true

[[axis]]
parameter = 'service'
values = ['random', 'constant']

[[sample]]
method = 'latin-hypercube'
points = 10

[[sample.axis]]
parameter = 'load'
from = 0.01
to = 0.9
spacing = 'log'
";
    let sample = Sample::new(Method::LatinHypercube, 10).over("load", 0.01, 0.9, Spacing::Log);
    let code = Definition {
        title: Some("waiting".to_owned()),
        length: Some(Value::Integer(200)),
        ..Definition::new("queue")
            .seed(9)
            .repetitions(5)
            .common_random_numbers()
            .fix("crowded", true)
            .axis(Axis::values("service", ["random", "constant"]))
            .sample(sample)
    };
    assert_eq!(Definition::from_toml(text, "study.toml").unwrap(), code);
    let study = code.plan(queue()).unwrap();
    assert_eq!((study.points(), study.runs(), study.varying()), (20, 100, vec![2, 0]));
    assert_eq!(study.value(3, 1), Some(&Value::Integer(200)));
    assert!(study.has_common_random_numbers() && study.title() == Some("waiting"));
    // What is written is read again.
    let written = toml::to_string(&code).unwrap();
    assert_eq!(Definition::from_toml(&written, "written.toml").unwrap(), code);
}

#[test]
fn mistakes_are_named_with_their_line_and_key() {
    let axis = |lines: &str| format!("{HEAD}[[axis]]\nparameter = 'load'\n{lines}");
    let customers = |lines: &str| format!("{HEAD}[fixed]\nload = 0.5\n[[axis]]\nparameter = 'customers'\n{lines}");
    let sample = |lines: &str| format!("{HEAD}[[sample]]\nmethod = 'random'\n{lines}");
    let load = "[fixed]\nload = 0.5\n";
    let cases = [
        (
            "model = 'queue'\n".to_owned(),
            "study.toml: does not say which version of study files it is: write `format = 1`",
        ),
        (
            "format = 2\nmodel = 'queue'\nnew = 1\n".to_owned(),
            "study.toml, line 1: format: is of version 2, and this program reads version 1",
        ),
        ("\nformat = 0\n".to_owned(), "study.toml, line 2: format: is of version 0, which is no longer read"),
        (format!("{HEAD}repetition = 3\n"), "study.toml, line 3: `repetition = 3`: unknown field `repetition`"),
        (format!("{HEAD}repetitions = 'many'\n"), "study.toml, line 3: `repetitions = 'many'`: invalid type"),
        (format!("{HEAD}repetitions = -1\n"), "study.toml, line 3: `repetitions = -1`: invalid value"),
        (format!("{HEAD}repetitions = 0\n{load}"), "study.toml, line 3: repetitions: a point that is run 0 times"),
        (
            format!("{HEAD}repetitions = 200000000\n{load}"),
            "study.toml, line 3: repetitions: 1 points, 200000000 times each",
        ),
        (
            format!("{HEAD}[fixed]\nloud = 1\n"),
            "study.toml, line 4: fixed.loud: model 'queue' has no parameter `loud`; did you mean `load`?",
        ),
        (
            format!("{HEAD}[fixed]\ncolour = 1\n"),
            "study.toml, line 4: fixed.colour: model 'queue' has no parameter `colour`; there are: load, customers",
        ),
        (
            format!("{HEAD}[fixed]\nload = 1.5\n"),
            "study.toml, line 4: fixed.load: 1.5 is not possible: `load` takes numbers from 0 to 0.99",
        ),
        (format!("{HEAD}[fixed]\nload = nan\n"), "study.toml, line 4: fixed.load: NaN is not possible"),
        (
            format!("{HEAD}[fixed]\nload = 'high'\n"),
            "study.toml, line 4: fixed.load: high is a text: `load` takes numbers",
        ),
        (format!("{HEAD}[fixed]\nload = 1979-05-27\n"), "study.toml, line 4: `load = 1979-05-27`: "),
        (
            format!("{HEAD}{load}customers = 2.5\n"),
            "study.toml, line 5: fixed.customers: 2.5 is a number: `customers` takes whole numbers from 1 to 10000",
        ),
        (
            format!("{HEAD}{load}service = 'slow'\n"),
            "study.toml, line 5: fixed.service: slow is not possible: `service` takes 'random', 'constant'",
        ),
        (
            format!("{HEAD}{load}service = 'constnt'\n"),
            "study.toml, line 5: fixed.service: constnt is not possible: `service` takes 'random', 'constant'; did you mean 'constant'?",
        ),
        (
            format!("{HEAD}length = 5\n{load}customers = 5\n"),
            "study.toml, line 6: fixed.customers: `customers` is given by `length` already",
        ),
        (format!("{HEAD}length = 0\n{load}"), "study.toml, line 3: length: 0 is not possible"),
        (
            format!("{HEAD}[fixed]\ncustomers = 5\n"),
            "study.toml, line 3: fixed: model 'queue' needs `load` (Mean service over mean time between arrivals), which takes",
        ),
        (axis(""), "study.toml, line 3: axis[0]: an axis needs `values`, or `from` and `to`"),
        (axis("values = []\n"), "study.toml, line 5: axis[0].values: has no values"),
        (axis("values = [0.5, 0.25, 0.5]\n"), "study.toml, line 5: axis[0].values[2]: 0.5 is there twice"),
        (axis("values = [0.5]\nto = 1\n"), "study.toml, line 5: axis[0].values: an axis has values, or a range"),
        (axis("values = [0.5, 2]\n"), "study.toml, line 5: axis[0].values[1]: 2 is not possible"),
        (axis("from = 0.5\nstep = 0.1\n"), "study.toml, line 3: axis[0]: an axis needs"),
        (axis("from = 0.5\nto = 0.6\n"), "study.toml, line 5: axis[0].from: a range needs `step` or `count`"),
        (
            axis("from = 0.5\nto = 0.1\nstep = 0.1\n"),
            "study.toml, line 6: axis[0].to: the range from 0.5 to 0.1 is reversed",
        ),
        (
            axis("from = 0.5\nto = 0.5\nstep = 0.1\n"),
            "study.toml, line 6: axis[0].to: the range from 0.5 to 0.5 is empty",
        ),
        (axis("from = 0.5\nto = 1.5\nstep = 0.1\n"), "study.toml, line 6: axis[0].to: 1.5 is not possible"),
        (axis("from = 0.1\nto = 0.5\nstep = 0\n"), "study.toml, line 7: axis[0].step: a step of 0 leads nowhere"),
        (
            axis("from = 0.1\nto = 0.5\nstep = 0.6\n"),
            "study.toml, line 7: axis[0].step: a step of 0.6 is longer than from 0.1 to 0.5",
        ),
        (
            axis("from = 0.1\nto = 0.5\nstep = 1e-9\n"),
            "study.toml, line 7: axis[0].step: makes more than 1000000 values",
        ),
        (
            axis("from = 0.1\nto = 0.5\nstep = 0.1\ncount = 2\n"),
            "study.toml, line 8: axis[0].count: values are given by `step` or by `count`",
        ),
        (
            axis("from = 0.1\nto = 0.5\nstep = 0.1\nspacing = 'log'\n"),
            "study.toml, line 8: axis[0].spacing: goes with `count`",
        ),
        (axis("from = 0.1\nto = 0.5\ncount = 1\n"), "study.toml, line 7: axis[0].count: 1 values between two ends"),
        (
            axis("from = 0\nto = 0.5\ncount = 3\nspacing = 'log'\n"),
            "study.toml, line 5: axis[0].from: logarithmic spacing from 0 is not possible",
        ),
        (
            axis("from = 0.1\nto = 0.5\ncount = 3\nspacing = 'cubic'\n"),
            "study.toml, line 8: `spacing = 'cubic'`: unknown variant `cubic`",
        ),
        (
            axis("from = 0.1\nto = 0.5\ncount = 2\n[fixed]\nload = 0.1\n"),
            "study.toml, line 4: axis[0].parameter: `load` is given by `fixed.load` already",
        ),
        (
            customers("from = 1.5\nto = 3\nstep = 1\n"),
            "study.toml, line 7: axis[0].from: 1.5 is not possible: `customers` takes whole numbers",
        ),
        (customers("from = 1\nto = 3\nstep = 0.5\n"), "study.toml, line 9: axis[0].step: 0.5 is no whole number"),
        (customers("from = 1\nto = 3\ncount = 5\n"), "study.toml, line 9: axis[0].count: 2 comes out twice"),
        (
            format!("{HEAD}{load}[[axis]]\nparameter = 'service'\nfrom = 1\nto = 3\ncount = 3\n"),
            "study.toml, line 7: axis[0].from: `service` takes 'random', 'constant': give an axis with `values`",
        ),
        (sample("points = 5\n"), "study.toml, line 3: sample[0]: has no parameters"),
        (
            sample("points = 0\n[[sample.axis]]\nparameter = 'load'\nfrom = 0\nto = 0.5\n"),
            "study.toml, line 5: sample[0].points: 0 points are not possible",
        ),
        (
            sample("points = 5\n[[sample.axis]]\nparameter = 'load'\nfrom = 0.5\nto = 0.1\n"),
            "study.toml, line 9: sample[0].axis[0].to: the range from 0.5 to 0.1 is reversed",
        ),
        (
            sample("points = 5\n[[sample.axis]]\nparameter = 'load'\nfrom = 0\nto = 0.1\nspacing = 'log'\n"),
            "study.toml, line 8: sample[0].axis[0].from: logarithmic",
        ),
        (
            sample("points = 5\n[[sample.axis]]\nparameter = 'loud'\nfrom = 0\nto = 0.1\n"),
            "study.toml, line 7: sample[0].axis[0].parameter: model 'queue' has no",
        ),
        (
            axis(
                "from = 0.1\nto = 0.5\nstep = 1e-6\n[[axis]]\nparameter = 'customers'\nfrom = 1\nto = 10000\nstep = 1\n",
            ),
            "study.toml, line 3: axis: 400001 x 10000 points",
        ),
    ];
    for (text, expected) in cases {
        let error = read(&text).map(|study| study.runs()).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}\ninstead of\n{expected}");
    }
}

#[test]
fn a_model_that_contradicts_itself_is_found() {
    use crate::description::{Description, Measure, Parameter};
    assert_eq!(queue().check(), Ok(()));
    let model = || Description::new("m", "1", "Words.");
    let called = |name: &str, revision: &str, about: &str| {
        Description::new(name, revision, about).measure(Measure::new("y", "", ""))
    };
    let measured = || model().measure(Measure::new("y", "", ""));
    let x = || Parameter::number("x", "", 0.0..=1.0, "");
    for (description, words) in [
        (model(), "measures nothing"),
        (measured().parameter(x()).parameter(x()), "`x` is there twice"),
        (measured().parameter(Parameter::boolean("seed", "")), "every table has"),
        (measured().parameter(x().default(2.0)), "the default of `x`: 2 is not possible"),
        (measured().length("x"), "its length `x` is no key"),
        (called("my model", "1", "Words."), "model `my model`: its name is no word"),
        (called("", "1", "Words."), "its name is no word"),
        (called("m", "1", " "), "its description is empty"),
        (called("m", "1", "Two\nlines."), "several lines"),
        (called("m", "", "Words."), "its revision is empty"),
        (model().measure(Measure::new("mean delay", "", "")), "a measure is called `mean delay`"),
    ] {
        let error = description.check().and_then(|()| description.check_length(|_| false)).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}
