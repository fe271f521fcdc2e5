//! A model with its rules compiled, as the engines take it.

use super::kernels::interpreter::Operation;
use super::kernels::parameters::{PortInput, RuleFile};
use super::model::Model;
use super::port_value::PortValue;
use super::postfix::{CompileError, compile};
use crate::engine::{Setting, Task};
use crate::sequential::InputSource;
use imminent_core::Determinism;

/// The rule buffer of a model, and where the rules of cells and inputs begin in it.
pub(super) struct Prepared<'a> {
    model: &'a Model,
    rules: RuleFile,
    operations: Vec<Operation>,
    /// First operation of each cell's rules.
    starts: Vec<u32>,
    sources: Vec<InputSource<PortInput>>,
    draws: bool,
    seed: u64,
    horizon: u32,
}

impl<'a> Prepared<'a> {
    /// Prepares a run for `horizon` milliseconds with the random numbers of a seed.
    pub(super) fn new(model: &'a Model, seed: u64, horizon: u32) -> Result<Self, CompileError> {
        let code = compile(model)?;
        let layers = model.layers();
        let start = |cell: u32, program: u32| {
            let at = program * layers.ports + layers.port(cell);
            code.starts.get(at as usize).copied().unwrap_or(0)
        };
        let source = |source: &InputSource<PortValue>| {
            let PortValue { rules, value, increment } = source.input;
            let InputSource { cell, first, period, late, .. } = *source;
            InputSource { cell, first, period, late, input: PortInput { start: start(cell, rules), value, increment } }
        };
        Ok(Prepared {
            model,
            rules: RuleFile { quantum: model.quantum() },
            starts: (0..model.space().cells() as u32).map(|cell| start(cell, model.program_of(cell))).collect(),
            sources: model.sources(seed, horizon).iter().map(source).collect(),
            operations: code.operations,
            draws: code.random,
            seed,
            horizon,
        })
    }

    /// Returns the run.
    pub(super) fn task(&self) -> Task<'_, RuleFile> {
        let setting = Setting {
            space: self.model.space(),
            delay: self.model.delay(),
            zones: &self.starts,
            lookahead: self.model.lookahead(),
            draws: self.draws,
            seed: self.seed,
            streams: self.model.layers().cells,
            kept: self.model.variables_of_a_cell() as u32,
            horizon: self.horizon,
            class: Some(Determinism::Reproducible),
        };
        let (initial, kept, sources) = (self.model.initial(), self.model.variables(), &self.sources);
        Task { setting, model: &self.rules, facts: &self.operations, initial, kept, sources }
    }
}
