//! The papers' models: a package each, under one name. Queueing networks are there with the feature `queueing`, the
//! others with `models`.

#[cfg(feature = "models")]
pub use imminent_cell as cell;
pub use imminent_common::{
    estimate, exponential, free_memory, graphml, input, number, output, parallel, printable, streams, time, toml_text,
};
#[cfg(feature = "models")]
pub use imminent_events::{self as events, event_model};
#[cfg(feature = "models")]
pub use imminent_manet as manet;
#[cfg(feature = "maps")]
pub use imminent_maps as maps;
pub use imminent_queueing as queueing;
#[cfg(feature = "models")]
pub use imminent_study as study;
#[cfg(feature = "models")]
pub use imminent_traffic as traffic;
