//! Choice between two mappings during a run.

use crate::mapping::Mapping;
use std::time::Duration;

/// Length of the first turn, after which another mapping may be tried.
const FIRST_TURN: Duration = Duration::from_millis(10);

/// Estimated time of the first trial of a mapping, most of it for the compilation of its kernels.
const FIRST_TRIAL: Duration = Duration::from_millis(100);

/// Trials take one part in this many of the total time.
const SHARE: u32 = 50;

/// Ratio by which another mapping must be faster.
const GAIN: f64 = 1.05;

/// Time of a step with one event per module from which it pays to list modules by the kinds of their events first.
const HEAVY: Duration = Duration::from_micros(60);

/// Chooser between two mappings. The caller passes all times in, which makes the chooser testable.
#[derive(Clone, Debug)]
pub(super) struct Chooser {
    favourite: Candidate,
    /// The other mapping; `None` if there is no choice.
    other: Option<Candidate>,
    /// `true` if a step must still be timed: light steps do not justify the other mapping.
    weighs: bool,
    /// Events per module and step in the next trial.
    events: u32,
    spent: Duration,
    explored: Duration,
}

/// Mapping with its measurements.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    mapping: Mapping,
    /// Measured events per second, if any.
    rate: Option<f64>,
    /// Time of a trial.
    trial: Duration,
}

/// Next action of the engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Turn {
    /// Runs until the end.
    ToTheEnd(Mapping),
    /// Runs for some time.
    For(Mapping, Duration),
    /// Tries a mapping for a few steps, with this many events per module.
    Trial(Mapping, u32),
}

/// Result of a turn.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Taken {
    pub(super) steps: u64,
    pub(super) events: u64,
    pub(super) time: Duration,
    /// Time spent on preparing the device for the turn.
    pub(super) prepared: Duration,
}

impl Turn {
    pub(super) fn mapping(self) -> Mapping {
        let (Turn::ToTheEnd(mapping) | Turn::For(mapping, _) | Turn::Trial(mapping, _)) = self;
        mapping
    }
}

impl Candidate {
    fn new(mapping: Mapping) -> Candidate {
        Candidate { mapping, rate: None, trial: FIRST_TRIAL }
    }
}

impl Chooser {
    /// Creates a chooser with one mapping.
    pub(super) fn always(mapping: Mapping) -> Chooser {
        let (favourite, none) = (Candidate::new(mapping), Duration::ZERO);
        Chooser { favourite, other: None, weighs: false, events: 1, spent: none, explored: none }
    }

    /// Creates a chooser between a mapping that is likely to be faster and another one.
    pub(super) fn between(favourite: Mapping, other: Mapping) -> Chooser {
        Chooser { other: Some(Candidate::new(other)), ..Self::always(favourite) }
    }

    /// Creates a chooser that prefers `heavy` if a step of `light` turns out to be heavy.
    pub(super) fn by_weight(light: Mapping, heavy: Mapping) -> Chooser {
        Chooser { weighs: true, ..Self::between(light, heavy) }
    }

    /// Returns the mapping that seems to be faster.
    pub(super) fn favourite(&self) -> Mapping {
        self.favourite.mapping
    }

    pub(super) fn turn(&self) -> Turn {
        let Some(other) = &self.other else { return Turn::ToTheEnd(self.favourite.mapping) };
        if self.weighs {
            return Turn::Trial(self.favourite.mapping, 1);
        }
        let needed = (self.explored + other.trial) * SHARE;
        match needed.checked_sub(self.spent) {
            None if self.favourite.rate.is_some() => Turn::Trial(other.mapping, self.events),
            rest => Turn::For(self.favourite.mapping, rest.unwrap_or_default().max(FIRST_TURN)),
        }
    }

    /// Records the result of a turn; `most` is the number of events per module and step outside of trials.
    pub(super) fn record(&mut self, turn: Turn, taken: Taken, most: u32) {
        self.spent += taken.time;
        let Some(other) = &mut self.other else { return };
        if self.weighs {
            self.weighs = false;
            self.favourite.trial = taken.time;
            if taken.time >= HEAVY * taken.steps.max(1) as u32 {
                std::mem::swap(&mut self.favourite, other);
            }
            return;
        }
        let rate = Some(taken.events as f64 / taken.time.as_secs_f64().max(1e-9));
        match turn {
            Turn::ToTheEnd(_) | Turn::For(..) => self.favourite.rate = rate,
            Turn::Trial(..) => {
                self.explored += taken.time + taken.prepared;
                (other.rate, other.trial) = (rate, taken.time);
            }
        }
        if other.rate > self.favourite.rate.map(|own| own * GAIN) && self.favourite.rate.is_some() {
            std::mem::swap(&mut self.favourite, other);
            (self.favourite.rate, self.events) = (None, 1);
        } else if let Turn::Trial(..) = turn {
            // Few events per step show a mapping at its worst, and cost least.
            self.events = if self.events >= most { 1 } else { self.events.saturating_mul(4).min(most) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MAX_STEPS: u32 = 64;

    /// Simulates a run of 40 seconds. A step takes `overhead` microseconds plus `event` for each event. Returns the
    /// time of each mapping.
    fn play(mut chooser: Chooser, steps: impl Fn(Mapping) -> (f64, f64)) -> (Chooser, [Duration; 2]) {
        let first = chooser.favourite();
        let mut spent = [Duration::ZERO; 2];
        while spent.iter().sum::<Duration>() < Duration::from_secs(40) {
            let turn = chooser.turn();
            let (events, budget) = match turn {
                Turn::ToTheEnd(_) => panic!("there are two"),
                Turn::For(_, budget) => (MAX_STEPS, budget),
                Turn::Trial(_, events) => (events, Duration::ZERO),
            };
            let (overhead, event) = steps(turn.mapping());
            let step = Duration::from_secs_f64((overhead + event * f64::from(events)) * 1e-6);
            let count = (budget.as_secs_f64() / step.as_secs_f64()).ceil().max(2.0);
            let time = step.mul_f64(count);
            let events = (count * f64::from(events)) as u64 * 1_000;
            chooser.record(turn, Taken { steps: count as u64, events, time, prepared: Duration::ZERO }, MAX_STEPS);
            spent[usize::from(turn.mapping() != first)] += time;
        }
        (chooser, spent)
    }

    proptest! {
        #[test]
        fn the_faster_one_is_found_and_looking_for_it_costs_little(
            list in 1.0..100.0_f64,
            launch in 1.0..10.0_f64,
            event in 0.01..50.0_f64,
            slower in 1.0..32.0_f64,
            weighs: bool,
        ) {
            let costs = |mapping| match mapping {
                Mapping::InOrder => (launch, event * slower),
                _ => (launch + list, event),
            };
            let (in_order, padded) = (Mapping::InOrder, Mapping::Padded);
            let new = if weighs { Chooser::by_weight } else { Chooser::between };
            let (chooser, spent) = play(new(in_order, padded), costs);
            let cost = |mapping| { let (overhead, event) = costs(mapping); overhead + f64::from(MAX_STEPS) * event };
            let better = if cost(padded) < cost(in_order) { padded } else { in_order };
            let (worst, best) = (cost(padded).max(cost(in_order)), cost(better));
            if best * 1.2 < worst {
                prop_assert_eq!(chooser.favourite(), better);
                let wasted = spent[usize::from(better == in_order)].as_secs_f64();
                prop_assert!(wasted < 0.2 * (spent[0] + spent[1]).as_secs_f64(), "{} s", wasted);
            }
        }
    }

    #[test]
    fn one_alone_runs_to_the_end() {
        assert_eq!(Chooser::always(Mapping::InOrder).turn(), Turn::ToTheEnd(Mapping::InOrder));
    }

    #[test]
    fn a_heavy_step_decides_at_once() {
        for (micros, favourite) in [(2 * 59, Mapping::InOrder), (2 * 61, Mapping::Padded)] {
            let mut chooser = Chooser::by_weight(Mapping::InOrder, Mapping::Padded);
            let turn = chooser.turn();
            assert_eq!(turn, Turn::Trial(Mapping::InOrder, 1));
            chooser.record(
                turn,
                Taken { steps: 2, time: Duration::from_micros(micros), ..Taken::default() },
                MAX_STEPS,
            );
            assert_eq!(chooser.turn(), Turn::For(favourite, chooser_budget(&chooser)));
        }
    }

    fn chooser_budget(chooser: &Chooser) -> Duration {
        match chooser.turn() {
            Turn::For(_, budget) => budget,
            turn => panic!("{turn:?}"),
        }
    }
}
