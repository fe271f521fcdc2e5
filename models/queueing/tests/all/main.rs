//! Integration tests of queueing networks: engines against one another, against theory, and against solved Markov
//! chains.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod alternate_update;
mod chain;
mod costs;
mod counted;
mod departures;
mod device;
mod device_engines;
mod engines_agree;
mod enumerated;
mod general_engine;
mod host_arrivals;
mod host_batches;
mod host_combined;
mod host_disciplines;
mod host_polling;
mod host_replays;
mod host_resources;
mod host_routes;
mod host_rules;
mod host_runs;
mod host_sharing;
mod laws_on_devices;
mod networks;
mod observed;
mod product_form;
mod published_table;
mod quantiles;
mod random_networks;
mod random_stations;
mod rules;
mod selection;
mod side_by_side;
mod steady_state;
mod twice;
mod warm_up;
mod watched_engines;
