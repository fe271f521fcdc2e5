//! The papers' models, with the feature `models`: a package each, under one name.

pub use imminent_cell as cell;
pub use imminent_common::{
    estimate, exponential, free_memory, graphml, number, output, parallel, streams, time, toml_text,
};
pub use imminent_events::{self as events, event_model};
#[cfg(feature = "maps")]
pub use imminent_maps as maps;
pub use imminent_queueing as queueing;
pub use imminent_study as study;
pub use imminent_traffic as traffic;
