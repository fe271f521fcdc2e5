//! Behaviour of nodes from the keys of a configuration.

use super::super::ConfigError;
use super::behaviour_shape::{
    AllParts, BatchShape, BreakdownsShape, BulkShape, JoinShape, MarkovianShape, ShiftsShape,
};
use super::keys::Keys;
use super::node_shape::{AtNode, NodeShape};
use super::shape::{OUT, SourceShape};
use crate::law::{Law, LawShape};
use crate::network::{
    Arrivals, Behaviour, Breakdowns, Bulk, Impatience, Interrupted, Join, Markovian, Polling, Servers,
};
use std::fmt::Display;

/// Numbers of nodes and classes by name.
pub(super) trait Numbers {
    /// Returns the number of a node; a key with an unknown name is an error.
    fn node(&self, key: &dyn Display, name: &str) -> Result<u32, ConfigError>;

    /// Returns the number of a resource; a key with an unknown name is an error.
    fn resource(&self, key: &dyn Display, name: &str) -> Result<u32, ConfigError>;

    /// Returns the number of classes.
    fn number_of_classes(&self) -> u32;

    /// Returns the number of a class; a key with an unknown name is an error.
    fn class(&self, key: &dyn Display, name: &str) -> Result<u32, ConfigError>;
}

/// Returns the law of a key.
fn law(key: &dyn Display, name: &str, shape: &LawShape) -> Result<Law, ConfigError> {
    let law = Keys { law: (name, Some(shape)), mean: None, rate: None }.law(key)?;
    law.ok_or_else(|| ConfigError::value(&format!("{key}.{name}"), "no law is given".to_owned()))
}

fn impatience(
    key: &dyn Display,
    class: Option<u32>,
    (patience, to): (Option<&LawShape>, Option<&String>),
    numbers: &dyn Numbers,
) -> Result<Option<Impatience>, ConfigError> {
    match (patience, to) {
        (None, None) => Ok(None),
        (None, Some(_)) => {
            let problem = "nobody becomes impatient without a law: give 'patience' too, or remove it".to_owned();
            Err(ConfigError::value(&format!("{key}.impatient_to"), problem))
        }
        (Some(patience), to) => {
            let to = to.filter(|name| name.as_str() != OUT);
            let to = to.map(|name| numbers.node(&format!("{key}.impatient_to"), name)).transpose()?;
            Ok(Some(Impatience { class, patience: law(key, "patience", patience)?, to }))
        }
    }
}

/// Returns the numbers of resources.
fn resources(key: &dyn Display, names: &[String], numbers: &dyn Numbers) -> Result<Vec<u32>, ConfigError> {
    names.iter().map(|name| numbers.resource(key, name)).collect()
}

impl NodeShape {
    /// Returns the visits of a server that goes from queue to queue.
    fn polling(&self, key: &dyn Display, numbers: &dyn Numbers) -> Result<Option<Polling>, ConfigError> {
        let Some(shape) = self.polling.as_deref() else {
            let given = self.class.iter().find(|(_, at)| at.switch.is_some());
            return given.map_or(Ok(None), |(name, _)| {
                let problem =
                    "no server comes to the queue of a class without visits: give 'polling' too, or remove it";
                Err(ConfigError::value(&format!("{key}.class.{name}.switch"), problem.to_owned()))
            });
        };
        let key_of_order = format!("{key}.polling.order");
        let given = shape.order.iter().map(|name| numbers.class(&key_of_order, name)).collect::<Result<Vec<_>, _>>()?;
        let order = if given.is_empty() { (0..numbers.number_of_classes()).collect() } else { given };
        let mut switch = vec![];
        if let Some(shape) = &shape.switch {
            switch.push((None, law(&format!("{key}.polling"), "switch", shape)?));
        }
        for (name, at) in &self.class {
            if let Some(shape) = &at.switch {
                let key = format!("{key}.class.{name}");
                switch.push((Some(numbers.class(&key, name)?), law(&key, "switch", shape)?));
            }
        }
        Ok(Some(Polling { order, visits: shape.visits.visits(), switch }))
    }

    /// Returns the behaviour of a station.
    pub(super) fn behaviour(&self, key: &dyn Display, numbers: &dyn Numbers) -> Result<Behaviour, ConfigError> {
        let breakdowns = self.breakdowns.as_deref().map(|BreakdownsShape { up, down }| {
            let key = format!("{key}.breakdowns");
            Ok::<_, ConfigError>(Breakdowns { up: law(&key, "up", up)?, down: law(&key, "down", down)? })
        });
        let given = (self.patience.as_deref(), self.impatient_to.as_ref());
        let mut impatient: Vec<_> = impatience(key, None, given, numbers)?.into_iter().collect();
        let mut weights = vec![];
        for (name, AtNode { weight, patience, impatient_to, .. }) in &self.class {
            let key = format!("{key}.class.{name}");
            let class = numbers.class(&key, name)?;
            weights.extend(weight.map(|weight| (class, weight)));
            impatient.extend(impatience(&key, Some(class), (patience.as_ref(), impatient_to.as_ref()), numbers)?);
        }
        let mut pools = vec![];
        for (number, pool) in self.pool.iter().enumerate() {
            let key = format!("{key}.pool[{number}].classes");
            let classes = pool.classes.iter().map(|name| numbers.class(&key, name)).collect::<Result<_, _>>()?;
            let shifts = pool.shifts.as_ref().map(ShiftsShape::shifts);
            pools.push(Servers { servers: pool.servers, classes, speed: pool.speed.unwrap_or(1.0), shifts });
        }
        Ok(Behaviour {
            interrupted: self.interrupted.unwrap_or(Interrupted::Resume),
            speeds: self.speeds.clone(),
            weights,
            shifts: self.shifts.as_deref().map(ShiftsShape::shifts),
            breakdowns: breakdowns.transpose()?,
            impatience: impatient,
            balking: self.balking.clone(),
            retry: self.retry.as_deref().map(|shape| law(key, "retry", shape)).transpose()?,
            pools,
            bulk: self.bulk.as_deref().map(|BulkShape { least, most, wait }| Bulk {
                least: least.unwrap_or(1),
                most: *most,
                wait: *wait,
            }),
            polling: self.polling(key, numbers)?,
            seize: resources(&format!("{key}.seize"), &self.seize, numbers)?,
            release: resources(&format!("{key}.release"), &self.release, numbers)?,
            join: self.join.map(|join| match join {
                JoinShape::First(parts) => Join::First(parts),
                JoinShape::All(AllParts::All) => Join::All,
            }),
            arrivals: Arrivals::default(),
        })
    }
}

impl SourceShape {
    /// Returns the law of a source whose arrivals are given by rates or a Markovian process: exponential, with the
    /// greatest rate or the mean rate.
    pub(super) fn implied_law(&self, key: &dyn Display) -> Result<Option<Law>, ConfigError> {
        let wrong = |name: &str, problem: &str| Err(ConfigError::value(&format!("{key}.{name}"), problem.to_owned()));
        if let Some(MarkovianShape { d0, d1 }) = self.markovian.as_deref() {
            // The mean rate matters for estimates alone.
            let rates = d1.iter().map(|row| row.iter().sum::<f64>());
            let rate = rates.sum::<f64>() / d0.len().max(1) as f64;
            if !(rate.is_finite() && rate > 0.0) {
                return wrong(
                    "markovian",
                    "no transition of 'd1' has a rate, so nothing ever arrives: give at least one above 0",
                );
            }
            return Ok(Some(Law::Exponential { mean: 1.0 / rate }));
        }
        if self.rates.is_empty() {
            return Ok(None);
        }
        let greatest = self.greatest_rate();
        if !(greatest.is_finite() && greatest > 0.0) {
            return wrong("rates", "no rate is above 0, so nothing ever arrives: give at least one");
        }
        Ok(Some(Law::Exponential { mean: 1.0 / greatest }))
    }

    /// Returns the name of a key for arrivals that are drawn, if one is given.
    pub(super) fn drawn_key(&self) -> Option<&'static str> {
        let given = [
            ("mean", self.mean.is_some()),
            ("rate", self.rate.is_some()),
            ("interarrival", self.interarrival.is_some()),
            ("rates", !self.rates.is_empty()),
            ("period", self.period.is_some()),
            ("from", self.from.is_some()),
            ("until", self.until.is_some()),
            ("batch", self.batch.is_some()),
            ("markovian", self.markovian.is_some()),
            ("limit", self.limit.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }

    fn greatest_rate(&self) -> f64 {
        self.rates.iter().map(|(_, rate)| *rate).fold(0.0, f64::max)
    }

    /// Returns the arrivals of the source.
    pub(super) fn arrivals(&self, key: &dyn Display) -> Result<Arrivals, ConfigError> {
        let wrong = |name: &str, problem: &str| Err(ConfigError::value(&format!("{key}.{name}"), problem.to_owned()));
        let has_window = self.from.is_some() || self.until.is_some();
        if has_window && !self.rates.is_empty() {
            return wrong(
                "rates",
                "rates by time and 'from' or 'until' are given: put a rate of 0 where nothing arrives, and remove the others",
            );
        }
        if self.period.is_some() && self.rates.is_empty() {
            return wrong("period", "nothing begins again without rates by time: give 'rates' too, or remove it");
        }
        if let (Some(from), Some(until)) = (self.from, self.until)
            && until <= from
        {
            return wrong("until", "it is not after 'from', so nothing ever arrives: make it later");
        }
        let greatest = self.greatest_rate();
        let mut rates: Vec<_> = self.rates.iter().map(|(time, rate)| (*time, rate / greatest)).collect();
        if has_window {
            rates = [(self.from.unwrap_or(0.0), 1.0)].into_iter().chain(self.until.map(|until| (until, 0.0))).collect();
        }
        let batch = match &self.batch {
            None | Some(BatchShape::Always(1)) => vec![],
            Some(BatchShape::Always(size)) => vec![(*size, 1.0)],
            Some(BatchShape::Sizes(sizes)) => sizes.clone(),
        };
        let process = |of: &MarkovianShape| Markovian { without: of.d0.clone(), with: of.d1.clone() };
        let markovian = self.markovian.as_deref().map(process);
        Ok(Arrivals { rates, period: self.period, batch, markovian, limit: self.limit, replay: None })
    }
}
