//! Initial simulations of runs, made by several threads.

use super::EventModel;
use crate::Start;
use imminent_common::threads::each;
use imminent_core::Device;
use imminent_study::Base;
use imminent_study::laboratory::{Fault, Run};
use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::Arc;

/// Most runs that are begun at a time, so that their starts are few beside those of a batch.
const AT_A_TIME: usize = 256;

/// Fewest runs of a configuration that threads share. Below that, starting them takes longer.
const SHARED: usize = 32;

/// A run with its initial simulation.
pub(super) struct Begun<M: EventModel> {
    pub(super) run: Run,
    pub(super) config: Arc<M::Config>,
    pub(super) start: Start<M::Events>,
}

/// Runs that were begun and belong to no batch yet; those that cannot start, with the reason.
pub(super) type Waiting<M> = VecDeque<Result<Begun<M>, (Run, Fault)>>;

/// The configuration of a point, or why there can be no runs of it.
type Configured<M> = Result<Arc<<M as EventModel>::Config>, String>;

/// Source of the initial simulations of a study's runs.
pub(super) struct Beginnings<M: EventModel> {
    base: Arc<Base>,
    model: M,
    threads: usize,
    /// Number and configuration of the point whose run was begun last.
    last: Option<(u64, Configured<M>)>,
}

impl<M: EventModel> Beginnings<M> {
    /// Creates what begins the runs of a study by as many threads as its device has, if that is the host.
    pub(super) fn new(base: &Arc<Base>, device: &Device) -> Self {
        let of_device = device.capabilities();
        let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
        let threads = if of_device.native_rows { of_device.threads as usize } else { cores() };
        Self { base: Arc::clone(base), model: M::default(), threads: threads.max(1), last: None }
    }

    /// Begins the next of some runs, at most `most`.
    pub(super) fn fill(&mut self, waiting: &mut Waiting<M>, runs: &mut dyn Iterator<Item = Run>, most: usize) {
        let runs: Vec<Run> = runs.take(most.min(AT_A_TIME)).collect();
        for of_point in runs.chunk_by(|a, b| a.point.number() == b.point.number()) {
            let Some((first, others)) = of_point.split_first() else { continue };
            // This run leaves in the model what the others share.
            waiting.push_back(self.one(first));
            let (config, model) = (&self.config(first), &self.model);
            let threads = if others.len() < SHARED { 1 } else { self.threads };
            let parts = others.chunks(others.len().div_ceil(threads).max(1));
            let begin = |(mut model, runs): (M, &[Run])| {
                runs.iter().map(|run| begun(&mut model, run, config)).collect::<Vec<_>>()
            };
            waiting.extend(each(parts.map(|runs| (model.clone(), runs)).collect(), begin).into_iter().flatten());
        }
    }

    /// Begins one run.
    pub(super) fn one(&mut self, run: &Run) -> Result<Begun<M>, (Run, Fault)> {
        let config = self.config(run);
        begun(&mut self.model, run, &config)
    }

    /// Returns the configuration of a run, checked.
    fn config(&mut self, run: &Run) -> Configured<M> {
        let number = run.point.number();
        let known = self.last.take().filter(|(known, _)| *known == number);
        let base = &self.base;
        let read = || {
            let config = base.config::<M::Config>(&run.point).and_then(|config| M::check(&config).map(|()| config));
            (number, config.map(Arc::new).map_err(|fault| fault.to_string()))
        };
        self.last.insert(known.unwrap_or_else(read)).1.clone()
    }
}

fn begun<M: EventModel>(model: &mut M, run: &Run, config: &Configured<M>) -> Result<Begun<M>, (Run, Fault)> {
    let begin = |config: &Arc<M::Config>| {
        Ok(Begun { run: run.clone(), config: Arc::clone(config), start: model.start(config, run.seed)? })
    };
    config.as_ref().map_err(|reason| reason.clone().into()).and_then(begin).map_err(|fault| (run.clone(), fault))
}
