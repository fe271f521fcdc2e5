//! A scenario on a host, from one observation of its watch to the next.

use super::host::OnHost;
use super::threads::EVENTS_AT_ONCE;
use crate::analysis::Watch;
use crate::engine::EngineError;
use crate::scenario::Scenario;
use crate::spent::{Spent, Timed};
use imminent_common::sharing::Report;
use imminent_core::clock::Instant;

/// Simulates a scenario to the end of its watch, and reports events. Returns `None` if it is stopped in vain.
pub(in crate::engine) fn watch_on_host(
    scenario: &Scenario<'_>,
    watch: &mut Watch<'_>,
    times: bool,
    report: Report<'_>,
) -> Result<Option<Timed>, EngineError> {
    if watch.is_in_vain() {
        return Ok(None);
    }
    super::model::check(scenario)?;
    let mut network = OnHost::new(scenario);
    if times {
        network.count_times();
    }
    let counts_classes = watch.wants_classes() || scenario.counted_from().is_some();
    if counts_classes {
        network.count_classes();
    }
    let mut spent = Spent::default();
    loop {
        let time = watch.next().unwrap_or(scenario.horizon()).min(scenario.horizon());
        let began = Instant::now();
        loop {
            let (done, ended) = network.run(time, EVENTS_AT_ONCE)?;
            if report(done).is_break() {
                return Err(EngineError::Cancelled { steps: done });
            }
            if watch.is_in_vain() && !ended {
                return Ok(None);
            }
            if ended {
                break;
            }
        }
        let reading = Spent::since(began);
        if times {
            watch.observe_times(network.take_times());
        }
        let mut outcome = network.outcome();
        if counts_classes {
            let by_class = network.by_class();
            outcome.add_arrived(&by_class);
            if watch.wants_classes() {
                watch.observe_classes(by_class);
            }
        }
        watch.observe(&outcome.statistics);
        spent += reading.end();
        if watch.next().is_none() {
            return Ok(watch.is_over().then_some(Timed::read(outcome, spent)));
        }
    }
}
