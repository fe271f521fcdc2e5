//! Behaviour compiled to ticks and integers.

use super::replay::ReplayInTicks;
use super::{Behaviour, Bulk, Interrupted, Join, Markovian, Polling, Shifts, Visits};
use crate::law::{Law, LawError, Sampler};
use imminent_common::time::{Tick, TimeError};
use std::sync::Arc;

/// Speed 1 in fixed point: one tick of work a tick.
pub(crate) const UNIT: u64 = 1 << 32;

/// Name of the behaviour of ordinary nodes.
const ORDINARY: &str = "ordinary behaviour";

/// Behaviour of a node in ticks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Conduct {
    /// Property that makes the node more than an ordinary one, in words.
    pub(crate) beyond: &'static str,
    pub(crate) interrupted: Interrupted,
    /// Speed of all servers together by number of tokens from 1 on, in 2^-32; empty if each has speed 1.
    pub(crate) speeds: Vec<u64>,
    /// Weight by class.
    pub(crate) weights: Vec<u32>,
    /// Servers by kind, at least one.
    pub(crate) pools: Vec<Pool>,
    /// Laws of the times that servers work, and are repaired.
    pub(crate) breakdowns: Option<(Sampler, Sampler)>,
    /// Patience by class, and the node to which the impatient go.
    pub(crate) patience: Vec<Option<(Sampler, Option<u32>)>>,
    /// Probability to join by number of tokens, times 2^32.
    pub(crate) balking: Vec<u64>,
    pub(crate) retry: Option<Sampler>,
    pub(crate) bulk: Option<BulkInTicks>,
    pub(crate) polling: Option<PollingInTicks>,
    /// Resources that a token takes before its service starts, as a set with a bit for each.
    pub(crate) seize: u64,
    /// Resources that a token gives back when its service is over.
    pub(crate) release: u64,
    pub(crate) join: Option<Joining>,
    pub(crate) emission: Emission,
}

/// Servers of one kind.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pool {
    /// Number of servers; `u32::MAX` for as many as there are tokens.
    pub(crate) servers: u32,
    /// Classes that they serve, by class.
    pub(crate) serves: Vec<bool>,
    /// Speed of one server, in 2^-32.
    pub(crate) speed: u64,
    /// Servers on duty by time; `None` for all of them.
    pub(crate) duty: Option<Timetable>,
}

/// Values by time: each holds from its time on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Timetable {
    /// Times in ticks, rising, with the number of servers from then on, or the factor of a rate in 2^-32.
    pub(crate) changes: Vec<(u64, u64)>,
    /// Ticks after which they begin again.
    pub(crate) period: Option<u64>,
    /// `true` if a server that goes off duty leaves its token to others.
    pub(crate) interrupts: bool,
}

/// Service of several tokens at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BulkInTicks {
    pub(crate) least: u32,
    pub(crate) most: u32,
    /// Ticks after which a token need not wait for a full batch.
    pub(crate) wait: Option<u64>,
}

/// A server that goes from queue to queue.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PollingInTicks {
    /// Classes in the order of visits.
    pub(crate) order: Vec<u32>,
    pub(crate) visits: Visits,
    /// Time in which it comes to the queue of a class, by class; `None` for no time.
    pub(crate) switch: Vec<Option<Sampler>>,
}

/// Parts of a forked token that are waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Joining {
    /// Number of parts; `None` for all.
    pub(crate) parts: Option<u32>,
}

/// Emissions of a source.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Emission {
    /// Factors of the rate by time.
    pub(crate) rates: Option<Timetable>,
    /// Sizes of batches, each with its cumulative probability times 2^32.
    pub(crate) batch: Vec<(u32, u64)>,
    /// Phases of a Markovian arrival process; empty for none.
    pub(crate) phases: Vec<Phase>,
    pub(crate) limit: Option<u64>,
    /// Arrivals of a table in place of all of these.
    pub(crate) replay: Option<Arc<ReplayInTicks>>,
}

/// Phase of a Markovian arrival process.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Phase {
    /// Law of the time in the phase.
    pub(crate) stay: Sampler,
    /// Transitions: cumulative probability times 2^32, next phase, and `true` if a token arrives.
    pub(crate) next: Vec<(u64, u32, bool)>,
}

impl Conduct {
    /// Returns the behaviour of an ordinary node.
    pub(crate) fn ordinary(servers: u32, classes: usize) -> Self {
        Self {
            beyond: ORDINARY,
            interrupted: Interrupted::Resume,
            speeds: vec![],
            weights: vec![1; classes],
            pools: vec![Pool { servers, serves: vec![true; classes], speed: UNIT, duty: None }],
            breakdowns: None,
            patience: vec![None; classes],
            balking: vec![],
            retry: None,
            bulk: None,
            polling: None,
            seize: 0,
            release: 0,
            join: None,
            emission: Emission::default(),
        }
    }

    /// Returns `true` if the number of servers on duty is not the same all the time.
    pub(crate) fn servers_vary(&self) -> bool {
        self.breakdowns.is_some() || self.pools.iter().any(|pool| pool.duty.is_some())
    }

    /// Returns `true` if tokens come, leave or are joined otherwise than by laws and routes.
    pub(crate) fn changes_flow(&self) -> bool {
        let Emission { rates, batch, phases, limit, replay } = &self.emission;
        let comes = rates.is_some() || !batch.is_empty() || !phases.is_empty() || limit.is_some() || replay.is_some();
        let leaves = self.patience.iter().any(Option::is_some) || !self.balking.is_empty() || self.join.is_some();
        comes || leaves
    }
}

impl Emission {
    /// Returns `true` if several tokens may come at once.
    pub(crate) fn has_batches(&self) -> bool {
        !self.batch.is_empty() || self.replay.as_ref().is_some_and(|replay| replay.has_batches())
    }
}

impl Timetable {
    /// Returns the value at `time`.
    pub(crate) fn at(&self, time: u64) -> u64 {
        let place = self.period.map_or(time, |period| time % period);
        let after = self.changes.partition_point(|(from, _)| *from <= place);
        // Before the first change of a period, the last one of the period before holds.
        let wraps = self.period.is_some_and(|period| time >= period);
        let held = if after == 0 && wraps {
            self.changes.last()
        } else {
            after.checked_sub(1).and_then(|held| self.changes.get(held))
        };
        held.map_or(0, |(_, value)| *value)
    }

    /// Returns the time of the first change after `time`; `None` if there is none.
    pub(crate) fn next(&self, time: u64) -> Option<u64> {
        let (base, place) = self.period.map_or((0, time), |period| (time - time % period, time % period));
        let after = self.changes.get(self.changes.partition_point(|(from, _)| *from <= place));
        match (after, self.period) {
            (Some((from, _)), _) => base.checked_add(*from),
            (None, Some(period)) => base.checked_add(period)?.checked_add(self.changes.first()?.0),
            (None, None) => None,
        }
    }
}

/// Reasons why a behaviour cannot be expressed in ticks.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Unfit {
    Law(LawError),
    Time(TimeError),
}

impl From<LawError> for Unfit {
    fn from(error: LawError) -> Self {
        Self::Law(error)
    }
}

impl From<TimeError> for Unfit {
    fn from(error: TimeError) -> Self {
        Self::Time(error)
    }
}

impl Behaviour {
    /// Compiles a behaviour that was checked, for a station of so many servers in a network of so many classes.
    pub(super) fn conduct(&self, servers: u32, classes: usize, tick: Tick) -> Result<Conduct, Unfit> {
        let mut weights = vec![1; classes];
        for &(class, weight) in &self.weights {
            if let Some(entry) = weights.get_mut(class as usize) {
                *entry = weight;
            }
        }
        let duty = |shifts: &Option<Shifts>| shifts.as_ref().map(|shifts| shifts.duty(tick)).transpose();
        let mut pools = vec![];
        for pool in &self.pools {
            let serves = |class: u32| pool.classes.is_empty() || pool.classes.contains(&class);
            pools.push(Pool {
                servers: pool.servers,
                serves: (0..classes as u32).map(serves).collect(),
                speed: fixed(pool.speed),
                duty: duty(&pool.shifts)?,
            });
        }
        if pools.is_empty() {
            pools.push(Pool { servers, serves: vec![true; classes], speed: UNIT, duty: duty(&self.shifts)? });
        }
        let law = |law: &Law| law.sampler_at(tick);
        let breakdowns = self.breakdowns.as_ref().map(|of| Ok::<_, LawError>((law(&of.up)?, law(&of.down)?)));
        let mut patience = vec![None; classes];
        let (general, special): (Vec<_>, Vec<_>) = self.impatience.iter().partition(|of| of.class.is_none());
        for of in general.into_iter().chain(special) {
            let compiled = Some((law(&of.patience)?, of.to));
            match of.class.map(|class| class as usize) {
                Some(class) => patience.get_mut(class).into_iter().for_each(|entry| entry.clone_from(&compiled)),
                None => patience.fill(compiled),
            }
        }
        Ok(Conduct {
            beyond: self.beyond().unwrap_or(ORDINARY),
            interrupted: self.interrupted,
            speeds: self.speeds.iter().map(|&speed| fixed(speed)).collect(),
            weights,
            pools,
            breakdowns: breakdowns.transpose()?,
            patience,
            balking: self.balking.iter().map(|&probability| fixed(probability)).collect(),
            retry: self.retry.as_ref().map(law).transpose()?,
            bulk: self.bulk.map(|bulk| bulk.in_ticks(tick)).transpose()?,
            polling: self.polling.as_ref().map(|polling| polling.in_ticks(classes, tick)).transpose()?,
            seize: set_of(&self.seize),
            release: set_of(&self.release),
            join: self.join.map(|join| Joining {
                parts: match join {
                    Join::All => None,
                    Join::First(parts) => Some(parts),
                },
            }),
            emission: self.emission(tick)?,
        })
    }

    fn emission(&self, tick: Tick) -> Result<Emission, Unfit> {
        let arrivals = &self.arrivals;
        let rates = match arrivals.rates.is_empty() {
            true => None,
            false => {
                let changes = arrivals.rates.iter().map(|&(from, factor)| Ok((tick.ticks(from)?, fixed(factor))));
                let changes = changes.collect::<Result<_, TimeError>>()?;
                let period = arrivals.period.map(|period| tick.ticks(period)).transpose()?;
                Some(Timetable { changes, period, interrupts: false })
            }
        };
        let mut below = 0.0;
        let batch = arrivals.batch.iter().map(|&(size, probability)| {
            below += probability;
            (size, fixed(below))
        });
        let batch = batch.collect();
        let phases = match &arrivals.markovian {
            None => vec![],
            Some(Markovian { without, with }) => phases(without, with, tick)?,
        };
        let replay = arrivals.replay.as_ref().map(|replay| replay.compiled(tick)).transpose()?.map(Arc::new);
        Ok(Emission { rates, batch, phases, limit: arrivals.limit, replay })
    }
}

/// Returns the set of some numbers below 64, with a bit for each.
fn set_of(numbers: &[u32]) -> u64 {
    numbers.iter().fold(0, |set, number| set | 1_u64.checked_shl(*number).unwrap_or(0))
}

impl Bulk {
    fn in_ticks(self, tick: Tick) -> Result<BulkInTicks, TimeError> {
        let wait = self.wait.map(|wait| tick.ticks(wait)).transpose()?;
        Ok(BulkInTicks { least: self.least, most: self.most, wait })
    }
}

impl Polling {
    fn in_ticks(&self, classes: usize, tick: Tick) -> Result<PollingInTicks, LawError> {
        let mut switch = vec![None; classes];
        let (general, special): (Vec<_>, Vec<_>) = self.switch.iter().partition(|(class, _)| class.is_none());
        for (class, law) in general.into_iter().chain(special) {
            let law = Some(law.sampler_at(tick)?);
            match class.map(|class| class as usize) {
                Some(class) => switch.get_mut(class).into_iter().for_each(|entry| entry.clone_from(&law)),
                None => switch.fill(law),
            }
        }
        Ok(PollingInTicks { order: self.order.clone(), visits: self.visits, switch })
    }
}

impl Shifts {
    fn duty(&self, tick: Tick) -> Result<Timetable, TimeError> {
        let changes = self.changes.iter().map(|&(from, servers)| Ok((tick.ticks(from)?, u64::from(servers))));
        let period = self.period.map(|period| tick.ticks(period)).transpose()?;
        Ok(Timetable { changes: changes.collect::<Result<_, TimeError>>()?, period, interrupts: self.interrupts })
    }
}

/// Returns the phases of a Markovian arrival process, given by its two matrices.
fn phases(without: &[Vec<f64>], with: &[Vec<f64>], tick: Tick) -> Result<Vec<Phase>, LawError> {
    let phases = without.iter().zip(with).enumerate().map(|(phase, (without, with))| {
        let quiet = without.iter().enumerate().filter(|(to, _)| *to != phase).map(|(to, rate)| (to, *rate, false));
        let moves: Vec<_> = quiet.chain(with.iter().enumerate().map(|(to, rate)| (to, *rate, true))).collect();
        let total: f64 = moves.iter().map(|(_, rate, _)| rate).sum();
        let stay = Law::Exponential { mean: 1.0 / total }.sampler_at(tick)?;
        let mut below = 0.0;
        let next = moves.iter().filter(|(_, rate, _)| *rate > 0.0).map(|&(to, rate, arrives)| {
            below += rate / total;
            (fixed(below), to as u32, arrives)
        });
        Ok(Phase { stay, next: next.collect() })
    });
    phases.collect()
}

/// Returns a number in units of 2^-32, rounded.
fn fixed(value: f64) -> u64 {
    // The cast saturates; checks keep values far below.
    (value * UNIT as f64).round() as u64
}
