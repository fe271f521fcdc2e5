//! Delivery of the messages that modules sent in a step: its choice, and its steps in a program.

use super::contract::{Events, Tables};
use super::exchange::Exchange;
use super::kernels::delivery::{EnvelopeColumns as _, RunningColumns as _, WindowColumns as _};
use imminent_core::primitives::ScanOp;
use imminent_core::{ProgramBuilder, Result, Scalar};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Mean number of modules that each module would look through, above which messages are delivered by destination.
///
/// With 16,384 simulations of 32 modules on a GPU, all-to-all delivery takes 1.13 times as long; with 64 modules 1.58
/// times. With one simulation of 32 modules it takes 0.84 times as long, with 64 modules 1.05 times.
const MANY: u64 = 32;

/// Way in which messages reach their receivers. Outcomes do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// Each module looks through the messages of all modules of its simulation. The work of a step grows with the
    /// square of the modules, and needs no launch of its own.
    AllToAll,
    /// Messages are sorted by their receivers. The work of a step grows with the modules and the messages.
    ByDestination,
}

/// Fixed delivery, or automatic choice by the number of modules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeliveryChoice {
    /// Always this delivery.
    Always(Delivery),
    /// By destination if a module would look through the messages of more than 32 modules on average, and the model
    /// prepares no events: groups prepare events with all-to-all delivery only.
    #[default]
    Auto,
}

impl fmt::Display for Delivery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Delivery::AllToAll => "all-to-all",
            Delivery::ByDestination => "by-destination",
        })
    }
}

impl FromStr for DeliveryChoice {
    type Err = UnknownDelivery;

    fn from_str(name: &str) -> std::result::Result<Self, UnknownDelivery> {
        let choices = [Self::Auto, Self::Always(Delivery::AllToAll), Self::Always(Delivery::ByDestination)];
        let named = choices.into_iter().find(|choice| choice.to_string() == name);
        named.ok_or_else(|| UnknownDelivery(name.to_owned()))
    }
}

impl fmt::Display for DeliveryChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeliveryChoice::Always(delivery) => delivery.fmt(f),
            DeliveryChoice::Auto => f.write_str("auto"),
        }
    }
}

/// Name that is not that of a [`DeliveryChoice`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no delivery '{0}'; there are: all-to-all, by-destination, auto")]
pub struct UnknownDelivery(String);

impl DeliveryChoice {
    /// Returns the delivery for simulations of these numbers of modules, without those that send nothing. `prepares` is
    /// `true` for a model that prepares events.
    pub(super) fn of(self, prepares: bool, modules: impl Iterator<Item = u64>) -> Delivery {
        match self {
            DeliveryChoice::Always(delivery) => return delivery,
            DeliveryChoice::Auto if prepares => return Delivery::AllToAll,
            DeliveryChoice::Auto => {}
        }
        let (rows, looks) = modules.fold((0, 0), |(rows, looks), modules| (rows + modules, looks + modules * modules));
        if looks > MANY * rows { Delivery::ByDestination } else { Delivery::AllToAll }
    }
}

/// Records the delivery of what modules sent in the step before, if it is by destination.
pub(super) fn record<E: Events>(step: &mut ProgramBuilder, tables: &mut Tables<E>) -> Result<()> {
    record_addresses(step, tables)?;
    let Some(exchange) = &mut tables.exchange else { return Ok(()) };
    let Exchange { envelopes, sorted, windows, earliest, firsts, .. } = exchange;
    let order = step.sort(envelopes.receiver())?;
    step.gather(order.rows(), envelopes, sorted)?;
    let times = E::earliest_of(&tables.posts[0]);
    if windows.len() == 1 {
        step.min_into(times, windows)?;
        return Ok(());
    }
    step.segmented_min(times, firsts, earliest)?;
    step.copy_column(&*earliest, windows.earliest())
}

fn record_addresses<E: Events>(step: &mut ProgramBuilder, tables: &mut Tables<E>) -> Result<()> {
    if let Some(exchange) = &mut tables.exchange {
        step.inclusive_scan(E::sent(&tables.posts[0]), ScanOp::Sum, &mut exchange.sent)?;
        step.copy_column(&exchange.sent, exchange.running.total())?;
    }
    E::record_addresses(step, tables)
}

/// Records the number of messages that modules sent in this step.
pub(super) fn record_count<E: Events>(step: &mut ProgramBuilder, tables: &Tables<E>) -> Result<Scalar<u32>> {
    step.sum(E::sent(&tables.posts[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_modules_are_served_by_destination() {
        let of = |modules: &[u64]| DeliveryChoice::Auto.of(false, modules.iter().copied());
        assert_eq!(of(&[]), Delivery::AllToAll);
        assert_eq!(of(&[32; 1000]), Delivery::AllToAll);
        assert_eq!(of(&[33]), Delivery::ByDestination);
        assert_eq!(of(&[2, 1_000_000]), Delivery::ByDestination);
        assert_eq!("all-to-all".parse(), Ok(DeliveryChoice::Always(Delivery::AllToAll)));
        assert_eq!("".parse::<DeliveryChoice>(), Err(UnknownDelivery(String::new())));
        let fixed = DeliveryChoice::Always(Delivery::AllToAll);
        assert_eq!(fixed.of(false, [1_000_000].into_iter()), Delivery::AllToAll);
        assert_eq!(DeliveryChoice::Auto.of(true, [1_000_000].into_iter()), Delivery::AllToAll);
    }
}
