//! The papers' models: a package each, under one name. Queueing networks are there with the feature `queueing`, the
//! others with `models`.

#[cfg(feature = "models")]
pub use imminent_cell as cell;
pub use imminent_common::{
    answer, estimate, exponential, figure, free_memory, graph, input, number, output, parallel, printable, sheet,
    streams, threads, time, toml_text,
};
#[cfg(feature = "models")]
pub use imminent_events::{self as events, event_model};
#[cfg(feature = "models")]
pub use imminent_manet as manet;
#[cfg(feature = "maps")]
pub use imminent_maps as maps;
pub use imminent_queueing as queueing;
pub use imminent_study as study;
#[cfg(feature = "models")]
pub use imminent_traffic as traffic;

use study::Catalogue;

/// Returns the models of this package, as many as its features have.
#[must_use]
pub fn catalogue() -> Catalogue {
    let catalogue = Catalogue::default()
        .with(queueing::study::Torus::default())
        .with(queueing::study::Open::default())
        .with(queueing::study::QueueingNetwork::default());
    #[cfg(feature = "models")]
    let catalogue = catalogue
        .with(events::study::model::<events::study::Laden>())
        .with(events::study::model::<events::study::Lcg>())
        .with(events::study::model::<events::study::Mesh>())
        .with(events::study::model::<events::study::Overhead>())
        .with(events::study::model::<events::study::Phold>())
        .with(manet::study::Manet)
        .with(traffic::study::NetworkTraffic)
        .with(cell::study::model::<cell::fire::Fire>())
        .with(cell::study::model::<cell::flood::Flood>())
        .with(cell::study::model::<cell::study::RuleFile>());
    #[cfg(feature = "maps")]
    let catalogue = catalogue.with(maps::study::Wildfire).with(cell::study::model::<maps::flooding::Flood>());
    catalogue
}
