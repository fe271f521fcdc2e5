//! Event models as [`Model`]s of a catalogue: runs of many points side by side in one [`Engine`](crate::Engine).
//!
//! An event model with a configuration implements [`EventModel`]; [`model`] makes a [`Model`] of it. The result of a
//! run depends only on its configuration and its seed, not on the runs beside it or on the device's memory.
//! Determinism class: that of the model's handlers.
//!
//! ```
//! use imminent_events::study::{EventModel, model};
//! use imminent_events::{End, First, Start};
//! use imminent_study::description::Measure;
//! use imminent_study::laboratory::Fault;
//! use imminent_study::{Catalogue, Definition, Description};
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//!
//! imminent_events::event_model! {
//!     /// Modules in a ring that pass a token on.
//!     mod ring {
//!         events { Arrive => arrive, }
//!
//!         #[derive(Row)]
//!         pub struct Module { pub seen: u32 }
//!
//!         pub struct Payload { pub rounds: u32 }
//!
//!         #[derive(Row)]
//!         pub struct Point { pub delay: u64 }
//!
//!         fn arrive(me: &mut Module, token: Payload, point: &Point, agenda: &mut Agenda) {
//!             me.seen += 1;
//!             let next = (agenda.module() + 1) % agenda.modules();
//!             agenda.send(next, point.delay, Kind::Arrive, Payload { rounds: token.rounds + 1 });
//!         }
//!     }
//! }
//!
//! /// Configuration of a ring.
//! #[derive(Serialize, Deserialize, JsonSchema)]
//! #[serde(default, deny_unknown_fields)]
//! struct RingConfig {
//!     /// Modules in the ring.
//!     #[schemars(range(min = 1, max = 1000))]
//!     modules: u32,
//!     /// Time from a module to the next.
//!     #[schemars(range(min = 1), extend("unit" = "ticks"))]
//!     delay: u64,
//!     /// End of a run.
//!     #[schemars(extend("unit" = "ticks"))]
//!     end: u64,
//! }
//!
//! impl Default for RingConfig {
//!     fn default() -> Self {
//!         RingConfig { modules: 4, delay: 5, end: 100 }
//!     }
//! }
//!
//! #[derive(Clone, Default)]
//! struct Ring;
//!
//! impl EventModel for Ring {
//!     type Config = RingConfig;
//!     type Events = ring::step;
//!     const MAX_SCHEDULED: u32 = 1; // a handler schedules one event at most
//!
//!     fn description() -> Description {
//!         let seen = Measure::new("seen", "", "Tokens that the first module has seen.");
//!         Description::new("ring", "1", "Modules in a ring that pass a token on.").length("end").measure(seen)
//!     }
//!
//!     fn start(&mut self, config: &RingConfig, _seed: u64) -> Result<Start<ring::step>, Fault> {
//!         Ok(Start {
//!             point: ring::Point { delay: config.delay }.into(),
//!             modules: vec![ring::Module { seen: 0 }; config.modules as usize],
//!             events: vec![First { time: 0, module: 0, kind: ring::Kind::Arrive, payload: ring::Payload { rounds: 0 } }],
//!             lookahead: config.delay.into(),
//!             end: config.end,
//!         })
//!     }
//!
//!     fn values(_: &RingConfig, end: &End<ring::Module>) -> Vec<Option<f64>> {
//!         vec![end.modules.first().map(|module| f64::from(module.seen))]
//!     }
//! }
//!
//! // The catalogue takes a study of it by the keys of its configuration.
//! let catalogue = Catalogue::default().with(model::<Ring>());
//! let planned = catalogue.plan(&Definition::new("ring").fix("delay", 10), "".as_ref())?;
//! assert_eq!(planned.study.runs(), 1);
//! let unknown = catalogue.plan(&Definition::new("ring").fix("delays", 10), "".as_ref()).unwrap_err();
//! assert_eq!(
//!     unknown.to_string(),
//!     "fixed.delays: model 'ring' has no parameter `delays`; did you mean `delay`?"
//! );
//! # Ok::<(), imminent_study::DefinitionError>(())
//! ```

mod beginnings;
#[cfg(test)]
mod checkpoints;
mod keeper;
mod laboratory;
mod laden;
mod lcg;
mod mesh;
mod overhead;
mod phold;
#[cfg(test)]
mod tests;
mod together;

pub use laboratory::EventRuns;
pub use laden::{Laden, LadenConfig};
pub use lcg::{Lcg, LcgConfig};
pub use mesh::Mesh;
pub use overhead::{Overhead, OverheadConfig};
pub use phold::{Phold, PholdConfig};

use crate::{End, EventTypes, Events, Mapping, Start, kernels};
use imminent_core::{Device, ModuleSource, Work};
use imminent_study::laboratory::{Fault, Laboratory, Point};
use imminent_study::{Base, Benchmark, Description, Figures, Keys, Means, Model, Possible};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// An event model with a configuration.
pub trait EventModel: Clone + Default + Send + 'static {
    /// Configuration of a run. The doc comments of its fields describe its [keys](Keys).
    type Config: JsonSchema + Serialize + DeserializeOwned + Default + Send + Sync;

    /// Events of the model.
    type Events: Events;

    /// Largest number of events that one call of a handler schedules.
    const MAX_SCHEDULED: u32;

    /// Returns name, revision and measures of the model, as [`Model::description`] does.
    fn description() -> Description;

    /// Checks whether there can be runs of a configuration, beyond what its keys say of each value by itself.
    ///
    /// # Errors
    /// A fault that says what is wrong with the configuration, and what to give instead.
    fn check(_config: &Self::Config) -> Result<(), Fault> {
        Ok(())
    }

    /// Returns the work of a run, by which a device is chosen for it; `None` where it is not known.
    fn work(_config: &Self::Config) -> Option<Work> {
        None
    }

    /// Returns the initial simulation of a run, which depends only on its configuration and seed. The model may keep
    /// what runs of a configuration share: threads that begin further ones have clones of it.
    ///
    /// # Errors
    /// A fault that says why the run cannot start. This run fails; other runs go on.
    fn start(&mut self, config: &Self::Config, seed: u64) -> Result<Start<Self::Events>, Fault>;

    /// Returns benchmarks of the engines.
    fn benchmarks() -> Vec<Benchmark> {
        vec![]
    }

    /// Returns figures of publications, measured anew.
    fn figures() -> Vec<Figures> {
        vec![]
    }

    /// Returns the values that a run measured, in the order of the description; `None` for a measure without a value.
    fn values(config: &Self::Config, end: &End<Module<Self>>) -> Vec<Option<f64>>;
}

/// The state of a module of a model.
pub type Module<M> = <<M as EventModel>::Events as EventTypes>::Module;

/// Returns an event model as a model of a catalogue.
#[must_use]
pub fn model<M: EventModel>() -> impl Model {
    EventModelOf::<M>(PhantomData)
}

struct EventModelOf<M>(PhantomData<fn() -> M>);

impl<M: EventModel> fmt::Debug for EventModelOf<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EventModelOf").field(&M::description().name).finish()
    }
}

impl<M: EventModel> Model for EventModelOf<M> {
    fn description(&self) -> Description {
        M::description()
    }

    fn keys(&self) -> Keys {
        Keys::of::<M::Config>()
    }

    fn mappings(&self) -> Vec<&'static str> {
        Mapping::ALL.iter().map(|mapping| mapping.name()).chain(["auto"]).collect()
    }

    fn work(&self, base: &Base, point: &Point) -> Option<Work> {
        M::work(&base.config(point).ok()?)
    }

    fn kernels(&self) -> Vec<&'static ModuleSource> {
        [&[M::Events::kernels()][..], &kernels::sources()].concat()
    }

    fn benchmarks() -> Vec<Benchmark> {
        M::benchmarks()
    }

    fn figures() -> Vec<Figures> {
        M::figures()
    }

    fn possible(&self, base: &Arc<Base>) -> Possible {
        let base = Arc::clone(base);
        Box::new(move |point| M::check(&base.config(point)?))
    }

    fn open(&self, base: &Arc<Base>, device: &Device, means: &Means) -> Result<Box<dyn Laboratory + Send>, Fault> {
        let mapping = means.mapping.as_deref().unwrap_or("auto").parse()?;
        Ok(Box::new(EventRuns::<M>::new(base, device).mapped(mapping).keeping(means.checkpoints.clone())))
    }
}
