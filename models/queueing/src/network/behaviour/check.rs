//! Checks of behaviours.

use super::conduct::Unfit;
use super::{Arrivals, Behaviour, Bulk, Conduct, Join, Markovian, Polling, Servers, Shifts, Visits};
use crate::law::LawError;
use crate::network::{Discipline, Role, Station};
use imminent_common::time::{Tick, TimeError};
use thiserror::Error;

/// Largest number of a list, such as the changes of a shift: 10^5.
const MAX_LIST: usize = 100_000;

/// Largest speed or factor of a rate.
const MAX_FACTOR: f64 = 1e6;

/// Reasons why a node cannot behave as it should.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum BehaviourError {
    /// Something belongs to stations alone, or to sources alone.
    #[error("{what} belong to a {belongs}, and this is none: remove them")]
    Misplaced {
        /// Property that was given.
        what: &'static str,
        /// Kind of node to which it belongs.
        belongs: &'static str,
    },
    /// A list has no entries or too many.
    #[error("{what} have {entries} entries: give 1 to {MAX_LIST}")]
    Entries {
        /// Name of the list.
        what: &'static str,
        /// Number of entries.
        entries: usize,
    },
    /// Times of a list do not rise, or do not lie within the period.
    #[error("{what}: time {time} comes after {before}: times must rise from 0 on")]
    Order {
        /// Name of the list.
        what: &'static str,
        /// Time that is wrong.
        time: f64,
        /// Time before it.
        before: f64,
    },
    /// A period ends before the last change.
    #[error(
        "{what}: they begin again after {period} and change at {time}: make the period longer, or the times shorter"
    )]
    Period {
        /// Name of the list.
        what: &'static str,
        /// Period.
        period: f64,
        /// Last time of a change.
        time: f64,
    },
    /// Servers on duty, or rates, that are 0 at all times.
    #[error("{what} are 0 at all times, so nothing ever happens here: give at least one above 0")]
    Never {
        /// Name of the numbers.
        what: &'static str,
    },
    /// More servers are on duty than the station or the pool has.
    #[error("more servers are on duty than there are, {servers} of {most}: give more servers, or fewer on duty")]
    TooManyOnDuty {
        /// Servers on duty.
        servers: u32,
        /// Servers of the station or of the pool.
        most: u32,
    },
    /// A number is outside of its range.
    #[error("{what}: {value} is not possible: give {range}")]
    Range {
        /// Name of the number.
        what: &'static str,
        /// Number given.
        value: f64,
        /// Possible numbers, in words.
        range: &'static str,
    },
    /// Probabilities do not add up to one.
    #[error("{what} add up to {sum}: make them add up to 1")]
    Probabilities {
        /// Name of the probabilities.
        what: &'static str,
        /// Their sum.
        sum: f64,
    },
    /// Two things cannot be together.
    #[error("{what} and {other} cannot be together at one {place}: remove one of them")]
    Together {
        /// First.
        what: &'static str,
        /// Second.
        other: &'static str,
        /// Kind of the node.
        place: &'static str,
    },
    /// A class that comes here is served by no server.
    #[error(
        "no server here serves tokens of class '{class}', which would wait for ever: add it to the classes of some"
    )]
    Unskilled {
        /// Name of the class.
        class: String,
    },
    /// A class that comes here is never visited by the server that goes from queue to queue.
    #[error("the server never comes to the queue of class '{class}': add the class to the order of its visits")]
    Unvisited {
        /// Name of the class.
        class: String,
    },
    /// One of several pools of servers is wrong.
    #[error("pool {} of its servers: {error}", number + 1)]
    Pool {
        /// Number of the pool, from 0.
        number: usize,
        /// Reason.
        error: Box<Self>,
    },
    /// A node joins parts of forked tokens, and none come.
    #[error(
        "it joins parts of forked tokens and no node before it makes any: give one the routing 'fork', or remove the join"
    )]
    NoParts,
    /// A matrix is not square, or its rows do not belong to a Markovian arrival process.
    #[error("the Markovian arrival process: {problem}")]
    Markovian {
        /// Problem, and a remedy.
        problem: String,
    },
    /// A row of a table of arrivals is wrong.
    #[error("row {row} of the arrivals to replay: {problem}")]
    Replay {
        /// Number of the row, from 1.
        row: u64,
        /// Problem, and a remedy.
        problem: String,
    },
    /// Tokens try again and would block.
    #[error("tokens that find no room try again, and would wait in their servers: take 'lose' as the overflow")]
    RetryOrBlock,
    /// A law cannot be drawn from.
    #[error(transparent)]
    Law(#[from] LawError),
    /// A time cannot be expressed in ticks.
    #[error(transparent)]
    Time(#[from] TimeError),
}

impl BehaviourError {
    /// Returns the key of a configuration that is at fault, in the entry of the node; `None` if that depends.
    pub(crate) fn key(&self) -> Option<String> {
        match self {
            Self::Pool { number, error } => {
                let key = error.key();
                Some(key.map_or_else(|| format!("pool[{number}]"), |key| format!("pool[{number}].{key}")))
            }
            other => other.key_of_node().map(str::to_owned),
        }
    }

    /// Returns the key of a node that is at fault.
    fn key_of_node(&self) -> Option<&'static str> {
        let of = |what: &str| {
            let keys = [
                ("arrivals of a table to replay", "replay"),
                ("the arrivals to replay", "replay"),
                ("from queue to queue", "polling"),
                ("queue", "polling"),
                ("served batch", "bulk"),
                ("service in batches", "bulk"),
                ("generalized sharing", "discipline"),
                ("shifts", "shifts"),
                ("servers on duty", "shifts"),
                ("rates with an arrival", "markovian"),
                ("rate", "rates"),
                ("speed of servers", "speed"),
                ("servers that differ", "pool"),
                ("speed", "speeds"),
                ("weight", "class"),
                ("breakdowns", "breakdowns"),
                ("batch", "batch"),
                ("emissions", "limit"),
                ("join", "balking"),
                ("parts", "join"),
                ("servers that break down", "servers"),
                ("servers", "servers"),
            ];
            keys.into_iter().find(|(part, _)| what.contains(part)).map(|(_, key)| key)
        };
        match self {
            Self::Misplaced { what, .. }
            | Self::Entries { what, .. }
            | Self::Order { what, .. }
            | Self::Period { what, .. }
            | Self::Never { what }
            | Self::Range { what, .. }
            | Self::Probabilities { what, .. }
            | Self::Together { what, .. } => of(what),
            Self::TooManyOnDuty { .. } => Some("shifts"),
            Self::NoParts => Some("join"),
            Self::Unskilled { .. } | Self::Pool { .. } => Some("pool"),
            Self::Unvisited { .. } => Some("polling"),
            Self::Markovian { .. } => Some("markovian"),
            Self::Replay { .. } => Some("replay"),
            Self::RetryOrBlock => Some("retry"),
            Self::Law(_) | Self::Time(_) => None,
        }
    }
}

impl From<Unfit> for BehaviourError {
    fn from(unfit: Unfit) -> Self {
        match unfit {
            Unfit::Law(error) => Self::Law(error),
            Unfit::Time(error) => Self::Time(error),
        }
    }
}

impl Behaviour {
    /// Checks the behaviour of a node, to which some classes come, and compiles it to ticks.
    pub(in crate::network) fn checked(
        &self,
        role: Role,
        classes: &[String],
        come: impl Fn(u32) -> bool,
        tick: Tick,
    ) -> Result<Conduct, BehaviourError> {
        let servers = match role {
            Role::Source => {
                self.check_source(come)?;
                1
            }
            Role::Station(station) => {
                self.check_station(station)?;
                let mut served = (0..).zip(classes).filter(|(class, _)| come(*class));
                served.try_for_each(|(class, name)| self.check_skills(class, name))?;
                station.servers
            }
        };
        Ok(self.conduct(servers, classes.len(), tick)?)
    }

    fn check_source(&self, emits: impl Fn(u32) -> bool) -> Result<(), BehaviourError> {
        let of_stations = Self { arrivals: Arrivals::default(), ..self.clone() };
        if let Some(what) = of_stations.beyond() {
            return Err(BehaviourError::Misplaced { what, belongs: "station" });
        }
        let Arrivals { rates, period, batch, markovian, limit, replay } = &self.arrivals;
        if let Some(replay) = replay {
            let others = Self { arrivals: Arrivals { replay: None, ..self.arrivals.clone() }, ..Self::default() };
            if let Some(other) = others.beyond() {
                return Err(BehaviourError::Together { what: "arrivals of a table to replay", other, place: "source" });
            }
            return replay.check(emits);
        }
        if !rates.is_empty() {
            check_times("rates", rates.iter().map(|(time, _)| *time), *period)?;
            rates.iter().try_for_each(|(_, factor)| {
                range("rates", *factor, 0.0, MAX_FACTOR, "0 to 10^6 times the least rate above 0")
            })?;
            if rates.iter().all(|(_, factor)| *factor == 0.0) {
                return Err(BehaviourError::Never { what: "rates" });
            }
        }
        if !batch.is_empty() {
            entries("batches", batch.len())?;
            for (size, probability) in batch {
                range("size of a batch", f64::from(*size), 1.0, 1e6, "1 to 10^6")?;
                range("probability of a batch", *probability, 0.0, 1.0, "0 to 1")?;
            }
            let sum: f64 = batch.iter().map(|(_, probability)| probability).sum();
            if (sum - 1.0).abs() > 1e-6 {
                return Err(BehaviourError::Probabilities { what: "the probabilities of batches", sum });
            }
        }
        if *limit == Some(0) {
            return Err(BehaviourError::Never { what: "the emissions of this source" });
        }
        markovian.as_ref().map_or(Ok(()), |Markovian { without, with }| check_markovian(without, with))
    }

    fn check_station(&self, station: Station) -> Result<(), BehaviourError> {
        let arrivals = Self { arrivals: self.arrivals.clone(), ..Self::default() };
        if let Some(what) = arrivals.beyond() {
            return Err(BehaviourError::Misplaced { what, belongs: "source" });
        }
        let shared = station.discipline.shares();
        self.check_bulk(station)?;
        self.check_polling(station)?;
        let has_pools = !self.pools.is_empty();
        let together = [
            (
                has_pools && self.shifts.is_some(),
                "servers that differ",
                "shifts of the whole station, in place of their own",
            ),
            (has_pools && self.breakdowns.is_some(), "servers that differ", "breakdowns"),
            (has_pools && !self.speeds.is_empty(), "servers that differ", "speeds that depend on the number of tokens"),
            (has_pools && shared, "servers that differ", "shared servers"),
            (
                has_pools && station.discipline.interrupts(),
                "servers that differ",
                "a discipline that interrupts services",
            ),
            (
                !self.speeds.is_empty() && station.discipline.interrupts(),
                "speeds that depend on the number of tokens",
                "a discipline that interrupts services",
            ),
            (!self.weights.is_empty() && !shared, "weights of classes", "a discipline that shares no servers"),
            (!self.weights.is_empty() && station.servers != 1, "weights of classes", "more than one server"),
            (self.breakdowns.is_some() && station.servers == Station::INFINITE, "breakdowns", "servers without number"),
            (
                self.join.is_some() && station.capacity.is_some(),
                "parts to wait for",
                "a capacity, which they would fill",
            ),
        ];
        if let Some((_, what, other)) = together.into_iter().find(|(both, ..)| *both) {
            return Err(BehaviourError::Together { what, other, place: "station" });
        }
        if self.breakdowns.is_some() {
            let (servers, most) = (f64::from(station.servers), MAX_LIST as f64);
            range("servers that break down, each with times of its own", servers, 1.0, most, "1 to 100,000")?;
        }
        if !self.speeds.is_empty() {
            entries("speeds", self.speeds.len())?;
            self.speeds.iter().try_for_each(|speed| range("speeds", *speed, 1e-6, MAX_FACTOR, "10^-6 to 10^6"))?;
        }
        for (_, weight) in &self.weights {
            range("weights", f64::from(*weight), 1.0, 1e6, "1 to 10^6")?;
        }
        check_shifts(self.shifts.as_ref(), station.servers)?;
        for (number, pool) in self.pools.iter().enumerate() {
            pool.check().map_err(|error| BehaviourError::Pool { number, error: Box::new(error) })?;
        }
        for probability in &self.balking {
            range("probability to join", *probability, 0.0, 1.0, "0 to 1")?;
        }
        if self.retry.is_some() && (station.overflow == crate::network::Overflow::Block) {
            return Err(BehaviourError::RetryOrBlock);
        }
        match self.join {
            Some(Join::First(0)) => {
                Err(BehaviourError::Range { what: "parts to wait for", value: 0.0, range: "1 at least" })
            }
            _ => Ok(()),
        }
    }

    /// Returns what a station has that lets servers go, share or differ.
    fn servers_that_change(&self, station: Station) -> Option<&'static str> {
        let has = [
            (!self.pools.is_empty(), "servers that differ"),
            (!self.speeds.is_empty(), "speeds that depend on the number of tokens"),
            (self.breakdowns.is_some(), "breakdowns"),
            (self.shifts.as_ref().is_some_and(|shifts| shifts.interrupts), "shifts that interrupt services"),
            (station.discipline.interrupts(), "a discipline that interrupts services"),
            (station.discipline.shares(), "shared servers"),
            (station.discipline == Discipline::ShortestJob, "services by their length"),
            (station.servers == Station::INFINITE, "servers without number"),
        ];
        has.into_iter().find(|(has, _)| *has).map(|(_, what)| what)
    }

    fn check_bulk(&self, station: Station) -> Result<(), BehaviourError> {
        let Some(Bulk { least, most, wait }) = self.bulk else { return Ok(()) };
        if let Some(other) = self.servers_that_change(station) {
            return Err(BehaviourError::Together { what: "service in batches", other, place: "station" });
        }
        let (least, most) = (f64::from(least), f64::from(most));
        range("largest number of a served batch", most, 1.0, 1e6, "1 to 10^6")?;
        range("least number of a served batch", least, 1.0, most, "1 to the largest number")?;
        if let Some(capacity) = station.capacity.filter(|_| wait.is_none()) {
            let (room, range_of) = (f64::from(capacity), "1 to the capacity of the station");
            range("least number of a served batch", least, 1.0, room, range_of)?;
        }
        wait.map_or(Ok(()), |wait| range("wait for a served batch", wait, 0.0, f64::MAX, "0 or more"))
    }

    fn check_polling(&self, station: Station) -> Result<(), BehaviourError> {
        let Some(Polling { order, visits, .. }) = &self.polling else { return Ok(()) };
        let others = [
            (self.bulk.is_some(), "service in batches"),
            (self.shifts.is_some(), "shifts"),
            (station.servers != 1, "more than one server"),
            (station.discipline != Discipline::Fifo, "a discipline other than 'fifo'"),
        ];
        let other = others.into_iter().find(|(has, _)| *has).map(|(_, what)| what);
        if let Some(other) = self.servers_that_change(station).or(other) {
            let what = "a server that goes from queue to queue";
            return Err(BehaviourError::Together { what, other, place: "station" });
        }
        entries("queues to visit", order.len())?;
        match visits {
            Visits::Limited(0) => {
                Err(BehaviourError::Range { what: "services of a visit to a queue", value: 0.0, range: "1 at least" })
            }
            _ => Ok(()),
        }
    }

    /// Checks that a class which comes here finds a server for it.
    fn check_skills(&self, class: u32, name: &str) -> Result<(), BehaviourError> {
        if self.polling.as_ref().is_some_and(|polling| !polling.order.contains(&class)) {
            return Err(BehaviourError::Unvisited { class: name.to_owned() });
        }
        let serves = |pool: &Servers| pool.classes.is_empty() || pool.classes.contains(&class);
        let served = self.pools.is_empty() || self.pools.iter().any(serves);
        if served { Ok(()) } else { Err(BehaviourError::Unskilled { class: name.to_owned() }) }
    }
}

impl Servers {
    fn check(&self) -> Result<(), BehaviourError> {
        range("servers", f64::from(self.servers), 1.0, f64::from(u32::MAX), "1 at least")?;
        range("speed of servers", self.speed, 1e-6, MAX_FACTOR, "10^-6 to 10^6")?;
        check_shifts(self.shifts.as_ref(), self.servers)
    }
}

fn entries(what: &'static str, entries: usize) -> Result<(), BehaviourError> {
    if (1..=MAX_LIST).contains(&entries) { Ok(()) } else { Err(BehaviourError::Entries { what, entries }) }
}

fn range(what: &'static str, value: f64, least: f64, most: f64, range: &'static str) -> Result<(), BehaviourError> {
    if (least..=most).contains(&value) { Ok(()) } else { Err(BehaviourError::Range { what, value, range }) }
}

/// Checks the times of a list: they rise from 0 on, and lie within the period.
fn check_times(
    what: &'static str,
    times: impl ExactSizeIterator<Item = f64>,
    period: Option<f64>,
) -> Result<(), BehaviourError> {
    entries(what, times.len())?;
    let mut before = None;
    for time in times {
        let rises = time.is_finite() && before.map_or(time >= 0.0, |before| time > before);
        if !rises {
            return Err(BehaviourError::Order { what, time, before: before.unwrap_or(0.0) });
        }
        before = Some(time);
    }
    match period.zip(before) {
        Some((period, time)) if !(period.is_finite() && period > time) => {
            Err(BehaviourError::Period { what, period, time })
        }
        _ => Ok(()),
    }
}

fn check_shifts(shifts: Option<&Shifts>, most: u32) -> Result<(), BehaviourError> {
    let Some(shifts) = shifts else { return Ok(()) };
    check_times("shifts", shifts.changes.iter().map(|(time, _)| *time), shifts.period)?;
    let greatest = shifts.changes.iter().map(|(_, servers)| *servers).max().unwrap_or(0);
    match greatest {
        0 => Err(BehaviourError::Never { what: "the servers on duty" }),
        servers if servers > most => Err(BehaviourError::TooManyOnDuty { servers, most }),
        _ => Ok(()),
    }
}

fn check_markovian(without: &[Vec<f64>], with: &[Vec<f64>]) -> Result<(), BehaviourError> {
    let wrong = |problem: String| Err(BehaviourError::Markovian { problem });
    let phases = without.len();
    if phases == 0
        || phases > 1_000
        || with.len() != phases
        || without.iter().chain(with).any(|row| row.len() != phases)
    {
        return wrong("both matrices must be square, of the same size, with 1 to 1,000 phases".to_owned());
    }
    for (phase, (quiet, arriving)) in without.iter().zip(with).enumerate() {
        let others = quiet.iter().enumerate().filter(|(to, _)| *to != phase).map(|(_, rate)| rate).chain(arriving);
        if quiet.iter().chain(arriving).any(|rate| !rate.is_finite()) || others.clone().any(|rate| *rate < 0.0) {
            return wrong(format!(
                "row {}: rates must be 0 or above, but for the diagonal of the first matrix",
                phase + 1
            ));
        }
        let total: f64 = others.sum();
        let diagonal = quiet.get(phase).copied().unwrap_or(0.0);
        if total <= 0.0 || (total + diagonal).abs() > 1e-6 * total {
            return wrong(format!(
                "row {} adds up to {} over both matrices: make the diagonal of the first one {}",
                phase + 1,
                total + diagonal,
                -total
            ));
        }
    }
    if with.iter().flatten().all(|rate| *rate == 0.0) {
        return Err(BehaviourError::Never { what: "the rates with an arrival" });
    }
    Ok(())
}
