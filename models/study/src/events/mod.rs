//! [Event models](imminent_events) as models to study: runs of many points side by side in one
//! [`Engine`](imminent_events::Engine).
//!
//! A model implements [`Studied`]. [`model`] makes its entry in the [catalogue](super::catalogue). The result of a run
//! depends only on its point and its seed, not on the runs beside it or on the device's memory. Determinism class: that
//! of the model's handlers.

mod keeper;
mod laboratory;
mod lcg;
mod mesh;
mod overhead;
mod phold;
mod together;

pub use laboratory::EventRuns;
pub use lcg::Lcg;
pub use mesh::Mesh;
pub use overhead::Overhead;
pub use phold::Phold;

use super::catalogue::{Means, Model, Possible, Source};
use super::definition::DefinitionError;
use super::description::Description;
use super::laboratory::{Fault, Laboratory, Point, Run};
use imminent_core::Device;
use imminent_events::{End, Events, Start};

/// An event model, as studies see it.
pub trait Studied: Default + Send + 'static {
    /// Events of the model.
    type Events: Events;

    /// Largest number of events that one call of a handler schedules.
    const MOST: u32;

    /// Returns the model's description.
    fn description() -> Description;

    /// Checks whether there can be runs of a point, beyond what the description says of each parameter by itself.
    /// Studies are [checked](super::plan) before the first run. Where not every point was checked, runs of an
    /// impossible point fail.
    ///
    /// # Errors
    /// A fault that says what is wrong with the point, and what to give instead.
    fn check(&mut self, _point: &Point) -> Result<(), Fault> {
        Ok(())
    }

    /// Returns the initial simulation of a run, which depends only on the run's point and seed.
    ///
    /// # Errors
    /// A fault that says why the run cannot start. This run fails; other runs go on.
    fn start(&mut self, run: &Run) -> Result<Start<Self::Events>, Fault>;

    /// Returns the values that a run measured, in the order of the description; `None` for a measure without a value.
    fn values(&self, run: &Run, end: &End<Module<Self>>) -> Vec<Option<f64>>;
}

/// The state of a module of a model.
pub type Module<M> = <<M as Studied>::Events as Events>::Module;

/// Returns the model's entry in the catalogue. `name` is that of its description.
#[must_use]
pub const fn model<M: Studied>(name: &'static str) -> Model {
    Model { name, describe: describe::<M>, possible: possible::<M>, open: open::<M>, mapped: true }
}

fn describe<M: Studied>(_: &Source<'_>) -> Result<Description, DefinitionError> {
    Ok(M::description())
}

fn possible<M: Studied>(_: &Source<'_>) -> Result<Possible, DefinitionError> {
    let mut model = M::default();
    Ok(Box::new(move |point| model.check(point)))
}

fn open<M: Studied>(_: &Source<'_>, device: &Device, means: &Means) -> Result<Box<dyn Laboratory + Send>, Fault> {
    Ok(Box::new(EventRuns::<M>::new(device).mapped(means.mapping).keeping(means.checkpoints.clone())))
}
