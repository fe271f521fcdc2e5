//! Queueing networks as [`Model`]s of a catalogue: each [`Kind`] of configuration is one.
//!
//! Runs of one study are simulated side by side by the [exact engine](crate::engine::watched), or one by one where the
//! configuration asks for the engine `sequential`. Determinism class: exact.

mod kind;
mod laboratory;
mod point;
#[cfg(test)]
mod tests;

pub use kind::Kind;
pub use laboratory::{NetworkRunError, Networks};
pub use point::PointError;

use crate::config::{NetworkConfig, OpenConfig, TorusConfig};
use crate::measures::Measure as Quantity;
use imminent_core::{Device, ModuleSource};
use imminent_study::description::Measure;
use imminent_study::laboratory::{Fault, Laboratory, Point};
use imminent_study::{Alternatives, Base, Description, Experiments, Figures, Keys, Means, Model, Possible, Unused};
use point::experiment_at;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

/// Queueing networks of a kind.
#[derive(Debug, Clone, Copy, Default)]
pub struct Queueing<C>(PhantomData<C>);

/// Closed queueing networks on a torus.
pub type Torus = Queueing<TorusConfig>;

/// Lines of servers in tandem.
pub type Open = Queueing<OpenConfig>;

/// Queueing networks of any shape.
pub type QueueingNetwork = Queueing<NetworkConfig>;

impl<C: Kind> Model for Queueing<C> {
    fn description(&self) -> Description {
        let description = Description::new(C::NAME, "1", C::ABOUT);
        let measures = Quantity::ALL.into_iter().map(|measure| {
            let (unit, about) = said(measure);
            Measure::new(measure.name(), unit, about)
        });
        measures.fold(description, Description::measure).length("run.horizon")
    }

    fn keys(&self) -> Keys {
        Keys::of::<C>()
    }

    fn renamed(&self) -> &'static [(&'static str, &'static str)] {
        C::RENAMED
    }

    fn keys_of_studies(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("run.seed", "`seed`"),
            ("run.replications", "`repetitions`"),
            ("run.precision", "`repetitions`"),
            ("run.batches", "`repetitions`"),
            ("run.confidence", "`confidence`"),
            ("run.engine", "the file, as `exact` or `sequential`"),
        ]
    }

    fn needs_file(&self) -> bool {
        C::NEEDS_FILE
    }

    fn key_of_file(&self, file: &Path, text: &str) -> Option<&'static str> {
        C::key_of_file(file, text)
    }

    fn alternatives(&self) -> Alternatives {
        &[
            &["mean", "rate", "service"],
            &["mean", "rate", "interarrival"],
            &["mean", "rate", "value"],
            &["mean", "rate", "low"],
            &["mean", "rate", "high"],
            &["mean", "rate", "branches"],
            &["mean", "rate", "values"],
            &["mean", "rate", "file"],
        ]
    }

    fn experiments(&self) -> Option<&dyn Experiments> {
        Some(self)
    }

    fn kernels(&self) -> Vec<&'static ModuleSource> {
        C::kernels()
    }

    fn figures() -> Vec<Figures> {
        C::figures()
    }

    fn possible(&self, base: &Arc<Base>) -> Possible {
        let base = Arc::clone(base);
        Box::new(move |point| Ok(experiment_at::<C>(&base, point).map(drop)?))
    }

    fn unused(&self, base: &Base, point: &Point) -> Vec<Unused> {
        experiment_at::<C>(base, point).map(|point| point.unused).unwrap_or_default()
    }

    fn open(&self, base: &Arc<Base>, device: &Device, _: &Means) -> Result<Box<dyn Laboratory + Send>, Fault> {
        Ok(Box::new(Networks::<C>::new(base, device)))
    }
}

/// Unit of a measure, and what it is.
const fn said(measure: Quantity) -> (&'static str, &'static str) {
    use Quantity as M;
    match measure {
        M::Utilization => ("", "Share of the time that the average server is busy."),
        M::Throughput => ("1/time unit", "Services that the average station completes."),
        M::QueueLength => ("", "Tokens that wait at the average station."),
        M::NumberInSystem => ("", "Tokens at the average station."),
        M::Waiting => ("time units", "Mean wait of the counted visits."),
        M::Sojourn => ("time units", "Mean duration of the counted visits."),
        M::WaitingByLittle => ("time units", "Queue length over throughput: a mean wait in a stationary run alone."),
        M::SojournByLittle => ("time units", "Number over throughput: a mean duration in a stationary run alone."),
        M::Loss => ("", "Share of the arriving tokens that found no room."),
        M::Blocking => ("", "Share of the services whose token could not leave at once."),
        M::Reneging => ("", "Share of the arriving tokens that lost patience."),
        M::SystemNumber => ("", "Tokens in the whole network."),
        M::SystemArrivalRate => ("1/time unit", "Tokens that the sources emit."),
        M::SystemThroughput => ("1/time unit", "Tokens that leave the network after a service."),
        M::SystemResponse => ("time units", "Mean time in the network, by Little's law."),
        M::SystemDropRate => ("1/time unit", "Tokens that are lost at any station."),
        M::SystemLoss => ("", "Share of the emitted tokens that are lost."),
        M::SystemRenegingRate => ("1/time unit", "Tokens that lose patience at any station."),
        M::SystemReneging => ("", "Tokens that lose patience, as a share of the emitted tokens."),
        M::Cost => ("money/time unit", "Costs less gains, where the network's file gives costs."),
    }
}
