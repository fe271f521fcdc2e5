//! Rule files of tests, and the engines on them.

#![allow(clippy::unwrap_used, dead_code)]

use imminent_cell::Engine;
use imminent_cell::rules::{Log, Model, Outcome, PortLog, RuleFileError};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use proptest::prelude::*;
use std::io::{Error, ErrorKind};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub(crate) fn cpu() -> Device {
    Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap()
}

pub(crate) fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models").join(name)
}

pub(crate) fn parse(text: &str) -> Result<Model, RuleFileError> {
    Model::parse("model.ma", text, &|name| Err(Error::new(ErrorKind::NotFound, format!("no file {name}"))))
}

/// The outcome of the device engine, after a comparison with the oracle's.
pub(crate) fn agree(model: &Model, seed: u64, horizon: u32) -> Outcome {
    let sequential = model.run_sequentially(seed, horizon).unwrap().outcome;
    let run = |engine| model.run(&cpu(), engine, seed, horizon, &mut |_| ControlFlow::Continue(())).unwrap();
    let windows = run(Engine::Auto);
    assert_eq!(windows.engine, Engine::Window);
    let steps = run(Engine::Step).outcome;
    assert_eq!(windows.outcome.digest(), steps.digest(), "windows");
    let on = &mut |_| ControlFlow::Continue(());
    let batches = model.run_by_tables(&cpu(), Engine::Window, seed, horizon, on).unwrap();
    assert_eq!(batches.engine, if batches.steps > 0 { Engine::Window } else { Engine::Step });
    assert_eq!(batches.outcome.digest(), steps.digest(), "batches");
    assert_eq!(steps.times, sequential.times);
    let bits = |outcome: &Outcome| outcome.values.iter().map(|value| (value + 0.0).to_bits()).collect::<Vec<_>>();
    if !sequential.values.iter().any(|value| value.is_nan()) {
        assert_eq!(bits(&steps), bits(&sequential));
    }
    assert_eq!((steps.distinct_times, steps.outputs), (sequential.distinct_times, sequential.outputs));
    assert_eq!(steps.digest(), sequential.digest());
    steps
}

/// A model of one plane with these lines for its cells and rules.
pub(crate) fn plane(lines: &str, rules: &str) -> String {
    format!(
        "[top]\ncomponents : c\n\n[c]\ntype : cell\n{lines}\nneighbors : c(-1,-1) c(-1,0) c(-1,1) c(0,-1) c(0,0) c(0,1)\n\
         neighbors : c(1,-1) c(1,0) c(1,1)\nlocaltransition : r\n\n[r]\n{rules}\n"
    )
}

/// Rules that change a cell after delays of several lengths, of which none is 0.
pub(crate) fn drawn_rules() -> impl Strategy<Value = String> {
    let place = (-1_i32..=1, -1_i32..=1);
    let rule =
        (place, 0_u32..4, 1_u32..60, 0_i32..4, any::<bool>()).prop_map(|((row, column), value, delay, bound, adds)| {
            let value = if adds { format!("{{ remainder((0,0) + {value}, 5) }}") } else { value.to_string() };
            format!("rule : {value} {delay} {{ (0,0) != {bound} and ({row},{column}) >= {bound} }}")
        });
    proptest::collection::vec(rule, 1..5).prop_map(|rules| rules.join("\n") + "\nrule : { (0,0) } 0 { t }")
}

/// The log and the file of outputs of a run, which are those of the oracle too.
pub(crate) fn logged(model: &Model, seed: u64, horizon: u32) -> (String, String) {
    let record = |sequential: bool| {
        let (mut log, mut ports) = (Log::new(model, Vec::new()), PortLog::new(model, Vec::new()));
        let mut lines = 0;
        let mut observe = |output| {
            lines += 1;
            log.write(&output).unwrap();
            ports.write(&output).unwrap();
        };
        let run = if sequential {
            model.run_sequentially_observed(seed, horizon, &mut |_| ControlFlow::Continue(()), &mut observe)
        } else {
            let go_on = &mut |_| ControlFlow::Continue(());
            model.run_observed(&cpu(), Engine::Auto, seed, horizon, go_on, &mut observe)
        };
        assert_eq!(run.unwrap().outcome.outputs, lines);
        [log.into_inner(), ports.into_inner()].map(|bytes| String::from_utf8(bytes).unwrap())
    };
    let [log, ports] = record(false);
    let oracle = record(true);
    assert_eq!(log, oracle[0]);
    assert_eq!(ports, oracle[1]);
    (log, ports)
}
