//! Unit of time of a run: milliseconds, or a longer one where these do not fit into 32 bits.

use super::ast::Rule;
use super::model::Model;
use super::time::Time;
use super::tree;
use crate::engine::kernels::space::NEVER;
use thiserror::Error;

/// Last time that engines reach, in units.
const LAST: u64 = NEVER as u64 - 1;

/// Reasons why a model cannot be run for some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum HorizonError {
    /// Times of the model have no common divisor, so the unit is the millisecond.
    #[error(
        "a run until {} does not fit: {what}, so times are whole milliseconds in 32 bits, and the last one is {}; shorten the run, or give constant delays",
        Time(*milliseconds),
        Time(LAST)
    )]
    Milliseconds {
        /// Milliseconds asked for.
        milliseconds: u64,
        /// Reason, as a clause.
        what: &'static str,
    },
    /// The greatest common divisor of the model's times is too short.
    #[error(
        "a run until {} does not fit: times are whole multiples of {unit} ms in 32 bits, the greatest common divisor of all delays, events and intervals, and the last one is {}; shorten the run, or give delays with a greater divisor",
        Time(*milliseconds),
        Time(LAST.saturating_mul(*unit))
    )]
    Unit {
        /// Milliseconds asked for.
        milliseconds: u64,
        /// Greatest common divisor, in milliseconds.
        unit: u64,
    },
}

impl Model {
    /// Returns the milliseconds of a unit of time. Horizons, times of outcomes and of outputs are in such units: 1
    /// unless [`reach`](Self::reach) chose another one.
    #[must_use]
    pub const fn unit(&self) -> u64 {
        self.time_unit
    }

    /// Chooses the unit of time for a run of some milliseconds, and returns the number of units in them.
    ///
    /// The unit is the millisecond up to 1,193 hours. For a longer run it is the greatest common divisor of all delays,
    /// which have to be constants, of all events that come in this time, and of the intervals of all generators. The
    /// unit changes no output. Call this after [`set_events`](Self::set_events).
    ///
    /// # Errors
    /// [`HorizonError`].
    pub fn reach(&mut self, milliseconds: u64) -> Result<u32, HorizonError> {
        self.time_unit = if milliseconds <= LAST { 1 } else { self.divisor(milliseconds)? };
        // The quotient is at most `LAST`.
        Ok((milliseconds / self.time_unit) as u32)
    }

    /// Returns the unit for a run that is too long for milliseconds.
    fn divisor(&self, milliseconds: u64) -> Result<u64, HorizonError> {
        let refused = |what| HorizonError::Milliseconds { milliseconds, what };
        let mut divisor = 0;
        for rule in self.programs().iter().flatten() {
            let delay = milliseconds_of(rule).ok_or_else(|| refused("a delay is no constant"))?;
            divisor = common(divisor, delay);
        }
        for period in self.periods() {
            divisor = common(divisor, period.ok_or_else(|| refused("a generator draws its intervals"))?.into());
        }
        let events = self.events().iter().map(|event| event.time).filter(|time| *time <= milliseconds);
        divisor = events.fold(divisor, common);
        // Without delays and events everything happens at time 0.
        let unit = if divisor == 0 { milliseconds } else { divisor };
        if milliseconds / unit > LAST { Err(HorizonError::Unit { milliseconds, unit }) } else { Ok(unit) }
    }
}

/// Returns the whole milliseconds of a rule's delay; `None` if they change. Those of a delay that no rule can have are
/// 0: its evaluation fails, in every unit.
fn milliseconds_of(rule: &Rule) -> Option<u64> {
    let delay = tree::constant(&rule.delay)?;
    Some(if (0.0..Time::END).contains(&delay) { delay as u64 } else { 0 })
}

/// Returns the greatest common divisor, of which 0 is none.
fn common(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::run::RunError;
    use super::*;
    use crate::outcome::Engine;
    use imminent_core::Device;
    use imminent_cpu::{CpuBackend, Options};
    use std::ops::ControlFlow;

    const HOUR: u64 = 3_600_000;

    /// A cell with delays, and an input.
    fn model(delays: &str) -> Model {
        let text = format!(
            "[top]\ncomponents : c\nin : x\nlink : x in@c(0,0)\n[c]\ntype : cell\ndim : (1,1)\ndelay : transport\n\
             neighbors : c(0,0)\ndefaultDelayTime : 86400000\nlocaltransition : r\n[r]\n{delays}\n"
        );
        let none = |name: &str| Err(std::io::Error::new(std::io::ErrorKind::NotFound, name.to_owned()));
        Model::parse("m.ma", &text, &none).unwrap()
    }

    /// The value grows by 1 an hour, and no rule holds for 3.
    #[test]
    fn failures_of_long_runs_have_times_in_milliseconds() {
        let device = Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap();
        for hours in [1_000, 100_000] {
            let mut rules = model("rule : {(0,0)+1} 3600000 { (0,0) < 3 }");
            let horizon = rules.reach(hours * HOUR).unwrap();
            assert_eq!(rules.unit(), if hours == 1_000 { 1 } else { HOUR });
            for engine in [Engine::Sequential, Engine::Window, Engine::Step] {
                let watch = &mut |_| ControlFlow::Continue(());
                let RunError::Rule(error) = rules.run(&device, engine, 1, horizon, watch).unwrap_err() else {
                    panic!()
                };
                assert_eq!((error.cell, error.time), (0, 3 * HOUR), "{engine:?}");
                assert!(error.to_string().starts_with("cell 0 at 10800000 ms: "), "{error}");
            }
        }
    }

    #[test]
    fn the_unit_is_the_divisor_of_all_times_where_milliseconds_do_not_fit() {
        let mut days =
            model("rule : 1 86400000 { (0,0) < 3 }\nrule : 0 0 { f }\nrule : 2 { 1000 * 3600 * 36.0000001 } { t }");
        assert_eq!((days.reach(LAST), days.unit()), (Ok(NEVER - 1), 1));
        // 24 h and 36 h, and the fraction of a millisecond that is truncated.
        assert_eq!((days.reach(100_000 * HOUR), days.unit()), (Ok(100_000 / 12), 12 * HOUR));
        days.set_events("e.ev", "50:00:00:000 x 1\n999999:00:00:000 x 2\n").unwrap();
        assert_eq!((days.reach(100_000 * HOUR), days.unit()), (Ok(50_000), 2 * HOUR));
        // A new event takes the unit back.
        days.set_events("e.ev", "50:00:00:003 x 1\n").unwrap();
        assert_eq!(days.unit(), 1);
        let error = days.reach(100_000 * HOUR).unwrap_err();
        assert_eq!(error, HorizonError::Unit { milliseconds: 100_000 * HOUR, unit: 3 });
        assert_eq!(
            error.to_string(),
            "a run until 100000:00:00:000 does not fit: times are whole multiples of 3 ms in 32 bits, the greatest common \
             divisor of all delays, events and intervals, and the last one is 3579:08:21:882; shorten the run, or give \
             delays with a greater divisor"
        );
        assert_eq!(days.unit(), 1);
        let mut drawn = model("rule : 1 { random * 100 } { t }");
        let error = drawn.reach(LAST + 1).unwrap_err().to_string();
        assert!(error.contains("1193:02:47:295 does not fit: a delay is no constant"), "{error}");
    }
}
